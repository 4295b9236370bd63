// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How paths on graphs begin, and how they are told: from beside the agent where it sees no node
// itself, never backwards, and never as complete if they do not lead to the goal.

#include "plan/plan_gear.h"
#include "throng/visibility.h"

#include <stdio.h>

#define MOST_POINTS 256

typedef struct Box {
    float lowX, lowY, highX, highY;
} Box;

// A room with a box in it.
static const Box room = {0.0f, 0.0f, 20.0f, 10.0f};
static const Box block = {8.0f, 3.0f, 12.0f, 7.0f};

static thWorld* createRoom(void)
{
    thWorld* world = createPlanWorld(1);
    const thVec2 corners[] = {{room.lowX, room.lowY},
                              {room.highX, room.lowY},
                              {room.highX, room.highY},
                              {room.lowX, room.highY}};
    addObstacle(world, th_obstacleRoom, 0, corners, 4);
    addBox(world, block.lowX, block.lowY, block.highX, block.highY);
    return world;
}

static float distanceOf(thVec2 a, thVec2 b)
{
    return hypotf(b.x - a.x, b.y - a.y);
}

// Places within a box, grown by a margin.
static bool isWithin(const Box* box, thVec2 at, float margin)
{
    return at.x > box->lowX - margin && at.y > box->lowY - margin && at.x < box->highX + margin &&
           at.y < box->highY + margin;
}

static void assertLeg(thVec2 a, thVec2 b)
{
    for (int32_t i = 0; i <= 500; ++i) {
        const float t = (float)i / 500.0f;
        const thVec2 at = {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
        if (isWithin(&block, at, -0.01f) || !isWithin(&room, at, 0.01f))
            fail_msg("the way leads through a wall at (%g, %g)", (double)at.x, (double)at.y);
    }
}

// What an agent is told: if the path is complete, it begins here, keeps out of walls, ends at the
// goal and is as long as its legs.
static thPlanAnswer assertTold(const thWorld* world, thAgentId agent, thVec2 goal)
{
    thVec2 points[MOST_POINTS];
    thPath path;
    assert_ok(thAgent_GetPath(world, agent, points, MOST_POINTS, &path));
    assert_in_range(path.pointCount, 1, MOST_POINTS);
    assert_true((path.why == NULL) == (path.answer == th_planComplete));
    const bool isWay = path.answer == th_planComplete;
    if (!isWay) {
        assert_int_equal(path.pointCount, 1);
        assert_true(path.length == 0.0);
        return path.answer;
    }
    assert_true(distanceOf(points[path.pointCount - 1], goal) < 0.001f);
    double length = 0.0;
    for (int32_t i = 0; i + 1 < path.pointCount; ++i) {
        assertLeg(points[i], points[i + 1]);
        length += (double)distanceOf(points[i], points[i + 1]);
    }
    assert_true(fabs(length - path.length) < 0.005 * (1.0 + path.pointCount));
    return path.answer;
}

// Two nodes that hardly any agent sees from here: the path begins beside it.
static void testBeside(void** state)
{
    (void)state;
    const thVec2 starts[] = {{7.5f, 3.1f}, {7.0f, 3.3f}, {7.4f, 5.0f}, {7.7f, 3.2f}};
    const thVec2 nodes[] = {{18.0f, 8.0f}, {18.0f, 2.0f}}, to = {11.0f, 2.7f};
    for (int32_t i = 0; i < 4; ++i)
        for (int32_t together = 0; together < 2; ++together) {
            thWorld* world = createRoom();
            addRoadmap(world, "a", nodes, NULL, 2);
            const thProfileId profile = addPlanner(world, "roadmap", NULL, "none");
            const thGoalId goal = pointGoal(world, to.x, to.y);
            const thAgentId agent = addAgent(world, profile, starts[i].x, starts[i].y, goal);
            for (int32_t k = 0; k < 4 * together; ++k) // these make a tree
                (void)addAgent(world, profile, 14.0f + (float)k, 5.0f, goal);
            int32_t steps = 0;
            thPlanAnswer answer = th_planPending;
            for (; steps < 300; ++steps) {
                assert_ok(thWorld_Step(world, DT));
                answer = assertTold(world, agent, to);
                if (steps == 0 && i < 2)
                    assert_int_equal(answer, th_planComplete);
                if ((thAgent_Get(world, agent).flags & th_agentArrived) != 0)
                    break;
            }
            // Who stands in the middle of the side sees nothing from anywhere near.
            if (i == 2)
                assert_int_equal(answer, th_planNone);
            else
                assert_in_range(steps, 1, 299);
            thDestroyWorld(world);
        }
}

static thVec2 drawFree(thGenerator* g)
{
    for (;;) {
        const thVec2 at = {drawFloat(g, 0.3f, 19.7f), drawFloat(g, 0.3f, 9.7f)};
        if (!isWithin(&block, at, 0.3f))
            return at;
    }
}

// Few nodes at random, or cells, and agents that are told their paths while they walk.
static bool tellsWays(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    thWorld* world = createRoom();
    const int32_t kind = drawInt(g, 0, 3);
    thVec2 nodes[8];
    const int32_t count = drawInt(g, 1, 8);
    for (int32_t i = 0; i < count; ++i)
        nodes[i] = drawFree(g);
    if (kind == 1)
        addRule(world, "cells", th_roadmapGrid, drawFloat(g, 0.5f, 4.0f));
    else if (kind > 1)
        addRoadmap(world, "a", nodes, NULL, count);
    thRoadmapUse use = thDefaultRoadmapUse();
    use.crowding = drawInt(g, 0, 2) == 0 ? 2.0f : 0.0f;
    const thProfileId profile = kind == 0 ? addPlanner(world, "visibility", NULL, "none")
                                          : addPlanner(world, "roadmap", &use, "none");
    const bool isShared = drawInt(g, 0, 1) == 0;
    thVec2 goals[16];
    thAgentId agents[16];
    thGoalId goal = {0};
    for (int32_t i = 0; i < 16; ++i) {
        goals[i] = isShared && i > 0 ? goals[0] : drawFree(g);
        if (!isShared || i == 0)
            goal = pointGoal(world, goals[i].x, goals[i].y);
        const thVec2 start = drawFree(g);
        agents[i] = addAgent(world, profile, start.x, start.y, goal);
    }
    for (int32_t step = 0; step < 5 + size; ++step) {
        assert_ok(thWorld_Step(world, DT));
        for (int32_t i = 0; i < 16; ++i)
            (void)assertTold(world, agents[i], goals[i]);
    }
    thDestroyWorld(world);
    return true;
}

static void testToldWays(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"told_ways", 17, 60, 60, tellsWays, NULL});
}

