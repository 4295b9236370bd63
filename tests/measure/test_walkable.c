// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Trapezoids and doors of floors at random, against asking every outline.

#include "gear/allocators.h"
#include "gear/gear.h"
#include "gear/property.h"
#include "measure/walkable.h"

#define MOST_SHAPES 12
#define MOST_CORNERS 8

typedef struct Floor {
    thRecordedShape shapes[MOST_SHAPES];
    thPlace points[MOST_SHAPES][MOST_CORNERS];
    int32_t count;
} Floor;

static const thPlace openLow = {-2.0, -2.0}, openHigh = {12.0, 12.0};

static double drawMetres(thGenerator* g, bool whole)
{
    return whole ? drawInt(g, 0, 10) : (double)drawFloat(g, 0.0f, 10.0f);
}

// Any outlines: they cross each other and themselves, and with whole numbers they touch, lie on
// each other and have no area at all.
static void drawFloor(thGenerator* g, int32_t size, Floor* floor)
{
    const bool whole = drawInt(g, 0, 1) == 1;
    floor->count = drawInt(g, 0, size);
    for (int32_t i = 0; i < floor->count; ++i) {
        const int32_t corners = drawInt(g, 3, MOST_CORNERS);
        for (int32_t j = 0; j < corners; ++j)
            floor->points[i][j] = (thPlace){drawMetres(g, whole), drawMetres(g, whole)};
        floor->shapes[i] = (thRecordedShape){.kind = (thRecordedShapeKind)drawInt(g, 0, 2),
                                             .points = floor->points[i],
                                             .pointCount = corners};
    }
}

static thResult build(const Floor* floor, thWalkable* walkable)
{
    return thiBuildWalkable(walkable, &(thWalkableDef){.shapes = floor->shapes,
                                                       .shapeCount = floor->count,
                                                       .openLow = openLow,
                                                       .openHigh = openHigh});
}

// --- Plain answers ---

static bool isInside(const thRecordedShape* shape, thPlace p)
{
    bool inside = false;
    for (int32_t i = 0; i < shape->pointCount; ++i) {
        const thPlace a = shape->points[i], b = shape->points[(i + 1) % shape->pointCount];
        if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (b.x - a.x) * (p.y - a.y) / (b.y - a.y))
            inside = !inside;
    }
    return inside;
}

static bool isFree(const Floor* floor, thPlace p)
{
    bool hasRoom = false, inRoom = false;
    for (int32_t i = 0; i < floor->count; ++i) {
        const thRecordedShape* shape = &floor->shapes[i];
        if (shape->kind == th_shapeSolid && isInside(shape, p))
            return false;
        hasRoom = hasRoom || shape->kind == th_shapeRoom;
        inRoom = inRoom || (shape->kind == th_shapeRoom && isInside(shape, p));
    }
    return inRoom ||
           (!hasRoom && p.x > openLow.x && p.x < openHigh.x && p.y > openLow.y && p.y < openHigh.y);
}

static double distanceFrom(thPlace a, thPlace b, thPlace p)
{
    const double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
    double share = length > 0.0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / length : 0.0;
    share = fmin(fmax(share, 0.0), 1.0);
    return hypot(p.x - a.x - dx * share, p.y - a.y - dy * share);
}

// Corners are moved by up to a grain, so what is that near to a side is not asked.
static bool isNearSide(const Floor* floor, thPlace p)
{
    if (fabs(p.x - openLow.x) < 1e-4 || fabs(p.x - openHigh.x) < 1e-4 ||
        fabs(p.y - openLow.y) < 1e-4 || fabs(p.y - openHigh.y) < 1e-4)
        return true;
    for (int32_t i = 0; i < floor->count; ++i) {
        const thRecordedShape* shape = &floor->shapes[i];
        for (int32_t j = 0; j < shape->pointCount; ++j)
            if (distanceFrom(shape->points[j], shape->points[(j + 1) % shape->pointCount], p) <
                1e-4)
                return true;
    }
    return false;
}

