// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `roadmap` through worlds: agents that walk along graphs of every kind, gaps that are used
// in their whole width, doors, answers where there is no path, and the same results whoever
// computes them.

#include "throng/roadmap.h"

#include "gear/allocators.h"
#include "plan/plan_gear.h"
#include "sim/world_internal.h"

#include <stdio.h>
#include <stdlib.h>

static thProfileId makeProfile(thWorld* world, const char* graph, const char* avoid)
{
    thRoadmapUse use = thDefaultRoadmapUse();
    snprintf(use.graph, sizeof use.graph, "%s", graph);
    return addPlanner(world, "roadmap", &use, avoid);
}

// Round a wall over the one node that is given.
static void testOneNode(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(1);
    addWall(world, 0.0f, -10.0f, 0.0f, 5.0f);
    const thVec2 node = {0.0f, 7.0f};
    addRoadmap(world, "a", &node, NULL, 1);
    const thAgentId agent =
        addAgent(world, makeProfile(world, "", "none"), -3.0f, 0.0f, pointGoal(world, 3.0f, 0.0f));
    thVec2 points[8];
    assert_ok(thWorld_Step(world, DT));
    const thPath path = pathOf(world, agent, points, 8);
    assert_int_equal(path.answer, th_planComplete);
    assert_int_equal(path.pointCount, 3);
    assert_true(points[1].x == 0.0f && points[1].y == 7.0f);
    assert_in_range(stepsToArrive(world, agent, 200), 80, 120);
    thDestroyWorld(world);
}

// Agents of every kind of graph arrive, and keep clear of walls on their way.
static void testKinds(void** state)
{
    (void)state;
    for (int32_t kind = 0; kind < 4; ++kind) {
        thWorld* world = createPlanWorld(1);
        addCity(world, 4, 4);
        thRoadmapDef def = thDefaultRoadmapDef();
        def.name = "a";
        def.kind = (thRoadmapKind)(th_roadmapStreets + kind);
        def.from = (thVec2){-4.0f, -4.0f};
        def.spacing = (thVec2){28.0f, 22.0f};
        def.columns = def.rows = 5;
        if (kind > 0) {
            def.low = (thVec2){-8.0f, -8.0f};
            def.high = (thVec2){112.0f, 88.0f};
        }
        thRoadmapId id;
        assert_ok(thCreateRoadmap(world, &def, &id));
        const thProfileId profile = makeProfile(world, "a", "none");
        thAgentId agents[20];
        for (int32_t i = 0; i < 20; ++i) {
            const float row = (float)(i % 5);
            agents[i] = addAgent(world, profile, 3.0f * (float)i, 22.0f * row - 4.5f,
                                 pointGoal(world, 78.0f - 3.0f * (float)i, 84.0f - 22.0f * row));
        }
        for (int32_t step = 0; step < 1500; ++step)
            assert_ok(thWorld_Step(world, DT));
        for (int32_t i = 0; i < 20; ++i)
            assert_true(hasArrived(world, agents[i]));
        thDestroyWorld(world);
    }
}

// Where agents cross the line x = 0. [m]
typedef struct Crossing {
    float least, most;
    int32_t count;
    int32_t inPart[10]; // of ten parts of the gap's width
} Crossing;

static void watchCrossings(thWorld* world, const thAgentId* agents, int32_t count, int32_t steps,
                           float half, Crossing* crossing)
{
    float* before = calloc((size_t)count, sizeof *before);
    for (int32_t i = 0; i < count; ++i)
        before[i] = thAgent_Get(world, agents[i]).position.x;
    *crossing = (Crossing){.least = INFINITY, .most = -INFINITY};
    for (int32_t step = 0; step < steps; ++step) {
        assert_ok(thWorld_Step(world, DT));
        for (int32_t i = 0; i < count; ++i) {
            const thVec2 at = thAgent_Get(world, agents[i]).position;
            if (before[i] < 0.0f && at.x >= 0.0f) {
                crossing->least = fminf(crossing->least, at.y);
                crossing->most = fmaxf(crossing->most, at.y);
                crossing->count += 1;
                const int32_t part = (int32_t)((at.y + half) / (2.0f * half) * 10.0f);
                crossing->inPart[part < 0 ? 0 : part > 9 ? 9 : part] += 1;
            }
            before[i] = at.x;
        }
    }
    free(before);
}

