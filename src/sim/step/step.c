// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The step: the stages of the architecture in their order. What most of them do stands in files of
// their own; here is the little that has none: the frame, what tests trace, and what hosts see
// afterwards. thWorld_Step, at the end, is the whole on one page.

#include "sim/step/step.h"

#include "base/machine.h"
#include "sim/step/motion.h"
#include "sim/step/tiles.h"
#include "sim/step/undo.h"

#include <stdlib.h>
#include <string.h>

#define SHOW_GRAIN 1024

// Steps from one sort of the bytes that methods keep for agents to the next. They stay in order for
// long, for people come past few others in a step.
#define SORT_STATES_EVERY 64

// The most parts of a divided step. Each is a whole number of such parts long.
#define MOST_PARTS 8

// A step while it is made.
typedef struct Step {
    thWorld* world;
    float dt;
    thFrame frame;
    const thTileTrace* trace; // NULL: nobody watches
    thStepMarks marks;        // what to go back to
    int64_t clock;            // when the last stage ended
} Step;

const char* thStage_GetName(thStage stage)
{
    static const char* const names[th_stageCount] = {"commands", "sort",  "prepare", "sense",
                                                     "plan",     "group", "unjam",   "avoid",
                                                     "pace",     "move",  "report"};
    return (unsigned)stage < (unsigned)th_stageCount ? names[stage] : NULL;
}

// The time since the last stage ended goes to this one.
static void endStage(Step* step, thStage stage)
{
    const int64_t now = thiNow();
    step->world->counters.stageTime[stage] += now - step->clock;
    step->clock = now;
}

// Sort and prepare.

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
                     .group = rows->group,
                     .contacts = world->hasContacts ? 1 : 0,
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
                     .agentDrift = world->agents.drift,
                     .aims = world->agents.aimMoves == world->goals.moves ? world->agents.aims.data
                                                                          : NULL};
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
    // The sort is done with these.
    world->output = (thStepOutput){.vx = from->vx,
                                   .vy = from->vy,
                                   .remaining = from->heading,
                                   .status = (uint8_t*)from->profile,
                                   .answer = (uint8_t*)from->level,
                                   .squeezed = (uint8_t*)from->pressure};
    world->scratch.target.x = from->goalIndex;
    world->scratch.target.y = world->agents.grid.order;
    world->agents.drift = 0;
    return th_resultOk;
}

// What tests see of stages.

// Columns of one trace in a row, each with room for every row there can be.
static size_t traceBytes(const thTileTrace* trace)
{
    return (size_t)trace->capacity * (sizeof(uint64_t) + 3 * sizeof(float));
}

static thResult openTrace(thWorld* world, thTileTrace* trace)
{
    *trace = (thTileTrace){.capacity = TH_MAX(thiRows(world)->capacity, 1)};
    trace->sense = thiAllocateZero(&world->memory, traceBytes(trace));
    if (trace->sense == NULL)
        return th_resultNoMemory;
    trace->guideX = (float*)(trace->sense + trace->capacity);
    trace->guideY = trace->guideX + trace->capacity;
    trace->remaining = trace->guideY + trace->capacity;
    return th_resultOk;
}

static void closeTrace(thWorld* world, thTileTrace* trace)
{
    thiRelease(&world->memory, trace->sense, traceBytes(trace));
}

static void tellStage(const thWorld* world, const char* stage, const thColumn* columns,
                      int32_t columnCount)
{
    const thRows* rows = thiRows(world);
    const thStageRows found = {world->step, stage, rows->key, rows->count, columns, columnCount};
    world->watch.trace->stage(world->watch.trace->context, &found);
}

// Who is there.
static void traceSort(const thWorld* world)
{
    const thRows* rows = thiRows(world);
    const thColumn columns[] = {{"x", rows->px, 4},        {"y", rows->py, 4},
                                {"vx", rows->vx, 4},       {"vy", rows->vy, 4},
                                {"level", rows->level, 2}, {"flags", rows->flags, 4},
                                {"goal", rows->goal, 4},   {"radius", rows->radius, 4}};
    tellStage(world, "sort", columns, 8);
}

// Senses, guidance, velocities and places, a stage each.
static void traceStages(const thWorld* world, const thTileTrace* trace)
{
    const thRows* rows = thiRows(world);
    const thColumn sense[] = {{"sense", trace->sense, 8}};
    tellStage(world, "sense", sense, 1);
    const thColumn plan[] = {{"guideX", trace->guideX, 4},
                             {"guideY", trace->guideY, 4},
                             {"remaining", trace->remaining, 4}};
    tellStage(world, "plan", plan, 3);
    const thColumn avoid[] = {{"vx", world->output.vx, 4},
                              {"vy", world->output.vy, 4},
                              {"status", world->output.status, 1}};
    tellStage(world, "avoid", avoid, 3);
    const thColumn move[] = {{"x", rows->px, 4},
                             {"y", rows->py, 4},
                             {"vx", rows->vx, 4},
                             {"vy", rows->vy, 4},
                             {"heading", rows->heading, 4},
                             {"flags", rows->flags, 4},
                             {"goalIndex", rows->goalIndex, 4}};
    tellStage(world, "move", move, 7);
}

