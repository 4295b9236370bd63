// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Kernel: the k nearest agents of many rows at once, one agent per lane. The lanes are consecutive
// rows of one grid row, so they share a block of cells and each candidate is loaded once for all of
// them.
//
//   1. Scan. Each lane keeps the KEEP smallest of `distance² with its low 9 bits replaced by the
//      candidate's number` in registers, sorted, by min and max alone: no branch, no index.
//      Candidates come some at a time and are sorted before they are merged with those kept, which
//      takes half as much as one by one.
//   2. Settle. What is left of distance² decides the order of those kept. A lane in which it does
//      not, because two are nearly equal, is put in order one by one.
//   3. Look wider. In a lane that is not settled, the last one wanted still bounds the search:
//      everybody within that distance is looked at, candidates in lanes.
//
// Replacing low bits keeps the order of numbers that differ above them. So if the last one kept
// differs from the k-th by more than a step above the low bits, everyone not kept comes after the
// k-th, and the k are exact; otherwise the lane looks wider, as it does when someone outside the
// block might be nearer than the k-th. Where that are too many it is left to thiNearest.
//
// Distances are taken from positions relative to the first lane, in units. They are exact as long
// as lanes are within LANE_LIMIT of it: candidates within sight then are whole numbers below 2^24,
// and the step of difference that is asked for above covers the rest.

#include "geom/fixed.h"
#include "space/nearest.h"

#include <math.h>

#define NUMBER_BITS 9
#define NUMBER_MASK (TH_BLOCK_CANDIDATES - 1)
#define LANE_LIMIT (1 << 22) // units: 64 m

// What a lane may look at by itself: so many candidates, of whom a row of cells is worth some.
#define MOST_LOOKED_AT 2048
#define ROW_COST 32

// A block of cells: up to three rows of cells, each a run of rows of the frame.
typedef struct Block {
    int32_t begin[3], end[3];
    int32_t first[4];         // number of each run's first candidate, and of all of them
    int32_t middle;           // which of the runs holds the lanes themselves
    int32_t gridRow;          // where that is
    int32_t originX, originY; // where positions are taken from
    // Border of the block relative to that; far away where the block ends with the map.
    int32_t lowX, lowY, highX, highY;
    float x[TH_BLOCK_CANDIDATES + TH_WIDTH], y[TH_BLOCK_CANDIDATES + TH_WIDTH];
    int32_t layers[TH_BLOCK_CANDIDATES + TH_WIDTH]; // not used where all notice all
} Block;

// Larger than any distance² in units, with room for a number in its low bits.
static inline thF nobody(void)
{
    return fBits(iSet(0x7f000000));
}

// Candidates that are sorted and merged together. The last group is filled up with candidates so
// far away that their distance² is above nobody().
#define GROUP 8
#define NOWHERE 1.5e19f

// Exchanges two entries if need be, so that the first is the smaller.
static inline void arrange(thF* a, thF* b)
{
    const thF low = fMin(*a, *b);
    *b = fMax(*a, *b);
    *a = low;
}

// A sorting network.
static inline void sortGroup(thF group[GROUP])
{
    static const int8_t pairs[19][2] = {{0, 2}, {1, 3}, {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6},
                                        {3, 7}, {0, 1}, {2, 3}, {4, 5}, {6, 7}, {2, 4}, {3, 5},
                                        {1, 4}, {3, 6}, {1, 2}, {3, 4}, {5, 6}};
    _Pragma("GCC unroll 19") for (int32_t i = 0; i < 19; ++i)
        arrange(&group[pairs[i][0]], &group[pairs[i][1]]);
}

// One stage of a bitonic merge over 2^n places. Only the last `count` of them are kept: whatever
// was before would be smaller.
static inline void mergeStage(thF* keep, const int32_t count, const int32_t places,
                              const int32_t distance)
{
    _Pragma("GCC unroll 20") for (int32_t i = 0; i < count; ++i)
    {
        if (distance > 0 && ((places - count + i) & distance) == 0)
            arrange(&keep[i], &keep[i + distance]);
    }
}

