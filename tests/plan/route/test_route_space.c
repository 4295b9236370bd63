// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Clear paths and places, against a look at every wall.

#include "plan/route/route_space.h"

#include "gear/allocators.h"
#include "geom/fixed.h"
#include "plan/plan_gear.h"
#include "sim/world_internal.h"

static thMemory memory;

static thRouteSpace* makeSpace(const thFrame* frame, int32_t level, float radius)
{
    thiMemoryInit(&memory, &(thAllocator){0}, 0);
    thRouteSpace* space = NULL;
    assert_ok(thiCreateRouteSpace(&memory, frame, level, radius, &space));
    assert_true(thiRouteRadius(space) == radius);
    return space;
}

static void dropSpace(thRouteSpace* space)
{
    thiDestroyRouteSpace(space);
    assert_int_equal(memory.bytes, 0);
}

static double fromPoint(thPoint p, thPoint a, thPoint b)
{
    const double dx = (double)b.x - a.x, dy = (double)b.y - a.y;
    const double x = (double)p.x - a.x, y = (double)p.y - a.y;
    const double lengthSq = dx * dx + dy * dy;
    const double share = lengthSq > 0.0 ? fmin(fmax((x * dx + y * dy) / lengthSq, 0.0), 1.0) : 0.0;
    return hypot(x - share * dx, y - share * dy);
}

// The distance of the nearest wall of a floor from a path; −1 if one is touched. [units]
static double nearestWall(const thFrame* frame, int32_t level, thPoint a, thPoint b)
{
    double nearest = INFINITY;
    for (int32_t i = 0; i < frame->walls->count; ++i) {
        if (frame->walls->level[i] != level)
            continue;
        const thPoint c = {frame->walls->ax[i], frame->walls->ay[i]};
        const thPoint d = {frame->walls->bx[i], frame->walls->by[i]};
        if (thiSegmentsTouch(a, b, c, d))
            return -1.0;
        nearest = fmin(nearest, fmin(fmin(fromPoint(a, c, d), fromPoint(b, c, d)),
                                     fmin(fromPoint(c, a, b), fromPoint(d, a, b))));
    }
    return nearest;
}

// False only where the answer is wrong by more than rounding can explain.
static bool agrees(const thFrame* frame, const thRouteSpace* space, thPoint a, thPoint b,
                   float ease)
{
    const double least = fmax((double)thiRouteRadius(space) - (double)ease, 0.0) * 65536.0;
    const double nearest = nearestWall(frame, 0, a, b);
    const bool clear = thiIsClearLeg(space, a, b, ease);
    if (nearest < 0.0 || nearest < least - 0.01)
        return !clear;
    return nearest < least + 0.01 || clear;
}

static bool holdsForRandomWalls(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    const float extent = 3.0f + (float)size * 0.5f;
    thWorld* world = createPlanWorld(1);
    addRandomWalls(world, g, size, extent);
    if (drawInt(g, 0, 2) == 0) {
        const thVec2 room[] = {{-extent, -extent}, {extent, -extent}, {0.0f, extent}};
        addObstacle(world, th_obstacleRoom, 0, room, 3);
    }
    const thFrame frame = frameOf(world);
    const float radii[] = {0.0f, 0.015625f, 0.25f, 1.0f, 5.0f};
    const float radius = radii[drawInt(g, 0, 4)];
    thRouteSpace* space = makeSpace(&frame, 0, radius);
    bool good = true;
    for (int32_t i = 0; i < 200 && good; ++i) {
        const bool whole = drawInt(g, 0, 3) == 0;
        const float reach = extent + 6.0f;
        double v[4];
        for (int32_t k = 0; k < 4; ++k) {
            v[k] = drawFloat(g, -reach, reach);
            v[k] = whole ? round(v[k]) : v[k];
        }
        const thPoint a = pointAt(v[0], v[1]);
        const thPoint b = drawInt(g, 0, 9) == 0   ? a
                          : drawInt(g, 0, 3) == 0 ? pointAt(v[0] + v[2] * 0.05, v[1] + v[3] * 0.05)
                                                  : pointAt(v[2], v[3]);
        const float ease = drawInt(g, 0, 1) ? 0.0f : drawFloat(g, 0.0f, radius * 1.5f);
        good = agrees(&frame, space, a, b, ease) && agrees(&frame, space, b, a, ease);
        const double nearest = nearestWall(&frame, 0, a, a);
        if (nearest > 0.0) {
            const bool solid = thFrame_IsSolid(&frame, 0, a.x, a.y) != 0;
            const bool room = thiIsClearLeg(space, a, a, ease);
            good = good && thiIsClearPlace(space, a, ease) == (room && !solid);
        }
        const double lack = (double)radius - fmax(nearest, 0.0) / 65536.0;
        good = good && isNear(thiOverlapAt(space, a), fmin(fmax(lack, 0.0), radius), 2.0 / 65536.0);
        good = good && (thiOverlapAt(space, a) == 0.0f || nearest <= 1.0 ||
                        thiIsClearLeg(space, a, a, thiOverlapAt(space, a)));
    }
    dropSpace(space);
    thDestroyWorld(world);
    return good;
}

