// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `flow` in worlds.

#include "gear/allocators.h"
#include "plan/plan_gear.h"
#include "plan/route/route_space.h"
#include "throng/flow.h"
#include "throng/simd.h"

#include <stdlib.h>

static thProfileId addProfile(thWorld* world, const thFlowDef* flow, const char* avoid)
{
    thProfileDef def = thDefaultProfileDef();
    def.plan = (thMethodUse){"flow", flow};
    def.avoid.name = avoid;
    def.radius = 0.25f;
    def.arrivalDistance = 0.1f;
    thProfileId id;
    assert_ok(thCreateProfile(world, &def, &id, NULL));
    return id;
}

static thPath checkPath(thWorld* world, thAgentId id)
{
    thVec2 points[64];
    thPath path;
    assert_ok(thAgent_GetPath(world, id, points, 64, &path));
    if (path.answer == th_planComplete || path.answer == th_planPartial)
        assert_null(path.answer == th_planComplete ? path.why : NULL);
    else
        assert_non_null(path.why);
    return path;
}

// Into a trap and out of it.
static void testTrap(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(0);
    addObstacle(world, th_obstacleWall, 0, (thVec2[]){{-5, 6}, {5, 6}, {5, -6}, {-5, -6}}, 4);
    const thGoalId goal = pointGoal(world, 10.0f, 0.0f);
    const thAgentId id = addAgent(world, addProfile(world, NULL, "orca"), 3.0f, 1.0f, goal);
    stepWorld(world, 1);
    const thPath path = checkPath(world, id);
    assert_int_equal(path.answer, th_planComplete);
    assert_true(path.length > 27.9 && path.length < 28.2);
    assert_near(thAgent_GetInfo(world, id).remaining, path.length, 0.2);
    assert_true(thAgent_Get(world, id).velocity.x < -0.5f);
    stepWorld(world, (int32_t)(path.length / 0.134) + 10);
    assert_true(hasArrived(world, id));
    assert_near(thAgent_Get(world, id).position.x, 10.0, 0.11);
    stepWorld(world, 20);
    const thAgentRow row = thAgent_Get(world, id);
    assert_near(row.position.x, 10.0, 0.002);
    assert_near(row.position.y, 0.0, 0.002);
    assert_true(row.velocity.x == 0.0f && row.velocity.y == 0.0f);
    thDestroyWorld(world);
}

// A field that takes many steps: agents wait for it, those near the goal not so long.
static void testSlices(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(0);
    addBox(world, 0.0f, 0.0f, 1.0f, 1.0f);
    addBox(world, 49.0f, 49.0f, 50.0f, 50.0f);
    thFlowDef flow = thDefaultFlowDef();
    flow.rate = 4000; // of 42,000 nodes
    const thProfileId profile = addProfile(world, &flow, NULL);
    const thGoalId goal = pointGoal(world, 2.0f, 2.0f);
    const thAgentId near = addAgent(world, profile, 4.0f, 4.0f, goal);
    const thAgentId far = addAgent(world, profile, 47.0f, 47.0f, goal);
    int32_t nearAt = -1, farAt = -1;
    for (int32_t i = 0; i < 40 && farAt < 0; ++i) {
        stepWorld(world, 1);
        if (nearAt < 0 && checkPath(world, near).answer == th_planComplete)
            nearAt = i;
        if (checkPath(world, far).answer == th_planComplete)
            farAt = i;
        else
            assert_int_equal(checkPath(world, far).answer, th_planPending);
        assert_true(farAt >= 0 || thAgent_Get(world, far).velocity.x == 0.0f);
    }
    assert_true(nearAt >= 8 && nearAt < 14 && farAt > 18 && farAt < 25);
    thDestroyWorld(world);
}

