// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The default allocator, and the account with its limit, from one thread and from many.

#include "base/memory.h"
#include "base/memory_gear.h"
#include "gear/gear.h"
#include "throng/tasks.h"

static void testDefaultAllocator(void** state)
{
    (void)state;
    const thAllocator allocator = thDefaultAllocator();
    for (size_t alignment = sizeof(void*); alignment <= 4096; alignment *= 2) {
        const size_t sizes[] = {1, alignment - 1, alignment, alignment + 1, 1000};
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
            unsigned char* memory = allocator.allocate(allocator.context, sizes[i], alignment);
            assert_non_null(memory);
            assert_int_equal((uintptr_t)memory % alignment, 0);
            memset(memory, 1, sizes[i]);
            allocator.release(allocator.context, memory, sizes[i], alignment);
        }
    }
    // Rounding the size up must not wrap round to a small one.
    assert_null(allocator.allocate(allocator.context, SIZE_MAX, 64));
    assert_null(allocator.allocate(allocator.context, SIZE_MAX - 62, 64));
}

static void testAccount(void** state)
{
    (void)state;
    thTestAllocator test;
    thMemory memory;
    beginTestMemory(&test, &memory, 0);
    assert_null(thiAllocate(&memory, 0));
    assert_int_equal(test.calls, 0);
    thiRelease(&memory, NULL, 100);

    unsigned char* a = thiAllocate(&memory, 100);
    unsigned char* b = thiAllocateZero(&memory, 50);
    assert_int_equal((uintptr_t)a % TH_ALIGNMENT, 0);
    assert_int_equal((uintptr_t)b % TH_ALIGNMENT, 0);
    for (int i = 0; i < 50; ++i)
        assert_int_equal(b[i], 0);
    assert_int_equal(memory.bytes, 150);
    thiRelease(&memory, a, 100);
    assert_int_equal(memory.bytes, 50);
    assert_int_equal(memory.peak, 150);
    assert_int_equal(memory.calls, 2);
    thiRelease(&memory, b, 50);
    assert_int_equal(memory.bytes, 0);
    testAllocatorFinish(&test);
}

static void testLimit(void** state)
{
    (void)state;
    thTestAllocator test;
    thMemory memory;
    beginTestMemory(&test, &memory, 1000);
    assert_null(thiAllocate(&memory, 1001));
    assert_null(thiAllocate(&memory, SIZE_MAX));
    void* most = thiAllocate(&memory, 999);
    assert_non_null(most);
    assert_null(thiAllocate(&memory, 2));
    assert_null(thiAllocateZero(&memory, 2));
    assert_null(thiAllocate(&memory, SIZE_MAX)); // together with what is held it would wrap
    void* last = thiAllocate(&memory, 1);
    assert_non_null(last);
    assert_int_equal(memory.bytes, 1000);
    assert_int_equal(memory.peak, 1000);
    assert_int_equal(test.calls, 2); // the limit is kept without asking the host
    thiRelease(&memory, most, 999);
    thiRelease(&memory, last, 1);
    assert_int_equal(memory.bytes, 0);
    testAllocatorFinish(&test);
}

static void testFailureLeavesAccount(void** state)
{
    (void)state;
    thTestAllocator test;
    thMemory memory;
    beginTestMemory(&test, &memory, 0);
    test.failAt = 2;
    void* a = thiAllocate(&memory, 10);
    assert_null(thiAllocateZero(&memory, 20));
    assert_int_equal(memory.bytes, 10);
    assert_int_equal(memory.peak, 10);
    assert_int_equal(memory.calls, 1);
    assert_null(thiAllocate(&memory, SIZE_MAX)); // would wrap the account, though without a limit
    assert_int_equal(memory.bytes, 10);
    assert_int_equal(test.calls, 2);
    thiRelease(&memory, a, 10);
    testAllocatorFinish(&test);
}

static void testDefaultsWhenNoneGiven(void** state)
{
    (void)state;
    thMemory memory;
    const thAllocator none = {0};
    const thAllocator* given[] = {NULL, &none};
    for (int i = 0; i < 2; ++i) {
        thiMemoryInit(&memory, given[i], 0);
        char* block = thiAllocate(&memory, 3);
        assert_non_null(block);
        block[2] = 1;
        thiRelease(&memory, block, 3);
    }
}

typedef struct Crowded {
    thMemory memory;
    _Atomic int32_t surprises;
} Crowded;

// Every other range asks for more than there is, which must not bother the others.
static void allocateSmallAndTooLarge(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)end;
    (void)worker;
    Crowded* crowded = context;
    const size_t size = begin % 2 == 0 ? 100 : 100000;
    for (int32_t round = 0; round < 2000; ++round) {
        void* block = thiAllocate(&crowded->memory, size);
        if ((block != NULL) != (size == 100))
            atomic_fetch_add(&crowded->surprises, 1);
        thiRelease(&crowded->memory, block, size);
    }
}

static void testManyThreads(void** state)
{
    (void)state;
    thTestAllocator test;
    testAllocatorInit(&test);
    const thAllocator allocator = testAllocator(&test);
    Crowded crowded = {.surprises = 0};
    thMemory* memory = &crowded.memory;
    thiMemoryInit(memory, &allocator, 5000);
    thTasksDef def = thDefaultTasksDef();
    def.workerCount = THRONG_THREADS ? 4 : 1;
    thTasks* tasks;
    assert_int_equal(thCreateTasks(&def, &tasks), th_resultOk);
    thTasks_ParallelFor(tasks, 100, 1, allocateSmallAndTooLarge, &crowded);
    thDestroyTasks(tasks);
    assert_int_equal(crowded.surprises, 0);
    assert_int_equal(memory->bytes, 0);
    assert_int_equal(memory->calls, 50 * 2000);
    assert_in_range(memory->peak, 100, 400);
    testAllocatorFinish(&test);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testDefaultAllocator),
        cmocka_unit_test(testAccount),
        cmocka_unit_test(testLimit),
        cmocka_unit_test(testFailureLeavesAccount),
        cmocka_unit_test(testDefaultsWhenNoneGiven),
        cmocka_unit_test(testManyThreads),
    };
    return RUN_TESTS(tests, argc, argv);
}
