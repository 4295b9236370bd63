// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `visibility` through worlds: ways round walls, goals of every shape, doors, floors, and
// the same results whoever computes them.

#include "gear/allocators.h"
#include "plan/plan_gear.h"
#include "throng/simd.h"
#include "throng/visibility.h"

static thVec2 placeOf(const thWorld* world, thAgentId agent)
{
    return thAgent_Get(world, agent).position;
}

// Round one end of a wall: two corners of an end, one plan.
static void testRoundWall(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(1);
    const thProfileId profile = addPlanner(world, "visibility", NULL, "none");
    addWall(world, 0.0f, -5.0f, 0.0f, 5.0f);
    const thAgentId agent =
        addSizedAgent(world, profile, -3.0f, 1.0f, pointGoal(world, 3.0f, 1.0f), 0.25f);
    thVec2 points[8];
    thPath path = pathOf(world, agent, points, 8);
    assert_int_equal(path.answer, th_planPending); // before the first step
    assert_non_null(path.why);
    assert_ok(thWorld_Step(world, DT));
    path = pathOf(world, agent, points, 8);
    assert_int_equal(path.answer, th_planComplete);
    assert_null(path.why);
    assert_int_equal(path.pointCount, 4);
    assert_near(points[1].x, -0.25, 0.01);
    assert_near(points[1].y, 5.25, 0.01);
    assert_near(points[2].x, 0.25, 0.01);
    assert_true(points[3].x == 3.0f && points[3].y == 1.0f);
    const thVec2 at = placeOf(world, agent);
    const double expected = hypot(at.x + 0.25, at.y - 5.25) + 0.5 + hypot(2.75, 4.25);
    assert_near(path.length, expected, 1e-5);
    const int32_t steps = stepsToArrive(world, agent, 200);
    assert_in_range(steps, 60, 90);
    thDestroyWorld(world);
}

// Into a dead end and out of it again.
static void testTrap(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(1);
    const thProfileId profile = addPlanner(world, "visibility", NULL, "none");
    const thVec2 trap[] = {{-10.0f, 5.0f}, {10.0f, 5.0f}, {10.0f, -5.0f}, {-10.0f, -5.0f}};
    addObstacle(world, th_obstacleWall, 0, trap, 4);
    const thAgentId agent =
        addSizedAgent(world, profile, 9.0f, 0.0f, pointGoal(world, 14.0f, 0.0f), 0.25f);
    assert_ok(thWorld_Step(world, DT));
    const thPath path = pathOf(world, agent, NULL, 0);
    assert_int_equal(path.answer, th_planComplete);
    assert_true(path.length > 40.0 && path.length < 54.0);
    const int32_t steps = stepsToArrive(world, agent, 1000);
    assert_true(steps < (int32_t)(path.length / 1.34 / (double)DT) + 10);
    thDestroyWorld(world);
}

// Between two corners that stand a hundredth of a metre wider apart than the body: where one place
// to bend has no room, or paths to it have none, smaller parts of the arc do.
static void testTightGap(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(1);
    addBox(world, 0.0f, 0.0f, 4.0f, 4.0f);
    addBox(world, 4.765625f, 5.0f, 9.0f, 9.0f); // 1.2594 m from corner to corner
    const thProfileId profile = addPlanner(world, "visibility", NULL, "none");
    const thAgentId agent =
        addSizedAgent(world, profile, 2.0f, 6.0f, pointGoal(world, 6.0f, 3.0f), 0.625f);
    assert_ok(thWorld_Step(world, DT));
    assert_true(pathOf(world, agent, NULL, 0).length < 5.0); // round one of the boxes it is 17 m
    assert_in_range(stepsToArrive(world, agent, 60), 0, 59);
    thDestroyWorld(world);
}

