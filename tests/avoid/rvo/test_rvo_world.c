// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `rvo` in a world: people on circles who all want to the other side. Besides, walls that
// hide people from each other, and what threads, instruction sets, kernels and snapshots must not
// change.

#include "avoid/avoid_world.h"
#include "gear/property.h"
#include "throng/rvo.h"

#include <stdlib.h>

#define DT 0.1f

static thProfileId rvoProfile(thWorld* world, const thRvoDef* params, float maxAccel)
{
    thProfileDef def = avoidProfile("rvo", params, maxAccel);
    def.needsSight = 1;
    return addProfile(world, &def);
}

static void walkCircle(int32_t count, double size, int32_t hybrid, int32_t contacts,
                       double leastDistance)
{
    thWorld* world = openWorld(0, th_simdAuto, contacts);
    thRvoDef params = thDefaultRvoDef();
    params.hybrid = hybrid;
    params.samples = 500;
    addCircle(world, rvoProfile(world, &params, 0.0f), count, size);
    const Walk walk = walkToEnd(world, DT, count, 60.0);
    assert_int_equal(walk.arrivals, count);
    assert_true(walk.nearest > leastDistance);
    thDestroyWorld(world);
}

static void testCircles(void** state)
{
    (void)state;
    for (int32_t hybrid = 0; hybrid <= 1; ++hybrid) {
        walkCircle(2, 5.0, hybrid, 0, 0.49);
        walkCircle(10, 5.0, hybrid, 0, hybrid ? 0.49 : 0.45);
        // Many who meet in the middle come out of it, but through each other where bodies do not
        // hold.
        walkCircle(32, 10.0, hybrid, 0, 0.0);
        walkCircle(32, 10.0, hybrid, 1, 0.495);
    }
}

static thWorld* openScene(int32_t workerCount, thSimd simd, int32_t kernel, int32_t earlyOut)
{
    thWorld* world = openWorld(workerCount, simd, 1);
    thRvoDef params = thDefaultRvoDef();
    params.samples = 60;
    params.kernel = kernel;
    params.earlyOut = earlyOut;
    const thProfileId quick = rvoProfile(world, &params, 0.0f);
    params.even = params.hybrid = params.refinements = 1;
    const thProfileId slow = rvoProfile(world, &params, 4.0f);
    addMixture(world, quick, slow);
    return world;
}

static void compareScene(uint64_t hash, int32_t steps, int32_t workers, thSimd simd,
                         thRvoKernel kernel, int32_t earlyOut)
{
    thWorld* world = openScene(workers, simd, (int32_t)kernel, earlyOut);
    const uint64_t other = hashAfter(world, DT, steps);
    thDestroyWorld(world);
    if (other != hash)
        fail_msg("%s, %d workers, kernel %d, early-out %d: %llx instead of %llx",
                 thSimd_GetName(simd), workers, kernel, earlyOut, (unsigned long long)other,
                 (unsigned long long)hash);
}

// State hashes hold parameters too, so positions are compared by those of one kernel and another.
static uint64_t placesAfter(thWorld* world, int32_t steps)
{
    (void)hashAfter(world, DT, steps);
    const thAgentView view = thWorld_GetAgentView(world);
    uint64_t sum = 0;
    for (int32_t i = 0; i < view.slotCount; ++i) {
        uint32_t bits[4];
        memcpy(bits, &view.rows[i].position, 8);
        memcpy(bits + 2, &view.rows[i].velocity, 8);
        for (int32_t k = 0; k < 4; ++k)
            sum = (sum ^ bits[k]) * UINT64_C(0x100000001b3);
    }
    return sum;
}

