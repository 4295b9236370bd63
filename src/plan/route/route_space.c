// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Walls in a grid of cells, and what is asked of them: solid, straight legs, places, the horizon.
// The lists of cells hold the walls within the radius of the cell, so that a walk over the cells of
// the centre line sees every wall that can be in the way, near ones first.

#include "plan/route/route_space.h"

#include "base/memory.h"
#include "geom/fixed.h"
#include "geom/segment.h"
#include "plan/route/route_legs.h"
#include "space/wall_cells.h"

#include <math.h>
#include <string.h>

#define QUARTER (TH_HORIZON_PARTS / 4) // of all directions
#define SMALLEST_SHIFT 15              // cells of 2^15 units are half a metre wide
// Cells list walls so much further than the radius: what paths keep more, and rounding. [units]
#define MARGIN ((double)TH_ROUTE_SLACK * THRONG_UNITS_PER_METRE + 2.0)

// How many edges of solids and of rooms run along a wall, less those that run back.
typedef struct WallEdges {
    int32_t solids, rooms;
} WallEdges;

// The directions with whole numbers, from 0 to all of them, as vectors: see the horizon.
typedef struct Directions {
    double x[TH_HORIZON_PARTS + 1], y[TH_HORIZON_PARTS + 1], lengthSq[TH_HORIZON_PARTS + 1];
} Directions;

struct thRouteSpace {
    thMemory* memory;
    float radius;
    thBand band; // the walls' box, grown by the radius
    int32_t shift;
    thArray walls;     // thRouteWall
    thArray edges;     // WallEdges of each wall
    thArray cellStart; // int32_t: where each cell's list begins; the last two are the end of all
    thArray lists;     // int32_t: columns of `listed`
    thArray indices;   // int32_t, which wall each item of the lists is
    thArray around;    // WallEdges of each cell whose list is empty: the winding numbers there
    thLegWalls listed; // cells and their lists, as they are searched
    double reach;      // how far from cells the walls end that they list [units]
    thSimd simd;
    Directions directions;
};

static double unitsOf(float metres)
{
    return (double)metres * THRONG_UNITS_PER_METRE;
}

// How near walls may be. [units]
static double leastDistance(const thRouteSpace* space, float overlap)
{
    return TH_MAX(unitsOf(space->radius) - unitsOf(overlap), 0.0);
}

// The column or row of a place, or the nearest there is.
static int32_t nearestCell(double place, int32_t low, int32_t count, int32_t shift)
{
    const int64_t cell = (int64_t)floor(place - low) >> shift;
    return (int32_t)TH_MIN(TH_MAX(cell, 0), count - 1);
}

static thResult copyWalls(thRouteSpace* space, const thFrame* frame, int32_t level)
{
    const thWallGrid* grid = frame->wallGrid;
    const thWalls* walls = thiWallGridWalls(grid);
    for (int32_t i = 0; i < walls->count; ++i) {
        if (walls->level[i] != level)
            continue;
        thRouteWall* wall = thiArrayAdd(&space->walls, 1);
        WallEdges* edges = thiArrayAdd(&space->edges, 1);
        if (wall == NULL || edges == NULL)
            return th_resultNoMemory;
        *wall = (thRouteWall){thiSegmentStart(grid, i), thiSegmentEnd(grid, i)};
        *edges = (WallEdges){TH_ITEMS(grid->solidEdges, int32_t)[i],
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
        band->hasRooms |= TH_ITEMS(space->edges, WallEdges)[i].rooms != 0;
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
    *first = nearestCell(reach->ay - reach->margin, band->low.y, band->rows, shift);
    *last = nearestCell(reach->by + reach->margin, band->low.y, band->rows, shift);
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
    *first = nearestCell(TH_MIN(from, to) - reach->margin, band->low.x, band->columns, shift);
    *last = nearestCell(TH_MAX(from, to) + reach->margin, band->low.x, band->columns, shift);
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

// Cells list walls that come within a cell and the radius of them; their ends may be as far away as
// walls are long.
static double reachOfLists(const thRouteSpace* space)
{
    double longest = 0.0;
    for (int32_t i = 0; i < space->walls.count; ++i) {
        const thRouteWall* wall = &TH_ITEMS(space->walls, thRouteWall)[i];
        const double length =
            fabs((double)wall->b.x - wall->a.x) + fabs((double)wall->b.y - wall->a.y);
        longest = TH_MAX(longest, length);
    }
    return longest + 4.0 * ((double)((int64_t)1 << space->shift) + unitsOf(space->radius) + MARGIN);
}

static void listWall(int32_t* columns, int32_t room, int32_t item, const thRouteWall* wall)
{
    columns[item] = wall->a.x;
    columns[room + item] = wall->a.y;
    columns[2 * room + item] = wall->b.x;
    columns[3 * room + item] = wall->b.y;
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
    const thRouteWall* walls = TH_ITEMS(space->walls, thRouteWall);
    int32_t room = 0;
    int32_t* columns = NULL;
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
                    listWall(columns, room, start[cell + 1], &walls[i]);
                    indices[start[cell + 1]++] = i;
                }
        }
        if (pass == 1)
            break;
        for (int32_t i = 2; i < cells + 2; ++i)
            start[i] += start[i - 1];
        room = start[cells + 1] + TH_MAX_WIDTH;
        if (room > INT32_MAX / 4)
            return th_resultNoMemory;
        columns = thiArrayAdd(&space->lists, 4 * room);
        indices = thiArrayAdd(&space->indices, start[cells + 1]);
        if (columns == NULL || indices == NULL)
            return th_resultNoMemory;
        memset(columns, 0, (size_t)(4 * room) * sizeof *columns);
    }
    space->listed = (thLegWalls){
        band, space->shift, start, columns, columns + room, columns + 2 * room, columns + 3 * room};
    return th_resultOk;
}

