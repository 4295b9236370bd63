// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The pairs of agents that overlap: each looks for those that are not larger than itself.
//
// It looks within twice its radius, so that one lorry does not widen everybody's search. The cells
// to look into are the world's: after a step nobody is further from where it was sorted than
// `drift`. Where that is much, or agents came since, the rows are sorted anew. Pairs in which
// somebody has a shape are found by that agent.

#include "measure/collisions.h"

#include "base/hash.h"
#include "geom/fixed.h"
#include "sim/step/turning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEARCH_GRAIN 1024             // rows
#define BLOCK 8                       // rows; no more than the padding behind the last one
#define LONG_DRIFT (INT64_C(1) << 16) // units: from here on it is cheaper to sort
#define GROUP 16                      // rows that are looked at together
#define LARGE_GROUP 1024 // rows about a group: from here on each is looked at by itself

static thFindCollidingFcn* const findColliding[th_simdCount] = TH_KERNEL_TABLE(thiFindColliding);

// --- Sets of pairs ---------------------------------------------------------------------------

thPairSet thiPairSet(thMemory* memory, int32_t limit)
{
    return (thPairSet){
        .pairs = thiArray(memory, sizeof(uint64_t)), .map = thiKeyMap(memory), .limit = limit};
}

void thiPairSetFree(thPairSet* set)
{
    thiArrayFree(&set->pairs);
    thiKeyMapFree(&set->map);
}

// The same for (a, b) and (b, a).
static uint64_t hashPair(uint64_t keyA, uint64_t keyB)
{
    return thiHashWord(thiHashWord(0, TH_MIN(keyA, keyB)), TH_MAX(keyA, keyB));
}

static uint64_t pairAt(const void* set, int32_t index)
{
    return TH_ITEMS(((const thPairSet*)set)->pairs, uint64_t)[index];
}

static bool hasPair(const thPairSet* set, uint64_t pair)
{
    return thiKeyMapFind(&set->map, pair, pairAt, set) >= 0;
}

int32_t thiPairSetCount(const thPairSet* set)
{
    return set->exceeded ? set->limit : set->pairs.count;
}

// How many new pairs are worth finding: one more than there is room for, 0 when the limit has been
// exceeded.
static int32_t wantedPairs(const thPairSet* set)
{
    return set->exceeded ? 0 : set->limit - set->pairs.count + 1;
}

thResult thiPairSetReserve(thPairSet* set, int64_t more)
{
    if (more == 0 || more >= wantedPairs(set))
        return th_resultOk; // nothing to add, or the set is given up
    const int32_t count = set->pairs.count + (int32_t)more;
    // Growing by half keeps the cost of adding in proportion to the number of pairs.
    if (count > set->pairs.capacity)
        TH_TRY(thiArrayReserve(&set->pairs, TH_MIN(count + count / 2 + 16, set->limit)));
    return thiKeyMapReserve(&set->map, count, pairAt, set);
}

static int ascending(const void* left, const void* right)
{
    const uint64_t a = *(const uint64_t*)left, b = *(const uint64_t*)right;
    return (a > b) - (a < b);
}

void thiPairSetAdd(thPairSet* set, uint64_t* pairs, int32_t count)
{
    if (count == 0)
        return;
    if (count >= wantedPairs(set)) {
        thiPairSetFree(set);
        set->exceeded = true;
        return;
    }
    qsort(pairs, (size_t)count, sizeof *pairs, ascending);
    const int32_t first = set->pairs.count;
    memcpy(thiArrayAdd(&set->pairs, count), pairs, (size_t)count * sizeof *pairs);
    for (int32_t i = 0; i < count; ++i)
        thiKeyMapAdd(&set->map, pairs[i], first + i);
}

// --- The search ------------------------------------------------------------------------------

// What one worker finds.
typedef struct Worker {
    _Alignas(TH_ALIGNMENT) int64_t pairs;
    double maxDepth;
    thArray fresh; // uint64_t: pairs that are not in `seen`
    bool outOfMemory;
} Worker;

typedef struct Search {
    thCollisions* collisions;
    const thWorld* world;
    const thRows* rows; // some may be dead
    const thGrid* grid;
    int32_t drift;  // units: so far may a row be from where it was sorted
    int32_t wanted; // new pairs that are worth listing
    thFindCollidingFcn* findColliding;
    bool isUniform; // all radii are equal: everybody looks at rows behind its own
    bool hasShapes;
    float longest; // if it has: how far the largest body reaches from its position [m]
} Search;