// 100 agents pass a gap of 6 m that is a portal of the roadmap, and use most of its width, avoiding
// each other or not.
static void testGap(void** state)
{
    (void)state;
    const char* const avoids[] = {"none", "orca"};
    for (int32_t k = 0; k < 2; ++k) {
        thWorldDef worldDef = thDefaultWorldDef();
        worldDef.contacts = k;
        thWorld* world = NULL;
        assert_ok(thCreateWorld(&worldDef, &world));
        addWall(world, 0.0f, -40.0f, 0.0f, -3.0f);
        addWall(world, 0.0f, 3.0f, 0.0f, 40.0f);
        const thVec2 node = {0.0f, -3.0f}, end = {0.0f, 3.0f};
        addRoadmap(world, "gap", &node, &end, 1);
        const thProfileId profile = makeProfile(world, "gap", avoids[k]);
        const thGoalId goal = pointGoal(world, 30.0f, 0.0f);
        thAgentId agents[100];
        for (int32_t i = 0; i < 100; ++i)
            agents[i] = addAgent(world, profile, -10.0f - (float)(i / 10),
                                 2.4f * (float)(i % 10) - 10.8f, goal);
        Crossing crossing;
        watchCrossings(world, agents, 100, 600, 3.0f, &crossing);
        print_message("%s: %d crossed from %.2f to %.2f m of 6 m:", avoids[k], crossing.count,
                      (double)crossing.least, (double)crossing.most);
        for (int32_t i = 0; i < 10; ++i)
            print_message(" %d", crossing.inPart[i]);
        print_message("\n");
        assert_int_equal(crossing.count, 100);
        assert_true(crossing.most - crossing.least > 0.8f * 6.0f);
        thDestroyWorld(world);
    }
}

// The least distance of a path from the two walls of the gap, which end at (0, ±3). [m]
static double clearanceOf(const thVec2* points, int32_t count)
{
    double least = INFINITY;
    for (int32_t i = 0; i + 1 < count; ++i)
        for (int32_t k = 0; k <= 1000; ++k) {
            const double share = k / 1000.0;
            const double x = points[i].x + share * (double)(points[i + 1].x - points[i].x);
            const double y = points[i].y + share * (double)(points[i + 1].y - points[i].y);
            const double beside = fmax(3.0 - fabs(y), 0.0);
            least = fmin(least, hypot(x, beside));
        }
    return least;
}

// Paths through a portal keep clear of the walls beside it, and are hardly longer than the shortest
// ones, which method `visibility` tells.
static void testThroughPortal(void** state)
{
    (void)state;
    thWorldDef worldDef = thDefaultWorldDef();
    worldDef.contacts = 0;
    thWorld* world = NULL;
    assert_ok(thCreateWorld(&worldDef, &world));
    addWall(world, 0.0f, -40.0f, 0.0f, -3.0f);
    addWall(world, 0.0f, 3.0f, 0.0f, 40.0f);
    const thVec2 node = {0.0f, -3.0f}, end = {0.0f, 3.0f};
    addRoadmap(world, "gap", &node, &end, 1);
    const thProfileId profile = makeProfile(world, "gap", "none");
    thProfileDef exactDef = thDefaultProfileDef();
    exactDef.plan.name = "visibility";
    thProfileId exact;
    assert_ok(thCreateProfile(world, &exactDef, &exact, NULL));
    thAgentId agents[40], others[40];
    for (int32_t i = 0; i < 40; ++i) {
        const float x = -4.0f - (float)(i % 7), y = 1.3f * (float)(i % 17) - 10.0f;
        const thGoalId goal =
            pointGoal(world, 4.0f + (float)(i % 5), 10.0f - 1.7f * (float)(i % 13));
        agents[i] = addAgent(world, profile, x, y, goal);
        others[i] = addAgent(world, exact, x, y, goal);
        assert_ok(thAgent_SetWaiting(world, agents[i], 1));
        assert_ok(thAgent_SetWaiting(world, others[i], 1));
    }
    assert_ok(thWorld_Step(world, DT));
    for (int32_t i = 0; i < 40; ++i) {
        thVec2 points[8];
        const thPath path = pathOf(world, agents[i], points, 8);
        const thPath shortest = pathOf(world, others[i], NULL, 0);
        assert_int_equal(path.answer, th_planComplete);
        assert_int_equal(shortest.answer, th_planComplete);
        assert_in_range(path.pointCount, 2, 4);
        assert_true(clearanceOf(points, path.pointCount) > 0.25 - 0.0021);
        assert_true(path.length < 1.1 * shortest.length);
        assert_true(path.length > 0.999 * shortest.length);
    }
    thDestroyWorld(world);
}

