// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `clearpath` in a world: people on circles who all want to the other side. Besides, every
// way to set it, and what threads and instruction sets must not change.

#include "avoid/avoid_world.h"
#include "throng/clearpath.h"

#include <stdlib.h>

#define DT 0.1f

static thProfileId clearpathProfile(thWorld* world, const thClearpathDef* params, float maxAccel)
{
    const thProfileDef def = avoidProfile("clearpath", params, maxAccel);
    return addProfile(world, &def);
}

static void walkCircle(int32_t count, double size, int32_t mode, int32_t contacts,
                       double leastDistance)
{
    thWorld* world = openWorld(0, th_simdAuto, contacts);
    thClearpathDef params = thDefaultClearpathDef();
    params.mode = mode;
    addCircle(world, clearpathProfile(world, &params, 0.0f), count, size);
    print_message("mode %d: ", mode);
    const Walk walk = walkToEnd(world, DT, count, 60.0);
    assert_int_equal(walk.arrivals, count);
    assert_true(walk.nearest > leastDistance);
    thDestroyWorld(world);
}

static void testCircles(void** state)
{
    (void)state;
    for (int32_t mode = th_clearpathTwo; mode <= th_clearpathHalf; ++mode) {
        for (int32_t count = 2; count <= 10; ++count)
            walkCircle(count, 5.0, mode, 0, 0.49);
        walkCircle(32, 10.0, mode, 1, 0.49);
    }
}

// How a circle went on which there is nothing but the method's own `keep` that tells left from
// right.
typedef struct Turning {
    Walk walk;
    double turned; // the first one about the middle, to the left
} Turning;

static Turning turnCircle(int32_t count, int32_t mode, int32_t keep)
{
    thWorld* world = openWorld(0, th_simdAuto, 0);
    thClearpathDef params = thDefaultClearpathDef();
    params.mode = mode;
    params.keep = keep;
    thProfileDef def = avoidProfile("clearpath", &params, 0.0f);
    def.keep = th_keepNone;
    addCircle(world, addProfile(world, &def), count, 5.0);
    Turning turning = {.turned = 0.0};
    double nearest = INFINITY;
    for (int32_t i = 0; i < 40; ++i) {
        assertOk(thWorld_Step(world, DT));
        nearest = fmin(nearest, nearestPair(world));
        const thAgentRow row = thWorld_GetAgentView(world).rows[0];
        turning.turned += (double)row.position.x * (double)row.velocity.y -
                          (double)row.position.y * (double)row.velocity.x;
    }
    turning.walk = walkToEnd(world, DT, count, 30.0);
    turning.walk.nearest = fmin(turning.walk.nearest, nearest);
    thDestroyWorld(world);
    return turning;
}

// Without jitter circles resolve, and one side is the mirror image of the other. Mode h leaves no
// choice: of more than two, all stop.
static void testSides(void** state)
{
    (void)state;
    for (int32_t mode = th_clearpathTwo; mode <= th_clearpathHalf; ++mode)
        for (int32_t count = 2; count <= (mode == th_clearpathHalf ? 2 : 10); ++count) {
            const Turning right = turnCircle(count, mode, th_keepRight);
            const Turning left = turnCircle(count, mode, th_keepLeft);
            assert_int_equal(right.walk.arrivals, count);
            assert_int_equal(left.walk.arrivals, count);
            assert_true(right.walk.nearest > 0.49 && left.walk.nearest > 0.49);
            assert_near(right.walk.time, left.walk.time, 1.01 * (double)DT);
            assert_near(right.turned, -left.turned, 0.01);
            if (count == 2)
                assert_true(right.turned > 1.0);
        }
}