// There is no path; the run goes on.
static void testUnreachable(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(0);
    addObstacle(world, th_obstacleWall, 0, (thVec2[]){{3, 3}, {7, 3}, {7, 7}, {3, 7}, {3, 3}}, 5);
    addBox(world, -9.0f, -9.0f, -7.0f, -7.0f);
    const thProfileId profile = addProfile(world, NULL, NULL);
    const thAgentId outside = addAgent(world, profile, 0.0f, 0.0f, pointGoal(world, 5.0f, 5.0f));
    const thAgentId inside = addAgent(world, profile, 4.0f, 4.0f, pointGoal(world, 5.0f, 5.0f));
    const thAgentId solid = addAgent(world, profile, 0.0f, 2.0f, pointGoal(world, -8.0f, -8.0f));
    const thAgentId none = addAgent(world, profile, 0.0f, 4.0f, (thGoalId){0});
    // Right behind the wall: not there yet.
    const thAgentId behind = addAgent(world, profile, 2.7f, 5.0f, pointGoal(world, 3.06f, 5.0f));
    // On the right side of it, but nearer to it than the body can come.
    const thAgentId tight = addAgent(world, profile, 0.0f, 5.0f, pointGoal(world, 2.9f, 5.0f));
    stepWorld(world, 30);
    assert_int_equal(checkPath(world, outside).answer, th_planNone);
    assert_non_null(strstr(checkPath(world, outside).why, "no way"));
    assert_true(thAgent_Get(world, outside).position.x == 0.0f);
    assert_int_equal(checkPath(world, solid).answer, th_planNone);
    assert_true(hasArrived(world, inside));
    assert_int_equal(checkPath(world, none).answer, th_planComplete);
    assert_int_equal(checkPath(world, behind).answer, th_planNone);
    assert_false(hasArrived(world, behind));
    assert_int_equal(checkPath(world, tight).answer, th_planPartial);
    assert_non_null(strstr(checkPath(world, tight).why, "nearer to a wall"));
    thDestroyWorld(world);
}

// More goals than fields: some are refused, with advice, and served when there is room.
static void testRefusal(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(0);
    addBox(world, 0.0f, 0.0f, 10.0f, 10.0f);
    thFlowDef flow = thDefaultFlowDef();
    flow.fields = 3;
    const thProfileId profile = addProfile(world, &flow, NULL);
    thAgentId ids[5];
    for (int32_t i = 0; i < 5; ++i)
        ids[i] = addAgent(world, profile, -2.0f, 2.0f * (float)i,
                          pointGoal(world, 12.0f, 2.0f * (float)i));
    stepWorld(world, 3);
    for (int32_t i = 0; i < 5; ++i)
        assert_int_equal(checkPath(world, ids[i]).answer, i < 3 ? th_planComplete : th_planNone);
    assert_non_null(strstr(checkPath(world, ids[4]).why, "raise 'fields'"));
    assert_non_null(strstr(checkPath(world, ids[4]).why, "roadmap"));
    assert_ok(thDestroyAgent(world, ids[0]));
    stepWorld(world, 2);
    assert_int_equal(checkPath(world, ids[3]).answer, th_planComplete);
    assert_int_equal(checkPath(world, ids[4]).answer, th_planNone);
    thDestroyWorld(world);
    // A floor that is too large for its cells.
    world = createPlanWorld(0);
    addBox(world, 0.0f, 0.0f, 1000.0f, 1000.0f);
    const thAgentId id = addAgent(world, addProfile(world, NULL, NULL), -2.0f, 0.0f,
                                  pointGoal(world, 1002.0f, 1002.0f));
    stepWorld(world, 2);
    assert_int_equal(checkPath(world, id).answer, th_planNone);
    assert_non_null(strstr(checkPath(world, id).why, "roadmap"));
    thDestroyWorld(world);
}

// The floor needs some 16,200 nodes; a goal in a box.
static void testAdvice(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(0);
    addBox(world, 0.0f, 0.0f, 30.0f, 30.0f);
    thFlowDef flow = thDefaultFlowDef();
    flow.cells = 1000;
    const thGoalId outside = pointGoal(world, 32.0f, 32.0f), inside = pointGoal(world, 5.0f, 5.0f);
    const thAgentId small = addAgent(world, addProfile(world, &flow, NULL), -2.0f, 0.0f, outside);
    const thAgentId solid = addAgent(world, addProfile(world, NULL, NULL), -2.0f, 5.0f, inside);
    stepWorld(world, 3);
    assert_non_null(strstr(checkPath(world, small).why, "'cells': 20000 would do"));
    assert_non_null(strstr(checkPath(world, small).why, "larger 'cell'"));
    assert_int_equal(checkPath(world, solid).answer, th_planNone);
    assert_string_equal(checkPath(world, solid).why, "the goal lies in an obstacle");
    thDestroyWorld(world);
}

