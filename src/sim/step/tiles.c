// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How tiles are dealt out to workers and batches, and the stages that each batch goes through.

#include "sim/step/tiles.h"

#include "base/hash.h"
#include "base/machine.h"
#include "geom/fixed.h"
#include "sim/pace/pace.h"
#include "sim/ranges.h"
#include "sim/step/undo.h"

#include <math.h>
#include <string.h>

// Walls this near beyond the reach of a step count as in reach: twice the depth to which motion may
// be wrong. [m]
#define WALL_SLOP 0x1p-12f

// What is left of a limit of acceleration at least: 0 would be no limit. [m/s²]
#define LEAST_ACCEL 1.0e-3f

// Gap within which who moves may want something of one at rest: about as far as it gets in the time
// that avoidance looks ahead. [m]
#define DISTURBS 2.0f

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

// Whether agents have moved in this step already: it is divided, and they have their guidance.
static bool isLaterPart(const Tiles* tiles)
{
    return tiles->stepDt > 0.0f;
}

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

// What methods write is looked at once, when they have written it: they may be anybody's, and their
// state may come from a damaged snapshot. All else may count on numbers that are in range.

// Vectors too long in x or y, or not numbers, become 0.
static void limitVectors(float* restrict x, float* restrict y, int32_t count, float most)
{
    int32_t wrong = 0;
    for (int32_t lane = 0; lane < count; ++lane)
        wrong |= !(fabsf(x[lane]) <= most) | !(fabsf(y[lane]) <= most);
    for (int32_t lane = 0; lane < count && wrong != 0; ++lane)
        if (!(fabsf(x[lane]) <= most && fabsf(y[lane]) <= most))
            x[lane] = y[lane] = 0.0f;
}

static void checkGuidance(const thBatch* batch)
{
    limitVectors(batch->guideX, batch->guideY, batch->count, TH_MAX_VELOCITY);
    limitVectors(batch->cornerX, batch->cornerY, batch->count, 2.0f * (float)THRONG_MAX_COORDINATE);
    int32_t wrong = 0;
    for (int32_t lane = 0; lane < batch->count; ++lane)
        wrong |= !(batch->remaining[lane] >= 0.0f) | !(batch->remaining[lane] <= TH_LONGEST_PATH) |
                 (batch->answer[lane] > th_planNone);
    for (int32_t lane = 0; lane < batch->count && wrong != 0; ++lane) {
        if (!thiIsBetween(batch->remaining[lane], 0.0f, TH_LONGEST_PATH))
            batch->remaining[lane] = 0.0f;
        if (batch->answer[lane] > th_planNone)
            batch->answer[lane] = th_planNone;
    }
}

// Batches of a worker share the interval, which can only become shorter.
static void checkVelocities(const thBatch* batch, float interval)
{
    limitVectors(batch->outVx, batch->outVy, batch->count, TH_MAX_VELOCITY);
    const float lowered = *batch->interval;
    *batch->interval = !(lowered >= 0.0f) ? 0.0f : TH_MIN(lowered, interval);
}

static void takeResults(thWorld* world, const thBatch* batch)
{
    const int32_t* restrict rows = batch->row;
    const float* restrict vx = batch->outVx, * restrict vy = batch->outVy;
    float* restrict outVx = world->output.vx, * restrict outVy = world->output.vy;
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        outVx[rows[lane]] = vx[lane];
        outVy[rows[lane]] = vy[lane];
    }
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        world->output.remaining[rows[lane]] = batch->remaining[lane];
        world->output.status[rows[lane]] = batch->status[lane];
        world->output.answer[rows[lane]] = batch->answer[lane];
    }
}

// Guidance that is kept.

// Steps that may be divided need it, and those who have a shape to turn where they stand.
static bool needsGuidance(const thWorld* world)
{
    if (world->profiles.shapedCount > 0)
        return true;
    for (int32_t slot = 0; slot < world->profiles.items.count; ++slot) {
        const thProfile* profile = &thiProfiles(world)[slot];
        if (profile->agentCount > 0 &&
            (profile->methods[th_methodAvoid].method->needs & th_needsShortSteps) != 0)
            return true;
    }
    return false;
}