// Candidates `from` to `to`, both multiples of GROUP. `keep` stays in registers: loops over it have
// fixed bounds.
#define SCAN(KEEP, PLACES)                                                                         \
    static inline void scan##KEEP(const Block* block, const bool hasSelf, const bool hasLayers,    \
                                  int32_t from, int32_t to, thF x, thF y, thI self, thI mask,      \
                                  thF* keep)                                                       \
    {                                                                                              \
        const thI distanceBits = iSet(~NUMBER_MASK);                                               \
        for (int32_t c = from; c < to; c += GROUP) {                                               \
            thF group[GROUP];                                                                      \
            _Pragma("GCC unroll 8") for (int32_t i = 0; i < GROUP; ++i)                            \
            {                                                                                      \
                const thF dx = x - fSet(block->x[c + i]), dy = y - fSet(block->y[c + i]);          \
                const thI number = iSet(thiNumbers[c + i]);                                        \
                const thI distanceSq = iBits(dx * dx + dy * dy);                                   \
                group[i] = fBits(iOr(iAnd(distanceSq, distanceBits), number));                     \
                if (hasSelf)                                                                       \
                    group[i] = fSelect(iEq(self, number), nobody(), group[i]);                     \
                if (hasLayers)                                                                     \
                    group[i] = fSelect(iEq(iAnd(mask, iSet(block->layers[c + i])), iSet(0)),       \
                                       nobody(), group[i]);                                        \
            }                                                                                      \
            sortGroup(group);                                                                      \
            _Pragma("GCC unroll 8") for (int32_t i = 0; i < TH_MIN(GROUP, KEEP); ++i)              \
                keep[KEEP - 1 - i] = fMin(keep[KEEP - 1 - i], group[i]);                           \
            mergeStage(keep, KEEP, PLACES, 16 % PLACES);                                           \
            mergeStage(keep, KEEP, PLACES, 8 % PLACES);                                            \
            mergeStage(keep, KEEP, PLACES, 4);                                                     \
            mergeStage(keep, KEEP, PLACES, 2);                                                     \
            mergeStage(keep, KEEP, PLACES, 1);                                                     \
        }                                                                                          \
    }

SCAN(6, 8)
SCAN(11, 16)
SCAN(17, 32)

#define MOST_KEPT 17

// Positions of the candidates relative to the block's origin, and their layers where these matter;
// then enough of nowhere to fill up a group.
static inline void loadCandidates(Block* block, const thFrame* frame, bool plainLayers)
{
    const thI originX = iSet(block->originX), originY = iSet(block->originY);
    for (int32_t run = 0; run < 3; ++run) {
        int32_t to = block->first[run];
        for (int32_t row = block->begin[run]; row < block->end[run]; row += TH_WIDTH) {
            fStore(block->x + to, fFromI(iSub(iLoad(frame->px + row), originX)));
            fStore(block->y + to, fFromI(iSub(iLoad(frame->py + row), originY)));
            if (!plainLayers)
                iStore(block->layers + to, iLoad((const int32_t*)(const void*)frame->layers + row));
            to += TH_WIDTH;
        }
    }
    for (int32_t to = block->first[3]; to % GROUP != 0; ++to) {
        block->x[to] = NOWHERE;
        block->y[to] = 0.0f; // the sum of two such squares would be infinite
        block->layers[to] = 0;
    }
}

// Lays the block round the cells of rows `first` to `last`, which stand in one grid row. False when
// it holds too many candidates, or a crowded cell.
static bool layBlock(const thNearestTask* task, int32_t gridRow, int32_t first, int32_t last,
                     Block* block)
{
    const thGrid* grid = task->grid;
    const thCellMap* map = &grid->maps[th_sizeSmall];
    const int32_t firstColumn = thiCellColumn(map, task->frame->px[first]);
    const int32_t lastColumn = thiCellColumn(map, task->frame->px[last]);
    const int32_t left = TH_MAX(firstColumn - map->aside, 0);
    const int32_t right = TH_MIN(lastColumn + map->aside, map->columns - 1);
    const int32_t cellRow = gridRow % map->rowsPerLevel; // small bodies' grid rows start at 0
    const int32_t below = cellRow > 0 ? gridRow - 1 : gridRow;
    const int32_t above = cellRow < map->rowsPerLevel - 1 ? gridRow + 1 : gridRow;
    block->middle = gridRow - below;
    block->gridRow = gridRow;
    block->first[0] = 0;
    for (int32_t run = 0; run < 3; ++run) {
        block->begin[run] = block->end[run] = 0;
        if (run <= above - below)
            thiGridRun(grid, map, below + run, left, right, &block->begin[run], &block->end[run]);
        block->first[run + 1] = block->first[run] + block->end[run] - block->begin[run];
        const int32_t crowded =
            grid->trees.cells.count > 0 ? thiLowerCrowded(&grid->trees, block->begin[run]) : 0;
        if (crowded < grid->trees.cells.count &&
            TH_ITEMS(grid->trees.cells, thCrowdedCell)[crowded].firstRow < block->end[run])
            return false;
    }
    block->originX = task->frame->px[first];
    block->originY = task->frame->py[first];
    const int64_t far = 1 << 29; // further than anyone is seen
    const int64_t width = map->width, height = map->height;
    const int64_t lowX = left > 0 ? map->minX + left * width - block->originX : -far;
    const int64_t highX =
        right < map->columns - 1 ? map->minX + (right + 1) * width - block->originX : far;
    const int64_t lowY = cellRow > 1 ? map->minY + (cellRow - 1) * height - block->originY : -far;
    const int64_t highY =
        cellRow < map->rowsPerLevel - 2 ? map->minY + (cellRow + 2) * height - block->originY : far;
    block->lowX = (int32_t)TH_MAX(lowX, -far);
    block->highX = (int32_t)TH_MIN(highX, far);
    block->lowY = (int32_t)TH_MAX(lowY, -far);
    block->highY = (int32_t)TH_MIN(highY, far);
    return block->first[3] < TH_BLOCK_CANDIDATES;
}

