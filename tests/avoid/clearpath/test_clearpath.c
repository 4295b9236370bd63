// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `clearpath` for single agents: limits and walls hold whatever happens, and whoever is free
// goes as it wants to. Every way to set it at every width is in test_clearpath_lanes.c.

#include "avoid/clearpath/clearpath_scene.h"
#include "gear/gear.h"

#include <stdio.h>

#define DT SCENE_DT

static int64_t statuses[6];

// Whoever is alone, or meets nobody, goes as it wants to, to the bit.
static void testFree(void** state)
{
    (void)state;
    for (int32_t number = 0; number < 2000; ++number) {
        thGenerator g = makeGenerator(2, (uint64_t)number);
        Scene scene = drawScene(&g, rvo_plain, 4);
        scene.self =
            (thAvoidSelf){{1.0f, 0.0f},
                          drawUnit(&g) > 0.5f ? (thVec2){1.0f, 0.3f} : (thVec2){-0.7f, 1.1f},
                          0.25f,
                          2.0f,
                          .maxAccel = 0.0f};
        scene.wallCount = 0;
        for (int32_t i = 0; i < scene.neighborCount; ++i) // all of them go away
            scene.neighbors[i] =
                (thAvoidNeighbor){{-3.0f - (float)i, 0.0f}, {-3.0f, 0.0f}, 0.25f, .share = 0.5f};
        thClearpathDef def = drawDef(&g);
        def.smoothing = 0.0f;
        def.horizon = 2.0f;
        def.mode = number % 2 == 0 ? th_clearpathTwo : th_clearpathOne;
        scene.self.wanted = (thVec2){1.0f, 0.0f};
        const SceneAnswer answer = ask(&def, &scene);
        assert_int_equal(answer.status, th_clearpathFree);
        assert_same_bits(answer.v.x, scene.self.wanted.x);
        assert_same_bits(answer.v.y, scene.self.wanted.y);
    }
}

// Whatever the parameters: the answer is a number, keeps the limits, and unless nothing does, it
// keeps out of walls.
static bool isSafe(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    const Scene scene = drawScene(g, (RvoKind)(drawU32(g) % rvo_kindCount), size);
    const thClearpathDef def = drawDef(g);
    const SceneAnswer answer = askAlone(&def, &scene);
    statuses[answer.status] += 1;
    const double limit = (double)scene.self.maxSpeed;
    const double speed = hypot((double)answer.v.x, (double)answer.v.y);
    const thDisc reachable =
        thiReachableDisc(scene.self.velocity, scene.self.maxSpeed, scene.self.maxAccel, DT);
    const double change = hypot((double)answer.v.x - (double)reachable.center.x,
                                (double)answer.v.y - (double)reachable.center.y);
    if (!(speed <= limit * (1.0 + 1.0e-4)) ||
        !(change <= (double)reachable.radius + 1.0e-4 * limit + 1.0e-6)) {
        print_message("speed %g of %g, change %g of %g\n", speed, limit, change,
                      (double)reachable.radius);
        return false;
    }
    if (answer.status == th_clearpathInfeasible || scene.self.maxAccel > 0.0f)
        return true;
    for (int32_t i = 0; i < scene.wallCount; ++i) {
        const thAvoidWall* w = &scene.walls[i];
        const thClearpathEdge wall = {w->a, w->b, w->velocity,
                                      .both = scene.self.radius - 0x1p-12f};
        thRegion region;
        if (thiClearpathWallRegion(&wall, DT, &region) &&
            thiIsInRegion(&region, answer.v, 1.0e-4f)) {
            print_message("into wall %d, status %d\n", i, answer.status);
            return false;
        }
    }
    return true;
}

static void testLimits(void** state)
{
    (void)state;
    const int32_t cases = caseCount(60000, 600000);
    memset(statuses, 0, sizeof statuses);
    assertProperty(&(thProperty){.name = "limits",
                                 .seed = 3,
                                 .caseCount = cases,
                                 .maxSize = RVO_NEIGHBORS,
                                 .holds = isSafe});
    for (int32_t i = 0; i < 6; ++i) {
        print_message("status %d: %lld\n", i, (long long)statuses[i]);
        assert_true(statuses[i] > cases / 2000);
    }
}

// From nothing to the most that is allowed.
static float drawExtreme(thGenerator* g)
{
    static const float sizes[] = {0.0f,    1.0e-40f, 1.0e-25f, 1.0e-12f, 1.0e-6f,
                                  1.0e-3f, 1.0f,     1000.0f,  1.0e6f};
    const float size = sizes[drawU32(g) % (sizeof sizes / sizeof sizes[0])];
    return drawU32(g) % 2 == 0 ? size : size * drawUnit(g);
}

static thVec2 drawExtremeVec(thGenerator* g)
{
    const float x = drawExtreme(g), y = drawExtreme(g);
    return (thVec2){drawU32(g) % 2 == 0 ? x : -x, drawU32(g) % 2 == 0 ? y : -y};
}