static void testRandomWalls(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "routeSpace",
                                 .seed = 5,
                                 .caseCount = 150,
                                 .maxSize = 60,
                                 .holds = holdsForRandomWalls});
}

static double squareTo(thPoint p, thPoint a, thPoint b)
{
    const thOffset offset = thiOffsetToSegment(p, a, b);
    return offset.x * offset.x + offset.y * offset.y;
}

// Whether a leg is clear of every wall, by exact predicates: what lanes and products must say too.
static bool isClearOfAll(const thRouteSpace* space, thPoint a, thPoint b, float overlap)
{
    int32_t count;
    const thRouteWall* walls = thiRouteWalls(space, &count);
    const double radius = (double)thiRouteRadius(space) * THRONG_UNITS_PER_METRE;
    const double least = fmax(radius - (double)overlap * THRONG_UNITS_PER_METRE, 0.0);
    for (int32_t i = 0; i < count; ++i) {
        const thRouteWall* wall = &walls[i];
        if (thiSegmentsTouch(a, b, wall->a, wall->b) || squareTo(wall->a, a, b) < least * least ||
            squareTo(wall->b, a, b) < least * least ||
            squareTo(a, wall->a, wall->b) < least * least ||
            squareTo(b, wall->a, wall->b) < least * least)
            return false;
    }
    return true;
}

// A place of a leg: anywhere, or about as far from the end of a wall as legs must be.
static thPoint drawPlace(thGenerator* g, const thRouteSpace* space, float extent)
{
    int32_t count;
    const thRouteWall* walls = thiRouteWalls(space, &count);
    if (count == 0 || drawInt(g, 0, 2) == 0)
        return pointAt(drawFloat(g, -extent, extent), drawFloat(g, -extent, extent));
    const thRouteWall* wall = &walls[drawInt(g, 0, count - 1)];
    const int32_t radius = (int32_t)((double)thiRouteRadius(space) * THRONG_UNITS_PER_METRE);
    const int32_t by = drawInt(g, 0, 1) * radius;
    const thPoint end = drawInt(g, 0, 1) ? wall->a : wall->b;
    return (thPoint){end.x + by * drawInt(g, -1, 1) + drawInt(g, -2, 2),
                     end.y + by * drawInt(g, -1, 1) + drawInt(g, -2, 2)};
}

// The same with every instruction set, whatever wall is looked at first.
static bool holdsForAllLanes(thGenerator* g, int32_t size, void* context)
{
    const float extent = 3.0f + (float)size * 0.5f;
    const float far = drawInt(g, 0, 3) == 0 ? 25000.0f : extent;
    thWorld* world = createPlanWorld(1);
    addRandomWalls(world, g, size, extent);
    const thFrame frame = frameOf(world);
    thRouteSpace* space = makeSpace(&frame, 0, drawInt(g, 0, 3) == 0 ? 0.0f : 0.3f);
    bool good = true;
    int32_t count, blocker = -1;
    (void)thiRouteWalls(space, &count);
    for (int32_t i = 0; i < 200 && good; ++i) {
        const thPoint a = drawPlace(g, space, far);
        const thPoint b = drawInt(g, 0, 9) == 0 ? a : drawPlace(g, space, far);
        const float overlap = drawInt(g, 0, 1) ? 0.0f : drawFloat(g, -TH_ROUTE_SLACK, 0.4f);
        const bool clear = isClearOfAll(space, a, b, overlap);
        *(int32_t*)context += clear;
        for (int32_t simd = 0; simd < th_simdCount; ++simd) {
            if (!thSimd_IsAvailable((thSimd)simd) || simd == th_simdAuto)
                continue;
            thiSetRouteSimd(space, (thSimd)simd);
            good = good && thiIsClearLeg(space, a, b, overlap) == clear;
            good = good && thiIsClearLegAfter(space, a, b, overlap, &blocker) == clear;
            good = good && blocker < count;
        }
    }
    dropSpace(space);
    thDestroyWorld(world);
    return good;
}