// More sizes than fields: they share, until all have one; nobody is planned for as larger than the
// largest. A save in between changes nothing.
static void testManySizes(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(0);
    addWall(world, 0.0f, -10.0f, 0.0f, -0.66f); // a gap for radii up to 0.5 m
    addWall(world, 0.0f, 0.66f, 0.0f, 10.0f);
    thFlowDef flow = thDefaultFlowDef();
    flow.fields = 4;
    const thProfileId profile = addProfile(world, &flow, NULL);
    const thGoalId goals[2] = {pointGoal(world, 5.0f, 0.0f), pointGoal(world, 6.0f, 1.0f)};
    thAgentId ids[24];
    for (int32_t i = 0; i < 24; ++i)
        ids[i] = addSizedAgent(world, profile, -5.0f - (float)(i % 6), (float)(i / 6) - 2.0f,
                               goals[i % 2], 0.1f + 0.4f / 23.0f * (float)i);
    stepWorld(world, 4);
    for (int32_t i = 0; i < 24; ++i) {
        assert_int_equal(checkPath(world, ids[i]).answer, th_planComplete);
        assert_true(checkPath(world, ids[i]).length < 20.0);
    }
    // A larger one goes round the wall, and the others with it that share its field.
    const thAgentId large = addSizedAgent(world, profile, -5.0f, 6.0f, goals[0], 0.8f);
    stepWorld(world, 4);
    assert_int_equal(checkPath(world, large).answer, th_planComplete);
    assert_true(checkPath(world, large).length > 18.0);
    for (int32_t i = 0; i < 24; ++i)
        assert_int_equal(checkPath(world, ids[i]).answer, th_planComplete);
    assert_true(checkPath(world, ids[0]).length < 20.0);
    const Bytes bytes = saveWorld(world);
    stepWorld(world, 10);
    const uint64_t hash = thWorld_GetStateHash(world);
    assert_ok(thWorld_Restore(world, bytes.data, bytes.size, NULL));
    freeBytes(bytes);
    stepWorld(world, 10);
    assert_true(thWorld_GetStateHash(world) == hash);
    // When they have gone there is nothing to share.
    assert_ok(thDestroyAgent(world, large));
    for (int32_t i = 1; i < 24; ++i)
        assert_ok(thDestroyAgent(world, ids[i]));
    stepWorld(world, 3);
    assert_int_equal(checkPath(world, ids[0]).answer, th_planComplete);
    thDestroyWorld(world);
}

// More goals than fields: who has arrived makes room for others, stays, and comes back when it is
// pushed away.
static void testTurns(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(0);
    addBox(world, 0.0f, 0.0f, 4.0f, 10.0f);
    thFlowDef flow = thDefaultFlowDef();
    flow.fields = 2;
    const thProfileId profile = addProfile(world, &flow, "orca");
    thAgentId ids[7];
    thVec2 goals[7];
    for (int32_t i = 0; i < 7; ++i) {
        goals[i] = (thVec2){6.0f, -1.0f + 2.0f * (float)i};
        ids[i] = addAgent(world, profile, -2.0f, -1.0f + 2.0f * (float)i,
                          pointGoal(world, goals[i].x, goals[i].y));
    }
    for (int32_t round = 0; round < 2; ++round) {
        stepWorld(world, 700);
        for (int32_t i = 0; i < 7; ++i) {
            const thAgentRow row = thAgent_Get(world, ids[i]);
            assert_true(hasArrived(world, ids[i]));
            assert_int_equal(checkPath(world, ids[i]).answer, th_planComplete);
            assert_near(row.position.x, goals[i].x, 0.01);
            assert_near(row.position.y, goals[i].y, 0.01);
        }
        for (int32_t i = 0; i < 7; ++i)
            assert_ok(thAgent_SetPlace(world, ids[i], (thVec2){8.0f + (float)i, 5.0f}, 0,
                                       th_placementNearest));
    }
    thDestroyWorld(world);
}

