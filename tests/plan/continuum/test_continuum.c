// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Planner continuum in worlds: who gets there and who is told why not, what comes and goes, floors,
// goals of every kind, snapshots between rebuildings, and what explanations and sketches say.

#include "plan/sketch_gear.h"
#include "throng/continuum.h"
#include "throng/explain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static thProfileId addProfile(thWorld* world, const thContinuumDef* def, const char* avoid)
{
    return addPlanner(world, "continuum", def, avoid);
}

static thPath told(const thWorld* world, thAgentId agent)
{
    thVec2 points[256];
    const thPath path = pathOf(world, agent, points, 256);
    if (path.answer == th_planComplete)
        assert_null(path.why);
    else
        assert_non_null(path.why);
    return path;
}

static void addRoom(thWorld* world, float width, float height)
{
    const thVec2 corners[] = {{0, 0}, {width, 0}, {width, height}, {0, height}};
    addObstacle(world, th_obstacleRoom, 0, corners, 4);
}

// In the open without a wall, and into a trap and out of it.
static void testArrives(void** state)
{
    (void)state;
    for (int32_t walls = 0; walls < 2; ++walls) {
        thWorld* world = createPlanWorld(2);
        if (walls)
            addObstacle(world, th_obstacleWall, 0, (thVec2[]){{-5, 6}, {5, 6}, {5, -6}, {-5, -6}},
                        4);
        const thProfileId profile = addProfile(world, NULL, walls ? "orca" : NULL);
        const thAgentId agent = addAgent(world, profile, 3.0f, 1.0f, pointGoal(world, 10.0f, 0.3f));
        stepWorld(world, 1);
        const thPath path = told(world, agent);
        assert_int_equal(path.answer, th_planComplete);
        if (walls)
            assert_in_range((int32_t)(10.0 * path.length), 278, 300); // 27.9 m at least
        else
            assert_in_range((int32_t)(100.0 * path.length), 687, 695); // a step of 7.03 m
        assert_near((double)thAgent_GetInfo(world, agent).remaining, path.length,
                    0.08 * path.length);
        assert_true(stepsToArrive(world, agent, 400) < 300);
        stepWorld(world, 20);
        const thAgentRow row = thAgent_Get(world, agent);
        assert_near(row.position.x, 10.0, 0.01);
        assert_true(row.velocity.x == 0.0f && row.velocity.y == 0.0f);
        thDestroyWorld(world);
    }
}

// A wall comes in front of people, a door opens in it; both count in the next step.
static void testDoor(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(0);
    addRoom(world, 20.0f, 10.0f);
    const thAgentId agent =
        addAgent(world, addProfile(world, NULL, NULL), 2.0f, 5.0f, pointGoal(world, 18.0f, 5.0f));
    stepWorld(world, 2);
    assert_int_equal(told(world, agent).answer, th_planComplete);
    addWall(world, 10.0f, 0.0f, 10.0f, 4.0f);
    const thObstacleId door = addWall(world, 10.0f, 4.0f, 10.0f, 6.0f);
    addWall(world, 10.0f, 6.0f, 10.0f, 10.0f);
    stepWorld(world, 1);
    assert_int_equal(told(world, agent).answer, th_planNone);
    assert_true(thAgent_Get(world, agent).velocity.x == 0.0f);
    assert_ok(thDestroyObstacle(world, door));
    stepWorld(world, 1);
    assert_int_equal(told(world, agent).answer, th_planComplete);
    assert_true(stepsToArrive(world, agent, 400) < 300);
    thDestroyWorld(world);
}