static thGoalId exitGoal(thWorld* world, float x, float low, float high)
{
    return shapeGoal(world, th_goalSegment, (thVec2[]){{x, low}, {x, high}}, 2, 0.0f);
}

// Over cells, of two wide exits everybody goes to the nearer one, in its whole width; whether the
// path comes from a tree or from a search of one's own.
static void testExitsOfCells(void** state)
{
    (void)state;
    for (int32_t shared = 0; shared < 2; ++shared) {
        thWorld* world = createPlanWorld(1);
        const thVec2 room[] = {{0.0f, 0.0f}, {40.0f, 0.0f}, {40.0f, 10.0f}, {0.0f, 10.0f}};
        addObstacle(world, th_obstacleRoom, 0, room, 4);
        addRule(world, "cells", th_roadmapGrid, 1.0f);
        const thProfileId profile = makeProfile(world, "", "none");
        thGoalDef def = thDefaultGoalDef();
        def.kind = th_goalAlternatives;
        def.goals =
            (thGoalId[]){exitGoal(world, 0.4f, 1.0f, 9.0f), exitGoal(world, 39.6f, 3.0f, 7.0f)};
        def.goalCount = 2;
        thGoalId goal;
        thAgentId agents[30];
        for (int32_t i = 0; i < 30; ++i) {
            if (i == 0 || shared == 0)
                assert_ok(thCreateGoal(world, &def, &goal));
            agents[i] =
                addAgent(world, profile, 2.5f + (float)(i * 7 % 36), 0.5f + (float)(i % 10), goal);
        }
        for (int32_t step = 0; step < 3; ++step)
            assert_ok(thWorld_Step(world, DT));
        int32_t used[2][10] = {{0}};
        for (int32_t i = 0; i < 30; ++i) {
            thVec2 points[64];
            const thPath path = pathOf(world, agents[i], points, 64);
            assert_int_equal(path.answer, th_planComplete);
            const thVec2 last = points[path.pointCount - 1];
            const bool isEast = last.x > 20.0f;
            assert_near(last.x, isEast ? 39.6 : 0.4, 0.001);
            assert_true(isEast == (points[0].x > 20.0f) || fabsf(points[0].x - 20.0f) < 3.0f);
            used[isEast][(int32_t)last.y] = 1;
        }
        int32_t rows[2] = {0, 0};
        for (int32_t i = 0; i < 20; ++i)
            rows[i / 10] += used[i / 10][i % 10];
        assert_in_range(rows[0], 6, 10);
        assert_in_range(rows[1], 3, 5);
        thDestroyWorld(world);
    }
}

// Put elsewhere by the host, an agent finds its path from there.
static void testPushedOff(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(1);
    addCity(world, 3, 3);
    thRoadmapDef def = thDefaultRoadmapDef();
    def.name = "a";
    def.kind = th_roadmapStreets;
    def.from = (thVec2){-4.0f, -4.0f};
    def.spacing = (thVec2){28.0f, 22.0f};
    def.columns = def.rows = 4;
    thRoadmapId id;
    assert_ok(thCreateRoadmap(world, &def, &id));
    const thAgentId agent = addAgent(world, makeProfile(world, "a", "none"), -4.0f, -4.0f,
                                     pointGoal(world, 79.0f, 61.0f));
    for (int32_t i = 0; i < 100; ++i)
        assert_ok(thWorld_Step(world, DT));
    assert_ok(thAgent_SetPlace(world, agent, (thVec2){52.0f, 6.0f}, 0, th_placementRefuse));
    assert_ok(thWorld_Step(world, DT));
    thVec2 points[16];
    thPath path = pathOf(world, agent, points, 16);
    for (int32_t i = 0; i < 16 && path.answer != th_planComplete; ++i) {
        assert_ok(thWorld_Step(world, DT));
        path = pathOf(world, agent, points, 16);
    }
    assert_int_equal(path.answer, th_planComplete);
    assert_in_range(stepsToArrive(world, agent, 1000), 300, 999);
    thDestroyWorld(world);
}

