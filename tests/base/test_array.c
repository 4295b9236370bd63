// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Growing arrays: what they hold, and what is left when memory is out.

#include "base/memory.h"
#include "base/memory_gear.h"
#include "gear/gear.h"

static void testGrows(void** state)
{
    (void)state;
    thTestAllocator test;
    thMemory memory;
    beginTestMemory(&test, &memory, 0);
    thArray array = thiArray(&memory, sizeof(int32_t));
    assert_int_equal(memory.calls, 0);
    int32_t added = 0;
    for (int32_t round = 0; round < 200; ++round) {
        const int32_t count = round % 7;
        int32_t* items = thiArrayAdd(&array, count);
        assert_non_null(items);
        assert_ptr_equal(items, TH_ITEMS(array, int32_t) + added);
        for (int32_t i = 0; i < count; ++i)
            items[i] = added++;
        assert_int_equal(array.count, added);
        assert_true(array.capacity >= array.count);
        assert_int_equal((uintptr_t)array.data % TH_ALIGNMENT, 0);
    }
    for (int32_t i = 0; i < added; ++i)
        assert_int_equal(TH_ITEMS(array, int32_t)[i], i);
    // Growth by halves: the number of moves is logarithmic.
    assert_true(memory.calls < 20);
    assert_int_equal(memory.bytes, (size_t)array.capacity * sizeof(int32_t));
    thiArrayFree(&array);
    assert_int_equal(array.count, 0);
    assert_int_equal(memory.bytes, 0);
    thiArrayFree(&array);
    // A freed array is an empty one.
    assert_non_null(thiArrayAdd(&array, 3));
    thiArrayFree(&array);
    testAllocatorFinish(&test);
}

static void testAddNothing(void** state)
{
    (void)state;
    thMemory memory;
    thiMemoryInit(&memory, NULL, 0);
    thArray array = thiArray(&memory, 8);
    assert_non_null(thiArrayAdd(&array, 0)); // NULL would say that memory is out
    assert_int_equal(array.count, 0);
    thiArrayFree(&array);
    memory.limit = 1; // and when it is out, NULL it is
    assert_null(thiArrayAdd(&array, 0));
}

static void testReserve(void** state)
{
    (void)state;
    thMemory memory;
    thiMemoryInit(&memory, NULL, 0);
    thArray array = thiArray(&memory, 12);
    assert_int_equal(thiArrayReserve(&array, 0), th_resultOk);
    assert_null(array.data);
    assert_int_equal(thiArrayReserve(&array, 100), th_resultOk);
    assert_int_equal(array.capacity, 100);
    assert_int_equal(array.count, 0);
    const void* data = array.data;
    assert_int_equal(thiArrayReserve(&array, 100), th_resultOk);
    assert_int_equal(thiArrayReserve(&array, -1), th_resultOk);
    assert_non_null(thiArrayAdd(&array, 100));
    assert_ptr_equal(array.data, data);
    assert_int_equal(memory.calls, 1);
    thiArrayFree(&array);
}

static void testFailureLeavesArray(void** state)
{
    (void)state;
    thTestAllocator test;
    thMemory memory;
    beginTestMemory(&test, &memory, 0);
    thArray array = thiArray(&memory, sizeof(int32_t));
    *(int32_t*)thiArrayAdd(&array, 1) = 42;
    const thArray before = array;
    test.failFrom = test.calls + 1;
    assert_null(thiArrayAdd(&array, 100));
    assert_int_equal(thiArrayReserve(&array, 100), th_resultNoMemory);
    assert_memory_equal(&array, &before, sizeof array);
    assert_int_equal(TH_ITEMS(array, int32_t)[0], 42);
    // More than any count can say.
    assert_null(thiArrayAdd(&array, INT32_MAX));
    assert_memory_equal(&array, &before, sizeof array);
    // The largest allocator call that can be made is refused by the allocator, not cut short.
    test.failFrom = 0;
    thArray wide = thiArray(&memory, INT32_MAX);
    assert_null(thiArrayAdd(&wide, INT32_MAX));
    assert_int_equal(wide.count, 0);
    thiArrayFree(&array);
    testAllocatorFinish(&test);
}

static void testAsksForLessWhenTight(void** state)
{
    (void)state;
    thMemory memory;
    thiMemoryInit(&memory, NULL, 20); // not enough for the eight items it would like
    thArray array = thiArray(&memory, sizeof(int32_t));
    assert_non_null(thiArrayAdd(&array, 5));
    assert_int_equal(array.capacity, 5);
    assert_null(thiArrayAdd(&array, 1));
    assert_int_equal(array.count, 5);
    thiArrayFree(&array);
}

// Near the largest count the growth by halves must not wrap.
static void testHugeCounts(void** state)
{
    (void)state;
    thTestAllocator test;
    thMemory memory;
    beginTestMemory(&test, &memory, 0);
    thArray array = thiArray(&memory, 1);
    array.capacity = INT32_MAX - 1; // as if it held that much
    array.count = INT32_MAX - 1;
    assert_null(thiArrayAdd(&array, 2));
    assert_int_equal(test.calls, 0);
    assert_null(thiArrayAdd(&array, 1)); // two GiB, which the test's allocator does not give
    assert_int_equal(test.calls, 2);
    assert_int_equal(array.count, INT32_MAX - 1);
    testAllocatorFinish(&test);
}

static thResult fillArray(const thAllocator* allocator, void* context)
{
    (void)context;
    thMemory memory;
    thiMemoryInit(&memory, allocator, 0);
    thArray array = thiArray(&memory, 24);
    thResult code = th_resultOk;
    for (int32_t i = 0; i < 100 && code == th_resultOk; ++i)
        code = thiArrayAdd(&array, 1) != NULL ? th_resultOk : th_resultNoMemory;
    thiArrayFree(&array);
    return code;
}

static void testFailEach(void** state)
{
    (void)state;
    assert_true(failEachAllocation(fillArray, NULL) >= 5);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testGrows),
        cmocka_unit_test(testAddNothing),
        cmocka_unit_test(testReserve),
        cmocka_unit_test(testFailureLeavesArray),
        cmocka_unit_test(testAsksForLessWhenTight),
        cmocka_unit_test(testHugeCounts),
        cmocka_unit_test(testFailEach),
    };
    return RUN_TESTS(tests, argc, argv);
}
