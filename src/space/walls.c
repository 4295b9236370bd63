// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Static walls: how segments are cleaned and sorted into cells, and every search among them.
//
// A build cuts and merges segments, lays cells over each level, and lists the segments of each cell
// by walking along them. Searches walk along lines, or look through boxes, in the same cells.

#include "space/walls.h"

#include "geom/segment.h"
#include "space/wall_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST ((double)1000 * THRONG_UNITS_PER_METRE) // segments are cut to this
#define SMALLEST_SHIFT 18                               // cells of 2^18 units are 4 m wide

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

// The cells of one axis from one coordinate to another in the direction of `step`, cut to the band.
// `end` is one step past the last; false when there are none.
static bool clipCells(double from, double to, int32_t step, int32_t low, int32_t high,
                      int32_t shift, int32_t* begin, int32_t* end)
{
    if (TH_MAX(from, to) < low || TH_MIN(from, to) > high)
        return false;
    const double first = TH_MIN(TH_MAX(from, low), high) - low;
    const double last = TH_MIN(TH_MAX(to, low), high) - low;
    *begin = (int32_t)((int64_t)first >> shift);
    *end = (int32_t)((int64_t)last >> shift) + step;
    return true;
}

thCellWalk thiBeginWalk(const thBand* band, int32_t shift, thPoint a, thPoint b)
{
    thCellWalk walk = {.band = band,
                       .shift = shift,
                       .ax = a.x,
                       .ay = a.y,
                       .bx = b.x,
                       .by = b.y,
                       .rowStep = b.y >= a.y ? 1 : -1,
                       .columnStep = b.x >= a.x ? 1 : -1};
    if (a.y != b.y)
        walk.slope = (walk.bx - walk.ax) / (walk.by - walk.ay);
    (void)clipCells(walk.ay, walk.by, walk.rowStep, band->low.y, band->high.y, shift, &walk.row,
                    &walk.rowEnd);
    walk.row -= walk.rowStep; // the first row is still to be entered
    return walk;
}

// Where the line is at a height, and a unit further on (step 1) or back (step −1).
static double crossingAt(const thCellWalk* walk, double y, int32_t step)
{
    const double x = walk->ax + (y - walk->ay) * walk->slope;
    return walk->slope == 0.0 ? x : x + step * walk->columnStep;
}

static void enterRow(thCellWalk* walk)
{
    const double side = (double)((int64_t)1 << walk->shift);
    const double bottom = walk->band->low.y + walk->row * side - 1.0;
    const double top = bottom + side + 2.0;
    const double entry = walk->rowStep > 0 ? bottom : top;
    const double exit = walk->rowStep > 0 ? top : bottom;
    const bool startsHere = (walk->ay - entry) * walk->rowStep >= 0.0;
    const bool endsHere = (exit - walk->by) * walk->rowStep >= 0.0;
    const double from = startsHere ? walk->ax : crossingAt(walk, entry, -1);
    const double to = endsHere ? walk->bx : crossingAt(walk, exit, 1);
    if (!clipCells(from, to, walk->columnStep, walk->band->low.x, walk->band->high.x, walk->shift,
                   &walk->column, &walk->columnEnd))
        walk->columnEnd = walk->column;
}

int32_t thiNextCell(thCellWalk* walk)
{
    while ((walk->columnEnd - walk->column) * walk->columnStep <= 0) {
        walk->row += walk->rowStep;
        if ((walk->rowEnd - walk->row) * walk->rowStep <= 0)
            return -1;
        enterRow(walk);
    }
    const int32_t cell = walk->band->firstCell + walk->row * walk->band->columns + walk->column;
    walk->column += walk->columnStep;
    return cell;
}