// In a box without a door, in solid, with a goal in solid, on a floor that is too large, with too
// many goals: no path, with a reason, and no velocity.
static void testNone(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(0);
    thContinuumDef def = thDefaultContinuumDef();
    def.fields = 3;
    addObstacle(world, th_obstacleWall, 0, (thVec2[]){{3, 3}, {7, 3}, {7, 7}, {3, 7}, {3, 3}}, 5);
    addBox(world, -9.0f, -9.0f, -7.0f, -7.0f);
    const thProfileId profile = addProfile(world, &def, NULL);
    const thGoalId inBox = pointGoal(world, 5.0f, 5.0f), free = pointGoal(world, 0.0f, 0.0f);
    const thAgentId agents[] = {
        addAgent(world, profile, 0.0f, -4.0f, inBox), addAgent(world, profile, 4.0f, 4.0f, free),
        addAgent(world, profile, 2.0f, -4.0f, pointGoal(world, -8.0f, -8.0f)),
        addAgent(world, profile, 4.0f, -4.0f, pointGoal(world, 1.0f, 1.0f)), // the fourth goal
    };
    stepWorld(world, 10);
    for (int32_t i = 0; i < 4; ++i) {
        assert_int_equal(told(world, agents[i]).answer, th_planNone);
        const thVec2 velocity = thAgent_Get(world, agents[i]).velocity;
        assert_true(velocity.x == 0.0f && velocity.y == 0.0f);
    }
    assert_non_null(strstr(told(world, agents[3]).why, "'fields'"));
    // Goals that others give up are free for the next.
    assert_ok(thDestroyAgent(world, agents[2]));
    stepWorld(world, 1);
    assert_int_equal(told(world, agents[3]).answer, th_planComplete);
    thDestroyWorld(world);

    world = createPlanWorld(0);
    def.cells = 10000;
    const thAgentId far =
        addAgent(world, addProfile(world, &def, NULL), 0.0f, 0.0f, pointGoal(world, 70.0f, 70.0f));
    stepWorld(world, 2);
    assert_int_equal(told(world, far).answer, th_planNone);
    assert_non_null(strstr(told(world, far).why, "'cells': 50000 would do"));
    thDestroyWorld(world);
}

// The nearest of alternatives by path, lists in turn, discs, segments and polygons.
static void testGoals(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(0);
    addRoom(world, 20.0f, 20.0f);
    addWall(world, 0.0f, 10.0f, 16.0f, 10.0f);
    const thProfileId profile = addProfile(world, NULL, NULL);
    thGoalId parts[2] = {pointGoal(world, 4.0f, 13.0f), pointGoal(world, 12.0f, 2.0f)};
    thGoalDef def = thDefaultGoalDef();
    def.kind = th_goalAlternatives;
    def.goals = parts;
    def.goalCount = 2;
    thGoalId nearest, list;
    assert_ok(thCreateGoal(world, &def, &nearest));
    const thVec2 ends[] = {{2.0f, 18.0f}, {8.0f, 18.0f}};
    const thVec2 corners[] = {{15.0f, 1.0f}, {19.0f, 1.0f}, {19.0f, 4.0f}, {15.0f, 4.0f}};
    thGoalId stops[3] = {shapeGoal(world, th_goalPolygon, corners, 4, 0.0f),
                         shapeGoal(world, th_goalSegment, ends, 2, 0.0f),
                         shapeGoal(world, th_goalDisc, &(thVec2){4.0f, 4.0f}, 1, 2.0f)};
    def.kind = th_goalList;
    def.goals = stops;
    def.goalCount = 3;
    assert_ok(thCreateGoal(world, &def, &list));
    const thAgentId one = addAgent(world, profile, 4.0f, 8.5f, nearest);
    const thAgentId other = addAgent(world, profile, 2.0f, 2.0f, list);
    stepWorld(world, 1);
    assert_near(told(world, one).length, hypot(8.0, 6.5), 0.6);
    assert_true(stepsToArrive(world, one, 300) < 200);
    assert_true(stepsToArrive(world, other, 900) < 800);
    assert_true(hypotf(thAgent_Get(world, other).position.x - 4.0f,
                       thAgent_Get(world, other).position.y - 4.0f) < 3.0f);
    thDestroyWorld(world);
}

