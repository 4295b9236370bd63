// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Polygons that move by `clearpath` in a world. Cars meet, boxes cross, and there is what threads
// and instruction sets must not change.

#include "avoid/avoid_world.h"
#include "geom/convex_oracle.h"
#include "throng/clearpath.h"
#include "throng/world.h"

#include <stdlib.h>

#define DT 0.1f

// Deeper than this counts as overlapping. [m]
#define TOUCHING 1.0e-3

// Boxes of that length and width; of no length, discs.
static thProfileId addBoxes(thWorld* world, const thClearpathDef* params, float length, float width,
                            float speed)
{
    const float x = 0.5f * length, y = 0.5f * width;
    const thVec2 corners[] = {{x, y}, {-x, y}, {-x, -y}, {x, -y}};
    thProfileDef def = thDefaultProfileDef();
    def.avoid = (thMethodUse){"clearpath", params};
    def.radius = y;
    def.prefSpeed = speed;
    def.maxSpeed = 1.25f * speed;
    def.neighborRadius = 15.0f;
    def.wallRadius = 10.0f;
    def.arrivalDistance = 1.0f;
    def.arrival = th_arrivalLeave;
    if (length > 0.0f) {
        def.shape = corners;
        def.shapeCount = 4;
    }
    thProfileId id;
    assertOk(thCreateProfile(world, &def, &id, NULL));
    return id;
}

static thAgentId addAgent(thWorld* world, thProfileId profile, thVec2 from, thVec2 to)
{
    thAgentDef def = thDefaultAgentDef();
    def.profile = profile;
    def.position = from;
    def.heading = thAtan2(to.y - from.y, to.x - from.x);
    def.key = (uint64_t)thWorld_GetCounters(world).agents + 1;
    assertOk(thCreatePointGoal(world, to, &def.goal));
    thAgentId id;
    assertOk(thCreateAgent(world, &def, &id));
    return id;
}

static thConvexBody bodyOf(const thWorld* world, const thAgentRow* row)
{
    const thAgentInfo info = thAgent_GetInfo(world, thWorld_FindAgent(world, row->key));
    if (info.body.count > 0)
        return thiTurnShape(&info.body, row->heading);
    return (thConvexBody){.count = 1, .radius = info.radius};
}

// Pairs that overlap; the deepest of them is noted.
static int32_t countOverlaps(const thWorld* world, double* deepest)
{
    const thAgentView view = thWorld_GetAgentView(world);
    int32_t count = 0;
    for (int32_t i = 0; i < view.slotCount; ++i)
        for (int32_t k = 0; k < i; ++k) {
            const thAgentRow *a = &view.rows[i], *b = &view.rows[k];
            if (a->flags == 0 || b->flags == 0)
                continue;
            const double x = (double)b->position.x - (double)a->position.x;
            const double y = (double)b->position.y - (double)a->position.y;
            if (hypot(x, y) > 10.0)
                continue;
            const thConvexBody own = bodyOf(world, a), other = bodyOf(world, b);
            const double gap = bodyGap(&own, &other, x, y);
            *deepest = fmax(*deepest, -gap);
            count += gap < -TOUCHING;
        }
    return count;
}

typedef struct Outcome {
    int32_t overlaps; // summed over steps
    double deepest;   // [m]
    double time;      // until all had arrived [s]
} Outcome;

static Outcome run(thWorld* world, double most)
{
    Outcome outcome = {0};
    const thCounters start = thWorld_GetCounters(world);
    while (thWorld_GetCounters(world).arrivals < (uint64_t)start.agents && outcome.time < most) {
        assertOk(thWorld_Step(world, DT));
        outcome.overlaps += countOverlaps(world, &outcome.deepest);
        outcome.time += (double)DT;
    }
    print_message("%llu of %d arrived in %.1f s; %d overlaps, the deepest %.3f m\n",
                  (unsigned long long)thWorld_GetCounters(world).arrivals, (int)start.agents,
                  outcome.time, (int)outcome.overlaps, outcome.deepest);
    assert_int_equal(thWorld_GetCounters(world).arrivals, start.agents);
    return outcome;
}