// Ends the walk, which leads to b, a unit after a share of the whole line.
static void shortenWalk(thCellWalk* walk, thPoint b, double share)
{
    int32_t begin, end;
    walk->bx = walk->ax + share * (b.x - walk->ax) + walk->columnStep;
    walk->by = walk->ay + share * (b.y - walk->ay) + walk->rowStep;
    if (clipCells(walk->ay, walk->by, walk->rowStep, walk->band->low.y, walk->band->high.y,
                  walk->shift, &begin, &end))
        walk->rowEnd = end;
    if (clipCells(walk->ax, walk->bx, walk->columnStep, walk->band->low.x, walk->band->high.x,
                  walk->shift, &begin, &end) &&
        (walk->columnEnd - end) * walk->columnStep > 0)
        walk->columnEnd = end;
}

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

// What is found so far, sorted.
typedef struct Found {
    thNearWall* out;
    int32_t capacity;
    int32_t written; // in `out`
    float limitSq, reachSq;
    int32_t count; // how many out of reach are wanted
    int32_t inReach;
    int32_t others; // at most `count`
} Found;

static bool isBefore(thNearWall a, thNearWall b)
{
    return a.distanceSq != b.distanceSq ? a.distanceSq < b.distanceSq : a.segment < b.segment;
}

// Of what is out of reach, `count` are kept, so what is dropped here would never come back.
static void addFound(Found* found, thNearWall wall)
{
    if (wall.distanceSq <= found->reachSq)
        found->inReach += 1;
    else
        found->others = TH_MIN(found->others + 1, found->count);
    const int32_t wanted = TH_MIN(found->inReach + found->others, found->capacity);
    int32_t at = found->written;
    if (at == wanted && (at == 0 || !isBefore(wall, found->out[at - 1])))
        return;
    if (at == wanted)
        at -= 1;
    else
        found->written += 1;
    for (; at > 0 && isBefore(wall, found->out[at - 1]); --at)
        found->out[at] = found->out[at - 1];
    found->out[at] = wall;
}

float thiWallSquare(float distance)
{
    return distance >= 0.0f ? distance * distance : -1.0f;
}

int64_t thiWallSpan(float distance)
{
    const double units = (double)distance * THRONG_UNITS_PER_METRE * (1.0 + 0x1p-20) + 2.0;
    return units > 0.0 ? (int64_t)TH_MIN(units, 0x1p33) : 0;
}

// Places in the lists whose segments are looked at together. Branches on distances are hard to
// predict; computing all distances first keeps them from waiting for divisions.
#define BATCH 16

typedef struct Batch {
    int32_t count;
    int32_t place[BATCH], segment[BATCH];
    double ax[BATCH], ay[BATCH], dx[BATCH], dy[BATCH]; // from the point to a, from a to b
    double x[BATCH], y[BATCH];                         // from the point to the nearest point
} Batch;

// A segment is in the lists of several cells; it counts in that of the cell that holds its nearest
// point, which the walk took in when the lists were made.
static void searchBatch(const thWallGrid* grid, const thBand* band, thPoint p, Batch* batch,
                        Found* found)
{
    const int32_t* start = TH_ITEMS(grid->cellStart, int32_t);
    for (int32_t i = 0; i < batch->count; ++i) {
        const thOffset offset =
            thiNearestOffset(batch->ax[i], batch->ay[i], batch->dx[i], batch->dy[i]);
        batch->x[i] = offset.x;
        batch->y[i] = offset.y;
    }
    for (int32_t i = 0; i < batch->count; ++i) {
        const double x = batch->x[i], y = batch->y[i];
        const float distanceSq = (float)((x * x + y * y) * 0x1p-32);
        const int64_t column = (int64_t)(p.x + x - band->low.x) >> grid->shift;
        const int64_t row = (int64_t)(p.y + y - band->low.y) >> grid->shift;
        const int32_t* list = &start[band->firstCell + row * band->columns + column];
        const int32_t place = batch->place[i];
        if ((distanceSq <= found->limitSq) & (place >= list[0]) & (place < list[1]))
            addFound(found, (thNearWall){distanceSq, batch->segment[i]});
    }
    batch->count = 0;
}