// People stand above a box. From its right the paths above and below it cost about the same: who
// starts there takes one of them.
static void testEqualWays(void** state)
{
    (void)state;
    const thVec2 others[8] = {{3.34f, 7.23f}, {3.29f, 6.72f}, {3.95f, 7.96f}, {4.51f, 6.88f},
                              {5.09f, 7.50f}, {3.26f, 7.99f}, {2.88f, 7.08f}, {5.12f, 7.95f}};
    const thVec2 ends[2] = {{0.4f, 4.0f}, {0.4f, 6.0f}};
    for (int32_t i = 0; i < 20; ++i) {
        thWorld* world = createPlanWorld(0);
        addObstacle(world, th_obstacleRoom, 0, (thVec2[]){{0, 0}, {16, 0}, {16, 12}, {0, 12}}, 4);
        addBox(world, 4.0f, 4.0f, 7.0f, 6.0f);
        thFlowDef flow = thDefaultFlowDef();
        flow.crowding = 1.0f;
        const thProfileId profile = addProfile(world, &flow, "orca");
        for (int32_t k = 0; k < 8; ++k)
            (void)addSizedAgent(world, profile, others[k].x, others[k].y, (thGoalId){0}, 0.2f);
        thGoalDef def = thDefaultGoalDef();
        def.kind = th_goalSegment;
        def.points = ends;
        def.pointCount = 2;
        thGoalId goal;
        assert_ok(thCreateGoal(world, &def, &goal));
        const thVec2 start = {i % 2 == 0 ? 7.4f : 8.0f, 5.0f + 0.05f * (float)i};
        const thAgentId id = addSizedAgent(world, profile, start.x, start.y, goal, 0.2f);
        stepWorld(world, 100);
        assert_true(hasArrived(world, id));
        thDestroyWorld(world);
    }
}

// A goal with less room than the body needs.
static void testNearWall(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(0);
    addObstacle(world, th_obstacleRoom, 0, (thVec2[]){{0, 0}, {20, 0}, {20, 10}, {0, 10}}, 4);
    addBox(world, 9.0f, 0.0f, 11.0f, 8.0f);
    const thAgentId id =
        addAgent(world, addProfile(world, NULL, "orca"), 2.0f, 5.0f, pointGoal(world, 19.8f, 5.0f));
    stepWorld(world, 250);
    assert_int_equal(checkPath(world, id).answer, th_planPartial);
    assert_true(hasArrived(world, id));
    assert_near(thAgent_Get(world, id).position.x, 19.75, 0.01);
    assert_near(thAgent_Get(world, id).position.y, 5.0, 0.03);
    thDestroyWorld(world);
}

static thObstacleId closeDoor(thWorld* world)
{
    return addWall(world, 0.0f, -1.0f, 0.0f, 1.0f);
}

// A door that closes and opens again; the other way is longer.
static void testDoor(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(0);
    addWall(world, 0.0f, -10.0f, 0.0f, -1.0f);
    addWall(world, 0.0f, 1.0f, 0.0f, 10.0f);
    const thGoalId goal = pointGoal(world, 5.0f, 0.0f);
    const thAgentId id = addAgent(world, addProfile(world, NULL, NULL), -5.0f, 0.0f, goal);
    stepWorld(world, 2);
    assert_near(checkPath(world, id).length, 9.8, 0.1);
    const thObstacleId door = closeDoor(world);
    stepWorld(world, 2);
    assert_int_equal(checkPath(world, id).answer, th_planComplete);
    assert_true(checkPath(world, id).length > 20.0);
    assert_ok(thDestroyObstacle(world, door));
    stepWorld(world, 2);
    assert_true(checkPath(world, id).length < 10.0);
    thDestroyWorld(world);
}

// Floors are fields of their own, and so are sizes: what lets one through stops another.
static void testFloorsAndSizes(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(0);
    const thVec2 wall[] = {{0, -10}, {0, 10}}, gap[] = {{0, -10}, {0, -0.5f}};
    const thVec2 rest[] = {{0, 0.5f}, {0, 10}};
    addObstacle(world, th_obstacleWall, 1, wall, 2);
    addObstacle(world, th_obstacleWall, 2, gap, 2);
    addObstacle(world, th_obstacleWall, 2, rest, 2);
    const thProfileId profile = addProfile(world, NULL, NULL);
    const thGoalId goal = pointGoal(world, 5.0f, 0.0f);
    thAgentId ids[4];
    for (int32_t i = 0; i < 4; ++i) {
        thAgentDef def = thDefaultAgentDef();
        def.profile = profile;
        def.position = (thVec2){-5.0f, 0.0f};
        def.goal = goal;
        def.level = TH_MIN(i, 2);
        def.radius = i == 3 ? 0.6f : 0.25f;
        assert_ok(thCreateAgent(world, &def, &ids[i]));
    }
    stepWorld(world, 3);
    assert_near(checkPath(world, ids[0]).length, 9.6, 0.1);
    assert_true(checkPath(world, ids[1]).length > 20.0);
    assert_near(checkPath(world, ids[2]).length, 9.6, 0.1);
    assert_true(checkPath(world, ids[3]).length > 20.0);
    thDestroyWorld(world);
}