// Distance² to the border of the block in units, a little less than it is.
static inline thF borderSq(const Block* block, thF x, thF y)
{
    const thF toX = fMin(x - fSet((float)block->lowX), fSet((float)block->highX) - x);
    const thF toY = fMin(y - fSet((float)block->lowY), fSet((float)block->highY) - y);
    const thF distance = fMin(toX, toY);
    return distance * distance * fSet(0.9999f);
}

// The row behind a candidate's number.
static inline thI rowOfNumber(const Block* block, thI number)
{
    const thI offset0 = iSet(block->begin[0]);
    const thI offset1 = iSet(block->begin[1] - block->first[1]);
    const thI offset2 = iSet(block->begin[2] - block->first[2]);
    const thI later = iSelect(iLt(number, iSet(block->first[2])), offset1, offset2);
    return iAdd(number, iSelect(iLt(number, iSet(block->first[1])), offset0, later));
}

// Candidates of one row with their full distances².
#define MOST_FOUND 64
typedef struct Found {
    int32_t rows[MOST_FOUND + TH_WIDTH];
    float distances[MOST_FOUND + TH_WIDTH];
    int32_t count;
} Found;

// Puts the nearest of them, at most task->count, in order into the list of a row. Returns how many.
static int32_t listFound(const thNearestTask* task, int32_t row, Found* found)
{
    const uint64_t* keys = task->frame->key;
    for (int32_t i = 1; i < found->count; ++i) {
        const int32_t candidate = found->rows[i];
        const float distanceSq = found->distances[i];
        int32_t at = i;
        for (; at > 0; --at) {
            const float before = found->distances[at - 1];
            if (before < distanceSq ||
                (before == distanceSq && keys[found->rows[at - 1]] < keys[candidate]))
                break;
            found->rows[at] = found->rows[at - 1];
            found->distances[at] = before;
        }
        found->rows[at] = candidate;
        found->distances[at] = distanceSq;
    }
    const int32_t count = TH_MIN(found->count, task->count);
    for (int32_t i = 0; i < count; ++i)
        task->lists[i * task->stride + row - task->begin] = found->rows[i];
    return count;
}

// One lane by full distances and keys: the order of those kept, and how many are within the radius.
static int32_t settleLane(const thNearestTask* task, int32_t row, int32_t kept)
{
    const thFrame* frame = task->frame;
    Found found;
    found.count = 0;
    for (int32_t i = 0; i < kept; ++i) {
        const int32_t candidate = task->lists[i * task->stride + row - task->begin];
        const float dx = thiMetresBetween(frame->px[row], frame->px[candidate]);
        const float dy = thiMetresBetween(frame->py[row], frame->py[candidate]);
        const float distanceSq = dx * dx + dy * dy;
        if (distanceSq > task->radiusSq[row - task->begin])
            continue;
        found.rows[found.count] = candidate;
        found.distances[found.count] = distanceSq;
        found.count += 1;
    }
    return listFound(task, row, &found);
}

