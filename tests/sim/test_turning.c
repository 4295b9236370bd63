// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How shapes turn: as far as their corners may move, and into nobody.

#include "gear/gear.h"
#include "gear/property.h"
#include "geom/convex_oracle.h"
#include "throng/world.h"

#define DT 0.1f

static const thVec2 carCorners[] = {{2.0f, 0.9f}, {-2.0f, 0.9f}, {-2.0f, -0.9f}, {2.0f, -0.9f}};
static const double carReach = 2.1931712;

static void assertOk(thResult code)
{
    assert_int_equal(code, th_resultOk);
}

static thWorld* openWorld(void)
{
    thWorldDef def = thDefaultWorldDef();
    def.contacts = 0;
    thWorld* world;
    assertOk(thCreateWorld(&def, &world));
    return world;
}

// Goes as it is told.
static thAgentId addAgent(thWorld* world, bool isCar, thVec2 at, float heading, thVec2 velocity)
{
    thProfileDef profile = thDefaultProfileDef();
    profile.plan.name = "given";
    profile.radius = isCar ? 0.9f : 0.25f;
    profile.maxSpeed = 10.0f;
    profile.shape = isCar ? carCorners : NULL;
    profile.shapeCount = isCar ? 4 : 0;
    thAgentDef def = thDefaultAgentDef();
    assertOk(thCreateProfile(world, &profile, &def.profile, NULL));
    def.position = at;
    def.heading = heading;
    thAgentId id;
    assertOk(thCreateAgent(world, &def, &id));
    assertOk(thAgent_SetPreferredVelocity(world, id, velocity));
    return id;
}

static thConvexBody bodyOf(const thWorld* world, thAgentId id)
{
    const thBodyShape shape = thAgent_GetInfo(world, id).body;
    if (shape.count == 0)
        return (thConvexBody){.count = 1, .radius = 0.25f};
    return thiTurnShape(&shape, thAgent_Get(world, id).heading);
}

static double gapOf(const thWorld* world, thAgentId a, thAgentId b)
{
    const thConvexBody own = bodyOf(world, a), other = bodyOf(world, b);
    const thVec2 from = thAgent_Get(world, a).position, to = thAgent_Get(world, b).position;
    return bodyGap(&own, &other, (double)to.x - (double)from.x, (double)to.y - (double)from.y);
}

// A disc turns at once, a car on its way: no corner moves faster by turning than the car does.
static void testAlone(void** state)
{
    (void)state;
    thWorld* world = openWorld();
    const thAgentId disc =
        addAgent(world, false, (thVec2){-9.0f, 0.0f}, 0.0f, (thVec2){0.0f, 2.0f});
    const thAgentId car = addAgent(world, true, (thVec2){9.0f, 0.0f}, 0.0f, (thVec2){0.0f, 2.0f});
    const thAgentId slow = addAgent(world, true, (thVec2){0.0f, 0.0f}, 0.0f, (thVec2){0.0f, 0.01f});
    double before = 0.0;
    for (int32_t i = 0; i < 40; ++i) {
        assertOk(thWorld_Step(world, DT));
        const double heading = (double)thAgent_Get(world, car).heading;
        assert_true(heading >= before);
        assert_true(carReach * (heading - before) < 2.0 * (double)DT + 1e-5);
        before = heading;
        assert_near((double)thAgent_Get(world, disc).heading, 1.5707963, 1e-5);
    }
    assert_near(before, 1.5707963, 1e-5);
    assert_true(thAgent_Get(world, slow).heading == 0.0f); // as if it stood
    assertOk(thAgent_SetHeading(world, car, -1.0f));       // who is told so, faces there
    assert_near((double)thAgent_Get(world, car).heading, -1.0, 1e-6);
    thDestroyWorld(world);
}

