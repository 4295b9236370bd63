// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `clearpath` in a world: people on circles who all want to the other side, every way to set
// it, and what threads and instruction sets must not change.

#include "gear/gear.h"
#include "gear/property.h"
#include "throng/clearpath.h"
#include "throng/world.h"

#include <stdlib.h>

#define DT 0.1f

static void assertOk(thResult code)
{
    assert_int_equal(code, th_resultOk);
}

static thWorld* openWorld(int32_t workerCount, thSimd simd, int32_t contacts)
{
    thWorldDef def = thDefaultWorldDef();
    def.workerCount = workerCount;
    def.simd = simd;
    def.contacts = contacts;
    thWorld* world;
    assertOk(thCreateWorld(&def, &world));
    return world;
}

static thProfileId addProfile(thWorld* world, const thClearpathDef* params, float maxAccel)
{
    thProfileDef def = thDefaultProfileDef();
    def.avoid = (thMethodUse){"clearpath", params};
    def.maxAccel = maxAccel;
    thProfileId id;
    assertOk(thCreateProfile(world, &def, &id, NULL));
    return id;
}

static void addWalker(thWorld* world, thProfileId profile, uint64_t key, thVec2 from, thVec2 to)
{
    thAgentDef def = thDefaultAgentDef();
    def.profile = profile;
    def.position = from;
    def.key = key;
    assertOk(thCreatePointGoal(world, to, &def.goal));
    thAgentId id;
    assertOk(thCreateAgent(world, &def, &id));
}

static void addWall(thWorld* world, thVec2 a, thVec2 b)
{
    const thVec2 points[2] = {a, b};
    thObstacleDef wall = thDefaultObstacleDef();
    wall.kind = th_obstacleWall;
    wall.points = points;
    wall.pointCount = 2;
    thObstacleId id;
    assertOk(thCreateObstacle(world, &wall, &id));
}

static void addCircle(thWorld* world, thProfileId profile, int32_t count, double size)
{
    for (int32_t i = 0; i < count; ++i) {
        const double angle = 2.0 * 3.14159265358979 * i / count;
        const thVec2 at = {(float)(size * cos(angle)), (float)(size * sin(angle))};
        addWalker(world, profile, (uint64_t)i + 1, at, (thVec2){-at.x, -at.y});
    }
}

// The smallest distance between two agents; all velocities must be numbers within the limit.
static double nearestPair(const thWorld* world)
{
    const thAgentView view = thWorld_GetAgentView(world);
    double least = INFINITY;
    for (int32_t i = 0; i < view.slotCount; ++i) {
        const thAgentRow* a = &view.rows[i];
        assert_true(hypot((double)a->velocity.x, (double)a->velocity.y) < 2.0 * (1.0 + 1e-4));
        for (int32_t k = 0; k < i; ++k)
            least = fmin(least, hypot((double)(a->position.x - view.rows[k].position.x),
                                      (double)(a->position.y - view.rows[k].position.y)));
    }
    return least;
}

static void walkCircle(int32_t count, double size, int32_t mode, int32_t contacts,
                       double leastDistance)
{
    thWorld* world = openWorld(0, th_simdAuto, contacts);
    thClearpathDef params = thDefaultClearpathDef();
    params.mode = mode;
    addCircle(world, addProfile(world, &params, 0.0f), count, size);
    double nearest = INFINITY, time = 0.0;
    while (thWorld_GetCounters(world).arrivals < (uint64_t)count && time < 60.0) {
        assertOk(thWorld_Step(world, DT));
        nearest = fmin(nearest, nearestPair(world));
        time += (double)DT;
    }
    print_message("mode %d, %d on a circle of %g m: all arrived after %.1f s, nearest %.3f m\n",
                  mode, count, size, time, nearest);
    assert_int_equal(thWorld_GetCounters(world).arrivals, count);
    assert_true(nearest > leastDistance);
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

// Something of everything: a circle, a crowd that goes through a gap, moving obstacles, agents who
// start on one point, limits of acceleration.
static thWorld* openScene(int32_t workerCount, thSimd simd, const thClearpathDef* params)
{
    thWorld* world = openWorld(workerCount, simd, 1);
    const thProfileId quick = addProfile(world, params, 0.0f);
    const thProfileId slow = addProfile(world, params, 4.0f);
    addWall(world, (thVec2){20.0f, 0.6f}, (thVec2){20.5f, 9.0f});
    addWall(world, (thVec2){20.0f, -0.6f}, (thVec2){20.0f, -9.0f});
    thObstacleDef disc = thDefaultObstacleDef();
    disc.kind = th_obstacleMovingDisc;
    disc.radius = 0.6f;
    disc.position = (thVec2){-3.0f, 0.0f};
    disc.velocity = (thVec2){0.5f, 0.1f};
    thObstacleId id;
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
        addWalker(world, i % 2 == 0 ? quick : slow, 100 + (uint64_t)i, (thVec2){x, y},
                  (thVec2){5.0f, y});
    }
    for (int32_t i = 0; i < 6; ++i)
        addWalker(world, slow, 200 + (uint64_t)i, (thVec2){0.0f, 12.0f}, (thVec2){-10.0f, 12.0f});
    return world;
}

static uint64_t hashAfter(thWorld* world, int32_t steps)
{
    for (int32_t i = 0; i < steps; ++i)
        assertOk(thWorld_Step(world, DT));
    return thWorld_GetStateHash(world);
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
        const uint64_t hash = hashAfter(reference, steps);
        thDestroyWorld(reference);
        for (thSimd simd = th_simdScalar; simd < th_simdCount; ++simd)
            for (int32_t workers = 1; workers <= 4 && thSimd_IsAvailable(simd); workers *= 4) {
                thWorld* world = openScene(workers, simd, &params);
                const uint64_t other = hashAfter(world, steps);
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
    thWorld* world = openScene(1, th_simdAuto, &params);
    (void)hashAfter(world, 37);
    size_t size, saved;
    assertOk(thWorld_Save(world, NULL, 0, &size));
    void* data = malloc(size);
    assert_non_null(data);
    assertOk(thWorld_Save(world, data, size, &saved));
    const uint64_t hash = hashAfter(world, 40);
    thDestroyWorld(world);
    thWorld* other = openWorld(2, th_simdScalar, 1);
    assertOk(thWorld_Restore(other, data, saved, NULL));
    assert_true(hashAfter(other, 40) == hash);
    thDestroyWorld(other);
    free(data);
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
        cmocka_unit_test(testCircles), cmocka_unit_test(testSameHash),
        cmocka_unit_test(testSnapshot), cmocka_unit_test(testParameters)};
    return RUN_TESTS(tests, argc, argv);
}