// Solid: a point is in it or not by the walls that cross the ray from there to the east. A cell
// without walls is all of one kind, so the ray ends at the first one, where the rest is known.

// How a wall crosses a height: 1 going north, −1 going south, 0 not at all. An end at that height
// counts as south of it, so that where two walls meet one of them counts.
static int32_t crossHeight(int32_t y, const thRouteWall* wall)
{
    return (wall->b.y > y) - (wall->a.y > y);
}

// The column in which a wall that crosses a height counts: all lists that hold it agree.
static int32_t columnOfCrossing(const thRouteSpace* space, int32_t y, const thRouteWall* wall)
{
    const double share = ((double)y - wall->a.y) / ((double)wall->b.y - wall->a.y);
    const double x = wall->a.x + ((double)wall->b.x - wall->a.x) * share;
    return nearestCell(x, space->band.low.x, space->band.columns, space->shift);
}

static void addEdges(const thRouteSpace* space, int32_t item, int32_t sense, WallEdges* around)
{
    const WallEdges* edges =
        &TH_ITEMS(space->edges, WallEdges)[TH_ITEMS(space->indices, int32_t)[item]];
    around->solids += sense * edges->solids;
    around->rooms += sense * edges->rooms;
}

// From the east on, at half the height of the row.
static void sweepRow(thRouteSpace* space, int32_t row)
{
    const thBand* band = &space->band;
    const int32_t* start = TH_ITEMS(space->cellStart, int32_t);
    const int64_t middle =
        band->low.y + ((int64_t)row << space->shift) + ((int64_t)1 << (space->shift - 1));
    const int32_t y = (int32_t)TH_MIN(middle, INT32_MAX);
    WallEdges around = {0, 0};
    for (int32_t column = band->columns - 1; column >= 0; --column) {
        const int32_t cell = row * band->columns + column;
        for (int32_t i = start[cell]; i < start[cell + 1]; ++i) {
            const thRouteWall wall = thiListedWall(&space->listed, i);
            const int32_t sense = crossHeight(y, &wall);
            if (sense != 0 && columnOfCrossing(space, y, &wall) == column)
                addEdges(space, i, sense, &around);
        }
        TH_ITEMS(space->around, WallEdges)[cell] = around;
    }
}

static thResult findSolid(thRouteSpace* space)
{
    if (thiArrayAdd(&space->around, space->band.columns * space->band.rows) == NULL)
        return th_resultNoMemory;
    for (int32_t row = 0; row < space->band.rows; ++row)
        sweepRow(space, row);
    return th_resultOk;
}

