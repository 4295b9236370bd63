// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `rvo` in a world: people on circles who all want to the other side, walls that hide
// people from each other, and what threads, instruction sets, kernels and snapshots must not
// change.

#include "gear/gear.h"
#include "gear/property.h"
#include "throng/rvo.h"
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

static thProfileId rvoProfile(thWorld* world, const thRvoDef* params, float maxAccel)
{
    thProfileDef def = thDefaultProfileDef();
    def.avoid = (thMethodUse){"rvo", params};
    def.maxAccel = maxAccel;
    def.needsSight = 1;
    thProfileId id;
    assertOk(thCreateProfile(world, &def, &id, NULL));
    return id;
}

static thAgentId addWalker(thWorld* world, thProfileId profile, uint64_t key, thVec2 from,
                           thVec2 to)
{
    thAgentDef def = thDefaultAgentDef();
    def.profile = profile;
    def.position = from;
    def.key = key;
    assertOk(thCreatePointGoal(world, to, &def.goal));
    thAgentId id;
    assertOk(thCreateAgent(world, &def, &id));
    return id;
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
        assert_true(hypot((double)a->velocity.x, (double)a->velocity.y) < 2.0 * (1.0 + 1e-5));
        for (int32_t k = 0; k < i; ++k)
            least = fmin(least, hypot((double)(a->position.x - view.rows[k].position.x),
                                      (double)(a->position.y - view.rows[k].position.y)));
    }
    return least;
}

static void walkCircle(int32_t count, double size, int32_t hybrid, int32_t contacts,
                       double leastDistance)
{
    thWorld* world = openWorld(0, th_simdAuto, contacts);
    thRvoDef params = thDefaultRvoDef();
    params.hybrid = hybrid;
    params.samples = 500;
    addCircle(world, rvoProfile(world, &params, 0.0f), count, size);
    double nearest = INFINITY, time = 0.0;
    while (thWorld_GetCounters(world).arrivals < (uint64_t)count && time < 60.0) {
        assertOk(thWorld_Step(world, DT));
        nearest = fmin(nearest, nearestPair(world));
        time += (double)DT;
    }
    print_message("%d on a circle of %g m: all arrived after %.1f s, nearest %.3f m\n", count, size,
                  time, nearest);
    assert_int_equal(thWorld_GetCounters(world).arrivals, count);
    assert_true(nearest > leastDistance);
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

// Something of everything: a circle, a crowd that goes through a gap, moving obstacles, agents who
// start on one point, one who gives no way, limits of acceleration.
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

static void compareScene(uint64_t hash, int32_t steps, int32_t workers, thSimd simd,
                         thRvoKernel kernel, int32_t earlyOut)
{
    thWorld* world = openScene(workers, simd, kernel, earlyOut);
    const uint64_t other = hashAfter(world, steps);
    thDestroyWorld(world);
    if (other != hash)
        fail_msg("%s, %d workers, kernel %d, early-out %d: %llx instead of %llx",
                 thSimd_GetName(simd), workers, kernel, earlyOut, (unsigned long long)other,
                 (unsigned long long)hash);
}

// State hashes hold parameters too, so positions are compared by those of one kernel and another.
static uint64_t placesAfter(thWorld* world, int32_t steps)
{
    (void)hashAfter(world, steps);
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
    const uint64_t hash = hashAfter(reference, steps);
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
    thWorld* world = openScene(1, th_simdAuto, th_rvoAuto, 1);
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
