// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Paths between places, without an agent or a step. A planner of the finder's own is shown a frame
// with the world's walls and one row, step after step, until it has an answer. It is kept for the
// next question, so that graphs and grids are made once.

#include "base/machine.h"
#include "sim/ranges.h"
#include "sim/world_internal.h"
#include "throng/query.h"

#include <string.h>

// Steps of a planner after which a search counts as one without end.
#define MOST_STEPS 1000000

// What a batch of one agent has, and the inert lanes beside it.
#define LANES 16

// Rows of the frame: one, and the inert ones.
#define ROWS (1 + LANES)

struct thPathFinder {
    thMethodInUse use;
    thGoals goals; // two points that take turns, so that no goal seems to move
    uint64_t step;
    void* state; // of the agent that is not there
};

// The one row.
typedef struct Columns {
    int32_t px[ROWS], py[ROWS], goal[ROWS], goalIndex[ROWS], slot[ROWS], group[ROWS];
    float zeros[ROWS], ones[ROWS], radius[ROWS];
    uint16_t profile[ROWS], level[ROWS];
    uint32_t flags[ROWS], layers[ROWS];
    uint64_t key[ROWS];
} Columns;

thPathQuery thDefaultPathQuery(void)
{
    return (thPathQuery){.size = sizeof(thPathQuery), .radius = 0.25f};
}

void thiFreePathFinder(thWorld* world)
{
    thPathFinder* finder = world->finder;
    if (finder == NULL)
        return;
    if (finder->use.method != NULL)
        thiRelease(world->account, finder->state, finder->use.method->stateSize);
    thiFreeMethod(world, &finder->use);
    thiArrayFree(&finder->goals.goals);
    thiRelease(world->account, finder, sizeof *finder);
    world->finder = NULL;
}

// Whether the finder that there is plans so.
static bool isFinderFor(const thWorld* world, const thMethod* method, const thMethodUse* plan)
{
    const thPathFinder* finder = world->finder;
    if (finder == NULL || finder->use.method != method)
        return false;
    const void* params = plan->params != NULL ? plan->params : method->defaults;
    return method->paramSize == 0 || params == NULL ||
           memcmp(finder->use.params, params, method->paramSize) == 0;
}

static thResult addGoals(thMemory* memory, thGoals* goals)
{
    goals->goals = thiArray(memory, sizeof(thGoal));
    thGoal* items = thiArrayAdd(&goals->goals, 2);
    if (items == NULL)
        return th_resultNoMemory;
    items[0] = items[1] = (thGoal){.kind = th_goalPoint};
    return th_resultOk;
}

static thResult makeFinder(thWorld* world, const thMethodUse* plan, thError* error)
{
    thPathFinder* finder = thiAllocateZero(world->account, sizeof *finder);
    if (finder == NULL)
        return th_resultNoMemory;
    world->finder = finder;
    TH_TRY(addGoals(world->account, &finder->goals));
    TH_TRY(thiMakeMethod(world, 0, th_methodPlan, plan, &finder->use, error));
    const size_t size = finder->use.method->stateSize;
    finder->state = size > 0 ? thiAllocateZero(world->account, size) : NULL;
    return size > 0 && finder->state == NULL ? th_resultNoMemory : th_resultOk;
}

// The finder of a planner, made if it is not there.
static thResult openFinder(thWorld* world, const thMethodUse* plan, thError* error)
{
    const thMethod* method = thiFindMethod(world, th_methodPlan, plan->name, error);
    if (method == NULL)
        return th_resultUnavailable;
    if (method->path == NULL)
        return thiFail(error, th_resultUnavailable, "planner '%s' does not tell paths",
                       method->name);
    if (isFinderFor(world, method, plan))
        return th_resultOk;
    thiFreePathFinder(world);
    return makeFinder(world, plan, error);
}

static void fillColumns(const thPathQuery* query, int32_t goal, Columns* columns)
{
    const thPoint from = thiPointOf(query->from);
    memset(columns, 0, sizeof *columns);
    columns->px[0] = from.x;
    columns->py[0] = from.y;
    columns->goal[0] = goal;
    columns->radius[0] = query->radius;
    columns->level[0] = (uint16_t)query->level;
    columns->flags[0] = th_agentAlive;
    columns->key[0] = 1;
    for (int32_t i = 0; i < ROWS; ++i) {
        columns->ones[i] = 1.0f;
        columns->goal[i] = i == 0 ? goal : -1;
        columns->group[i] = -1;
    }
}

// The world's walls and roadmaps, and nobody but the one row.
static thFrame frameOf(const thWorld* world, const Columns* columns)
{
    thFrame frame = thiMakeFrame(world, 1.0f);
    frame.count = 1;
    frame.step = world->finder->step;
    frame.px = columns->px;
    frame.py = columns->py;
    frame.vx = frame.vy = frame.heading = frame.maxAccel = columns->zeros;
    frame.radius = columns->radius;
    frame.yield = frame.prefSpeed = frame.maxSpeed = columns->ones;
    frame.layers = frame.mask = columns->layers;
    frame.profile = columns->profile;
    frame.level = columns->level;
    frame.flags = columns->flags;
    frame.goal = columns->goal;
    frame.goalIndex = columns->goalIndex;
    frame.slot = columns->slot;
    frame.key = columns->key;
    frame.goals = &world->finder->goals;
    frame.goalsRevision = world->finder->goals.revision + 1;
    frame.shapes = NULL;
    frame.agentGrid = NULL;
    frame.agentDrift = 0;
    frame.aims = NULL;
    frame.group = columns->group;
    return frame;
}

