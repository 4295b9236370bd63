// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Which way shapes face: where they want to go, and as they fit through gaps.

#include "sim/turning.h"

#include "gear/gear.h"
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
    const thWorldDef def = thDefaultWorldDef();
    thWorld* world;
    assertOk(thCreateWorld(&def, &world));
    return world;
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
    thWorld* world = openWorld();
    thProfileDef profile = carProfile();
    profile.plan.name = "given";
    profile.maxAccel = 0.01f;
    thAgentDef def = thDefaultAgentDef();
    assertOk(thCreateProfile(world, &profile, &def.profile, NULL));
    thAgentId car, idle;
    assertOk(thCreateAgent(world, &def, &car));
    def.position = (thVec2){50.0f, 0.0f};
    def.heading = 1.0f;
    assertOk(thCreateAgent(world, &def, &idle));
    assertOk(thAgent_SetPreferredVelocity(world, car, (thVec2){0.0f, -2.0f}));
    double before = 0.0;
    for (int32_t i = 0; i < 50; ++i) {
        assertOk(thWorld_Step(world, DT));
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
        const thVec2 points[2] = {{gapWalls[i][0].x + shift.x, gapWalls[i][0].y + shift.y},
                                  {gapWalls[i][1].x + shift.x, gapWalls[i][1].y + shift.y}};
        thObstacleDef wall = thDefaultObstacleDef();
        thObstacleId id;
        wall.kind = th_obstacleWall;
        wall.points = points;
        wall.pointCount = 2;
        assertOk(thCreateObstacle(world, &wall, &id));
    }
    thProfileDef profile = carProfile();
    profile.plan.name = "visibility";
    thAgentDef def = thDefaultAgentDef();
    assertOk(thCreateProfile(world, &profile, &def.profile, NULL));
    def.position = (thVec2){from.x + shift.x, from.y + shift.y};
    def.heading = thAtan2(-from.y, -from.x);
    assertOk(thCreatePointGoal(world, (thVec2){to.x + shift.x, to.y + shift.y}, &def.goal));
    thAgentId id;
    assertOk(thCreateAgent(world, &def, &id));
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
            thWorld* world = openWorld();
            const thAgentId car = addGap(world, (thVec2){-10.0f, (float)y}, goals[k], shift);
            int32_t steps = 0;
            while (thWorld_GetCounters(world).arrivals == 0 && steps < 250) {
                assertOk(thWorld_Step(world, DT));
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
        cmocka_unit_test(testStanding),
        cmocka_unit_test(testGap),
    };
    return RUN_TESTS(tests, argc, argv);
}
