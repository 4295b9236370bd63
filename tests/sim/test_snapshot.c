// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Snapshots: a restored world goes on as the first, and damage is noticed.

#include "gear/allocators.h"
#include "gear/method_names.h"
#include "gear/property.h"
#include "sim/sim_gear.h"
#include "sim/world_internal.h"

#include <stdlib.h>

static thWorld* createEmpty(void)
{
    thWorld* world = createWorld();
    assert_ok(thWorld_AddMethod(world, th_methodPlan, &circleMethod));
    return world;
}

static Full createFullOrFail(bool commands)
{
    Full full;
    assert_ok(createFull(NULL, commands, &full));
    return full;
}

static void assertRestores(thWorld* world, Bytes bytes)
{
    thError error = {0};
    const thResult code = thWorld_Restore(world, bytes.data, bytes.size, &error);
    if (code != th_resultOk)
        fail_msg("%s", error.text);
    const Bytes again = saveWorld(world);
    assert_true(sameBytes(bytes, again));
    freeBytes(again);
}

static void testRoundTrip(void** state)
{
    (void)state;
    thWorld* empty = createEmpty();
    const Bytes nothing = saveWorld(empty);
    assertRestores(empty, nothing);
    for (int32_t steps = 0; steps < 3; ++steps) {
        Full full = createFullOrFail(steps != 1);
        for (int32_t i = 0; i < 5 * steps; ++i)
            assert_ok(thWorld_Step(full.world, 0.1f));
        const Bytes bytes = saveWorld(full.world);
        assertRestores(empty, bytes);
        assertRestores(full.world, bytes);
        assert_int_equal(thWorld_GetStateHash(empty), thWorld_GetStateHash(full.world));
        const thCounters a = thWorld_GetCounters(full.world), b = thWorld_GetCounters(empty);
        assert_int_equal(a.steps, b.steps);
        assert_int_equal(a.arrivals, b.arrivals);
        assert_int_equal(a.walls, b.walls);
        assert_int_equal(a.movers, b.movers);
        assert_int_equal(a.agents, b.agents);
        freeBytes(bytes);
        thDestroyWorld(full.world);
    }
    // And back to nothing.
    assertRestores(empty, nothing);
    freeBytes(nothing);
    thDestroyWorld(empty);
}

// The restored world goes on as the saved one does, also when both are changed alike.
static void testGoesOnAlike(void** state)
{
    (void)state;
    Full full = createFullOrFail(true);
    for (int32_t i = 0; i < 7; ++i)
        assert_ok(thWorld_Step(full.world, 0.1f));
    const Bytes bytes = saveWorld(full.world);
    thWorld* other = createEmpty();
    assertRestores(other, bytes);
    thWorld* worlds[2] = {full.world, other};
    thAgentId created[2];
    for (int32_t i = 0; i < 200; ++i) {
        for (int32_t w = 0; w < 2; ++w) {
            assert_ok(thWorld_Step(worlds[w], 0.1f));
            if (i % 10 == 3)
                assert_ok(thAgent_SetGoal(worlds[w], full.agents[2],
                                          i % 20 == 3 ? full.segment : full.list));
            if (i == 50) {
                thAgentDef def = thDefaultAgentDef();
                def.profile = full.circler;
                assert_ok(thCreateAgent(worlds[w], &def, &created[w]));
                assert_int_equal(created[w].value, created[0].value);
                assert_ok(thObstacle_SetPlace(worlds[w], full.train, (thVec2){1.0f, 2.0f}, 4.0f));
            }
        }
        assert_int_equal(thWorld_GetStateHash(worlds[0]), thWorld_GetStateHash(worlds[1]));
    }
    const Bytes a = saveWorld(worlds[0]), b = saveWorld(worlds[1]);
    assert_true(sameBytes(a, b));
    freeBytes(a);
    freeBytes(b);
    freeBytes(bytes);
    thDestroyWorld(full.world);
    thDestroyWorld(other);
}