// The winding numbers of all solids and of all rooms about p.
static WallEdges windingsAbout(const thRouteSpace* space, thPoint p, const thCellBox* east)
{
    const int32_t* start = TH_ITEMS(space->cellStart, int32_t);
    WallEdges around = {0, 0};
    for (int32_t column = east->columnBegin; column < east->columnEnd; ++column) {
        const int32_t cell = east->rowBegin * space->band.columns + column;
        if (start[cell] == start[cell + 1]) {
            const WallEdges rest = TH_ITEMS(space->around, WallEdges)[cell];
            return (WallEdges){around.solids + rest.solids, around.rooms + rest.rooms};
        }
        for (int32_t i = start[cell]; i < start[cell + 1]; ++i) {
            const thRouteWall wall = thiListedWall(&space->listed, i);
            const int32_t sense = crossHeight(p.y, &wall);
            if (sense != 0 && thiOrientation(wall.a, wall.b, p) == sense &&
                TH_MAX(columnOfCrossing(space, p.y, &wall), east->columnBegin) == column)
                addEdges(space, i, sense, &around);
        }
    }
    return around;
}

// Whether a point off the walls is in solid, as thiIsInSolid says.
static bool isInSolid(const thRouteSpace* space, thPoint p)
{
    thCellBox east;
    if (!thiClipBox(&space->band, space->shift, (thBox){p.x, p.y, INT32_MAX, p.y}, &east))
        return space->band.hasRooms;
    const WallEdges around = windingsAbout(space, p, &east);
    return around.solids > 0 || (space->band.hasRooms && around.rooms == 0);
}

static void findDirections(Directions* directions)
{
    for (int32_t i = 0; i <= TH_HORIZON_PARTS; ++i) {
        const double turn = (double)(i % TH_HORIZON_PARTS) / QUARTER;
        const double x = turn < 2.0 ? 1.0 - turn : turn - 3.0;
        const double y = turn < 1.0 ? turn : turn < 3.0 ? 2.0 - turn : turn - 4.0;
        directions->x[i] = x;
        directions->y[i] = y;
        directions->lengthSq[i] = x * x + y * y;
    }
}

static thResult build(thRouteSpace* space, const thFrame* frame, int32_t level)
{
    TH_TRY(copyWalls(space, frame, level));
    findBand(space);
    layOutCells(space);
    space->reach = reachOfLists(space);
    findDirections(&space->directions);
    TH_TRY(fillLists(space));
    return findSolid(space);
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
                             .simd = thSimd_Resolve(th_simdAuto),
                             .walls = thiArray(memory, sizeof(thRouteWall)),
                             .edges = thiArray(memory, sizeof(WallEdges)),
                             .cellStart = thiArray(memory, sizeof(int32_t)),
                             .lists = thiArray(memory, sizeof(int32_t)),
                             .indices = thiArray(memory, sizeof(int32_t)),
                             .around = thiArray(memory, sizeof(WallEdges))};
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