// Those of a run of rows who are noticed and not further away than that. False when they are more
// than there is room for.
static bool findInRun(const thFrame* frame, int32_t row, thF distanceSq, int32_t begin, int32_t end,
                      Found* found)
{
    const thF scale = fSet(TH_METRES_PER_UNIT);
    const thI x = iSet(frame->px[row]), y = iSet(frame->py[row]), self = iSet(row);
    const thI mask = iSet((int32_t)frame->mask[row]), zero = iSet(0);
    for (int32_t first = begin; first < end; first += TH_WIDTH) {
        const thF dx = fFromI(iSub(iLoad(frame->px + first), x)) * scale;
        const thF dy = fFromI(iSub(iLoad(frame->py + first), y)) * scale;
        const thF toSq = dx * dx + dy * dy;
        const thI layers = iLoad((const int32_t*)(const void*)(frame->layers + first));
        const thI candidate = iAdd(iSet(first), iLane());
        const thM unnoticed = mOr(iEq(iAnd(layers, mask), zero), iEq(candidate, self));
        const thM isNear = mAndNot(mAnd(fLe(toSq, distanceSq), mFirst(end - first)), unnoticed);
        if (!mAny(isNear))
            continue;
        if (found->count > MOST_FOUND - TH_WIDTH)
            return false;
        fCompress(found->distances + found->count, isNear, toSq);
        found->count += iCompress(found->rows + found->count, isNear, candidate);
    }
    return true;
}

// Everybody within a distance² in units, of a row that stands in a grid row: how many of the
// nearest are listed, −1 where too many would have to be looked at.
static int32_t lookWider(const thNearestTask* task, int32_t gridRow, int32_t row, float unitsSq)
{
    const thCellMap* map = &task->grid->maps[th_sizeSmall];
    const int64_t x = task->frame->px[row], y = task->frame->py[row];
    const int64_t far = (int64_t)sqrtf(unitsSq) + 2;
    const int32_t left = thiCellColumn(map, (int32_t)TH_MAX(x - far, INT32_MIN));
    const int32_t right = thiCellColumn(map, (int32_t)TH_MIN(x + far, INT32_MAX));
    const int32_t low = thiCellRow(map, (int32_t)TH_MAX(y - far, INT32_MIN));
    const int32_t high = thiCellRow(map, (int32_t)TH_MIN(y + far, INT32_MAX));
    const int32_t base = gridRow - gridRow % map->rowsPerLevel;
    const thF distanceSq = fSet(unitsSq * (TH_METRES_PER_UNIT * TH_METRES_PER_UNIT));
    int32_t room = MOST_LOOKED_AT;
    Found found;
    found.count = 0;
    for (int32_t cellRow = low; cellRow <= high; ++cellRow) {
        int32_t begin, end;
        thiGridRun(task->grid, map, base + cellRow, left, right, &begin, &end);
        room -= end - begin + ROW_COST;
        if (room < 0 || !findInRun(task->frame, row, distanceSq, begin, end, &found))
            return -1;
    }
    return listFound(task, row, &found);
}

// What is kept of a distance² above the number, as a whole number.
static inline thI stepsOf(thF entry)
{
    return iShrLogical(iBits(entry), NUMBER_BITS);
}

// Steps 2 and 3 for rows `first` and on, `lanes` of them.
static inline void settle(const thNearestTask* task, const Block* block, int32_t first,
                          int32_t lanes, thF x, thF y, const thF* keep)
{
    const int32_t count = task->count;
    const int32_t at = first - task->begin;
    const thF radiusSq = fLoad(task->radiusSq + at) * fSet(TH_UNITS * TH_UNITS);
    const thI radiusSteps = stepsOf(radiusSq);
    const thI self = iAdd(iSet(first), iLane());
    const thI one = iSet(1);
    thI found = iSet(0), before = iSet(-2), real = iSet(0);
    thM close = iLt(one, iSet(0)); // none yet
    for (int32_t k = 0; k < count; ++k) {
        const thI steps = stepsOf(keep[k]);
        const thM isReal = fLt(keep[k], nobody());
        // Order, or being within the radius, may hang on what was replaced.
        const thM nearBefore = iLt(iSub(steps, before), iSet(2));
        const thM nearRadius = iLt(iSub(steps, radiusSteps), iSet(2));
        const thM inside = iLt(steps, radiusSteps);
        const thM doubtful = mAndNot(mAnd(nearRadius, isReal), iLt(steps, iSub(radiusSteps, one)));
        close = mOr(close, mOr(mAnd(nearBefore, mAnd(isReal, inside)), doubtful));
        found = iAdd(found, iSelect(mAnd(isReal, inside), one, iSet(0)));
        real = iAdd(real, iSelect(isReal, one, iSet(0)));
        before = steps;
        const thI row = rowOfNumber(block, iAnd(iBits(keep[k]), iSet(NUMBER_MASK)));
        iStore(task->lists + k * task->stride + at, iSelect(isReal, row, self));
    }
    // Sure: nobody else can be nearer than the last wanted, neither in the block nor outside.
    const thF last = keep[count];
    const thM complete =
        mOr(mNot(fLt(last, nobody())), iLt(iAdd(stepsOf(keep[count - 1]), one), stepsOf(last)));
    const thF border = borderSq(block, x, y);
    const thF furthest = fMin(fBits(iOr(iBits(keep[count - 1]), iSet(NUMBER_MASK))), radiusSq);
    const thF limit = fSet((float)LANE_LIMIT);
    const thM exact = mAnd(fLe(fAbs(x), limit), fLe(fAbs(y), limit));
    const thM sure = mAnd(exact, mAnd(complete, fLe(furthest, border)));
    iStore(task->counts + at, iSelect(sure, found, iSet(-1)));
    const uint32_t here = lanes < 32 ? (1u << lanes) - 1 : UINT32_MAX;
    for (uint32_t bits = mBits(mAnd(sure, close)) & here; bits != 0; bits &= bits - 1) {
        const int32_t lane = __builtin_ctz(bits);
        int32_t kept[TH_WIDTH];
        iStore(kept, real);
        task->counts[at + lane] = settleLane(task, first + lane, kept[lane]);
    }
    for (uint32_t bits = mBits(mAndNot(exact, sure)) & here; bits != 0; bits &= bits - 1) {
        const int32_t lane = __builtin_ctz(bits);
        float boundSq[TH_WIDTH];
        fStore(boundSq, furthest);
        task->counts[at + lane] = lookWider(task, block->gridRow, first + lane, boundSq[lane]);
    }
}