static void testLanes(void** state)
{
    (void)state;
    int32_t clear = 0;
    assertProperty(&(thProperty){.name = "legsInLanes",
                                 .seed = 7,
                                 .caseCount = 100,
                                 .maxSize = 60,
                                 .holds = holdsForAllLanes,
                                 .context = &clear});
    assert_in_range(clear, 1000, 19000);
}

// What one wall is said to hide is hidden, wherever in the box one looks.
static bool hidesForRandomWalls(thGenerator* g, int32_t size, void* context)
{
    const float extent = 3.0f + (float)size * 0.5f;
    thWorld* world = createPlanWorld(1);
    addRandomWalls(world, g, size, extent);
    const thFrame frame = frameOf(world);
    thRouteSpace* space = makeSpace(&frame, 0, 0.0f);
    bool good = true;
    for (int32_t i = 0; i < 100 && good; ++i) {
        const thPoint p = pointAt(drawFloat(g, -extent, extent), drawFloat(g, -extent, extent));
        const thPoint low = pointAt(drawFloat(g, -extent, extent), drawFloat(g, -extent, extent));
        const int32_t wide = drawInt(g, 0, 65536), high = drawInt(g, 0, 65536);
        if (p.x >= low.x && p.x <= low.x + wide && p.y >= low.y && p.y <= low.y + high)
            continue;
        if (!thiIsHiddenByOne(space, p, low.x, low.y, low.x + wide, low.y + high))
            continue;
        *(int32_t*)context += 1;
        for (int32_t k = 0; k < 20 && good; ++k) {
            const thPoint to = {low.x + drawInt(g, 0, wide), low.y + drawInt(g, 0, high)};
            good = !thiIsClearLeg(space, p, to, 0.0f);
        }
    }
    dropSpace(space);
    thDestroyWorld(world);
    return good;
}

static void testHidden(void** state)
{
    (void)state;
    int32_t hidden = 0;
    assertProperty(&(thProperty){.name = "hiddenByOne",
                                 .seed = 6,
                                 .caseCount = 100,
                                 .maxSize = 40,
                                 .holds = hidesForRandomWalls,
                                 .context = &hidden});
    assert_true(hidden > 500);
}

// No walls at all, and floors without walls.
static void testEmpty(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(1);
    thFrame frame = frameOf(world);
    thRouteSpace* space = makeSpace(&frame, 0, 0.25f);
    assert_true(thiIsClearLeg(space, pointAt(-29000.0, 0.0), pointAt(29000.0, 29000.0), 0.0f));
    assert_true(thiIsClearPlace(space, pointAt(0.0, 0.0), 0.0f));
    assert_true(thiOverlapAt(space, pointAt(0.0, 0.0)) == 0.0f);
    dropSpace(space);
    addWall(world, 0.0f, -1.0f, 0.0f, 1.0f);
    frame = frameOf(world);
    space = makeSpace(&frame, 7, 0.25f);
    assert_true(thiIsClearLeg(space, pointAt(-1.0, 0.0), pointAt(1.0, 0.0), 0.0f));
    dropSpace(space);
    thDestroyWorld(world);
}