// Ids mean the same; views and queries see the restored agents.
static void testIdsLiveOn(void** state)
{
    (void)state;
    Full full = createFullOrFail(false);
    const Bytes bytes = saveWorld(full.world);
    thWorld* other = createEmpty();
    assertRestores(other, bytes);
    for (int32_t i = 0; i < full.agentCount; ++i) {
        assert_int_equal(thAgent_IsValid(other, full.agents[i]),
                         thAgent_IsValid(full.world, full.agents[i]));
        if (!thAgent_IsValid(other, full.agents[i]))
            continue;
        const thAgentRow a = thAgent_Get(other, full.agents[i]);
        const thAgentRow b = thAgent_Get(full.world, full.agents[i]);
        assert_memory_equal(&a, &b, sizeof a);
        assert_int_equal(thWorld_FindAgent(other, a.key).value, full.agents[i].value);
    }
    thAgentId ids[64];
    assert_int_equal(
        thWorld_AgentsInDisc(other, (thVec2){0.0f, 0.0f}, 1000.0f, thDefaultQueryFilter(), ids, 64),
        thWorld_AgentsInDisc(full.world, (thVec2){0.0f, 0.0f}, 1000.0f, thDefaultQueryFilter(), ids,
                             64));
    const thRayHit hit = thWorld_CastRay(other, (thVec2){0.0f, 5.0f}, (thVec2){5.0f, 5.0f}, 0);
    assert_int_equal(hit.obstacle.value, full.solid.value);
    // What is used cannot be destroyed, here as there.
    listen();
    assert_refused(other, thDestroyGoal(other, full.point));
    assert_refused(other, thDestroyProfile(other, full.walker));
    thSetHooks(NULL);
    freeBytes(bytes);
    thDestroyWorld(full.world);
    thDestroyWorld(other);
}

static void testBuffers(void** state)
{
    (void)state;
    Full full = createFullOrFail(true);
    const Bytes bytes = saveWorld(full.world);
    uint8_t* buffer = malloc(bytes.size);
    assert_non_null(buffer);
    size_t size = 0;
    for (size_t capacity = 0; capacity < bytes.size; capacity += 1 + bytes.size / 50) {
        assert_int_equal(thWorld_Save(full.world, buffer, capacity, &size), th_resultFull);
        assert_int_equal(size, bytes.size);
    }
    assert_ok(thWorld_Save(full.world, buffer, bytes.size, &size));
    assert_memory_equal(buffer, bytes.data, bytes.size);
    listen();
    assert_int_equal(thWorld_Save(NULL, buffer, size, &size), th_resultBadArgument);
    assert_int_equal(thWorld_Save(full.world, buffer, size, NULL), th_resultBadArgument);
    assert_int_equal(thWorld_Restore(NULL, buffer, size, NULL), th_resultBadArgument);
    assert_int_equal(thWorld_Restore(full.world, NULL, size, NULL), th_resultBadArgument);
    assert_int_equal(heard(), 4);
    thSetHooks(NULL);
    free(buffer);
    freeBytes(bytes);
    thDestroyWorld(full.world);
}

// Tries bytes on a world that must stay as it is, or become another one that can be used. The bytes
// are copied to a block of their size, so that the sanitizer sees a read beyond their end.
static thResult tryBytes(thWorld* world, Bytes before, const uint8_t* data, size_t size)
{
    uint8_t* copy = malloc(size + (size == 0));
    assert_non_null(copy);
    if (size > 0)
        memcpy(copy, data, size);
    thError error = {0};
    const thResult code = thWorld_Restore(world, copy, size, &error);
    free(copy);
    if (code != th_resultOk) {
        assert_int_equal(error.code, code);
        assert_true(error.text[0] != '\0');
        const Bytes after = saveWorld(world);
        assert_true(sameBytes(before, after));
        freeBytes(after);
    }
    return code;
}

static void testTruncations(void** state)
{
    (void)state;
    Full full = createFullOrFail(true);
    const Bytes bytes = saveWorld(full.world);
    thWorld* other = createEmpty();
    const Bytes before = saveWorld(other);
    for (size_t size = 0; size < bytes.size; ++size) {
        assert_int_not_equal(tryBytes(other, before, bytes.data, size), th_resultOk);
        // With size and checksum as an attacker would set them.
        if (size < 28)
            continue;
        Bytes cut = {malloc(size), size};
        assert_non_null(cut.data);
        memcpy(cut.data, bytes.data, size);
        for (size_t i = 0; i < 8; ++i)
            cut.data[12 + i] = (uint8_t)((uint64_t)size >> (8 * i));
        sealBytes(cut);
        assert_int_not_equal(tryBytes(other, before, cut.data, cut.size), th_resultOk);
        freeBytes(cut);
    }
    freeBytes(before);
    freeBytes(bytes);
    thDestroyWorld(full.world);
    thDestroyWorld(other);
}

