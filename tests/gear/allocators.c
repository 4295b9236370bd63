// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Blocks with their sizes in a list, and calls that fail when they are told to.

// posix_memalign: unlike aligned_alloc it gives blocks that end where asked, so that the address
// sanitizer sees a write one byte past the end.
#define _POSIX_C_SOURCE 200809L

#include "gear/allocators.h"

#include "gear/gear.h"

#include <stdio.h>
#include <stdlib.h>

#define FRESH_BYTE 0xCD
#define LARGEST_SIZE ((size_t)1 << 30)

struct thTestBlock {
    void* memory;
    size_t size;
    size_t alignment;
};

static void lock(thTestAllocator* test)
{
    while (atomic_flag_test_and_set_explicit(&test->lock, memory_order_acquire)) {
    }
}

static void unlock(thTestAllocator* test)
{
    atomic_flag_clear_explicit(&test->lock, memory_order_release);
}

static void report(thTestAllocator* test, const char* what, size_t size, size_t alignment)
{
    if (test->problem[0] == '\0')
        snprintf(test->problem, sizeof test->problem, "%s (size %zu, alignment %zu)", what, size,
                 alignment);
}

static void remember(thTestAllocator* test, thTestBlock block)
{
    if (test->liveBlocks == test->blockRoom) {
        test->blockRoom = 2 * test->blockRoom + 16;
        test->blocks = realloc(test->blocks, (size_t)test->blockRoom * sizeof *test->blocks);
        if (test->blocks == NULL)
            abort(); // the machine is out of memory: no test can go on
    }
    test->blocks[test->liveBlocks] = block;
    test->liveBlocks += 1;
    test->liveBytes += (int64_t)block.size;
}

static void* allocateLocked(thTestAllocator* test, size_t size, size_t alignment)
{
    test->calls += 1;
    if (test->calls == test->failAt || (test->failFrom != 0 && test->calls >= test->failFrom)) {
        test->failures += 1;
        return NULL;
    }
    if (alignment == 0 || (alignment & (alignment - 1)) != 0) {
        report(test, "allocate with an alignment that is no power of two", size, alignment);
        return NULL;
    }
    void* memory = NULL;
    const size_t enough = alignment < sizeof(void*) ? sizeof(void*) : alignment;
    if (size > LARGEST_SIZE || posix_memalign(&memory, enough, size) != 0)
        return NULL;
    memset(memory, FRESH_BYTE, size);
    remember(test, (thTestBlock){memory, size, alignment});
    return memory;
}

static void* allocate(void* context, size_t size, size_t alignment)
{
    lock(context);
    void* memory = allocateLocked(context, size, alignment);
    unlock(context);
    return memory;
}

static void releaseLocked(thTestAllocator* test, void* memory, size_t size, size_t alignment)
{
    int64_t i = test->liveBlocks - 1;
    while (i >= 0 && test->blocks[i].memory != memory)
        --i;
    if (i < 0) {
        report(test, "release of what is not live: twice, or not ours", size, alignment);
        return;
    }
    if (test->blocks[i].size != size || test->blocks[i].alignment != alignment)
        report(test, "release with another size or alignment", size, alignment);
    test->liveBlocks -= 1;
    test->liveBytes -= (int64_t)test->blocks[i].size;
    test->blocks[i] = test->blocks[test->liveBlocks];
    free(memory);
}

static void release(void* context, void* memory, size_t size, size_t alignment)
{
    lock(context);
    releaseLocked(context, memory, size, alignment);
    unlock(context);
}

void testAllocatorInit(thTestAllocator* test)
{
    *test = (thTestAllocator){.lock = ATOMIC_FLAG_INIT};
}

thAllocator testAllocator(thTestAllocator* test)
{
    return (thAllocator){test, allocate, release};
}

const char* testAllocatorProblem(thTestAllocator* test)
{
    if (test->problem[0] == '\0' && test->liveBlocks > 0)
        snprintf(test->problem, sizeof test->problem, "leak: %lld bytes in %lld blocks",
                 (long long)test->liveBytes, (long long)test->liveBlocks);
    return test->problem[0] != '\0' ? test->problem : NULL;
}

void testAllocatorFree(thTestAllocator* test)
{
    for (int64_t i = 0; i < test->liveBlocks; ++i)
        free(test->blocks[i].memory);
    free(test->blocks);
    test->blocks = NULL;
    test->blockRoom = 0;
    test->liveBlocks = 0;
    test->liveBytes = 0;
}

void testAllocatorFinish(thTestAllocator* test)
{
    const char* problem = testAllocatorProblem(test);
    testAllocatorFree(test);
    if (problem != NULL)
        fail_msg("%s", problem);
}

// Returns whether an allocation failed.
static bool runFailing(thScenarioFcn* scenario, void* context, thTestAllocator* test)
{
    const thAllocator allocator = testAllocator(test);
    const thResult code = scenario(&allocator, context);
    const bool failed = test->failures > 0;
    const char* problem = testAllocatorProblem(test);
    if (problem != NULL || (code != th_resultOk && !(failed && code == th_resultNoMemory)))
        print_error("with failAt %lld, failFrom %lld: result %d\n", (long long)test->failAt,
                    (long long)test->failFrom, (int)code);
    testAllocatorFinish(test);
    if (failed)
        assert_true(code == th_resultOk || code == th_resultNoMemory);
    else
        assert_int_equal(code, th_resultOk);
    return failed;
}

int64_t failEachAllocation(thScenarioFcn* scenario, void* context)
{
    for (int64_t n = 1;; ++n) {
        thTestAllocator once;
        testAllocatorInit(&once);
        once.failAt = n;
        const bool failed = runFailing(scenario, context, &once);
        thTestAllocator ever;
        testAllocatorInit(&ever);
        ever.failFrom = n;
        const bool failedToo = runFailing(scenario, context, &ever);
        if (!failed && !failedToo)
            return n - 1;
    }
}
