// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "space/walls.h"

#include "geom/fixed.h"
#include "space/wall_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST ((double)1000 * THRONG_UNITS_PER_METRE) // segments are cut to this
#define SMALLEST_SHIFT 18                               // cells of 2^18 units are 4 m wide

// A segment from its lower end (by x, then by y) to its upper one. `solid` says where there is
// solid, as seen from `low` to `high`; thin walls have it nowhere.
typedef enum Solid { SOLID_NOWHERE, SOLID_LEFT, SOLID_RIGHT } Solid;

typedef struct Piece {
    thPoint low, high;
    int32_t level;
    int32_t obstacle;
    Solid solid;
    int32_t solidEdges, roomEdges; // that run from low to high, less those that run back
} Piece;

static void initTables(thWallGrid* grid, thMemory* memory)
{
    *grid = (thWallGrid){.memory = memory, .shift = SMALLEST_SHIFT};
#define X(type, name) grid->name = thiArray(memory, (int32_t)sizeof(type));
    TH_WALL_TABLES(X)
#undef X
}

static void freeTables(thWallGrid* grid)
{
#define X(type, name) thiArrayFree(&grid->name);
    TH_WALL_TABLES(X)
#undef X
}

thResult thiCreateWallGrid(thMemory* memory, thWallGrid** grid)
{
    *grid = thiAllocate(memory, sizeof **grid);
    if (*grid == NULL)
        return th_resultNoMemory;
    initTables(*grid, memory);
    return th_resultOk;
}

void thiDestroyWallGrid(thWallGrid* grid)
{
    if (grid == NULL)
        return;
    freeTables(grid);
    thiRelease(grid->memory, grid, sizeof *grid);
}

const thWalls* thiWallGridWalls(const thWallGrid* grid)
{
    return &grid->walls;
}

static int32_t countPieces(const thWallSegment* segment)
{
    const double dx = (double)segment->bx - segment->ax, dy = (double)segment->by - segment->ay;
    const double length = sqrt(dx * dx + dy * dy);
    if (length == 0.0)
        return 0;
    // A piece may become longer by rounding of its ends, hence the spare units.
    return length <= LONGEST ? 1 : (int32_t)(length / (LONGEST - 4.0)) + 1;
}

static Piece orderEnds(const thWallSegment* segment)
{
    const thPoint a = {segment->ax, segment->ay}, b = {segment->bx, segment->by};
    const bool rises = a.x != b.x ? a.x < b.x : a.y < b.y;
    const Solid solid = rises ? SOLID_LEFT : SOLID_RIGHT;
    const int32_t edges = segment->oneSided == 0 ? 0 : rises ? 1 : -1;
    return (Piece){.low = rises ? a : b,
                   .high = rises ? b : a,
                   .level = segment->level,
                   .obstacle = segment->obstacle,
                   .solid = segment->oneSided != 0 ? solid : SOLID_NOWHERE,
                   .solidEdges = segment->ofRoom != 0 ? 0 : edges,
                   .roomEdges = segment->ofRoom != 0 ? edges : 0};
}

// A point of the piece at k of `count` equal steps.
static thPoint stepPoint(const Piece* piece, int32_t k, int32_t count)
{
    const int64_t dx = (int64_t)piece->high.x - piece->low.x;
    const int64_t dy = (int64_t)piece->high.y - piece->low.y;
    return (thPoint){(int32_t)(piece->low.x + dx * k / count),
                     (int32_t)(piece->low.y + dy * k / count)};
}

static thResult cutSegments(const thWallSegment* segments, int32_t count, thArray* pieces)
{
    for (int32_t i = 0; i < count; ++i) {
        const Piece whole = orderEnds(&segments[i]);
        const int32_t pieceCount = countPieces(&segments[i]);
        Piece* added = thiArrayAdd(pieces, pieceCount);
        if (added == NULL)
            return th_resultNoMemory;
        for (int32_t k = 0; k < pieceCount; ++k) {
            added[k] = whole;
            added[k].low = stepPoint(&whole, k, pieceCount);
            added[k].high = stepPoint(&whole, k + 1, pieceCount);
        }
    }
    return th_resultOk;
}

static int comparePoints(thPoint a, thPoint b)
{
    return a.x != b.x ? (a.x > b.x) - (a.x < b.x) : (a.y > b.y) - (a.y < b.y);
}

