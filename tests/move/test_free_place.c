// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Free places among walls: what is free, and that a near one is found.

#include "gear/gear.h"
#include "gear/property.h"
#include "geom/fixed.h"
#include "geom/polygon.h"
#include "move/free_place.h"
#include "move/slide.h"
#include "move/wall_gear.h"
#include "move/wall_oracle.h"

#include <stdlib.h>

#define MAX_SHAPES 8
#define MAX_CORNERS 16
#define MAX_SEGMENTS (MAX_SHAPES * MAX_CORNERS)

// Solids and rooms as the world makes them of outlines.
typedef struct Plan {
    thPoint corners[MAX_SHAPES][MAX_CORNERS];
    int32_t cornerCount[MAX_SHAPES];
    bool isRoom[MAX_SHAPES];
    int32_t count;
    thWallSegment segments[MAX_SEGMENTS];
    int32_t segmentCount;
} Plan;

static bool addShape(Plan* plan, const thVec2* points, int32_t count, bool isRoom)
{
    thArray corners = thiArray(&testMemory, sizeof(thPoint));
    const thResult result =
        thiCleanOutline(points, count, isRoom ? th_obstacleRoom : th_obstacleSolid, &corners);
    const int32_t shape = plan->count;
    if (result == th_resultOk) {
        const thPoint* items = TH_ITEMS(corners, thPoint);
        plan->count += 1;
        plan->cornerCount[shape] = corners.count;
        plan->isRoom[shape] = isRoom;
        for (int32_t i = 0; i < corners.count; ++i) {
            const thPoint a = items[i], b = items[(i + 1) % corners.count];
            plan->corners[shape][i] = a;
            plan->segments[plan->segmentCount++] = (thWallSegment){.ax = a.x,
                                                                   .ay = a.y,
                                                                   .bx = b.x,
                                                                   .by = b.y,
                                                                   .oneSided = 1,
                                                                   .obstacle = shape,
                                                                   .ofRoom = isRoom};
        }
    }
    thiArrayFree(&corners);
    return result == th_resultOk;
}

static void addBox(Plan* plan, float x, float y, float width, float height, bool isRoom)
{
    const thVec2 points[] = {{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}};
    assert_true(addShape(plan, points, 4, isRoom));
}

static void build(const Plan* plan)
{
    buildWalls(plan->segments, plan->segmentCount);
}

// 1 in solid, 0 on an outline, −1 free: one polygon after the other.
static int32_t sideOf(const Plan* plan, thPoint p)
{
    bool isInSolid = false, isInRoom = false, hasRooms = false;
    for (int32_t i = 0; i < plan->count; ++i) {
        const int32_t side = thiPolygonSide(plan->corners[i], plan->cornerCount[i], p);
        if (side == 0)
            return 0;
        hasRooms |= plan->isRoom[i];
        isInRoom |= plan->isRoom[i] && side > 0;
        isInSolid |= !plan->isRoom[i] && side > 0;
    }
    return isInSolid || (hasRooms && !isInRoom) ? 1 : -1;
}

// Boxes on a lattice share edges, run along each other or overlap; stars are anything.
static void drawPlan(Plan* plan, thGenerator* g, int32_t size)
{
    *plan = (Plan){.count = 0};
    for (int32_t i = 0; i < size; ++i) {
        const bool isRoom = drawInt(g, 0, 2) == 0;
        if (drawInt(g, 0, 1) == 0) {
            addBox(plan, (float)drawInt(g, -3, 3), (float)drawInt(g, -3, 3),
                   (float)drawInt(g, 1, 4), (float)drawInt(g, 1, 4), isRoom);
            continue;
        }
        thVec2 points[MAX_CORNERS];
        const int32_t count = drawInt(g, 3, MAX_CORNERS);
        const float x = drawFloat(g, -3.0f, 3.0f), y = drawFloat(g, -3.0f, 3.0f);
        for (int32_t k = 0; k < count; ++k) {
            const float reach = drawFloat(g, 0.2f, 6.0f);
            points[k] = (thVec2){x + reach * (float)cos(2.0 * PI * k / count),
                                 y + reach * (float)sin(2.0 * PI * k / count)};
        }
        (void)addShape(plan, points, count, isRoom); // or not: three may be on a line
    }
}