static void tellHash(void* context, const thStageRows* rows)
{
    const thWorld* world = context;
    world->watch.tellHash(world->watch.context, rows->step, rows->stage, thiStageHash(rows));
}

thResult thWorld_WatchStages(thWorld* world, thStageHashFcn* watch, void* context)
{
    TH_REQUIRE(world != NULL && !world->stepping, th_resultBadArgument);
    world->watch.tellHash = watch;
    world->watch.context = context;
    world->watch.hashes = (thTrace){world, tellHash};
    world->watch.trace = watch != NULL ? &world->watch.hashes : NULL;
    return th_resultOk;
}

// Report.

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
    world->events.count = dropRepeated(TH_ITEMS(world->events, thEvent), total);
}

typedef struct Report {
    thWorld* world;
    bool isComplete;
    bool wasPushed; // movers went in parts, and places were kept
} Report;

static bool isBent(const thWorld* world, int32_t row)
{
    const thRows* rows = thiRows(world);
    const thPoint from = thiPlaceBefore(world, row);
    return thiWallsHide(world->walls.grid, rows->level[row], from.x, from.y, rows->px[row],
                        rows->py[row]);
}

// Where each agent's row is now, and what hosts see of it. Slots lie anywhere in memory, so both
// are written at once.
static void showRange(void* context, int32_t begin, int32_t end, int32_t workerIndex)
{
    (void)workerIndex;
    const Report* reported = context;
    thWorld* world = reported->world;
    const int32_t* slots = thiRows(world)->slot;
    int32_t* rowOfSlot = TH_ITEMS(world->agents.rowOfSlot, int32_t);
    for (int32_t row = begin; row < end; ++row) {
        rowOfSlot[slots[row]] = row;
        thiShowRow(world, row);
        if (reported->isComplete)
            thiTell(world, slots[row],
                    (thTold){world->output.remaining[row], world->output.status[row],
                             world->output.answer[row], true,
                             reported->wasPushed && isBent(world, row)});
    }
}

static void report(const Step* step, bool isComplete)
{
    thWorld* world = step->world;
    Report reported = {world, isComplete, world->counters.moverParts > 1};
    thTasks_ParallelFor(world->tasks, thiRows(world)->count, SHOW_GRAIN, showRange, &reported);
    if (isComplete)
        gatherEvents(world);
}

// Counters.

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

// How many agents do something about jams.
static void countJams(thWorld* world)
{
    world->counters.shuffling = world->counters.steppingBack = world->counters.turningBack = 0;
    for (int32_t w = 0; w < world->workers.count && world->hasContacts; ++w) {
        const thJamCounts* counts = &TH_ITEMS(world->workers, thWorker)[w].jams;
        world->counters.shuffling += (uint64_t)counts->shuffling;
        world->counters.steppingBack += (uint64_t)counts->steppingBack;
        world->counters.turningBack += (uint64_t)counts->turningBack;
    }
}

// Stages.

static thResult carryOutCommands(Step* step)
{
    thiCarryOutCommands(step->world);
    TH_TRY(thiPrepareObstacles(step->world));
    endStage(step, th_stageCommands);
    return th_resultOk;
}

static thResult sortAgents(Step* step)
{
    TH_TRY(thiSortAgents(step->world));
    if (step->trace != NULL)
        traceSort(step->world);
    endStage(step, th_stageSort);
    return th_resultOk;
}

// Freezes the frame for what is left of the step.
static thResult prepareMethods(Step* step, float left, thMethodKind firstKind)
{
    thiRenewAims(step->world);
    step->frame = thiMakeFrame(step->world, left);
    if (firstKind == th_methodPlan)
        TH_TRY(thiPrepareTogether(step->world, &step->frame));
    TH_TRY(thiPrepareMethods(step->world, &step->frame, firstKind));
    endStage(step, th_stagePrepare);
    return th_resultOk;
}

// Sense, plan, group, unjam and avoid. Tiles keep their own time.
static thResult runTiles(Step* step)
{
    thWorld* world = step->world;
    step->marks.hasStates = true; // every tile keeps its own before all else
    TH_TRY(thiRunTiles(world, &step->frame, step->trace));
    step->clock = thiNow();
    if (world->hasContacts)
        thiTurnJams(&world->jams);
    step->marks.hasTurned = true;
    countJams(world);
    return th_resultOk;
}

