// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What is counted in each step, against what a host counts from what it sees, or by hand.

#include "measure/measure_gear.h"
#include "throng/orca.h"

// What a host counts by itself in a crowd.
typedef struct Counted {
    uint64_t status[THRONG_TALLY_STATUSES], squeezed, squeezedAgents, contacts;
    double speeds;
    int32_t walkers;
    bool isSqueezed[1000]; // by key
} Counted;

static void countStep(const thWorld* world, Counted* counted)
{
    const thAgentView view = thWorld_GetAgentView(world);
    for (int32_t slot = 0; slot < view.slotCount; ++slot) {
        const thAgentRow* row = &view.rows[slot];
        if (row->flags == 0)
            continue;
        const thAgentId id = thWorld_FindAgent(world, row->key);
        counted->status[thAgent_GetInfo(world, id).status] += 1;
        if ((row->flags & (th_agentArrived | th_agentWaiting)) != 0)
            continue;
        counted->speeds += hypot((double)row->velocity.x, (double)row->velocity.y);
        counted->walkers += 1;
    }
    int32_t count;
    const thEvent* events = thWorld_GetEvents(world, &count);
    for (int32_t i = 0; i < count; ++i) {
        if (events[i].kind != th_eventSqueezed)
            continue;
        counted->squeezed += 1;
        counted->squeezedAgents += !counted->isSqueezed[events[i].key];
        counted->isSqueezed[events[i].key] = true;
    }
    counted->contacts += thWorld_GetCounters(world).contacts;
}

static void testCrowd(void** state)
{
    (void)state;
    Crowd crowd = createCrowd(1, false);
    thTally* tally = createTally(crowd.world);
    Counted counted = {0};
    uint64_t steps = 0;
    while (steps < 200) {
        stepCrowd(&crowd, steps++);
        countStep(crowd.world, &counted);
        assert_ok(thTally_Observe(tally, (double)steps * CROWD_STEP));
    }
    const thTallyResult result = thTally_GetResult(tally);
    assert_memory_equal(result.status, counted.status, sizeof counted.status);
    assert_true(result.status[th_orcaConstrained] > 100);
    assert_near(result.meanSpeed, counted.speeds / counted.walkers, 1e-4);
    assert_int_equal(result.squeezed, counted.squeezed);
    assert_int_equal(result.squeezedAgents, counted.squeezedAgents);
    assert_true(result.squeezedAgents > 0 && result.squeezed > result.squeezedAgents);
    assert_int_equal(result.agents, crowd.nextKey - 1);
    assert_true(result.arrived > 30 && result.meanPathRatio > 1.0 && result.meanPathRatio < 3.0);
    assert_true(result.collisionsPerStep > 10.0 && result.uniqueCollisions > 100);
    assert_true(result.maxDepth > 0.5 && result.maxDepth <= 1.0);
    assert_true(result.stuckMax > 0.0 && result.stuckMax < 1.0);
    assert_int_equal(result.wallCrossings, 0);
    assert_true(result.maxWallDepth <= 0x1p-13 * 1.01);
    thDestroyTally(tally);
    thDestroyWorld(crowd.world);
}

// People who all want to stand on one spot are pushed apart.
static void testContacts(void** state)
{
    (void)state;
    Walk walk = createWalk(1);
    const thGoalId goal = createPlace(walk.world, 8.0f, 0.0f);
    for (int32_t i = 0; i < 20; ++i)
        addWalker(&walk, walk.stopping, (float)(i % 5), (float)(i / 5), goal);
    walk.tally = createTally(walk.world);
    uint64_t contacts = 0;
    for (int32_t i = 0; i < 40; ++i) {
        observeWalk(&walk, 1);
        contacts += thWorld_GetCounters(walk.world).contacts;
    }
    const thTallyResult result = thTally_GetResult(walk.tally);
    assert_true(contacts > 10);
    assert_near(result.contactsPerStep, (double)contacts / 40.0, 1e-12);
    assert_true(result.collisionsPerStep == 0.0 && result.uniqueCollisions == 0);
    assert_true(result.maxDepth <= 0.009);
    destroyWalk(&walk);
}

