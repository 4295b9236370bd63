// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Moving obstacles: velocities, paths, spin, and how far those go that yield.

#include "gear/property.h"
#include "geom/fixed.h"
#include "sim/sim_gear.h"
#include "sim/world_internal.h"

// Two units: places are rounded.
#define CLOSE (2.0 / 65536.0)

#define MAX_PATH 6

typedef struct Track {
    thVec2 points[MAX_PATH + 1]; // a loop's first point again at the end
    int32_t count;
    double length;
} Track;

// What a step does with moving obstacles when nobody is in their way.
static void advanceMovers(thWorld* world, float dt)
{
    assert_int_equal(thiPrepareObstacles(world), th_resultOk);
    assert_int_equal(thiPlanMovers(world, dt), th_resultOk);
    thiAdvanceMovers(world, dt);
}

static double lengthOf(thVec2 a, thVec2 b)
{
    const double dx = (double)b.x - (double)a.x, dy = (double)b.y - (double)a.y;
    return sqrt(dx * dx + dy * dy);
}

static Track drawTrack(thGenerator* g, int32_t count, float extent, bool loops)
{
    Track track = {.count = count + loops};
    for (int32_t i = 0; i < count; ++i)
        track.points[i] = (thVec2){drawFloat(g, -extent, extent), drawFloat(g, -extent, extent)};
    if (drawInt(g, 0, 3) == 0 && count > 1)
        track.points[1] = track.points[0]; // to be passed at once
    if (loops)
        track.points[count] = track.points[0];
    for (int32_t i = 0; i + 1 < track.count; ++i)
        track.length += lengthOf(track.points[i], track.points[i + 1]);
    return track;
}

// The point of a track at a distance from its beginning.
static void pointAt(const Track* track, double distance, double* x, double* y)
{
    int32_t i = 0;
    while (i + 2 < track->count && distance > lengthOf(track->points[i], track->points[i + 1])) {
        distance -= lengthOf(track->points[i], track->points[i + 1]);
        i += 1;
    }
    const thVec2 a = track->points[i], b = track->points[TH_MIN(i + 1, track->count - 1)];
    const double length = lengthOf(a, b);
    const double share = length > 0.0 ? TH_MIN(distance / length, 1.0) : 0.0;
    *x = (double)a.x + share * ((double)b.x - (double)a.x);
    *y = (double)a.y + share * ((double)b.y - (double)a.y);
}

static bool followsPath(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    const bool loops = drawInt(g, 0, 1) == 1;
    const int32_t count = drawInt(g, 1, MAX_PATH);
    const Track track = drawTrack(g, count, drawInt(g, 0, 1) == 0 ? 0.5f : 50.0f, loops);
    thObstacleDef def = thDefaultObstacleDef();
    def.kind = th_obstacleMovingDisc;
    def.radius = 1.0f;
    def.path = track.points;
    def.pathCount = count;
    def.pathLoops = loops;
    def.pathSpeed = drawFloat(g, 0.0f, 5.0f);
    const float dt = drawFloat(g, 0.01f, 1.0f);
    thWorld* world = createWorld();
    thObstacleId id;
    assert_ok(thCreateObstacle(world, &def, &id));
    bool good = true;
    double distance = 0.0;
    for (int32_t i = 0; i <= size && good; ++i) {
        thVec2 position;
        float angle;
        assert_ok(thObstacle_GetPlace(world, id, &position, &angle));
        double x, y;
        pointAt(&track, loops && track.length > 0.0 ? fmod(distance, track.length) : distance, &x,
                &y);
        // Corners are rounded, so the way is off by a unit or so for each that was passed.
        const double rounds = loops && track.length > 0.0 ? distance / track.length : 0.0;
        const double close = CLOSE * (1.0 + MAX_PATH * (1.0 + rounds));
        good = isNear((double)position.x, x, close) && isNear((double)position.y, y, close);
        // The velocity leads along the path, and is zero at its end.
        const thVec2 v = thiObstacles(world)[0].def.velocity;
        const double speed = hypot((double)v.x, (double)v.y);
        const bool ends = track.length == 0.0 || (!loops && distance > track.length + CLOSE);
        good = good && isNear(speed, ends ? 0.0 : (double)def.pathSpeed,
                              distance > track.length - CLOSE && !loops ? 10.0 : 1e-4);
        advanceMovers(world, dt);
        distance += (double)def.pathSpeed * (double)dt;
    }
    thDestroyWorld(world);
    return good;
}

static void testPaths(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"path", 3, 300, 100, followsPath, NULL});
}

static thObstacleId createMover(thWorld* world, thVec2 velocity, float spin)
{
    thObstacleDef def = thDefaultObstacleDef();
    def.kind = th_obstacleMovingDisc;
    def.radius = 1.0f;
    def.velocity = velocity;
    def.spin = spin;
    thObstacleId id;
    assert_ok(thCreateObstacle(world, &def, &id));
    return id;
}

// Rounding to units does not add up, and slow ones move too.
static void testVelocity(void** state)
{
    (void)state;
    const thVec2 velocities[] = {{1.0f, -1.0f}, {0.0001f, 0.00003f}, {100.0f, 33.3f}};
    for (size_t v = 0; v < sizeof velocities / sizeof velocities[0]; ++v) {
        thWorld* world = createWorld();
        const thObstacleId id = createMover(world, velocities[v], 0.0f);
        for (int32_t i = 0; i < 1000; ++i)
            advanceMovers(world, 0.01f);
        thVec2 position;
        float angle;
        assert_ok(thObstacle_GetPlace(world, id, &position, &angle));
        const double time = 1000.0 * (double)0.01f;
        assert_near(position.x, (double)velocities[v].x * time, CLOSE + 1e-4);
        assert_near(position.y, (double)velocities[v].y * time, CLOSE + 1e-4);
        assert_true(position.x != 0.0f && position.y != 0.0f);
        assert_true(angle == 0.0f);
        thDestroyWorld(world);
    }
}

