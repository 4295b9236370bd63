// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Shapes of a recording: copies of those that a survey keeps, and distances from them.

#include "measure/survey/survey_shapes.h"

#include "measure/survey/survey_grid.h"

#include <math.h>
#include <string.h>

// Outlines are entered into cells that are nearer than this part of an edge: where a place is put
// may be off by a rounding.
#define SLACK 1e-6

// --- Sets of shapes --------------------------------------------------------------------------

thShapeSet thiShapeSet(thMemory* memory)
{
    return (thShapeSet){.shapes = thiArray(memory, sizeof(thRecordedShape)),
                        .points = thiArray(memory, sizeof(thPlace))};
}

void thiShapeSetFree(thShapeSet* set)
{
    thiArrayFree(&set->shapes);
    thiArrayFree(&set->points);
}

static bool isKept(thKeptKind kind, thRecordedShapeKind shape)
{
    return kind == th_keptWalls ? shape <= th_shapeWall : shape >= th_shapeGoalPoint;
}

// Once all points are there: they may have moved.
static void linkPoints(thShapeSet* set)
{
    const thPlace* at = set->points.data;
    for (int32_t i = 0; i < set->shapes.count; ++i) {
        thRecordedShape* shape = &TH_ITEMS(set->shapes, thRecordedShape)[i];
        shape->points = at;
        at += shape->pointCount;
    }
}

thResult thiKeepShapes(thShapeSet* set, thKeptKind kind, const thRecordedShape* shapes,
                       int32_t count)
{
    set->shapes.count = set->points.count = 0;
    for (int32_t i = 0; i < count; ++i) {
        if (!isKept(kind, shapes[i].kind))
            continue;
        thRecordedShape* shape = thiArrayAdd(&set->shapes, 1);
        thPlace* points = thiArrayAdd(&set->points, shapes[i].pointCount);
        if (shape == NULL || points == NULL)
            return th_resultNoMemory;
        *shape = shapes[i];
        memcpy(points, shapes[i].points, (size_t)shapes[i].pointCount * sizeof *points);
    }
    linkPoints(set);
    return th_resultOk;
}

static bool isSame(const thRecordedShape* a, const thRecordedShape* b)
{
    return a->kind == b->kind && a->level == b->level && a->pointCount == b->pointCount &&
           !(a->radius < b->radius) && !(a->radius > b->radius) &&
           memcmp(a->points, b->points, (size_t)a->pointCount * sizeof *a->points) == 0;
}

bool thiAreShapesKept(const thShapeSet* set, thKeptKind kind, const thRecordedShape* shapes,
                      int32_t count)
{
    int32_t at = 0;
    for (int32_t i = 0; i < count; ++i) {
        if (!isKept(kind, shapes[i].kind))
            continue;
        if (at == set->shapes.count ||
            !isSame(&TH_ITEMS(set->shapes, thRecordedShape)[at], &shapes[i]))
            return false;
        at += 1;
    }
    return at == set->shapes.count;
}

// --- Distances -------------------------------------------------------------------------------

typedef struct Segment {
    double ax, ay, bx, by;
    int32_t shape;
} Segment;

// Square of the distance of a place from the nearest point of a segment. [m²]
static double distanceSq(const Segment* s, double x, double y)
{
    const double ex = s->bx - s->ax, ey = s->by - s->ay;
    const double px = x - s->ax, py = y - s->ay;
    const double lengthSq = ex * ex + ey * ey;
    double share = lengthSq > 0.0 ? (px * ex + py * ey) / lengthSq : 0.0;
    share = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
    const double dx = px - share * ex, dy = py - share * ey;
    return dx * dx + dy * dy;
}

// Whether a place is inside a closed polygon: how often a ray to the east crosses the outline.
static bool isInPolygon(const thRecordedShape* shape, double x, double y)
{
    bool inside = false;
    for (int32_t i = 0, before = shape->pointCount - 1; i < shape->pointCount; before = i++) {
        const thPlace a = shape->points[before], b = shape->points[i];
        if ((a.y > y) != (b.y > y) && x < a.x + (y - a.y) * (b.x - a.x) / (b.y - a.y))
            inside = !inside;
    }
    return inside;
}

