// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// thWorld_FindPath: the paths that agents of the same planner are told, without agents and steps,
// and without a trace in the world.

#include "plan/plan_gear.h"

#include "gear/allocators.h"
#include "throng/flow.h"
#include "throng/query.h"

#include <string.h>

enum { mostPoints = 256 };

static const char* const planners[] = {"direct", "visibility", "flow", "roadmap"};

static thPathQuery queryOf(const char* plan, float fromX, float fromY, float toX, float toY)
{
    thPathQuery query = thDefaultPathQuery();
    query.plan.name = plan;
    query.from = (thVec2){fromX, fromY};
    query.to = (thVec2){toX, toY};
    return query;
}

// What an agent with that goal is told once it has a path.
static thPath askAgent(thWorld* world, const thPathQuery* query, thVec2* points)
{
    const thProfileId profile = addPlanner(world, query->plan.name, NULL, "none");
    const thGoalId goal = pointGoal(world, query->to.x, query->to.y);
    thAgentDef def = thDefaultAgentDef();
    def.profile = profile;
    def.position = query->from;
    def.goal = goal;
    def.radius = query->radius;
    def.flags = th_agentVelocityOnly | th_agentWaiting;
    thAgentId agent;
    assert_ok(thCreateAgent(world, &def, &agent));
    do
        stepWorld(world, 1);
    while (thAgent_GetInfo(world, agent).answer == th_planPending);
    const thPath path = pathOf(world, agent, points, mostPoints);
    assert_ok(thDestroyAgent(world, agent));
    assert_ok(thDestroyGoal(world, goal));
    assert_ok(thDestroyProfile(world, profile));
    return path;
}

static thVec2 drawFree(thWorld* world, thGenerator* g, float radius)
{
    thVec2 at;
    do
        at = (thVec2){drawFloat(g, -14.0f, 14.0f), drawFloat(g, -14.0f, 14.0f)};
    while (!thWorld_IsFree(world, at, radius, 0));
    return at;
}

// In random worlds, one planner after the other, to the bit; the world saves the same bytes after.
static bool tellsWhatAgentsAreTold(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    thWorld* world = createPlanWorld(1);
    addRandomWalls(world, g, size, 14.0f);
    addRule(world, "cells", th_roadmapGrid, 1.0f);
    bool same = true;
    for (int32_t i = 0; i < 12 && same; ++i) {
        thPathQuery query = thDefaultPathQuery();
        query.plan.name = planners[i % 4];
        query.radius = 0.1f + 0.2f * (float)drawInt(g, 0, 2);
        query.from = drawFree(world, g, query.radius);
        query.to = drawFree(world, g, query.radius);
        thVec2 points[mostPoints], others[mostPoints];
        thPath path;
        const Bytes before = saveWorld(world);
        assert_ok(thWorld_FindPath(world, &query, points, mostPoints, &path, NULL));
        const Bytes after = saveWorld(world);
        same = sameBytes(before, after);
        freeBytes(before);
        freeBytes(after);
        const thPath other = askAgent(world, &query, others);
        same = same && path.answer == other.answer && path.pointCount == other.pointCount &&
               path.length == other.length && path.why == other.why &&
               memcmp(points, others,
                      (size_t)TH_MIN(path.pointCount, mostPoints) * sizeof *points) == 0;
    }
    thDestroyWorld(world);
    return same;
}

static void testAgents(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"path-finder", 5, 40, 12, tellsWhatAgentsAreTold, NULL});
}

// Walls that come and go between questions are seen, and steps do not notice the questions.
static void testWalls(void** state)
{
    (void)state;
    static const thVec2 hall[] = {
        {-20.0f, -20.0f}, {20.0f, -20.0f}, {20.0f, 20.0f}, {-20.0f, 20.0f}};
    for (int32_t p = 1; p < 4; ++p) {
        thWorld* worlds[2] = {createPlanWorld(1), createPlanWorld(1)};
        for (int32_t w = 0; w < 2; ++w) {
            addObstacle(worlds[w], th_obstacleRoom, 0, hall, 4);
            addBox(worlds[w], -1.0f, -10.0f, 1.0f, 10.0f);
            addRule(worlds[w], "cells", th_roadmapGrid, 1.0f);
            const thProfileId profile = addPlanner(worlds[w], planners[p], NULL, "orca");
            const thGoalId goal = pointGoal(worlds[w], 8.0f, 0.0f);
            for (int32_t i = 0; i < 8; ++i)
                addAgent(worlds[w], profile, -8.0f, (float)i, goal);
        }
        thPathQuery query = queryOf(planners[p], -6.0f, 0.0f, 6.0f, 0.0f);
        double lengths[3];
        thObstacleId box = {0};
        for (int32_t i = 0; i < 3; ++i) {
            if (i == 1)
                for (int32_t w = 0; w < 2; ++w)
                    box = addBox(worlds[w], -1.0f, 10.0f, 1.0f, 14.0f);
            if (i == 2)
                for (int32_t w = 0; w < 2; ++w)
                    assert_ok(thDestroyObstacle(worlds[w], box));
            thPath path;
            assert_ok(thWorld_FindPath(worlds[0], &query, NULL, 0, &path, NULL));
            assert_int_equal(path.answer, th_planComplete);
            assert_true(path.pointCount >= 3);
            lengths[i] = path.length;
            stepWorld(worlds[0], 20);
            stepWorld(worlds[1], 20);
            assert_true(thWorld_GetStateHash(worlds[0]) == thWorld_GetStateHash(worlds[1]));
        }
        assert_true(lengths[0] > 2.0 * hypot(5.0, 9.9) && lengths[2] == lengths[0]);
        assert_true(lengths[1] >= lengths[0]);
        thDestroyWorld(worlds[0]);
        thDestroyWorld(worlds[1]);
    }
}