// Numbers of any size give numbers, and come to an end.
static bool isNumber(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    Scene scene = {.self = {drawExtremeVec(g), drawExtremeVec(g), drawExtreme(g), drawExtreme(g),
                            drawExtreme(g)}};
    scene.neighborCount = drawInt(g, 0, size);
    scene.wallCount = drawInt(g, 0, size < RVO_WALLS ? size : RVO_WALLS);
    for (int32_t i = 0; i < scene.neighborCount; ++i)
        scene.neighbors[i] = (thAvoidNeighbor){drawExtremeVec(g), drawExtremeVec(g), drawExtreme(g),
                                               .share = drawUnit(g)};
    for (int32_t i = 0; i < scene.wallCount; ++i)
        scene.walls[i] =
            (thAvoidWall){drawExtremeVec(g), drawExtremeVec(g), drawExtremeVec(g), drawExtreme(g)};
    const thClearpathDef def = drawDef(g);
    const SceneAnswer answer = askAlone(&def, &scene);
    return isfinite(answer.v.x) && isfinite(answer.v.y) && answer.status <= th_clearpathShort;
}

static void testExtremes(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "extremes",
                                 .seed = 14,
                                 .caseCount = caseCount(30000, 1000000),
                                 .maxSize = RVO_NEIGHBORS,
                                 .holds = isNumber});
}

static thResult solvePlain(const thClearpathDef* def, float dt, const Scene* scene)
{
    SceneAnswer answer;
    return thClearpath_Solve(def, dt, &scene->self, scene->neighbors, scene->neighborCount,
                             scene->walls, scene->wallCount, &answer.v, &answer.status);
}

static int32_t assertCount;
static char heard[256];

static void hear(void* context, const char* condition, const char* file, int32_t line)
{
    (void)context;
    snprintf(heard, sizeof heard, "%s", condition);
    (void)file;
    (void)line;
    assertCount += 1;
}

// Bad arguments are refused; the most that is allowed is not.
static void testArguments(void** state)
{
    (void)state;
    const thHooks hooks = {.assertion = hear};
    thSetHooks(&hooks);
    const thClearpathDef good = thDefaultClearpathDef();
    thGenerator g = makeGenerator(10, 0);
    const Scene fine = drawScene(&g, rvo_plain, 3);
    Scene scene = fine;
    assert_int_equal(solvePlain(&good, DT, &scene), th_resultOk);
    assert_int_equal(assertCount, 0);
    assert_int_equal(solvePlain(&good, 0.0f, &scene), th_resultBadArgument);
    assert_int_equal(solvePlain(&good, NAN, &scene), th_resultBadArgument);
    scene.self.velocity.x = NAN;
    assert_int_equal(solvePlain(&good, DT, &scene), th_resultBadArgument);
    scene = fine;
    scene.self.maxSpeed = -1.0f;
    assert_int_equal(solvePlain(&good, DT, &scene), th_resultBadArgument);
    scene = fine;
    scene.neighborCount = -1;
    assert_int_equal(solvePlain(&good, DT, &scene), th_resultBadArgument);
    scene = fine;
    scene.neighborCount = 1;
    scene.neighbors[0] = (thAvoidNeighbor){{1.0f, INFINITY}, {0.0f, 0.0f}, 0.25f, .share = 0.5f};
    assert_int_equal(solvePlain(&good, DT, &scene), th_resultBadArgument);
    thClearpathDef bad = good;
    bad.cap = th_clearpathRound;
    bad.hybrid = 1;
    assert_int_equal(solvePlain(&bad, DT, &fine), th_resultBadArgument);
    assert_string_equal(heard, "clearpath: cap is round, expected line with hybrid obstacles");
    bad = good;
    bad.mode = 3;
    assert_int_equal(solvePlain(&bad, DT, &fine), th_resultBadArgument);
    assert_string_equal(heard, "clearpath: mode is 3, expected 0 to 2");
    bad = good;
    bad.size = 4;
    assert_int_equal(solvePlain(&bad, DT, &fine), th_resultBadArgument);
    assert_int_equal(assertCount, 9);
    thSetHooks(NULL);
}

static void testMost(void** state)
{
    (void)state;
    thAvoidNeighbor neighbors[THRONG_AVOID_MOST];
    thAvoidWall walls[THRONG_AVOID_MOST];
    thGenerator g = makeGenerator(11, 0);
    for (int32_t i = 0; i < THRONG_AVOID_MOST; ++i) {
        const thVec2 at = {drawFloat(&g, -4.0f, 4.0f), drawFloat(&g, -4.0f, 4.0f)};
        neighbors[i] = (thAvoidNeighbor){at, {0.0f, 0.0f}, 0.25f, .share = 0.5f};
        walls[i] = (thAvoidWall){{at.x, 5.0f}, {at.y, 5.0f + drawUnit(&g)}, {0.0f, 0.0f}, 0.0f};
    }
    const thAvoidSelf self = {{1.0f, 0.0f}, {1.0f, 0.0f}, 0.25f, 2.0f, .maxAccel = 5.0f};
    for (int32_t mode = 0; mode < 3; ++mode) {
        thClearpathDef def = thDefaultClearpathDef();
        def.mode = mode;
        thVec2 v;
        thClearpathStatus status;
        assert_int_equal(thClearpath_Solve(&def, DT, &self, neighbors, THRONG_AVOID_MOST, walls,
                                           THRONG_AVOID_MOST, &v, &status),
                         th_resultOk);
    }
    assert_true(thiClearpathRoom(1, THRONG_AVOID_MOST, THRONG_AVOID_MOST) <= 128 * 1024);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(testFree, compareAsked),
                                       cmocka_unit_test(testLimits), cmocka_unit_test(testExtremes),
                                       cmocka_unit_test(testArguments), cmocka_unit_test(testMost)};
    return RUN_TESTS(tests, argc, argv);
}
