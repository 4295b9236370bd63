// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How shapes turn: as far as their corners may move, and into nobody; and which way they want to
// face: where they want to go, and as they fit through gaps.

#include "gear/property.h"
#include "geom/convex_oracle.h"
#include "sim/sim_gear.h"

#define DT 0.1f

static const thVec2 carCorners[] = {{2.0f, 0.9f}, {-2.0f, 0.9f}, {-2.0f, -0.9f}, {2.0f, -0.9f}};
static const double carReach = 2.1931712;

static thWorld* openWorld(int32_t contacts)
{
    thWorldDef def = thDefaultWorldDef();
    def.contacts = contacts;
    thWorld* world;
    assert_ok(thCreateWorld(&def, &world));
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
    assert_ok(thCreateProfile(world, &profile, &def.profile, NULL));
    def.position = at;
    def.heading = heading;
    thAgentId id;
    assert_ok(thCreateAgent(world, &def, &id));
    assert_ok(thAgent_SetPreferredVelocity(world, id, velocity));
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
    thWorld* world = openWorld(0);
    const thAgentId disc =
        addAgent(world, false, (thVec2){-9.0f, 0.0f}, 0.0f, (thVec2){0.0f, 2.0f});
    const thAgentId car = addAgent(world, true, (thVec2){9.0f, 0.0f}, 0.0f, (thVec2){0.0f, 2.0f});
    const thAgentId slow = addAgent(world, true, (thVec2){0.0f, 0.0f}, 0.0f, (thVec2){0.0f, 0.01f});
    double before = 0.0;
    for (int32_t i = 0; i < 40; ++i) {
        assert_ok(thWorld_Step(world, DT));
        const double heading = (double)thAgent_Get(world, car).heading;
        assert_true(heading >= before);
        assert_true(carReach * (heading - before) < 2.0 * (double)DT + 1e-5);
        before = heading;
        assert_near((double)thAgent_Get(world, disc).heading, 1.5707963, 1e-5);
    }
    assert_near(before, 1.5707963, 1e-5);
    assert_true(thAgent_Get(world, slow).heading == 0.0f); // as if it stood
    assert_ok(thAgent_SetHeading(world, car, -1.0f));      // who is told so, faces there
    assert_near((double)thAgent_Get(world, car).heading, -1.0, 1e-6);
    thDestroyWorld(world);
}