thResult thiReserveGuidance(thWorld* world)
{
    const int32_t count = needsGuidance(world) ? world->agents.view.count : 0;
    if (count > world->guidance.capacity)
        TH_TRY(thiArrayReserve(&world->guidance, TH_MAX(count, world->agents.view.capacity)));
    world->guidance.count = count;
    return th_resultOk;
}

static thGuidance* guidanceOf(const thWorld* world, const thBatch* batch, int32_t lane)
{
    return &TH_ITEMS(world->guidance, thGuidance)[batch->frame->slot[batch->row[lane]]];
}

static void keepGuidance(const thWorld* world, const thBatch* batch)
{
    for (int32_t lane = 0; lane < batch->count; ++lane)
        *guidanceOf(world, batch, lane) = (thGuidance){{batch->guideX[lane], batch->guideY[lane]},
                                                       {batch->cornerX[lane], batch->cornerY[lane]},
                                                       batch->remaining[lane],
                                                       0.0f,
                                                       batch->answer[lane]};
}

// Adds what avoidance has chosen.
static void addChanges(const thWorld* world, const thBatch* batch)
{
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        const float x = batch->outVx[lane] - batch->vx[lane];
        const float y = batch->outVy[lane] - batch->vy[lane];
        guidanceOf(world, batch, lane)->change += sqrtf(x * x + y * y);
    }
}

static float accelLeft(float maxAccel, float change, float dt, float rest)
{
    if (!(maxAccel > 0.0f))
        return maxAccel;
    return TH_MAX((maxAccel * dt - change) / rest, LEAST_ACCEL);
}

// In a step of `dt`, of which the batch's frame is the rest: limits of acceleration leave what they
// allow in the whole step, less what has been chosen in it. False when memory is out.
static bool recallGuidance(const thWorld* world, thBatch* batch, float dt)
{
    float* maxAccel = thiArenaAllocate(batch->scratch, (size_t)batch->lanes * sizeof *maxAccel);
    if (maxAccel == NULL)
        return false;
    memcpy(maxAccel, batch->maxAccel, (size_t)batch->lanes * sizeof *maxAccel);
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        const thGuidance* kept = guidanceOf(world, batch, lane);
        batch->guideX[lane] = kept->guide.x;
        batch->guideY[lane] = kept->guide.y;
        batch->cornerX[lane] = kept->corner.x;
        batch->cornerY[lane] = kept->corner.y;
        batch->remaining[lane] = kept->remaining;
        batch->answer[lane] = kept->answer;
        maxAccel[lane] = accelLeft(maxAccel[lane], kept->change, dt, batch->frame->dt);
    }
    batch->maxAccel = maxAccel;
    return true;
}

// Stages.

// The stage of a method. False when memory is out.
static bool solve(const Tiles* tiles, thWorker* worker, const thProfile* profile, thMethodKind kind,
                  thBatch* batch, int64_t* clock)
{
    static const thStage stages[th_methodKindCount] = {th_stagePlan, th_stageGroup, th_stageAvoid};
    const thMethodInUse* use = &profile->methods[kind];
    if (!fillStates(tiles, batch, profile, kind))
        return false;
    const float interval = worker->interval;
    use->method->solve(batch, use->params, use->shared);
    if (kind == th_methodAvoid)
        checkVelocities(batch, interval);
    else
        checkGuidance(batch);
    if (tiles->watch != NULL)
        tiles->watch->solved(tiles->watch->context, batch, use, kind);
    lap(worker, stages[kind], clock);
    return true;
}

