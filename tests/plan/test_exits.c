// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A hall with two equal exits, for every planner: one closes and opens again, or has a queue in
// front.
//
//         ┌───────────────┐
//      ║ ──               ── ║      goals lie beyond the exits
//      ║ ──               ── ║
//         └───────────────┘

#include "plan/plan_gear.h"
#include "sim/world_internal.h"
#include "throng/roadmap.h"

#include <stdlib.h>

#define WIDTH 30.0f  // of the hall [m]
#define HEIGHT 20.0f // [m]
#define DOOR 0.75f   // half of its width [m]
#define MOST 360     // agents

typedef enum Side { nowhere, west, east } Side;

typedef struct Hall {
    thWorld* world;
    thProfileId profile;
    thGoalId goal;
    thAgentId agents[MOST];
    int32_t count;
} Hall;

// Sets a parameter of a planner by its name in scene files.
static void setParam(const thMethod* method, const char* name, float value, void* params)
{
    for (int32_t i = 0; i < method->paramCount; ++i)
        if (strcmp(method->params[i].name, name) == 0) {
            assert_int_equal(method->params[i].kind, th_paramFloat);
            memcpy((char*)params + method->params[i].offset, &value, sizeof value);
            return;
        }
    fail_msg("%s has no parameter %s", method->name, name);
}

static thProfileId addProfile(thWorld* world, const char* planner, float crowding)
{
    const thMethod* method = thiFindMethod(world, th_methodPlan, planner, NULL);
    assert_non_null(method);
    void* params = malloc(method->paramSize);
    assert_non_null(params);
    memcpy(params, method->defaults, method->paramSize);
    if (crowding > 0.0f)
        setParam(method, "crowding", crowding, params);
    thProfileDef def = thDefaultProfileDef();
    def.plan = (thMethodUse){planner, params};
    def.avoid.name = "orca";
    def.arrival = th_arrivalLeave;
    thProfileId id;
    assert_ok(thCreateProfile(world, &def, &id, NULL));
    free(params);
    return id;
}

static thGoalId addGate(thWorld* world, float x)
{
    const thVec2 ends[] = {{x, HEIGHT / 2.0f - DOOR}, {x, HEIGHT / 2.0f + DOOR}};
    return shapeGoal(world, th_goalSegment, ends, 2, 0.0f);
}

static thGoalId addEither(thWorld* world, const thGoalId* goals, int32_t count)
{
    thGoalDef def = thDefaultGoalDef();
    def.kind = th_goalAlternatives;
    def.goals = goals;
    def.goalCount = count;
    thGoalId id;
    assert_ok(thCreateGoal(world, &def, &id));
    return id;
}

static void addHalf(thWorld* world, float door, float end)
{
    const thVec2 points[] = {{0.0f, door}, {0.0f, end}, {WIDTH, end}, {WIDTH, door}};
    addObstacle(world, th_obstacleWall, 0, points, 4);
}

static void openHall(const char* planner, float crowding, Hall* hall)
{
    *hall = (Hall){.world = createPlanWorld(0)};
    addHalf(hall->world, HEIGHT / 2.0f - DOOR, 0.0f);
    addHalf(hall->world, HEIGHT / 2.0f + DOOR, HEIGHT);
    thRoadmapDef roadmap = thDefaultRoadmapDef();
    roadmap.name = "cells";
    roadmap.kind = th_roadmapGrid;
    roadmap.low = (thVec2){-2.0f, 0.0f};
    roadmap.high = (thVec2){WIDTH + 2.0f, HEIGHT};
    roadmap.side = 0.5f;
    thRoadmapId id;
    assert_ok(thCreateRoadmap(hall->world, &roadmap, &id));
    const thGoalId gates[] = {addGate(hall->world, -1.0f), addGate(hall->world, WIDTH + 1.0f)};
    hall->goal = addEither(hall->world, gates, 2);
    hall->profile = addProfile(hall->world, planner, crowding);
}

static thVec2 placeOf(const Hall* hall, int32_t i)
{
    return thAgent_Get(hall->world, hall->agents[i]).position;
}

static bool isThere(const Hall* hall, int32_t i)
{
    return thAgent_IsValid(hall->world, hall->agents[i]) != 0;
}

static bool isTaken(const Hall* hall, thVec2 at)
{
    for (int32_t i = 0; i < hall->count; ++i)
        if (isThere(hall, i) &&
            hypotf(placeOf(hall, i).x - at.x, placeOf(hall, i).y - at.y) < 0.55f)
            return true;
    return false;
}

