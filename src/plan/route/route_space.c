// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A grid of square cells whose lists hold the walls within the radius of the cell, so that a walk
// over the cells of the centre line sees every wall that can be in the way, near ones first.

#include "plan/route/route_space.h"

#include "geom/fixed.h"
#include "geom/segment.h"
#include "plan/route/route_space_internal.h"

#include <math.h>
#include <string.h>

#define SMALLEST_SHIFT 15 // cells of 2^15 units are half a metre wide
#define MARGIN 2.0        // cells list walls so much further than the radius: rounding [units]

static double unitsOf(float metres)
{
    return (double)metres * THRONG_UNITS_PER_METRE;
}

// How near walls may be. [units]
static double leastDistance(const thRouteSpace* space, float ease)
{
    return TH_MAX(unitsOf(space->radius) - unitsOf(ease), 0.0);
}

static thResult copyWalls(thRouteSpace* space, const thFrame* frame, int32_t level)
{
    const thWallGrid* grid = frame->wallGrid;
    const thWalls* walls = thiWallGridWalls(grid);
    for (int32_t i = 0; i < walls->count; ++i) {
        if (walls->level[i] != level)
            continue;
        thRouteWall* wall = thiArrayAdd(&space->walls, 1);
        thWallEdges* edges = thiArrayAdd(&space->edges, 1);
        if (wall == NULL || edges == NULL)
            return th_resultNoMemory;
        *wall = (thRouteWall){thiSegmentStart(grid, i), thiSegmentEnd(grid, i)};
        *edges = (thWallEdges){TH_ITEMS(grid->solidEdges, int32_t)[i],
                               TH_ITEMS(grid->roomEdges, int32_t)[i]};
    }
    return th_resultOk;
}

static void findBand(thRouteSpace* space)
{
    thBand* band = &space->band;
    *band = (thBand){.low = {INT32_MAX, INT32_MAX}, .high = {INT32_MIN, INT32_MIN}};
    const int32_t margin = (int32_t)(unitsOf(space->radius) + MARGIN) + 1;
    for (int32_t i = 0; i < space->walls.count; ++i) {
        const thRouteWall* wall = &TH_ITEMS(space->walls, thRouteWall)[i];
        band->low.x = TH_MIN(band->low.x, TH_MIN(wall->a.x, wall->b.x) - margin);
        band->low.y = TH_MIN(band->low.y, TH_MIN(wall->a.y, wall->b.y) - margin);
        band->high.x = TH_MAX(band->high.x, TH_MAX(wall->a.x, wall->b.x) + margin);
        band->high.y = TH_MAX(band->high.y, TH_MAX(wall->a.y, wall->b.y) + margin);
        band->hasRooms |= TH_ITEMS(space->edges, thWallEdges)[i].rooms != 0;
    }
}

static int32_t cellsBetween(int32_t low, int32_t high, int32_t shift)
{
    return low > high ? 0 : (int32_t)(((int64_t)high - low) >> shift) + 1;
}

// The cells of one row that a wall is near, and those of all rows that it is near.
typedef struct Reach {
    const thRouteSpace* space;
    double ax, ay, bx, by; // from the lower end to the upper one
    double margin;
} Reach;

static Reach reachOf(const thRouteSpace* space, const thRouteWall* wall)
{
    const bool rises = wall->a.y <= wall->b.y;
    const thPoint low = rises ? wall->a : wall->b, high = rises ? wall->b : wall->a;
    return (Reach){space, low.x, low.y, high.x, high.y, unitsOf(space->radius) + MARGIN};
}

static void rowsNear(const Reach* reach, int32_t* first, int32_t* last)
{
    const thBand* band = &reach->space->band;
    const int32_t shift = reach->space->shift;
    *first = thiCellAlong(reach->ay - reach->margin, band->low.y, band->rows, shift);
    *last = thiCellAlong(reach->by + reach->margin, band->low.y, band->rows, shift);
}

// Where the wall is at a height, which may be past its ends.
static double wallAt(const Reach* reach, double y)
{
    if (y <= reach->ay || reach->by <= reach->ay)
        return reach->ax;
    if (y >= reach->by)
        return reach->bx;
    return reach->ax + (reach->bx - reach->ax) * ((y - reach->ay) / (reach->by - reach->ay));
}

static void columnsNear(const Reach* reach, int32_t row, int32_t* first, int32_t* last)
{
    const thBand* band = &reach->space->band;
    const int32_t shift = reach->space->shift;
    const double side = (double)((int64_t)1 << shift), bottom = band->low.y + row * side;
    double from = wallAt(reach, bottom - reach->margin);
    double to = wallAt(reach, bottom + side + reach->margin);
    if (reach->ay == reach->by) {
        from = reach->ax;
        to = reach->bx;
    }
    *first = thiCellAlong(TH_MIN(from, to) - reach->margin, band->low.x, band->columns, shift);
    *last = thiCellAlong(TH_MAX(from, to) + reach->margin, band->low.x, band->columns, shift);
}