void thiSetRouteSimd(thRouteSpace* space, thSimd simd)
{
    space->simd = thSimd_Resolve(simd);
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

static double distanceSq(thPoint p, thPoint a, thPoint b)
{
    const thOffset offset = thiOffsetToSegment(p, a, b);
    return offset.x * offset.x + offset.y * offset.y;
}

// The definition.
static bool blocksExactly(const thLeg* leg, thRouteWall wall)
{
    if (thiSegmentsTouch(leg->a, leg->b, wall.a, wall.b))
        return true;
    if (leg->least == 0.0)
        return false;
    const double leastSq = leg->least * leg->least;
    return distanceSq(wall.a, leg->a, leg->b) < leastSq ||
           distanceSq(wall.b, leg->a, leg->b) < leastSq ||
           distanceSq(leg->a, wall.a, wall.b) < leastSq ||
           distanceSq(leg->b, wall.a, wall.b) < leastSq;
}

// How far a point is from a segment: a square of units, times a number.
typedef struct Far {
    double square, times;
} Far;

// The segment goes from the origin to (dx, dy), and the point is at (x, y).
static inline Far farFrom(double dx, double dy, double lengthSq, double x, double y, double side)
{
    const double along = dx * x + dy * y, beyondX = x - dx, beyondY = y - dy;
    if (along <= 0.0)
        return (Far){x * x + y * y, 1.0};
    if (along >= lengthSq)
        return (Far){beyondX * beyondX + beyondY * beyondY, 1.0};
    return (Far){side * side, lengthSq};
}

static inline bool isWithin(Far far, double square)
{
    return far.square < square * far.times;
}

// Whether two points are a unit at least to one side of a line.
static inline bool areBeside(double oneSide, double otherSide, double lengthSq)
{
    return oneSide * otherSide > 0.0 && oneSide * oneSide > lengthSq &&
           otherSide * otherSide > lengthSq;
}

// Distances are wrong by less than 2^-15 units here and in the definition, so where none is within
// a unit of the least one, both say the same. There are no divisions here, and exact predicates are
// for the rest.
bool thiBlocksLeg(const thLeg* leg, thRouteWall wall)
{
    const thPoint a = leg->a, b = leg->b;
    const double dx = (double)b.x - a.x, dy = (double)b.y - a.y;
    const double wx = (double)wall.b.x - wall.a.x, wy = (double)wall.b.y - wall.a.y;
    const double x = (double)wall.a.x - a.x, y = (double)wall.a.y - a.y;
    const double legSq = dx * dx + dy * dy, wallSq = wx * wx + wy * wy;
    const double low = leg->least - 1.0, high = leg->least + 1.0;
    const double lowSq = low * low, highSq = high * high;
    if (low < 0.0)
        return blocksExactly(leg, wall);
    const double turn = dx * wy - dy * wx, firstSide = dx * y - dy * x, fromSide = wy * x - wx * y;
    const double lastSide = firstSide + turn, toSide = fromSide - turn;
    const Far first = farFrom(dx, dy, legSq, x, y, firstSide);
    const Far last = farFrom(dx, dy, legSq, x + wx, y + wy, lastSide);
    const Far from = farFrom(wx, wy, wallSq, -x, -y, fromSide);
    const Far to = farFrom(wx, wy, wallSq, dx - x, dy - y, toSide);
    if (isWithin(first, lowSq) | isWithin(last, lowSq) | isWithin(from, lowSq) |
        isWithin(to, lowSq))
        return true;
    const bool isNear = isWithin(first, highSq) | isWithin(last, highSq) | isWithin(from, highSq) |
                        isWithin(to, highSq);
    if (!isNear && (areBeside(firstSide, lastSide, legSq) || areBeside(fromSide, toSide, wallSq)))
        return false;
    return blocksExactly(leg, wall);
}

// How wrong lanes may be: numbers, products and sums are rounded by 2^-24 each, and places to whole
// halves of units. Walls in the lists of cells that the leg touches end within its length and
// `reach`. A point is looked at as a leg to the east.
static thLeg makeLeg(const thRouteSpace* space, thPoint a, thPoint b, double least)
{
    const bool isPoint = thiSamePoint(a, b);
    const double dx = isPoint ? 1.0 : 0.5 * ((double)b.x - a.x), dy = 0.5 * ((double)b.y - a.y);
    const double lengthSq = dx * dx + dy * dy, length = sqrt(lengthSq), up = 1.0 + 0x1p-20;
    const double error = (fabs(dx) + fabs(dy)) * (0x1p-21 * (length + 0.5 * space->reach) + 2.0);
    const double beside = 0.5 * (least + 0.5) * length + error;
    const double end = isPoint ? 0.0 : lengthSq;
    return (thLeg){.a = a,
                   .b = b,
                   .least = least,
                   .dx = (float)dx,
                   .dy = (float)dy,
                   .beside = (float)(beside * up),
                   .beyond = (float)((end + beside) * up)};
}

bool thiIsClearLeg(const thRouteSpace* space, thPoint a, thPoint b, float overlap)
{
    static thIsLegClearFcn* const kernels[th_simdCount] = TH_KERNEL_TABLE(thiIsLegClear);
    thCellBox box;
    if (!thiClipBox(&space->band, space->shift, thiBoxAround(a, b, 0), &box))
        return true;
    const thLeg leg = makeLeg(space, a, b, leastDistance(space, overlap));
    return kernels[space->simd](&space->listed, &leg, &box);
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
            const thRouteWall wall = thiListedWall(&space->listed, i);
            if (isBetween(&wall, p, x, y) && isBetween(&wall, p, lowX, lowY) &&
                isBetween(&wall, p, highX, lowY) && isBetween(&wall, p, lowX, highY) &&
                isBetween(&wall, p, highX, highY))
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
        const thRouteWall wall = thiListedWall(&space->listed, i);
        const double square = distanceSq(p, wall.a, wall.b);
        nearest = TH_MIN(nearest, square);
    }
    return nearest;
}