static double outlineDistance(const thRecordedShape* goal, double x, double y)
{
    double least = INFINITY;
    for (int32_t i = 0, before = goal->pointCount - 1; i < goal->pointCount; before = i++) {
        const thPlace a = goal->points[before], b = goal->points[i];
        const Segment side = {a.x, a.y, b.x, b.y, 0};
        least = TH_MIN(least, distanceSq(&side, x, y));
    }
    return sqrt(least);
}

double thiGoalDistance(const thRecordedShape* goal, double x, double y)
{
    if (goal->kind == th_shapeGoalPolygon && isInPolygon(goal, x, y))
        return 0.0;
    const double distance = outlineDistance(goal, x, y);
    return goal->kind == th_shapeGoalDisc ? TH_MAX(distance - (double)goal->radius, 0.0) : distance;
}

// --- Walls in cells --------------------------------------------------------------------------

enum { cellInSolid = 1, cellInRoom = 2 };

// All outlines of one floor.
typedef struct Floor {
    int32_t level;
    bool hasRooms;
    double lowX, lowY, edge;
    int32_t cols, rows;
    thArray segments; // Segment
    thArray starts;   // int32_t: of each cell the first one in `items`, and their end
    thArray items;    // int32_t: segments, by cell
    thArray inside;   // uint8_t: of each cell, what it is in that has no outline in it
} Floor;

struct thSurveyWalls {
    const thRecordedShape* shapes;
    thArray floors; // Floor, by level
};

static int32_t cellOf(double offset, double edge, int32_t count)
{
    const double cell = floor(offset / edge);
    return cell < 0.0 ? 0 : cell > count - 1 ? count - 1 : (int32_t)cell;
}

// The cells that hold a place, or are nearest to it.
static int32_t columnOf(const Floor* on, double x)
{
    return cellOf(x - on->lowX, on->edge, on->cols);
}

static int32_t rowOf(const Floor* on, double y)
{
    return cellOf(y - on->lowY, on->edge, on->rows);
}

static bool isOutline(thRecordedShapeKind kind)
{
    return kind == th_shapeSolid || kind == th_shapeRoom || kind == th_shapeWall;
}

static thResult addSegments(Floor* on, const thRecordedShape* shapes, int32_t index)
{
    const thRecordedShape* shape = &shapes[index];
    const int32_t count = shape->kind == th_shapeWall ? shape->pointCount - 1 : shape->pointCount;
    Segment* segments = thiArrayAdd(&on->segments, count);
    if (segments == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < count; ++i) {
        const thPlace a = shape->points[i], b = shape->points[(i + 1) % shape->pointCount];
        segments[i] = (Segment){a.x, a.y, b.x, b.y, index};
    }
    on->hasRooms |= shape->kind == th_shapeRoom;
    return th_resultOk;
}

// About eight cells for each segment, within reason.
static void layCells(Floor* on)
{
    const Segment* segments = on->segments.data;
    double highX = segments[0].ax, highY = segments[0].ay;
    on->lowX = highX;
    on->lowY = highY;
    for (int32_t i = 0; i < on->segments.count; ++i) {
        const Segment* s = &segments[i];
        on->lowX = TH_MIN(on->lowX, TH_MIN(s->ax, s->bx));
        on->lowY = TH_MIN(on->lowY, TH_MIN(s->ay, s->by));
        highX = TH_MAX(highX, TH_MAX(s->ax, s->bx));
        highY = TH_MAX(highY, TH_MAX(s->ay, s->by));
    }
    const double width = highX - on->lowX, height = highY - on->lowY;
    const double most = TH_MIN(64.0 + 8.0 * (double)on->segments.count, 0x1p24);
    const double edge = TH_MAX(sqrt(width * height / most), TH_MAX(width, height) / most);
    on->edge = TH_MAX(edge, 0.5);
    on->cols = (int32_t)(width / on->edge) + 1;
    on->rows = (int32_t)(height / on->edge) + 1;
}