// About how long all lists will be together.
static int64_t estimateLists(const thRouteSpace* space, int32_t shift)
{
    const int64_t around = 2 + ((int64_t)(2.0 * unitsOf(space->radius)) >> shift);
    int64_t count = 0;
    for (int32_t i = 0; i < space->walls.count; ++i) {
        const thRouteWall* wall = &TH_ITEMS(space->walls, thRouteWall)[i];
        const int64_t wide = ((int64_t)wall->b.x - wall->a.x) / ((int64_t)1 << shift);
        const int64_t high = ((int64_t)wall->b.y - wall->a.y) / ((int64_t)1 << shift);
        count += around * (around + (wide < 0 ? -wide : wide) + (high < 0 ? -high : high));
    }
    return count;
}

// Memory follows the number of walls, however large the floor and the radius.
static void layOutCells(thRouteSpace* space)
{
    thBand* band = &space->band;
    const int64_t count = space->walls.count;
    space->shift = SMALLEST_SHIFT - 1;
    int64_t cells;
    do {
        space->shift += 1;
        band->columns = cellsBetween(band->low.x, band->high.x, space->shift);
        band->rows = cellsBetween(band->low.y, band->high.y, space->shift);
        cells = (int64_t)band->columns * band->rows;
    } while (cells > 4 * count + 1024 || estimateLists(space, space->shift) > 16 * count + 65536);
}

// Counts go two places up and the sums leave each beginning one place up, from where filling the
// lists moves it to the beginning of the next cell.
static thResult fillLists(thRouteSpace* space)
{
    const thBand* band = &space->band;
    const int32_t cells = band->columns * band->rows;
    int32_t* start = thiArrayAdd(&space->cellStart, cells + 2);
    if (start == NULL)
        return th_resultNoMemory;
    memset(start, 0, (size_t)(cells + 2) * sizeof *start);
    thRouteWall* lists = NULL;
    int32_t* indices = NULL;
    for (int32_t pass = 0; pass < 2; ++pass) {
        for (int32_t i = 0; i < space->walls.count; ++i) {
            const Reach reach = reachOf(space, &TH_ITEMS(space->walls, thRouteWall)[i]);
            int32_t row, rowEnd, column, columnEnd;
            for (rowsNear(&reach, &row, &rowEnd); row <= rowEnd; ++row)
                for (columnsNear(&reach, row, &column, &columnEnd); column <= columnEnd; ++column) {
                    const int32_t cell = row * band->columns + column;
                    if (pass == 0) {
                        start[cell + 2] += 1;
                        continue;
                    }
                    lists[start[cell + 1]] = TH_ITEMS(space->walls, thRouteWall)[i];
                    indices[start[cell + 1]++] = i;
                }
        }
        if (pass == 1)
            break;
        for (int32_t i = 2; i < cells + 2; ++i)
            start[i] += start[i - 1];
        lists = thiArrayAdd(&space->lists, start[cells + 1]);
        indices = thiArrayAdd(&space->indices, start[cells + 1]);
        if (lists == NULL || indices == NULL)
            return th_resultNoMemory;
    }
    return th_resultOk;
}

static thResult build(thRouteSpace* space, const thFrame* frame, int32_t level)
{
    TH_TRY(copyWalls(space, frame, level));
    findBand(space);
    layOutCells(space);
    TH_TRY(fillLists(space));
    return thiFindRouteSolid(space);
}

thResult thiCreateRouteSpace(thMemory* memory, const thFrame* frame, int32_t level, float radius,
                             thRouteSpace** space)
{
    TH_ASSERT(radius >= 0.0f && radius <= 101.0f);
    *space = thiAllocate(memory, sizeof **space);
    if (*space == NULL)
        return th_resultNoMemory;
    **space = (thRouteSpace){.memory = memory,
                             .radius = radius,
                             .walls = thiArray(memory, sizeof(thRouteWall)),
                             .edges = thiArray(memory, sizeof(thWallEdges)),
                             .cellStart = thiArray(memory, sizeof(int32_t)),
                             .lists = thiArray(memory, sizeof(thRouteWall)),
                             .indices = thiArray(memory, sizeof(int32_t)),
                             .around = thiArray(memory, sizeof(thWallEdges))};
    const thResult code = build(*space, frame, level);
    if (code != th_resultOk) {
        thiDestroyRouteSpace(*space);
        *space = NULL;
    }
    return code;
}