// An agent that stands nearer to a wall than its size allows gets away from it.
static void testTightStart(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(1);
    const thProfileId profile = addPlanner(world, "visibility", NULL, "none");
    addWall(world, 0.0f, -5.0f, 0.0f, 5.0f);
    const thAgentId agent =
        addSizedAgent(world, profile, -0.21f, 0.0f, pointGoal(world, 4.0f, 0.0f), 0.2f);
    assert_true(stepsToArrive(world, agent, 200) < 200);
    // Closed in between two boxes a little further apart than it is wide, and than its class is.
    addBox(world, 10.0f, 0.0f, 12.0f, 4.0f);
    addBox(world, 12.415f, 0.0f, 14.0f, 4.0f);
    const thAgentId tight =
        addSizedAgent(world, profile, 12.2075f, 2.0f, pointGoal(world, 20.0f, 2.0f), 0.207f);
    assert_true(stepsToArrive(world, tight, 400) < 400);
    thDestroyWorld(world);
}

// Goals of every shape are reached at their nearest point.
static void testGoalShapes(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(1);
    const thProfileId profile = addPlanner(world, "visibility", NULL, "none");
    // A room with an exit of 3 m in its east wall.
    const thVec2 north[] = {{0.0f, 0.0f}, {0.0f, 10.0f}, {10.0f, 10.0f}, {10.0f, 6.5f}};
    const thVec2 south[] = {{0.0f, 0.0f}, {10.0f, 0.0f}, {10.0f, 3.5f}};
    addObstacle(world, th_obstacleWall, 0, north, 4);
    addObstacle(world, th_obstacleWall, 0, south, 3);
    const thVec2 line[] = {{10.0f, 3.5f}, {10.0f, 6.5f}};
    const thGoalId exit = shapeGoal(world, th_goalSegment, line, 2, 0.0f);
    const thAgentId middle = addSizedAgent(world, profile, 5.0f, 4.5f, exit, 0.25f);
    const thAgentId corner = addSizedAgent(world, profile, 9.0f, 9.0f, exit, 0.25f);
    const thVec2 box[] = {{12.0f, 8.0f}, {14.0f, 8.0f}, {14.0f, 12.0f}, {12.0f, 12.0f}};
    const thAgentId toBox = addSizedAgent(world, profile, 5.0f, 9.0f,
                                          shapeGoal(world, th_goalPolygon, box, 4, 0.0f), 0.25f);
    const thVec2 centre = {20.0f, 5.0f};
    const thAgentId toDisc = addSizedAgent(world, profile, 2.0f, 5.0f,
                                           shapeGoal(world, th_goalDisc, &centre, 1, 4.0f), 0.25f);
    assert_ok(thWorld_Step(world, DT));
    thVec2 points[8];
    thPath path = pathOf(world, middle, points, 8);
    assert_int_equal(path.pointCount, 2);
    assert_near(points[1].y, 4.5, 0.01);
    path = pathOf(world, corner, points, 8);
    assert_int_equal(path.answer, th_planComplete);
    assert_near(points[path.pointCount - 1].x, 10.0, 0.001);
    assert_near(points[path.pointCount - 1].y, 6.25, 0.01); // as far as there is room for it
    path = pathOf(world, toBox, points, 8);
    assert_int_equal(path.answer, th_planComplete);
    assert_near(points[path.pointCount - 1].x, 12.0, 0.001);
    assert_near(points[path.pointCount - 1].y, 8.0, 0.001);
    path = pathOf(world, toDisc, points, 8);
    assert_int_equal(path.pointCount, 2);
    assert_near(points[1].x, 16.0, 0.001);
    assert_true(stepsToArrive(world, toDisc, 300) < 300);
    assert_true(stepsToArrive(world, toBox, 300) < 300);
    assert_true(hasArrived(world, middle) && hasArrived(world, corner));
    thDestroyWorld(world);
}

// Of alternatives the nearest by path, not the nearest through the wall.
static void testAlternatives(void** state)
{
    (void)state;
    for (int32_t crowd = 0; crowd < 2; ++crowd) { // searching for itself, and with a tree
        thWorld* world = createPlanWorld(1);
        const thProfileId profile = addPlanner(world, "visibility", NULL, "none");
        addWall(world, 0.0f, -20.0f, 0.0f, 20.0f);
        const thGoalId both[] = {pointGoal(world, 2.0f, 0.0f), pointGoal(world, -12.0f, 0.0f)};
        thGoalDef def = thDefaultGoalDef();
        def.kind = th_goalAlternatives;
        def.goals = both;
        def.goalCount = 2;
        thGoalId goal = {0};
        assert_ok(thCreateGoal(world, &def, &goal));
        const thAgentId agent = addSizedAgent(world, profile, -1.0f, 0.0f, goal, 0.25f);
        for (int32_t i = 0; i < 5 * crowd; ++i)
            addSizedAgent(world, profile, -5.0f, (float)i, goal, 0.25f);
        assert_ok(thWorld_Step(world, DT));
        assert_near(pathOf(world, agent, NULL, 0).length, 11.0, 0.2);
        (void)stepsToArrive(world, agent, 90); // others may stand on the goal
        assert_true(placeOf(world, agent).x < -10.0f);
        thDestroyWorld(world);
    }
}

