// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The map from keys to slots against a plain list.

#include "sim/key_map.h"

#include "base/hash.h"
#include "gear/allocators.h"
#include "gear/gear.h"
#include "gear/property.h"

#define MAX_SLOTS 200

typedef struct Model {
    uint64_t keys[MAX_SLOTS]; // 0: not there
} Model;

static uint64_t keyOf(const void* context, int32_t slot)
{
    return ((const Model*)context)->keys[slot];
}

static int32_t findInModel(const Model* model, uint64_t key)
{
    for (int32_t slot = 0; slot < MAX_SLOTS; ++slot)
        if (model->keys[slot] == key)
            return slot;
    return -1;
}

// Keys that have the same home in small tables are what goes wrong first.
static uint64_t drawKey(thGenerator* g)
{
    uint64_t key = drawU32(g) % 64 + 1;
    if (drawInt(g, 0, 1) == 0)
        return key;
    while ((thiMix(key) & 15) != 15)
        key += 64;
    return key;
}

static bool matchesModel(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    thTestAllocator test;
    testAllocatorInit(&test);
    const thAllocator allocator = testAllocator(&test);
    thMemory memory;
    thiMemoryInit(&memory, &allocator, 0);
    thKeyMap map = thiKeyMap(&memory);
    Model model = {{0}};
    int32_t count = 0;
    bool same = thiKeyMapFind(&map, 1, keyOf, &model) == -1;
    for (int32_t i = 0; i < size * 4 && same; ++i) {
        const uint64_t key = drawKey(g);
        const int32_t slot = findInModel(&model, key);
        same = thiKeyMapFind(&map, key, keyOf, &model) == slot;
        if (slot >= 0 && drawInt(g, 0, 2) > 0) {
            thiKeyMapRemove(&map, key, keyOf, &model);
            model.keys[slot] = 0;
            count -= 1;
        } else if (slot < 0 && count < MAX_SLOTS) {
            const int32_t room = findInModel(&model, 0);
            if (thiKeyMapReserve(&map, count + 1, keyOf, &model) != th_resultOk)
                return false;
            model.keys[room] = key;
            thiKeyMapAdd(&map, key, room);
            count += 1;
        }
        same = same && map.count == count;
    }
    for (int32_t slot = 0; slot < MAX_SLOTS && same; ++slot)
        if (model.keys[slot] != 0)
            same = thiKeyMapFind(&map, model.keys[slot], keyOf, &model) == slot;
    thiKeyMapFree(&map);
    testAllocatorFinish(&test);
    return same;
}

static void testModel(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"key map", 1, 400, 100, matchesModel, NULL});
}

static void testReserve(void** state)
{
    (void)state;
    thTestAllocator test;
    testAllocatorInit(&test);
    const thAllocator allocator = testAllocator(&test);
    thMemory memory;
    thiMemoryInit(&memory, &allocator, 0);
    thKeyMap map = thiKeyMap(&memory);
    Model model = {{0}};
    assert_int_equal(thiKeyMapReserve(&map, 0, keyOf, &model), th_resultOk);
    assert_int_equal(test.calls, 0);
    assert_int_equal(thiKeyMapReserve(&map, MAX_SLOTS, keyOf, &model), th_resultOk);
    for (int32_t i = 0; i < MAX_SLOTS; ++i) {
        assert_int_equal(thiKeyMapReserve(&map, i + 1, keyOf, &model), th_resultOk);
        model.keys[i] = (uint64_t)i + 1;
        thiKeyMapAdd(&map, model.keys[i], i);
    }
    assert_int_equal(test.calls, 1);
    assert_int_equal(thiKeyMapReserve(&map, INT32_MAX, keyOf, &model), th_resultNoMemory);
    test.failFrom = 1;
    assert_int_equal(thiKeyMapReserve(&map, 1000, keyOf, &model), th_resultNoMemory);
    test.failFrom = 0;
    for (int32_t i = 0; i < MAX_SLOTS; ++i)
        assert_int_equal(thiKeyMapFind(&map, model.keys[i], keyOf, &model), i);
    thiKeyMapFree(&map);
    testAllocatorFinish(&test);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testModel), cmocka_unit_test(testReserve)};
    return RUN_TESTS(tests, argc, argv);
}