// Two cars of 4 x 1.8 m that come against each other: straight, a little aside, and on lanes that
// are free although discs round them would meet.
static void testCarsMeet(void** state)
{
    (void)state;
    static const float asides[] = {0.0f, 0.5f, 1.0f, 1.5f, 2.0f};
    for (size_t i = 0; i < sizeof asides / sizeof asides[0]; ++i) {
        thWorld* world = openWorld(0, th_simdAuto, 1);
        thClearpathDef params = thDefaultClearpathDef();
        params.horizon = 4.0f;
        const thProfileId car = addBoxes(world, &params, 4.0f, 1.8f, 3.0f);
        addAgent(world, car, (thVec2){-20.0f, 0.0f}, (thVec2){20.0f, 0.0f});
        addAgent(world, car, (thVec2){20.0f, asides[i]}, (thVec2){-20.0f, asides[i]});
        print_message("%g m aside: ", (double)asides[i]);
        const Outcome outcome = run(world, 40.0);
        assert_int_equal(outcome.overlaps, 0);
        if (asides[i] >= 2.0f)
            assert_true(outcome.time < 14.5); // nobody turned
        thDestroyWorld(world);
    }
}

// People walk across a street with cars.
static void testCarsAndPeople(void** state)
{
    (void)state;
    thWorld* world = openWorld(0, th_simdAuto, 1);
    thClearpathDef params = thDefaultClearpathDef();
    params.horizon = 3.0f;
    const thProfileId car = addBoxes(world, &params, 4.0f, 1.8f, 3.0f);
    const thProfileId person = addBoxes(world, &params, 0.0f, 0.5f, 1.3f);
    for (int32_t i = 0; i < 3; ++i)
        addAgent(world, car, (thVec2){-30.0f - 8.0f * (float)i, 0.0f}, (thVec2){40.0f, 0.0f});
    for (int32_t i = 0; i < 24; ++i) {
        const float x = -12.0f + 1.5f * (float)(i / 2), side = i % 2 == 0 ? 1.0f : -1.0f;
        addAgent(world, person, (thVec2){x, -12.0f * side}, (thVec2){x, 12.0f * side});
    }
    const Outcome outcome = run(world, 80.0);
    assert_true(outcome.overlaps <= 10 && outcome.deepest < 0.05);
    thDestroyWorld(world);
}

static thVec2 turned(double angle, double x, double y)
{
    return (thVec2){(float)(cos(angle) * x - sin(angle) * y),
                    (float)(sin(angle) * x + cos(angle) * y)};
}

// A car that leans on a wall, in any direction, goes on where the next piece of it begins.
static void testAlongWalls(void** state)
{
    (void)state;
    for (int32_t way = 0; way < 24; ++way) {
        const double angle = 0.27 * way;
        thWorld* world = openWorld(0, th_simdAuto, 1);
        const thClearpathDef params = thDefaultClearpathDef();
        const thProfileId car = addBoxes(world, &params, 4.0f, 1.8f, 3.0f);
        for (int32_t i = 0; i < 20; ++i) {
            const thVec2 points[2] = {turned(angle, -5.0 + 2.3 * i, 0.1),
                                      turned(angle, -2.7 + 2.3 * i, 0.1)};
            thObstacleDef wall = thDefaultObstacleDef();
            thObstacleId id;
            wall.kind = th_obstacleWall;
            wall.points = points;
            wall.pointCount = 2;
            assertOk(thCreateObstacle(world, &wall, &id));
        }
        const thAgentId id =
            addAgent(world, car, turned(angle, 0.0, 1.5), turned(angle, 60.0, -6.0));
        for (int32_t i = 0; i < 100; ++i)
            assertOk(thWorld_Step(world, DT));
        const thVec2 at = thAgent_Get(world, id).position;
        const thVec2 along = turned(-angle, (double)at.x, (double)at.y);
        if (!(along.x > 25.0f && along.y > 0.95f))
            fail_msg("at %g: it got to %g, %g", angle, (double)along.x, (double)along.y);
        thDestroyWorld(world);
    }
}

