// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "geom/fixed.h"
#include "sim/sim_gear.h"
#include "sim/world_internal.h"

static const thVec2 square[] = {{0.0f, 0.0f}, {2.0f, 0.0f}, {2.0f, 2.0f}, {0.0f, 2.0f}};

static void testDefaults(void** state)
{
    (void)state;
    const thObstacleDef def = thDefaultObstacleDef();
    assert_int_equal(def.size, sizeof def);
    assert_int_equal(def.kind, th_obstacleSolid);
    assert_int_equal(def.pointCount, 0);
    assert_int_equal(def.level, 0);
    assert_int_equal(def.pathCount, 0);
    assert_true(def.angle == 0.0f && def.spin == 0.0f && def.pathSpeed == 1.0f);
    assert_true(def.velocity.x == 0.0f && def.velocity.y == 0.0f);
    assert_null(def.path);
    assert_int_equal(def.pathLoops, 0);
    assert_int_equal(def.yields, 0);
}

#define REFUSE(base, field, wrong)                                                                 \
    do {                                                                                           \
        thObstacleDef bad = (base);                                                                \
        bad.field = (wrong);                                                                       \
        assert_refused(world, thCreateObstacle(world, &bad, &id));                                 \
        assert_int_equal(id.value, 0);                                                             \
    } while (0)

static void testBadArguments(void** state)
{
    (void)state;
    listen();
    Full full;
    assert_ok(createFull(NULL, false, &full));
    thWorld* world = full.world;
    thObstacleId id = {1};
    thObstacleDef solid = thDefaultObstacleDef();
    solid.points = square;
    solid.pointCount = 4;
    thObstacleDef disc = thDefaultObstacleDef();
    disc.kind = th_obstacleMovingDisc;
    disc.radius = 1.0f;
    thObstacleDef box = disc;
    box.kind = th_obstacleMovingPolygon;
    box.points = square;
    box.pointCount = 4;
    assert_refused(world, thCreateObstacle(world, NULL, &id));
    assert_refused(world, thCreateObstacle(world, &solid, NULL));
    assert_int_equal(thCreateObstacle(NULL, &solid, &id), th_resultBadArgument);
    REFUSE(solid, size, solid.size + 8);
    REFUSE(solid, kind, (thObstacleKind)5);
    REFUSE(solid, points, NULL);
    REFUSE(solid, pointCount, 2);
    REFUSE(solid, pointCount, -4);
    REFUSE(solid, level, -1);
    REFUSE(solid, level, 65536);
    const thVec2 line[] = {{0.0f, 0.0f}, {1.0f, 1.0f}, {2.0f, 2.0f}, {1.0f, 1.0f}};
    REFUSE(solid, points, line);
    const thVec2 far[] = {{0.0f, 0.0f}, {1.0f, 1.0f}, {2.0f, NAN}, {1.0f, 1.0f}};
    REFUSE(solid, points, far);
    const thVec2 dart[] = {{0.0f, 0.0f}, {2.0f, 0.0f}, {0.5f, 0.5f}, {0.0f, 2.0f}};
    REFUSE(box, points, dart); // not convex
    REFUSE(box, pointCount, 2);
    REFUSE(disc, radius, 0.0f);
    REFUSE(disc, radius, -1.0f);
    REFUSE(disc, radius, 100.1f);
    REFUSE(disc, radius, NAN);
    REFUSE(disc, position.x, 30001.0f);
    REFUSE(disc, position.y, NAN);
    REFUSE(disc, angle, INFINITY);
    REFUSE(disc, angle, 9000.0f);
    REFUSE(disc, velocity.x, 1001.0f);
    REFUSE(disc, velocity.y, NAN);
    REFUSE(disc, spin, 101.0f);
    REFUSE(disc, spin, NAN);
    REFUSE(disc, pathSpeed, -0.1f);
    REFUSE(disc, pathSpeed, 101.0f);
    REFUSE(disc, pathLoops, 2);
    REFUSE(disc, yields, -1);
    REFUSE(disc, pathCount, -1);
    REFUSE(disc, pathCount, 1); // without points
    disc.path = far;
    REFUSE(disc, pathCount, 4);

    const thVec2 zero = {0.0f, 0.0f};
    const thObstacleId none = {0};
    thVec2 position;
    float angle;
    assert_refused(world, thDestroyObstacle(world, none));
    assert_refused(world, thObstacle_SetMotion(world, none, zero, 0.0f));
    assert_refused(world, thObstacle_SetMotion(world, full.solid, zero, 0.0f)); // does not move
    assert_refused(world, thObstacle_SetMotion(world, full.box, (thVec2){0.0f, NAN}, 0.0f));
    assert_refused(world, thObstacle_SetMotion(world, full.box, zero, INFINITY));
    assert_refused(world, thObstacle_SetPlace(world, full.wall, zero, 0.0f));
    assert_refused(world, thObstacle_SetPlace(world, full.box, (thVec2){0.0f, 1e9f}, 0.0f));
    assert_refused(world, thObstacle_SetPlace(world, full.box, zero, NAN));
    assert_refused(world, thObstacle_GetPlace(world, full.wall, &position, &angle));
    assert_refused(world, thObstacle_GetPlace(world, none, &position, &angle));
    assert_refused(world, thObstacle_GetPlace(world, full.box, NULL, &angle));
    assert_refused(world, thObstacle_GetPlace(world, full.box, &position, NULL));
    assert_ok(thDestroyObstacle(world, full.solid));
    assert_refused(world, thDestroyObstacle(world, full.solid));
    assert_int_equal(thObstacle_GetPlace(NULL, full.box, &position, &angle), th_resultBadArgument);
    thDestroyWorld(world);
    thSetHooks(NULL);
}