bool thiIsClearPlace(const thRouteSpace* space, thPoint p, float overlap)
{
    return thiIsClearLeg(space, p, p, overlap) && !isInSolid(space, p);
}

float thiOverlapAt(const thRouteSpace* space, thPoint p)
{
    const double radius = unitsOf(space->radius), square = nearestSq(space, p);
    if (square >= radius * radius)
        return 0.0f;
    // A unit more, so that what was rounded does not matter.
    const double overlap = (radius - sqrt(square) + 1.0) / THRONG_UNITS_PER_METRE;
    return TH_MIN((float)overlap, space->radius);
}

// The horizon: directions are numbered along the diamond |x| + |y| = 1, which needs no
// trigonometry. A part of them that a single wall covers ends at that wall.

#define MAX_RINGS 8        // of cells that are looked at
#define FEW_OPEN 48        // parts in which far walls may be in sight
#define HORIZON_MARGIN 4.0 // for rounding [units]

// From 0 to TH_HORIZON_PARTS, counter-clockwise from the x axis.
static double directionOf(double x, double y)
{
    const double size = fabs(x) + fabs(y);
    if (size == 0.0)
        return 0.0;
    const double share = y / size; // −1 .. 1
    const double turn = x >= 0.0 ? share : 2.0 - share;
    return (turn < 0.0 ? turn + 4.0 : turn) * QUARTER;
}

bool thiIsBeyond(const thRouteHorizon* horizon, double x, double y)
{
    const double dx = x - horizon->x, dy = y - horizon->y;
    const int32_t part = (int32_t)directionOf(dx, dy) % TH_HORIZON_PARTS;
    return dx * dx + dy * dy > horizon->limitSq[part];
}

bool thiIsBoxBeyond(const thRouteHorizon* horizon, double lowX, double lowY, double highX,
                    double highY)
{
    const double left = lowX - horizon->x, right = highX - horizon->x;
    const double low = lowY - horizon->y, high = highY - horizon->y;
    const double dx = TH_MAX(TH_MAX(left, -right), 0.0), dy = TH_MAX(TH_MAX(low, -high), 0.0);
    if (dx == 0.0 && dy == 0.0)
        return false;
    const thBoxRim rim = thiRimOfBox(left, low, right, high);
    const int32_t first = (int32_t)directionOf(rim.firstX, rim.firstY);
    int32_t last = (int32_t)directionOf(rim.lastX, rim.lastY);
    last = last < first ? last + TH_HORIZON_PARTS : last;
    const double distanceSq = dx * dx + dy * dy;
    for (int32_t i = first; i <= last; ++i)
        if (distanceSq <= horizon->limitSq[i % TH_HORIZON_PARTS])
            return false;
    return true;
}

// A wall, as far as the line through it is from where one stands.
typedef struct Cover {
    double side, wallX, wallY;
} Cover;

// The parts from `first` to the one before `last`, which do not go all round. All directions alike,
// so that compilers can take several at once.
static void coverParts(const Directions* to, const Cover* by, int32_t first, int32_t last,
                       double* restrict limitSq)
{
    double distanceSq[TH_HORIZON_PARTS + 1];
    const double side = by->side, wallX = by->wallX, wallY = by->wallY;
    for (int32_t i = first; i <= last; ++i) {
        const double bottom = to->x[i] * wallY - to->y[i] * wallX;
        const double share = side / bottom, square = share * share * to->lengthSq[i];
        // Rounding: it may not cover that direction after all.
        distanceSq[i] = bottom > 0.0 ? square : INFINITY;
    }
    for (int32_t i = first; i < last; ++i) {
        const double furthest = TH_MAX(distanceSq[i], distanceSq[i + 1]);
        limitSq[i] = TH_MIN(limitSq[i], furthest);
    }
}

