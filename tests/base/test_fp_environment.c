// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A host may round up, flush denormals to zero and trap on divisions. Tasks must not notice, and
// the host must find its own settings afterwards.

#include "base/machine.h"
#include "gear/gear.h"
#include "throng/tasks.h"

#include <fenv.h>
#include <float.h>
#include <stdatomic.h>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#define WORKERS (THRONG_THREADS ? 4 : 1)

// IEEE's default environment, as seen by computing. Volatile, so that the compiler does not.
static bool isDefault(void)
{
    const volatile float one = 1.0f, tiny = 0x1p-30f, least = FLT_MIN, zero = 0.0f;
    const volatile float sum = one + tiny, difference = -one - tiny;
    const volatile float half = least * 0.5f;          // flushed to zero if results are
    const volatile float whole = 0x1p-149f * 0x1p100f; // and this one if operands are
    const volatile float denormal = 0x1p-140f;
    const volatile float scaled = denormal * 0x1p120f;
    const volatile float infinite = one / zero, invalid = zero / zero; // end the program if trapped
    return sum == 1.0f && difference == -1.0f && half > 0.0f && whole > 0.0f && scaled > 0.0f &&
           isinf(infinite) && isnan(invalid);
}

static void spoilEnvironment(void)
{
#if defined(__SSE2__)
    const unsigned flushBoth = 0x8040, roundUp = 0x4000, divisionMask = 0x0200,
                   invalidMask = 0x0080;
    _mm_setcsr((0x1f80 & ~(divisionMask | invalidMask)) | flushBoth | roundUp);
#else
    if (fesetround(FE_UPWARD) != 0)
        skip(); // a machine with one environment
#endif
}

static uint64_t readEnvironment(void)
{
#if defined(__SSE2__)
    return _mm_getcsr();
#else
    return (uint64_t)fegetround();
#endif
}

// Sets the environment back before cmocka computes anything.
static int restoreDefault(void** state)
{
    (void)state;
#if defined(__SSE2__)
    _mm_setcsr(0x1f80);
#else
    fesetround(FE_TONEAREST);
#endif
    return 0;
}

static void testEnterAndRestore(void** state)
{
    (void)state;
    spoilEnvironment();
    const uint64_t spoiled = readEnvironment();
    const thFpEnvironment before = thiFpEnter();
    const bool isDefaultInside = isDefault();
    thiFpRestore(before);
    const uint64_t after = readEnvironment();
    restoreDefault(NULL);
    assert_true(isDefaultInside);
    assert_int_equal(after, spoiled);
}

typedef struct Seen {
    int32_t expected;
    _Atomic int32_t arrived;
    _Atomic int32_t wrong;
} Seen;

// Waits for the others, so that each range is on a thread of its own.
static void look(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)begin;
    (void)end;
    (void)worker;
    Seen* seen = context;
    atomic_fetch_add(&seen->arrived, 1);
    if (!isDefault())
        atomic_fetch_add(&seen->wrong, 1);
    const int64_t tooLate = thiNow() + INT64_C(20000000000);
    while (atomic_load(&seen->arrived) < seen->expected && thiNow() < tooLate) {
    }
}

// Threads inherit the settings of the one that starts them: spoil those too.
static void testTasksSeeDefault(void** state)
{
    (void)state;
    thTasksDef def = thDefaultTasksDef();
    def.workerCount = WORKERS;
    thTasks* tasks = NULL;
    spoilEnvironment();
    const uint64_t spoiled = readEnvironment();
    const thResult code = thCreateTasks(&def, &tasks);
    Seen seen = {.expected = WORKERS};
    for (int32_t round = 0; round < 3 && code == th_resultOk; ++round) {
        atomic_store(&seen.arrived, 0);
        thTasks_ParallelFor(tasks, WORKERS, 1, look, &seen);
    }
    const uint64_t after = readEnvironment();
    restoreDefault(NULL);
    assert_int_equal(code, th_resultOk);
    assert_int_equal(after, spoiled);
    assert_int_equal(seen.arrived, WORKERS);
    assert_int_equal(seen.wrong, 0);
    thDestroyTasks(tasks);
}

// A host's scheduler whose own thread is spoiled: it must get its settings back too.
static void* enqueueSpoiled(void* context, thTaskFcn* function, void* task)
{
    const uint64_t hosts = readEnvironment();
    spoilEnvironment();
    const uint64_t spoiled = readEnvironment();
    function(task);
    if (readEnvironment() == spoiled)
        *(int32_t*)context += 1;
    thiFpRestore((thFpEnvironment){hosts});
    return NULL;
}

static void finishNothing(void* context, void* handle)
{
    (void)context;
    (void)handle;
}

static void testHostGetsItsOwnBack(void** state)
{
    (void)state;
    int32_t kept = 0;
    thTasksDef def = thDefaultTasksDef();
    def.workerCount = 3;
    def.host = (thTaskHost){&kept, enqueueSpoiled, finishNothing};
    thTasks* tasks;
    assert_int_equal(thCreateTasks(&def, &tasks), th_resultOk);
    Seen seen = {.expected = 0};
    thTasks_ParallelFor(tasks, 10, 1, look, &seen);
    assert_int_equal(kept, 2);
    assert_int_equal(seen.arrived, 10);
    assert_int_equal(seen.wrong, 0);
    thDestroyTasks(tasks);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(testEnterAndRestore, restoreDefault),
        cmocka_unit_test_teardown(testTasksSeeDefault, restoreDefault),
        cmocka_unit_test_teardown(testHostGetsItsOwnBack, restoreDefault),
    };
    return RUN_TESTS(tests, argc, argv);
}
