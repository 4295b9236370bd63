// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `orca` in a world: people on circles who all want to the other side, crowds that cross
// between walls, and what threads, instruction sets and snapshots must not change.

#include "gear/gear.h"
#include "gear/property.h"
#include "throng/orca.h"
#include "throng/world.h"

#include <stdlib.h>

#define DT 0.05f

static void assertOk(thResult code)
{
    assert_int_equal(code, th_resultOk);
}

static thWorld* openWorld(int32_t workerCount, thSimd simd)
{
    thWorldDef def = thDefaultWorldDef();
    def.workerCount = workerCount;
    def.simd = simd;
    def.contacts = 0; // the method alone keeps them apart
    thWorld* world;
    assertOk(thCreateWorld(&def, &world));
    return world;
}

static thProfileId orcaProfile(thWorld* world, const thOrcaDef* params, float maxAccel)
{
    thProfileDef def = thDefaultProfileDef();
    def.avoid = (thMethodUse){"orca", params};
    def.maxAccel = maxAccel;
    thProfileId id;
    assertOk(thCreateProfile(world, &def, &id, NULL));
    return id;
}

static thAgentId addWalker(thWorld* world, thProfileId profile, thVec2 from, thVec2 to)
{
    thAgentDef def = thDefaultAgentDef();
    def.profile = profile;
    def.position = from;
    assertOk(thCreatePointGoal(world, to, &def.goal));
    thAgentId id;
    assertOk(thCreateAgent(world, &def, &id));
    return id;
}

static void addCircle(thWorld* world, thProfileId profile, int32_t count, double size)
{
    for (int32_t i = 0; i < count; ++i) {
        const double angle = 2.0 * 3.14159265358979 * i / count;
        const thVec2 at = {(float)(size * cos(angle)), (float)(size * sin(angle))};
        addWalker(world, profile, at, (thVec2){-at.x, -at.y});
    }
}

// The smallest distance between two agents; all velocities must be numbers within the limit.
static double nearestPair(const thWorld* world)
{
    const thAgentView view = thWorld_GetAgentView(world);
    double least = INFINITY;
    for (int32_t i = 0; i < view.slotCount; ++i) {
        const thAgentRow* a = &view.rows[i];
        assert_true(isfinite(a->velocity.x) && isfinite(a->velocity.y));
        assert_true(hypot((double)a->velocity.x, (double)a->velocity.y) < 2.0 * (1.0 + 1e-5));
        for (int32_t k = 0; k < i; ++k)
            least = fmin(least, hypot((double)(a->position.x - view.rows[k].position.x),
                                      (double)(a->position.y - view.rows[k].position.y)));
    }
    return least;
}