typedef struct Columns {
    int32_t first, last;
} Columns;

// The columns in which a segment is within a row.
static Columns columnsIn(const Floor* on, const Segment* s, int32_t row)
{
    const double slack = on->edge * SLACK;
    const double low = on->lowY + on->edge * row - slack;
    const double high = on->lowY + on->edge * (row + 1) + slack;
    const double dx = s->bx - s->ax, dy = s->by - s->ay;
    double from = 0.0, to = 1.0;
    if (fabs(dy) > slack) {
        const double a = (low - s->ay) / dy, b = (high - s->ay) / dy;
        from = TH_MIN(TH_MAX(TH_MIN(a, b), 0.0), 1.0);
        to = TH_MIN(TH_MAX(TH_MAX(a, b), 0.0), 1.0);
    }
    const double x0 = s->ax + from * dx, x1 = s->ax + to * dx;
    return (Columns){columnOf(on, TH_MIN(x0, x1) - slack), columnOf(on, TH_MAX(x0, x1) + slack)};
}

typedef void CellFcn(Floor* on, int32_t cell, int32_t item, void* context);

// Calls for each cell that a segment may touch.
static void forEachCell(Floor* on, int32_t item, CellFcn* call, void* context)
{
    const Segment* s = &TH_ITEMS(on->segments, Segment)[item];
    const double slack = on->edge * SLACK;
    const int32_t first = rowOf(on, TH_MIN(s->ay, s->by) - slack);
    const int32_t last = rowOf(on, TH_MAX(s->ay, s->by) + slack);
    for (int32_t row = first; row <= last; ++row) {
        const Columns columns = columnsIn(on, s, row);
        for (int32_t column = columns.first; column <= columns.last; ++column)
            call(on, row * on->cols + column, item, context);
    }
}

static void countItem(Floor* on, int32_t cell, int32_t item, void* total)
{
    (void)item;
    *(int64_t*)total += 1;
    TH_ITEMS(on->starts, int32_t)[cell] += *(int64_t*)total <= INT32_MAX;
}

// From the end of each cell downwards, so that starts are right when all are in.
static void putItem(Floor* on, int32_t cell, int32_t item, void* context)
{
    (void)context;
    TH_ITEMS(on->items, int32_t)[--TH_ITEMS(on->starts, int32_t)[cell]] = item;
}

static thResult listItems(Floor* on)
{
    const int32_t cellCount = on->cols * on->rows;
    int32_t* starts = thiArrayAdd(&on->starts, cellCount + 1);
    if (starts == NULL)
        return th_resultNoMemory;
    for (int32_t cell = 0; cell <= cellCount; ++cell)
        starts[cell] = 0;
    int64_t total = 0;
    for (int32_t item = 0; item < on->segments.count; ++item)
        forEachCell(on, item, countItem, &total);
    if (total > INT32_MAX || thiArrayAdd(&on->items, (int32_t)total) == NULL)
        return th_resultNoMemory;
    for (int32_t cell = 1; cell <= cellCount; ++cell)
        starts[cell] += starts[cell - 1];
    for (int32_t item = on->segments.count - 1; item >= 0; --item)
        forEachCell(on, item, putItem, NULL);
    return th_resultOk;
}

static void stampCell(Floor* on, int32_t cell, int32_t item, void* stamps)
{
    ((int32_t*)stamps)[cell] = TH_ITEMS(on->segments, Segment)[item].shape;
}