static bool takeNotice(const thRows* rows, int32_t a, int32_t b)
{
    return ((rows->mask[a] & rows->layers[b]) | (rows->mask[b] & rows->layers[a])) != 0;
}

static void listPair(const Search* search, Worker* worker, uint64_t pair)
{
    if (worker->fresh.count >= search->wanted || hasPair(&search->collisions->seen, pair))
        return;
    uint64_t* listed = thiArrayAdd(&worker->fresh, 1);
    if (listed == NULL)
        worker->outOfMemory = true;
    else
        *listed = pair;
}

// The depth is a share of the sum of radii.
static void takePair(const Search* search, Worker* worker, int32_t self, int32_t other,
                     double depth)
{
    worker->maxDepth = TH_MAX(worker->maxDepth, depth);
    if (depth > TH_COUNTED_DEPTH) {
        worker->pairs += 1;
        listPair(search, worker, hashPair(search->rows->key[self], search->rows->key[other]));
    }
}

// --- Agents with a shape: polygons with polygons and with discs ------------------------------

// One agent's search.
typedef struct Visit {
    const Search* search;
    Worker* worker;
    int32_t self;
} Visit;

static bool hasShape(const Search* search, int32_t row)
{
    return search->hasShapes &&
           thiProfiles(search->world)[search->rows->profile[row]].shape.count > 0;
}

// How deep a pair is. [m; not above 0: it does not overlap]
static double depthOf(const Search* search, int32_t a, int32_t b)
{
    const thRows* rows = search->rows;
    const thVec2 offset = {thiMetresBetween(rows->px[a], rows->px[b]),
                           thiMetresBetween(rows->py[a], rows->py[b])};
    const float reach = thiBodyReach(search->world, rows, a) + thiBodyReach(search->world, rows, b);
    if (thiDot(offset, offset) >= reach * reach)
        return 0.0;
    const thConvexBody own = thiBodyAt(search->world, rows, a);
    const thConvexBody other = thiBodyAt(search->world, rows, b);
    const thConvexBody sum = thiConvexSum(&own, &other, offset);
    return -(double)thiClearanceOf(&sum, offset).distance;
}

// Each pair is looked at from one of its two sides only.
static void lookAtShapes(const Visit* visit, int32_t other)
{
    const Search* search = visit->search;
    const thRows* rows = search->rows;
    const int32_t self = visit->self;
    const bool isOurs =
        other != self && (!hasShape(search, other) || rows->key[other] > rows->key[self]);
    if (!isOurs || rows->flags[other] == 0 || rows->level[self] != rows->level[other] ||
        !takeNotice(rows, self, other))
        return;
    const double depth = depthOf(search, self, other);
    const double radii = (double)rows->radius[self] + (double)rows->radius[other];
    if (depth > 0.0)
        takePair(search, visit->worker, self, other, depth < radii ? depth / radii : 1.0);
}

static void lookAtShapeRows(void* context, int32_t begin, int32_t end)
{
    for (int32_t row = begin; row < end; ++row)
        lookAtShapes(context, row);
}

static void lookAroundShape(const Search* search, Worker* worker, int32_t self)
{
    const thRows* rows = search->rows;
    Visit visit = {search, worker, self};
    const float reach = thiBodyReach(search->world, rows, self) + search->longest;
    const int32_t by = (int32_t)(reach * TH_UNITS) + 1 + search->drift;
    const int32_t x = rows->px[self], y = rows->py[self];
    thiGridVisit(search->grid, rows->level[self], x - by, y - by, x + by, y + by, lookAtShapeRows,
                 &visit);
}

// --- Discs -----------------------------------------------------------------------------------