// What agents do about jams. They do it once a step: the guidance of later parts has it already.
// False when memory is out.
static bool unjam(const Tiles* tiles, thWorker* worker, const thProfile* profile,
                  const thBatch* batch, int64_t* clock)
{
    thWorld* world = tiles->world;
    bool isDone = true;
    if (!world->hasContacts) {
        if (!isLaterPart(tiles))
            thiKeepSide(&profile->def, batch);
    } else if (isLaterPart(tiles)) {
        thiOverlook(&world->jams, batch, world->simd);
    } else {
        const uint32_t needs = profile->methods[th_methodAvoid].method->needs;
        thiRest(&world->jams, batch, (needs & th_needsNoneAtRest) == 0);
        isDone = thiUnjam(&world->jams, &profile->def, batch, thiRows(world)->pressure, world->simd,
                          &worker->jams);
    }
    lap(worker, th_stageUnjam, clock);
    return isDone;
}

// Keeping together with one's own group, then walking round others.
static bool walkInGroups(const Tiles* tiles, thWorker* worker, const thProfile* profile,
                         thBatch* batch, int64_t* clock)
{
    thiWalkTogether(tiles->world, batch);
    return solve(tiles, worker, profile, th_methodGroup, batch, clock);
}

// A batch as each sight of its profile sees it: all but what is seen is the same.
static bool senseBatch(const Tiles* tiles, thWorker* worker, const thTileSense* senses,
                       const int32_t* rows, int32_t count, thBatch* batches)
{
    const thProfile* profile = &thiProfiles(tiles->world)[tiles->frame->profile[rows[0]]];
    const int32_t sights = isLaterPart(tiles) ? 1 : profile->sightCount; // avoidance's is the first
    for (int32_t s = 0; s < sights; ++s) {
        if (!thiSenseBatch(&tiles->senses[s], &senses[s], rows, count, &worker->scratch,
                           s > 0 ? &batches[0] : NULL, &batches[s]))
            return false;
        batches[s].interval = &worker->interval;
        batches[s].keeper = tiles->watch == NULL ? tiles->world : NULL;
    }
    return true;
}

static bool runBatch(const Tiles* tiles, thWorker* worker, const thTileSense* senses,
                     const int32_t* rows, int32_t count, int64_t* clock)
{
    thWorld* world = tiles->world;
    const thProfile* profile = &thiProfiles(world)[tiles->frame->profile[rows[0]]];
    thBatch batches[th_methodKindCount];
    if (!senseBatch(tiles, worker, senses, rows, count, batches))
        return false;
    lap(worker, th_stageSense, clock);
    thBatch* plan = &batches[profile->sightOf[th_methodPlan]];
    thBatch* group = &batches[profile->sightOf[th_methodGroup]];
    thBatch* avoid = &batches[profile->sightOf[th_methodAvoid]];
    const bool isGuided = isLaterPart(tiles)
                              ? recallGuidance(world, avoid, tiles->stepDt)
                              : solve(tiles, worker, profile, th_methodPlan, plan, clock) &&
                                    walkInGroups(tiles, worker, profile, group, clock);
    if (!isGuided)
        return false;
    if (!unjam(tiles, worker, profile, avoid, clock))
        return false;
    if (thiKeepsGuidance(world) && !isLaterPart(tiles))
        keepGuidance(world, avoid);
    if (!solve(tiles, worker, profile, th_methodAvoid, avoid, clock))
        return false;
    if (world->hasContacts && profile->shape.count == 0) {
        const thMethod* method = profile->methods[th_methodAvoid].method;
        thiPace(&world->jams, &profile->def.pace, 1.0f - method->ownPace, avoid, world->simd);
        lap(worker, th_stagePace, clock);
    }
    if (world->hasContacts)
        thiStayNear(&world->jams, avoid,
                    isLaterPart(tiles) ? world->jams.current : 1 - world->jams.current);
    takeResults(world, avoid);
    if (thiKeepsGuidance(world))
        addChanges(world, avoid);
    if (tiles->trace != NULL)
        traceBatch(tiles->trace, avoid);
    return true;
}

// Tiles.

// The rows of a tile that wait for their batch.
typedef struct Waiting {
    const thFrame* frame;
    int32_t begin, end;
    bool alike; // one profile, all of them ours to move and under way: they wait from `begin` on
    bool done[TH_TILE_ROWS]; // not used where all are alike
} Waiting;

