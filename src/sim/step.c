// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The step: the stages of the architecture in their order, and nothing else. What each stage does
// stands in its own file; here is also the little that has none: what hosts see afterwards.

#include "base/fp_environment.h"
#include "base/timer.h"
#include "sim/held_guides.h"
#include "sim/step_parts.h"
#include "sim/step_trace.h"
#include "sim/tiles.h"
#include "sim/world_internal.h"

#include <stdlib.h>
#include <string.h>

#define SHOW_GRAIN 1024

const char* thStage_GetName(thStage stage)
{
    static const char* const names[th_stageCount] = {
        "commands", "sort", "prepare", "sense", "plan", "group", "avoid", "move", "report"};
    return (unsigned)stage < (unsigned)th_stageCount ? names[stage] : NULL;
}

// The frozen frame is the current rows, seen read-only.
thFrame thiMakeFrame(const thWorld* world, float dt)
{
    const thRows* rows = thiRows(world);
    return (thFrame){.count = rows->count,
                     .step = world->step,
                     .seed = world->seed,
                     .dt = dt,
                     .px = rows->px,
                     .py = rows->py,
                     .vx = rows->vx,
                     .vy = rows->vy,
                     .radius = rows->radius,
                     .yield = rows->yield,
                     .layers = rows->layers,
                     .mask = rows->mask,
                     .prefSpeed = rows->prefSpeed,
                     .maxSpeed = rows->maxSpeed,
                     .maxAccel = rows->maxAccel,
                     .heading = rows->heading,
                     .profile = rows->profile,
                     .level = rows->level,
                     .flags = rows->flags,
                     .goal = rows->goal,
                     .goalIndex = rows->goalIndex,
                     .slot = rows->slot,
                     .key = rows->key,
                     .walls = thiWallGridWalls(world->walls.grid),
                     .movers = &world->movers.view,
                     .goals = &world->goals,
                     .wallGrid = world->walls.grid,
                     .wallsRevision = world->walls.revision + 1,
                     .goalsRevision = world->goals.revision + 1,
                     .roadmaps = &world->roadmaps,
                     .roadmapsRevision = world->roadmaps.revision + 1,
                     .shapes = world->profiles.shapedCount > 0 ? world->profiles.shapes.data : NULL,
                     .agentGrid = &world->agents.grid,
                     .agentDrift = world->agents.drift};
}

thResult thiSortAgents(thWorld* world)
{
    const thRows* from = thiRows(world);
    thRows* to = &world->agents.rows[1 - world->agents.current];
    TH_TRY(thiGridSort(&world->agents.grid, from, to, world->simd, world->tasks));
    thiRowsPad(to);
    world->agents.current = 1 - world->agents.current;
    if (world->hasContacts)
        thiSortJams(&world->jams, world->agents.grid.order, to->count, world->tasks);
    world->agents.drift = 0;
    return th_resultOk;
}

static int byKeyAndKind(const void* left, const void* right)
{
    const thEvent *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return a->other < b->other ? -1 : a->other > b->other;
}

static void carryOutEvents(thWorld* world, thEvent* events, int32_t count)
{
    if (count > 1)
        qsort(events, (size_t)count, sizeof *events, byKeyAndKind);
    for (int32_t i = 0; i < count; ++i) {
        if (events[i].kind == th_eventArrived)
            world->counters.arrivals += 1;
        if (events[i].kind == th_eventLeft) {
            world->counters.departures += 1;
            thiRemoveRow(world, thiFindRow(world, events[i].agent));
        }
    }
}

// Any worker may come to do all the work. Each keeps room for the events of all, so that a warm
// step allocates nothing however work is shared out. Without memory there is another chance next
// time.
static void evenOutRoom(thWorker* workers, int32_t workerCount, int32_t eventCount)
{
    for (int32_t w = 0; w < workerCount; ++w)
        if (workers[w].events.capacity < eventCount + 2)
            (void)thiArrayReserve(&workers[w].events, 2 * (eventCount + 2));
}

// Those who are pushed apart in several parts of a step are told of once.
static int32_t dropRepeated(thEvent* events, int32_t count)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < count; ++i) {
        const bool repeats = kept > 0 && events[i].kind == th_eventContact &&
                             byKeyAndKind(&events[kept - 1], &events[i]) == 0;
        if (!repeats)
            events[kept++] = events[i];
    }
    return kept;
}

// The workers' events in key order; agents that leave are removed. Without memory to show the
// events, they are carried out all the same.
static void gatherEvents(thWorld* world)
{
    thWorker* workers = TH_ITEMS(world->workers, thWorker);
    int32_t total = 0;
    for (int32_t w = 0; w < world->workers.count; ++w)
        total += workers[w].events.count;
    evenOutRoom(workers, world->workers.count, total);
    world->events.count = 0;
    if (total > world->events.capacity &&
        thiArrayReserve(&world->events, 2 * total) != th_resultOk) {
        for (int32_t w = 0; w < world->workers.count; ++w)
            carryOutEvents(world, TH_ITEMS(workers[w].events, thEvent), workers[w].events.count);
        world->counters.lostEvents += (uint64_t)total;
        return;
    }
    for (int32_t w = 0; w < world->workers.count; ++w) {
        const thArray* part = &workers[w].events;
        if (part->count > 0)
            memcpy(thiArrayAdd(&world->events, part->count), part->data,
                   (size_t)part->count * sizeof(thEvent));
    }
    carryOutEvents(world, TH_ITEMS(world->events, thEvent), total);
    if (world->counters.substeps > 1)
        world->events.count = dropRepeated(TH_ITEMS(world->events, thEvent), total);
}

