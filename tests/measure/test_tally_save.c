// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The same figures to the bit after a restore; and what cannot be restored.

#include "measure/measure_gear.h"

#include <stdlib.h>

enum { stepCount = 260 };

// Saves world and tally, and goes on in others.
static void moveOut(Crowd* crowd, thTally** tally, int32_t workerCount)
{
    const Bytes world = saveWorld(crowd->world), saved = saveTally(*tally);
    thDestroyTally(*tally);
    thDestroyWorld(crowd->world);
    crowd->world = createPlainWorld(workerCount, 0);
    assert_ok(thWorld_Restore(crowd->world, world.data, world.size, NULL));
    *tally = createTally(crowd->world);
    assert_ok(thTally_Restore(*tally, saved.data, saved.size, NULL));
    const Bytes again = saveTally(*tally);
    assert_true(sameBytes(saved, again));
    freeBytes(world);
    freeBytes(saved);
    freeBytes(again);
}

static void testResumed(void** state)
{
    (void)state;
    Crowd straight = createCrowd(1, false), moved = createCrowd(1, false);
    thTally* tally = createTally(straight.world);
    thTally* resumed = createTally(moved.world);
    thGenerator g = makeGenerator(31, 0);
    for (uint64_t step = 0; step < stepCount; ++step) {
        stepCrowd(&straight, step);
        observeCrowd(tally, step);
        stepCrowd(&moved, step);
        observeCrowd(resumed, step);
        assertSameFigures(tally, resumed);
        if (drawInt(&g, 0, 15) == 0)
            moveOut(&moved, &resumed, drawInt(&g, 1, 3));
    }
    assertSameTally(tally, resumed);
    assertMuchHappened(tally);
    thDestroyTally(tally);
    thDestroyTally(resumed);
    thDestroyWorld(straight.world);
    thDestroyWorld(moved.world);
}

// A tally of a crowd after some time, and what is saved of it.
typedef struct Sample {
    Crowd crowd;
    thTally* tally;
    Bytes saved;
} Sample;

static Sample createSample(void)
{
    Sample sample = {.crowd = createCrowd(1, false)};
    sample.tally = createTally(sample.crowd.world);
    for (uint64_t step = 0; step < 40; ++step) {
        stepCrowd(&sample.crowd, step);
        observeCrowd(sample.tally, step);
    }
    sample.saved = saveTally(sample.tally);
    return sample;
}

static void destroySample(Sample* sample)
{
    thDestroyTally(sample->tally);
    thDestroyWorld(sample->crowd.world);
    freeBytes(sample->saved);
}

static void assertRefused(const Sample* sample, Bytes bytes, thResult code)
{
    thError error = {0};
    assert_int_equal(thTally_Restore(sample->tally, bytes.data, bytes.size, &error), code);
    assert_int_equal(error.code, code);
    assert_true(error.text[0] != '\0');
    const Bytes after = saveTally(sample->tally);
    assert_true(sameBytes(sample->saved, after));
    freeBytes(after);
}

static void testRefused(void** state)
{
    (void)state;
    Sample sample = createSample();
    const Bytes saved = sample.saved;
    size_t size;
    uint8_t small[16];
    assert_int_equal(thTally_Save(sample.tally, small, sizeof small, &size), th_resultFull);
    assert_int_equal(size, saved.size);

    Bytes copy = {malloc(saved.size), saved.size};
    memcpy(copy.data, saved.data, saved.size);
    copy.data[0] ^= 1;
    assertRefused(&sample, copy, th_resultSyntax);
    copy.data[0] ^= 1;
    copy.data[8] ^= 1;
    assertRefused(&sample, copy, th_resultVersion);
    copy.data[8] ^= 1;
    copy.data[saved.size / 2] ^= 1;
    assertRefused(&sample, copy, th_resultDamaged);
    copy.data[saved.size / 2] ^= 1;
    for (size_t length = 0; length < saved.size; length += 97) {
        const Bytes cut = {copy.data, length};
        assertRefused(&sample, cut, length < 8 ? th_resultSyntax : th_resultDamaged);
    }
    freeBytes(copy);

    // One that counts other things.
    thTallyDef def = thDefaultTallyDef();
    thTally* other;
    assert_ok(thCreateTally(&def, sample.crowd.world, &other));
    const Bytes foreign = saveTally(other);
    assertRefused(&sample, foreign, th_resultBadArgument);
    assert_int_equal(thTally_Restore(other, saved.data, saved.size, NULL), th_resultBadArgument);
    freeBytes(foreign);
    thDestroyTally(other);
    destroySample(&sample);
}

// Whatever stands in it, a tally with a right checksum is refused or works.
static bool survivesDamage(thGenerator* g, int32_t size, void* context)
{
    (void)size;
    Sample* sample = context;
    Bytes bytes = {malloc(sample->saved.size), sample->saved.size};
    memcpy(bytes.data, sample->saved.data, bytes.size);
    for (int32_t i = drawInt(g, 1, 4); i > 0; --i)
        bytes.data[drawInt(g, 20, (int32_t)bytes.size - 9)] = (uint8_t)drawU32(g);
    sealBytes(bytes);
    thError error = {0};
    const thResult code = thTally_Restore(sample->tally, bytes.data, bytes.size, &error);
    freeBytes(bytes);
    if (code == th_resultOk) {
        const double time = thTally_GetResult(sample->tally).time;
        const double next = fmax(time, 0.0) < 1e15 ? time + CROWD_STEP : time;
        assert_ok(thWorld_Step(sample->crowd.world, (float)CROWD_STEP));
        assert_ok(thTally_Observe(sample->tally, next));
        (void)thTally_GetResult(sample->tally);
    }
    return code == th_resultOk || code == th_resultDamaged || code == th_resultBadArgument;
}

static void testDamage(void** state)
{
    (void)state;
    Sample sample = createSample();
    assertProperty(&(thProperty){"tally_damage", 8, 500, 1, survivesDamage, &sample});
    destroySample(&sample);
}

// The pairs are forgotten once there are too many; that is saved too.
static void testExceeded(void** state)
{
    (void)state;
    Crowd crowd = createCrowd(1, false);
    thTallyDef def = thDefaultTallyDef();
    def.maxPairs = 20;
    thTally *tally, *restored;
    assert_ok(thCreateTally(&def, crowd.world, &tally));
    assert_ok(thCreateTally(&def, crowd.world, &restored));
    for (uint64_t step = 0; step < 30; ++step) {
        stepCrowd(&crowd, step);
        observeCrowd(tally, step);
        const Bytes saved = saveTally(tally);
        assert_ok(thTally_Restore(restored, saved.data, saved.size, NULL));
        assertSameTally(tally, restored);
        freeBytes(saved);
    }
    assert_int_equal(thTally_GetResult(restored).uniqueCollisions, 20);
    assert_int_equal(thTally_GetResult(restored).uniqueIsLeast, 1);
    thDestroyTally(tally);
    thDestroyTally(restored);
    thDestroyWorld(crowd.world);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testResumed),
        cmocka_unit_test(testRefused),
        cmocka_unit_test(testDamage),
        cmocka_unit_test(testExceeded),
    };
    return RUN_TESTS(tests, argc, argv);
}