// At random places of a box where nobody stands.
static void addCrowd(Hall* hall, thGenerator* g, int32_t count, thVec2 low, thVec2 high,
                     uint32_t flags)
{
    thAgentDef def = thDefaultAgentDef();
    def.profile = hall->profile;
    def.goal = hall->goal;
    def.flags = flags;
    for (int32_t added = 0; added < count;) {
        def.position = (thVec2){drawFloat(g, low.x, high.x), drawFloat(g, low.y, high.y)};
        if (isTaken(hall, def.position))
            continue;
        assert_in_range(hall->count, 0, MOST - 1);
        assert_ok(thCreateAgent(hall->world, &def, &hall->agents[hall->count++]));
        added += 1;
    }
}

// Where its path ends.
static Side headsFor(const Hall* hall, int32_t i)
{
    thVec2 points[256];
    thPath path;
    assert_ok(thAgent_GetPath(hall->world, hall->agents[i], points, 256, &path));
    if (path.answer != th_planComplete)
        return nowhere;
    assert_in_range(path.pointCount, 1, 256);
    return points[path.pointCount - 1].x < WIDTH / 2.0f ? west : east;
}

// Makes a step and notes by which exit agents have left.
static void step(Hall* hall, Side* left)
{
    bool here[MOST];
    thVec2 at[MOST];
    for (int32_t i = 0; i < hall->count; ++i) {
        here[i] = isThere(hall, i);
        at[i] = here[i] ? placeOf(hall, i) : (thVec2){0};
    }
    assert_ok(thWorld_Step(hall->world, DT));
    for (int32_t i = 0; i < hall->count; ++i)
        if (here[i] && !isThere(hall, i))
            left[i] = at[i].x < WIDTH / 2.0f ? west : east;
}

static int32_t countLeft(const Side* left, int32_t first, int32_t end, Side side)
{
    int32_t count = 0;
    for (int32_t i = first; i < end; ++i)
        count += left[i] == side;
    return count;
}

static bool isInside(const Hall* hall, int32_t i)
{
    return isThere(hall, i) && placeOf(hall, i).x > 0.0f && placeOf(hall, i).x < WIDTH;
}

enum {
    closing = 200,
    opening = 400,
    end = 2000,
    firstWave = 260,
    secondWave = 100
}; // steps, agents

// What happens around the exit in the west that closes.
typedef struct Closing {
    Hall hall;
    thGenerator g;
    Side left[MOST];
    bool inside[MOST], westward[MOST]; // when it closed: in the hall, and on its way to that exit
    int32_t insideCount;
    int32_t firstTurn, lastTurn; // steps until the first, and all, of these head for the other exit
    thObstacleId door;
} Closing;

static void runUntil(Closing* story, int32_t begin, int32_t stop)
{
    for (int32_t i = begin; i < stop; ++i)
        step(&story->hall, story->left);
}

static void fillHall(Closing* story, const char* planner)
{
    *story = (Closing){.g = makeGenerator(21, 0)};
    openHall(planner, 0.0f, &story->hall);
    addCrowd(&story->hall, &story->g, firstWave, (thVec2){4.0f, 1.0f},
             (thVec2){WIDTH - 4.0f, HEIGHT - 1.0f}, 0);
    runUntil(story, 0, closing);
    assert_true(countLeft(story->left, 0, firstWave, west) >= 30);
    assert_true(countLeft(story->left, 0, firstWave, east) >= 30);
}

static void closeExit(Closing* story)
{
    const Hall* hall = &story->hall;
    int32_t westward = 0;
    for (int32_t i = 0; i < hall->count; ++i) {
        story->inside[i] = isInside(hall, i);
        story->westward[i] = story->inside[i] && headsFor(hall, i) == west;
        story->insideCount += story->inside[i];
        westward += story->westward[i];
    }
    assert_true(westward >= 20);
    story->door = addWall(hall->world, 0.0f, HEIGHT / 2.0f - DOOR, 0.0f, HEIGHT / 2.0f + DOOR);
}

