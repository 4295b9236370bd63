// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Collisions where some have a shape, against all pairs by the oracle of convex bodies.

#include "geom/convex_oracle.h"
#include "measure/collisions.h"
#include "measure/measure_gear.h"

enum { kindCount = 6, crowdSize = 60 };

typedef struct Shaped {
    thWorld* world;
    thProfileId kinds[kindCount]; // the first two are discs
    thAgentId ids[crowdSize];
} Shaped;

static void addKinds(Shaped* shaped, thGenerator* g)
{
    for (int32_t i = 0; i < kindCount; ++i) {
        const thBodyShape shape = drawBodyShape(g, i == 2 ? 8.0f : 1.0f);
        thProfileDef def = thDefaultProfileDef();
        def.plan.name = "given";
        def.avoid.name = "none";
        def.shapeCount = i < 2 ? 0 : shape.count;
        def.shape = i < 2 ? NULL : shape.corners;
        assert_ok(thCreateProfile(shaped->world, &def, &shaped->kinds[i], NULL));
    }
}

static float drawRadius(thGenerator* g)
{
    const int32_t kind = drawInt(g, 0, 9);
    return kind == 0 ? 0.0f : kind == 1 ? drawFloat(g, 1.0f, 4.0f) : drawFloat(g, 0.1f, 0.4f);
}

static Shaped createShaped(thGenerator* g, int32_t workerCount)
{
    Shaped shaped = {.world = createPlainWorld(workerCount, 0)};
    addKinds(&shaped, g);
    const float extent = drawInt(g, 0, 1) == 0 ? 4.0f : 20.0f;
    for (int32_t i = 0; i < crowdSize; ++i) {
        thAgentDef def = thDefaultAgentDef();
        def.profile = shaped.kinds[drawInt(g, 0, kindCount - 1)];
        def.position = (thVec2){drawFloat(g, -extent, extent), drawFloat(g, -extent, extent)};
        if (drawInt(g, 0, 9) == 0) // on another's place
            def.position = (thVec2){1.0f, 1.0f};
        def.heading = drawFloat(g, -3.0f, 3.0f);
        def.level = drawInt(g, 0, 3) == 0;
        def.layers = 1u << drawInt(g, 0, 1);
        def.mask = drawInt(g, 0, 4) == 0 ? 1 : UINT32_MAX;
        def.radius = drawRadius(g);
        def.key = (uint64_t)i + 1;
        assert_ok(thCreateAgent(shaped.world, &def, &shaped.ids[i]));
        const thVec2 velocity = {drawFloat(g, -2.0f, 2.0f), drawFloat(g, -2.0f, 2.0f)};
        assert_ok(thAgent_SetPreferredVelocity(shaped.world, shaped.ids[i], velocity));
    }
    return shaped;
}

// How deep a pair is, as a share of the sum of radii.
static double depthOf(const Shaped* shaped, int32_t a, int32_t b)
{
    const thAgentId ids[2] = {shaped->ids[a], shaped->ids[b]};
    thAgentInfo infos[2];
    thConvexBody bodies[2];
    int32_t x[2], y[2];
    for (int32_t i = 0; i < 2; ++i) {
        infos[i] = thAgent_GetInfo(shaped->world, ids[i]);
        assert_ok(thAgent_GetUnits(shaped->world, ids[i], &x[i], &y[i]));
        bodies[i] = (thConvexBody){.count = 1, .radius = infos[i].radius};
        if (infos[i].body.count > 0)
            bodies[i] = thiTurnShape(&infos[i].body, thAgent_Get(shaped->world, ids[i]).heading);
    }
    const bool ignore =
        (infos[0].layers & infos[1].mask) == 0 && (infos[1].layers & infos[0].mask) == 0;
    if (infos[0].level != infos[1].level || ignore)
        return 0.0;
    const double gap =
        bodyGap(&bodies[0], &bodies[1], (double)(x[1] - x[0]) / THRONG_UNITS_PER_METRE,
                (double)(y[1] - y[0]) / THRONG_UNITS_PER_METRE);
    const double radii = (double)infos[0].radius + (double)infos[1].radius;
    return gap >= 0.0 ? 0.0 : -gap < radii ? -gap / radii : 1.0;
}