static void walkCircle(int32_t count, double size, double mostTime, double leastDistance)
{
    thWorld* world = openWorld(0, th_simdAuto);
    addCircle(world, orcaProfile(world, NULL, 0.0f), count, size);
    double nearest = INFINITY, time = 0.0;
    while (thWorld_GetCounters(world).arrivals < (uint64_t)count && time < 4.0 * mostTime) {
        assertOk(thWorld_Step(world, DT));
        nearest = fmin(nearest, nearestPair(world));
        time += (double)DT;
    }
    const uint64_t arrivals = thWorld_GetCounters(world).arrivals;
    print_message("%d on a circle of %g m: %d arrived after %.1f s, nearest %.4f m\n", count, size,
                  (int)arrivals, time, nearest);
    assert_int_equal(arrivals, count);
    assert_true(time < mostTime);
    assert_true(nearest > leastDistance);
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
        thWorld* world = openWorld(0, th_simdAuto);
        thOrcaDef params = thDefaultOrcaDef();
        params.sideBias = (float)side * 0.03f; // more than `keep` does
        const thProfileId profile = orcaProfile(world, &params, 0.0f);
        const thAgentId id = addWalker(world, profile, (thVec2){-5.0f, 0.0f}, (thVec2){5.0f, 0.0f});
        addWalker(world, profile, (thVec2){5.0f, 0.0f}, (thVec2){-5.0f, 0.0f});
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

// Something of everything: a circle, a crowd that goes through a gap, moving obstacles, agents who
// start on one point, limits of acceleration.
static thWorld* openScene(int32_t workerCount, thSimd simd)
{
    thWorld* world = openWorld(workerCount, simd);
    const thOrcaDef params = thDefaultOrcaDef();
    const thProfileId quick = orcaProfile(world, &params, 0.0f);
    const thProfileId slow = orcaProfile(world, NULL, 4.0f);
    const thVec2 upper[2] = {{20.0f, 0.6f}, {20.5f, 9.0f}}, lower[2] = {{20.0f, -0.6f}, {20, -9}};
    thObstacleDef wall = thDefaultObstacleDef();
    thObstacleId id;
    wall.kind = th_obstacleWall;
    wall.pointCount = 2;
    wall.points = upper;
    assertOk(thCreateObstacle(world, &wall, &id));
    wall.points = lower;
    assertOk(thCreateObstacle(world, &wall, &id));
    thObstacleDef disc = thDefaultObstacleDef();
    disc.kind = th_obstacleMovingDisc;
    disc.radius = 0.6f;
    disc.position = (thVec2){-3.0f, 0.0f};
    disc.velocity = (thVec2){0.5f, 0.1f};
    assertOk(thCreateObstacle(world, &disc, &id));
    const thVec2 box[4] = {{-1, -0.5f}, {1, -0.5f}, {1, 0.5f}, {-1, 0.5f}};
    thObstacleDef train = thDefaultObstacleDef();
    train.kind = th_obstacleMovingPolygon;
    train.points = box;
    train.pointCount = 4;
    train.position = (thVec2){30.0f, 3.0f};
    train.velocity = (thVec2){-0.8f, -0.2f};
    train.spin = 0.4f;
    assertOk(thCreateObstacle(world, &train, &id));
    addCircle(world, quick, 40, 6.0);
    thGenerator g = makeGenerator(5, 5);
    for (int32_t i = 0; i < 60; ++i) {
        const float x = drawFloat(&g, 21.5f, 28.0f), y = drawFloat(&g, -4.0f, 4.0f);
        addWalker(world, i % 2 == 0 ? quick : slow, (thVec2){x, y}, (thVec2){5.0f, y});
    }
    for (int32_t i = 0; i < 6; ++i)
        addWalker(world, slow, (thVec2){0.0f, 12.0f}, (thVec2){-10.0f, 12.0f});
    return world;
}

static uint64_t hashAfter(thWorld* world, int32_t steps)
{
    for (int32_t i = 0; i < steps; ++i)
        assertOk(thWorld_Step(world, DT));
    return thWorld_GetStateHash(world);
}

static void testSameHash(void** state)
{
    (void)state;
    static const int32_t workers[] = {1, 2, 3, 8};
    const int32_t steps = getenv("THRONG_LONG") != NULL ? 600 : 160;
    thWorld* reference = openScene(1, th_simdScalar);
    const uint64_t hash = hashAfter(reference, steps);
    (void)nearestPair(reference);
    thDestroyWorld(reference);
    for (thSimd simd = th_simdScalar; simd < th_simdCount; ++simd)
        for (size_t i = 0; i < sizeof workers / sizeof *workers; ++i) {
            if (!thSimd_IsAvailable(simd))
                continue;
            thWorld* world = openScene(workers[i], simd);
            const uint64_t other = hashAfter(world, steps);
            thDestroyWorld(world);
            if (other != hash)
                fail_msg("%s with %d workers: %llx instead of %llx", thSimd_GetName(simd),
                         workers[i], (unsigned long long)other, (unsigned long long)hash);
        }
}

static void testSnapshot(void** state)
{
    (void)state;
    thWorld* world = openScene(1, th_simdAuto);
    (void)hashAfter(world, 137);
    size_t size, saved;
    assertOk(thWorld_Save(world, NULL, 0, &size));
    void* data = malloc(size);
    assert_non_null(data);
    assertOk(thWorld_Save(world, data, size, &saved));
    const uint64_t hash = hashAfter(world, 200);
    thDestroyWorld(world);
    thWorld* other = openWorld(2, th_simdScalar);
    assertOk(thWorld_Restore(other, data, saved, NULL));
    assert_true(hashAfter(other, 200) == hash);
    thDestroyWorld(other);
    free(data);
}

// Who overlaps comes apart in time, and nobody is thrown about.
static void testOverlaps(void** state)
{
    (void)state;
    thWorld* world = openWorld(0, th_simdAuto);
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
    thWorld* world = openWorld(0, th_simdAuto);
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