// Twice the area of the closed outline that an obstacle's segments make.
static int64_t areaOf(const thWalls* walls, int32_t obstacle)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < walls->count; ++i)
        if (walls->obstacle[i] == obstacle)
            sum += (int64_t)walls->ax[i] * walls->by[i] - (int64_t)walls->ay[i] * walls->bx[i];
    return sum;
}

// Whatever way round they are drawn: solid is to the left.
static void testWalls(void** state)
{
    (void)state;
    const thVec2 turned[] = {{0.0f, 0.0f}, {0.0f, 2.0f}, {2.0f, 2.0f}, {2.0f, 1.0f}, {2.0f, 0.0f}};
    thWorld* world = createWorld();
    thObstacleDef def = thDefaultObstacleDef();
    thObstacleId ids[5];
    for (int32_t i = 0; i < 4; ++i) {
        def.kind = i < 2 ? th_obstacleSolid : th_obstacleRoom;
        def.points = i % 2 == 0 ? square : turned;
        def.pointCount = i % 2 == 0 ? 4 : 5;
        def.level = i;
        assert_ok(thCreateObstacle(world, &def, &ids[i]));
    }
    def.kind = th_obstacleWall;
    def.level = 9;
    def.angle = NAN; // static ones have none
    assert_ok(thCreateObstacle(world, &def, &ids[4]));
    assert_int_equal(thWorld_GetCounters(world).walls, 4 * 4 + 3);
    assert_ok(thiPrepareObstacles(world));
    const thWalls* walls = thiWallGridWalls(world->walls.grid);
    assert_int_equal(walls->count, 4 * 4 + 3);
    const int64_t area = (int64_t)8 << 32;
    for (int32_t i = 0; i < 4; ++i)
        assert_int_equal(areaOf(walls, THRONG_SLOT(ids[i])), i < 2 ? area : -area);
    for (int32_t i = 0; i < walls->count; ++i) {
        assert_int_equal(walls->oneSided[i], walls->obstacle[i] != THRONG_SLOT(ids[4]));
        assert_int_equal(walls->level[i],
                         walls->obstacle[i] == THRONG_SLOT(ids[4]) ? 9 : walls->obstacle[i]);
    }
    // Only when something has changed are they built again.
    const uint64_t allocations = thWorld_GetCounters(world).allocations;
    assert_ok(thiPrepareObstacles(world));
    assert_int_equal(thWorld_GetCounters(world).allocations, allocations);
    assert_ok(thDestroyObstacle(world, ids[1]));
    assert_ok(thiPrepareObstacles(world));
    assert_int_equal(thiWallGridWalls(world->walls.grid)->count, 3 * 4 + 3);
    thDestroyWorld(world);
}

