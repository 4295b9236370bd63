// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Each agent looks for those that are not larger than itself, within twice its radius, so that one
// lorry does not widen everybody's search. The cells to look into are the world's: after a step
// nobody is further from where it was sorted than `drift`. Where that is much, or agents came
// since, the rows are sorted anew. Pairs in which somebody has a shape are found by that agent.

#include "measure/collisions.h"

#include "geom/fixed.h"
#include "measure/shape_pairs.h"

#include <math.h>
#include <string.h>

#define SEARCH_GRAIN 1024             // rows
#define BLOCK 8                       // rows; no more than the padding behind the last one
#define LONG_DRIFT (INT64_C(1) << 16) // units: from here on it is cheaper to sort
#define ROUNDING 1.00001f             // more than floats lose in a distance

// What one worker finds.
typedef struct Worker {
    _Alignas(TH_ALIGNMENT) int64_t pairs;
    double maxDepth;
    thArray fresh; // uint64_t: pairs that are not in `seen`
    bool outOfMemory;
} Worker;

typedef struct Search {
    thCollisions* collisions;
    const thRows* rows; // some may be dead
    const thGrid* grid;
    int32_t drift;  // units: so far may a row be from where it was sorted
    int32_t wanted; // new pairs that are worth listing
    bool hasShapes;
    thShapePairs shapes; // if it has
} Search;

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

static void listPair(const Search* search, Worker* worker, uint64_t pair)
{
    if (worker->fresh.count >= search->wanted || thiPairSetHas(&search->collisions->seen, pair))
        return;
    uint64_t* listed = thiArrayAdd(&worker->fresh, 1);
    if (listed == NULL)
        worker->outOfMemory = true;
    else
        *listed = pair;
}

static bool takeNotice(const thRows* rows, int32_t a, int32_t b)
{
    return ((rows->mask[a] & rows->layers[b]) | (rows->mask[b] & rows->layers[a])) != 0;
}

static void takePair(const Search* search, Worker* worker, int32_t self, int32_t other,
                     double depth)
{
    worker->maxDepth = TH_MAX(worker->maxDepth, depth);
    if (depth > TH_COUNTED_DEPTH) {
        worker->pairs += 1;
        listPair(search, worker, thiPairHash(search->rows->key[self], search->rows->key[other]));
    }
}

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
    const bool isOfShapes = search->hasShapes && thiHasShape(&search->shapes, other);
    if (!isOfShapes)
        takePair(search, worker, self, other, 1.0 - sqrt(squared) / radii);
}

// Differences may wrap: to more than 5 km, which is not near.
static float wayBetween(int32_t from, int32_t to)
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
            const float dx = wayBetween(x, px[i]), dy = wayBetween(y, py[i]);
            const float reach = (radius + radii[i]) * (TH_UNITS * ROUNDING);
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

// A search on behalf of one worker.
typedef struct ShapeVisit {
    const Search* search;
    Worker* worker;
} ShapeVisit;

static void takeShapePair(void* context, int32_t self, int32_t other, double depth)
{
    const ShapeVisit* visit = context;
    takePair(visit->search, visit->worker, self, other, depth);
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

static void searchRange(void* context, int32_t begin, int32_t end, int32_t workerIndex)
{
    const Search* search = context;
    Worker* worker = &TH_ITEMS(search->collisions->workers, Worker)[workerIndex];
    ShapeVisit visit = {search, worker};
    for (int32_t row = begin; row < end; ++row) {
        if (search->rows->flags[row] == 0)
            continue;
        if (search->hasShapes && thiHasShape(&search->shapes, row))
            thiVisitShapePairs(&search->shapes, row, takeShapePair, &visit);
        else
            lookAroundDisc(search, worker, row);
    }
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

static thResult beginSearch(thCollisions* collisions, const thWorld* world, Search* search)
{
    const thRows* rows = thiRows(world);
    *search = (Search){.collisions = collisions, .wanted = thiPairSetWants(&collisions->seen)};
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
    search->hasShapes = world->profiles.shapedCount > 0;
    if (search->hasShapes)
        search->shapes = thiShapePairs(world, search->rows, search->grid, search->drift);
    return th_resultOk;
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
    const int32_t wanted = thiPairSetWants(&collisions->seen);
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
