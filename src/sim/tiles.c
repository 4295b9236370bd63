// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "sim/tiles.h"

#include "base/hash.h"
#include "base/timer.h"
#include "sim/held_guides.h"
#include "sim/ranges.h"

#include <string.h>

// Walls this near beyond the reach of a step count as in reach: twice the depth to which motion may
// be wrong. [m]
#define WALL_SLOP 0x1p-12f

// So many tiles each worker should get, if there are enough agents.
#define TILES_OF_A_WORKER 4

typedef struct Tiles {
    thWorld* world;
    const thFrame* frame;
    const thTileTrace* trace;
    const thTileWatch* watch; // NULL: nobody
    float stepDt;             // of the step whose rest the frame is; 0: the frame is all of it
    int32_t sightCount;       // the most that a profile has
    thSense senses[th_methodKindCount]; // by number of a profile's sight
} Tiles;

// The time since the last call goes to a stage.
static void lap(thWorker* worker, thStage stage, int64_t* clock)
{
    const int64_t now = thiNow();
    worker->stageTime[stage] += now - *clock;
    *clock = now;
}

// Pointers to each lane's own bytes of one method. Lanes past the end share bytes nobody reads.
static bool fillStates(const Tiles* tiles, thBatch* batch, const thProfile* profile,
                       thMethodKind kind)
{
    const thMethodInUse* use = &profile->methods[kind];
    batch->state = NULL;
    if (use->method->stateSize == 0)
        return true;
    void** states = thiArenaAllocate(batch->scratch, (size_t)batch->lanes * sizeof(void*));
    void* unused = thiArenaAllocate(batch->scratch, use->method->stateSize);
    if (states == NULL || unused == NULL)
        return false;
    memset(unused, 0, use->method->stateSize);
    const thRows* rows = thiRows(tiles->world);
    for (int32_t lane = 0; lane < batch->lanes; ++lane)
        states[lane] = lane < batch->count
                           ? (char*)profile->states.data +
                                 (size_t)rows->stateIndex[batch->row[lane]] * profile->stateSize +
                                 use->stateStart
                           : unused;
    batch->state = states;
    return true;
}

static uint64_t hashSenses(const thBatch* batch, int32_t lane)
{
    const thFrame* frame = batch->frame;
    uint64_t hash = thiHashWord(0, (uint64_t)batch->neighborCount[lane]);
    for (int32_t k = 0; k < batch->neighborCount[lane]; ++k) {
        const int32_t at = k * batch->lanes + lane;
        hash = thiHashWord(hash, frame->key[batch->nrow[at]]);
        hash = thiHashWord(hash, thiFloatBits(batch->nx[at]) | (uint64_t)thiFloatBits(batch->ny[at])
                                                                   << 32);
        hash = thiHashWord(hash, thiFloatBits(batch->nvx[at]) |
                                     (uint64_t)thiFloatBits(batch->nvy[at]) << 32);
        hash = thiHashWord(hash, thiFloatBits(batch->nradius[at]) |
                                     (uint64_t)thiFloatBits(batch->nshare[at]) << 32);
    }
    for (int32_t k = 0; k < batch->wallCount[lane]; ++k)
        hash = thiHashWord(hash, (uint64_t)batch->wall[k * batch->lanes + lane]);
    for (int32_t k = 0; k < batch->moverCount[lane]; ++k)
        hash = thiHashWord(hash, (uint64_t)batch->mover[k * batch->lanes + lane]);
    return hash;
}

static void traceBatch(const thTileTrace* trace, const thBatch* batch)
{
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        const int32_t row = batch->row[lane];
        trace->sense[row] = hashSenses(batch, lane);
        trace->guideX[row] = batch->guideX[lane];
        trace->guideY[row] = batch->guideY[lane];
        trace->remaining[row] = batch->remaining[lane];
    }
}