// A near exit behind a corner, and a far one in plain sight: who is on its way to the near one does
// not turn back.
static void testFarExitInSight(void** state)
{
    (void)state;
    for (int32_t crowd = 0; crowd < 2; ++crowd) {
        thWorld* world = createPlanWorld(1);
        const thProfileId profile = addPlanner(world, "visibility", NULL, "none");
        addWall(world, 0.0f, 1.5f, 0.0f, -10.0f);
        addWall(world, 0.0f, 4.5f, 0.0f, 10.0f);
        const thVec2 near[] = {{-0.8f, 1.5f}, {-0.8f, 4.5f}},
                     far[] = {{90.0f, 1.5f}, {90.0f, 4.5f}};
        thGoalDef def = thDefaultGoalDef();
        def.kind = th_goalSegment;
        def.points = near;
        def.pointCount = 2;
        thGoalId both[2] = {{0}}, goal = {0};
        assert_ok(thCreateGoal(world, &def, &both[0]));
        def.points = far;
        assert_ok(thCreateGoal(world, &def, &both[1]));
        def = thDefaultGoalDef();
        def.kind = th_goalAlternatives;
        def.goals = both;
        def.goalCount = 2;
        assert_ok(thCreateGoal(world, &def, &goal));
        const thAgentId agent = addSizedAgent(world, profile, 3.4f, 1.0f, goal, 0.25f);
        for (int32_t i = 0; i < 5 * crowd; ++i)
            addSizedAgent(world, profile, 20.0f, (float)i, goal, 0.25f);
        (void)stepsToArrive(world, agent, 100);
        assert_true(placeOf(world, agent).x < 0.0f);
        thDestroyWorld(world);
    }
}

// Nowhere to go: it says so, stays, and does not hang.
static void testUnreachable(void** state)
{
    (void)state;
    for (int32_t crowd = 0; crowd < 2; ++crowd) {
        thWorld* world = createPlanWorld(1);
        const thProfileId profile = addPlanner(world, "visibility", NULL, "none");
        addCity(world, 4, 4);
        const thVec2 cell[] = {
            {-10.0f, -10.0f}, {-4.0f, -10.0f}, {-4.0f, -4.0f}, {-10.0f, -4.0f}, {-10.0f, -10.0f}};
        addObstacle(world, th_obstacleWall, 0, cell, 5);
        const thGoalId inside = pointGoal(world, -7.0f, -7.0f);
        const thGoalId inSolid = pointGoal(world, 10.0f, 7.0f);
        thAgentId agents[2];
        for (int32_t i = 0; i <= 5 * crowd; ++i) {
            agents[0] = addSizedAgent(world, profile, 24.0f, (float)i, inside, 0.25f);
            agents[1] = addSizedAgent(world, profile, 25.0f, (float)i, inSolid, 0.25f);
        }
        const thAgentId caught =
            addSizedAgent(world, profile, -6.0f, -6.0f, pointGoal(world, 24.0f, 24.0f), 0.25f);
        for (int32_t i = 0; i < 400; ++i)
            assert_ok(thWorld_Step(world, DT));
        for (int32_t i = 0; i < 2; ++i) {
            const thPath path = pathOf(world, agents[i], NULL, 0);
            assert_int_equal(path.answer, th_planNone);
            assert_non_null(path.why);
            assert_non_null(strstr(path.why, i == 0 ? "no way" : "obstacle"));
            assert_int_equal(thAgent_GetInfo(world, agents[i]).answer, th_planNone);
            const thVec2 at = placeOf(world, agents[i]);
            assert_true(at.x == 24.0f + (float)i && at.y == 5.0f * (float)crowd);
        }
        assert_int_equal(pathOf(world, caught, NULL, 0).answer, th_planNone);
        thDestroyWorld(world);
    }
}