static void testColumns(void** state)
{
    (void)state;
    thWorld* world = createWorld();
    thObstacleId disc1, box1;
    thObstacleDef def = thDefaultObstacleDef();
    def.kind = th_obstacleMovingDisc;
    def.radius = 1.5f;
    def.level = 3;
    def.position = (thVec2){10.0f, -20.0f};
    def.velocity = (thVec2){1.0f, 2.0f};
    assert_ok(thCreateObstacle(world, &def, &disc1));
    const thVec2 corners[] = {{3.0f, 1.0f}, {-1.0f, -1.0f}, {3.0f, -1.0f}, {3.0f, 0.0f}};
    def.kind = th_obstacleMovingPolygon;
    def.points = corners;
    def.pointCount = 4;
    def.angle = 7.0f;
    def.spin = -0.25f;
    assert_ok(thCreateObstacle(world, &def, &box1));
    assert_ok(thiPrepareObstacles(world));
    const thMovers* movers = &world->movers.view;
    assert_int_equal(movers->count, 2);
    assert_int_equal(movers->obstacle[0], THRONG_SLOT(disc1));
    assert_int_equal(movers->obstacle[1], THRONG_SLOT(box1));
    assert_int_equal(movers->px[1], thiUnits(10.0f));
    assert_int_equal(movers->py[1], thiUnits(-20.0f));
    assert_true(movers->vx[0] == 1.0f && movers->vy[0] == 2.0f && movers->spin[1] == -0.25f);
    assert_true(movers->radius[0] == 1.5f);
    assert_near(movers->radius[1], sqrt(10.0), 1e-4);
    assert_int_equal(movers->level[0], 3);
    assert_int_equal(movers->firstCorner[0], 0);
    assert_int_equal(movers->firstCorner[1], 0);
    assert_int_equal(movers->firstCorner[2], 3); // one was on a straight edge
    double area = 0.0;
    for (int32_t i = 0; i < 3; ++i) {
        const thVec2 a = movers->corners[i], b = movers->corners[(i + 1) % 3];
        area += 0.5 * ((double)a.x * (double)b.y - (double)a.y * (double)b.x);
        assert_true(hypotf(a.x, a.y) <= movers->radius[1]);
        // Turned back they are corners of what was given.
        const double x = cos(7.0) * (double)a.x + sin(7.0) * (double)a.y;
        const double y = cos(7.0) * (double)a.y - sin(7.0) * (double)a.x;
        assert_true((isNear(x, 3.0, 1e-4) && isNear(fabs(y), 1.0, 1e-4)) ||
                    (isNear(x, -1.0, 1e-4) && isNear(y, -1.0, 1e-4)));
    }
    assert_near(area, 4.0, 1e-4); // counter-clockwise
    assert_ok(thDestroyObstacle(world, disc1));
    assert_ok(thiPrepareObstacles(world));
    assert_int_equal(world->movers.view.count, 1);
    thDestroyWorld(world);
}

// Steps of a world that already has its obstacles allocate nothing for them.
static void testNoAllocations(void** state)
{
    (void)state;
    Full full;
    assert_ok(createFull(NULL, false, &full));
    assert_ok(thiPrepareObstacles(full.world));
    const uint64_t allocations = thWorld_GetCounters(full.world).allocations;
    for (int32_t i = 0; i < 20; ++i) {
        assert_ok(thiPrepareObstacles(full.world));
        thiAdvanceMovers(full.world, 0.1f);
    }
    assert_int_equal(thWorld_GetCounters(full.world).allocations, allocations);
    thDestroyWorld(full.world);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testDefaults),      cmocka_unit_test(testBadArguments),
        cmocka_unit_test(testWalls),         cmocka_unit_test(testColumns),
        cmocka_unit_test(testNoAllocations),
    };
    return RUN_TESTS(tests, argc, argv);
}