// The nearer of two exits by path, and their whole width.
static void testExits(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(0);
    addObstacle(world, th_obstacleWall, 0, (thVec2[]){{-3, 0}, {-20, 0}, {-20, 20}, {20, 20}}, 4);
    addWall(world, 20.0f, 20.0f, 20.0f, 3.0f);
    addWall(world, 3.0f, 0.0f, 20.0f, 0.0f);
    addWall(world, 8.0f, 0.0f, 8.0f, 12.0f); // in the way to the second
    thGoalId exits[2], goal;
    const thVec2 first[2] = {{-3.0f, 0.0f}, {3.0f, 0.0f}}, second[2] = {{20, 0}, {20, 3}};
    thGoalDef def = thDefaultGoalDef();
    def.kind = th_goalSegment;
    def.pointCount = 2;
    def.points = first;
    assert_ok(thCreateGoal(world, &def, &exits[0]));
    def.points = second;
    assert_ok(thCreateGoal(world, &def, &exits[1]));
    def = thDefaultGoalDef();
    def.kind = th_goalAlternatives;
    def.goals = exits;
    def.goalCount = 2;
    assert_ok(thCreateGoal(world, &def, &goal));
    const thProfileId profile = addProfile(world, NULL, NULL);
    thAgentId ids[12];
    for (int32_t i = 0; i < 11; ++i)
        ids[i] = addAgent(world, profile, -2.5f + 0.5f * (float)i, 8.0f, goal);
    // Nearer to the second exit, but not on foot.
    ids[11] = addAgent(world, profile, 7.5f, 1.0f, goal);
    stepWorld(world, 3);
    for (int32_t i = 0; i < 11; ++i)
        assert_near(thAgent_Get(world, ids[i]).velocity.x, 0.0, 0.01);
    assert_true(thAgent_Get(world, ids[11]).velocity.x < -1.0f);
    stepWorld(world, 70);
    for (int32_t i = 0; i < 12; ++i)
        assert_true(hasArrived(world, ids[i]));
    thDestroyWorld(world);
}

// A crowd between walls, some of it with a goal far outside of them.
static thWorld* createCrowd(int32_t workers, thSimd simd, float crowding, thObstacleId* door)
{
    thWorldDef def = thDefaultWorldDef();
    def.workerCount = workers;
    def.simd = simd;
    thWorld* world;
    assert_ok(thCreateWorld(&def, &world));
    thGenerator g = makeGenerator(7, 0);
    addRandomWalls(world, &g, 40, 20.0f);
    *door = addWall(world, -22.0f, 5.0f, 22.0f, 5.0f);
    thFlowDef flow = thDefaultFlowDef();
    flow.rate = 7000;
    flow.fields = 4;
    flow.crowding = crowding;
    flow.refresh = 7;
    thProfileDef profile = thDefaultProfileDef();
    profile.plan = (thMethodUse){"flow", &flow};
    profile.avoid.name = "orca";
    profile.arrival = th_arrivalStop;
    thAgentDef agent = thDefaultAgentDef();
    assert_ok(thCreateProfile(world, &profile, &agent.profile, NULL));
    const thGoalId goals[5] = {pointGoal(world, 0.0f, 24.0f), pointGoal(world, -70.0f, 3.0f),
                               pointGoal(world, 24.0f, -3.0f), pointGoal(world, 1.0f, -25.0f),
                               pointGoal(world, 20.0f, 30.0f)};
    for (int32_t i = 0; i < 300; ++i) {
        agent.key = (uint64_t)i + 1;
        agent.position = (thVec2){drawFloat(&g, -20.0f, 20.0f), drawFloat(&g, -20.0f, 20.0f)};
        agent.radius = i % 3 == 0 ? 0.2f : 0.25f;
        agent.goal = goals[i % 5];
        agent.placement = th_placementNearest;
        thAgentId id;
        assert_ok(thCreateAgent(world, &agent, &id));
    }
    return world;
}

enum { runSteps = 60, doorStep = 30 };

static void runCrowd(int32_t workers, thSimd simd, float crowding, uint64_t hashes[runSteps])
{
    thObstacleId door;
    thWorld* world = createCrowd(workers, simd, crowding, &door);
    for (int32_t i = 0; i < runSteps; ++i) {
        if (i == doorStep)
            assert_ok(thDestroyObstacle(world, door));
        stepWorld(world, 1);
        hashes[i] = thWorld_GetStateHash(world);
    }
    thDestroyWorld(world);
}