static void testSpin(void** state)
{
    (void)state;
    const float spins[] = {0.3f, -2.0f, 100.0f, -0.001f};
    for (size_t s = 0; s < sizeof spins / sizeof spins[0]; ++s) {
        thWorld* world = createWorld();
        const thObstacleId id = createMover(world, (thVec2){0.0f, 0.0f}, spins[s]);
        double expected = 0.0;
        for (int32_t i = 0; i < 2000; ++i) {
            advanceMovers(world, 0.1f);
            expected += (double)(spins[s] * 0.1f);
            thVec2 position;
            float angle;
            assert_ok(thObstacle_GetPlace(world, id, &position, &angle));
            assert_true(angle >= -0x1.921fb6p1f && angle <= 0x1.921fb6p1f);
            assert_near(cos((double)angle), cos(expected), 1e-3);
            assert_near(sin((double)angle), sin(expected), 1e-3);
        }
        thDestroyWorld(world);
    }
}

static void testBorder(void** state)
{
    (void)state;
    thWorld* world = createWorld();
    const thObstacleId id = createMover(world, (thVec2){1000.0f, -1000.0f}, 0.0f);
    for (int32_t i = 0; i < 10; ++i)
        advanceMovers(world, 10.0f);
    thVec2 position;
    float angle;
    assert_ok(thObstacle_GetPlace(world, id, &position, &angle));
    assert_true(position.x == 30000.0f && position.y == -30000.0f);
    assert_ok(thObstacle_SetMotion(world, id, (thVec2){-1.0f, 0.0f}, 0.0f));
    advanceMovers(world, 1.0f);
    assert_ok(thObstacle_GetPlace(world, id, &position, &angle));
    assert_true(position.x == 29999.0f);
    thDestroyWorld(world);
}

// A loop that a step goes round many times, and one that is a single point.
static void testTinyLoops(void** state)
{
    (void)state;
    const thVec2 path[] = {{0.0f, 0.0f}, {0x1p-14f, 0.0f}, {0x1p-14f, 0x1p-14f}};
    for (int32_t count = 1; count <= 3; ++count) {
        thWorld* world = createWorld();
        thObstacleDef def = thDefaultObstacleDef();
        def.kind = th_obstacleMovingDisc;
        def.radius = 1.0f;
        def.path = path;
        def.pathCount = count;
        def.pathLoops = 1;
        def.pathSpeed = 100.0f;
        thObstacleId id;
        assert_ok(thCreateObstacle(world, &def, &id));
        for (int32_t i = 0; i < 1000; ++i) {
            advanceMovers(world, 10.0f);
            const thObstacle* obstacle = &thiObstacles(world)[0];
            assert_in_range(obstacle->x, 0, count == 1 ? 0 : 4);
            assert_in_range(obstacle->y, 0, count < 3 ? 0 : 4);
        }
        thDestroyWorld(world);
    }
}

static void testChanges(void** state)
{
    (void)state;
    thWorld* world = createWorld();
    const thVec2 path[] = {{0.0f, 0.0f}, {10.0f, 0.0f}};
    thObstacleDef def = thDefaultObstacleDef();
    def.kind = th_obstacleMovingDisc;
    def.radius = 1.0f;
    def.path = path;
    def.pathCount = 2;
    def.position = (thVec2){5.0f, 5.0f}; // the path counts
    thObstacleId id;
    assert_ok(thCreateObstacle(world, &def, &id));
    thVec2 position;
    float angle;
    assert_ok(thObstacle_GetPlace(world, id, &position, &angle));
    assert_true(position.x == 0.0f && position.y == 0.0f);
    // Put elsewhere it goes on to the same point.
    assert_ok(thObstacle_SetPlace(world, id, (thVec2){10.0f, -4.0f}, 4.0f));
    advanceMovers(world, 1.0f);
    assert_ok(thObstacle_GetPlace(world, id, &position, &angle));
    assert_true(position.x == 10.0f && position.y == -3.0f);
    assert_near(angle, 4.0 - 2.0 * 3.14159265, 1e-6);
    // At the end of the path it stands exactly.
    advanceMovers(world, 0.7f);
    advanceMovers(world, 2.5f);
    assert_ok(thObstacle_GetPlace(world, id, &position, &angle));
    assert_true(position.x == 10.0f && position.y == 0.0f);
    const thObstacle* obstacle = &thiObstacles(world)[THRONG_SLOT(id)];
    assert_true(obstacle->restX == 0.0 && obstacle->restY == 0.0);
    assert_true(obstacle->def.velocity.x == 0.0f && obstacle->def.velocity.y == 0.0f);
    assert_ok(thObstacle_SetPlace(world, id, (thVec2){10.0f, -3.0f}, angle));
    assert_true(obstacle->def.velocity.y == 0.0f); // the path is done
    // With a motion of its own it leaves the path.
    assert_ok(thObstacle_SetMotion(world, id, (thVec2){0.5f, 0.0f}, 0.0f));
    advanceMovers(world, 2.0f);
    advanceMovers(world, 2.0f);
    assert_ok(thObstacle_GetPlace(world, id, &position, &angle));
    assert_true(position.x == 12.0f && position.y == -3.0f);
    thDestroyWorld(world);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testPaths),     cmocka_unit_test(testVelocity),
        cmocka_unit_test(testSpin),      cmocka_unit_test(testBorder),
        cmocka_unit_test(testTinyLoops), cmocka_unit_test(testChanges),
    };
    return RUN_TESTS(tests, argc, argv);
}