// A goal that is nearer to a wall than the agent can stand is gone to as far as possible.
static void testGoalAtWall(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(1);
    const thProfileId profile = addPlanner(world, "visibility", NULL, "none");
    addBox(world, 0.0f, 0.0f, 4.0f, 4.0f);
    const thAgentId agent =
        addSizedAgent(world, profile, 2.0f, -3.0f, pointGoal(world, 2.0f, 4.1f), 0.25f);
    assert_true(stepsToArrive(world, agent, 300) < 300);
    assert_true(placeOf(world, agent).y > 4.2f);
    thDestroyWorld(world);
}

// Two rooms and two doors: the near one closes and opens.
static void testDoors(void** state)
{
    (void)state;
    for (int32_t crowd = 0; crowd < 2; ++crowd) {
        thWorld* world = createPlanWorld(1);
        const thProfileId profile = addPlanner(world, "visibility", NULL, "none");
        addWall(world, 0.0f, -30.0f, 0.0f, -11.0f);
        addWall(world, 0.0f, -9.0f, 0.0f, 9.0f);
        addWall(world, 0.0f, 11.0f, 0.0f, 30.0f);
        const thGoalId goal = pointGoal(world, 8.0f, 6.0f);
        const thAgentId agent = addSizedAgent(world, profile, -8.0f, 6.0f, goal, 0.25f);
        for (int32_t i = 0; i < 5 * crowd; ++i)
            addSizedAgent(world, profile, -10.0f, (float)i, goal, 0.25f);
        for (int32_t i = 0; i < 10; ++i)
            assert_ok(thWorld_Step(world, DT));
        const double open = pathOf(world, agent, NULL, 0).length;
        thObstacleId door = addWall(world, 0.0f, 9.0f, 0.0f, 11.0f);
        for (int32_t i = 0; i < 2; ++i)
            assert_ok(thWorld_Step(world, DT));
        thPath path = pathOf(world, agent, NULL, 0);
        assert_int_equal(path.answer, th_planComplete);
        assert_true(path.length > open + 5.0);
        const thObstacleId other = addWall(world, 0.0f, -11.0f, 0.0f, -9.0f);
        for (int32_t i = 0; i < 2; ++i)
            assert_ok(thWorld_Step(world, DT));
        path = pathOf(world, agent, NULL, 0);
        assert_true(path.length > 45.0); // round the ends
        assert_ok(thDestroyObstacle(world, door));
        assert_ok(thDestroyObstacle(world, other));
        for (int32_t i = 0; i < 2; ++i)
            assert_ok(thWorld_Step(world, DT));
        path = pathOf(world, agent, NULL, 0);
        assert_near(path.length, open, 1.0);
        assert_true(stepsToArrive(world, agent, 300) < 300);
        thDestroyWorld(world);
    }
}

// Each floor has walls of its own.
static void testFloors(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(1);
    const thProfileId profile = addPlanner(world, "visibility", NULL, "none");
    addObstacle(world, th_obstacleWall, 1, (thVec2[]){{0.0f, -5.0f}, {0.0f, 5.0f}}, 2);
    const thGoalId goal = pointGoal(world, 3.0f, 0.0f);
    double lengths[3];
    for (int32_t level = 0; level < 3; ++level) {
        thAgentDef def = thDefaultAgentDef();
        def.profile = profile;
        def.position = (thVec2){-3.0f, 0.0f};
        def.goal = goal;
        def.level = level;
        thAgentId id = {0};
        assert_ok(thCreateAgent(world, &def, &id));
        assert_ok(thWorld_Step(world, DT));
        lengths[level] = pathOf(world, id, NULL, 0).length;
    }
    assert_near(lengths[0], 5.87, 0.01);
    assert_true(lengths[1] > 11.0);
    assert_near(lengths[2], 5.87, 0.01);
    thDestroyWorld(world);
}