// Who was held back lately presses less, so that crowds which cannot be separated in time dissolve.
static void relieve(const Tiles* tiles, const thBatch* batch)
{
    const uint16_t* pressures = thiRows(tiles->world)->pressure;
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        const uint16_t pressure = pressures[batch->row[lane]];
        if (pressure == 0)
            continue;
        const float factor = thiContactRelief(pressure);
        batch->guideX[lane] *= factor;
        batch->guideY[lane] *= factor;
    }
}

// Methods may be anybody's, and their state may come from a damaged snapshot: velocities are looked
// at.
static void takeResults(thWorld* world, const thBatch* batch)
{
    const int32_t* restrict rows = batch->row;
    const float* restrict vx = batch->outVx, * restrict vy = batch->outVy;
    float* restrict outVx = world->output.vx, * restrict outVy = world->output.vy;
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        const bool possible = thiIsVelocity((thVec2){vx[lane], vy[lane]});
        outVx[rows[lane]] = possible ? vx[lane] : 0.0f;
        outVy[rows[lane]] = possible ? vy[lane] : 0.0f;
    }
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        world->output.remaining[rows[lane]] = batch->remaining[lane];
        world->output.status[rows[lane]] = batch->status[lane];
        world->output.answer[rows[lane]] = batch->answer[lane];
    }
}

// What comes between guidance and avoidance. False when memory is out.
static bool finishGuides(const Tiles* tiles, thWorker* worker, const thProfile* profile,
                         thBatch* batch)
{
    thWorld* world = tiles->world;
    if (tiles->stepDt > 0.0f) {
        if (world->hasContacts)
            thiOverlookShufflers(&world->jams, batch);
        return thiRecallGuides(world, batch, tiles->stepDt);
    }
    if (world->hasContacts) {
        thiUnjam(&world->jams, &profile->def, batch, world->simd, &worker->jams);
        relieve(tiles, batch);
    } else {
        thiKeepSide(&profile->def, batch);
    }
    if (thiHoldsGuides(world))
        thiHoldGuides(world, batch);
    return true;
}

// A batch as each sight of its profile sees it: all but what is seen is the same.
static bool senseBatch(const Tiles* tiles, thWorker* worker, const thTileSense* senses,
                       const int32_t* rows, int32_t count, thBatch* batches)
{
    const thProfile* profile = &thiProfiles(tiles->world)[tiles->frame->profile[rows[0]]];
    const int32_t sights = tiles->stepDt > 0.0f ? 1 : profile->sightCount;
    for (int32_t s = 0; s < sights; ++s)
        if (!thiSenseBatch(&tiles->senses[s], &senses[s], rows, count, &worker->scratch,
                           s > 0 ? &batches[0] : NULL, &batches[s]))
            return false;
    return true;
}

static bool runBatch(const Tiles* tiles, thWorker* worker, const thTileSense* senses,
                     const int32_t* rows, int32_t count, int64_t* clock)
{
    static const thStage stages[th_methodKindCount] = {th_stagePlan, th_stageGroup, th_stageAvoid};
    thWorld* world = tiles->world;
    const thProfile* profile = &thiProfiles(world)[tiles->frame->profile[rows[0]]];
    thBatch batches[th_methodKindCount];
    if (!senseBatch(tiles, worker, senses, rows, count, batches))
        return false;
    lap(worker, th_stageSense, clock);
    const int32_t first = tiles->stepDt > 0.0f ? th_methodAvoid : th_methodPlan;
    for (int32_t kind = first; kind < th_methodKindCount; ++kind) {
        const thMethodInUse* use = &profile->methods[kind];
        thBatch* batch = &batches[profile->sightOf[kind]];
        batch->interval = &worker->interval;
        if (kind == th_methodAvoid && !finishGuides(tiles, worker, profile, batch))
            return false;
        if (!fillStates(tiles, batch, profile, (thMethodKind)kind))
            return false;
        use->method->solve(batch, use->params, use->shared);
        if (tiles->watch != NULL)
            tiles->watch->solved(tiles->watch->context, batch, use, (thMethodKind)kind);
        lap(worker, stages[kind], clock);
    }
    const thBatch* last = &batches[profile->sightOf[th_methodAvoid]];
    takeResults(world, last);
    if (thiHoldsGuides(world))
        thiHoldChanges(world, last);
    if (tiles->trace != NULL)
        traceBatch(tiles->trace, last);
    return true;
}