static void testSameHash(void** state)
{
    (void)state;
    const int32_t steps = getenv("THRONG_LONG") != NULL ? 300 : 60;
    thWorld* reference = openScene(1, th_simdScalar, th_rvoAuto, 1);
    const uint64_t hash = hashAfter(reference, DT, steps);
    thDestroyWorld(reference);
    for (thSimd simd = th_simdScalar; simd < th_simdCount; ++simd)
        for (int32_t workers = 1; workers <= 8 && thSimd_IsAvailable(simd); workers *= 2)
            compareScene(hash, steps, workers, simd, th_rvoAuto, 1);
    reference = openScene(1, th_simdScalar, th_rvoFlat, 0);
    const uint64_t places = placesAfter(reference, steps);
    thDestroyWorld(reference);
    for (int32_t kernel = th_rvoAuto; kernel <= th_rvoNested; ++kernel)
        for (int32_t earlyOut = 0; earlyOut <= 1; ++earlyOut) {
            thWorld* world = openScene(2, th_simdAuto, kernel, earlyOut);
            assert_true(placesAfter(world, steps) == places);
            thDestroyWorld(world);
        }
}

static void testSnapshot(void** state)
{
    (void)state;
    assertGoesOn(openScene(1, th_simdAuto, th_rvoAuto, 1), DT, 37, 40);
}

// A crowd to the left of a wall that walks north, one to its right that walks south, or both.
static thWorld* openSides(bool left, bool right, thAgentId ids[80])
{
    thWorld* world = openWorld(0, th_simdAuto, 1);
    const thProfileId profile = rvoProfile(world, NULL, 0.0f);
    addWall(world, (thVec2){0.0f, -30.0f}, (thVec2){0.0f, 30.0f});
    thGenerator g = makeGenerator(6, 6);
    for (int32_t i = 0; i < 80; ++i) {
        const bool isLeft = i % 2 == 0;
        const float x = 0.4f + 0.8f * (float)(i / 2 % 5) + drawFloat(&g, 0.0f, 0.1f);
        const float y = -3.0f + 0.8f * (float)(i / 10) + drawFloat(&g, 0.0f, 0.1f);
        const float goal = 0.3f + 0.7f * drawUnit(&g); // they crowd to the wall
        if (isLeft && left)
            ids[i] = addWalker(world, profile, 1000 + (uint64_t)i, (thVec2){-x, y},
                               (thVec2){-goal, y + 15.0f});
        if (!isLeft && right)
            ids[i] = addWalker(world, profile, 1000 + (uint64_t)i, (thVec2){x, y},
                               (thVec2){goal, y - 15.0f});
    }
    return world;
}

// Whom a wall hides does not count: both crowds walk as if alone, bit for bit.
static void testSight(void** state)
{
    (void)state;
    thAgentId together[80], alone[80];
    thWorld* both = openSides(true, true, together);
    thWorld* left = openSides(true, false, alone);
    thWorld* right = openSides(false, true, alone);
    for (int32_t step = 0; step < 150; ++step) {
        assertOk(thWorld_Step(both, DT));
        assertOk(thWorld_Step(left, DT));
        assertOk(thWorld_Step(right, DT));
        for (int32_t i = 0; i < 80; ++i) {
            const thAgentRow a = thAgent_Get(both, together[i]);
            const thAgentRow b = thAgent_Get(i % 2 == 0 ? left : right, alone[i]);
            assert_same_bits(a.position.x, b.position.x);
            assert_same_bits(a.position.y, b.position.y);
            assert_same_bits(a.velocity.x, b.velocity.x);
            assert_same_bits(a.velocity.y, b.velocity.y);
        }
    }
    thDestroyWorld(both);
    thDestroyWorld(left);
    thDestroyWorld(right);
}