// Without a roadmap, or with none that has room, nobody begins beside anything.
static void testNoGraph(void** state)
{
    (void)state;
    thGenerator g = makeGenerator(23, 0);
    thWorld* world = createRoom();
    const thProfileId profile = addPlanner(world, "roadmap", NULL, "none");
    for (int32_t i = 0; i < 300; ++i) {
        const thVec2 from = drawFree(&g), to = drawFree(&g);
        const thGoalId goal = pointGoal(world, to.x, to.y);
        const thAgentId agent = addAgent(world, profile, from.x, from.y, goal);
        assert_ok(thWorld_Step(world, DT));
        thPath path;
        assert_ok(thAgent_GetPath(world, agent, NULL, 0, &path));
        if (path.answer == th_planComplete) {
            assert_true(fabs(path.length -
                             (double)distanceOf(thAgent_Get(world, agent).position, to)) < 0.001);
        } else {
            assert_int_equal(path.answer, th_planNone);
            assert_string_equal(path.why, "there is no roadmap");
        }
        (void)assertTold(world, agent, to);
        assert_ok(thDestroyAgent(world, agent));
        assert_ok(thDestroyGoal(world, goal));
    }
    thDestroyWorld(world);
}

// The reason is the graph, not the width of paths.
static void testWhyNoWay(void** state)
{
    (void)state;
    thWorld* world = createRoom();
    const thVec2 node = {2.0f, 2.0f};
    addRoadmap(world, "a", &node, NULL, 1);
    const thAgentId agent = addAgent(world, addPlanner(world, "roadmap", NULL, "none"), 4.0f, 5.0f,
                                     pointGoal(world, 16.0f, 5.0f));
    assert_ok(thWorld_Step(world, DT));
    thPath path;
    assert_ok(thAgent_GetPath(world, agent, NULL, 0, &path));
    assert_int_equal(path.answer, th_planNone);
    assert_string_equal(path.why, "the roadmap does not lead from here to the goal");
    thDestroyWorld(world);
}

