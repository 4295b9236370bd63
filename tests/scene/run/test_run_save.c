// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A run that was saved goes on as it would have, to the bit. What was not saved by a run of the
// same scene is refused and changes nothing.

#include "gear/property.h"
#include "scene/run/scene_run.h"
#include "scene/run_gear.h"

#include "base/hash.h"

#include <stdlib.h>

#define STEPS 150

// Something of everything that the clock does.
#define BUSY                                                                                       \
    "\"walls\": [{\"room\": [[0, 0], [30, 0], [30, 20], [0, 20]]}, {\"polyline\": [[15, 0], [15, " \
    "9]]}, {\"polyline\": [[15, 11], [15, 20]]}], \"doors\": [{\"segment\": [[15, 9], [15, 11]], " \
    "\"open\": [[1, 4], [6, 7], [9, 100]]}], \"movers\": [{\"disc\": 0.6, \"path\": [[3, 3], [9, " \
    "3]], \"loop\": true}], \"profiles\": {\"p\": {\"radius\": {\"uniform\": [0.2, 0.3]}, "        \
    "\"speed\": {\"normal\": [1.34, 0.26]}}}, \"agents\": [{\"in\": {\"box\": [[5, 5], [12, "      \
    "15]]}, \"count\": 40, \"goal\": {\"point\": [25, 10]}, \"arrive\": \"leave\", \"delay\": "    \
    "{\"uniform\": [0, 9]}}, {\"source\": {\"in\": {\"segment\": [[1, 8], [1, 12]]}, \"rate\": "   \
    "6, "                                                                                          \
    "\"from\": 1}, \"goal\": {\"random\": {\"box\": [[20, 2], [28, 18]]}, \"count\": 2}, "         \
    "\"arrive\": \"leave\", \"delay\": {\"uniform\": [0, 1]}}, {\"source\": {\"in\": {\"disc\": "  \
    "[20, 5], \"radius\": 0.3}, \"rate\": 8, \"count\": 30}, \"goal\": {\"offset\": [-8, 5]}}, "   \
    "{\"at\": [[2, 2], [2, 4]], \"appear\": 3, \"pauses\": [[4, 6], [8, 9]], \"goal\": "           \
    "{\"point\": "                                                                                 \
    "[12, 3]}}]"

typedef struct Bytes {
    uint8_t* data;
    size_t size;
} Bytes;

static Bytes saveRun(const thRun* run)
{
    Bytes bytes;
    size_t size;
    assert_ok(thRun_Save(run, NULL, 0, &bytes.size));
    bytes.data = malloc(bytes.size);
    assert_non_null(bytes.data);
    assert_int_equal(thRun_Save(run, bytes.data, bytes.size - 1, &size), th_resultFull);
    assert_ok(thRun_Save(run, bytes.data, bytes.size, &size));
    assert_int_equal(size, bytes.size);
    return bytes;
}

static void runHashes(const Stage* stage, int32_t from, uint64_t* hashes)
{
    for (int32_t step = from; step < STEPS; ++step) {
        stepTimes(stage, 1);
        hashes[step] = thWorld_GetStateHash(stage->world);
    }
}