// Along a wall, the other way round than it faces: it stays as it is, or turns a little, but never
// into the wall.
static void testWall(void** state)
{
    (void)state;
    thWorld* world = openWorld();
    const thVec2 points[2] = {{-50.0f, -0.95f}, {50.0f, -0.95f}};
    thObstacleDef wall = thDefaultObstacleDef();
    thObstacleId id;
    wall.kind = th_obstacleWall;
    wall.points = points;
    wall.pointCount = 2;
    assertOk(thCreateObstacle(world, &wall, &id));
    const thAgentId car = addAgent(world, true, (thVec2){0.0f, 0.0f}, 0.0f, (thVec2){-2.0f, 0.0f});
    const thConvexBody segment = {.count = 2, .corners = {points[0], points[1]}};
    for (int32_t i = 0; i < 100; ++i) {
        if (i == 50)
            assertOk(thAgent_SetPreferredVelocity(world, car, (thVec2){-2.0f, 0.2f}));
        assertOk(thWorld_Step(world, DT));
        const thConvexBody body = bodyOf(world, car);
        const thVec2 at = thAgent_Get(world, car).position;
        assert_true(bodyGap(&body, &segment, -(double)at.x, -(double)at.y) > -1e-5);
    }
    thDestroyWorld(world);
}

// Several side by side that all want to turn at once.
static void testNeighbors(void** state)
{
    (void)state;
    thWorld* world = openWorld();
    thAgentId ids[5];
    for (int32_t i = 0; i < 5; ++i)
        ids[i] = addAgent(world, i != 2, (thVec2){0.0f, 1.85f * (float)i + (i > 2 ? -0.6f : 0.0f)},
                          0.0f, (thVec2){0.5f, 2.0f});
    for (int32_t i = 0; i < 60; ++i) {
        assertOk(thWorld_Step(world, DT));
        for (int32_t k = 0; k < 4; ++k)
            assert_true(gapOf(world, ids[k], ids[k + 1]) > -1e-5);
    }
    assert_true(thAgent_Get(world, ids[0]).heading > 0.01f); // by what room there is
    thDestroyWorld(world);
}

// Two that turn against each other at once, each of which would fit beside the other as it stands.
static void testTogether(void** state)
{
    (void)state;
    const double dt = (double)DT;
    int32_t close = 0;
    for (uint64_t number = 0; number < 4000; ++number) {
        thGenerator g = makeGenerator(1, number);
        const double heading[2] = {(double)drawFloat(&g, -3.0f, 3.0f),
                                   (double)drawFloat(&g, -3.0f, 3.0f)};
        const thVec2 at[2] = {{0.0f, 0.0f},
                              {drawFloat(&g, -4.0f, 4.0f), drawFloat(&g, -4.0f, 4.0f)}};
        thWorld* world = openWorld();
        thAgentId ids[2];
        thConvexBody before[2];
        for (int32_t i = 0; i < 2; ++i) { // it is there after the step
            const double to = heading[i] + (drawU32(&g) % 2 == 0 ? 1.2 : -1.2);
            const double speed = (double)drawFloat(&g, 1.0f, 5.0f);
            const thVec2 velocity = {(float)(speed * cos(to)), (float)(speed * sin(to))};
            ids[i] = addAgent(world, true,
                              (thVec2){at[i].x - DT * velocity.x, at[i].y - DT * velocity.y},
                              (float)heading[i], velocity);
            before[i] = bodyOf(world, ids[i]);
        }
        assertOk(thWorld_Step(world, DT));
        const thVec2 a = thAgent_Get(world, ids[0]).position,
                     b = thAgent_Get(world, ids[1]).position;
        const double gap =
            bodyGap(&before[0], &before[1], (double)b.x - (double)a.x, (double)b.y - (double)a.y);
        close += gap > 0.0 && gap < 5.0 * dt;
        assert_true(gapOf(world, ids[0], ids[1]) > fmin(gap, 0.0) - 1e-5);
        thDestroyWorld(world);
    }
    assert_true(close > 200);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testAlone),
        cmocka_unit_test(testWall),
        cmocka_unit_test(testNeighbors),
        cmocka_unit_test(testTogether),
    };
    return RUN_TESTS(tests, argc, argv);
}