#define FLIPS 3000

static void testFlips(void** state)
{
    (void)state;
    Full full = createFullOrFail(true);
    const Bytes bytes = saveWorld(full.world);
    thWorld* other = createEmpty();
    const Bytes before = saveWorld(other);
    thGenerator g = makeGenerator(7, 0);
    for (int32_t i = 0; i < FLIPS; ++i) {
        const size_t at = drawU32(&g) % bytes.size;
        const uint8_t bit = (uint8_t)(1u << drawInt(&g, 0, 7));
        bytes.data[at] ^= bit;
        assert_int_not_equal(tryBytes(other, before, bytes.data, bytes.size), th_resultOk);
        bytes.data[at] ^= bit;
    }
    freeBytes(before);
    freeBytes(bytes);
    thDestroyWorld(full.world);
    thDestroyWorld(other);
}

// Whoever can write a snapshot can write its checksum. What is then accepted must be usable.
static void testSealedFlips(void** state)
{
    (void)state;
    Full full = createFullOrFail(true);
    assert_ok(thWorld_Step(full.world, 0.1f));
    const Bytes bytes = saveWorld(full.world);
    thGenerator g = makeGenerator(8, 0);
    int32_t accepted = 0;
    for (int32_t i = 0; i < FLIPS; ++i) {
        Bytes bad = {malloc(bytes.size), bytes.size};
        assert_non_null(bad.data);
        memcpy(bad.data, bytes.data, bytes.size);
        const int32_t flips = drawInt(&g, 1, 3);
        for (int32_t k = 0; k < flips; ++k) {
            const size_t at = drawU32(&g) % bytes.size;
            if (drawInt(&g, 0, 1) == 0)
                bad.data[at] ^= (uint8_t)(1u << drawInt(&g, 0, 7));
            else
                bad.data[at] = (uint8_t)(drawInt(&g, 0, 3) * 85);
        }
        sealBytes(bad);
        thWorld* other = createEmpty();
        const Bytes before = saveWorld(other);
        if (tryBytes(other, before, bad.data, bad.size) == th_resultOk) {
            accepted += 1;
            const Bytes again = saveWorld(other);
            assert_true(sameBytes(bad, again));
            freeBytes(again);
            for (int32_t step = 0; step < 2; ++step)
                assert_ok(thWorld_Step(other, 0.1f));
        }
        freeBytes(before);
        freeBytes(bad);
        thDestroyWorld(other);
    }
    assert_in_range(accepted, 1, FLIPS - 1);
    freeBytes(bytes);
    thDestroyWorld(full.world);
}

// Replaces the only place where some bytes stand by others of the same length, and seals it.
static void replaceBytes(Bytes bytes, const void* old, const void* new, size_t size)
{
    uint8_t* found = NULL;
    for (size_t at = 0; at + size <= bytes.size; ++at)
        if (memcmp(bytes.data + at, old, size) == 0) {
            assert_null(found);
            found = bytes.data + at;
        }
    assert_non_null(found);
    memcpy(found, new, size);
    sealBytes(bytes);
}