// Two streams of boxes through each other.
static void addStreams(thWorld* world, const thClearpathDef* params)
{
    const thProfileId box = addBoxes(world, params, 1.2f, 0.6f, 1.3f);
    for (int32_t row = 0; row < 5; ++row)
        for (int32_t column = 0; column < 6; ++column) {
            const float along = 6.0f + 2.5f * (float)column, across = -4.0f + 2.0f * (float)row;
            addAgent(world, box, (thVec2){-along, across}, (thVec2){12.0f + along, across});
            addAgent(world, box, (thVec2){across, -along}, (thVec2){across, 12.0f + along});
        }
}

static void testBoxesCross(void** state)
{
    (void)state;
    static const struct {
        const char* name;
        int32_t mode, hybrid, chain, cap;
        int32_t mostOverlaps; // summed over some 500 steps
        double deepest;       // of boxes 0.6 m wide
    } ways[] = {{"2", th_clearpathTwo, 0, th_clearpathRecommended, th_clearpathLine, 60, 0.1},
                {"1", th_clearpathOne, 0, th_clearpathRecommended, th_clearpathLine, 1500, 0.3},
                {"h", th_clearpathHalf, 0, th_clearpathRecommended, th_clearpathLine, 200, 0.1},
                {"hybrid", th_clearpathTwo, 1, th_clearpathRecommended, th_clearpathLine, 30, 0.1},
                {"paper", th_clearpathTwo, 0, th_clearpathDrop, th_clearpathLine, 300, 0.4},
                {"round", th_clearpathTwo, 0, th_clearpathRecommended, th_clearpathRound, 60, 0.1}};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i) {
        thWorld* world = openWorld(0, th_simdAuto, 1);
        thClearpathDef params = thDefaultClearpathDef();
        params.mode = ways[i].mode;
        params.hybrid = ways[i].hybrid;
        params.chain = ways[i].chain;
        params.cap = ways[i].cap;
        addStreams(world, &params);
        print_message("%s: ", ways[i].name);
        const Outcome outcome = run(world, 120.0);
        assert_true(outcome.overlaps <= ways[i].mostOverlaps);
        assert_true(outcome.deepest < ways[i].deepest);
        thDestroyWorld(world);
    }
}

// A yard with walls, a mover, people and boxes.
static thWorld* openYard(int32_t workerCount, thSimd simd)
{
    thWorld* world = openWorld(workerCount, simd, 1);
    const thClearpathDef params = thDefaultClearpathDef();
    addStreams(world, &params);
    const thProfileId person = addBoxes(world, &params, 0.0f, 0.5f, 1.3f);
    for (int32_t i = 0; i < 40; ++i) {
        const float x = -9.0f + (float)(i % 10), y = 6.0f + (float)(i / 10);
        addAgent(world, person, (thVec2){x, y}, (thVec2){-x, -y});
    }
    const thVec2 points[2] = {{-30.0f, -6.0f}, {-6.0f, -6.0f}};
    thObstacleDef obstacle = thDefaultObstacleDef();
    thObstacleId id;
    obstacle.kind = th_obstacleWall;
    obstacle.points = points;
    obstacle.pointCount = 2;
    assertOk(thCreateObstacle(world, &obstacle, &id));
    obstacle = thDefaultObstacleDef();
    obstacle.kind = th_obstacleMovingDisc;
    obstacle.radius = 0.5f;
    obstacle.position = (thVec2){9.0f, 9.0f};
    obstacle.velocity = (thVec2){-0.5f, -0.6f};
    assertOk(thCreateObstacle(world, &obstacle, &id));
    return world;
}