// A goal that moves is followed, and who is pushed off a goal comes back.
static void testMovingGoal(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(0);
    const thGoalId goal = pointGoal(world, 8.0f, 0.0f);
    thContinuumDef def = thDefaultContinuumDef();
    def.refresh = 50;
    const thAgentId agent = addAgent(world, addProfile(world, &def, NULL), 0.0f, 0.0f, goal);
    for (int32_t i = 0; i < 200; ++i) {
        const thVec2 at = {8.0f, 0.04f * (float)i};
        assert_ok(thGoal_SetPlace(world, goal, at));
        stepWorld(world, 1);
        assert_int_equal(told(world, agent).answer, th_planComplete);
    }
    assert_near(thAgent_Get(world, agent).position.y, 8.0, 0.5);
    thDestroyWorld(world);
}

// A goal that moves while nobody wants it is where it is for whoever wants it again.
static void testForgottenGoal(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(0);
    const thGoalId a = pointGoal(world, 20.0f, 0.0f), b = pointGoal(world, 0.0f, 20.0f);
    thContinuumDef def = thDefaultContinuumDef();
    def.refresh = 10000;
    const thProfileId profile = addProfile(world, &def, NULL);
    const thAgentId one = addAgent(world, profile, 0.0f, 0.0f, a);
    addAgent(world, profile, 1.0f, 0.0f, b);
    stepWorld(world, 2);
    assert_ok(thAgent_SetGoal(world, one, b));
    stepWorld(world, 2);
    assert_ok(thGoal_SetPlace(world, a, (thVec2){-20.0f, 0.0f}));
    stepWorld(world, 2);
    assert_ok(thAgent_SetGoal(world, one, a));
    stepWorld(world, 20);
    assert_true(thAgent_Get(world, one).velocity.x < -1.0f);
    thDestroyWorld(world);
}

// Each floor has a crowd and walls of its own.
static void testFloors(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(0);
    const thVec2 wall[] = {{5, -6}, {5, 6}};
    addObstacle(world, th_obstacleWall, 1, wall, 2);
    const thProfileId profile = addProfile(world, NULL, NULL);
    const thGoalId goal = pointGoal(world, 10.0f, 0.0f);
    thAgentId agents[2];
    for (int32_t i = 0; i < 2; ++i) {
        thAgentDef def = thDefaultAgentDef();
        def.profile = profile;
        def.goal = goal;
        def.level = i;
        assert_ok(thCreateAgent(world, &def, &agents[i]));
    }
    stepWorld(world, 1);
    assert_near(told(world, agents[0]).length, 9.866, 0.01);
    assert_true(told(world, agents[1]).length > 15.5);
    thDestroyWorld(world);
}

// Two crowds that meet in a corridor, as it is after some steps; saved between rebuildings it goes
// on as it would have, and saves the same bytes.
static thWorld* meeting(int32_t refresh, int32_t workers, thAgentId* one)
{
    thWorld* world = createPlanWorld(workers);
    thContinuumDef def = thDefaultContinuumDef();
    def.refresh = refresh;
    addRoom(world, 30.0f, 4.0f);
    const thProfileId profile = addProfile(world, &def, NULL);
    const thGoalId goals[2] = {pointGoal(world, 29.0f, 2.0f), pointGoal(world, 1.0f, 2.0f)};
    for (int32_t i = 0; i < 80; ++i)
        *one = addAgent(world, profile, (i % 2 == 0 ? 2.0f : 20.0f) + 0.7f * (float)(i / 8),
                        0.5f + 0.7f * (float)(i / 2 % 4), goals[i % 2]);
    return world;
}

static void testSnapshots(void** state)
{
    (void)state;
    for (int32_t refresh = 1; refresh < 12; refresh += 5) {
        thAgentId last;
        thWorld *one = meeting(refresh, 1, &last), *two = meeting(refresh, 2, &last);
        for (int32_t steps = 0; steps < 60; steps += 4) {
            stepWorld(one, 4);
            stepWorld(two, 4);
            const Bytes bytes = saveWorld(one), others = saveWorld(two);
            assert_true(sameBytes(bytes, others));
            thWorld* copy = createPlanWorld(0);
            assert_ok(thWorld_Restore(copy, bytes.data, bytes.size, NULL));
            const Bytes again = saveWorld(copy);
            assert_true(sameBytes(bytes, again));
            freeBytes(bytes);
            freeBytes(others);
            freeBytes(again);
            thDestroyWorld(two);
            two = copy;
        }
        thDestroyWorld(one);
        thDestroyWorld(two);
    }
}

