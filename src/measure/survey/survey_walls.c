// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "measure/survey/survey_walls.h"

// Whether a place is inside a closed polygon: how often a ray to the east crosses the outline.
bool thiIsInsideShape(const thRecordedShape* shape, double x, double y)
{
    bool inside = false;
    for (int32_t i = 0, before = shape->pointCount - 1; i < shape->pointCount; before = i++) {
        const thPlace a = shape->points[before], b = shape->points[i];
        if ((a.y > y) != (b.y > y) && x < a.x + (y - a.y) * (b.x - a.x) / (b.y - a.y))
            inside = !inside;
    }
    return inside;
}

static const thWallFloor* findFloor(const thSurveyWalls* walls, int32_t level)
{
    const thWallFloor* floors = walls->floors.data;
    int32_t low = 0, high = walls->floors.count;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (floors[middle].level < level)
            low = middle + 1;
        else
            high = middle;
    }
    return low < walls->floors.count && floors[low].level == level ? &floors[low] : NULL;
}

// Whether a place is where nobody can be. In cells with outlines their shapes are asked.
static bool isSolid(const thSurveyWalls* walls, const thWallFloor* on, double x, double y)
{
    const double column = floor((x - on->lowX) / on->edge);
    const double row = floor((y - on->lowY) / on->edge);
    if (column < 0.0 || row < 0.0 || column >= on->cols || row >= on->rows)
        return on->hasRooms;
    const int32_t cell = (int32_t)row * on->cols + (int32_t)column;
    const int32_t* starts = on->starts.data;
    uint8_t inside = TH_ITEMS(on->inside, uint8_t)[cell];
    int32_t asked = -1;
    for (int32_t i = starts[cell]; i < starts[cell + 1]; ++i) {
        const int32_t item = TH_ITEMS(on->items, int32_t)[i];
        const int32_t index = TH_ITEMS(on->segments, thWallSegment)[item].shape;
        const thRecordedShape* shape = &walls->shapes[index];
        if (index != asked && shape->kind != th_shapeWall && thiIsInsideShape(shape, x, y))
            inside |= shape->kind == th_shapeRoom ? th_cellInRoom : th_cellInSolid;
        asked = index;
    }
    return (inside & th_cellInSolid) != 0 || (on->hasRooms && (inside & th_cellInRoom) == 0);
}

double thiSegmentReachSq(const thWallSegment* s, double x, double y)
{
    const double ex = s->bx - s->ax, ey = s->by - s->ay;
    const double px = x - s->ax, py = y - s->ay;
    const double lengthSq = ex * ex + ey * ey;
    double share = lengthSq > 0.0 ? (px * ex + py * ey) / lengthSq : 0.0;
    share = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
    const double dx = px - share * ex, dy = py - share * ey;
    return dx * dx + dy * dy;
}

// Distance² of the nearest of the outlines in the cells that a square touches, whose edges are
// `half` from its centre; INFINITY if there are none. `all`: it touches every cell.
static double nearestSq(const thWallFloor* on, double x, double y, double half, bool* all)
{
    const int32_t first = thiWallColumn(on, x - half), last = thiWallColumn(on, x + half);
    const int32_t low = thiWallRow(on, y - half), high = thiWallRow(on, y + half);
    const int32_t* starts = on->starts.data;
    double nearest = INFINITY;
    for (int32_t row = low; row <= high; ++row) {
        const int32_t begin = starts[row * on->cols + first];
        const int32_t end = starts[row * on->cols + last + 1];
        for (int32_t i = begin; i < end; ++i) {
            const int32_t item = TH_ITEMS(on->items, int32_t)[i];
            const double distance =
                thiSegmentReachSq(&TH_ITEMS(on->segments, thWallSegment)[item], x, y);
            nearest = TH_MIN(nearest, distance);
        }
    }
    *all = first == 0 && low == 0 && last == on->cols - 1 && high == on->rows - 1;
    return nearest;
}

// Distance of the nearest outline, however far it is: in squares twice as large each time, until
// nothing outside can be nearer.
static double distanceOf(const thWallFloor* on, double x, double y)
{
    for (double half = on->edge;; half *= 2.0) {
        bool all;
        const double nearest = nearestSq(on, x, y, half, &all);
        if (all || nearest <= half * half)
            return sqrt(nearest);
    }
}

double thiWallDepth(const thSurveyWalls* walls, int32_t level, double x, double y, double radius)
{
    const thWallFloor* on = findFloor(walls, level);
    if (on == NULL)
        return 0.0;
    if (isSolid(walls, on, x, y))
        return radius + distanceOf(on, x, y);
    bool all;
    const double nearest = nearestSq(on, x, y, radius, &all);
    return nearest < radius * radius ? radius - sqrt(nearest) : 0.0;
}