static uint64_t hashOfYard(int32_t workerCount, thSimd simd)
{
    thWorld* world = openYard(workerCount, simd);
    const uint64_t hash = hashAfter(world, DT, 100);
    thDestroyWorld(world);
    return hash;
}

static void testSameBits(void** state)
{
    (void)state;
    const uint64_t expected = hashOfYard(0, th_simdScalar);
    for (int32_t simd = th_simdScalar; simd < th_simdCount; ++simd)
        for (int32_t workers = 1; workers <= 2; ++workers)
            if (thSimd_IsAvailable((thSimd)simd))
                assert_true(hashOfYard(workers, (thSimd)simd) == expected);
}

// Who sees what, for the call without a world.
typedef struct Seen {
    thAvoidNeighbor neighbor;
    float distanceSq;
    uint64_t key;
} Seen;

static int compareSeen(const void* a, const void* b)
{
    const Seen *first = a, *second = b;
    if (first->distanceSq != second->distanceSq)
        return first->distanceSq < second->distanceSq ? -1 : 1;
    return first->key < second->key ? -1 : 1;
}

#define CROWD 10

typedef struct Crowd {
    thAgentId ids[CROWD];
    thBodyShape bodies[CROWD];
    thAgentRow rows[CROWD];
    int32_t x[CROWD], y[CROWD]; // [units]
    thVec2 wanted[CROWD];
} Crowd;

static thAvoidNeighbor seeFrom(const Crowd* crowd, int32_t i, int32_t k)
{
    return (thAvoidNeighbor){{(float)(crowd->x[k] - crowd->x[i]) / 65536.0f,
                              (float)(crowd->y[k] - crowd->y[i]) / 65536.0f},
                             crowd->rows[k].velocity,
                             0.25f,
                             0.5f,
                             crowd->bodies[k].count > 0 ? &crowd->bodies[k] : NULL,
                             crowd->rows[k].heading,
                             0};
}

static void assertSameAlone(const thWorld* world, const Crowd* crowd, int32_t i, thVec2 wall[2])
{
    Seen seen[CROWD];
    int32_t count = 0;
    for (int32_t k = 0; k < CROWD; ++k) {
        const thAvoidNeighbor neighbor = seeFrom(crowd, i, k);
        const thVec2 p = neighbor.position;
        if (k != i)
            seen[count++] = (Seen){neighbor, p.x * p.x + p.y * p.y, crowd->rows[k].key};
    }
    qsort(seen, (size_t)count, sizeof seen[0], compareSeen);
    thAvoidNeighbor neighbors[CROWD];
    for (int32_t k = 0; k < count; ++k)
        neighbors[k] = seen[k].neighbor;
    const thAvoidNeighbor own = seeFrom(crowd, i, i);
    const thAvoidSelf self = {own.velocity, crowd->wanted[i], 0.25f,      2.0f,
                              0.0f,         own.shape,        own.heading};
    thVec2 ends[2];
    for (int32_t k = 0; k < 2; ++k)
        ends[k] = (thVec2){(float)((int32_t)(65536.0f * wall[k].x) - crowd->x[i]) / 65536.0f,
                           (float)((int32_t)(65536.0f * wall[k].y) - crowd->y[i]) / 65536.0f};
    const thAvoidWall walls[] = {{ends[0], ends[1], {0.0f, 0.0f}, 0.0f}};
    const thClearpathDef def = thDefaultClearpathDef();
    thVec2 v;
    thClearpathStatus status;
    assertOk(thClearpath_Solve(&def, DT, &self, neighbors, count, walls, 1, &v, &status));
    assert_int_equal(status, thAgent_GetInfo(world, crowd->ids[i]).status);
    const thVec2 found = thAgent_Get(world, crowd->ids[i]).velocity;
    // Who is stopped by a wall has another velocity than was chosen.
    if (status <= th_clearpathConstrained) {
        assert_same_bits(found.x, v.x);
        assert_same_bits(found.y, v.y);
    }
}