// Marks the cells of a row that are wholly inside a shape. Of neighbours without its outline both
// are inside or none is.
static void markRow(Floor* on, const thRecordedShape* shape, int32_t index, int32_t row,
                    const int32_t* stamps)
{
    uint8_t* inside = on->inside.data;
    bool isKnown = false, isInside = false;
    for (int32_t column = 0; column < on->cols; ++column) {
        const int32_t cell = row * on->cols + column;
        if (stamps[cell] == index) {
            isKnown = false;
            continue;
        }
        if (!isKnown)
            isInside = isInPolygon(shape, on->lowX + on->edge * (column + 0.5),
                                   on->lowY + on->edge * (row + 0.5));
        isKnown = true;
        if (isInside)
            inside[cell] |= shape->kind == th_shapeRoom ? cellInRoom : cellInSolid;
    }
}

// Segments first .. end − 1 are those of one shape.
static void markShape(Floor* on, const thRecordedShape* shapes, int32_t first, int32_t end,
                      int32_t* stamps)
{
    const Segment* segments = on->segments.data;
    const int32_t index = segments[first].shape;
    double low = segments[first].ay, high = low;
    for (int32_t i = first; i < end; ++i) {
        forEachCell(on, i, stampCell, stamps);
        low = TH_MIN(low, segments[i].ay);
        high = TH_MAX(high, segments[i].ay);
    }
    for (int32_t row = rowOf(on, low); row <= rowOf(on, high); ++row)
        markRow(on, &shapes[index], index, row, stamps);
}

static thResult markInside(Floor* on, thMemory* memory, const thRecordedShape* shapes)
{
    const int32_t cellCount = on->cols * on->rows;
    uint8_t* inside = thiArrayAdd(&on->inside, cellCount);
    const size_t size = (size_t)cellCount * sizeof(int32_t);
    int32_t* stamps = inside != NULL ? thiAllocate(memory, size) : NULL;
    if (stamps == NULL)
        return th_resultNoMemory;
    for (int32_t cell = 0; cell < cellCount; ++cell) {
        inside[cell] = 0;
        stamps[cell] = -1;
    }
    const Segment* segments = on->segments.data;
    int32_t end = 0;
    for (int32_t first = 0; first < on->segments.count; first = end) {
        while (end < on->segments.count && segments[end].shape == segments[first].shape)
            ++end;
        if (shapes[segments[first].shape].kind != th_shapeWall)
            markShape(on, shapes, first, end, stamps);
    }
    thiRelease(memory, stamps, size);
    return th_resultOk;
}

static thResult finishFloor(thSurveyWalls* walls, thMemory* memory)
{
    if (walls->floors.count == 0)
        return th_resultOk;
    Floor* on = &TH_ITEMS(walls->floors, Floor)[walls->floors.count - 1];
    layCells(on);
    TH_TRY(listItems(on));
    return markInside(on, memory, walls->shapes);
}

static thResult beginFloor(thSurveyWalls* walls, thMemory* memory, int32_t level)
{
    Floor* on = thiArrayAdd(&walls->floors, 1);
    if (on == NULL)
        return th_resultNoMemory;
    *on = (Floor){.level = level,
                  .segments = thiArray(memory, sizeof(Segment)),
                  .starts = thiArray(memory, sizeof(int32_t)),
                  .items = thiArray(memory, sizeof(int32_t)),
                  .inside = thiArray(memory, sizeof(uint8_t))};
    return th_resultOk;
}

// `keyed`: outlines by floor.
static thResult addFloors(thSurveyWalls* walls, thMemory* memory, const thKeyed* keyed,
                          int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        if (i == 0 || keyed[i].key != keyed[i - 1].key) {
            TH_TRY(finishFloor(walls, memory));
            TH_TRY(beginFloor(walls, memory, (int32_t)keyed[i].key));
        }
        Floor* on = &TH_ITEMS(walls->floors, Floor)[walls->floors.count - 1];
        TH_TRY(addSegments(on, walls->shapes, (int32_t)keyed[i].index));
    }
    return finishFloor(walls, memory);
}