static void watchTurns(Closing* story, int32_t steps)
{
    const Hall* hall = &story->hall;
    int32_t turned = 0, asked = 0;
    for (int32_t i = 0; i < hall->count; ++i)
        if (story->westward[i]) {
            asked += 1;
            turned += !isThere(hall, i) || headsFor(hall, i) == east;
        }
    if (turned > 0 && story->firstTurn == 0)
        story->firstTurn = steps;
    if (turned == asked && story->lastTurn == 0)
        story->lastTurn = steps;
}

static int32_t countInsideLeft(const Closing* story, Side side)
{
    int32_t count = 0;
    for (int32_t i = 0; i < firstWave; ++i)
        count += story->inside[i] && story->left[i] == side;
    return count;
}

static void checkClosing(const char* planner)
{
    Closing story;
    fillHall(&story, planner);
    closeExit(&story);
    for (int32_t i = closing; i < end; ++i) {
        step(&story.hall, story.left);
        watchTurns(&story, i + 1 - closing);
    }
    const int32_t others = countInsideLeft(&story, east);
    print_message("%-10s of %d people %d leave by the other exit; the first heads there after "
                  "%.1f s, the last after %.1f s\n",
                  planner, story.insideCount, others, 0.1 * story.firstTurn, 0.1 * story.lastTurn);
    assert_int_equal(countInsideLeft(&story, west), 0);
    assert_true(others >= 0.95 * story.insideCount);
    assert_in_range(story.firstTurn, 1, 20);
    thDestroyWorld(story.hall.world);
}

// Those who come after it has opened again use both.
static void checkOpening(const char* planner)
{
    Closing story;
    fillHall(&story, planner);
    closeExit(&story);
    runUntil(&story, closing, opening);
    assert_int_equal(countInsideLeft(&story, west), 0);
    assert_ok(thDestroyObstacle(story.hall.world, story.door));
    addCrowd(&story.hall, &story.g, secondWave, (thVec2){10.0f, 1.0f},
             (thVec2){20.0f, HEIGHT - 1.0f}, 0);
    runUntil(&story, opening, end);
    const int32_t count = story.hall.count;
    const int32_t newWest = countLeft(story.left, firstWave, count, west);
    const int32_t newEast = countLeft(story.left, firstWave, count, east);
    print_message("%-10s open again: of %d people %d leave west, %d east\n", planner, secondWave,
                  newWest, newEast);
    assert_true(newWest >= secondWave / 4 && newEast >= secondWave / 4);
    assert_int_equal(countLeft(story.left, 0, count, nowhere), 0);
    thDestroyWorld(story.hall.world);
}

static void testClosing(void** state)
{
    (void)state;
    const char* const planners[] = {"visibility", "roadmap", "flow"};
    for (size_t i = 0; i < sizeof planners / sizeof planners[0]; ++i) {
        checkClosing(planners[i]);
        checkOpening(planners[i]);
    }
}

enum { queue = 100, newcomers = 50 };

// A queue that does not move in front of the exit in the west; how many of those who come, a little
// nearer to that, go east.
static int32_t countEastward(const char* planner, float crowding)
{
    Hall hall;
    thGenerator g = makeGenerator(22, 0);
    openHall(planner, crowding, &hall);
    addCrowd(&hall, &g, queue, (thVec2){0.5f, 6.0f}, (thVec2){6.5f, 14.0f}, th_agentWaiting);
    addCrowd(&hall, &g, newcomers, (thVec2){11.5f, 5.0f}, (thVec2){14.5f, 15.0f}, 0);
    Side left[MOST] = {nowhere};
    for (int32_t i = 0; i < 400; ++i)
        step(&hall, left);
    int32_t count = 0;
    for (int32_t i = queue; i < hall.count; ++i)
        count += left[i] == east || (isThere(&hall, i) && placeOf(&hall, i).x > WIDTH / 2.0f);
    print_message("%-10s crowding %g: %d of %d go east, %d of them are through\n", planner,
                  crowding, count, newcomers, countLeft(left, queue, hall.count, east));
    thDestroyWorld(hall.world);
    return count;
}

static void testQueue(void** state)
{
    (void)state;
    const char* const planners[] = {"visibility", "roadmap", "flow"};
    for (size_t i = 0; i < sizeof planners / sizeof planners[0]; ++i) {
        assert_int_equal(countEastward(planners[i], 0.0f), 0);
        assert_true(countEastward(planners[i], 1.0f) > newcomers / 2);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testClosing),
        cmocka_unit_test(testQueue),
    };
    return RUN_TESTS(tests, argc, argv);
}