// Lies that random flips would hardly tell. Numbers here are those of a little-endian machine.
static void testLies(void** state)
{
    (void)state;
    Full full;
    assert_ok(createFull(NULL, false, &full));
    const int32_t freeSlots[] = {3, 3, 39, 12}; // of agents: how many, and which
    const int32_t lies[][4] = {
        {3, 3, 39, 3}, {3, 3, 39, 11}, {3, 3, 39, 40}, {3, 3, 39, -1}, {2, 3, 39, 12}};
    const uint64_t keys[] = {999, 995, 0, (UINT64_C(1) << 40) + 20, UINT64_MAX};
    thWorld* other = createEmpty();
    const Bytes before = saveWorld(other);
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; ++i) {
        const Bytes bytes = saveWorld(full.world);
        replaceBytes(bytes, freeSlots, lies[i], sizeof freeSlots);
        assert_int_equal(tryBytes(other, before, bytes.data, bytes.size), th_resultDamaged);
        freeBytes(bytes);
    }
    for (size_t i = 1; i < sizeof keys / sizeof keys[0]; ++i) { // 995 is taken
        const Bytes bytes = saveWorld(full.world);
        replaceBytes(bytes, &keys[0], &keys[i], sizeof keys[0]);
        assert_int_equal(tryBytes(other, before, bytes.data, bytes.size), th_resultDamaged);
        freeBytes(bytes);
    }
    const int32_t group = 123456789, noGroup = -2;
    const Bytes bytes = saveWorld(full.world);
    replaceBytes(bytes, &group, &noGroup, sizeof group);
    assert_int_equal(tryBytes(other, before, bytes.data, bytes.size), th_resultDamaged);
    freeBytes(bytes);
    freeBytes(before);
    thDestroyWorld(full.world);
    thDestroyWorld(other);
}

static void testForeign(void** state)
{
    (void)state;
    Full full = createFullOrFail(false);
    const Bytes bytes = saveWorld(full.world);
    thWorld* other = createWorld(); // without the host's method
    thError error = {0};
    assert_int_equal(thWorld_Restore(other, bytes.data, bytes.size, &error), th_resultUnavailable);
    assert_non_null(strstr(
        error.text, withMethodNames("no plan method 'circle'; there are: ", th_methodPlan, "")));
    thMethod newer = circleMethod;
    newer.version += 1;
    assert_ok(thWorld_AddMethod(other, th_methodPlan, &newer));
    assert_int_equal(thWorld_Restore(other, bytes.data, bytes.size, &error), th_resultVersion);
    assert_non_null(strstr(error.text, "'circle' has version 4, but 3 in the snapshot"));
    assert_int_equal(thWorld_Restore(other, bytes.data, bytes.size, NULL), th_resultVersion);

    bytes.data[8] += 1;
    assert_int_equal(thWorld_Restore(full.world, bytes.data, bytes.size, &error), th_resultVersion);
    assert_non_null(strstr(error.text, "format 11"));
    bytes.data[0] = 'T';
    assert_int_equal(thWorld_Restore(full.world, bytes.data, bytes.size, &error), th_resultSyntax);
    assert_int_equal(thWorld_GetCounters(other).agents, 0);
    freeBytes(bytes);
    thDestroyWorld(full.world);
    thDestroyWorld(other);
}

static thResult restoreFailing(const thAllocator* allocator, void* context)
{
    const Bytes* bytes = context;
    thWorldDef def = thDefaultWorldDef();
    def.allocator = *allocator;
    thWorld* world;
    thResult code = thCreateWorld(&def, &world);
    if (code != th_resultOk)
        return code;
    code = thWorld_AddMethod(world, th_methodPlan, &circleMethod);
    if (code == th_resultOk) {
        const Bytes before = saveWorld(world);
        code = thWorld_Restore(world, bytes->data, bytes->size, NULL);
        const Bytes after = saveWorld(world);
        assert_true(sameBytes(after, code == th_resultOk ? *bytes : before));
        freeBytes(before);
        freeBytes(after);
    }
    thDestroyWorld(world);
    return code;
}

static void testNoMemory(void** state)
{
    (void)state;
    Full full = createFullOrFail(true);
    Bytes bytes = saveWorld(full.world);
    assert_in_range(failEachAllocation(restoreFailing, &bytes), 50, 5000);
    freeBytes(bytes);
    thDestroyWorld(full.world);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testRoundTrip),   cmocka_unit_test(testGoesOnAlike),
        cmocka_unit_test(testIdsLiveOn),   cmocka_unit_test(testBuffers),
        cmocka_unit_test(testTruncations), cmocka_unit_test(testFlips),
        cmocka_unit_test(testSealedFlips), cmocka_unit_test(testForeign),
        cmocka_unit_test(testLies),        cmocka_unit_test(testNoMemory),
    };
    return RUN_TESTS(tests, argc, argv);
}