// Corners, points at the height of corners, and anything.
static thPoint drawPoint(const Plan* plan, thGenerator* g)
{
    const thPoint p = {drawInt(g, -9 * METRE, 9 * METRE), drawInt(g, -9 * METRE, 9 * METRE)};
    if (plan->segmentCount == 0)
        return p;
    const thWallSegment* segment = &plan->segments[drawInt(g, 0, plan->segmentCount - 1)];
    switch (drawInt(g, 0, 3)) {
    case 0:
        return (thPoint){p.x, segment->ay};
    case 1:
        return (thPoint){segment->ax + drawInt(g, -2, 2), segment->ay + drawInt(g, -2, 2)};
    default:
        return p;
    }
}

static bool knowsSolid(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    Plan plan;
    drawPlan(&plan, g, size);
    build(&plan);
    for (int32_t i = 0; i < 64; ++i) {
        const thPoint p = drawPoint(&plan, g);
        const int32_t side = sideOf(&plan, p);
        if (side != 0 && thiIsInSolid(grid, 0, p.x, p.y) != (side > 0))
            return false;
        if (side == 0 && thiIsFreePlace(grid, 0, p, 0.0f))
            return false;
    }
    return true;
}

static void testKnowsSolid(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "free_place_solid",
                                 .seed = 0x501d,
                                 .caseCount = 500,
                                 .maxSize = MAX_SHAPES,
                                 .holds = knowsSolid});
}

static long double nearestWall(thPoint p)
{
    const thWalls* walls = thiWallGridWalls(grid);
    long double nearest = HUGE_VALL;
    for (int32_t i = 0; i < walls->count; ++i)
        nearest = fminl(nearest, oracleDistance(p, (thPoint){walls->ax[i], walls->ay[i]},
                                                (thPoint){walls->bx[i], walls->by[i]}));
    return nearest;
}

static bool isHidden(thPoint a, thPoint b)
{
    const thWalls* walls = thiWallGridWalls(grid);
    for (int32_t i = 0; i < walls->count; ++i)
        if (oracleTouches(a, b, (thPoint){walls->ax[i], walls->ay[i]},
                          (thPoint){walls->bx[i], walls->by[i]}))
            return true;
    return false;
}

static bool isFree(const Plan* plan, thPoint p, float radius)
{
    return sideOf(plan, p) < 0 && nearestWall(p) >= (long double)radius * METRE - TH_WALL_SLOP;
}

// What is found is free, near and not behind a wall; where nothing is found, a search with other
// places finds nothing much better.
static bool findsPlaces(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    Plan plan;
    drawPlan(&plan, g, size);
    build(&plan);
    for (int32_t i = 0; i < 8; ++i) {
        const thPoint p = drawPoint(&plan, g);
        const float radius = drawFloat(g, 0.05f, 0.5f), distance = drawFloat(g, 0.0f, 3.0f);
        thPoint place;
        const bool found = thiFindFreePlace(grid, 0, p, radius, distance, &place);
        const double way = hypot((double)place.x - p.x, (double)place.y - p.y);
        if (found && (!isFree(&plan, place, radius) || way > (double)distance * METRE + 2.0))
            return false;
        if (found && sideOf(&plan, p) < 0 && way > 0.0 && isHidden(p, place))
            return false;
        if (isFree(&plan, p, radius + 0.001f) && !(found && thiSamePoint(p, place)))
            return false;
        for (int32_t k = 0; k < 16; ++k) {
            const thPoint q = at((double)p.x / METRE + (double)drawFloat(g, -3.0f, 3.0f),
                                 (double)p.y / METRE + (double)drawFloat(g, -3.0f, 3.0f));
            const double other = hypot((double)q.x - p.x, (double)q.y - p.y);
            // With room to spare it would be found.
            if (other < 0.9 * (double)distance * METRE && isFree(&plan, q, radius * 1.5f) &&
                (sideOf(&plan, p) >= 0 || !isHidden(p, q)) &&
                (!found || way > other + (double)radius * METRE))
                return false;
        }
    }
    return true;
}