static bool areAlike(const thFrame* frame, int32_t begin, int32_t end)
{
    uint32_t flags = 0, difference = 0;
    for (int32_t row = begin; row < end; ++row) {
        flags |= frame->flags[row];
        difference |= (uint32_t)(frame->profile[row] ^ frame->profile[begin]);
    }
    return (flags & (th_agentExternal | th_agentHolds | th_agentArrived)) == 0 && difference == 0;
}

// Agents that the host moves, or that hold their places, need no methods.
static void passOthers(thWorld* world, Waiting* waiting)
{
    const uint32_t* flags = waiting->frame->flags;
    for (int32_t row = waiting->begin; row < waiting->end; ++row) {
        const bool passed = (flags[row] & (th_agentExternal | th_agentHolds)) != 0;
        waiting->done[row - waiting->begin] = passed;
        if (passed) { // what stands there is another agent's, of an earlier step
            world->output.vx[row] = world->output.vy[row] = 0.0f;
            world->output.remaining[row] = 0.0f;
            world->output.status[row] = 0;
            world->output.answer[row] = th_planComplete;
            if (world->hasContacts)
                thiSkipJam(&world->jams, row, (flags[row] & th_agentHolds) != 0);
        }
    }
}

// Who has arrived and stands is left alone as long as nobody near moves, and no mover is in sight.

static bool seesMover(const thFrame* frame, int32_t row, float sight)
{
    const thMovers* movers = frame->movers;
    for (int32_t m = 0; m < movers->count; ++m) {
        const float x = thiMetresBetween(frame->px[row], movers->px[m]);
        const float y = thiMetresBetween(frame->py[row], movers->py[m]);
        const float reach = movers->radius[m] + frame->radius[row] + sight;
        if (movers->level[m] == frame->level[row] && x * x + y * y <= reach * reach)
            return true;
    }
    return false;
}

static bool isDisturbed(const Tiles* tiles, const thTileSense* sense, int32_t row)
{
    const thWorld* world = tiles->world;
    const thFrame* frame = tiles->frame;
    int32_t others[TH_MAX_NEIGHBORS + TH_MAX_LARGE];
    const int32_t count = thiSensedRows(&tiles->senses[0], sense, row, others);
    for (int32_t k = 0; k < count; ++k) {
        const int32_t other = others[k];
        const float x = thiMetresBetween(frame->px[row], frame->px[other]);
        const float y = thiMetresBetween(frame->py[row], frame->py[other]);
        const float reach = frame->radius[row] + frame->radius[other] + DISTURBS;
        const bool isStill =
            thiStands(frame, other) && thiWasAtRest(&world->jams, thiRows(world), other);
        if (!isStill && x * x + y * y <= reach * reach)
            return true;
    }
    return seesMover(frame, row, thiProfiles(world)[frame->profile[row]].def.wallRadius);
}

static bool isLeftAlone(const Tiles* tiles, const thTileSense* sense, int32_t row)
{
    const thWorld* world = tiles->world;
    const uint32_t driven = th_agentExternal | th_agentVelocityOnly | th_agentWaiting;
    const uint32_t flags = tiles->frame->flags[row];
    return (flags & th_agentArrived) != 0 && (flags & driven) == 0 && tiles->watch == NULL &&
           thiRows(world)->pressure[row] == 0 &&
           thiProfiles(world)[tiles->frame->profile[row]].leavesAlone &&
           thiWasAtRest(&world->jams, thiRows(world), row) && !isDisturbed(tiles, sense, row);
}

static void leaveAlone(const Tiles* tiles, int32_t row)
{
    thWorld* world = tiles->world;
    thVec2 left = {0.0f, 0.0f};
    thFrame_NearestGoalPoint(tiles->frame, row, &left);
    const float remaining = sqrtf(left.x * left.x + left.y * left.y);
    world->output.vx[row] = world->output.vy[row] = 0.0f;
    world->output.remaining[row] = remaining;
    world->output.status[row] = 0;
    world->output.answer[row] = th_planComplete;
    if (!isLaterPart(tiles))
        thiKeepAtRest(&world->jams, row);
    if (thiKeepsGuidance(world) && !isLaterPart(tiles))
        TH_ITEMS(world->guidance, thGuidance)
    [tiles->frame->slot[row]] = (thGuidance){.remaining = remaining, .answer = th_planComplete};
}