// Two doors: when one shuts, the path leads through the other within a few steps, and back again.
static void testDoor(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(1);
    addWall(world, 0.0f, -30.0f, 0.0f, -11.0f);
    addWall(world, 0.0f, -9.0f, 0.0f, 4.0f);
    addWall(world, 0.0f, 6.0f, 0.0f, 30.0f);
    const thVec2 nodes[] = {{-1.0f, 5.0f}, {1.0f, 5.0f}, {-1.0f, -10.0f}, {1.0f, -10.0f}};
    addRoadmap(world, "doors", nodes, NULL, 4);
    const thAgentId agent = addAgent(world, makeProfile(world, "doors", "none"), -10.0f, 0.0f,
                                     pointGoal(world, 10.0f, -1.0f));
    thVec2 points[8];
    for (int32_t round = 0; round < 2; ++round) {
        assert_ok(thWorld_Step(world, DT));
        thPath path = pathOf(world, agent, points, 8);
        assert_int_equal(path.answer, th_planComplete);
        assert_true(points[1].y == 5.0f);
        const thObstacleId door = addWall(world, 0.0f, 4.0f, 0.0f, 6.0f);
        assert_ok(thWorld_Step(world, DT));
        path = pathOf(world, agent, points, 8);
        assert_int_equal(path.answer, th_planComplete);
        assert_true(points[1].y == -10.0f);
        const thObstacleId other = addWall(world, 0.0f, -11.0f, 0.0f, -9.0f);
        assert_ok(thWorld_Step(world, DT));
        path = pathOf(world, agent, points, 8);
        assert_int_equal(path.answer, th_planNone);
        assert_non_null(path.why);
        assert_ok(thDestroyObstacle(world, other));
        assert_ok(thDestroyObstacle(world, door));
    }
    assert_in_range(stepsToArrive(world, agent, 400), 100, 399);
    thDestroyWorld(world);
}

static const char* whyNone(thWorld* world, thAgentId agent)
{
    assert_ok(thWorld_Step(world, DT));
    const thPath path = pathOf(world, agent, NULL, 0);
    assert_int_equal(path.answer, th_planNone);
    assert_non_null(path.why);
    return path.why;
}

// Where the roadmap itself is the reason, that is said; when it comes, the path is found.
static void testNoRoadmap(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(1);
    addWall(world, 0.0f, -10.0f, 0.0f, 5.0f);
    const thGoalId goal = pointGoal(world, 3.0f, 0.0f);
    const thAgentId any = addAgent(world, makeProfile(world, "", "none"), -3.0f, 0.0f, goal);
    const thAgentId named = addAgent(world, makeProfile(world, "a", "none"), -3.0f, 1.0f, goal);
    const thVec2 node = {0.0f, 7.0f}, inWall = {0.0f, 2.0f};
    assert_string_equal(whyNone(world, any), "there is no roadmap");
    assert_string_equal(whyNone(world, named),
                        "there is no roadmap of the name that its profile gives");
    const thRoadmapId other = addRoadmap(world, "b", &inWall, NULL, 1);
    assert_string_equal(whyNone(world, any), "no node of the roadmap has room for it");
    thRoadmapDef def = thDefaultRoadmapDef();
    def.name = "a";
    def.nodes = &node;
    def.nodeCount = 1;
    def.level = 1;
    thRoadmapId id;
    assert_ok(thCreateRoadmap(world, &def, &id));
    assert_string_equal(whyNone(world, any),
                        "there are several roadmaps and its profile names none");
    assert_string_equal(whyNone(world, named), "its roadmap is of another floor");
    assert_ok(thDestroyRoadmap(world, id));
    assert_ok(thDestroyRoadmap(world, other));
    const thRoadmapId good = addRoadmap(world, "a", &node, NULL, 1);
    assert_ok(thWorld_Step(world, DT));
    assert_int_equal(pathOf(world, any, NULL, 0).answer, th_planComplete);
    assert_int_equal(pathOf(world, named, NULL, 0).answer, th_planComplete);
    assert_ok(thDestroyRoadmap(world, good));
    assert_string_equal(whyNone(world, any), "there is no roadmap");
    thDestroyWorld(world);
}