// Where each agent's row is now, and what hosts see of it. Slots lie anywhere in memory, so both
// are written at once.
static void showRange(void* context, int32_t begin, int32_t end, int32_t workerIndex)
{
    (void)workerIndex;
    thWorld* world = context;
    const int32_t* slots = thiRows(world)->slot;
    int32_t* rowOfSlot = TH_ITEMS(world->agents.rowOfSlot, int32_t);
    for (int32_t row = begin; row < end; ++row) {
        rowOfSlot[slots[row]] = row;
        thiShowRow(world, row);
    }
}

void thiLap(thWorld* world, thStage stage, int64_t* clock)
{
    const int64_t now = thiNow();
    world->counters.stageTime[stage] += now - *clock;
    *clock = now;
}

static void resetCounts(thWorld* world)
{
    memset(world->counters.stageTime, 0, sizeof world->counters.stageTime);
    world->counters.contacts = 0;
    world->counters.contactRounds = world->counters.contactCuts = 0;
    for (int32_t w = 0; w < world->workers.count; ++w) {
        thWorker* worker = &TH_ITEMS(world->workers, thWorker)[w];
        memset(worker->stageTime, 0, sizeof worker->stageTime);
        worker->events.count = 0;
        worker->fastestSq = 0.0f;
        worker->jams = (thJamCounts){0};
        worker->outOfMemory = false;
    }
}

static void addWorkerTimes(thWorld* world)
{
    for (int32_t w = 0; w < world->workers.count; ++w)
        for (int32_t stage = 0; stage < th_stageCount; ++stage)
            world->counters.stageTime[stage] +=
                TH_ITEMS(world->workers, thWorker)[w].stageTime[stage];
}

// What agents show of jams, and how many of them do something about it.
static void turnJams(thWorld* world)
{
    world->counters.shuffling = world->counters.steppingBack = world->counters.turningBack = 0;
    if (!world->hasContacts)
        return;
    thiTurnJams(&world->jams);
    for (int32_t w = 0; w < world->workers.count; ++w) {
        const thJamCounts* counts = &TH_ITEMS(world->workers, thWorker)[w].jams;
        world->counters.shuffling += (uint64_t)counts->shuffling;
        world->counters.steppingBack += (uint64_t)counts->steppingBack;
        world->counters.turningBack += (uint64_t)counts->turningBack;
    }
}

// From the frozen frame to new places.
static thResult moveAgents(thWorld* world, float dt, thTileTrace* trace, int64_t* clock)
{
    const thFrame frame = thiMakeFrame(world, dt);
    TH_TRY(thiReserveGuides(world));
    TH_TRY(thiPrepareMethods(world, &frame, th_methodPlan));
    thiLap(world, th_stagePrepare, clock);
    TH_TRY(thiRunTiles(world, &frame, trace));
    *clock = thiNow(); // tiles keep their own time
    turnJams(world);
    TH_TRY(thiMoveInParts(world, dt, trace, clock));
    if (trace != NULL)
        thiTraceStages(world, trace);
    world->step += 1;
    thiLap(world, th_stageMove, clock);
    return th_resultOk;
}

static thResult runStages(thWorld* world, float dt, thTileTrace* trace)
{
    int64_t clock = thiNow();
    thiCarryOutCommands(world);
    TH_TRY(thiPrepareObstacles(world));
    thiLap(world, th_stageCommands, &clock);
    TH_TRY(thiSortAgents(world));
    if (trace != NULL)
        thiTraceSort(world, trace);
    thiLap(world, th_stageSort, &clock);
    const thResult code = moveAgents(world, dt, trace, &clock);
    thTasks_ParallelFor(world->tasks, thiRows(world)->count, SHOW_GRAIN, showRange, world);
    if (code == th_resultOk)
        gatherEvents(world);
    thiLap(world, th_stageReport, &clock);
    return code;
}

thResult thWorld_Step(thWorld* world, float dt)
{
    TH_REQUIRE(world != NULL && !world->stepping, th_resultBadArgument);
    TH_REQUIRE(dt > 0.0f && dt <= 10.0f, th_resultBadArgument);
    const thFpEnvironment hostEnvironment = thiFpEnter();
    const int64_t start = thiNow();
    world->stepping = true;
    resetCounts(world);
    thTileTrace trace;
    thResult code = th_resultOk;
    if (world->watch.trace == NULL) {
        code = runStages(world, dt, NULL);
    } else {
        code = thiTraceOpen(world, &trace);
        if (code == th_resultOk)
            code = runStages(world, dt, &trace);
        thiTraceClose(world, &trace);
    }
    addWorkerTimes(world);
    world->stepping = false;
    world->counters.stepTime = thiNow() - start;
    thiFpRestore(hostEnvironment);
    return code;
}

const thEvent* thWorld_GetEvents(const thWorld* world, int32_t* count)
{
    TH_REQUIRE(world != NULL && count != NULL, NULL);
    *count = world->events.count;
    return TH_ITEMS(world->events, thEvent);
}