// Of a pair that is near: whether it is this one's to look at, and how deep it is. Rows stand in
// any order, but the depth of a pair is the same from both sides.
static void lookAtPair(const Search* search, Worker* worker, int32_t self, int32_t other)
{
    const thRows* rows = search->rows;
    const float radius = rows->radius[self], otherRadius = rows->radius[other];
    const bool isOurs = otherRadius < radius || (otherRadius == radius && other > self);
    if (!isOurs || rows->flags[other] == 0 || !takeNotice(rows, self, other))
        return;
    const double dx = (double)rows->px[other] - rows->px[self];
    const double dy = (double)rows->py[other] - rows->py[self];
    const double radii = ((double)radius + (double)otherRadius) * THRONG_UNITS_PER_METRE;
    const double squared = dx * dx + dy * dy; // below 400 m: exact
    if (squared >= radii * radii)
        return;
    if (!hasShape(search, other))
        takePair(search, worker, self, other, 1.0 - sqrt(squared) / radii);
}

// Differences may wrap: to more than 5 km, which is not near.
static float unitsBetween(int32_t from, int32_t to)
{
    return (float)(int32_t)((uint32_t)to - (uint32_t)from);
}

// How many rows of a run are as near to an agent as their radii, itself included; not less than
// there are. Whole blocks are looked at, which compilers do in vectors: behind the last rows there
// are inert ones.
static int32_t countNear(const thRows* rows, int32_t self, int32_t begin, int32_t end)
{
    const int32_t x = rows->px[self], y = rows->py[self];
    const float radius = rows->radius[self];
    int32_t count = 0;
    for (int32_t block = begin; block < end; block += BLOCK) {
        const int32_t* px = rows->px + block;
        const int32_t* py = rows->py + block;
        const float* radii = rows->radius + block;
        for (int32_t i = 0; i < BLOCK; ++i) {
            const float dx = unitsBetween(x, px[i]), dy = unitsBetween(y, py[i]);
            const float reach = (radius + radii[i]) * (TH_UNITS * TH_COLLIDING_MARGIN);
            count += dx * dx + dy * dy < reach * reach;
        }
    }
    return count;
}

static void lookAtRun(const Search* search, Worker* worker, int32_t self, int32_t begin,
                      int32_t end)
{
    const bool hasSelf = begin <= self && self < end;
    if (countNear(search->rows, self, begin, end) <= hasSelf)
        return;
    for (int32_t other = begin; other < end; ++other)
        lookAtPair(search, worker, self, other);
}

static void lookAround(const Search* search, Worker* worker, int32_t self, const thCellMap* map)
{
    const thRows* rows = search->rows;
    const thGrid* grid = search->grid;
    const int32_t x = rows->px[self], y = rows->py[self];
    const int32_t reach = (int32_t)(2.0f * rows->radius[self] * TH_UNITS) + 1 + search->drift;
    const int32_t firstGridRow =
        map->firstGridRow + thiLevelIndex(grid, rows->level[self]) * map->rowsPerLevel;
    const int32_t left = thiCellColumn(map, x - reach), right = thiCellColumn(map, x + reach);
    const int32_t top = thiCellRow(map, y + reach);
    for (int32_t cellRow = thiCellRow(map, y - reach); cellRow <= top; ++cellRow) {
        int32_t begin, end;
        thiGridRun(grid, map, firstGridRow + cellRow, left, right, &begin, &end);
        lookAtRun(search, worker, self, begin, end);
    }
}

static void lookAroundDisc(const Search* search, Worker* worker, int32_t self)
{
    const thCellMap* maps = search->grid->maps;
    if (search->rows->radius[self] == 0.0f)
        return;
    if (maps[th_sizeSmall].agentCount > 0)
        lookAround(search, worker, self, &maps[th_sizeSmall]);
    if (search->rows->radius[self] > TH_LARGE_RADIUS)
        lookAround(search, worker, self, &maps[th_sizeLarge]);
}

// --- All agents ------------------------------------------------------------------------------

thResult thiCollisionsInit(thCollisions* collisions, thMemory* memory, int32_t workerCount,
                           int32_t maxPairs)
{
    *collisions = (thCollisions){.memory = memory,
                                 .workers = thiArray(memory, sizeof(Worker)),
                                 .seen = thiPairSet(memory, maxPairs)};
    TH_TRY(thiGridInit(&collisions->grid, memory, workerCount));
    Worker* workers = thiArrayAdd(&collisions->workers, workerCount);
    if (workers == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < workerCount; ++i)
        workers[i] = (Worker){.fresh = thiArray(memory, sizeof(uint64_t))};
    return th_resultOk;
}

