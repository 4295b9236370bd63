// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What a horizon hides must be hidden; and in a closed room it must hide most of what is outside.

#include "plan/route/route_space.h"

#include "plan/plan_gear.h"

static thMemory memory;

static thRouteSpace* makeSpace(thWorld* world)
{
    thiMemoryInit(&memory, &(thAllocator){0}, 0);
    const thFrame frame = frameOf(world);
    thRouteSpace* space = NULL;
    assert_ok(thiCreateRouteSpace(&memory, &frame, 0, 0.0f, &space));
    return space;
}

static thPoint drawPoint(thGenerator* g, float reach)
{
    const double x = drawFloat(g, -reach, reach), y = drawFloat(g, -reach, reach);
    return drawInt(g, 0, 3) == 0 ? pointAt(round(x), round(y)) : pointAt(x, y);
}

static bool holdsForRandomWalls(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    const float extent = 2.0f + (float)size * 0.5f, reach = extent + 4.0f;
    thWorld* world = createPlanWorld(1);
    addRandomWalls(world, g, size, extent);
    thRouteSpace* space = makeSpace(world);
    bool good = true;
    for (int32_t i = 0; i < 20 && good; ++i) {
        const thPoint from = drawPoint(g, reach);
        thRouteHorizon horizon;
        thiLookAround(space, from, &horizon);
        for (int32_t k = 0; k < 100 && good; ++k) {
            const thPoint to = drawPoint(g, reach), other = drawPoint(g, reach);
            const double share = drawUnit(g), across = drawUnit(g);
            const thPoint between = {(int32_t)(to.x + share * ((double)other.x - to.x)),
                                     (int32_t)(to.y + across * ((double)other.y - to.y))};
            if (thiIsBeyond(&horizon, to.x, to.y))
                good = !thiIsClearLeg(space, from, to, 0.0f);
            if (thiIsBoxBeyond(&horizon, fmin(to.x, other.x), fmin(to.y, other.y),
                               fmax(to.x, other.x), fmax(to.y, other.y)))
                good = good && !thiIsClearLeg(space, from, to, 0.0f) &&
                       !thiIsClearLeg(space, from, between, 0.0f);
        }
    }
    thiDestroyRouteSpace(space);
    thDestroyWorld(world);
    return good;
}

static void testRandomWalls(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "routeHorizon",
                                 .seed = 12,
                                 .caseCount = 150,
                                 .maxSize = 60,
                                 .holds = holdsForRandomWalls});
}

static void testClosedRoom(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(1);
    addCity(world, 6, 6);
    const thVec2 room[] = {
        {22.0f, 16.0f}, {26.0f, 16.0f}, {26.0f, 20.0f}, {22.0f, 20.0f}, {22.0f, 16.0f}};
    addObstacle(world, th_obstacleWall, 0, room, 5);
    thRouteSpace* space = makeSpace(world);
    thRouteHorizon horizon;
    const thPoint inside = pointAt(24.1, 18.2);
    thiLookAround(space, inside, &horizon);
    thGenerator g = makeGenerator(1, 0);
    int32_t open = 0;
    for (int32_t i = 0; i < 1000; ++i) {
        const thPoint to = pointAt(drawFloat(&g, -20.0f, 160.0f), drawFloat(&g, -20.0f, 140.0f));
        open += !thiIsBeyond(&horizon, to.x, to.y);
    }
    assert_in_range(open, 0, 50); // where the corners of the room are, no wall covers all
    thiDestroyRouteSpace(space);
    thDestroyWorld(world);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testRandomWalls),
        cmocka_unit_test(testClosedRoom),
    };
    return RUN_TESTS(tests, argc, argv);
}
