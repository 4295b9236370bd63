// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Who came and who arrived, when and how: known by hand.

#include "measure/measure_gear.h"
#include "sim/world_internal.h"

#define FINE 1e-4 // times and ratios are summed up in multiples of 2⁻¹⁶

static thGoalId listGoal(thWorld* world, const thGoalId* goals, int32_t count)
{
    thGoalDef def = thDefaultGoalDef();
    def.kind = th_goalList;
    def.goals = goals;
    def.goalCount = count;
    thGoalId goal;
    assert_ok(thCreateGoal(world, &def, &goal));
    return goal;
}

static void testArrivals(void** state)
{
    (void)state;
    Walk walk = createWalk(0);
    thWorld* world = walk.world;
    const thGoalId corner[] = {createPlace(world, 6.0f, 0.0f), createPlace(world, 6.0f, 8.0f)};
    addWalker(&walk, walk.stopping, 0.0f, 20.0f,
              createPlace(world, 10.0f, 20.0f));                                   // 10 s, straight
    addWalker(&walk, walk.leaving, 0.0f, 0.0f, listGoal(world, corner, 2));        // 14 s, 1.4
    addWalker(&walk, walk.stopping, 5.0f, 30.0f, createPlace(world, 5.0f, 30.0f)); // there at once
    addWalker(&walk, walk.leaving, 0.0f, 40.0f, createPlace(world, 100.0f, 40.0f));
    addWalker(&walk, walk.stopping, 0.0f, 50.0f, (thGoalId){0});
    walk.tally = createTally(world);
    assert_int_equal(thTally_GetResult(walk.tally).agents, 5);

    thTallyResult result = observeWalk(&walk, 1);
    assert_int_equal(result.arrived, 1);
    assert_true(result.lastArrival == 0.5 && result.meanPathRatio == 0.0);
    result = observeWalk(&walk, 18);
    assert_int_equal(result.arrived, 1);
    result = observeWalk(&walk, 1);
    assert_int_equal(result.arrived, 2);
    assert_true(result.lastArrival == 10.0 && result.meanArrival == (0.5 + 10.0) / 2.0);
    assert_true(result.meanPathRatio == 1.0);
    result = observeWalk(&walk, 20); // up to 20 s
    assert_int_equal(result.steps, 40);
    assert_int_equal(result.arrived, 3);
    assert_true(result.lastArrival == 14.0);
    assert_near(result.meanArrival, (0.5 + 10.0 + 14.0) / 3.0, 1e-12);
    assert_near(result.meanTravel, (0.5 + 10.0 + 14.0) / 3.0, FINE);
    assert_near(result.meanPathRatio, (1.0 + 1.4) / 2.0, FINE);
    assert_int_equal(result.agents, 5);
    assert_true(result.time == 20.0);
    destroyWalk(&walk);
}

// Another goal does not make an arrival undone, nor does it make a second one.
static void testSecondGoal(void** state)
{
    (void)state;
    Walk walk = createWalk(0);
    const thAgentId id =
        addWalker(&walk, walk.stopping, 0.0f, 0.0f, createPlace(walk.world, 2.0f, 0.0f));
    walk.tally = createTally(walk.world);
    observeWalk(&walk, 4);
    assert_ok(thAgent_SetGoal(walk.world, id, createPlace(walk.world, 0.0f, 0.0f)));
    const thTallyResult result = observeWalk(&walk, 10);
    assert_int_equal(result.arrived, 1);
    assert_true(result.lastArrival == 2.0 && result.meanPathRatio == 1.0);
    destroyWalk(&walk);
}