static void testBadParams(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(1);
    thProfileDef def = thDefaultProfileDef();
    thProfileId id;
    thError error;
    const struct {
        thRoadmapUse use;
        const char* text;
    } cases[] = {
        {{.size = 4, .lookEvery = 8, .trees = 64}, "roadmap: size is 4, expected 52"},
        {{.size = sizeof(thRoadmapUse), .trees = 64},
         "roadmap: lookEvery is 0, expected 1 to 1000"},
        {{.size = sizeof(thRoadmapUse), .lookEvery = 8, .trees = -1},
         "roadmap: trees is -1, expected 0 to 4096"},
        {{.size = sizeof(thRoadmapUse),
          .lookEvery = 8,
          .graph = {'3', '2', '-', 'b', 'y', 't', 'e', 's', '-', 'w', 'i',
                    't', 'h', 'o', 'u', 't', '-', 'a', '-', 'f', 'i', 'n',
                    'a', 'l', '-', 'z', 'e', 'r', 'o', '.', '.', '.'}},
         "roadmap: graph has no final zero"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        def.plan = (thMethodUse){"roadmap", &cases[i].use};
        assert_int_equal(thCreateProfile(world, &def, &id, &error), th_resultBadArgument);
        assert_string_equal(error.text, cases[i].text);
    }
    thDestroyWorld(world);
}

// A crowd with goals that many share and goals of single agents, on the kind of graph.
static thWorld* createTown(thRoadmapKind kind, int32_t workers, float crowding)
{
    thWorld* world = createPlanWorld(workers);
    addRandomBuildings(world, 25, 60.0f);
    addRule(world, "a", kind, 1.0f);
    thRoadmapUse use = thDefaultRoadmapUse();
    use.crowding = crowding;
    thProfileDef profileDef = thDefaultProfileDef();
    profileDef.plan = (thMethodUse){"roadmap", &use};
    profileDef.avoid.name = "orca";
    thProfileId profile;
    assert_ok(thCreateProfile(world, &profileDef, &profile, NULL));
    thGenerator g = makeGenerator(5, 1);
    const thGoalId shared = pointGoal(world, 70.0f, 70.0f);
    for (int32_t i = 0; i < 120; ++i) {
        thAgentDef def = thDefaultAgentDef();
        def.profile = profile;
        def.position = (thVec2){drawFloat(&g, -60.0f, 60.0f), drawFloat(&g, -60.0f, 60.0f)};
        def.placement = th_placementNearest;
        def.radius = i % 3 == 0 ? 0.3f : 0.25f;
        def.goal = i % 2 == 0 ? shared
                              : pointGoal(world, drawFloat(&g, -60.0f, 60.0f),
                                          drawFloat(&g, -60.0f, 60.0f));
        thAgentId id;
        assert_ok(thCreateAgent(world, &def, &id));
    }
    return world;
}

// The same hashes with one worker and with four, and after a restore in the middle, with a door
// that shuts on the way.
static void testSameBits(void** state)
{
    (void)state;
    const thRoadmapKind kinds[] = {th_roadmapGrid, th_roadmapRandom, th_roadmapMedial};
    for (int32_t k = 0; k < 6; ++k) {
        const float crowding = k < 3 ? 0.0f : 2.0f;
        thWorld* one = createTown(kinds[k % 3], 1, crowding);
        thWorld* four = createTown(kinds[k % 3], 4, crowding);
        thWorld* restored = createPlanWorld(2);
        for (int32_t step = 0; step < 60; ++step) {
            if (step == 20) {
                const Bytes bytes = saveWorld(one);
                assert_ok(thWorld_Restore(restored, bytes.data, bytes.size, NULL));
                freeBytes(bytes);
            }
            if (step == 30) {
                addWall(one, -80.0f, 0.0f, 0.0f, 0.0f);
                addWall(four, -80.0f, 0.0f, 0.0f, 0.0f);
                addWall(restored, -80.0f, 0.0f, 0.0f, 0.0f);
            }
            assert_ok(thWorld_Step(one, DT));
            assert_ok(thWorld_Step(four, DT));
            assert_true(thWorld_GetStateHash(one) == thWorld_GetStateHash(four));
            if (step < 20)
                continue;
            assert_ok(thWorld_Step(restored, DT));
            assert_true(thWorld_GetStateHash(one) == thWorld_GetStateHash(restored));
        }
        thDestroyWorld(one);
        thDestroyWorld(four);
        thDestroyWorld(restored);
    }
}

// Steps that run out of memory may be made again.
static thResult runSmall(const thAllocator* allocator, void* context)
{
    thWorldDef worldDef = thDefaultWorldDef();
    worldDef.allocator = *allocator;
    thWorld* world = NULL;
    thResult code = thCreateWorld(&worldDef, &world);
    if (code != th_resultOk)
        return code;
    const thVec2 corners[] = {{0.0f, 0.0f}, {4.0f, 0.0f}, {4.0f, 6.0f}, {0.0f, 6.0f}};
    thObstacleDef wallDef = thDefaultObstacleDef();
    wallDef.points = corners;
    wallDef.pointCount = 4;
    thObstacleId wall;
    const thVec2 nodes[] = {{-1.0f, -1.0f}, {5.0f, -1.0f}, {5.0f, 7.0f}, {-1.0f, 7.0f}};
    thRoadmapDef def = thDefaultRoadmapDef();
    def.name = "a";
    def.kind = *(const thRoadmapKind*)context;
    def.nodes = nodes;
    def.nodeCount = 4;
    def.low = (thVec2){-3.0f, -3.0f};
    def.high = (thVec2){7.0f, 9.0f};
    def.count = 50;
    thRoadmapId id;
    thProfileDef profileDef = thDefaultProfileDef();
    profileDef.plan.name = "roadmap";
    thProfileId profile;
    thGoalId goal;
    thError error;
    thAgentDef agentDef = thDefaultAgentDef();
    thAgentId agent;
    code = thCreateObstacle(world, &wallDef, &wall);
    if (code == th_resultOk)
        code = thCreateRoadmap(world, &def, &id);
    if (code == th_resultOk)
        code = thCreateProfile(world, &profileDef, &profile, &error);
    if (code == th_resultOk)
        code = thCreatePointGoal(world, (thVec2){6.0f, 3.0f}, &goal);
    for (int32_t i = 0; i < 6 && code == th_resultOk; ++i) {
        agentDef.profile = profile;
        agentDef.position = (thVec2){-2.0f, (float)i};
        agentDef.goal = goal;
        code = thCreateAgent(world, &agentDef, &agent);
    }
    for (int32_t step = 0; step < 3 && code == th_resultOk; ++step)
        code = thWorld_Step(world, DT);
    if (code == th_resultNoMemory)
        (void)thWorld_Step(world, DT);
    thDestroyWorld(world);
    return code;
}

static void testMemory(void** state)
{
    (void)state;
    thRoadmapKind kinds[] = {th_roadmapGiven, th_roadmapGrid, th_roadmapRandom, th_roadmapMedial};
    for (int32_t i = 0; i < 4; ++i)
        assert_true(failEachAllocation(runSmall, &kinds[i]) > 20);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testOneNode),      cmocka_unit_test(testKinds),
        cmocka_unit_test(testGap),          cmocka_unit_test(testThroughPortal),
        cmocka_unit_test(testExitsOfCells), cmocka_unit_test(testPushedOff),
        cmocka_unit_test(testDoor),         cmocka_unit_test(testNoRoadmap),
        cmocka_unit_test(testBadParams),    cmocka_unit_test(testSameBits),
        cmocka_unit_test(testMemory),
    };
    return RUN_TESTS(tests, argc, argv);
}