static void testSameBits(void** state)
{
    (void)state;
    uint64_t expected[runSteps], hashes[runSteps], plain[runSteps];
    runCrowd(1, th_simdScalar, 0.0f, plain);
    runCrowd(1, th_simdScalar, 1.0f, expected);
    assert_memory_not_equal(plain, expected, sizeof hashes);
    for (int32_t simd = 1; simd < th_simdCount; ++simd) {
        if (!thSimd_IsAvailable((thSimd)simd))
            continue;
        runCrowd(4, (thSimd)simd, 1.0f, hashes);
        assert_memory_equal(expected, hashes, sizeof hashes);
    }
}

// Saved at every few steps, also while fields are built, a run goes on to the bit.
static void testRestore(void** state)
{
    (void)state;
    uint64_t expected[runSteps];
    runCrowd(1, th_simdAuto, 1.0f, expected);
    thObstacleId door;
    thWorld* world = createCrowd(2, th_simdAuto, 1.0f, &door);
    for (int32_t i = 0; i < runSteps; ++i) {
        if (i == doorStep)
            assert_ok(thDestroyObstacle(world, door));
        if (i % 3 == 0 || i == doorStep) {
            const Bytes bytes = saveWorld(world);
            assert_ok(thWorld_Restore(world, bytes.data, bytes.size, NULL));
            const Bytes again = saveWorld(world);
            assert_true(sameBytes(bytes, again));
            freeBytes(bytes);
            freeBytes(again);
        }
        stepWorld(world, 1);
        assert_true(thWorld_GetStateHash(world) == expected[i]);
    }
    thDestroyWorld(world);
}

// Two equal doors, a queue that does not move at one of them: those who come take the other one.
static void testQueue(void** state)
{
    (void)state;
    int32_t right[2] = {0, 0};
    for (int32_t crowded = 0; crowded < 2; ++crowded) {
        thWorld* world = createPlanWorld(0);
        addWall(world, -20.0f, 0.0f, -6.0f, 0.0f);
        addWall(world, -4.5f, 0.0f, 4.5f, 0.0f);
        addWall(world, 6.0f, 0.0f, 20.0f, 0.0f);
        addWall(world, -20.0f, 20.0f, 20.0f, 20.0f);
        addWall(world, -20.0f, -20.0f, 20.0f, -20.0f);
        thFlowDef flow = thDefaultFlowDef();
        flow.crowding = crowded ? 1.0f : 0.0f;
        const thProfileId profile = addProfile(world, &flow, "orca");
        const thGoalId goal = pointGoal(world, 0.0f, -10.0f);
        for (int32_t i = 0; i < 100; ++i) {
            const thAgentId id = addAgent(world, profile, -8.0f + 0.55f * (float)(i % 10),
                                          0.5f + 0.55f * (float)(i / 10), goal);
            assert_ok(thAgent_SetWaiting(world, id, 1));
        }
        thAgentId ids[20];
        for (int32_t i = 0; i < 20; ++i)
            ids[i] = addAgent(world, profile, -4.0f + 0.6f * (float)(i % 10),
                              12.0f + 0.6f * (float)(i / 10), goal);
        bool passed[20] = {false};
        for (int32_t k = 0; k < 300; ++k) {
            stepWorld(world, 1);
            for (int32_t i = 0; i < 20; ++i) {
                const thVec2 at = thAgent_Get(world, ids[i]).position;
                right[crowded] += !passed[i] && at.y < 0.0f && at.x > 0.0f;
                passed[i] |= at.y < 0.0f;
            }
        }
        assert_int_equal(checkPath(world, ids[0]).answer, th_planComplete);
        thDestroyWorld(world);
    }
    assert_true(right[0] <= 10);
    assert_true(right[1] >= 15);
}

static void testParams(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(0);
    const struct {
        float cell;
        int32_t cells, fields, rate;
    } bad[] = {{0.0f, 1000, 1, 1000}, {101.0f, 1000, 1, 1000}, {NAN, 1000, 1, 1000},
               {1.0f, 10, 1, 1000},   {1.0f, 1000, 0, 1000},   {1.0f, 1000, 2000, 1000},
               {1.0f, 1000, 1, 1}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        thFlowDef flow = thDefaultFlowDef();
        flow.cell = bad[i].cell;
        flow.cells = bad[i].cells;
        flow.fields = bad[i].fields;
        flow.rate = bad[i].rate;
        thProfileDef def = thDefaultProfileDef();
        def.plan = (thMethodUse){"flow", &flow};
        thProfileId id;
        thError error = {0};
        assert_int_equal(thCreateProfile(world, &def, &id, &error), th_resultBadArgument);
        assert_non_null(strstr(error.text, "flow: "));
        assert_non_null(strstr(error.text, "expected"));
    }
    thDestroyWorld(world);
}