// What is explained is what is done; the picture shows the crowd, and changes nothing.
static void testTold(void** state)
{
    (void)state;
    thAgentId agent;
    thWorld* world = meeting(1, 0, &agent);
    stepWorld(world, 60);
    thExplanation* explanation;
    assert_ok(thWorld_Explain(world, agent, DT, &explanation));
    const thExplanationView view = thExplanation_GetView(explanation);
    double density = -1.0, flow = 0.0, speed = -1.0;
    for (int32_t i = 0; i < view.markCount; ++i)
        if (view.marks[i].label != NULL && strstr(view.marks[i].label, "ahead") != NULL)
            assert_int_equal(sscanf(view.marks[i].label,
                                    "plan: %lf/m² ahead, flowing at %lf m/s: %lf m/s", &density,
                                    &flow, &speed),
                             3);
    assert_true(density > 0.0 && density < 10.0);
    assert_near(speed, hypot((double)view.wanted.x, (double)view.wanted.y), 0.006);
    thDestroyExplanation(explanation);
    thSketch* sketch = sketchOf(world, agent, allLines);
    const thSketchView drawn = thSketch_GetView(sketch);
    assert_true(countLayer(&drawn, th_sketchDensity) > 80);
    assert_true(countLayer(&drawn, th_sketchFlow) > 20);
    assert_true(countLayer(&drawn, th_sketchContour) > 100);
    assert_true(countLayer(&drawn, th_sketchStream) > 10);
    thDestroySketch(sketch);
    checkNothingChanges(world, agent);
    thDestroyWorld(world);
}

// People go round where others stand, and through where they go the same way.
static void testCrowd(void** state)
{
    (void)state;
    double aside[2];
    for (int32_t walks = 0; walks < 2; ++walks) {
        thWorld* world = createPlanWorld(0);
        const thProfileId profile = addProfile(world, NULL, NULL);
        const thGoalId goal = pointGoal(world, 20.0f, 0.0f);
        const thAgentId agent = addAgent(world, profile, 0.0f, 0.0f, goal);
        for (int32_t i = 0; i < 64; ++i) {
            thAgentDef def = thDefaultAgentDef();
            def.profile = profile;
            def.position = (thVec2){6.0f + 0.5f * (float)(i % 8), -1.8f + 0.5f * (float)(i / 8)};
            def.goal = walks ? goal : (thGoalId){0};
            def.velocity = (thVec2){walks ? 1.3f : 0.0f, 0.0f};
            thAgentId id;
            assert_ok(thCreateAgent(world, &def, &id));
        }
        stepWorld(world, 1);
        thVec2 points[256];
        const thPath path = pathOf(world, agent, points, 256);
        aside[walks] = 0.0;
        for (int32_t i = 0; i < path.pointCount && i < 256; ++i)
            aside[walks] = fmax(aside[walks], fabs((double)points[i].y));
        thDestroyWorld(world);
    }
    print_message("aside of those who stand: %.2f m, of those who go along: %.2f m\n", aside[0],
                  aside[1]);
    assert_true(aside[0] > 1.8);
    assert_true(aside[1] < 0.5);
}

