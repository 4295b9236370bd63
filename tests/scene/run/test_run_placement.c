// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Random places: bodies are where they may be, however dense, whatever the region and the walls. If
// there is no room that is told soon.

#include "gear/allocators.h"
#include "gear/property.h"
#include "geom/fixed.h"
#include "scene/run/placement_gear.h"
#include "scene/run/scene_placement.h"
#include "sim/world_internal.h"

#include <stdlib.h>

// Bodies.

#define MOST_BODIES 200

static bool touches(const thPlacedBody* a, const thPlacedBody* b, double gap)
{
    const double dx = (double)a->at.x - b->at.x, dy = (double)a->at.y - b->at.y;
    const double space = ((double)a->radius + (double)b->radius + gap) * 65536.0;
    return a->level == b->level && dx * dx + dy * dy < space * space;
}

static thPlacedBody drawBody(thGenerator* g, float spread)
{
    static const float radii[] = {0.05f, 0.0625f, 0.07f, 0.25f, 0.2500001f,
                                  0.3f,  1.0f,    4.0f,  10.0f};
    const thPoint at = {(int32_t)drawFloat(g, -spread, spread),
                        (int32_t)drawFloat(g, -spread, spread)};
    return (thPlacedBody){at, radii[drawInt(g, 0, 8)], drawInt(g, 0, 1)};
}

// Those that are near are found, each once, also after bodies moved and went.
static bool nearIsFound(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    thMemory memory;
    thBodies bodies;
    thiMemoryInit(&memory, NULL, 0);
    const int32_t count = TH_MIN(size, MOST_BODIES);
    assert_int_equal(thiBodiesInit(&bodies, &memory, count), th_resultOk);
    const float spread = drawInt(g, 0, 1) == 0 ? 65536.0f * 3.0f : 65536.0f * 29000.0f;
    bool isThere[MOST_BODIES] = {false};
    for (int32_t i = 0; i < count; ++i) {
        thiAddBody(&bodies, i, drawBody(g, spread));
        isThere[i] = true;
    }
    for (int32_t i = 0; i < count; ++i) {
        const int32_t change = drawInt(g, 0, 3);
        if (change == 0)
            thiMoveBody(&bodies, i, drawBody(g, spread).at);
        if (change == 1) {
            thiRemoveBody(&bodies, i);
            isThere[i] = false;
        }
    }
    bool good = true;
    for (int32_t query = 0; query < 20; ++query) {
        const int32_t number = count > 0 ? drawInt(g, -1, count - 1) : -1;
        const thPlacedBody body = number >= 0 ? bodies.items[number] : drawBody(g, spread);
        const double gap = (double)drawFloat(g, 0.0f, 0.2f);
        int32_t expected = 0, found = 0;
        for (int32_t i = 0; i < count; ++i)
            expected += isThere[i] && i != number && touches(&body, &bodies.items[i], gap);
        thNearBodies walk = thiBeginNear(&bodies, body, number, gap);
        for (int32_t i = thiNextNear(&walk); i >= 0; i = thiNextNear(&walk)) {
            good = good && isThere[i] && i != number && touches(&body, &bodies.items[i], gap);
            found += 1;
        }
        good =
            good && found == expected && thiHasRoom(&bodies, body, number, gap) == (expected == 0);
    }
    thiBodiesFree(&bodies);
    return good && memory.bytes == 0;
}

static void testBodies(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"near bodies", 1, 400, MOST_BODIES, nearIsFound, NULL});
}

// Placing.

static bool placesAreGood(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    Ground ground;
    openGround(&ground, g, size);
    const thResult code = placeOnGround(&ground);
    const bool good =
        code == th_resultOk ? isPlacedWell(&ground) : code == th_resultFull && areFigures(&ground);
    closeGround(&ground);
    return good;
}

static void testProperty(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"places", 2, 600, 400, placesAreGood, NULL});
}

// The same ground twice is the same; another seed is not.
static bool seedDecides(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    Ground a, b, c;
    thGenerator again = *g, other = *g;
    openGround(&a, g, size);
    openGround(&b, &again, size);
    openGround(&c, &other, size);
    c.placing.seed += 1;
    const thResult code = placeOnGround(&a);
    bool same = placeOnGround(&b) == code, differs = placeOnGround(&c) != code;
    for (int32_t i = a.placing.first; i < a.placing.first + a.placing.count && code == th_resultOk;
         ++i) {
        same = same && thiSamePoint(a.bodies.items[i].at, b.bodies.items[i].at);
        differs = differs || !thiSamePoint(a.bodies.items[i].at, c.bodies.items[i].at);
    }
    closeGround(&a);
    closeGround(&b);
    closeGround(&c);
    return same && (differs || code != th_resultOk || a.placing.count == 0);
}

static void testSeeds(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"seeds", 3, 100, 200, seedDecides, NULL});
}

// What share of the densest there could be.
static int32_t countFor(double share, double side, float radius, double gap)
{
    const double space = 2.0 * (double)radius + gap;
    return (int32_t)(share * side * side * 1.1547005 / (space * space));
}