// The rows of a tile that wait for their batch.
typedef struct Waiting {
    const thFrame* frame;
    int32_t begin, end;
    bool alike; // one profile, and all of them are ours to move: they wait from `begin` on
    bool done[TH_TILE_ROWS]; // not used where all are alike
} Waiting;

static bool areAlike(const thFrame* frame, int32_t begin, int32_t end)
{
    uint32_t flags = 0, difference = 0;
    for (int32_t row = begin; row < end; ++row) {
        flags |= frame->flags[row];
        difference |= (uint32_t)(frame->profile[row] ^ frame->profile[begin]);
    }
    return (flags & th_agentExternal) == 0 && difference == 0;
}

// Agents that the host moves need no methods.
static void passExternals(thWorld* world, Waiting* waiting)
{
    for (int32_t row = waiting->begin; row < waiting->end; ++row) {
        const bool external = (waiting->frame->flags[row] & th_agentExternal) != 0;
        waiting->done[row - waiting->begin] = external;
        if (external) { // what stands there is another agent's, of an earlier step
            world->output.remaining[row] = 0.0f;
            world->output.status[row] = 0;
            world->output.answer[row] = th_planComplete;
            if (world->hasContacts)
                thiSkipJam(&world->jams, row);
        }
    }
}

// The next batch: rows of one profile, in the order of rows. Their number; 0 when none is left.
static int32_t nextBatch(Waiting* waiting, int32_t rows[TH_BATCH_ROWS])
{
    int32_t count = 0;
    if (waiting->alike) {
        for (; count < TH_BATCH_ROWS && waiting->begin < waiting->end; ++waiting->begin)
            rows[count++] = waiting->begin;
        return count;
    }
    const uint16_t* profiles = waiting->frame->profile;
    for (int32_t row = waiting->begin; row < waiting->end && count < TH_BATCH_ROWS; ++row) {
        bool* done = &waiting->done[row - waiting->begin];
        if (*done || (count > 0 && profiles[row] != profiles[rows[0]]))
            continue;
        rows[count++] = row;
        *done = true;
    }
    return count;
}

static bool runTile(const Tiles* tiles, thWorker* worker, int32_t begin, int32_t end)
{
    int64_t clock = thiNow();
    thiArenaReset(&worker->scratch);
    thTileSense senses[th_methodKindCount];
    for (int32_t s = 0; s < tiles->sightCount; ++s)
        if (!thiSenseTile(&tiles->senses[s], begin, end, &worker->scratch, &senses[s]))
            return false;
    const thArenaMark mark = thiArenaMark(&worker->scratch);
    Waiting waiting;
    waiting.frame = tiles->frame;
    waiting.begin = begin;
    waiting.end = end;
    waiting.alike = areAlike(tiles->frame, begin, end);
    if (!waiting.alike)
        passExternals(tiles->world, &waiting);
    int32_t rows[TH_BATCH_ROWS];
    int32_t count = nextBatch(&waiting, rows);
    for (; count > 0; count = nextBatch(&waiting, rows)) {
        if (!runBatch(tiles, worker, senses, rows, count, &clock))
            return false;
        thiArenaRewind(&worker->scratch, mark);
    }
    return true;
}

static void runRange(void* context, int32_t begin, int32_t end, int32_t workerIndex)
{
    const Tiles* tiles = context;
    thWorker* worker = &TH_ITEMS(tiles->world->workers, thWorker)[workerIndex];
    if (!runTile(tiles, worker, begin, end))
        worker->outOfMemory = true;
}

