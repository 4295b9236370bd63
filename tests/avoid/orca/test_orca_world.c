// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `orca` in a world: people on circles who all want to the other side. Besides, crowds that
// cross between walls, and what threads, instruction sets and snapshots must not change.

#include "avoid/avoid_world.h"
#include "throng/orca.h"

#include <stdlib.h>

#define DT 0.05f

// The method alone keeps them apart.
static thWorld* openPlain(int32_t workerCount, thSimd simd)
{
    return openWorld(workerCount, simd, 0);
}

static thProfileId orcaProfile(thWorld* world, const thOrcaDef* params, float maxAccel)
{
    const thProfileDef def = avoidProfile("orca", params, maxAccel);
    return addProfile(world, &def);
}

static void walkCircle(int32_t count, double size, double mostTime, double leastDistance)
{
    thWorld* world = openPlain(0, th_simdAuto);
    addCircle(world, orcaProfile(world, NULL, 0.0f), count, size);
    const Walk walk = walkToEnd(world, DT, count, 4.0 * mostTime);
    assert_int_equal(walk.arrivals, count);
    assert_true(walk.time < mostTime);
    assert_true(walk.nearest > leastDistance);
    thDestroyWorld(world);
}

static void testCircles(void** state)
{
    (void)state;
    // Free, at 1.34 m/s, 5 m take 7.5 s and 10 m 15 s. Few never touch; many do when all meet in
    // the middle.
    walkCircle(2, 5.0, 10.0, 0.499);
    walkCircle(3, 5.0, 10.0, 0.499);
    walkCircle(10, 5.0, 16.0, 0.499);
    walkCircle(50, 10.0, 40.0, 0.3);
    if (getenv("THRONG_LONG") != NULL)
        walkCircle(250, 30.0, 160.0, 0.1);
}

// Two who pass each other: on the right with a bias, on the left with the sign changed.
static void testSides(void** state)
{
    (void)state;
    for (int32_t side = -1; side <= 1; side += 2) {
        thWorld* world = openPlain(0, th_simdAuto);
        thOrcaDef params = thDefaultOrcaDef();
        params.sideBias = (float)side * 0.03f; // more than `keep` does
        const thProfileId profile = orcaProfile(world, &params, 0.0f);
        const thAgentId id =
            addWalker(world, profile, 1, (thVec2){-5.0f, 0.0f}, (thVec2){5.0f, 0.0f});
        addWalker(world, profile, 2, (thVec2){5.0f, 0.0f}, (thVec2){-5.0f, 0.0f});
        float lowest = 0.0f, highest = 0.0f;
        for (int32_t i = 0; i < 200; ++i) {
            assertOk(thWorld_Step(world, DT));
            lowest = fminf(lowest, thAgent_Get(world, id).position.y);
            highest = fmaxf(highest, thAgent_Get(world, id).position.y);
        }
        print_message("bias %g: y from %g to %g\n", (double)params.sideBias, (double)lowest,
                      (double)highest);
        assert_int_equal(thWorld_GetCounters(world).arrivals, 2);
        assert_true(side > 0 ? -lowest > highest : highest > -lowest);
        thDestroyWorld(world);
    }
}

static thWorld* openScene(int32_t workerCount, thSimd simd)
{
    thWorld* world = openPlain(workerCount, simd);
    const thOrcaDef params = thDefaultOrcaDef();
    const thProfileId quick = orcaProfile(world, &params, 0.0f);
    const thProfileId slow = orcaProfile(world, NULL, 4.0f);
    addMixture(world, quick, slow);
    return world;
}

static void testSameHash(void** state)
{
    (void)state;
    static const int32_t workers[] = {1, 2, 3, 8};
    const int32_t steps = getenv("THRONG_LONG") != NULL ? 600 : 160;
    thWorld* reference = openScene(1, th_simdScalar);
    const uint64_t hash = hashAfter(reference, DT, steps);
    (void)nearestPair(reference);
    thDestroyWorld(reference);
    for (thSimd simd = th_simdScalar; simd < th_simdCount; ++simd)
        for (size_t i = 0; i < sizeof workers / sizeof *workers; ++i) {
            if (!thSimd_IsAvailable(simd))
                continue;
            thWorld* world = openScene(workers[i], simd);
            const uint64_t other = hashAfter(world, DT, steps);
            thDestroyWorld(world);
            if (other != hash)
                fail_msg("%s with %d workers: %llx instead of %llx", thSimd_GetName(simd),
                         workers[i], (unsigned long long)other, (unsigned long long)hash);
        }
}

static void testSnapshot(void** state)
{
    (void)state;
    assertGoesOn(openScene(1, th_simdAuto), DT, 137, 200);
}

// Who overlaps comes apart in time, and nobody is thrown about.
static void testOverlaps(void** state)
{
    (void)state;
    thWorld* world = openPlain(0, th_simdAuto);
    const thProfileId profile = orcaProfile(world, NULL, 0.0f);
    thAgentDef def = thDefaultAgentDef();
    thAgentId id;
    def.profile = profile;
    for (int32_t i = 0; i < 40; ++i) {
        // Pairs: touching, overlapping, and on one point.
        def.position = (thVec2){3.0f * (float)(i / 2), i % 2 == 0 ? 0.0f : 0.025f * (float)(i / 2)};
        assertOk(thCreateAgent(world, &def, &id));
    }
    for (int32_t i = 0; i < 80; ++i) {
        assertOk(thWorld_Step(world, DT));
        (void)nearestPair(world);
    }
    // They come apart ever more slowly: what is left shrinks by e in each separation time.
    print_message("nearest after 4 s: %.4f m\n", nearestPair(world));
    assert_true(nearestPair(world) > 0.498);
    thDestroyWorld(world);
}

static void testBadParams(void** state)
{
    (void)state;
    thWorld* world = openPlain(0, th_simdAuto);
    thOrcaDef params = thDefaultOrcaDef();
    float* const fields[] = {&params.timeHorizon, &params.wallHorizon, &params.separationTime,
                             &params.sideBias};
    const float bad[] = {NAN, INFINITY, -1.0f, 1000.0f};
    for (int32_t i = 0; i < 4; ++i)
        for (int32_t k = 0; k < 4; ++k) {
            const float held = *fields[i];
            *fields[i] = bad[k];
            thProfileDef def = thDefaultProfileDef();
            def.avoid = (thMethodUse){"orca", &params};
            thProfileId id;
            thError error = {.code = th_resultOk};
            assert_int_equal(thCreateProfile(world, &def, &id, &error), th_resultBadArgument);
            assert_int_equal(error.code, th_resultBadArgument);
            assert_true(strlen(error.text) > 0);
            *fields[i] = held;
        }
    thDestroyWorld(world);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testCircles),  cmocka_unit_test(testSides),
        cmocka_unit_test(testSameHash), cmocka_unit_test(testSnapshot),
        cmocka_unit_test(testOverlaps), cmocka_unit_test(testBadParams),
    };
    return RUN_TESTS(tests, argc, argv);
}