static int comparePieces(const void* left, const void* right)
{
    const Piece* a = left;
    const Piece* b = right;
    if (a->level != b->level)
        return a->level < b->level ? -1 : 1;
    const int byLow = comparePoints(a->low, b->low);
    return byLow != 0 ? byLow : comparePoints(a->high, b->high);
}

// Makes one of pieces that are the same. If they differ in where there is solid, both faces count:
// a thin wall.
static void mergePieces(thArray* pieces)
{
    Piece* items = TH_ITEMS(*pieces, Piece);
    int32_t kept = 0;
    for (int32_t i = 0; i < pieces->count; ++i) {
        Piece* last = kept > 0 ? &items[kept - 1] : NULL;
        if (last == NULL || comparePieces(last, &items[i]) != 0) {
            items[kept++] = items[i];
        } else {
            last->obstacle = TH_MIN(last->obstacle, items[i].obstacle);
            last->solid = last->solid == items[i].solid ? last->solid : SOLID_NOWHERE;
            last->solidEdges += items[i].solidEdges;
            last->roomEdges += items[i].roomEdges;
        }
    }
    pieces->count = kept;
}

static thResult storeSegments(thWallGrid* grid, const thArray* pieces)
{
    const int32_t count = pieces->count;
    int32_t* ax = thiArrayAdd(&grid->ax, count);
    int32_t* ay = thiArrayAdd(&grid->ay, count);
    int32_t* bx = thiArrayAdd(&grid->bx, count);
    int32_t* by = thiArrayAdd(&grid->by, count);
    uint8_t* oneSided = thiArrayAdd(&grid->oneSided, count);
    uint16_t* level = thiArrayAdd(&grid->level, count);
    int32_t* obstacle = thiArrayAdd(&grid->obstacle, count);
    int32_t* solidEdges = thiArrayAdd(&grid->solidEdges, count);
    int32_t* roomEdges = thiArrayAdd(&grid->roomEdges, count);
    if (ax == NULL || ay == NULL || bx == NULL || by == NULL || oneSided == NULL || level == NULL ||
        obstacle == NULL || solidEdges == NULL || roomEdges == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < count; ++i) {
        const Piece* piece = &TH_ITEMS(*pieces, Piece)[i];
        const bool turned = piece->solid == SOLID_RIGHT;
        const thPoint a = turned ? piece->high : piece->low;
        const thPoint b = turned ? piece->low : piece->high;
        ax[i] = a.x;
        ay[i] = a.y;
        bx[i] = b.x;
        by[i] = b.y;
        oneSided[i] = piece->solid != SOLID_NOWHERE;
        level[i] = (uint16_t)piece->level;
        obstacle[i] = piece->obstacle;
        solidEdges[i] = turned ? -piece->solidEdges : piece->solidEdges;
        roomEdges[i] = turned ? -piece->roomEdges : piece->roomEdges;
    }
    grid->walls = (thWalls){count, ax, ay, bx, by, oneSided, level, obstacle};
    return th_resultOk;
}

static thResult findBands(thWallGrid* grid)
{
    const thWalls* walls = &grid->walls;
    const int32_t levelCount = walls->count > 0 ? walls->level[walls->count - 1] + 1 : 0;
    thBand* bands = thiArrayAdd(&grid->bands, levelCount);
    if (bands == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < levelCount; ++i)
        bands[i] = (thBand){.low = {INT32_MAX, INT32_MAX}, .high = {INT32_MIN, INT32_MIN}};
    for (int32_t i = 0; i < walls->count; ++i) {
        thBand* band = &bands[walls->level[i]];
        band->low.x = TH_MIN(band->low.x, TH_MIN(walls->ax[i], walls->bx[i]));
        band->low.y = TH_MIN(band->low.y, TH_MIN(walls->ay[i], walls->by[i]));
        band->high.x = TH_MAX(band->high.x, TH_MAX(walls->ax[i], walls->bx[i]));
        band->high.y = TH_MAX(band->high.y, TH_MAX(walls->ay[i], walls->by[i]));
        band->hasRooms |= TH_ITEMS(grid->roomEdges, int32_t)[i] != 0;
    }
    return th_resultOk;
}

static int64_t cellsBetween(int32_t low, int32_t high, int32_t shift)
{
    return low > high ? 0 : (((int64_t)high - low) >> shift) + 1;
}

static int64_t countCells(const thWallGrid* grid, int32_t shift)
{
    int64_t count = 0;
    for (int32_t i = 0; i < grid->bands.count; ++i) {
        const thBand* band = &TH_ITEMS(grid->bands, thBand)[i];
        count += cellsBetween(band->low.x, band->high.x, shift) *
                 cellsBetween(band->low.y, band->high.y, shift);
    }
    return count;
}