static Tiles makeTiles(thWorld* world, const thFrame* frame, float stepDt)
{
    Tiles tiles = {.world = world, .frame = frame, .stepDt = stepDt, .sightCount = 1};
    const int32_t profileCount = world->profiles.items.count;
    for (int32_t slot = 0; slot < profileCount && stepDt == 0.0f; ++slot)
        tiles.sightCount = TH_MAX(tiles.sightCount, thiProfiles(world)[slot].sightCount);
    for (int32_t s = 0; s < tiles.sightCount; ++s) {
        const thSight** sights =
            TH_ITEMS(world->profiles.sights, const thSight*) + s * profileCount;
        for (int32_t slot = 0; slot < profileCount; ++slot) {
            const thProfile* profile = &thiProfiles(world)[slot];
            sights[slot] = s < profile->sightCount ? &profile->sights[s] : NULL;
        }
        tiles.senses[s] = (thSense){.frame = frame,
                                    .grid = &world->agents.grid,
                                    .walls = world->walls.grid,
                                    .sights = sights,
                                    .wallSlop = WALL_SLOP,
                                    .simd = world->simd};
    }
    return tiles;
}

thResult thiRunRow(thWorld* world, const thFrame* frame, int32_t row, const thTileWatch* watch)
{
    Tiles tiles = makeTiles(world, frame, 0.0f);
    tiles.watch = watch;
    thWorker* worker = TH_ITEMS(world->workers, thWorker);
    return runTile(&tiles, worker, row, row + 1) ? th_resultOk : th_resultNoMemory;
}

// How many rows a worker takes at a time: a tile, or less if that would leave workers idle at the
// end. Two registers full are little enough; the next ones are taken by whoever is free.
static int32_t rowsAtATime(int32_t count, int32_t workers)
{
    if (workers == 1)
        return TH_TILE_ROWS;
    const int32_t share = count / (TILES_OF_A_WORKER * workers);
    const int32_t padded = (share + TH_MAX_WIDTH - 1) / TH_MAX_WIDTH * TH_MAX_WIDTH;
    return TH_MIN(TH_MAX(padded, 2 * TH_MAX_WIDTH), TH_TILE_ROWS);
}

static thResult runTiles(const Tiles* tiles)
{
    thWorld* world = tiles->world;
    thWorker* workers = TH_ITEMS(world->workers, thWorker);
    for (int32_t w = 0; w < world->workers.count; ++w)
        workers[w].interval = tiles->frame->dt;
    const int32_t rows = rowsAtATime(tiles->frame->count, thTasks_GetWorkerCount(world->tasks));
    thTasks_ParallelFor(world->tasks, tiles->frame->count, rows, runRange, (void*)tiles);
    bool outOfMemory = false;
    for (int32_t w = 0; w < world->workers.count; ++w)
        outOfMemory = outOfMemory || workers[w].outOfMemory;
    return outOfMemory ? th_resultNoMemory : th_resultOk;
}

thResult thiRunTiles(thWorld* world, const thFrame* frame, const thTileTrace* trace)
{
    Tiles tiles = makeTiles(world, frame, 0.0f);
    tiles.trace = trace;
    return runTiles(&tiles);
}

thResult thiAvoidAgain(thWorld* world, const thFrame* frame, float stepDt, const thTileTrace* trace)
{
    TH_ASSERT(thiHoldsGuides(world));
    Tiles tiles = makeTiles(world, frame, stepDt);
    tiles.trace = trace;
    return runTiles(&tiles);
}

float thiShortestInterval(const thWorld* world)
{
    const thWorker* workers = TH_ITEMS(world->workers, thWorker);
    float shortest = workers[0].interval;
    for (int32_t w = 1; w < world->workers.count; ++w)
        shortest = TH_MIN(shortest, workers[w].interval);
    return shortest;
}
