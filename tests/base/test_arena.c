// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Arenas: what they hand out does not overlap, and a warm one does not allocate.

#include "base/memory.h"
#include "base/memory_gear.h"
#include "gear/gear.h"
#include "gear/property.h"

#include <stdlib.h>

typedef struct Span {
    unsigned char* begin;
    size_t size;
} Span;

// Everything handed out since the last reset keeps its own content: nothing overlaps, nothing
// moves.
static bool spansAreIntact(const Span* spans, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        const unsigned char mark = (unsigned char)(i + 1);
        for (size_t k = 0; k < spans[i].size; ++k)
            if (spans[i].begin[k] != mark)
                return false;
    }
    return true;
}

static bool arenaHolds(thGenerator* g, int32_t size, void* context)
{
    thMemory* memory = context;
    thArena arena;
    thiArenaInit(&arena, memory);
    Span* spans = malloc(((size_t)size + 1) * sizeof *spans);
    bool good = spans != NULL;
    for (int32_t round = 0; round < 3 && good; ++round) {
        int32_t count = 0;
        for (; count < size && good; ++count) {
            const bool large = drawInt(g, 0, 9) == 0;
            spans[count].size = (size_t)drawInt(g, 0, large ? 40000 : 300);
            spans[count].begin = thiArenaAllocate(&arena, spans[count].size);
            good = spans[count].begin != NULL && (uintptr_t)spans[count].begin % TH_ALIGNMENT == 0;
            if (good)
                memset(spans[count].begin, (unsigned char)(count + 1), spans[count].size);
        }
        good = good && spansAreIntact(spans, count);
        thiArenaReset(&arena);
    }
    free(spans);
    thiArenaFree(&arena);
    return good && memory->bytes == 0;
}

static void testNoOverlap(void** state)
{
    (void)state;
    thTestAllocator test;
    thMemory memory;
    beginTestMemory(&test, &memory, 0);
    assertProperty(&(thProperty){"arena", 1, 60, 120, arenaHolds, &memory});
    testAllocatorFinish(&test);
}

static void doRound(thArena* arena, int32_t order)
{
    for (int32_t i = 0; i < 100; ++i)
        assert_non_null(thiArenaAllocate(arena, (size_t)((i * order) % 100) * 61));
    thiArenaReset(arena);
}

static void testSteadyState(void** state)
{
    (void)state;
    thMemory memory;
    thiMemoryInit(&memory, NULL, 0);
    thArena arena;
    thiArenaInit(&arena, &memory);
    doRound(&arena, 1);
    const uint64_t calls = memory.calls;
    const size_t bytes = memory.bytes;
    assert_true(calls > 2); // it took several blocks, and one to replace them
    for (int32_t round = 0; round < 20; ++round)
        doRound(&arena, round % 2 == 0 ? 1 : 7); // the same sizes, also in another order
    assert_int_equal(memory.calls, calls);
    assert_int_equal(memory.bytes, bytes);
    thiArenaFree(&arena);
    assert_int_equal(memory.bytes, 0);
    // A freed arena is an empty one.
    assert_non_null(thiArenaAllocate(&arena, 1));
    thiArenaFree(&arena);
    thiArenaFree(&arena);
    assert_int_equal(memory.bytes, 0);
}

static void testEmpty(void** state)
{
    (void)state;
    thMemory memory;
    thiMemoryInit(&memory, NULL, 0);
    thArena arena;
    thiArenaInit(&arena, &memory);
    thiArenaReset(&arena);
    assert_int_equal(memory.calls, 0);
    // No bytes are still a place of one's own.
    void* a = thiArenaAllocate(&arena, 0);
    void* b = thiArenaAllocate(&arena, 0);
    assert_non_null(a);
    assert_non_null(b);
    assert_ptr_not_equal(a, b);
    assert_null(thiArenaAllocate(&arena, SIZE_MAX));
    assert_null(thiArenaAllocate(&arena, SIZE_MAX / 2));
    thiArenaFree(&arena);
}

