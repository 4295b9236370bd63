// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Ids: held against a plain model, with stale ones and used-up generations.

#include "base/id_pool.h"
#include "base/id_pool_model.h"
#include "gear/allocators.h"
#include "gear/gear.h"
#include "gear/property.h"

#include <stdlib.h>

static bool failsModel(const void* operations, int32_t count, void* context)
{
    (void)context;
    return runIdPoolModel(operations, 2 * (size_t)count) != NULL;
}

static bool matchesModel(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    uint16_t* operations = malloc(((size_t)size + 1) * sizeof *operations);
    if (operations == NULL)
        return false;
    // Some runs mostly take, others mostly give back, so that pools fill and drain.
    const int32_t bias = drawInt(g, 0, 3);
    for (int32_t i = 0; i < size; ++i) {
        uint8_t bytes[2] = {(uint8_t)drawInt(g, 0, 7), (uint8_t)drawInt(g, 0, 255)};
        if (drawInt(g, 0, 3) < bias)
            bytes[0] = 3;
        memcpy(&operations[i], bytes, sizeof bytes);
    }
    const bool fails = failsModel(operations, size, NULL);
    if (fails) {
        const int32_t count = shrinkList(operations, size, sizeof *operations, failsModel, NULL);
        print_error("%s, after:", runIdPoolModel((uint8_t*)operations, 2 * (size_t)count));
        for (int32_t i = 0; i < 2 * count; ++i)
            print_error(" %d", ((uint8_t*)operations)[i]);
        print_error("\n");
    }
    free(operations);
    return !fails;
}

static void testAgainstModel(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"id_pool", 1, 200, 400, matchesModel, NULL});
}

static void testOldestFirst(void** state)
{
    (void)state;
    thMemory memory;
    thiMemoryInit(&memory, NULL, 0);
    thIdPool pool = thiIdPool(&memory);
    uint64_t ids[5];
    for (int32_t i = 0; i < 5; ++i) {
        ids[i] = thiIdPoolTake(&pool);
        assert_int_equal(ids[i], UINT64_C(1) << 32 | (uint64_t)(i + 1));
    }
    thiIdPoolGiveBack(&pool, ids[3]);
    thiIdPoolGiveBack(&pool, ids[0]);
    thiIdPoolGiveBack(&pool, ids[2]);
    assert_int_equal(pool.used, 2);
    assert_int_equal(thiIdPoolTake(&pool), UINT64_C(3) << 32 | 4);
    assert_int_equal(thiIdPoolTake(&pool), UINT64_C(3) << 32 | 1);
    assert_int_equal(thiIdPoolTake(&pool), UINT64_C(3) << 32 | 3);
    assert_int_equal(thiIdPoolTake(&pool), UINT64_C(1) << 32 | 6);
    assert_int_equal(thiIdPoolFind(&pool, ids[3]), -1);
    assert_int_equal(thiIdPoolFind(&pool, ids[1]), 1);
    thiIdPoolFree(&pool);
    // A freed pool is an empty one.
    assert_int_equal(pool.used, 0);
    assert_int_equal(thiIdPoolFind(&pool, ids[1]), -1);
    assert_int_equal(thiIdPoolTake(&pool), UINT64_C(1) << 32 | 1);
    thiIdPoolFree(&pool);
    assert_int_equal(memory.bytes, 0);
}

static void testUsedUpGenerations(void** state)
{
    (void)state;
    thMemory memory;
    thiMemoryInit(&memory, NULL, 0);
    thIdPool pool = thiIdPool(&memory);
    const uint64_t first = thiIdPoolTake(&pool);
    thiIdPoolGiveBack(&pool, first);
    TH_ITEMS(pool.generations, uint32_t)[0] = UINT32_MAX - 1;
    const uint64_t last = thiIdPoolTake(&pool);
    assert_int_equal(last, (uint64_t)UINT32_MAX << 32 | 1);
    assert_int_equal(thiIdPoolFind(&pool, last), 0);
    thiIdPoolGiveBack(&pool, last);
    assert_int_equal(thiIdPoolFind(&pool, last), -1);
    assert_int_equal(thiIdPoolIdOf(&pool, 0), 0);
    // The slot is retired: otherwise its next id would be `first` again.
    assert_int_equal(thiIdPoolTake(&pool), UINT64_C(1) << 32 | 2);
    assert_int_equal(thiIdPoolFind(&pool, first), -1);
    thiIdPoolFree(&pool);
}

static void testGiveBackOfStaleId(void** state)
{
    (void)state;
    thMemory memory;
    thiMemoryInit(&memory, NULL, 0);
    thIdPool pool = thiIdPool(&memory);
    const uint64_t id = thiIdPoolTake(&pool);
    const uint64_t foreign[] = {0, id + 1, id + (UINT64_C(1) << 32), id + (UINT64_C(2) << 32),
                                UINT64_MAX};
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; ++i) {
        assert_int_equal(thiIdPoolFind(&pool, foreign[i]), -1);
        thiIdPoolGiveBack(&pool, foreign[i]); // harmless where it is not asserted
    }
    assert_int_equal(pool.used, 1);
    assert_int_equal(thiIdPoolFind(&pool, id), 0);
    thiIdPoolFree(&pool);
}

static void testReserve(void** state)
{
    (void)state;
    thMemory memory;
    thiMemoryInit(&memory, NULL, 0);
    thIdPool pool = thiIdPool(&memory);
    assert_int_equal(thiIdPoolReserve(&pool, 100), th_resultOk);
    const uint64_t calls = memory.calls;
    for (int32_t round = 0; round < 3; ++round) {
        uint64_t ids[100];
        for (int32_t i = 0; i < 100; ++i)
            ids[i] = thiIdPoolTake(&pool);
        for (int32_t i = 0; i < 100; ++i)
            thiIdPoolGiveBack(&pool, ids[i]);
    }
    assert_int_equal(memory.calls, calls);
    assert_int_equal(thiIdPoolSlotCount(&pool), 100);
    thiIdPoolFree(&pool);
}

static thResult fillPool(const thAllocator* allocator, void* context)
{
    (void)context;
    thMemory memory;
    thiMemoryInit(&memory, allocator, 0);
    thIdPool pool = thiIdPool(&memory);
    thResult code = thiIdPoolReserve(&pool, 4);
    for (int32_t i = 0; i < 50 && code == th_resultOk; ++i)
        code = thiIdPoolTake(&pool) != 0 ? th_resultOk : th_resultNoMemory;
    // The two columns go together also after a failure.
    if (pool.generations.count != pool.nextFree.count || pool.used != pool.generations.count)
        code = th_resultDamaged;
    thiIdPoolFree(&pool);
    return code;
}

static void testFailEach(void** state)
{
    (void)state;
    assert_true(failEachAllocation(fillPool, NULL) >= 6);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testAgainstModel),      cmocka_unit_test(testOldestFirst),
        cmocka_unit_test(testUsedUpGenerations), cmocka_unit_test(testGiveBackOfStaleId),
        cmocka_unit_test(testReserve),           cmocka_unit_test(testFailEach),
    };
    return RUN_TESTS(tests, argc, argv);
}