static void testWalls(void** state)
{
    (void)state;
    Walk walk = createWalk(0);
    const thVec2 line[] = {{5.0f, -10.0f}, {5.0f, 10.0f}};
    thObstacleDef wall = thDefaultObstacleDef();
    wall.kind = th_obstacleWall;
    wall.points = line;
    wall.pointCount = 2;
    thObstacleId obstacle;
    assert_ok(thCreateObstacle(walk.world, &wall, &obstacle));
    const thGoalId beyond = createPlace(walk.world, 9.0f, 0.0f);
    const thAgentId walker = addWalker(&walk, walk.stopping, 4.0f, 0.0f, beyond);
    thAgentDef def = thDefaultAgentDef();
    def.profile = walk.stopping;
    def.flags = th_agentExternal;
    thAgentId external;
    assert_ok(thCreateAgent(walk.world, &def, &external));
    walk.tally = createTally(walk.world);
    thTallyDef without = thDefaultTallyDef();
    thTally* blind;
    assert_ok(thCreateTally(&without, walk.world, &blind));
    thTallyResult result = observeWalk(&walk, 6); // up to the wall, and against it
    assert_int_equal(result.wallCrossings, 0);
    assert_true(result.maxWallDepth <= 0x1p-13 * 1.01);
    // The host may go through walls; others it does not move.
    const thVec2 places[] = {{5.25f, 2.0f}, {8.0f, 0.0f}};
    assert_ok(thWorld_SetKinematics(walk.world, &external, &places[0], NULL, 1));
    result = observeWalk(&walk, 1);
    assert_int_equal(result.wallCrossings, 0);
    assert_true(result.maxWallDepth <= 0x1p-13 * 1.01);
    // So this one is put across the wall: the tally says so.
    assert_ok(thWorld_SetKinematics(walk.world, &walker, &places[1], NULL, 1));
    result = observeWalk(&walk, 1);
    assert_int_equal(result.wallCrossings, 1);
    assert_ok(thTally_Observe(blind, walk.time));
    assert_int_equal(thTally_GetResult(blind).wallCrossings, 0);
    thDestroyTally(blind);
    destroyWalk(&walk);
}

static void testCollisions(void** state)
{
    (void)state;
    Walk walk = createWalk(0);
    for (int32_t i = 0; i < 4; ++i) // 10 cm of 50 between neighbours
        addWalker(&walk, walk.stopping, 0.4f * (float)i, 0.0f, (thGoalId){0});
    const thAgentId passer =
        addWalker(&walk, walk.leaving, 0.0f, 3.0f, createPlace(walk.world, 0.0f, 0.0f));
    thTallyDef def = thDefaultTallyDef();
    def.maxPairs = 3;
    assert_ok(thCreateTally(&def, walk.world, &walk.tally));
    thTally* uncounting;
    def.collisions = 0;
    assert_ok(thCreateTally(&def, walk.world, &uncounting));
    thTallyResult result = observeWalk(&walk, 5);
    assert_true(result.collisionsPerStep == 3.0);
    assert_near(result.maxDepth, 0.2, 1e-4);
    assert_int_equal(result.uniqueCollisions, 3);
    assert_int_equal(result.uniqueIsLeast, 0);
    // It comes upon the first of them and leaves; one more pair than are told apart.
    result = observeWalk(&walk, 4);
    assert_false(thAgent_IsValid(walk.world, passer));
    assert_near(result.maxDepth, 0.2, 1e-4); // who left is in nobody's way
    thAgentDef lying = thDefaultAgentDef();
    lying.profile = walk.stopping;
    lying.radius = 0.5f;
    lying.position = (thVec2){0.0f, 0.375f};
    thAgentId id;
    assert_ok(thCreateAgent(walk.world, &lying, &id));
    result = observeWalk(&walk, 1);
    assert_near(result.maxDepth, 0.5, 1e-4);
    assert_near(result.collisionsPerStep, (9.0 * 3.0 + 5.0) / 10.0, 1e-12);
    assert_int_equal(result.uniqueCollisions, 3);
    assert_int_equal(result.uniqueIsLeast, 1);
    assert_ok(thTally_Observe(uncounting, walk.time));
    result = thTally_GetResult(uncounting);
    assert_true(result.steps == 1 && result.collisionsPerStep == 0.0 && result.maxDepth == 0.0);
    thDestroyTally(uncounting);
    destroyWalk(&walk);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testCrowd),
        cmocka_unit_test(testContacts),
        cmocka_unit_test(testWalls),
        cmocka_unit_test(testCollisions),
    };
    return RUN_TESTS(tests, argc, argv);
}