void thiCollisionsFree(thCollisions* collisions)
{
    for (int32_t i = 0; i < collisions->workers.count; ++i)
        thiArrayFree(&TH_ITEMS(collisions->workers, Worker)[i].fresh);
    thiArrayFree(&collisions->workers);
    thiGridFree(&collisions->grid);
    thiRowsFree(&collisions->rows, collisions->memory);
    thiPairSetFree(&collisions->seen);
}

// Rows in cells: our own copy of the world's.
static thResult sortRows(thCollisions* collisions, const thWorld* world)
{
    const thRows* rows = thiRows(world);
    if (rows->count > collisions->rows.capacity) {
        const int32_t ample = rows->count + rows->count / 4;
        TH_TRY(thiGridReserve(&collisions->grid, ample));
        TH_TRY(thiRowsReserve(&collisions->rows, collisions->memory, ample));
    }
    TH_TRY(thiGridSort(&collisions->grid, rows, &collisions->rows, world->simd, world->tasks));
    thiRowsPad(&collisions->rows);
    return th_resultOk;
}

// Radii may have changed since the grid was sorted.
static bool isUniform(const thRows* rows)
{
    int32_t row = 1;
    while (row < rows->count && rows->radius[row] == rows->radius[0])
        ++row;
    return row >= rows->count;
}

static thResult beginSearch(thCollisions* collisions, const thWorld* world, Search* search)
{
    const thRows* rows = thiRows(world);
    *search = (Search){.collisions = collisions,
                       .world = world,
                       .wanted = wantedPairs(&collisions->seen),
                       .findColliding = findColliding[world->simd]};
    if (world->agents.drift <= LONG_DRIFT &&
        thiGridSortedCount(&world->agents.grid) == rows->count) {
        search->rows = rows;
        search->grid = &world->agents.grid;
        search->drift = (int32_t)world->agents.drift;
    } else {
        TH_TRY(sortRows(collisions, world));
        search->rows = &collisions->rows;
        search->grid = &collisions->grid;
    }
    search->isUniform = isUniform(search->rows);
    search->hasShapes = world->profiles.shapedCount > 0;
    if (search->hasShapes)
        search->longest = TH_MAX(thiLongestShape(world), search->grid->maxRadius);
    return th_resultOk;
}

static void searchRow(const Search* search, Worker* worker, int32_t row)
{
    if (search->rows->flags[row] == 0)
        return;
    if (hasShape(search, row))
        lookAroundShape(search, worker, row);
    else
        lookAroundDisc(search, worker, row);
}

// Where rows are, and how large.
static thRowSummary summarize(const thRows* rows, int32_t begin, int32_t end)
{
    thRowSummary all = {.lowX = rows->px[begin],
                        .lowY = rows->py[begin],
                        .highX = rows->px[begin],
                        .highY = rows->py[begin]};
    for (int32_t row = begin; row < end; ++row) {
        all.lowX = TH_MIN(all.lowX, rows->px[row]);
        all.lowY = TH_MIN(all.lowY, rows->py[row]);
        all.highX = TH_MAX(all.highX, rows->px[row]);
        all.highY = TH_MAX(all.highY, rows->py[row]);
        all.maxRadius = TH_MAX(all.maxRadius, rows->radius[row]);
    }
    return all;
}

// Which of some small discs that stand side by side in a grid row have to be looked at, as bits:
// few overlap anybody.
static uint32_t findSome(const Search* search, int32_t begin, int32_t end, int32_t gridRow)
{
    const thGrid* grid = search->grid;
    const thCellMap* map = &grid->maps[th_sizeSmall];
    const thRowSummary all = summarize(search->rows, begin, end);
    const int32_t reach = (int32_t)(2.0f * all.maxRadius * TH_UNITS) + 1 + search->drift;
    const int32_t left = thiCellColumn(map, all.lowX - reach);
    const int32_t right = thiCellColumn(map, all.highX + reach);
    const int32_t level = (gridRow - map->firstGridRow) / map->rowsPerLevel;
    const int32_t firstGridRow = map->firstGridRow + level * map->rowsPerLevel;
    const int32_t top = thiCellRow(map, all.highY + reach);
    thCollidingTask task = {.rows = search->rows, .first = begin, .count = end - begin};
    uint32_t bits = 0;
    int32_t looked = 0;
    int32_t row = thiCellRow(map, all.lowY - reach);
    if (search->isUniform)
        row = TH_MAX(row, gridRow - firstGridRow);
    for (; row <= top; ++row) {
        thiGridRun(grid, map, firstGridRow + row, left, right, &task.begin, &task.end);
        task.begin = search->isUniform ? TH_MAX(task.begin, begin + 1) : task.begin;
        looked += task.end - task.begin;
        if (looked > LARGE_GROUP || all.maxRadius > TH_LARGE_RADIUS)
            return UINT32_MAX;
        bits |= search->findColliding(&task);
    }
    return bits;
}