// Who is pushed off its path finds back; who is put elsewhere plans anew; who gets another goal
// goes there.
static void testDisturbances(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(1);
    const thProfileId profile = addPlanner(world, "visibility", NULL, "none");
    addCity(world, 5, 5);
    const thGoalId goal = pointGoal(world, 137.0f, 104.0f);
    const thAgentId agent = addSizedAgent(world, profile, -4.0f, -4.0f, goal, 0.25f);
    for (int32_t i = 0; i < 100; ++i)
        assert_ok(thWorld_Step(world, DT));
    assert_ok(thAgent_SetPlace(world, agent, (thVec2){52.0f, 60.0f}, 0, th_placementRefuse));
    for (int32_t i = 0; i < 16; ++i) // it looks every so many steps
        assert_ok(thWorld_Step(world, DT));
    thPath path = pathOf(world, agent, NULL, 0);
    assert_int_equal(path.answer, th_planComplete);
    assert_in_range((int)path.length, 90, 125);
    const thGoalId other = pointGoal(world, 24.0f, -4.0f);
    assert_ok(thAgent_SetGoal(world, agent, other));
    assert_ok(thWorld_Step(world, DT));
    path = pathOf(world, agent, NULL, 0);
    assert_in_range((int)path.length, 65, 95);
    assert_true(stepsToArrive(world, agent, 1500) < 1500);
    thDestroyWorld(world);
}

// A path of more corners than an agent remembers.
static void testLongWay(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(1);
    const thProfileId profile = addPlanner(world, "visibility", NULL, "none");
    for (int32_t i = 0; i < 60; ++i) {
        const float x = 2.0f * (float)i, gap = i % 2 == 0 ? 1.0f : -1.0f;
        addWall(world, x, gap * 4.0f, x, gap * -3.0f);
    }
    addWall(world, -4.0f, -4.0f, -4.0f, 4.0f);
    addWall(world, -4.0f, 4.0f, 122.0f, 4.0f);
    addWall(world, -4.0f, -4.0f, 122.0f, -4.0f);
    const thAgentId agent =
        addSizedAgent(world, profile, -2.0f, 0.0f, pointGoal(world, 121.0f, 0.0f), 0.25f);
    assert_ok(thWorld_Step(world, DT));
    thVec2 points[200];
    thPath path = pathOf(world, agent, points, 200);
    assert_int_equal(path.answer, th_planComplete);
    assert_in_range(path.pointCount, 110, 122);
    double length = 0.0;
    for (int32_t i = 1; i < path.pointCount; ++i)
        length += hypot(points[i].x - points[i - 1].x, points[i].y - points[i - 1].y);
    assert_near(path.length, length, 0.25); // points keep some slack
    assert_true(stepsToArrive(world, agent, 10000) < (int32_t)(length / 1.34 / (double)DT) + 200);
    thDestroyWorld(world);
}

// Along a street with more corners than an agent remembers, and round one of them: only bends are
// told, of an own path and of a shared one.
static void testStreet(void** state)
{
    (void)state;
    for (int32_t crowd = 0; crowd < 2; ++crowd) {
        thWorld* world = createPlanWorld(1);
        const thProfileId profile = addPlanner(world, "visibility", NULL, "none");
        addCity(world, 40, 2);
        // A wall across the first street and one at its end: out of a niche and into one.
        addWall(world, -4.0f, 14.0f, -4.0f, 22.0f);
        const thGoalId goal = pointGoal(world, 28.0f * 39.0f - 4.0f, 30.0f);
        const thAgentId agent = addSizedAgent(world, profile, -6.0f, 13.0f, goal, 0.25f);
        for (int32_t i = 0; i < 5 * crowd; ++i)
            addSizedAgent(world, profile, -8.0f, (float)i, goal, 0.25f);
        assert_ok(thWorld_Step(world, DT));
        thVec2 points[16];
        const thPath path = pathOf(world, agent, points, 16);
        assert_int_equal(path.answer, th_planComplete);
        assert_in_range(path.pointCount, 4, 8);
        double length = 0.0;
        for (int32_t i = 1; i < path.pointCount; ++i)
            length += hypot(points[i].x - points[i - 1].x, points[i].y - points[i - 1].y);
        assert_near(path.length, length, 0.02); // points keep some slack
        assert_true(stepsToArrive(world, agent, 10000) <
                    (int32_t)(length / 1.34 / (double)DT) + 50);
        thDestroyWorld(world);
    }
}