// Slots are used again, by agents that have nothing to do with the former ones.
static void testSlots(void** state)
{
    (void)state;
    Walk walk = createWalk(0);
    thWorld* world = walk.world;
    const thGoalId goal = createPlace(world, 4.0f, 0.0f), far = createPlace(world, 1000.0f, 3.0f);
    const thAgentId first = addWalker(&walk, walk.leaving, 0.0f, 0.0f, goal);
    walk.tally = createTally(world);
    observeWalk(&walk, 7);
    // The first one leaves in this step; before that is observed another one has its slot.
    assert_ok(thWorld_Step(world, 0.5f));
    const thAgentId second = addWalker(&walk, walk.stopping, 500.0f, 3.0f, far);
    assert_int_equal(THRONG_SLOT(second), THRONG_SLOT(first));
    walk.time += 0.5;
    assert_ok(thTally_Observe(walk.tally, walk.time));
    thTallyResult result = thTally_GetResult(walk.tally);
    assert_int_equal(result.agents, 2);
    assert_int_equal(result.arrived, 1);
    assert_true(result.meanPathRatio == 1.0); // the last bit of its path was seen
    assert_true(result.lastArrival == 4.0);

    // The second one is removed, a third one walks 3 m, 0.5 m of them before it is seen.
    observeWalk(&walk, 2);
    assert_ok(thDestroyAgent(world, second));
    const thAgentId third =
        addWalker(&walk, walk.stopping, 0.0f, 9.0f, createPlace(world, 0.0f, 12.0f));
    assert_int_equal(THRONG_SLOT(third), THRONG_SLOT(first));
    result = observeWalk(&walk, 6);
    assert_int_equal(result.agents, 3);
    assert_int_equal(result.arrived, 2);
    assert_true(result.lastArrival == 8.0 && result.meanPathRatio == 1.0);
    assert_near(result.meanTravel, (4.0 + 2.5) / 2.0, FINE);

    // One that is created, arrives and leaves within a step was there all the same.
    thCommand command = thDefaultCommand();
    command.kind = th_commandCreateAgent;
    command.create.profile = walk.leaving;
    command.create.position = (thVec2){3.75f, 0.0f};
    command.create.goal = goal;
    command.create.key = 7;
    assert_ok(thWorld_Queue(world, &command));
    result = observeWalk(&walk, 1);
    assert_int_equal(result.agents, 4);
    assert_int_equal(result.arrived, 3);
    // And one that stops there.
    command.create.profile = walk.stopping;
    command.create.key = 8;
    assert_ok(thWorld_Queue(world, &command));
    result = observeWalk(&walk, 2);
    assert_int_equal(result.agents, 5);
    assert_int_equal(result.arrived, 4);
    assert_true(result.lastArrival == 9.0);
    destroyWalk(&walk);
}

// A key that is given again, which hosts should not do, is another agent's once its first owner was
// missed.
static void testKeyAgain(void** state)
{
    (void)state;
    Walk walk = createWalk(0);
    thAgentDef def = thDefaultAgentDef();
    def.profile = walk.leaving;
    def.key = 5;
    def.position = (thVec2){100.0f, 0.0f};
    thAgentId id;
    assert_ok(thCreateAgent(walk.world, &def, &id));
    walk.tally = createTally(walk.world);
    observeWalk(&walk, 1);
    assert_ok(thDestroyAgent(walk.world, id));
    observeWalk(&walk, 1);
    def.position = (thVec2){0.0f, 0.0f};
    def.goal = createPlace(walk.world, 3.0f, 0.0f);
    assert_ok(thCreateAgent(walk.world, &def, &id));
    const thTallyResult result = observeWalk(&walk, 6);
    assert_int_equal(result.agents, 2);
    assert_int_equal(result.arrived, 1);
    assert_true(result.meanPathRatio == 1.0);
    assert_near(result.meanTravel, 2.5, FINE);
    destroyWalk(&walk);
}

// Agents that were there before the tally began did not arrive while it watched.
static void testLateBeginning(void** state)
{
    (void)state;
    Walk walk = createWalk(0);
    addWalker(&walk, walk.stopping, 0.0f, 0.0f, createPlace(walk.world, 1.0f, 0.0f));
    addWalker(&walk, walk.stopping, 0.0f, 9.0f, createPlace(walk.world, 6.0f, 9.0f));
    for (int32_t i = 0; i < 4; ++i)
        assert_ok(thWorld_Step(walk.world, 0.5f));
    thTallyDef def = thDefaultTallyDef();
    def.time = walk.time = 2.0;
    assert_ok(thCreateTally(&def, walk.world, &walk.tally));
    assert_ok(thTally_Observe(walk.tally, 2.0)); // of a step before its time
    const thTallyResult result = observeWalk(&walk, 12);
    assert_int_equal(result.steps, 12);
    assert_int_equal(result.arrived, 1);
    assert_true(result.lastArrival == 6.0);
    assert_near(result.meanTravel, 4.0, FINE);
    destroyWalk(&walk);
}