static thWalkable drawWalkable(thGenerator* g, int32_t size, Floor* floor, thMemory* memory)
{
    drawFloor(g, size, floor);
    thiMemoryInit(memory, NULL, 0);
    thWalkable walkable = thiWalkable(memory);
    assert_int_equal(build(floor, &walkable), th_resultOk);
    return walkable;
}

static bool isIn(const thTrapezoid* trapezoid, thPlace p)
{
    if (p.y <= trapezoid->y0 || p.y > trapezoid->y1)
        return false;
    const double up = (p.y - trapezoid->y0) / (trapezoid->y1 - trapezoid->y0);
    return p.x > trapezoid->left0 + (trapezoid->left1 - trapezoid->left0) * up &&
           p.x < trapezoid->right0 + (trapezoid->right1 - trapezoid->right0) * up;
}

// Every free place is in one trapezoid, and in the one that is found; others are in none.
static bool coversWhatIsFree(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    Floor floor;
    thMemory memory;
    thWalkable walkable = drawWalkable(g, size, &floor, &memory);
    bool holds = true;
    for (int32_t i = 0; i < 300 && holds; ++i) {
        const thPlace p = {drawFloat(g, -3.0f, 13.0f), drawFloat(g, -3.0f, 13.0f)};
        if (isNearSide(&floor, p))
            continue;
        const int32_t found = thiFindTrapezoid(&walkable, p);
        int32_t holders = 0;
        for (int32_t j = 0; j < walkable.trapezoids.count; ++j) {
            const bool is = isIn(&TH_ITEMS(walkable.trapezoids, thTrapezoid)[j], p);
            holders += is;
            holds = holds && (!is || j == found);
        }
        holds = holds && holders == isFree(&floor, p) && (found >= 0) == isFree(&floor, p);
    }
    thiWalkableFree(&walkable);
    return holds;
}

static void testCover(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"coversWhatIsFree", 21, 400, MOST_SHAPES, coversWhatIsFree, NULL});
}

// Doors lie in both trapezoids, and lead back.
static bool doorsFit(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    Floor floor;
    thMemory memory;
    thWalkable walkable = drawWalkable(g, size, &floor, &memory);
    const thTrapezoid* trapezoids = walkable.trapezoids.data;
    const thWalkableDoor* doors = walkable.doors.data;
    bool holds = true;
    for (int32_t i = 0; i < walkable.trapezoids.count; ++i)
        for (int32_t j = 0; j < trapezoids[i].doorCount; ++j) {
            const thWalkableDoor* door = &doors[trapezoids[i].firstDoor + j];
            const thTrapezoid* to = &trapezoids[door->to];
            bool back = false;
            for (int32_t k = 0; k < to->doorCount; ++k)
                back = back || (doors[to->firstDoor + k].to == i &&
                                doors[to->firstDoor + k].x0 == door->x0);
            holds = holds && back && door->to != i;
            holds = holds && (door->y == trapezoids[i].y0 ? door->y == to->y1 : door->y == to->y0);
        }
    thiWalkableFree(&walkable);
    return holds;
}

static void testDoors(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"doorsFit", 22, 200, MOST_SHAPES, doorsFit, NULL});
}

static thResult buildOnce(const thAllocator* allocator, void* context)
{
    thMemory memory;
    thiMemoryInit(&memory, allocator, 0);
    thWalkable walkable = thiWalkable(&memory);
    const thResult code = build(context, &walkable);
    thiWalkableFree(&walkable);
    return code;
}

static void testNoMemory(void** state)
{
    (void)state;
    Floor floor;
    thGenerator g = makeGenerator(5, 1);
    drawFloor(&g, MOST_SHAPES, &floor);
    failEachAllocation(buildOnce, &floor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testCover),
        cmocka_unit_test(testDoors),
        cmocka_unit_test(testNoMemory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