static void testDense(void** state)
{
    (void)state;
    static const struct {
        double share;
        float radius, spread;
        bool walls;
        double gap;
    } cases[] = {
        {0.60, 0.25f, 0.0f, false, 0.05}, {0.80, 0.25f, 0.0f, false, 0.05},
        {0.80, 0.25f, 0.1f, false, 0.05}, {0.80, 0.25f, 0.1f, true, 0.05},
        {0.85, 0.25f, 0.0f, true, 0.05},  {0.85, 0.25f, 0.05f, false, 0.0},
        {0.85, 1.50f, 0.0f, true, 0.2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const double side = 40.0 * (double)cases[i].radius + 3.0;
        const double inner = side - (cases[i].walls ? 2.0 * (double)cases[i].radius : 0.0);
        Ground ground;
        openBox(&ground, side, countFor(cases[i].share, inner, cases[i].radius, cases[i].gap),
                cases[i].radius, cases[i].spread, cases[i].walls);
        ground.placing.gap = cases[i].gap;
        const thResult code = placeOnGround(&ground);
        if (code != th_resultOk || !isPlacedWell(&ground))
            fail_msg("case %zu: %d of %d", i, (int)ground.figures.placed,
                     (int)ground.placing.count);
        closeGround(&ground);
    }
}

// What cannot be is told with figures that explain it.
static void testImpossible(void** state)
{
    (void)state;
    static const double shares[] = {1.0, 1.1, 2.0, 100.0};
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; ++i) {
        Ground ground;
        openBox(&ground, 20.0, countFor(shares[i], 20.0, 0.25f, 0.05), 0.25f, 0.0f, true);
        assert_int_equal(placeOnGround(&ground), th_resultFull);
        assert_true(areFigures(&ground));
        const thPlacedBody everywhere = {{0, 0}, 40.0f, 0}; // nobody is left
        assert_true(thiHasRoom(&ground.bodies, everywhere, -1, 0.0));
        assert_near(ground.figures.freeArea, 400.0, 5.0);
        assert_near(ground.figures.mostPerArea, 0.9 * 1.1547 / (0.55 * 0.55), 0.01);
        assert_in_range(ground.figures.placed, countFor(0.5, 19.5, 0.25f, 0.05),
                        countFor(1.0, 20.0, 0.25f, 0.05));
        closeGround(&ground);
    }
}

// A region that is all wall has room for nobody.
static void testNoGround(void** state)
{
    (void)state;
    Ground ground;
    openBox(&ground, 20.0, 5, 0.25f, 0.0f, true);
    thVec2 solid[] = {{1.0f, 1.0f}, {5.0f, 1.0f}, {5.0f, 5.0f}, {1.0f, 5.0f}};
    addWall(&ground, th_obstacleSolid, solid, 4);
    const thCoord corners[] = {{2.0, 2.0}, {4.0, 4.0}};
    setRegion(&ground, &(thShape){.kind = th_shapeBox, .points = {corners, 2}});
    assert_int_equal(placeOnGround(&ground), th_resultFull);
    assert_int_equal(ground.figures.placed, 0);
    assert_true(ground.figures.freeArea == 0.0);
    closeGround(&ground);
}

// In a corridor just wider than a body there is one row of them.
static void testCorridor(void** state)
{
    (void)state;
    Ground ground;
    openBox(&ground, 20.0, 28, 0.25f, 0.0f, true);
    const thVec2 upper[] = {{0.0f, 10.3f}, {20.0f, 10.3f}};
    const thVec2 lower[] = {{0.0f, 9.7f}, {20.0f, 9.7f}};
    addWall(&ground, th_obstacleWall, upper, 2);
    addWall(&ground, th_obstacleWall, lower, 2);
    const thCoord corners[] = {{0.0, 9.7}, {20.0, 10.3}};
    setRegion(&ground, &(thShape){.kind = th_shapeBox, .points = {corners, 2}});
    assert_int_equal(placeOnGround(&ground), th_resultOk);
    assert_true(isPlacedWell(&ground));
    closeGround(&ground);
}

static thResult placeWith(const thAllocator* allocator, void* context)
{
    (void)context;
    Ground ground;
    openBox(&ground, 6.0, countFor(0.75, 6.0, 0.25f, 0.05), 0.25f, 0.0f, false);
    const thBodies own = ground.bodies;
    thMemory memory;
    thiMemoryInit(&memory, allocator, 0);
    thResult code = thiBodiesInit(&ground.bodies, &memory, ground.placing.count);
    if (code == th_resultOk) {
        code = placeOnGround(&ground);
        thiBodiesFree(&ground.bodies);
    }
    ground.bodies = own;
    closeGround(&ground);
    return code;
}

static void testNoMemory(void** state)
{
    (void)state;
    assert_true(failEachAllocation(placeWith, NULL) >= 5);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testBodies),     cmocka_unit_test(testProperty),
        cmocka_unit_test(testSeeds),      cmocka_unit_test(testDense),
        cmocka_unit_test(testImpossible), cmocka_unit_test(testNoGround),
        cmocka_unit_test(testCorridor),   cmocka_unit_test(testNoMemory),
    };
    return RUN_TESTS(tests, argc, argv);
}