// The length of so many of the shortest parts.
static float lengthOf(int32_t count, float dt)
{
    return count == MOST_PARTS ? dt : (float)count * (dt / MOST_PARTS);
}

// How much of what is left of the step velocities are good for, but the shortest part at least.
static int32_t nextPart(const thWorld* world, int32_t left, float dt)
{
    const float interval = thiShortestInterval(world);
    int32_t count = left;
    while (thiKeepsGuidance(world) && count > 1 && !(interval >= lengthOf(count, dt)))
        count -= 1;
    return count;
}

// Everybody is where the last part has led: avoidance for what is left.
static thResult avoidAgain(Step* step, float left)
{
    endStage(step, th_stageMove);
    TH_TRY(thiPrepareObstacles(step->world));
    TH_TRY(thiSortAgents(step->world));
    endStage(step, th_stageSort);
    TH_TRY(prepareMethods(step, left, th_methodAvoid));
    TH_TRY(thiAvoidAgain(step->world, &step->frame, step->dt, step->trace));
    step->clock = thiNow();
    return th_resultOk;
}

// From velocities to places at the end of the step. Avoidance may say that its velocities are good
// for less than that. Then everybody moves only so far, and agents are sorted and avoidance asked
// again for what is left; planners and groups are asked once.
static thResult moveAgents(Step* step)
{
    thWorld* world = step->world;
    world->counters.substeps = world->counters.moverParts = 0;
    thiKeepGates(&world->gates);
    step->marks.hasGates = true;
    for (int32_t left = MOST_PARTS; left > 0;) {
        const bool isFirst = left == MOST_PARTS;
        if (!isFirst)
            TH_TRY(avoidAgain(step, lengthOf(left, step->dt)));
        const int32_t count = nextPart(world, left, step->dt);
        left -= count;
        const thStepPart part = {
            .dt = lengthOf(count, step->dt), .isFirst = isFirst, .isLast = left == 0};
        const int32_t moverParts = thiCountMoverParts(world, part.dt);
        if (!step->marks.hasPlaces && (!part.isLast || moverParts > 1)) {
            thiKeepPlaces(world);
            step->marks.hasPlaces = true;
        }
        world->counters.moverParts = TH_MAX(world->counters.moverParts, moverParts);
        TH_TRY(thiMoveAgents(world, part, moverParts));
        world->counters.substeps += 1;
    }
    if (step->trace != NULL)
        traceStages(world, step->trace);
    thiTurnTogether(&world->together);
    world->step += 1;
    world->isRestored = false;
    endStage(step, th_stageMove);
    return th_resultOk;
}

thResult thWorld_Step(thWorld* world, float dt)
{
    TH_REQUIRE(world != NULL && !world->stepping, th_resultBadArgument);
    TH_REQUIRE(dt >= THRONG_LEAST_STEP && dt <= 10.0f, th_resultBadArgument);
    const thFpEnvironment hostEnvironment = thiFpEnter();
    const int64_t start = thiNow();
    world->stepping = true;
    resetCounts(world);
    Step step = {.world = world, .dt = dt, .clock = start};
    thTileTrace trace = {0};

    // What the host and others asked for meanwhile; then everybody by place. That is the frame: it
    // stays as it is while velocities are chosen.
    thResult code = carryOutCommands(&step);
    if (code == th_resultOk && world->watch.trace != NULL) {
        code = openTrace(world, &trace); // now that everybody is there
        step.trace = &trace;
    }
    if (code == th_resultOk)
        code = sortAgents(&step);
    const bool isSorted = code == th_resultOk;

    // What methods do once; then sense, plan, group, unjam and avoid, tile by tile: the velocity of
    // each agent.
    if (code == th_resultOk)
        code = thiReserveGuidance(world);
    if (code == th_resultOk)
        code = thiReservePlaces(world);
    if (code == th_resultOk)
        code = thiReserveGates(world);
    if (code == th_resultOk)
        code = thiReserveStatesBefore(world);
    if (code == th_resultOk && world->step % SORT_STATES_EVERY == 0)
        thiSortStates(world);
    if (code == th_resultOk)
        code = prepareMethods(&step, dt, th_methodPlan);
    if (code == th_resultOk)
        code = runTiles(&step);

    // From velocities to places. A step is divided here if its velocities are good for less: sort,
    // prepare, sense and avoid come again for each further part.
    if (code == th_resultOk)
        code = moveAgents(&step);

    // What hosts see. Rows have new places in any case once they were sorted.
    if (code != th_resultOk)
        thiUndoStep(world, &step.marks);
    if (isSorted) {
        report(&step, code == th_resultOk);
        endStage(&step, th_stageReport);
    }
    closeTrace(world, &trace);
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