static void addToBatch(const thWallGrid* grid, int32_t place, thPoint p, Batch* batch)
{
    const int32_t i = batch->count++, segment = TH_ITEMS(grid->lists, int32_t)[place];
    const thPoint a = thiSegmentStart(grid, segment), b = thiSegmentEnd(grid, segment);
    batch->place[i] = place;
    batch->segment[i] = segment;
    batch->ax[i] = (double)a.x - p.x;
    batch->ay[i] = (double)a.y - p.y;
    batch->dx[i] = (double)b.x - a.x;
    batch->dy[i] = (double)b.y - a.y;
}

static void searchBox(const thWallGrid* grid, const thBand* band, const thCellBox* box, thPoint p,
                      Found* found)
{
    const int32_t* start = TH_ITEMS(grid->cellStart, int32_t);
    Batch batch;
    batch.count = 0; // the rest is filled as needed
    for (int32_t row = box->rowBegin; row < box->rowEnd; ++row) {
        const int32_t cell = band->firstCell + row * band->columns;
        const int32_t end = start[cell + box->columnEnd];
        for (int32_t place = start[cell + box->columnBegin]; place < end; ++place) {
            addToBatch(grid, place, p, &batch);
            if (batch.count == BATCH)
                searchBatch(grid, band, p, &batch, found);
        }
    }
    searchBatch(grid, band, p, &batch, found);
}

// Whether the lists of a box are empty: a quick answer where there are no walls.
static bool isEmptyBox(const thWallGrid* grid, const thBand* band, const thCellBox* cells)
{
    const int32_t* start = TH_ITEMS(grid->cellStart, int32_t);
    for (int32_t row = cells->rowBegin; row < cells->rowEnd; ++row) {
        const int32_t cell = band->firstCell + row * band->columns;
        if (start[cell + cells->columnBegin] != start[cell + cells->columnEnd])
            return false;
    }
    return true;
}

int32_t thiNearestWalls(const thWallGrid* grid, int32_t level, int32_t x, int32_t y, float radius,
                        float reach, int32_t count, thNearWall* out, int32_t capacity)
{
    const thBand* band = thiFindBand(grid, level);
    const int64_t span = thiWallSpan(TH_MAX(radius, reach));
    const thBox around = {x - span, y - span, x + span, y + span};
    thCellBox box;
    if (band == NULL || !thiClipBox(band, grid->shift, around, &box) ||
        isEmptyBox(grid, band, &box))
        return 0;
    const float radiusSq = thiWallSquare(radius), reachSq = thiWallSquare(reach);
    Found found = {.out = out,
                   .capacity = capacity,
                   .limitSq = TH_MAX(radiusSq, reachSq),
                   .reachSq = reachSq,
                   .count = TH_MAX(count, 0)};
    searchBox(grid, band, &box, (thPoint){x, y}, &found);
    return found.inReach + found.others;
}

size_t thiWallMarkWords(const thWallGrid* grid)
{
    const size_t bitWords = (size_t)grid->walls.count / 64 + 1;
    return bitWords + bitWords / 64 + 1;
}

thWallMarks thiWallMarks(const thWallGrid* grid, uint64_t* room)
{
    memset(room, 0, thiWallMarkWords(grid) * sizeof *room);
    return (thWallMarks){room, room + grid->walls.count / 64 + 1, INT32_MAX, -1};
}

int32_t thiMarkWallsNearBox(const thWallGrid* grid, int32_t level, thPoint low, thPoint high,
                            int64_t span, thWallMarks* marks)
{
    const thBand* band = thiFindBand(grid, level);
    const thBox box = {low.x - span, low.y - span, high.x + span, high.y + span};
    thCellBox cells;
    if (band == NULL || !thiClipBox(band, grid->shift, box, &cells) ||
        isEmptyBox(grid, band, &cells))
        return 0;
    const int32_t* start = TH_ITEMS(grid->cellStart, int32_t);
    const int32_t* lists = TH_ITEMS(grid->lists, int32_t);
    int32_t count = 0;
    for (int32_t row = cells.rowBegin; row < cells.rowEnd; ++row) {
        const int32_t cell = band->firstCell + row * band->columns;
        const int32_t begin = start[cell + cells.columnBegin];
        const int32_t end = start[cell + cells.columnEnd];
        for (int32_t place = begin; place < end; ++place) {
            const uint32_t segment = (uint32_t)lists[place], at = segment / 64;
            const int32_t word = (int32_t)(at / 64);
            marks->bits[at] |= UINT64_C(1) << (segment % 64);
            marks->words[word] |= UINT64_C(1) << (at % 64);
            marks->low = TH_MIN(marks->low, word);
            marks->high = TH_MAX(marks->high, word);
        }
        count += end - begin;
    }
    return count;
}