// Who gives no way walks on, others go round.
static void testPassive(void** state)
{
    (void)state;
    thWorld* world = openWorld(0, th_simdAuto, 0);
    const thProfileId profile = rvoProfile(world, NULL, 0.0f);
    const thAgentId active =
        addWalker(world, profile, 1, (thVec2){-5.0f, 0.05f}, (thVec2){5.0f, 0.05f});
    thProfileDef def = thDefaultProfileDef();
    def.avoid.name = "none";
    def.yield = 0.0f;
    thProfileId blind;
    assertOk(thCreateProfile(world, &def, &blind, NULL));
    const thAgentId passive =
        addWalker(world, blind, 2, (thVec2){5.0f, 0.0f}, (thVec2){-5.0f, 0.0f});
    double nearest = INFINITY;
    float aside = 0.0f;
    for (int32_t i = 0; i < 100; ++i) {
        assertOk(thWorld_Step(world, DT));
        nearest = fmin(nearest, nearestPair(world));
        aside = fmaxf(aside, fabsf(thAgent_Get(world, passive).position.y));
    }
    print_message("nearest %.3f m\n", nearest);
    assert_true(nearest > 0.49);
    assert_true(aside < 0.2f); // what keeping to a side comes to
    assert_true(thAgent_Get(world, active).position.x > 4.0f);
    thDestroyWorld(world);
}

// Who has arrived stands; others walk round it.
static void testArrived(void** state)
{
    (void)state;
    thWorld* world = openWorld(1, th_simdAuto, 0);
    const thProfileId profile = rvoProfile(world, NULL, 0.0f);
    const thAgentId stands = addWalker(world, profile, 1, (thVec2){0.0f, 0.0f}, (thVec2){0});
    const thAgentId walks =
        addWalker(world, profile, 2, (thVec2){-5.0f, 0.0f}, (thVec2){5.0f, 0.0f});
    float least = 10.0f;
    for (int32_t i = 0; i < 120; ++i) {
        assertOk(thWorld_Step(world, DT));
        const thVec2 at = thAgent_Get(world, stands).position;
        const thVec2 other = thAgent_Get(world, walks).position;
        assert_true(at.x == 0.0f && at.y == 0.0f);
        least = fminf(least, hypotf(other.x, other.y));
    }
    assert_true(least > 0.49f);
    assert_true(thAgent_Get(world, walks).position.x > 4.5f);
    thDestroyWorld(world);
}

static void testBadParams(void** state)
{
    (void)state;
    thWorld* world = openWorld(0, th_simdAuto, 0);
    const thRvoDef good = thDefaultRvoDef();
    thRvoDef bad[20];
    for (int32_t i = 0; i < 20; ++i)
        bad[i] = good;
    bad[0].size = 4;
    bad[1].samples = 0;
    bad[2].samples = 10001;
    bad[3].weight = NAN;
    bad[4].weight = -1.0f;
    bad[5].weight = INFINITY;
    bad[6].cutoff = -0.1f;
    bad[7].cutoff = 1001.0f;
    bad[8].cutoff = NAN;
    bad[9].refinements = -1;
    bad[10].refinements = 9;
    bad[11].refinementSamples = 0;
    bad[12].refinementSamples = 10001;
    bad[13].even = 2;
    bad[14].even = -1;
    bad[15].hybrid = 2;
    bad[16].earlyOut = 2;
    bad[17].earlyOut = -1;
    bad[18].kernel = 3;
    bad[19].kernel = -1;
    for (int32_t i = 0; i < 20; ++i) {
        thProfileDef def = thDefaultProfileDef();
        def.avoid = (thMethodUse){"rvo", &bad[i]};
        thProfileId id;
        thError error = {.code = th_resultOk};
        assert_int_equal(thCreateProfile(world, &def, &id, &error), th_resultBadArgument);
        assert_true(strncmp(error.text, "rvo: ", 5) == 0);
    }
    thDestroyWorld(world);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testCircles),   cmocka_unit_test(testSameHash),
        cmocka_unit_test(testSnapshot),  cmocka_unit_test(testSight),
        cmocka_unit_test(testPassive),   cmocka_unit_test(testArrived),
        cmocka_unit_test(testBadParams),
    };
    return RUN_TESTS(tests, argc, argv);
}