// The whole world, with coordinates at its limits.
static void testLargest(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(1);
    addWall(world, -30000.0f, -30000.0f, 30000.0f, 30000.0f);
    addWall(world, 30000.0f, -30000.0f, 29999.0f, -30000.0f);
    const thFrame frame = frameOf(world);
    thRouteSpace* space = makeSpace(&frame, 0, 100.0f);
    assert_false(
        thiIsClearLeg(space, pointAt(-30000.0, 30000.0), pointAt(30000.0, -20000.0), 0.0f));
    assert_true(thiIsClearLeg(space, pointAt(-30000.0, -29858.0), pointAt(29858.0, 30000.0), 0.0f));
    assert_false(
        thiIsClearLeg(space, pointAt(-30000.0, -29860.0), pointAt(29860.0, 30000.0), 0.0f));
    dropSpace(space);
    thDestroyWorld(world);
}

// A point does not pass between two boxes that meet in a corner, nor along a wall on it.
static void testPoints(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(1);
    addBox(world, 0.0f, 0.0f, 1.0f, 1.0f);
    addBox(world, 1.0f, 1.0f, 2.0f, 2.0f);
    const thFrame frame = frameOf(world);
    thRouteSpace* space = makeSpace(&frame, 0, 0.0f);
    assert_false(thiIsClearLeg(space, pointAt(0.5, 1.5), pointAt(1.5, 0.5), 0.0f));
    assert_false(thiIsClearLeg(space, pointAt(0.0, -1.0), pointAt(0.0, 2.0), 0.0f));
    assert_true(
        thiIsClearLeg(space, pointAt(-1.0 / 65536.0, -1.0), pointAt(-1.0 / 65536.0, 2.0), 0.0f));
    assert_false(thiIsClearPlace(space, pointAt(0.5, 0.5), 0.0f));
    assert_false(thiIsClearPlace(space, pointAt(1.0, 1.0), 0.0f));
    assert_true(thiIsClearPlace(space, pointAt(1.5, 0.5), 0.0f));
    dropSpace(space);
    thDestroyWorld(world);
}

// Outside of rooms is solid.
static void testRooms(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(1);
    const thVec2 room[] = {{0.0f, 0.0f}, {10.0f, 0.0f}, {10.0f, 5.0f}, {0.0f, 5.0f}};
    addObstacle(world, th_obstacleRoom, 0, room, 4);
    addBox(world, 4.0f, 2.0f, 6.0f, 3.0f);
    const thFrame frame = frameOf(world);
    thRouteSpace* space = makeSpace(&frame, 0, 0.5f);
    assert_true(thiIsClearPlace(space, pointAt(1.0, 1.0), 0.0f));
    assert_false(thiIsClearPlace(space, pointAt(5.0, 2.5), 0.5f));
    assert_false(thiIsClearPlace(space, pointAt(0.25, 1.0), 0.0f));
    assert_true(thiIsClearPlace(space, pointAt(0.25, 1.0), 0.25f));
    assert_false(thiIsClearPlace(space, pointAt(-5.0, 1.0), 0.0f));
    assert_false(thiIsClearPlace(space, pointAt(500.0, 1.0), 0.0f));
    assert_false(thiIsClearPlace(space, pointAt(5.0, -500.0), 0.0f));
    dropSpace(space);
    thDestroyWorld(world);
}

static thResult makeAndDrop(const thAllocator* allocator, void* context)
{
    thMemory own;
    thiMemoryInit(&own, allocator, 0);
    thRouteSpace* space = NULL;
    const thResult code = thiCreateRouteSpace(&own, context, 0, 0.25f, &space);
    assert_int_equal(code == th_resultOk, space != NULL);
    thiDestroyRouteSpace(space);
    return code;
}

static void testMemory(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(1);
    addCity(world, 3, 3);
    thFrame frame = frameOf(world);
    assert_true(failEachAllocation(makeAndDrop, &frame) > 0);
    thDestroyWorld(world);
    thiDestroyRouteSpace(NULL);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testRandomWalls), cmocka_unit_test(testLanes),
        cmocka_unit_test(testHidden),      cmocka_unit_test(testEmpty),
        cmocka_unit_test(testLargest),     cmocka_unit_test(testPoints),
        cmocka_unit_test(testRooms),       cmocka_unit_test(testMemory),
    };
    return RUN_TESTS(tests, argc, argv);
}