// All steps with so many kept in registers. The lanes themselves are looked for only in groups that
// have candidates of their own row of cells.
#define SEARCH(KEEP)                                                                               \
    static void search##KEEP(const thNearestTask* task, const Block* block, int32_t first,         \
                             int32_t lanes)                                                        \
    {                                                                                              \
        const thFrame* frame = task->frame;                                                        \
        const thF x = fFromI(iSub(iLoad(frame->px + first), iSet(block->originX)));                \
        const thF y = fFromI(iSub(iLoad(frame->py + first), iSet(block->originY)));                \
        const int32_t selfFirst = first - block->begin[block->middle];                             \
        const thI self = iAdd(iSet(selfFirst + block->first[block->middle]), iLane());             \
        const thI mask = iLoad((const int32_t*)(const void*)(frame->mask + first));                \
        const int32_t end = (block->first[3] + GROUP - 1) / GROUP * GROUP;                         \
        const int32_t selfBegin = block->first[block->middle] / GROUP * GROUP;                     \
        const int32_t selfEnd = (block->first[block->middle + 1] + GROUP - 1) / GROUP * GROUP;     \
        thF keep[KEEP];                                                                            \
        for (int32_t k = 0; k < KEEP; ++k)                                                         \
            keep[k] = nobody();                                                                    \
        if (!task->grid->plainLayers) {                                                            \
            scan##KEEP(block, true, true, 0, end, x, y, self, mask, keep);                         \
        } else {                                                                                   \
            scan##KEEP(block, false, false, 0, selfBegin, x, y, self, mask, keep);                 \
            scan##KEEP(block, true, false, selfBegin, selfEnd, x, y, self, mask, keep);            \
            scan##KEEP(block, false, false, selfEnd, end, x, y, self, mask, keep);                 \
        }                                                                                          \
        settle(task, block, first, lanes, x, y, keep);                                             \
    }

SEARCH(6)
SEARCH(11)
SEARCH(17)

void TH_WIDE(thiNearestRows)(const thNearestTask* task)
{
    const thGrid* grid = task->grid;
    const thCellMap* map = &grid->maps[th_sizeSmall];
    const int32_t* starts = TH_ITEMS(grid->bucketStart, int32_t);
    const int64_t widest = LANE_LIMIT;
    int32_t gridRow = thiGridRowOf(grid, task->begin);
    Block block;
    for (int32_t first = task->begin; first < task->end;) {
        while (starts[gridRow + 1] <= first)
            gridRow += 1;
        int32_t end = TH_MIN(TH_MIN(first + TH_WIDTH, task->end), starts[gridRow + 1]);
        // Rows far from the first would not be exact: leave them to the next round.
        while (end - first > 1 &&
               (int64_t)task->frame->px[end - 1] - task->frame->px[first] > widest - map->width)
            end -= 1;
        if (layBlock(task, gridRow, first, end - 1, &block)) {
            loadCandidates(&block, task->frame, grid->plainLayers);
            if (task->count <= 5)
                search6(task, &block, first, end - first);
            else if (task->count <= 10)
                search11(task, &block, first, end - first);
            else
                search17(task, &block, first, end - first);
        } else {
            for (int32_t row = first; row < end; ++row)
                task->counts[row - task->begin] = -1;
        }
        first = end;
    }
}