// Many on a large circle take less than twice the time that one alone would.
static void walkLarge(int32_t count, double size)
{
    thWorld* world = openWorld(0, th_simdAuto, 1);
    const thClearpathDef params = thDefaultClearpathDef();
    addCircle(world, clearpathProfile(world, &params, 0.0f), count, size);
    const double alone = 2.0 * size / 1.34;
    uint64_t arrivals = 0;
    double time = 0.0;
    for (; arrivals < (uint64_t)count && time < 2.0 * alone; time += (double)DT) {
        assertOk(thWorld_Step(world, DT));
        arrivals = thWorld_GetCounters(world).arrivals;
    }
    print_message("%d on a circle of %g m: all arrived after %.1f s, one alone after %.1f s\n",
                  count, size, time, alone);
    assert_int_equal(arrivals, count);
    thDestroyWorld(world);
}

static void testLargeCircles(void** state)
{
    (void)state;
    walkLarge(250, 29.84); // 0.75 m apart
    if (getenv("THRONG_LONG") != NULL)
        walkLarge(1000, 119.4);
}

static thWorld* openScene(int32_t workerCount, thSimd simd, const thClearpathDef* params)
{
    thWorld* world = openWorld(workerCount, simd, 1);
    addMixture(world, clearpathProfile(world, params, 0.0f), clearpathProfile(world, params, 4.0f));
    return world;
}

// One of several ways to set it.
static thClearpathDef wayOf(int32_t way)
{
    thClearpathDef params = thDefaultClearpathDef();
    switch (way) {
    case 1:
        params.mode = th_clearpathOne;
        break;
    case 2:
        params.mode = th_clearpathHalf;
        break;
    case 3:
        params.chain = th_clearpathDrop;
        break;
    case 4:
        params.cap = th_clearpathRound;
        break;
    case 5:
        params.solver = th_clearpathPaper;
        break;
    case 6:
        params.hybrid = 1;
        params.smoothing = 0.2f;
        break;
    case 7:
        params.overlap = th_clearpathWedge;
        break;
    default:
        break;
    }
    return params;
}

static void testSameHash(void** state)
{
    (void)state;
    const int32_t steps = getenv("THRONG_LONG") != NULL ? 300 : 25;
    for (int32_t way = 0; way < 8; ++way) {
        const thClearpathDef params = wayOf(way);
        thWorld* reference = openScene(1, th_simdScalar, &params);
        const uint64_t hash = hashAfter(reference, DT, steps);
        thDestroyWorld(reference);
        for (thSimd simd = th_simdScalar; simd < th_simdCount; ++simd)
            for (int32_t workers = 1; workers <= 4 && thSimd_IsAvailable(simd); workers *= 4) {
                thWorld* world = openScene(workers, simd, &params);
                const uint64_t other = hashAfter(world, DT, steps);
                thDestroyWorld(world);
                if (other != hash)
                    fail_msg("way %d, %s, %d workers: %llx instead of %llx", way,
                             thSimd_GetName(simd), workers, (unsigned long long)other,
                             (unsigned long long)hash);
            }
    }
}

static void testSnapshot(void** state)
{
    (void)state;
    const thClearpathDef params = wayOf(6);
    assertGoesOn(openScene(1, th_simdAuto, &params), DT, 37, 40);
}

static void testParameters(void** state)
{
    (void)state;
    thWorld* world = openWorld(1, th_simdAuto, 1);
    thProfileDef def = thDefaultProfileDef();
    thProfileId id;
    thError error;
    thClearpathDef params = thDefaultClearpathDef();
    def.avoid = (thMethodUse){"clearpath", &params};
    params.smoothing = 1.0f;
    assert_int_equal(thCreateProfile(world, &def, &id, &error), th_resultBadArgument);
    assert_non_null(strstr(error.text, "smoothing is 1, expected 0 to 0.95"));
    params = thDefaultClearpathDef();
    params.cap = th_clearpathRound;
    params.solver = th_clearpathPaper;
    assert_int_equal(thCreateProfile(world, &def, &id, &error), th_resultBadArgument);
    assert_non_null(strstr(error.text, "cap is round, expected line"));
    thDestroyWorld(world);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testCircles),      cmocka_unit_test(testSides),
        cmocka_unit_test(testLargeCircles), cmocka_unit_test(testSameHash),
        cmocka_unit_test(testSnapshot),     cmocka_unit_test(testParameters)};
    return RUN_TESTS(tests, argc, argv);
}