// A crowd leaves a hall by an exit of 3 m: everybody, and over most of its width.
static void testCrowd(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(2);
    const thVec2 north[] = {{0.0f, 0.0f}, {0.0f, 12.0f}, {12.0f, 12.0f}, {12.0f, 7.5f}};
    const thVec2 south[] = {{0.0f, 0.0f}, {12.0f, 0.0f}, {12.0f, 4.5f}};
    addObstacle(world, th_obstacleWall, 0, north, 4);
    addObstacle(world, th_obstacleWall, 0, south, 3);
    thProfileDef def = thDefaultProfileDef();
    def.plan.name = "visibility";
    def.avoid.name = "orca";
    def.arrival = th_arrivalLeave;
    thProfileId profile;
    assert_ok(thCreateProfile(world, &def, &profile, NULL));
    const thVec2 line[] = {{12.0f, 4.5f}, {12.0f, 7.5f}};
    const thGoalId exit = shapeGoal(world, th_goalSegment, line, 2, 0.0f);
    for (int32_t i = 0; i < 150; ++i)
        addSizedAgent(world, profile, 0.8f + 0.7f * (float)(i % 15), 1.5f + 0.9f * (float)(i / 15),
                      exit, 0.25f);
    float low = 12.0f, high = 0.0f;
    int32_t left = 0;
    for (int32_t step = 0; step < 1500 && left < 150; ++step) {
        const thAgentView before = thWorld_GetAgentView(world);
        thAgentRow rows[150];
        memcpy(rows, before.rows, sizeof rows);
        assert_ok(thWorld_Step(world, 0.05f));
        int32_t count;
        const thEvent* events = thWorld_GetEvents(world, &count);
        for (int32_t i = 0; i < count; ++i) {
            if (events[i].kind != th_eventLeft)
                continue;
            const float y = rows[THRONG_SLOT(events[i].agent)].position.y;
            low = fminf(low, y);
            high = fmaxf(high, y);
            left += 1;
        }
    }
    assert_int_equal(left, 150);
    assert_true(low < 5.1f && high > 6.9f);
    thDestroyWorld(world);
}

// A crowd in a city, with goals that many share and goals of single ones.
static thWorld* makeCrowd(int32_t workers, thSimd simd, float crowding)
{
    thWorldDef def = thDefaultWorldDef();
    def.workerCount = workers;
    def.simd = simd;
    thWorld* world = NULL;
    assert_ok(thCreateWorld(&def, &world));
    addRandomBuildings(world, 80, 120.0f);
    thVisibilityDef plan = thDefaultVisibilityDef();
    plan.crowding = crowding;
    plan.refresh = 3;
    const thProfileId profile = addPlanner(world, "visibility", &plan, "none");
    thGenerator g = makeGenerator(4, 0);
    thGoalId goals[10];
    const thVec2 line[] = {{-130.0f, -20.0f}, {-130.0f, 20.0f}};
    goals[0] = shapeGoal(world, th_goalSegment, line, 2, 0.0f);
    for (int32_t i = 1; i < 10; ++i)
        goals[i] = pointGoal(world, drawFloat(&g, -120.0f, 120.0f), 130.0f);
    for (int32_t i = 0; i < 300; ++i) {
        thAgentDef agent = thDefaultAgentDef();
        agent.profile = profile;
        agent.placement = th_placementNearest;
        agent.position = (thVec2){drawFloat(&g, -120.0f, 120.0f), drawFloat(&g, -120.0f, 120.0f)};
        agent.radius = i % 3 == 0 ? 0.25f : 0.3f;
        agent.goal = i % 2 == 0   ? goals[0]
                     : i % 3 == 0 ? goals[1 + i % 9]
                                  : pointGoal(world, drawFloat(&g, -120.0f, 120.0f), -130.0f);
        thAgentId id;
        assert_ok(thCreateAgent(world, &agent, &id));
    }
    return world;
}

static void checkSameEverywhere(float crowding)
{
    thWorld* plain = makeCrowd(1, th_simdScalar, crowding);
    thWorld* threads = makeCrowd(4, th_simdAuto, crowding);
    for (int32_t i = 0; i < 60; ++i) {
        if (i == 30) {
            addBox(plain, -3.0f, -3.0f, 3.0f, 3.0f);
            addBox(threads, -3.0f, -3.0f, 3.0f, 3.0f);
        }
        assert_ok(thWorld_Step(plain, DT));
        assert_ok(thWorld_Step(threads, DT));
        assert_true(thWorld_GetStateHash(plain) == thWorld_GetStateHash(threads));
    }
    thDestroyWorld(plain);
    thDestroyWorld(threads);
}