// Asks the planner for the row, as a step does.
static thPlanAnswer solve(thWorld* world, const thFrame* frame, thArena* scratch)
{
    const thMethodInUse* use = &world->finder->use;
    float written[9][LANES] = {0}, interval = frame->dt;
    int32_t row[LANES] = {0}, none[LANES] = {0};
    uint8_t answer[LANES] = {0}, status[LANES] = {0};
    void* states[LANES] = {world->finder->state};
    thiArenaReset(scratch);
    const thBatch batch = {.frame = frame,
                           .count = 1,
                           .lanes = LANES,
                           .row = row,
                           .vx = frame->vx,
                           .vy = frame->vy,
                           .radius = frame->radius,
                           .prefSpeed = frame->prefSpeed,
                           .maxSpeed = frame->maxSpeed,
                           .maxAccel = frame->maxAccel,
                           .guideX = written[0],
                           .guideY = written[1],
                           .cornerX = written[2],
                           .cornerY = written[3],
                           .remaining = written[4],
                           .answer = answer,
                           .neighborCount = none,
                           .wallCount = none,
                           .moverCount = none,
                           .outVx = written[5],
                           .outVy = written[6],
                           .status = status,
                           .interval = &interval,
                           .state = use->method->stateSize > 0 ? states : NULL,
                           .scratch = scratch};
    use->method->solve(&batch, use->params, use->shared);
    return (thPlanAnswer)answer[0];
}

static thResult prepare(thWorld* world, const thFrame* frame)
{
    const thMethodInUse* use = &world->finder->use;
    const thMethodUser user = {0, use->params};
    if (use->hasCommon && use->method->prepareCommon != NULL)
        TH_TRY(use->method->prepareCommon(thiCommonOf(world, use->method), frame, world->tasks,
                                          &user, 1));
    return use->method->prepare != NULL ? use->method->prepare(use->shared, frame, world->tasks)
                                        : th_resultOk;
}

// Until the planner has found a path, or knows that there is none.
static thResult search(thWorld* world, const thPathQuery* query, thPathOut* out)
{
    thPathFinder* finder = world->finder;
    thArena* scratch = &TH_ITEMS(world->workers, thWorker)[0].scratch;
    const int32_t goal = (int32_t)(finder->goals.revision % 2);
    Columns columns;
    fillColumns(query, goal, &columns);
    thiGoalAt(&finder->goals, goal)->point = thiPointOf(query->to);
    finder->goals.revision += 1;
    if (finder->state != NULL)
        memset(finder->state, 0, finder->use.method->stateSize);
    thPlanAnswer answer = th_planPending;
    for (int32_t i = 0; i < MOST_STEPS && answer == th_planPending; ++i) {
        finder->step += 1;
        const thFrame frame = frameOf(world, &columns);
        TH_TRY(prepare(world, &frame));
        answer = solve(world, &frame, scratch);
    }
    const thFrame frame = frameOf(world, &columns);
    finder->use.method->path(&frame, 0, finder->use.params, finder->use.shared, finder->state, out);
    return th_resultOk;
}

static thResult findPath(thWorld* world, const thPathQuery* query, thVec2* points, int32_t capacity,
                         thPath* path)
{
    const size_t size = (size_t)TH_MAX(capacity, 1) * sizeof(int32_t);
    thPathOut out = {.x = thiAllocate(world->account, size),
                     .y = thiAllocate(world->account, size),
                     .capacity = capacity};
    thResult code = out.x != NULL && out.y != NULL ? th_resultOk : th_resultNoMemory;
    if (code == th_resultOk)
        code = thiUpdateWalls(world);
    if (code == th_resultOk)
        code = search(world, query, &out);
    if (code == th_resultOk) {
        for (int32_t i = 0; i < TH_MIN(out.count, capacity); ++i)
            points[i] = (thVec2){thiMetres(out.x[i]), thiMetres(out.y[i])};
        *path = (thPath){
            .answer = out.answer, .pointCount = out.count, .length = out.length, .why = out.why};
    }
    thiRelease(world->account, out.x, size);
    thiRelease(world->account, out.y, size);
    return code;
}

thResult thWorld_FindPath(thWorld* world, const thPathQuery* given, thVec2* points,
                          int32_t capacity, thPath* path, thError* error)
{
    TH_REQUIRE(path != NULL, th_resultBadArgument);
    *path = (thPath){.answer = th_planPending};
    TH_REQUIRE(world != NULL && !world->stepping, th_resultBadArgument);
    TH_REQUIRE(capacity >= 0 && (capacity == 0 || points != NULL), th_resultBadArgument);
    thPathQuery query = thDefaultPathQuery();
    TH_REQUIRE(thiReadDef(&query, given, sizeof query, sizeof query), th_resultBadArgument);
    TH_REQUIRE(thiIsPlace(query.from) && thiIsPlace(query.to), th_resultBadArgument);
    TH_REQUIRE(thiIsBetween(query.radius, 0.0f, 100.0f), th_resultBadArgument);
    TH_REQUIRE(thiIsLevel(query.level), th_resultBadArgument);
    const thFpEnvironment hostEnvironment = thiFpEnter();
    thResult code = openFinder(world, &query.plan, error);
    if (code == th_resultOk)
        code = findPath(world, &query, points, capacity, path);
    if (code != th_resultOk)
        thiFreePathFinder(world); // it may be half made
    thiFpRestore(hostEnvironment);
    return code;
}