void thiDestroyRouteSpace(thRouteSpace* space)
{
    if (space == NULL)
        return;
    thiArrayFree(&space->walls);
    thiArrayFree(&space->edges);
    thiArrayFree(&space->cellStart);
    thiArrayFree(&space->lists);
    thiArrayFree(&space->indices);
    thiArrayFree(&space->around);
    thiRelease(space->memory, space, sizeof *space);
}

float thiRouteRadius(const thRouteSpace* space)
{
    return space->radius;
}

const thRouteWall* thiRouteWalls(const thRouteSpace* space, int32_t* count)
{
    *count = space->walls.count;
    return TH_ITEMS(space->walls, thRouteWall);
}

// A straight way, and how near to it walls may be.
typedef struct Way {
    thPoint a, b;
    double dx, dy, lengthSq;
    double least;  // distance
    double beside; // (least + 1/2) × length: what is further from the line is not in the way
} Way;

static Way makeWay(thPoint a, thPoint b, double least)
{
    const double dx = (double)b.x - a.x, dy = (double)b.y - a.y;
    const double lengthSq = dx * dx + dy * dy;
    return (Way){a, b, dx, dy, lengthSq, least, (least + 0.5) * sqrt(lengthSq)};
}

static double distanceSq(thPoint p, thPoint a, thPoint b)
{
    const thOffset offset = thiOffsetToSegment(p, a, b);
    return offset.x * offset.x + offset.y * offset.y;
}

// To be asked of walls near the line only.
static bool isInWay(const Way* way, const thRouteWall* wall)
{
    if (thiSegmentsTouch(way->a, way->b, wall->a, wall->b))
        return true;
    if (way->least == 0.0)
        return false;
    const double leastSq = way->least * way->least;
    return distanceSq(wall->a, way->a, way->b) < leastSq ||
           distanceSq(wall->b, way->a, way->b) < leastSq ||
           distanceSq(way->a, wall->a, wall->b) < leastSq ||
           distanceSq(way->b, wall->a, wall->b) < leastSq;
}

// Most walls of a list are on one side of the line, or ahead or behind.
static bool mayBeInWay(const Way* way, const thRouteWall* wall)
{
    const double ax = (double)wall->a.x - way->a.x, ay = (double)wall->a.y - way->a.y;
    const double bx = (double)wall->b.x - way->a.x, by = (double)wall->b.y - way->a.y;
    const double sideA = way->dx * ay - way->dy * ax, sideB = way->dx * by - way->dy * bx;
    if (TH_MIN(sideA, sideB) > way->beside || TH_MAX(sideA, sideB) < -way->beside)
        return false;
    const double alongA = way->dx * ax + way->dy * ay, alongB = way->dx * bx + way->dy * by;
    return TH_MAX(alongA, alongB) >= -way->beside &&
           TH_MIN(alongA, alongB) <= way->lengthSq + way->beside;
}

bool thiIsClearWay(const thRouteSpace* space, thPoint a, thPoint b, float ease)
{
    const thBand* band = &space->band;
    thCellBox box;
    if (!thiClipBox(band, space->shift, thiBoxAround(a, b, 0), &box))
        return true;
    const Way way = makeWay(a, b, leastDistance(space, ease));
    const int32_t* start = TH_ITEMS(space->cellStart, int32_t);
    const thRouteWall* lists = TH_ITEMS(space->lists, thRouteWall);
    thCellWalk walk = thiBeginWalk(band, space->shift, a, b);
    for (int32_t cell = thiNextCell(&walk); cell >= 0; cell = thiNextCell(&walk))
        for (int32_t i = start[cell]; i < start[cell + 1]; ++i)
            if (mayBeInWay(&way, &lists[i]) && isInWay(&way, &lists[i]))
                return false;
    return true;
}

// Whether a wall crosses the line from p to (x, y). Rounding may decide where it is close.
static bool isBetween(const thRouteWall* wall, thPoint p, double x, double y)
{
    const double ax = (double)wall->a.x - p.x, ay = (double)wall->a.y - p.y;
    const double bx = (double)wall->b.x - p.x, by = (double)wall->b.y - p.y;
    const double dx = x - p.x, dy = y - p.y;
    const double near = ax * by - ay * bx, far = (bx - ax) * (dy - ay) - (by - ay) * (dx - ax);
    const double sideA = dx * ay - dy * ax, sideB = dx * by - dy * bx;
    return ((near > 0.0) & (far < 0.0) & (sideA < 0.0) & (sideB > 0.0)) |
           ((near < 0.0) & (far > 0.0) & (sideA > 0.0) & (sideB < 0.0));
}