// Whoever stands between two cells goes to the one ahead, alone and with a tree.
static void testNotBackwards(void** state)
{
    (void)state;
    for (int32_t count = 1; count <= 5; count += 4)
        for (float x = 0.5f; x < 7.0f; x += 0.5f) {
            thWorld* world = createRoom();
            addRule(world, "cells", th_roadmapGrid, 2.0f);
            const thProfileId profile = addPlanner(world, "roadmap", NULL, "none");
            const thGoalId goal = pointGoal(world, 18.0f, 4.0f);
            const thAgentId agent = addAgent(world, profile, x, 1.0f, goal);
            for (int32_t i = 1; i < count; ++i)
                (void)addAgent(world, profile, 14.0f + (float)i, 9.0f, goal);
            float before = x;
            for (int32_t step = 0; step < 30; ++step) {
                assert_ok(thWorld_Step(world, DT));
                const float now = thAgent_Get(world, agent).position.x;
                assert_true(now >= before - 0.01f);
                before = now;
            }
            assert_true(before > x + 2.0f);
            thDestroyWorld(world);
        }
}

// From the centre of a cell the path is told cell by cell, however often the agent has looked.
static void testCellByCell(void** state)
{
    (void)state;
    for (int32_t count = 1; count <= 5; count += 4) {
        thWorld* world = createRoom();
        addRule(world, "cells", th_roadmapGrid, 1.0f);
        const thProfileId profile = addPlanner(world, "roadmap", NULL, "none");
        const thGoalId goal = pointGoal(world, 17.5f, 5.5f);
        thAgentDef def = thDefaultAgentDef();
        def.profile = profile;
        def.position = (thVec2){2.5f, 5.5f};
        def.goal = goal;
        def.flags = th_agentWaiting | th_agentVelocityOnly;
        thAgentId agent;
        for (int32_t i = 0; i < count; ++i)
            assert_ok(thCreateAgent(world, &def, &agent));
        // Two rows up and down again on diagonals, 15 columns on.
        const double octile = 11.0 + 4.0 * sqrt(2.0);
        for (int32_t step = 0; step < 70; ++step) {
            assert_ok(thWorld_Step(world, DT));
            if (thAgent_GetInfo(world, agent).answer == th_planPending)
                continue;
            thPath path;
            assert_ok(thAgent_GetPath(world, agent, NULL, 0, &path));
            assert_true(fabs(path.length - octile) < 1e-6);
        }
        thDestroyWorld(world);
    }
}

// The length of the path that one agent is told at first, and how long it takes.
static double walkAlone(const char* plan, const void* params, int32_t* steps)
{
    thWorld* world = createPlanWorld(1);
    const thVec2 corners[] = {{-10.0f, 0.0f}, {10.0f, 0.0f}, {10.0f, 10.0f}, {-10.0f, 10.0f}};
    addObstacle(world, th_obstacleRoom, 0, corners, 4);
    addBox(world, -3.0f, 4.0f, 3.0f, 5.0f);
    addRule(world, "cells", th_roadmapGrid, 0.5f);
    const thAgentId agent = addAgent(world, addPlanner(world, plan, params, "none"), 0.5f, 1.0f,
                                     pointGoal(world, 0.0f, 9.0f));
    thPath path;
    assert_ok(thWorld_Step(world, DT));
    assert_ok(thAgent_GetPath(world, agent, NULL, 0, &path));
    for (*steps = 1; *steps < 300; ++*steps) {
        if ((thAgent_Get(world, agent).flags & th_agentArrived) != 0)
            break;
        assert_ok(thWorld_Step(world, DT));
    }
    thDestroyWorld(world);
    return path.length;
}

// Who is alone is no crowd.
static void testAlone(void** state)
{
    (void)state;
    thVisibilityDef corners[2] = {thDefaultVisibilityDef(), thDefaultVisibilityDef()};
    thRoadmapUse cells[2] = {thDefaultRoadmapUse(), thDefaultRoadmapUse()};
    corners[1].crowding = cells[1].crowding = 5.0f;
    int32_t steps[2];
    double lengths[2];
    for (int32_t i = 0; i < 2; ++i)
        lengths[i] = walkAlone("visibility", &corners[i], &steps[i]);
    assert_true(lengths[0] == lengths[1] && steps[0] == steps[1]);
    for (int32_t i = 0; i < 2; ++i)
        lengths[i] = walkAlone("roadmap", &cells[i], &steps[i]);
    assert_true(lengths[0] == lengths[1] && steps[0] == steps[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testBeside),       cmocka_unit_test(testToldWays),
        cmocka_unit_test(testNoGraph),      cmocka_unit_test(testWhyNoWay),
        cmocka_unit_test(testNotBackwards), cmocka_unit_test(testCellByCell),
        cmocka_unit_test(testAlone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