static thResult addShapes(thSurveyWalls* walls, thMemory* memory, int32_t count)
{
    const size_t size = 2 * (size_t)count * sizeof(thKeyed);
    thKeyed* keyed = thiAllocate(memory, size);
    if (keyed == NULL)
        return th_resultNoMemory;
    int32_t outlines = 0;
    for (int32_t i = 0; i < count; ++i)
        if (isOutline(walls->shapes[i].kind))
            keyed[outlines++] = (thKeyed){(uint64_t)walls->shapes[i].level, i};
    thiSortKeyed(keyed, keyed + count, outlines, 16);
    const thResult code = addFloors(walls, memory, keyed, outlines);
    thiRelease(memory, keyed, size);
    return code;
}

void thiDestroySurveyWalls(thMemory* memory, thSurveyWalls* walls)
{
    for (int32_t i = 0; i < walls->floors.count; ++i) {
        Floor* on = &TH_ITEMS(walls->floors, Floor)[i];
        thiArrayFree(&on->segments);
        thiArrayFree(&on->starts);
        thiArrayFree(&on->items);
        thiArrayFree(&on->inside);
    }
    thiArrayFree(&walls->floors);
    thiRelease(memory, walls, sizeof *walls);
}

thResult thiCreateSurveyWalls(thMemory* memory, const thRecordedShape* shapes, int32_t count,
                              thSurveyWalls** result)
{
    thSurveyWalls* walls = *result = thiAllocateZero(memory, sizeof *walls);
    if (walls == NULL)
        return th_resultNoMemory;
    walls->shapes = shapes;
    walls->floors = thiArray(memory, sizeof(Floor));
    const thResult code = count > 0 ? addShapes(walls, memory, count) : th_resultOk;
    if (code != th_resultOk) {
        thiDestroySurveyWalls(memory, walls);
        *result = NULL;
    }
    return code;
}

// --- How deep discs are in walls -------------------------------------------------------------

static const Floor* findFloor(const thSurveyWalls* walls, int32_t level)
{
    const Floor* floors = walls->floors.data;
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
static bool isSolid(const thSurveyWalls* walls, const Floor* on, double x, double y)
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
        const int32_t index = TH_ITEMS(on->segments, Segment)[item].shape;
        const thRecordedShape* shape = &walls->shapes[index];
        if (index != asked && shape->kind != th_shapeWall && isInPolygon(shape, x, y))
            inside |= shape->kind == th_shapeRoom ? cellInRoom : cellInSolid;
        asked = index;
    }
    return (inside & cellInSolid) != 0 || (on->hasRooms && (inside & cellInRoom) == 0);
}

// Distance² of the nearest of the outlines in the cells that a square touches, whose edges are
// `half` from its centre; INFINITY if there are none. `all`: it touches every cell.
static double nearestSq(const Floor* on, double x, double y, double half, bool* all)
{
    const int32_t first = columnOf(on, x - half), last = columnOf(on, x + half);
    const int32_t low = rowOf(on, y - half), high = rowOf(on, y + half);
    const int32_t* starts = on->starts.data;
    double nearest = INFINITY;
    for (int32_t row = low; row <= high; ++row) {
        const int32_t begin = starts[row * on->cols + first];
        const int32_t end = starts[row * on->cols + last + 1];
        for (int32_t i = begin; i < end; ++i) {
            const int32_t item = TH_ITEMS(on->items, int32_t)[i];
            const double distance = distanceSq(&TH_ITEMS(on->segments, Segment)[item], x, y);
            nearest = TH_MIN(nearest, distance);
        }
    }
    *all = first == 0 && low == 0 && last == on->cols - 1 && high == on->rows - 1;
    return nearest;
}

// Distance of the nearest outline, however far it is: in squares twice as large each time, until
// nothing outside can be nearer.
static double distanceOf(const Floor* on, double x, double y)
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
    const Floor* on = findFloor(walls, level);
    if (on == NULL)
        return 0.0;
    if (isSolid(walls, on, x, y))
        return radius + distanceOf(on, x, y);
    bool all;
    const double nearest = nearestSq(on, x, y, radius, &all);
    return nearest < radius * radius ? radius - sqrt(nearest) : 0.0;
}