static void testAsksForLessWhenTight(void** state)
{
    (void)state;
    thMemory memory;
    thiMemoryInit(&memory, NULL, 20000); // one first block, but no second of twice its size
    thArena arena;
    thiArenaInit(&arena, &memory);
    assert_non_null(thiArenaAllocate(&arena, 16384));
    unsigned char* more = thiArenaAllocate(&arena, 2000);
    assert_non_null(more);
    memset(more, 1, 2000);
    assert_null(thiArenaAllocate(&arena, 2000));
    // Joined, they are within the limit again.
    thiArenaReset(&arena);
    assert_non_null(thiArenaAllocate(&arena, 16384 + 2000));
    thiArenaFree(&arena);
    assert_int_equal(memory.bytes, 0);
}

// Memory is used again from a place on; when a block came in between, only the reset gives it back.
static void testGoesBack(void** state)
{
    (void)state;
    thMemory memory;
    thiMemoryInit(&memory, NULL, 0);
    thArena arena;
    thiArenaInit(&arena, &memory);
    assert_non_null(thiArenaAllocate(&arena, 100));
    const thArenaPlace start = thiArenaPlace(&arena);
    void* first = thiArenaAllocate(&arena, 1000);
    thiArenaRewind(&arena, start);
    assert_ptr_equal(thiArenaAllocate(&arena, 1000), first);
    thiArenaRewind(&arena, start);
    unsigned char* large = thiArenaAllocate(&arena, 200000);
    memset(large, 7, 200000);
    thiArenaRewind(&arena, start);
    unsigned char* after = thiArenaAllocate(&arena, 1000);
    memset(after, 8, 1000);
    assert_int_equal(large[0], 7);
    assert_int_equal(large[199999], 7);
    thiArenaReset(&arena);
    const uint64_t calls = memory.calls;
    assert_non_null(thiArenaAllocate(&arena, 201000));
    assert_int_equal(memory.calls, calls);
    thiArenaFree(&arena);
    assert_int_equal(memory.bytes, 0);
}

static void testFailedReset(void** state)
{
    (void)state;
    thTestAllocator test;
    thMemory memory;
    beginTestMemory(&test, &memory, 0);
    thArena arena;
    thiArenaInit(&arena, &memory);
    assert_non_null(thiArenaAllocate(&arena, 16000));
    assert_non_null(thiArenaAllocate(&arena, 16000));
    test.failAt = test.calls + 1;
    thiArenaReset(&arena);
    assert_int_equal(test.failures, 1);
    assert_non_null(thiArenaAllocate(&arena, 16000)); // the arena works on
    thiArenaFree(&arena);
    testAllocatorFinish(&test);
}

static thResult useArena(const thAllocator* allocator, void* context)
{
    (void)context;
    thMemory memory;
    thiMemoryInit(&memory, allocator, 0);
    thArena arena;
    thiArenaInit(&arena, &memory);
    thResult code = th_resultOk;
    for (int32_t i = 0; i < 60 && code == th_resultOk; ++i) {
        char* item = thiArenaAllocate(&arena, 5000);
        if (item == NULL)
            code = th_resultNoMemory;
        else
            memset(item, i, 5000);
        if (i % 20 == 19)
            thiArenaReset(&arena);
    }
    thiArenaFree(&arena);
    return code;
}

static void testFailEach(void** state)
{
    (void)state;
    assert_true(failEachAllocation(useArena, NULL) >= 4);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testNoOverlap), cmocka_unit_test(testSteadyState),
        cmocka_unit_test(testEmpty),     cmocka_unit_test(testAsksForLessWhenTight),
        cmocka_unit_test(testGoesBack),  cmocka_unit_test(testFailedReset),
        cmocka_unit_test(testFailEach),
    };
    return RUN_TESTS(tests, argc, argv);
}