// Floats may take a pair at the limit for the other side of it.
typedef struct Counts {
    int64_t least, most;
    double maxDepth;
} Counts;

static Counts countAllPairs(const Shaped* shaped)
{
    Counts counts = {0};
    for (int32_t a = 0; a < crowdSize; ++a)
        for (int32_t b = a + 1; b < crowdSize; ++b) {
            const double depth = depthOf(shaped, a, b);
            counts.least += depth > 0.01 + 1e-4;
            counts.most += depth > 0.01 - 1e-4;
            counts.maxDepth = fmax(counts.maxDepth, depth);
        }
    return counts;
}

static bool sameAsAllPairs(thGenerator* g, int32_t size, void* context)
{
    (void)size;
    (void)context;
    Shaped shaped = createShaped(g, drawInt(g, 1, 2));
    thMemory memory;
    thCollisions collisions;
    thiMemoryInit(&memory, &(thAllocator){0}, 0);
    assert_ok(thiCollisionsInit(&collisions, &memory, thTasks_GetWorkerCount(shaped.world->tasks),
                                1 << 20));
    bool same = true;
    for (int32_t i = 0; i < 4 && same; ++i) {
        const Counts counts = countAllPairs(&shaped);
        assert_ok(thiFindCollisions(&collisions, shaped.world));
        thiKeepCollisions(&collisions);
        same = collisions.pairs >= counts.least && collisions.pairs <= counts.most &&
               isNear(collisions.maxDepth, counts.maxDepth, 1e-4) &&
               (i > 0 || thiPairSetCount(&collisions.seen) == collisions.pairs);
        assert_ok(thWorld_Step(shaped.world, i == 2 ? 1.0f : 0.1f));
    }
    thiCollisionsFree(&collisions);
    thDestroyWorld(shaped.world);
    return same;
}

static void testAllPairs(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"collisions of shapes", 11, 150, 1, sameAsAllPairs, NULL});
}

// Two cars side by side, 1 m between their discs: they touch by their shapes only. And one that
// stands across, 40 cm deep in a wall.
static void testCars(void** state)
{
    (void)state;
    static const thVec2 car[] = {{2.0f, 0.9f}, {-2.0f, 0.9f}, {-2.0f, -0.9f}, {2.0f, -0.9f}};
    static const thVec2 ends[] = {{-20.0f, 7.4f}, {20.0f, 7.4f}};
    thWorld* world = createPlainWorld(0, 0);
    thProfileDef profile = thDefaultProfileDef();
    thObstacleDef wall = thDefaultObstacleDef();
    thObstacleId wallId;
    wall.kind = th_obstacleWall;
    wall.points = ends;
    wall.pointCount = 2;
    assert_ok(thCreateObstacle(world, &wall, &wallId));
    profile.plan.name = "given";
    profile.avoid.name = "none";
    profile.radius = 0.9f;
    profile.shape = car;
    profile.shapeCount = 4;
    thAgentDef def = thDefaultAgentDef();
    assert_ok(thCreateProfile(world, &profile, &def.profile, NULL));
    static const float places[][3] = {
        {0.0f, 0.0f, 0.0f}, {2.8f, 0.0f, 1.5707964f}, {-8.0f, 5.8f, 1.5707964f}};
    for (int32_t i = 0; i < 3; ++i) {
        thAgentId id;
        def.position = (thVec2){places[i][0], places[i][1]};
        def.heading = places[i][2];
        assert_ok(thCreateAgent(world, &def, &id));
    }
    thTally* tally = createTally(world);
    assert_ok(thWorld_Step(world, 0.1f));
    assert_ok(thTally_Observe(tally, 0.1));
    const thTallyResult result = thTally_GetResult(tally);
    assert_int_equal(result.uniqueCollisions, 1);
    assert_near(result.collisionsPerStep, 1.0, 1e-12);
    assert_near(result.maxDepth, 0.1 / 1.8, 1e-5);
    assert_int_equal(result.wallCrossings, 0);
    assert_near(result.maxWallDepth, 0.4, 1e-4);
    thDestroyTally(tally);
    thDestroyWorld(world);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testAllPairs),
        cmocka_unit_test(testCars),
    };
    return RUN_TESTS(tests, argc, argv);
}
