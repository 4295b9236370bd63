// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The same figures to the bit with other numbers of threads and in other slots.

#include "measure/measure_gear.h"

enum { stepCount = 260 };

typedef void AssertSameFcn(const thTally* a, const thTally* b);

// Steps both, and compares what their tallies say after each step.
static void compareCrowds(Crowd a, Crowd b, AssertSameFcn* assertSame)
{
    thTally *left = createTally(a.world), *right = createTally(b.world);
    for (uint64_t step = 0; step < stepCount; ++step) {
        stepCrowd(&a, step);
        stepCrowd(&b, step);
        observeCrowd(left, step);
        observeCrowd(right, step);
        assertSame(left, right);
    }
    assertMuchHappened(left);
    thDestroyTally(left);
    thDestroyTally(right);
    thDestroyWorld(a.world);
    thDestroyWorld(b.world);
}

static void testThreads(void** state)
{
    (void)state;
    compareCrowds(createCrowd(1, false), createCrowd(3, false), assertSameTally);
}

// Large enough for several workers to have something to do.
static thTally* watchLargeCrowd(int32_t workerCount, thWorld** world)
{
    *world = createPlainWorld(workerCount, 0);
    thProfileDef profile = thDefaultProfileDef();
    profile.arrival = th_arrivalLeave;
    thAgentDef def = thDefaultAgentDef();
    assert_ok(thCreateProfile(*world, &profile, &def.profile, NULL));
    assert_ok(thCreatePointGoal(*world, (thVec2){0.0f, 0.0f}, &def.goal));
    thGenerator g = makeGenerator(32, 0);
    thTally* tally = NULL;
    for (int32_t step = 0; step < 12; ++step) {
        for (int32_t i = 0; i < (step == 0 ? 5000 : 200); ++i) {
            thAgentId id;
            def.position = (thVec2){drawFloat(&g, -30.0f, 30.0f), drawFloat(&g, -30.0f, 30.0f)};
            assert_ok(thCreateAgent(*world, &def, &id));
        }
        if (step == 0)
            tally = createTally(*world);
        assert_ok(thWorld_Step(*world, 0.5f));
        assert_ok(thTally_Observe(tally, 0.5 * (step + 1)));
    }
    return tally;
}

static void testManyThreads(void** state)
{
    (void)state;
    thWorld *one, *three;
    thTally* left = watchLargeCrowd(1, &one);
    thTally* right = watchLargeCrowd(3, &three);
    assertSameTally(left, right);
    const thTallyResult result = thTally_GetResult(left);
    assert_int_equal(result.agents, 5000 + 11 * 200);
    assert_true(result.arrived > 100 && result.uniqueCollisions > 5000);
    thDestroyTally(left);
    thDestroyTally(right);
    thDestroyWorld(one);
    thDestroyWorld(three);
}

static void testSlots(void** state)
{
    (void)state;
    compareCrowds(createCrowd(1, false), createCrowd(1, true), assertSameFigures);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testThreads),
        cmocka_unit_test(testManyThreads),
        cmocka_unit_test(testSlots),
    };
    return RUN_TESTS(tests, argc, argv);
}