int32_t thiTakeWallMarks(const thWallGrid* grid, thPoint low, thPoint high, int64_t span,
                         thWallMarks* marks, int32_t* out)
{
    const thBox box = {low.x - span, low.y - span, high.x + span, high.y + span};
    int32_t count = 0;
    for (int32_t word = marks->low; word <= marks->high; ++word) {
        for (uint64_t words = marks->words[word]; words != 0; words &= words - 1) {
            const int32_t at = word * 64 + __builtin_ctzll(words);
            for (uint64_t bits = marks->bits[at]; bits != 0; bits &= bits - 1) {
                const int32_t segment = at * 64 + __builtin_ctzll(bits);
                const thPoint a = thiSegmentStart(grid, segment), b = thiSegmentEnd(grid, segment);
                out[count] = segment;
                count += (int32_t)thiBoxMeetsSegment(&box, a, b);
            }
            marks->bits[at] = 0;
        }
        marks->words[word] = 0;
    }
    marks->low = INT32_MAX;
    marks->high = -1;
    return count;
}

// Whether there may be walls in the box of a and b.
static bool mayBeWalls(const thWallGrid* grid, const thBand* band, thPoint a, thPoint b)
{
    thCellBox box;
    return band != NULL && thiClipBox(band, grid->shift, thiBoxAround(a, b, 0), &box) &&
           !isEmptyBox(grid, band, &box);
}

bool thiWallsHide(const thWallGrid* grid, int32_t level, int32_t ax, int32_t ay, int32_t bx,
                  int32_t by)
{
    const thBand* band = thiFindBand(grid, level);
    const thPoint a = {ax, ay}, b = {bx, by};
    if (!mayBeWalls(grid, band, a, b))
        return false;
    const int32_t* start = TH_ITEMS(grid->cellStart, int32_t);
    thCellWalk walk = thiBeginWalk(band, grid->shift, a, b);
    for (int32_t cell = thiNextCell(&walk); cell >= 0; cell = thiNextCell(&walk))
        for (int32_t i = start[cell]; i < start[cell + 1]; ++i) {
            const int32_t segment = TH_ITEMS(grid->lists, int32_t)[i];
            if (thiSegmentsTouch(a, b, thiSegmentStart(grid, segment),
                                 thiSegmentEnd(grid, segment)))
                return true;
        }
    return false;
}

// Where on the way from a to b the segment c d is met first, if the two touch. Segments are at most
// about 2^26 units long and differences less than 2^32, so that everything fits into 64 bits.
static thFraction meetingShare(thPoint a, thPoint b, thPoint c, thPoint d)
{
    const int64_t wayX = (int64_t)b.x - a.x, wayY = (int64_t)b.y - a.y;
    const int64_t wallX = (int64_t)d.x - c.x, wallY = (int64_t)d.y - c.y;
    const int64_t toX = (int64_t)c.x - a.x, toY = (int64_t)c.y - a.y;
    const int64_t bottom = wayX * wallY - wayY * wallX;
    if (bottom != 0)
        return (thFraction){(uint64_t)llabs(toX * wallY - toY * wallX), (uint64_t)llabs(bottom)};
    if (thiPointOnSegment(a, c, d))
        return (thFraction){0, 1};
    // All are on one line and a is off the wall: the nearer end is met first.
    if (wayX != 0)
        return (thFraction){(uint64_t)TH_MIN(llabs(toX), llabs((int64_t)d.x - a.x)),
                            (uint64_t)llabs(wayX)};
    return (thFraction){(uint64_t)TH_MIN(llabs(toY), llabs((int64_t)d.y - a.y)),
                        (uint64_t)llabs(wayY)};
}

