// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The gear itself: a test that cannot fail tests nothing.

#define _POSIX_C_SOURCE 200809L // setenv

#include "gear/allocators.h"
#include "gear/gear.h"
#include "gear/property.h"
#include "gear/statistics.h"

#include <stdio.h>
#include <stdlib.h>

static void* take(thTestAllocator* test, size_t size, size_t alignment)
{
    return testAllocator(test).allocate(test, size, alignment);
}

static void give(thTestAllocator* test, void* memory, size_t size, size_t alignment)
{
    testAllocator(test).release(test, memory, size, alignment);
}

static void testCountsAndPoisons(void** state)
{
    (void)state;
    thTestAllocator test;
    testAllocatorInit(&test);
    unsigned char* a = take(&test, 100, 64);
    unsigned char* b = take(&test, 3, 1);
    assert_int_equal((uintptr_t)a % 64, 0);
    for (int i = 0; i < 100; ++i)
        assert_int_equal(a[i], 0xCD);
    assert_int_equal(test.liveBlocks, 2);
    assert_int_equal(test.liveBytes, 103);
    give(&test, a, 100, 64);
    assert_int_equal(test.liveBytes, 3);
    give(&test, b, 3, 1);
    assert_null(testAllocatorProblem(&test));
    assert_null(take(&test, (size_t)1 << 40, 64));
    assert_int_equal(test.calls, 3);
    testAllocatorFinish(&test);
}

static void testSeesLeak(void** state)
{
    (void)state;
    thTestAllocator test;
    testAllocatorInit(&test);
    assert_non_null(take(&test, 10, 8));
    assert_string_equal(testAllocatorProblem(&test), "leak: 10 bytes in 1 blocks");
    testAllocatorFree(&test);
}

static void testSeesWrongRelease(void** state)
{
    (void)state;
    thTestAllocator test;
    testAllocatorInit(&test);
    give(&test, take(&test, 10, 8), 11, 8);
    assert_string_equal(testAllocatorProblem(&test),
                        "release with another size or alignment (size 11, alignment 8)");
    testAllocatorFree(&test);

    testAllocatorInit(&test);
    give(&test, take(&test, 10, 8), 10, 16);
    assert_non_null(testAllocatorProblem(&test));
    testAllocatorFree(&test);

    testAllocatorInit(&test);
    void* memory = take(&test, 10, 8);
    give(&test, memory, 10, 8);
    give(&test, memory, 10, 8);
    assert_string_equal(testAllocatorProblem(&test), "release of what is not live: twice, or not "
                                                     "ours (size 10, alignment 8)");
    testAllocatorFree(&test);

    testAllocatorInit(&test);
    assert_null(take(&test, 10, 24));
    assert_non_null(testAllocatorProblem(&test));
    testAllocatorFree(&test);
}

static void testFailsTheNth(void** state)
{
    (void)state;
    thTestAllocator test;
    for (int64_t n = 1; n <= 4; ++n) {
        testAllocatorInit(&test);
        test.failAt = n;
        for (int64_t call = 1; call <= 4; ++call) {
            void* memory = take(&test, 8, 8);
            assert_int_equal(memory == NULL, call == n);
            if (memory != NULL)
                give(&test, memory, 8, 8);
        }
        assert_int_equal(test.failures, 1);
        testAllocatorFinish(&test);
    }
    testAllocatorInit(&test);
    test.failFrom = 2;
    void* first = take(&test, 8, 8);
    assert_non_null(first);
    assert_null(take(&test, 8, 8));
    assert_null(take(&test, 8, 8));
    assert_int_equal(test.failures, 2);
    give(&test, first, 8, 8);
    testAllocatorFinish(&test);
}

typedef struct ScenarioLog {
    int32_t runs;
    int32_t noMemory;
} ScenarioLog;

// Three allocations, of which the last may fail without harm.
static thResult threeAllocations(const thAllocator* allocator, void* context)
{
    ScenarioLog* log = context;
    log->runs += 1;
    thResult code = th_resultOk;
    void* a = allocator->allocate(allocator->context, 10, 64);
    void* b = a != NULL ? allocator->allocate(allocator->context, 20, 64) : NULL;
    void* c = b != NULL ? allocator->allocate(allocator->context, 30, 64) : NULL;
    if (b == NULL) {
        code = th_resultNoMemory;
        log->noMemory += 1;
    }
    if (a != NULL)
        allocator->release(allocator->context, a, 10, 64);
    if (b != NULL)
        allocator->release(allocator->context, b, 20, 64);
    if (c != NULL)
        allocator->release(allocator->context, c, 30, 64);
    return code;
}

static void testFailsEach(void** state)
{
    (void)state;
    ScenarioLog log = {0};
    assert_int_equal(failEachAllocation(threeAllocations, &log), 3);
    assert_int_equal(log.runs, 8); // three that fail and one that does not, in two ways
    assert_int_equal(log.noMemory, 4);
}

static bool holdsAlways(thGenerator* g, int32_t size, void* context)
{
    (void)g;
    int32_t* largest = context;
    *largest = size > *largest ? size : *largest;
    return true;
}

static bool holdsBelow37(thGenerator* g, int32_t size, void* context)
{
    (void)g;
    (void)context;
    return size < 37;
}

static bool holdsNever(thGenerator* g, int32_t size, void* context)
{
    (void)g;
    (void)size;
    (void)context;
    return false;
}

static void testPropertyShrinks(void** state)
{
    (void)state;
    int32_t largest = 0;
    thPropertyCase failing = {-1, -1};
    assert_true(checkProperty(&(thProperty){"true", 1, 50, 200, holdsAlways, &largest}, &failing));
    assert_int_equal(largest, 200);
    assert_int_equal(failing.number, -1);

    assert_false(
        checkProperty(&(thProperty){"below37", 1, 50, 1000, holdsBelow37, NULL}, &failing));
    assert_int_equal(failing.size, 37);
    assert_false(checkProperty(&(thProperty){"never", 1, 50, 1000, holdsNever, NULL}, &failing));
    assert_int_equal(failing.size, 0);
}