// Saved at any step and restored into a fresh run, or one that went on, or one of another seed.
static void testGoesOn(void** state)
{
    (void)state;
    uint64_t expected[STEPS], hashes[STEPS];
    Stage stage = mustOpen(BUSY, NULL);
    runHashes(&stage, 0, expected);
    assert_true(thWorld_GetCounters(stage.world).departures > 0);
    closeStage(&stage);
    thGenerator g = makeGenerator(1, 0);
    for (int32_t i = 0; i < 12; ++i) {
        const int32_t at = i == 0 ? 0 : drawInt(&g, 1, STEPS - 1);
        stage = mustOpen(BUSY, NULL);
        stepTimes(&stage, at);
        const Bytes bytes = saveRun(stage.run);
        const int64_t waiting = thRun_CountWaiting(stage.run);
        runHashes(&stage, at, hashes);
        assert_memory_equal(hashes + at, expected + at,
                            (size_t)(STEPS - at) * sizeof *hashes); // saving changes nothing
        thRunDef def = thDefaultRunDef();
        def.seed = i % 2 == 0 ? THRONG_SCENE_SEED : 99;
        def.world.workerCount = i % 3;
        Stage fresh = mustOpen(BUSY, &def);
        stepTimes(&fresh, drawInt(&g, 0, 30));
        const Stage* targets[] = {&stage, &fresh};
        for (int32_t k = 0; k < 2; ++k) {
            assert_ok(thRun_Restore(targets[k]->run, bytes.data, bytes.size, NULL));
            const Bytes again = saveRun(targets[k]->run);
            assert_int_equal(again.size, bytes.size);
            assert_memory_equal(again.data, bytes.data, bytes.size);
            free(again.data);
            assert_near(thRun_GetTime(targets[k]->run), at * 0.1, 1e-9);
            assert_int_equal(thRun_CountWaiting(targets[k]->run), waiting);
            runHashes(targets[k], at, hashes);
            assert_memory_equal(hashes + at, expected + at, (size_t)(STEPS - at) * sizeof *hashes);
        }
        free(bytes.data);
        closeStage(&stage);
        closeStage(&fresh);
    }
}

static void testThreads(void** state)
{
    (void)state;
    uint64_t expected[STEPS], hashes[STEPS];
    for (int32_t workers = 0; workers <= 3; ++workers) {
        thRunDef def = thDefaultRunDef();
        def.world.workerCount = workers;
        Stage stage = mustOpen(BUSY, &def);
        runHashes(&stage, 0, workers == 0 ? expected : hashes);
        if (workers > 0)
            assert_memory_equal(hashes, expected, sizeof hashes);
        closeStage(&stage);
    }
    thRunDef def = thDefaultRunDef();
    def.seed = 2;
    Stage other = mustOpen(BUSY, &def);
    runHashes(&other, 0, hashes);
    for (int32_t step = 0; step < STEPS; ++step)
        assert_int_not_equal(hashes[step], expected[step]);
    closeStage(&other);
}

// What a scene is about and when it ends does not matter; everything else does.
static void testOtherScene(void** state)
{
    (void)state;
    Stage stage = mustOpen(BUSY, NULL);
    stepTimes(&stage, 20);
    const Bytes bytes = saveRun(stage.run);
    closeStage(&stage);
    stage = mustOpen("\"about\": \"The same.\", \"time\": {\"end\": {\"at\": 5}}, \"measure\": "
                     "{\"lines\": {\"l\": [[0, 0], [1, 1]]}}, " BUSY,
                     NULL);
    assert_ok(thRun_Restore(stage.run, bytes.data, bytes.size, NULL));
    closeStage(&stage);
    static const char* const others[] = {
        "\"seed\": 2, " BUSY,
        "\"time\": {\"step\": 0.05}, " BUSY,
        "\"contacts\": false, " BUSY,
        "\"agents\": [{\"at\": [0, 0]}]",
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
        thError error = {0};
        stage = mustOpen(others[i], NULL);
        const uint64_t hash = thWorld_GetStateHash(stage.world);
        assert_int_equal(thRun_Restore(stage.run, bytes.data, bytes.size, &error), th_resultSyntax);
        assert_string_equal(error.text, "this was saved by a run of another scene");
        assert_int_equal(thWorld_GetStateHash(stage.world), hash);
        closeStage(&stage);
    }
    free(bytes.data);
}

// Restoring fails and the run goes on as if nothing had been.
static void assertHarmless(const Stage* stage, const uint8_t* data, size_t size, thResult expected)
{
    const Bytes before = saveRun(stage->run);
    thError error = {0};
    const thResult code = thRun_Restore(stage->run, data, size, &error);
    if (expected != th_resultOk)
        assert_int_equal(code, expected);
    assert_int_not_equal(code, th_resultOk);
    assert_int_equal(error.code, code);
    assert_true(error.text[0] != '\0');
    const Bytes after = saveRun(stage->run);
    assert_int_equal(after.size, before.size);
    assert_memory_equal(after.data, before.data, before.size);
    free(before.data);
    free(after.data);
}