bool thiIsHiddenByOne(const thRouteSpace* space, thPoint p, double lowX, double lowY, double highX,
                      double highY)
{
    const double x = 0.5 * (lowX + highX), y = 0.5 * (lowY + highY);
    const thPoint middle = {(int32_t)x, (int32_t)y};
    thCellBox box;
    if (!thiClipBox(&space->band, space->shift, thiBoxAround(p, middle, 0), &box))
        return false;
    const int32_t* start = TH_ITEMS(space->cellStart, int32_t);
    thCellWalk walk = thiBeginWalk(&space->band, space->shift, p, middle);
    for (int32_t cell = thiNextCell(&walk); cell >= 0; cell = thiNextCell(&walk))
        for (int32_t i = start[cell]; i < start[cell + 1]; ++i) {
            const thRouteWall* wall = &TH_ITEMS(space->lists, thRouteWall)[i];
            if (isBetween(wall, p, x, y) && isBetween(wall, p, lowX, lowY) &&
                isBetween(wall, p, highX, lowY) && isBetween(wall, p, lowX, highY) &&
                isBetween(wall, p, highX, highY))
                return true;
        }
    return false;
}

// The square of the distance from the nearest wall, if that is within the radius. [units²]
static double nearestSq(const thRouteSpace* space, thPoint p)
{
    thCellBox box;
    double nearest = INFINITY;
    if (!thiClipBox(&space->band, space->shift, thiBoxAround(p, p, 0), &box))
        return nearest;
    const int32_t* start = TH_ITEMS(space->cellStart, int32_t);
    const int32_t cell = box.rowBegin * space->band.columns + box.columnBegin;
    for (int32_t i = start[cell]; i < start[cell + 1]; ++i) {
        const thRouteWall* wall = &TH_ITEMS(space->lists, thRouteWall)[i];
        const double square = distanceSq(p, wall->a, wall->b);
        nearest = TH_MIN(nearest, square);
    }
    return nearest;
}

bool thiIsClearPlace(const thRouteSpace* space, thPoint p, float ease)
{
    return thiIsClearWay(space, p, p, ease) && !thiIsInRouteSolid(space, p);
}

float thiEaseAt(const thRouteSpace* space, thPoint p)
{
    const double radius = unitsOf(space->radius), square = nearestSq(space, p);
    if (square >= radius * radius)
        return 0.0f;
    // A unit more, so that what was rounded does not matter.
    const double ease = (radius - sqrt(square) + 1.0) / THRONG_UNITS_PER_METRE;
    return TH_MIN((float)ease, space->radius);
}

double thiRouteCellSide(const thRouteSpace* space)
{
    return (double)((int64_t)1 << space->shift);
}

static void visitCell(const thRouteSpace* space, int64_t column, int64_t row,
                      const thRingVisitor* visitor)
{
    const thBand* band = &space->band;
    if (column < 0 || column >= band->columns || row < 0 || row >= band->rows)
        return;
    const int32_t* start = &TH_ITEMS(space->cellStart, int32_t)[row * band->columns + column];
    const double side = thiRouteCellSide(space);
    const double x = band->low.x + (double)column * side, y = band->low.y + (double)row * side;
    if (start[0] == start[1] || !visitor->enters(visitor->context, x, y, x + side, y + side))
        return;
    for (int32_t i = start[0]; i < start[1]; ++i) {
        const thRouteWall* wall = &TH_ITEMS(space->lists, thRouteWall)[i];
        visitor->meets(visitor->context, wall->a, wall->b);
    }
}

bool thiVisitRing(const thRouteSpace* space, thPoint p, int32_t ring, const thRingVisitor* visitor)
{
    const thBand* band = &space->band;
    if (space->walls.count == 0)
        return false;
    const int64_t column = ((int64_t)p.x - band->low.x) >> space->shift;
    const int64_t row = ((int64_t)p.y - band->low.y) >> space->shift;
    const int64_t left = column - ring, right = column + ring, low = row - ring, high = row + ring;
    if (left < 0 && low < 0 && right >= band->columns && high >= band->rows)
        return false;
    const int64_t first = TH_MAX(left, 0), last = TH_MIN(right, band->columns - 1);
    for (int64_t i = first; i <= last; ++i) {
        visitCell(space, i, low, visitor);
        if (ring > 0)
            visitCell(space, i, high, visitor);
    }
    const int64_t firstRow = TH_MAX(low + 1, 0), lastRow = TH_MIN(high - 1, band->rows - 1);
    for (int64_t i = firstRow; i <= lastRow; ++i) {
        visitCell(space, left, i, visitor);
        visitCell(space, right, i, visitor);
    }
    return true;
}