// Along a wall, the other way round than it faces: it stays as it is, or turns a little, but never
// into the wall.
static void testWall(void** state)
{
    (void)state;
    thWorld* world = openWorld(0);
    const thVec2 points[2] = {{-50.0f, -0.95f}, {50.0f, -0.95f}};
    addWall(world, points[0].x, points[0].y, points[1].x, points[1].y);
    const thAgentId car = addAgent(world, true, (thVec2){0.0f, 0.0f}, 0.0f, (thVec2){-2.0f, 0.0f});
    const thConvexBody segment = {.count = 2, .corners = {points[0], points[1]}};
    for (int32_t i = 0; i < 100; ++i) {
        if (i == 50)
            assert_ok(thAgent_SetPreferredVelocity(world, car, (thVec2){-2.0f, 0.2f}));
        assert_ok(thWorld_Step(world, DT));
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
    thWorld* world = openWorld(0);
    thAgentId ids[5];
    for (int32_t i = 0; i < 5; ++i)
        ids[i] = addAgent(world, i != 2, (thVec2){0.0f, 1.85f * (float)i + (i > 2 ? -0.6f : 0.0f)},
                          0.0f, (thVec2){0.5f, 2.0f});
    for (int32_t i = 0; i < 60; ++i) {
        assert_ok(thWorld_Step(world, DT));
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
        thWorld* world = openWorld(0);
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
        assert_ok(thWorld_Step(world, DT));
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

static thProfileDef carProfile(void)
{
    thProfileDef profile = thDefaultProfileDef();
    profile.radius = 0.9f;
    profile.prefSpeed = 2.0f;
    profile.maxSpeed = 2.5f;
    profile.neighborRadius = 12.0f;
    profile.wallRadius = 10.0f;
    profile.avoid.name = "clearpath";
    profile.shape = carCorners;
    profile.shapeCount = 4;
    return profile;
}

// Who cannot get going yet turns where it stands, but no corner is faster than half of what it
// wants. Who wants nothing stays as it is.
static void testStanding(void** state)
{
    (void)state;
    thWorld* world = openWorld(1);
    thProfileDef profile = carProfile();
    profile.plan.name = "given";
    profile.maxAccel = 0.01f;
    thAgentDef def = thDefaultAgentDef();
    assert_ok(thCreateProfile(world, &profile, &def.profile, NULL));
    thAgentId car, idle;
    assert_ok(thCreateAgent(world, &def, &car));
    def.position = (thVec2){50.0f, 0.0f};
    def.heading = 1.0f;
    assert_ok(thCreateAgent(world, &def, &idle));
    assert_ok(thAgent_SetPreferredVelocity(world, car, (thVec2){0.0f, -2.0f}));
    double before = 0.0;
    for (int32_t i = 0; i < 50; ++i) {
        assert_ok(thWorld_Step(world, DT));
        const double heading = (double)thAgent_Get(world, car).heading;
        assert_true(heading <= before && carReach * (before - heading) < 1.0 * (double)DT + 1e-5);
        before = heading;
    }
    assert_near(before, -1.5707963, 0.02); // but it keeps right
    assert_true(thAgent_Get(world, idle).heading == 1.0f);
    thDestroyWorld(world);
}

static const thVec2 gapWalls[2][2] = {{{0.0f, 1.2f}, {0.0f, 40.0f}},
                                      {{0.0f, -1.2f}, {0.0f, -40.0f}}};

static thAgentId addGap(thWorld* world, thVec2 from, thVec2 to, thVec2 shift)
{
    for (int32_t i = 0; i < 2; ++i) {
        addWall(world, gapWalls[i][0].x + shift.x, gapWalls[i][0].y + shift.y,
                gapWalls[i][1].x + shift.x, gapWalls[i][1].y + shift.y);
    }
    thProfileDef profile = carProfile();
    profile.plan.name = "visibility";
    thAgentDef def = thDefaultAgentDef();
    assert_ok(thCreateProfile(world, &profile, &def.profile, NULL));
    def.position = (thVec2){from.x + shift.x, from.y + shift.y};
    def.heading = thAtan2(-from.y, -from.x);
    assert_ok(thCreatePointGoal(world, (thVec2){to.x + shift.x, to.y + shift.y}, &def.goal));
    thAgentId id;
    assert_ok(thCreateAgent(world, &def, &id));
    return id;
}

static double wallGap(const thWorld* world, thAgentId id, thVec2 shift)
{
    const thAgentRow row = thAgent_Get(world, id);
    const thBodyShape shape = thAgent_GetInfo(world, id).body;
    const thConvexBody body = thiTurnShape(&shape, row.heading);
    double least = INFINITY;
    for (int32_t i = 0; i < 2; ++i) {
        const thConvexBody wall = {.count = 2, .corners = {gapWalls[i][0], gapWalls[i][1]}};
        const double x = (double)shift.x - (double)row.position.x;
        const double y = (double)shift.y - (double)row.position.y;
        least = fmin(least, bodyGap(&body, &wall, x, y));
    }
    return least;
}

// A car 1.8 m wide gets through a gap of 2.4 m wherever it comes from, and touches nothing.
static void testGap(void** state)
{
    (void)state;
    static const thVec2 goals[] = {{10.0f, -8.0f}, {10.0f, 0.0f}, {10.0f, 6.0f}};
    const thVec2 shift = {31.7f, -12.3f};
    for (int32_t y = -12; y <= 12; y += 2)
        for (int32_t k = 0; k < 3; ++k) {
            thWorld* world = openWorld(1);
            const thAgentId car = addGap(world, (thVec2){-10.0f, (float)y}, goals[k], shift);
            int32_t steps = 0;
            while (thWorld_GetCounters(world).arrivals == 0 && steps < 250) {
                assert_ok(thWorld_Step(world, DT));
                assert_true(wallGap(world, car, shift) > -1.0e-3);
                steps += 1;
            }
            if (steps == 250)
                fail_msg("from %d m aside to %g m it got to %g, %g", (int)y, (double)goals[k].y,
                         (double)(thAgent_Get(world, car).position.x - shift.x),
                         (double)(thAgent_Get(world, car).position.y - shift.y));
            thDestroyWorld(world);
        }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testAlone),     cmocka_unit_test(testWall),
        cmocka_unit_test(testNeighbors), cmocka_unit_test(testTogether),
        cmocka_unit_test(testStanding),  cmocka_unit_test(testGap),
    };
    return RUN_TESTS(tests, argc, argv);
}