static void testDamaged(void** state)
{
    (void)state;
    Stage stage = mustOpen(BUSY, NULL);
    stepTimes(&stage, 30);
    const Bytes bytes = saveRun(stage.run);
    stepTimes(&stage, 5);
    assertHarmless(&stage, (const uint8_t*)"", 0, th_resultSyntax);
    assertHarmless(&stage, (const uint8_t*)"thrun", 5, th_resultSyntax);
    thGenerator g = makeGenerator(2, 0);
    for (int32_t i = 0; i < 400; ++i) {
        // The first bytes one by one, the others here and there.
        const size_t at = i < 200 ? (size_t)i : drawU32(&g) % bytes.size;
        const uint8_t kept = bytes.data[at];
        bytes.data[at] = (uint8_t)(kept ^ (1u << drawInt(&g, 0, 7)));
        assertHarmless(&stage, bytes.data, bytes.size, th_resultOk);
        bytes.data[at] = kept;
        const size_t size = i < 200 ? (size_t)i : drawU32(&g) % bytes.size;
        uint8_t* exact = malloc(size + 1); // sanitizers see its end
        assert_non_null(exact);
        memcpy(exact, bytes.data, size);
        assertHarmless(&stage, exact, size, th_resultOk);
        free(exact);
    }
    bytes.data[8] = 3; // the version
    assertHarmless(&stage, bytes.data, bytes.size, th_resultVersion);
    free(bytes.data);
    closeStage(&stage);
}

// Where the parts of a saved run of this scene are.
enum { atSources = 40, atDoors = 76, atDelays = 84 + 4 + 3 * 24 };

static void put(uint8_t* at, uint64_t value, int32_t size)
{
    for (int32_t i = 0; i < size; ++i)
        at[i] = (uint8_t)(value >> (8 * i));
}

static uint64_t get(const uint8_t* at, int32_t size)
{
    uint64_t value = 0;
    for (int32_t i = 0; i < size; ++i)
        value |= (uint64_t)at[i] << (8 * i);
    return value;
}

// Makes the checksum of the first part right again.
static void seal(Bytes bytes)
{
    const size_t delays = (size_t)get(bytes.data + atDelays, 4);
    const size_t goals = (size_t)get(bytes.data + atDelays + 4 + 16 * delays, 4);
    const size_t end = atDelays + 4 + 16 * delays + 4 + 8 * goals;
    assert_true(end + 8 < bytes.size);
    put(bytes.data + end, thiHashBytes(0, bytes.data, end), 8);
}

// A checksum is no proof of good intentions.
static void testForged(void** state)
{
    (void)state;
    Stage stage = mustOpen(BUSY, NULL);
    stepTimes(&stage, 30);
    const Bytes bytes = saveRun(stage.run);
    assert_int_equal(get(bytes.data + atSources - 4, 4), 4); // two, and two places
    uint8_t* copy = malloc(bytes.size);
    assert_non_null(copy);
    static const struct {
        size_t at;
        uint64_t value;
        int32_t size;
    } edits[] = {
        {atSources - 4, 5, 4},  {atSources, UINT64_MAX, 8},    {atSources, UINT64_C(1) << 50, 8},
        {atSources + 8, 31, 8},                                // of 30
        {atDoors - 4, 0, 4},    {atDelays + 4, UINT64_MAX, 8}, // no heap
    };
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; ++i) {
        memcpy(copy, bytes.data, bytes.size);
        put(copy + edits[i].at, edits[i].value, edits[i].size);
        seal((Bytes){copy, bytes.size});
        assertHarmless(&stage, copy, bytes.size, th_resultDamaged);
    }
    // Doors and goals that are not there are let be.
    memcpy(copy, bytes.data, bytes.size);
    put(copy + atDoors, UINT64_C(0x7700000077), 8);
    seal((Bytes){copy, bytes.size});
    assert_ok(thRun_Restore(stage.run, copy, bytes.size, NULL));
    stepTimes(&stage, STEPS);
    free(copy);
    free(bytes.data);
    closeStage(&stage);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testGoesOn),     cmocka_unit_test(testThreads),
        cmocka_unit_test(testOtherScene), cmocka_unit_test(testDamaged),
        cmocka_unit_test(testForged),
    };
    return RUN_TESTS(tests, argc, argv);
}