static double shareOf(thFraction fraction)
{
    return (double)fraction.top / (double)fraction.bottom;
}

int32_t thiWallsCastRay(const thWallGrid* grid, int32_t level, int32_t ax, int32_t ay, int32_t bx,
                        int32_t by, float* fraction)
{
    const thBand* band = thiFindBand(grid, level);
    const thPoint a = {ax, ay}, b = {bx, by};
    if (!mayBeWalls(grid, band, a, b))
        return -1;
    const int32_t* start = TH_ITEMS(grid->cellStart, int32_t);
    int32_t hit = -1;
    thFraction nearest = {1, 0}; // more than any
    thCellWalk walk = thiBeginWalk(band, grid->shift, a, b);
    for (int32_t cell = thiNextCell(&walk); cell >= 0; cell = thiNextCell(&walk))
        for (int32_t i = start[cell]; i < start[cell + 1]; ++i) {
            const int32_t segment = TH_ITEMS(grid->lists, int32_t)[i];
            const thPoint c = thiSegmentStart(grid, segment), d = thiSegmentEnd(grid, segment);
            if (!thiSegmentsTouch(a, b, c, d))
                continue;
            const thFraction share = meetingShare(a, b, c, d);
            const int32_t order = thiCompareFractions(share, nearest);
            if (order > 0 || (order == 0 && segment > hit))
                continue;
            hit = segment;
            nearest = share;
            shortenWalk(&walk, b, shareOf(share));
        }
    if (hit >= 0)
        *fraction = (float)shareOf(nearest);
    return hit;
}

// Whether a segment is in the list of a cell.
static bool isListed(const thWallGrid* grid, int32_t cell, int32_t segment)
{
    const int32_t* start = TH_ITEMS(grid->cellStart, int32_t);
    for (int32_t i = start[cell]; i < start[cell + 1]; ++i)
        if (TH_ITEMS(grid->lists, int32_t)[i] == segment)
            return true;
    return false;
}

// How a segment crosses the ray from p to the east: 1 going north, −1 going south, 0 not at all. An
// end at the height of p counts as south of it, so that where two segments meet one of them counts.
static int32_t crossRay(thPoint p, thPoint a, thPoint b)
{
    const int32_t way = (b.y > p.y) - (a.y > p.y);
    return way != 0 && thiOrientation(a, b, p) == way ? way : 0;
}

// The winding numbers of all solids and of all rooms about p. Edges along and back cancel out
// also where they were merged, and outlines that are simple add 1 or 0 each (rooms −1 or 0).
bool thiIsInSolid(const thWallGrid* grid, int32_t level, int32_t x, int32_t y)
{
    const thBand* band = thiFindBand(grid, level);
    const thPoint p = {x, y};
    thCellBox box;
    if (band == NULL)
        return false;
    if (!thiClipBox(band, grid->shift, (thBox){x, y, INT32_MAX, y}, &box))
        return band->hasRooms;
    const int32_t* start = TH_ITEMS(grid->cellStart, int32_t);
    const int32_t row = band->firstCell + box.rowBegin * band->columns;
    int32_t solids = 0, rooms = 0;
    for (int32_t column = box.columnBegin; column < box.columnEnd; ++column)
        for (int32_t i = start[row + column]; i < start[row + column + 1]; ++i) {
            const int32_t segment = TH_ITEMS(grid->lists, int32_t)[i];
            const int32_t way =
                crossRay(p, thiSegmentStart(grid, segment), thiSegmentEnd(grid, segment));
            // A segment is in the lists of neighbouring cells of the row and counts in the first.
            if (way == 0 || (column > box.columnBegin && isListed(grid, row + column - 1, segment)))
                continue;
            solids += way * TH_ITEMS(grid->solidEdges, int32_t)[segment];
            rooms += way * TH_ITEMS(grid->roomEdges, int32_t)[segment];
        }
    return solids > 0 || (band->hasRooms && rooms == 0);
}