// Remembers what it drew, to compare with the replay.
static bool drawsAndFails(thGenerator* g, int32_t size, void* context)
{
    uint64_t* drawn = context;
    *drawn = drawU64(g) + (uint64_t)size;
    return size < 5;
}

static void testPropertyReplays(void** state)
{
    (void)state;
    uint64_t drawn, again = 0;
    thPropertyCase failing, replayed;
    thProperty property = {"replay", 77, 20, 100, drawsAndFails, &drawn};
    assert_false(checkProperty(&property, &failing));
    thGenerator g = makeGenerator(77, (uint64_t)failing.number);
    drawsAndFails(&g, failing.size, &drawn);

    char text[64];
    snprintf(text, sizeof text, "replay:77:%d:%d", failing.number, failing.size);
    setenv("THRONG_PROPERTY", text, 1);
    property.seed = 1; // the replay's seed counts
    property.context = &again;
    assert_false(checkProperty(&property, &replayed));
    const bool otherIsSkipped =
        checkProperty(&(thProperty){"never", 1, 50, 1000, holdsNever, NULL}, &replayed);
    unsetenv("THRONG_PROPERTY");
    assert_int_equal(drawn, again);
    assert_int_equal(replayed.size, 5);
    assert_true(otherIsSkipped);
}

// Fails for lists that hold both a 3 and a 7.
static bool hasThreeAndSeven(const void* items, int32_t count, void* context)
{
    (void)context;
    const int32_t* numbers = items;
    bool three = false, seven = false;
    for (int32_t i = 0; i < count; ++i) {
        three = three || numbers[i] == 3;
        seven = seven || numbers[i] == 7;
    }
    return three && seven;
}

static void testListShrinks(void** state)
{
    (void)state;
    int32_t numbers[101];
    for (int32_t i = 0; i < 101; ++i)
        numbers[i] = i % 11;
    assert_int_equal(shrinkList(numbers, 101, sizeof numbers[0], hasThreeAndSeven, NULL), 2);
    assert_true(hasThreeAndSeven(numbers, 2, NULL));
    assert_int_equal(shrinkList(numbers, 0, sizeof numbers[0], hasThreeAndSeven, NULL), 0);
}

static void testDraws(void** state)
{
    (void)state;
    thGenerator g = makeGenerator(5, 0);
    bool low = false, high = false, nan = false, infinite = false, denormal = false, zero = false;
    for (int i = 0; i < 2000; ++i) {
        const int32_t number = drawInt(&g, -2, 2);
        assert_in_range(number + 2, 0, 4);
        low = low || number == -2;
        high = high || number == 2;
        const float unit = drawUnit(&g);
        assert_true(unit >= 0.0f && unit < 1.0f);
        const float between = drawFloat(&g, -3.0f, 5.0f);
        assert_true(between >= -3.0f && between < 5.0f);
        const float special = drawSpecialFloat(&g);
        nan = nan || isnan(special);
        infinite = infinite || isinf(special);
        denormal = denormal || fpclassify(special) == FP_SUBNORMAL;
        zero = zero || (special == 0.0f && signbit(special));
        (void)drawInt(&g, INT32_MIN, INT32_MAX);
    }
    assert_true(low && high && nan && infinite && denormal && zero);
}

static uint64_t weakMix(uint64_t input)
{
    return input * UINT64_C(0x9e3779b97f4a7c15); // high bits never reach low ones
}

static void testStatisticsSeeFlaws(void** state)
{
    (void)state;
    assert_true(avalancheDeviation(weakMix, 64, 64, false) > 20.0);
    const int32_t even[4] = {251, 248, 254, 247}, uneven[4] = {300, 250, 250, 200};
    assert_true(uniformDeviation(even, 4) < 2.0);
    assert_true(uniformDeviation(uneven, 4) > 5.0);
    const float a[4] = {0.0f, 1.0f, 0.0f, 1.0f}, b[4] = {0.0f, 0.0f, 1.0f, 1.0f};
    assert_near(correlationDeviation(a, b, 4), 0.0, 1e-9);
    assert_near(correlationDeviation(a, a, 4), 2.0, 1e-9);
}

static void testFloatAssertions(void** state)
{
    (void)state;
    assert_true(sameBits(NAN, NAN) && sameBits(-0.0f, -0.0f));
    assert_false(sameBits(0.0f, -0.0f) || sameBits(1.0f, 0x1.000002p0f));
    assert_true(isNear(1.0, 1.5, 0.5) && isNear(INFINITY, INFINITY, 0.0));
    assert_false(isNear(1.0, 1.5, 0.4) || isNear(NAN, NAN, 1.0) || isNear(INFINITY, 1.0, 1.0));
    assert_same_bits(-0.0f, -0.0f);
    assert_near(1.0f, 1.5, 0.5);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testCountsAndPoisons),
        cmocka_unit_test(testSeesLeak),
        cmocka_unit_test(testSeesWrongRelease),
        cmocka_unit_test(testFailsTheNth),
        cmocka_unit_test(testFailsEach),
        cmocka_unit_test(testPropertyShrinks),
        cmocka_unit_test(testPropertyReplays),
        cmocka_unit_test(testListShrinks),
        cmocka_unit_test(testDraws),
        cmocka_unit_test(testFloatAssertions),
        cmocka_unit_test(testStatisticsSeeFlaws),
    };
    return RUN_TESTS(tests, argc, argv);
}