// A step that changes nothing allocates nothing.
static void testWarmSteps(void** state)
{
    (void)state;
    thObstacleId door;
    thWorld* world = createCrowd(1, th_simdAuto, 0.0f, &door);
    stepWorld(world, 40);
    const uint64_t before = thWorld_GetCounters(world).allocations;
    stepWorld(world, 10);
    assert_true(thWorld_GetCounters(world).allocations == before);
    thDestroyWorld(world);
}

// Of two equal exits one closes for a while.
typedef struct Hall {
    thWorld* world;
    thAgentId ids[300];
    bool gone[300];
    float lastX[300];
    int32_t left, right; // who went by which exit since this was last set to 0
} Hall;

static thGoalId addExits(thWorld* world)
{
    thGoalId exits[2], goal;
    for (int32_t i = 0; i < 2; ++i) {
        const float x = i == 0 ? -10.0f : 10.0f;
        const thVec2 ends[2] = {{x, -1.0f}, {x, 1.0f}};
        thGoalDef def = thDefaultGoalDef();
        def.kind = th_goalSegment;
        def.points = ends;
        def.pointCount = 2;
        assert_ok(thCreateGoal(world, &def, &exits[i]));
    }
    thGoalDef def = thDefaultGoalDef();
    def.kind = th_goalAlternatives;
    def.goals = exits;
    def.goalCount = 2;
    assert_ok(thCreateGoal(world, &def, &goal));
    return goal;
}

static void runHall(Hall* hall, int32_t steps)
{
    for (int32_t k = 0; k < steps; ++k) {
        stepWorld(hall->world, 1);
        for (int32_t i = 0; i < 300; ++i) {
            const thAgentRow row = thAgent_Get(hall->world, hall->ids[i]);
            const bool gone = (row.flags & th_agentAlive) == 0;
            if (gone && !hall->gone[i])
                *(hall->lastX[i] < 0.0f ? &hall->left : &hall->right) += 1;
            hall->gone[i] = gone;
            hall->lastX[i] = gone ? hall->lastX[i] : row.position.x;
        }
    }
}

static void testClosing(void** state)
{
    (void)state;
    Hall hall = {.world = createPlanWorld(0)};
    addObstacle(hall.world, th_obstacleWall, 0, (thVec2[]){{-10, 1}, {-10, 10}, {10, 10}, {10, 1}},
                4);
    addObstacle(hall.world, th_obstacleWall, 0,
                (thVec2[]){{-10, -1}, {-10, -10}, {10, -10}, {10, -1}}, 4);
    const thGoalId goal = addExits(hall.world);
    thProfileDef def = thDefaultProfileDef();
    thFlowDef flow = thDefaultFlowDef();
    flow.crowding = 1.0f;
    def.plan = (thMethodUse){"flow", &flow};
    def.avoid.name = "orca";
    def.arrival = th_arrivalLeave;
    thProfileId profile;
    assert_ok(thCreateProfile(hall.world, &def, &profile, NULL));
    for (int32_t i = 0; i < 300; ++i)
        hall.ids[i] = addAgent(hall.world, profile, -8.5f + 0.7f * (float)(i % 25),
                               -5.0f + 0.8f * (float)(i / 25), goal);
    runHall(&hall, 50);
    assert_true(hall.left > 5 && hall.right > 5);
    const thObstacleId closed = addWall(hall.world, 10.0f, -1.0f, 10.0f, 1.0f);
    // Who stood in it already has left within the step.
    stepWorld(hall.world, 1);
    hall.left = hall.right = 0;
    int32_t turned = 0, near = 0;
    runHall(&hall, 19);
    for (int32_t i = 0; i < 300; ++i) {
        const thAgentRow row = thAgent_Get(hall.world, hall.ids[i]);
        near += !hall.gone[i] && row.position.x > 2.0f && row.position.x < 7.0f;
        turned += !hall.gone[i] && row.position.x > 2.0f && row.position.x < 7.0f &&
                  row.velocity.x < 0.0f;
    }
    assert_true(near > 10 && turned > near / 2);
    runHall(&hall, 100);
    assert_true(hall.left > 20 && hall.right <= hall.left / 20);
    assert_ok(thDestroyObstacle(hall.world, closed));
    hall.left = hall.right = 0;
    runHall(&hall, 150);
    assert_true(hall.left > 5 && hall.right > 5);
    thDestroyWorld(hall.world);
}

