// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How agents are dealt out to workers: in pieces small enough that all have something to do, and
// everybody once.

#include "gear/gear.h"
#include "sim/step/tiles.h"
#include "space/sense.h"
#include "throng/throng.h"

#include <stdatomic.h>

#define MOST_AGENTS 3000

static _Atomic int32_t batches, largest, turns[MOST_AGENTS];

static void countBatch(const thBatch* batch, const void* params, const void* shared)
{
    (void)params;
    (void)shared;
    atomic_fetch_add(&batches, 1);
    int32_t known = atomic_load(&largest);
    while (batch->count > known && !atomic_compare_exchange_weak(&largest, &known, batch->count))
        continue;
    for (int32_t lane = 0; lane < batch->count; ++lane)
        atomic_fetch_add(&turns[batch->frame->key[batch->row[lane]] - 1], 1);
}

static thWorld* makeCrowd(int32_t count, int32_t workers)
{
    const thMethod counts = {
        .size = sizeof counts, .name = "counts", .version = 1, .solve = countBatch};
    thWorldDef def = thDefaultWorldDef();
    def.workerCount = workers;
    thWorld* world;
    assert_int_equal(thCreateWorld(&def, &world), th_resultOk);
    assert_int_equal(thWorld_AddMethod(world, th_methodAvoid, &counts), th_resultOk);
    thProfileDef profile = thDefaultProfileDef();
    profile.avoid.name = "counts";
    thAgentDef agent = thDefaultAgentDef();
    assert_int_equal(thCreateProfile(world, &profile, &agent.profile, NULL), th_resultOk);
    for (int32_t i = 0; i < count; ++i) {
        thAgentId id;
        agent.key = (uint64_t)i + 1;
        agent.position = (thVec2){(float)(i % 60), (float)(i / 60)};
        assert_int_equal(thCreateAgent(world, &agent, &id), th_resultOk);
    }
    return world;
}

// Steps a crowd once. Everybody has one turn.
static void dealOut(int32_t count, int32_t workers)
{
    batches = largest = 0;
    for (int32_t i = 0; i < MOST_AGENTS; ++i)
        turns[i] = 0;
    thWorld* world = makeCrowd(count, workers);
    assert_int_equal(thWorld_Step(world, 0.1f), th_resultOk);
    for (int32_t i = 0; i < MOST_AGENTS; ++i)
        assert_int_equal(turns[i], i < count ? 1 : 0);
    thDestroyWorld(world);
}

static void testEverybodyHasATurn(void** state)
{
    (void)state;
    const int32_t counts[] = {0, 1, 31, 32, 33, 255, 256, 257, 1000, MOST_AGENTS};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i)
        for (int32_t workers = 0; workers <= 5; ++workers)
            dealOut(counts[i], workers);
}

// One worker takes batches as large as they get; many take less, but not too little.
static void testAllWorkersHaveSome(void** state)
{
    (void)state;
    dealOut(1000, 1);
    assert_int_equal(largest, TH_BATCH_ROWS);
    assert_int_equal(batches, 8);
    dealOut(1000, 16); // 16 rows each
    assert_int_equal(largest, 16);
    assert_int_equal(batches, 63);
    dealOut(200, 16); // 200 / 64 = 3 rows each would cost as much as 16
    assert_int_equal(largest, 16);
    assert_int_equal(batches, 13);
    dealOut(1000, 4); // 64 rows each
    assert_int_equal(largest, 64);
    assert_int_equal(batches, 16);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testEverybodyHasATurn),
                                       cmocka_unit_test(testAllWorkersHaveSome)};
    return RUN_TESTS(tests, argc, argv);
}