// About how long all lists will be together.
static int64_t estimateLists(const thWalls* walls, int32_t shift)
{
    int64_t count = 0;
    for (int32_t i = 0; i < walls->count; ++i)
        count += 2 + (llabs((int64_t)walls->bx[i] - walls->ax[i]) >> shift) +
                 2 * (llabs((int64_t)walls->by[i] - walls->ay[i]) >> shift);
    return count;
}

// Memory follows the number of segments, however large the world and however long they are.
static int32_t chooseShift(const thWallGrid* grid)
{
    const int64_t count = grid->walls.count;
    int32_t shift = SMALLEST_SHIFT;
    while (countCells(grid, shift) > 4 * count + 65536 ||
           estimateLists(&grid->walls, shift) > 16 * count + 65536)
        shift += 1;
    return shift;
}

static thResult layOutCells(thWallGrid* grid)
{
    grid->shift = chooseShift(grid);
    const int64_t cellCount = countCells(grid, grid->shift);
    if (cellCount > INT32_MAX - 2)
        return th_resultNoMemory;
    int32_t firstCell = 0;
    for (int32_t i = 0; i < grid->bands.count; ++i) {
        thBand* band = &TH_ITEMS(grid->bands, thBand)[i];
        band->columns = (int32_t)cellsBetween(band->low.x, band->high.x, grid->shift);
        band->rows = (int32_t)cellsBetween(band->low.y, band->high.y, grid->shift);
        band->firstCell = firstCell;
        firstCell += band->columns * band->rows;
    }
    int32_t* cellStart = thiArrayAdd(&grid->cellStart, firstCell + 2);
    if (cellStart == NULL)
        return th_resultNoMemory;
    memset(cellStart, 0, (size_t)grid->cellStart.count * sizeof *cellStart);
    return th_resultOk;
}

static thCellWalk walkSegment(const thWallGrid* grid, int32_t segment)
{
    const thBand* band = &TH_ITEMS(grid->bands, thBand)[grid->walls.level[segment]];
    return thiBeginWalk(band, grid->shift, thiSegmentStart(grid, segment),
                        thiSegmentEnd(grid, segment));
}

// Counts go two places up and the sums leave each beginning one place up, from where filling the
// lists moves it to the beginning of the next cell.
static thResult fillLists(thWallGrid* grid)
{
    int32_t* start = TH_ITEMS(grid->cellStart, int32_t);
    int64_t total = 0;
    for (int32_t i = 0; i < grid->walls.count; ++i) {
        thCellWalk walk = walkSegment(grid, i);
        for (int32_t cell = thiNextCell(&walk); cell >= 0; cell = thiNextCell(&walk), ++total)
            start[cell + 2] += 1;
    }
    if (total > INT32_MAX)
        return th_resultNoMemory;
    for (int32_t i = 2; i < grid->cellStart.count; ++i)
        start[i] += start[i - 1];
    int32_t* lists = thiArrayAdd(&grid->lists, (int32_t)total);
    if (lists == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < grid->walls.count; ++i) {
        thCellWalk walk = walkSegment(grid, i);
        for (int32_t cell = thiNextCell(&walk); cell >= 0; cell = thiNextCell(&walk))
            lists[start[cell + 1]++] = i;
    }
    return th_resultOk;
}

static thResult buildTables(thWallGrid* grid, const thWallSegment* segments, int32_t count,
                            thArray* pieces)
{
    TH_TRY(cutSegments(segments, count, pieces));
    if (pieces->count > 0)
        qsort(pieces->data, (size_t)pieces->count, sizeof(Piece), comparePieces);
    mergePieces(pieces);
    TH_TRY(storeSegments(grid, pieces));
    TH_TRY(findBands(grid));
    TH_TRY(layOutCells(grid));
    return fillLists(grid);
}

thResult thiWallGridBuild(thWallGrid* grid, const thWallSegment* segments, int32_t count)
{
    thWallGrid built;
    initTables(&built, grid->memory);
    thArray pieces = thiArray(grid->memory, (int32_t)sizeof(Piece));
    const thResult result = buildTables(&built, segments, count, &pieces);
    thiArrayFree(&pieces);
    if (result != th_resultOk) {
        freeTables(&built);
        return result;
    }
    freeTables(grid);
    *grid = built;
    return th_resultOk;
}