static void coverBy(const Directions* directions, thRouteHorizon* horizon, thPoint a, thPoint b)
{
    double ax = a.x - horizon->x, ay = a.y - horizon->y;
    double bx = b.x - horizon->x, by = b.y - horizon->y;
    double side = ax * by - ay * bx;
    if (side == 0.0)
        return;
    if (side < 0.0) { // from a to b counter-clockwise
        const double x = ax, y = ay;
        ax = bx;
        ay = by;
        bx = x;
        by = y;
        side = -side;
    }
    const double from = directionOf(ax, ay);
    double to = directionOf(bx, by);
    to = to < from ? to + TH_HORIZON_PARTS : to;
    const int32_t first = (int32_t)from + 1, last = (int32_t)to;
    if (first >= last)
        return;
    const Cover cover = {side, bx - ax, by - ay};
    if (first < TH_HORIZON_PARTS)
        coverParts(directions, &cover, first, TH_MIN(last, TH_HORIZON_PARTS), horizon->limitSq);
    if (last > TH_HORIZON_PARTS)
        coverParts(directions, &cover, TH_MAX(first - TH_HORIZON_PARTS, 0), last - TH_HORIZON_PARTS,
                   horizon->limitSq);
}

static double cellSide(const thRouteSpace* space)
{
    return (double)((int64_t)1 << space->shift);
}

// Walls that have covered what they can, by the lowest bits of their numbers: most are in the lists
// of several cells.
#define COVERED 64
typedef struct Look {
    const thRouteSpace* space;
    thRouteHorizon* horizon;
    int32_t covered[COVERED];
} Look;

static bool hasCovered(const Look* look, int32_t wall)
{
    return look->covered[wall % COVERED] == wall;
}

// The walls near a cell that is in sight.
static void coverByCell(Look* look, int64_t column, int64_t row)
{
    const thRouteSpace* space = look->space;
    const thBand* band = &space->band;
    if (column < 0 || column >= band->columns || row < 0 || row >= band->rows)
        return;
    const int32_t* start = &TH_ITEMS(space->cellStart, int32_t)[row * band->columns + column];
    const int32_t* indices = TH_ITEMS(space->indices, int32_t);
    int32_t i = start[0];
    while (i < start[1] && hasCovered(look, indices[i]))
        i += 1;
    const double side = cellSide(space);
    const double x = band->low.x + (double)column * side, y = band->low.y + (double)row * side;
    if (i == start[1] || thiIsBoxBeyond(look->horizon, x, y, x + side, y + side))
        return;
    for (; i < start[1]; ++i) {
        if (hasCovered(look, indices[i]))
            continue;
        const thRouteWall wall = thiListedWall(&space->listed, i);
        coverBy(&space->directions, look->horizon, wall.a, wall.b);
        look->covered[indices[i] % COVERED] = indices[i];
    }
}

// Walls by rings of cells round a place: ring 0 is its own cell. Walls of which some part is nearer
// than `ring` × the side of a cell are all in this ring or a lower one. False when the ring is
// beyond all walls, as all further ones are.
static bool coverByRing(Look* look, thPoint p, int32_t ring)
{
    const thRouteSpace* space = look->space;
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
        coverByCell(look, i, low);
        if (ring > 0)
            coverByCell(look, i, high);
    }
    const int64_t firstRow = TH_MAX(low + 1, 0), lastRow = TH_MIN(high - 1, band->rows - 1);
    for (int64_t i = firstRow; i <= lastRow; ++i) {
        coverByCell(look, left, i);
        coverByCell(look, right, i);
    }
    return true;
}

// Parts in which one may see further than to a distance.
static int32_t countOpen(const thRouteHorizon* horizon, double distance)
{
    int32_t count = 0;
    for (int32_t i = 0; i < TH_HORIZON_PARTS; ++i)
        count += horizon->limitSq[i] > distance * distance;
    return count;
}

void thiLookAround(const thRouteSpace* space, thPoint p, thRouteHorizon* horizon)
{
    horizon->x = p.x;
    horizon->y = p.y;
    for (int32_t i = 0; i < TH_HORIZON_PARTS; ++i)
        horizon->limitSq[i] = INFINITY;
    // Rings become larger and hide less. Where little is open it is not worth while to go on.
    const double side = cellSide(space);
    Look look = {.space = space, .horizon = horizon};
    for (int32_t i = 0; i < COVERED; ++i)
        look.covered[i] = -1;
    for (int32_t ring = 0; ring < MAX_RINGS; ++ring)
        if (countOpen(horizon, (ring - 1) * side) <= FEW_OPEN || !coverByRing(&look, p, ring))
            break;
    for (int32_t i = 0; i < TH_HORIZON_PARTS; ++i) {
        const double limit = sqrt(horizon->limitSq[i]) + HORIZON_MARGIN;
        horizon->limitSq[i] = limit * limit;
    }
}