static void testSameEverywhere(void** state)
{
    (void)state;
    checkSameEverywhere(0.0f);
    checkSameEverywhere(5.0f);
}

// Saved at any step and restored, it goes on to the bit.
static void checkSnapshots(float crowding)
{
    thWorld* world = makeCrowd(1, th_simdAuto, crowding);
    for (int32_t i = 0; i < 24; ++i) {
        const Bytes bytes = saveWorld(world);
        thWorld* copy = createPlanWorld(2);
        assert_int_equal(thWorld_Restore(copy, bytes.data, bytes.size, NULL), th_resultOk);
        freeBytes(bytes);
        if (i == 10) { // walls change right after the restore
            addBox(world, -3.0f, -3.0f, 3.0f, 3.0f);
            addBox(copy, -3.0f, -3.0f, 3.0f, 3.0f);
        }
        for (int32_t step = 0; step < 1 + i % 4; ++step) {
            assert_ok(thWorld_Step(world, DT));
            assert_ok(thWorld_Step(copy, DT));
            assert_true(thWorld_GetStateHash(world) == thWorld_GetStateHash(copy));
        }
        thDestroyWorld(copy);
    }
    thDestroyWorld(world);
}

static void testSnapshots(void** state)
{
    (void)state;
    checkSnapshots(0.0f);
    checkSnapshots(5.0f);
}

static thResult runSmall(const thAllocator* allocator, void* context)
{
    (void)context;
    thWorldDef def = thDefaultWorldDef();
    def.allocator = *allocator;
    thWorld* world = NULL;
    TH_TRY(thCreateWorld(&def, &world));
    thVisibilityDef plan = thDefaultVisibilityDef();
    plan.crowding = 1.0f;
    plan.refresh = 1;
    thAgentId last;
    thResult code = addFew(world, (thMethodUse){"visibility", &plan}, &last);
    for (int32_t i = 0; i < 3 && code == th_resultOk; ++i)
        code = thWorld_Step(world, DT);
    thDestroyWorld(world);
    return code;
}

static void testMemory(void** state)
{
    (void)state;
    assert_true(failEachAllocation(runSmall, NULL) > 0);
}

static void testBadParams(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(1);
    thVisibilityDef bad[6];
    for (int32_t i = 0; i < 6; ++i)
        bad[i] = thDefaultVisibilityDef();
    bad[0].lookEvery = 0;
    bad[1].trees = 5000;
    bad[2].size = 0;
    bad[3].crowding = -1.0f;
    bad[4].crowding = NAN;
    bad[5].refresh = 0;
    for (int32_t i = 0; i < 6; ++i) {
        thProfileDef def = thDefaultProfileDef();
        def.plan = (thMethodUse){"visibility", &bad[i]};
        thProfileId id;
        thError error;
        assert_int_equal(thCreateProfile(world, &def, &id, &error), th_resultBadArgument);
        assert_non_null(strstr(error.text, "visibility: "));
    }
    thDestroyWorld(world);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testRoundWall),      cmocka_unit_test(testTrap),
        cmocka_unit_test(testTightStart),     cmocka_unit_test(testTightGap),
        cmocka_unit_test(testGoalShapes),     cmocka_unit_test(testAlternatives),
        cmocka_unit_test(testFarExitInSight), cmocka_unit_test(testUnreachable),
        cmocka_unit_test(testGoalAtWall),     cmocka_unit_test(testDoors),
        cmocka_unit_test(testFloors),         cmocka_unit_test(testDisturbances),
        cmocka_unit_test(testLongWay),        cmocka_unit_test(testStreet),
        cmocka_unit_test(testCrowd),          cmocka_unit_test(testSameEverywhere),
        cmocka_unit_test(testSnapshots),      cmocka_unit_test(testMemory),
        cmocka_unit_test(testBadParams),
    };
    return RUN_TESTS(tests, argc, argv);
}
