// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Memory: what a tally needs of it, and what happens when there is none.

#include "gear/allocators.h"
#include "measure/measure_gear.h"

#include <stdlib.h>

enum { stepCount = 24 };

// The host moves one of them far in every second step, so that rows are sorted anew.
static void disturb(Crowd* crowd, uint64_t step)
{
    const thAgentId id = thWorld_FindAgent(crowd->world, 1 + step);
    const thVec2 place = {-13.0f + 0.1f * (float)step, 20.0f};
    if (id.value != 0 && step % 2 == 0)
        assert_ok(thWorld_SetKinematics(crowd->world, &id, &place, NULL, 1));
}

static thResult createWatcher(const Crowd* crowd, const thAllocator* allocator, thTally** tally)
{
    thTallyDef def = thDefaultTallyDef();
    def.allocator = *allocator;
    def.checkWalls = 1;
    return thCreateTally(&def, crowd->world, tally);
}

// Watches a crowd, saves and restores. `patient`: what failed is tried once more.
typedef struct Watch {
    bool patient;
    Bytes saved; // in the end
} Watch;

static thResult saveAndRestore(thTally* tally, bool patient)
{
    const Bytes saved = saveTally(tally);
    thResult code = thTally_Restore(tally, saved.data, saved.size, NULL);
    if (code == th_resultNoMemory && patient)
        code = thTally_Restore(tally, saved.data, saved.size, NULL);
    freeBytes(saved);
    return code;
}

static thResult watch(const thAllocator* allocator, void* context)
{
    Watch* run = context;
    Crowd crowd = createCrowd(3, false);
    thTally* tally;
    thResult code = createWatcher(&crowd, allocator, &tally);
    assert_true((code == th_resultOk) == (tally != NULL));
    if (code == th_resultNoMemory && run->patient)
        code = createWatcher(&crowd, allocator, &tally);
    for (uint64_t step = 0; step < stepCount && code == th_resultOk; ++step) {
        stepCrowd(&crowd, step);
        disturb(&crowd, step);
        const double time = (double)(step + 1) * CROWD_STEP;
        const uint64_t steps = thTally_GetResult(tally).steps;
        code = thTally_Observe(tally, time);
        assert_int_equal(thTally_GetResult(tally).steps, steps + (code == th_resultOk));
        if (code == th_resultNoMemory && run->patient)
            code = thTally_Observe(tally, time);
        if (code == th_resultOk && step == stepCount / 2)
            code = saveAndRestore(tally, run->patient);
    }
    if (code == th_resultOk)
        run->saved = saveTally(tally);
    thDestroyTally(tally);
    thDestroyWorld(crowd.world);
    return code;
}

static thResult watchOnce(const thAllocator* allocator, void* context)
{
    Watch run = {0};
    (void)context;
    const thResult code = watch(allocator, &run);
    freeBytes(run.saved);
    return code;
}

static void testFailEach(void** state)
{
    (void)state;
    assert_in_range(failEachAllocation(watchOnce, NULL), 30, 1000);
}

// A call that failed has changed nothing: made again it leads to the same figures.
static void testFailedChangesNothing(void** state)
{
    (void)state;
    Watch calm = {0};
    const thAllocator plain = thDefaultAllocator();
    assert_ok(watch(&plain, &calm));
    for (int64_t failAt = 1;; ++failAt) {
        thTestAllocator test;
        testAllocatorInit(&test);
        test.failAt = failAt;
        const thAllocator allocator = testAllocator(&test);
        Watch run = {.patient = true};
        assert_ok(watch(&allocator, &run));
        assert_true(sameBytes(calm.saved, run.saved));
        freeBytes(run.saved);
        const bool failed = test.failures > 0;
        testAllocatorFinish(&test);
        if (!failed)
            break;
    }
    freeBytes(calm.saved);
}

// docs/measures.md says how many bytes an agent takes, and that warm observations allocate nothing.
static void testBytes(void** state)
{
    (void)state;
    enum { count = 20000 };
    thWorld* world = createPlainWorld(1, 0);
    const thProfileDef profile = thDefaultProfileDef();
    thAgentDef def = thDefaultAgentDef();
    assert_ok(thCreateProfile(world, &profile, &def.profile, NULL));
    for (int32_t i = 0; i < count; ++i) {
        thAgentId id;
        def.position = (thVec2){(float)(i % 141), (float)(i / 141)};
        assert_ok(thCreateAgent(world, &def, &id));
    }
    thTestAllocator test;
    testAllocatorInit(&test);
    thTallyDef tallyDef = thDefaultTallyDef();
    tallyDef.allocator = testAllocator(&test);
    thTally* tally;
    assert_ok(thCreateTally(&tallyDef, world, &tally));
    const int64_t calls = test.calls;
    for (int32_t step = 1; step <= 30; ++step) {
        assert_ok(thWorld_Step(world, 0.5f));
        assert_ok(thTally_Observe(tally, 0.5 * step));
    }
    assert_int_equal(test.calls, calls);
    assert_int_equal(thTally_GetResult(tally).bytes, (uint64_t)test.liveBytes);
    assert_true(test.liveBytes <= 112 * count + 128 * 1024);
    thDestroyTally(tally);
    testAllocatorFinish(&test);
    thDestroyWorld(world);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testFailEach),
        cmocka_unit_test(testFailedChangesNothing),
        cmocka_unit_test(testBytes),
    };
    return RUN_TESTS(tests, argc, argv);
}