// The call without a world gives the bits of the method.
static void testSameAlone(void** state)
{
    (void)state;
    for (int32_t number = 0; number < 100; ++number) {
        thGenerator g = makeGenerator(7, (uint64_t)number);
        thWorld* world = openWorld(0, th_simdAuto, 0);
        Crowd crowd;
        thVec2 wall[2] = {{-4.0f, -5.0f}, {5.0f, -5.0f}};
        thObstacleDef obstacle = thDefaultObstacleDef();
        thObstacleId obstacleId;
        obstacle.kind = th_obstacleWall;
        obstacle.points = wall;
        obstacle.pointCount = 2;
        assertOk(thCreateObstacle(world, &obstacle, &obstacleId));
        for (int32_t i = 0; i < CROWD; ++i) {
            crowd.bodies[i] = drawBodyShape(&g, 0.6f);
            if (drawU32(&g) % 3 == 0)
                crowd.bodies[i].count = 0;
            thProfileDef profile = thDefaultProfileDef();
            profile.maxSpeed = 2.0f;
            profile.plan.name = "given";
            profile.avoid.name = "clearpath";
            profile.keep = th_keepNone;
            profile.neighborRadius = 50.0f;
            profile.wallRadius = 50.0f;
            profile.shapeCount = crowd.bodies[i].count;
            profile.shape = profile.shapeCount > 0 ? crowd.bodies[i].corners : NULL;
            thAgentDef agent = thDefaultAgentDef();
            assertOk(thCreateProfile(world, &profile, &agent.profile, NULL));
            agent.position = (thVec2){drawFloat(&g, -4.0f, 4.0f), drawFloat(&g, -4.0f, 4.0f)};
            agent.velocity = (thVec2){drawFloat(&g, -1.0f, 1.0f), drawFloat(&g, -1.0f, 1.0f)};
            agent.heading = drawFloat(&g, -3.0f, 3.0f);
            assertOk(thCreateAgent(world, &agent, &crowd.ids[i]));
            crowd.wanted[i] = (thVec2){drawFloat(&g, -1.0f, 1.0f), drawFloat(&g, -1.0f, 1.0f)};
            assertOk(thAgent_SetPreferredVelocity(world, crowd.ids[i], crowd.wanted[i]));
            crowd.rows[i] = thAgent_Get(world, crowd.ids[i]);
            assertOk(thAgent_GetUnits(world, crowd.ids[i], &crowd.x[i], &crowd.y[i]));
        }
        assertOk(thWorld_Step(world, DT));
        for (int32_t i = 0; i < CROWD; ++i)
            assertSameAlone(world, &crowd, i, wall);
        thDestroyWorld(world);
    }
}

// A restored world goes on alike.
static void testRestored(void** state)
{
    (void)state;
    thWorld* world = openYard(0, th_simdAuto);
    for (int32_t i = 0; i < 50; ++i)
        assertOk(thWorld_Step(world, DT));
    size_t size = 0;
    assertOk(thWorld_Save(world, NULL, 0, &size));
    void* data = malloc(size);
    assert_non_null(data);
    assertOk(thWorld_Save(world, data, size, &size));
    thWorld* other = openWorld(2, th_simdAuto, 1);
    assertOk(thWorld_Restore(other, data, size, NULL));
    for (int32_t i = 0; i < 50; ++i) {
        assertOk(thWorld_Step(world, DT));
        assertOk(thWorld_Step(other, DT));
    }
    assert_true(thWorld_GetStateHash(world) == thWorld_GetStateHash(other));
    free(data);
    thDestroyWorld(world);
    thDestroyWorld(other);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testCarsMeet),   cmocka_unit_test(testCarsAndPeople),
        cmocka_unit_test(testAlongWalls), cmocka_unit_test(testBoxesCross),
        cmocka_unit_test(testSameBits),   cmocka_unit_test(testSameAlone),
        cmocka_unit_test(testRestored),
    };
    return RUN_TESTS(tests, argc, argv);
}