static void passResting(const Tiles* tiles, const thTileSense* sense, Waiting* waiting)
{
    if (!tiles->world->hasContacts)
        return;
    for (int32_t row = waiting->begin; row < waiting->end; ++row) {
        bool* done = &waiting->done[row - waiting->begin];
        if (*done || !isLeftAlone(tiles, sense, row))
            continue;
        *done = true;
        leaveAlone(tiles, row);
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
    int32_t first = waiting->begin;
    while (first < waiting->end && waiting->done[first - waiting->begin])
        first += 1;
    // Profiles change from row to row, so branches would be hard to predict.
    for (int32_t row = first; row < waiting->end && count < TH_BATCH_ROWS; ++row) {
        bool* done = &waiting->done[row - waiting->begin];
        const bool isNext = !*done & (profiles[row] == profiles[first]);
        rows[count] = row;
        *done |= isNext;
        count += isNext;
    }
    return count;
}

static bool runTile(const Tiles* tiles, thWorker* worker, int32_t begin, int32_t end)
{
    int64_t clock = thiNow();
    if (!isLaterPart(tiles) && tiles->watch == NULL) {
        thiKeepStates(tiles->world, begin, end);
        lap(worker, th_stagePlan, &clock);
    }
    thiArenaReset(&worker->scratch);
    thTileSense senses[th_methodKindCount];
    float* wallSq = thiKnownWalls(tiles->world);
    for (int32_t row = begin; row < end && wallSq != NULL; ++row)
        wallSq[row] = TH_NO_WALL_KNOWN;
    for (int32_t s = 0; s < tiles->sightCount; ++s)
        if (!thiSenseTile(&tiles->senses[s], begin, end, &worker->scratch, &senses[s]) ||
            !thiCopyNeighbors(&tiles->senses[s], &worker->scratch, &senses[s]))
            return false;
    const thArenaPlace start = thiArenaPlace(&worker->scratch);
    Waiting waiting;
    waiting.frame = tiles->frame;
    waiting.begin = begin;
    waiting.end = end;
    waiting.alike = areAlike(tiles->frame, begin, end);
    if (!waiting.alike) {
        passOthers(tiles->world, &waiting);
        passResting(tiles, &senses[0], &waiting);
    }
    int32_t rows[TH_BATCH_ROWS];
    int32_t count = nextBatch(&waiting, rows);
    for (; count > 0; count = nextBatch(&waiting, rows)) {
        if (!runBatch(tiles, worker, senses, rows, count, &clock))
            return false;
        thiArenaRewind(&worker->scratch, start);
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
            TH_BEHIND(TH_ITEMS(world->profiles.sights, const thSight*), s * profileCount);
        for (int32_t slot = 0; slot < profileCount; ++slot) {
            const thProfile* profile = &thiProfiles(world)[slot];
            sights[slot] = s < profile->sightCount ? &profile->sights[s] : NULL;
        }
        tiles.senses[s] = (thSense){.frame = frame,
                                    .grid = &world->agents.grid,
                                    .walls = world->walls.grid,
                                    .sights = sights,
                                    .wallSlop = WALL_SLOP,
                                    .wallSq = s == 0 ? thiKnownWalls(world) : NULL,
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
// end. One register full is the least, as fewer cost as much; the next ones are taken by whoever is
// free.
static int32_t rowsAtATime(int32_t count, int32_t workers)
{
    if (workers == 1)
        return TH_TILE_ROWS;
    const int32_t share = count / (TILES_OF_A_WORKER * workers);
    const int32_t padded = (share + TH_MAX_WIDTH - 1) / TH_MAX_WIDTH * TH_MAX_WIDTH;
    return TH_MIN(TH_MAX(padded, TH_MAX_WIDTH), TH_TILE_ROWS);
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
    TH_ASSERT(thiKeepsGuidance(world));
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