// A second look at the same step changes nothing; neither does an empty world.
static void testNothing(void** state)
{
    (void)state;
    Walk walk = createWalk(0);
    walk.tally = createTally(walk.world);
    thTallyResult result = observeWalk(&walk, 3);
    assert_ok(thTally_Observe(walk.tally, 7.0));
    result = thTally_GetResult(walk.tally);
    assert_int_equal(result.steps, 3);
    assert_true(result.time == 1.5 && result.agents == 0 && result.meanArrival == 0.0);
    assert_true(result.stuckShare == 0.0 && result.meanSpeed == 0.0);
    destroyWalk(&walk);
}

static void testBadArguments(void** state)
{
    (void)state;
    Walk walk = createWalk(0);
    walk.tally = createTally(walk.world);
    listen();
    thTally* tally = walk.tally;
    thTallyDef def = thDefaultTallyDef();
    assert_int_equal(thCreateTally(&def, NULL, &tally), th_resultBadArgument);
    assert_null(tally);
    assert_int_equal(thCreateTally(&def, walk.world, NULL), th_resultBadArgument);
    assert_int_equal(thCreateTally(NULL, walk.world, &tally), th_resultBadArgument);
    assert_int_equal(heard(), 3);
#define REFUSED(change)                                                                            \
    def = thDefaultTallyDef();                                                                     \
    change;                                                                                        \
    assert_int_equal(thCreateTally(&def, walk.world, &tally), th_resultBadArgument);               \
    assert_int_equal(heard(), 1)
    REFUSED(def.size = 3);
    REFUSED(def.collisions = 2);
    REFUSED(def.checkWalls = -1);
    REFUSED(def.maxPairs = -1);
    REFUSED(def.maxPairs = (1 << 26) + 1);
    REFUSED(def.time = NAN);
    REFUSED(def.allocator.release = NULL);
    tally = walk.tally;
    assert_ok(thWorld_Step(walk.world, 0.1f));
    assert_int_equal(thTally_Observe(NULL, 0.0), th_resultBadArgument);
    assert_int_equal(thTally_Observe(tally, INFINITY), th_resultBadArgument);
    assert_int_equal(thTally_Observe(tally, -0.1), th_resultBadArgument);
    size_t size;
    assert_int_equal(thTally_Save(NULL, NULL, 0, &size), th_resultBadArgument);
    assert_int_equal(thTally_Save(tally, NULL, 0, NULL), th_resultBadArgument);
    assert_int_equal(thTally_Restore(NULL, &size, 8, NULL), th_resultBadArgument);
    assert_int_equal(thTally_Restore(tally, NULL, 8, NULL), th_resultBadArgument);
    assert_int_equal(thTally_GetResult(NULL).steps, 0);
    assert_int_equal(heard(), 8);
    walk.world->stepping = true;
    assert_int_equal(thTally_Observe(tally, 1.0), th_resultBadArgument);
    assert_int_equal(thCreateTally(&def, walk.world, &tally), th_resultBadArgument);
    walk.world->stepping = false;
    assert_int_equal(heard(), 2);
    thDestroyTally(NULL);
    thSetHooks(NULL);
    destroyWalk(&walk);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testArrivals),      cmocka_unit_test(testSecondGoal),
        cmocka_unit_test(testSlots),         cmocka_unit_test(testKeyAgain),
        cmocka_unit_test(testLateBeginning), cmocka_unit_test(testNothing),
        cmocka_unit_test(testBadArguments),
    };
    return RUN_TESTS(tests, argc, argv);
}