static void testAnswers(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(1);
    addBox(world, -1.0f, -1.0f, 1.0f, 1.0f);
    static const thVec2 room[] = {{-9.0f, -9.0f}, {9.0f, -9.0f}, {9.0f, 9.0f}, {-9.0f, 9.0f}};
    addObstacle(world, th_obstacleRoom, 0, room, 4);
    thPath path;
    thPathQuery query = queryOf("visibility", -5.0f, 0.0f, 0.0f, 0.0f);
    assert_ok(thWorld_FindPath(world, &query, NULL, 0, &path, NULL));
    assert_int_equal(path.answer, th_planNone);
    assert_non_null(path.why);
    query.to = (thVec2){20.0f, 0.0f};
    query.plan.name = "flow";
    assert_ok(thWorld_FindPath(world, &query, NULL, 0, &path, NULL));
    assert_int_equal(path.answer, th_planNone);
    thFlowDef flow = thDefaultFlowDef();
    flow.cell = 0.5f;
    query.plan.params = &flow;
    query.to = (thVec2){5.0f, 0.0f};
    assert_ok(thWorld_FindPath(world, &query, NULL, 0, &path, NULL));
    assert_true(path.answer == th_planComplete && path.length > 10.0 && path.length < 11.0);
    thError error = {0};
    query.plan = (thMethodUse){.name = "given"};
    assert_int_equal(thWorld_FindPath(world, &query, NULL, 0, &path, &error), th_resultUnavailable);
    assert_non_null(strstr(error.text, "'given' does not tell paths"));
    query.plan.name = "nonsense";
    assert_int_equal(thWorld_FindPath(world, &query, NULL, 0, &path, &error), th_resultUnavailable);
    assert_non_null(strstr(error.text, "nonsense"));
    listen();
    query.plan.name = "direct";
    query.radius = NAN;
    assert_refused(world, thWorld_FindPath(world, &query, NULL, 0, &path, NULL));
    query.radius = 0.0f;
    query.to.x = 1e6f;
    assert_refused(world, thWorld_FindPath(world, &query, NULL, 0, &path, NULL));
    query.to.x = 1.0f;
    assert_refused(world, thWorld_FindPath(world, &query, NULL, 1, &path, NULL));
    thSetHooks(NULL);
    thDestroyWorld(world);
}

// Any allocation may fail: the call says so, and another one finds the path.
static thResult askWithout(const thAllocator* allocator, void* context)
{
    const thPathQuery* query = context;
    thWorldDef def = thDefaultWorldDef();
    def.allocator = *allocator;
    thWorld* world;
    TH_TRY(thCreateWorld(&def, &world));
    static const thVec2 room[] = {{-9.0f, -9.0f}, {9.0f, -9.0f}, {9.0f, 9.0f}, {-9.0f, 9.0f}};
    static const thVec2 box[] = {{-1.0f, -1.0f}, {1.0f, -1.0f}, {1.0f, 1.0f}, {-1.0f, 1.0f}};
    thObstacleId id;
    const bool stands = tryObstacle(world, th_obstacleRoom, 0, room, 4, &id) &&
                        tryObstacle(world, th_obstacleSolid, 0, box, 4, &id);
    thResult code = stands ? th_resultOk : th_resultNoMemory;
    thRoadmapDef roadmap = thDefaultRoadmapDef();
    roadmap.name = "cells";
    roadmap.kind = th_roadmapGrid;
    roadmap.side = 2.0f;
    thRoadmapId ignored;
    if (code == th_resultOk)
        code = thCreateRoadmap(world, &roadmap, &ignored);
    thVec2 points[mostPoints];
    thPath path;
    if (code == th_resultOk)
        code = thWorld_FindPath(world, query, points, mostPoints, &path, NULL);
    const thResult again = thWorld_FindPath(world, query, points, mostPoints, &path, NULL);
    if (code == th_resultOk && again == th_resultOk)
        assert_int_equal(path.answer, th_planComplete);
    thDestroyWorld(world);
    return code != th_resultOk ? code : again;
}

static void testLackOfMemory(void** state)
{
    (void)state;
    for (int32_t p = 0; p < 4; ++p) {
        thPathQuery query = queryOf(planners[p], -5.0f, 0.0f, 5.0f, 0.0f);
        assert_true(failEachAllocation(askWithout, &query) > 0);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testAgents),
        cmocka_unit_test(testWalls),
        cmocka_unit_test(testAnswers),
        cmocka_unit_test(testLackOfMemory),
    };
    return RUN_TESTS(tests, argc, argv);
}