static void searchGroup(const Search* search, Worker* worker, int32_t begin, int32_t end,
                        int32_t gridRow)
{
    const uint32_t bits = findSome(search, begin, end, gridRow);
    for (int32_t row = begin; row < end; ++row)
        if ((bits >> (row - begin) & 1) != 0)
            searchRow(search, worker, row);
}

static void searchRange(void* context, int32_t begin, int32_t end, int32_t workerIndex)
{
    const Search* search = context;
    Worker* worker = &TH_ITEMS(search->collisions->workers, Worker)[workerIndex];
    const int32_t* starts = search->grid->bucketStart.data;
    const int32_t smallEnd = search->hasShapes ? begin : TH_MIN(end, search->grid->smallCount);
    int32_t row = begin;
    int32_t gridRow = row < smallEnd ? thiGridRowOf(search->grid, row) : 0;
    while (row < smallEnd) {
        while (starts[gridRow + 1] <= row)
            gridRow += 1;
        const int32_t groupEnd = TH_MIN(TH_MIN(row + GROUP, starts[gridRow + 1]), smallEnd);
        searchGroup(search, worker, row, groupEnd, gridRow);
        row = groupEnd;
    }
    for (; row < end; ++row)
        searchRow(search, worker, row);
}

static void resetWorkers(thCollisions* collisions)
{
    for (int32_t i = 0; i < collisions->workers.count; ++i) {
        Worker* worker = &TH_ITEMS(collisions->workers, Worker)[i];
        worker->pairs = 0;
        worker->maxDepth = 0.0;
        worker->fresh.count = 0;
        worker->outOfMemory = false;
    }
}

// The workers' new pairs together, in the list of the first one.
static thResult gatherFresh(thCollisions* collisions, int64_t count)
{
    Worker* workers = TH_ITEMS(collisions->workers, Worker);
    const int32_t wanted = wantedPairs(&collisions->seen);
    collisions->freshCount = (int32_t)TH_MIN(count, (int64_t)wanted);
    if (collisions->freshCount == wanted)
        return th_resultOk; // too many: nobody will ask which
    TH_TRY(thiPairSetReserve(&collisions->seen, collisions->freshCount));
    TH_TRY(thiArrayReserve(&workers[0].fresh, collisions->freshCount));
    for (int32_t i = 1; i < collisions->workers.count; ++i) {
        const thArray* part = &workers[i].fresh;
        if (part->count > 0)
            memcpy(thiArrayAdd(&workers[0].fresh, part->count), part->data,
                   (size_t)part->count * sizeof(uint64_t));
    }
    return th_resultOk;
}

thResult thiFindCollisions(thCollisions* collisions, const thWorld* world)
{
    Search search;
    TH_TRY(beginSearch(collisions, world, &search));
    resetWorkers(collisions);
    thTasks_ParallelFor(world->tasks, search.rows->count, SEARCH_GRAIN, searchRange, &search);
    collisions->pairs = 0;
    collisions->maxDepth = 0.0;
    int64_t freshCount = 0;
    for (int32_t i = 0; i < collisions->workers.count; ++i) {
        const Worker* worker = &TH_ITEMS(collisions->workers, Worker)[i];
        if (worker->outOfMemory)
            return th_resultNoMemory;
        collisions->pairs += worker->pairs;
        collisions->maxDepth = TH_MAX(collisions->maxDepth, worker->maxDepth);
        freshCount += worker->fresh.count;
    }
    return gatherFresh(collisions, freshCount);
}

void thiKeepCollisions(thCollisions* collisions)
{
    thiPairSetAdd(&collisions->seen,
                  TH_ITEMS(TH_ITEMS(collisions->workers, Worker)[0].fresh, uint64_t),
                  collisions->freshCount);
}