// A car that comes: people wait or go round, and do not walk in front of it.
static void testMover(void** state)
{
    (void)state;
    double least[2];
    for (int32_t looks = 0; looks < 2; ++looks) {
        thWorld* world = createPlanWorld(0);
        thContinuumDef def = thDefaultContinuumDef();
        def.discomfortCost = looks ? 10.0f : 0.0f;
        def.moversAhead = 4.0f;
        const thAgentId agent = addAgent(world, addProfile(world, &def, NULL), 0.0f, 0.0f,
                                         pointGoal(world, 12.0f, 0.0f));
        const thVec2 car[] = {{-2, -1}, {2, -1}, {2, 1}, {-2, 1}};
        thObstacleDef mover = thDefaultObstacleDef();
        mover.kind = th_obstacleMovingPolygon;
        mover.points = car;
        mover.pointCount = 4;
        mover.position = (thVec2){6.0f, -0.5f};
        mover.velocity = (thVec2){0.0f, 1.0f};
        thObstacleId id;
        assert_ok(thCreateObstacle(world, &mover, &id));
        stepWorld(world, 1);
        thVec2 points[256];
        const thPath path = pathOf(world, agent, points, 256);
        least[looks] = INFINITY;
        for (int32_t i = 0; i < path.pointCount && i < 256; ++i)
            least[looks] = fmin(least[looks], (double)points[i].y);
        thDestroyWorld(world);
    }
    print_message("below: %.2f m without discomfort, %.2f m with it\n", least[0], least[1]);
    assert_true(least[0] > -0.3); // straight through
    assert_true(least[1] < -1.5); // behind it
}

// At the ends of the world, in the largest cells.
static void testFar(void** state)
{
    (void)state;
    for (int32_t i = 0; i < 4; ++i) {
        thWorld* world = createPlanWorld(0);
        thContinuumDef def = thDefaultContinuumDef();
        def.cell = 100.0f;
        const float x = i % 2 == 0 ? -30000.0f : 29950.0f, y = i < 2 ? -30000.0f : 29990.0f;
        const thAgentId agent = addAgent(world, addProfile(world, &def, NULL), x, y,
                                         pointGoal(world, x < 0.0f ? x + 500.0f : x - 500.0f, y));
        stepWorld(world, 2);
        assert_int_equal(told(world, agent).answer, th_planComplete);
        assert_near(told(world, agent).length, 500.0, 2.0);
        thDestroyWorld(world);
    }
}

// Nobody at all, and somebody without a goal.
static void testNobody(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(0);
    const thProfileId profile = addProfile(world, NULL, NULL);
    stepWorld(world, 2);
    addAgent(world, profile, 1.0f, 1.0f, (thGoalId){0});
    stepWorld(world, 2);
    const thAgentId agent = addAgent(world, profile, 2.0f, 1.0f, pointGoal(world, 4.0f, 1.0f));
    assert_int_equal(told(world, agent).answer, th_planPending);
    stepWorld(world, 2);
    assert_int_equal(told(world, agent).answer, th_planComplete);
    assert_ok(thDestroyAgent(world, agent));
    stepWorld(world, 2);
    thDestroyWorld(world);
}

// Parameters that do not go together are refused by name.
static void testRefusals(void** state)
{
    (void)state;
    thWorld* world = createWorld();
    thContinuumDef def = thDefaultContinuumDef();
    def.freeDensity = 3.0f;
    def.fullDensity = 1.0f;
    thProfileDef profile = thDefaultProfileDef();
    profile.plan = (thMethodUse){"continuum", &def};
    thProfileId id;
    thError error = {0};
    assert_int_equal(thCreateProfile(world, &profile, &id, &error), th_resultBadArgument);
    assert_non_null(strstr(error.text, "freeDensity is 3, expected at most fullDensity"));
    def = thDefaultContinuumDef();
    def.lengthCost = def.timeCost = 0.0f;
    assert_int_equal(thCreateProfile(world, &profile, &id, &error), th_resultBadArgument);
    assert_non_null(strstr(error.text, "lengthCost and timeCost are 0"));
    thDestroyWorld(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testArrives),    cmocka_unit_test(testDoor),
        cmocka_unit_test(testNone),       cmocka_unit_test(testGoals),
        cmocka_unit_test(testMovingGoal), cmocka_unit_test(testFloors),
        cmocka_unit_test(testSnapshots),  cmocka_unit_test(testTold),
        cmocka_unit_test(testCrowd),      cmocka_unit_test(testMover),
        cmocka_unit_test(testNobody),     cmocka_unit_test(testFar),
        cmocka_unit_test(testRefusals),   cmocka_unit_test(testForgottenGoal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