// Legs of paths keep the body clear of walls; where an agent stands closer than it should, the
// first one leads away from there.
static void testClearPaths(void** state)
{
    (void)state;
    thObstacleId door;
    thWorld* world = createCrowd(1, th_simdAuto, 0.0f, &door);
    stepWorld(world, 40);
    const thFrame frame = frameOf(world);
    thMemory memory;
    thiMemoryInit(&memory, NULL, 0);
    int32_t checked = 0;
    for (uint64_t key = 1; key <= 300; ++key) {
        const thAgentId id = thWorld_FindAgent(world, key);
        thVec2 points[256];
        thPath path;
        assert_ok(thAgent_GetPath(world, id, points, 256, &path));
        assert_in_range(path.pointCount, 1, 256);
        if (path.answer != th_planComplete)
            continue;
        thRouteSpace* space;
        assert_ok(
            thiCreateRouteSpace(&memory, &frame, 0, thAgent_GetInfo(world, id).radius, &space));
        const thPoint start = pointAt(points[0].x, points[0].y);
        const int32_t first = thiIsClearPlace(space, start, TH_ROUTE_SLACK) ? 0 : 1;
        for (int32_t i = first; i + 1 < path.pointCount; ++i) {
            const thPoint a = pointAt(points[i].x, points[i].y);
            const thPoint b = pointAt(points[i + 1].x, points[i + 1].y);
            assert_true(thiIsClearLeg(space, a, b, 2.0f * TH_ROUTE_SLACK));
            checked += 1;
        }
        thiDestroyRouteSpace(space);
    }
    assert_true(checked > 300);
    thDestroyWorld(world);
}

// Memory may run out at any moment; nothing is lost with it.
static thResult runSmall(const thAllocator* allocator, void* context)
{
    (void)context;
    thWorldDef def = thDefaultWorldDef();
    def.allocator = *allocator;
    thWorld* world;
    thResult code = thCreateWorld(&def, &world);
    if (code != th_resultOk)
        return code;
    thFlowDef flow = thDefaultFlowDef();
    flow.crowding = 1.0f;
    flow.refresh = 1;
    thProfileDef profile = thDefaultProfileDef();
    profile.plan = (thMethodUse){"flow", &flow};
    thAgentDef agent = thDefaultAgentDef();
    thObstacleDef wall = thDefaultObstacleDef();
    wall.kind = th_obstacleWall;
    wall.points = (thVec2[]){{2.0f, -1.0f}, {2.0f, 1.0f}};
    wall.pointCount = 2;
    thObstacleId obstacle;
    thAgentId id;
    thError error;
    code = thCreateProfile(world, &profile, &agent.profile, &error);
    if (code == th_resultOk)
        code = thCreateObstacle(world, &wall, &obstacle);
    if (code == th_resultOk)
        code = thCreatePointGoal(world, (thVec2){4.0f, 0.0f}, &agent.goal);
    if (code == th_resultOk)
        code = thCreateAgent(world, &agent, &id);
    for (int32_t i = 0; i < 3 && code == th_resultOk; ++i)
        code = thWorld_Step(world, 0.1f);
    thDestroyWorld(world);
    return code;
}

static void testNoMemory(void** state)
{
    (void)state;
    assert_true(failEachAllocation(runSmall, NULL) > 20);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testTrap),        cmocka_unit_test(testSlices),
        cmocka_unit_test(testUnreachable), cmocka_unit_test(testRefusal),
        cmocka_unit_test(testDoor),        cmocka_unit_test(testFloorsAndSizes),
        cmocka_unit_test(testExits),       cmocka_unit_test(testSameBits),
        cmocka_unit_test(testRestore),     cmocka_unit_test(testParams),
        cmocka_unit_test(testWarmSteps),   cmocka_unit_test(testQueue),
        cmocka_unit_test(testClearPaths),  cmocka_unit_test(testNoMemory),
        cmocka_unit_test(testClosing),     cmocka_unit_test(testAdvice),
        cmocka_unit_test(testManySizes),   cmocka_unit_test(testTurns),
        cmocka_unit_test(testNearWall),    cmocka_unit_test(testEqualWays),
    };
    return RUN_TESTS(tests, argc, argv);
}