static void testFindsPlaces(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "free_place_found",
                                 .seed = 0xf7ee,
                                 .caseCount = 200,
                                 .maxSize = MAX_SHAPES,
                                 .holds = findsPlaces});
}

// Out of a straight wall by the shortest way, on the side it stands on; out of a solid.
static void testShortestWay(void** state)
{
    (void)state;
    Plan plan = {.count = 0};
    addBox(&plan, -5.0f, -1.0f, 10.0f, 1.0f, false);
    build(&plan);
    thPoint place;
    assert_true(thiFindFreePlace(grid, 0, at(0.5, 0.1), 0.25f, 1.0f, &place));
    assert_true(place.y >= METRE / 4 - TH_WALL_SLOP && place.y < METRE / 4 + METRE / 100);
    assert_true(abs(place.x - METRE / 2) < METRE / 10);
    assert_true(thiFindFreePlace(grid, 0, at(0.5, -0.8), 0.25f, 1.0f, &place));
    assert_true(place.y < -METRE && place.y > -METRE - METRE / 4 - METRE / 100);
    assert_false(thiFindFreePlace(grid, 0, at(0.5, -0.5), 0.25f, 0.7f, &place));
    assert_false(thiFindFreePlace(grid, 0, at(0.5, -0.5), 0.25f, 0.0f, &place));
    // On the wall itself.
    assert_true(thiFindFreePlace(grid, 0, at(0.5, 0.0), 0.25f, 1.0f, &place));
    assert_true(place.y > 0);
}

static void testRooms(void** state)
{
    (void)state;
    Plan plan = {.count = 0};
    addBox(&plan, 0.0f, 0.0f, 4.0f, 4.0f, true);
    addBox(&plan, 4.0f, 0.0f, 4.0f, 4.0f, true);  // shares a wall
    addBox(&plan, 1.0f, 3.5f, 1.0f, 1.0f, false); // sticks out
    build(&plan);
    assert_true(thiIsFreePlace(grid, 0, at(2.0, 2.0), 0.25f));
    assert_true(thiIsFreePlace(grid, 0, at(6.0, 2.0), 0.25f));
    assert_false(thiIsFreePlace(grid, 0, at(1.5, 3.9), 0.05f));
    assert_false(thiIsFreePlace(grid, 0, at(-3.0, 2.0), 0.25f));
    assert_false(thiIsFreePlace(grid, 0, at(2.0, 9.0), 0.25f));
    assert_true(thiIsFreePlace(grid, 1, at(-3.0, 2.0), 0.25f)); // another floor
    thPoint place;
    assert_true(thiFindFreePlace(grid, 0, at(-1.0, 2.0), 0.25f, 2.0f, &place));
    assert_true(place.x >= METRE / 4 - TH_WALL_SLOP && place.x < METRE / 2);
    // Too small for it.
    assert_false(thiFindFreePlace(grid, 0, at(2.0, 2.0), 2.1f, 1.9f, &place));
}

// At the border of the world, and with a reach that leads beyond it.
static void testBorder(void** state)
{
    (void)state;
    Plan plan = {.count = 0};
    addBox(&plan, 29990.0f, 29990.0f, 10.0f, 10.0f, false);
    build(&plan);
    thPoint place;
    assert_true(thiFindFreePlace(grid, 0, at(29998.0, 29999.0), 0.25f, 20.0f, &place));
    assert_true(place.x <= TH_MAX_UNITS && place.y <= TH_MAX_UNITS);
    assert_true(isFree(&plan, place, 0.25f));
    assert_true(thiFindFreePlace(grid, 0, at(29998.0, 29999.0), 0.25f, 60000.0f, &place));
    assert_true(isFree(&plan, place, 0.25f));
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(testShortestWay, setUp, tearDown),
        cmocka_unit_test_setup_teardown(testRooms, setUp, tearDown),
        cmocka_unit_test_setup_teardown(testBorder, setUp, tearDown),
        cmocka_unit_test_setup_teardown(testKnowsSolid, setUp, tearDown),
        cmocka_unit_test_setup_teardown(testFindsPlaces, setUp, tearDown),
    };
    return RUN_TESTS(tests, argc, argv);
}
