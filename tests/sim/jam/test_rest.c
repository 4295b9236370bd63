// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Those who stand: who has arrived at a shared place comes to rest, who waits or has no goal is
// moved by a body's width at most and comes back, who holds is moved by movers only, and nobody is
// carried along faster than he can walk.

#include "sim/jam/jam_gear.h"
#include "throng/random.h"

#include <math.h>
#include <stdatomic.h>

#define MANY 120

static const char* const methods[] = {"orca", "clearpath", "rvo", "steer"};

static thProfileId addKind(thWorld* world, const char* method, float radius, float speed)
{
    thProfileDef def = thDefaultProfileDef();
    def.avoid.name = method;
    def.radius = radius;
    def.prefSpeed = speed;
    def.arrivalDistance = 0.5f;
    thProfileId id;
    assert_ok(thCreateProfile(world, &def, &id, NULL));
    return id;
}

static thAgentId addAgent(thWorld* world, thProfileId profile, thVec2 at, thGoalId goal,
                          uint32_t flags)
{
    thAgentDef def = thDefaultAgentDef();
    def.profile = profile;
    def.position = at;
    def.goal = goal;
    def.flags = flags;
    thAgentId id;
    assert_ok(thCreateAgent(world, &def, &id));
    return id;
}

static thGoalId addPoint(thWorld* world, thVec2 at)
{
    thGoalId goal;
    assert_ok(thCreatePointGoal(world, at, &goal));
    return goal;
}

static float distance(thVec2 a, thVec2 b)
{
    return hypotf(a.x - b.x, a.y - b.y);
}

static void steps(thWorld* world, int32_t count)
{
    for (int32_t i = 0; i < count; ++i)
        assert_ok(thWorld_Step(world, JAM_STEP));
}

static float jitter(int32_t seed, int32_t i, uint32_t purpose)
{
    return thRandomRange(thRandomStream((uint64_t)seed, (uint64_t)i, 0, purpose), 0, -0.1f, 0.1f);
}

// Mean speed of all. [m/s]
static float meanSpeed(const thWorld* world)
{
    const thAgentView view = thWorld_GetAgentView(world);
    float sum = 0.0f;
    for (int32_t slot = 0; slot < view.slotCount; ++slot)
        sum += hypotf(view.rows[slot].velocity.x, view.rows[slot].velocity.y);
    return sum / (float)view.agentCount;
}

// A crowd that walks to one point stands round it in the end.
static void testSharedPoint(void** state)
{
    (void)state;
    for (int32_t i = 0; i < 4 * 6; ++i) {
        thWorld* world = createCrowdWorld(1, th_simdAuto);
        const float radius = 0.2f + 0.03f * (float)(i / 4);
        const thProfileId profile = addKind(world, methods[i % 4], radius, 1.4f);
        const thGoalId goal = addPoint(world, (thVec2){3.0f, -2.0f});
        for (int32_t k = 0; k < 60; ++k)
            addAgent(world, profile,
                     (thVec2){1.2f * (float)(k % 8) + jitter(i, k, 1),
                              1.2f * (float)(k / 8) + jitter(i, k, 2)},
                     goal, 0);
        steps(world, 600);
        float speed = 0.0f;
        for (int32_t k = 0; k < 100; ++k) {
            steps(world, 1);
            speed += 0.01f * meanSpeed(world);
        }
        if (speed >= 0.02f)
            print_message("%s, radius %g: %g m/s\n", methods[i % 4], (double)radius, (double)speed);
        assert_true(speed < 0.02f);
        assert_int_equal(thWorld_GetCounters(world).arrivals, 60);
        thDestroyWorld(world);
    }
}

typedef struct Guards {
    thWorld* world;
    thAgentId ids[5];
    thVec2 homes[5];
} Guards;

// Five stand about in the way of many who walk east.
static Guards postGuards(const char* method, uint32_t flags, bool haveGoals)
{
    Guards guards = {.world = createCrowdWorld(1, th_simdAuto)};
    const thProfileId profile = addKind(guards.world, method, 0.25f, 1.34f);
    for (int32_t i = 0; i < 5; ++i) {
        guards.homes[i] = (thVec2){1.3f * (float)(i % 2), 1.2f * (float)i};
        const thGoalId none = {0};
        const thGoalId goal = haveGoals ? addPoint(guards.world, (thVec2){0.0f, 50.0f}) : none;
        guards.ids[i] = addAgent(guards.world, profile, guards.homes[i], goal, flags);
    }
    for (int32_t i = 0; i < MANY; ++i) {
        const thVec2 from = {-3.0f - 0.8f * (float)(i / 8), 0.65f * (float)(i % 8)};
        const thGoalId goal = addPoint(guards.world, (thVec2){from.x + 40.0f, from.y});
        addAgent(guards.world, profile, (thVec2){from.x + jitter(1, i, 1), from.y}, goal, 0);
    }
    return guards;
}

// How far one of them is from where it stood.
static float furthest(const Guards* guards)
{
    float most = 0.0f;
    for (int32_t i = 0; i < 5; ++i)
        most = fmaxf(
            most, distance(thAgent_Get(guards->world, guards->ids[i]).position, guards->homes[i]));
    return most;
}

static void testWhoWaitsComesBack(void** state)
{
    (void)state;
    for (int32_t i = 0; i < 7; ++i) { // without a goal, `steer` may roam
        const bool waits = i < 4;
        Guards guards = postGuards(methods[i % 4], waits ? th_agentWaiting : 0, waits);
        float most = 0.0f;
        for (int32_t k = 0; k < 700; ++k) {
            steps(guards.world, 1);
            most = fmaxf(most, furthest(&guards));
        }
        print_message("%s: up to %.3f m\n", methods[i % 4], (double)most);
        assert_true(most > 0.05f); // they do step aside
        assert_true(most <= 0.5f + 0.01f);
        assert_true(furthest(&guards) < 0.01f);
        assert_int_equal(thWorld_GetCounters(guards.world).arrivals, MANY);
        thDestroyWorld(guards.world);
    }
}

// Through people who stand close together: walkers get to the other side, and all who stood are
// where they were in the end, though they block each other's way back.
static void passThroughGroup(const char* method, int32_t side, float radius, float gap)
{
    thWorld* world = createCrowdWorld(1, th_simdAuto);
    const thProfileId profile = addKind(world, method, radius, 1.34f);
    thAgentId ids[64];
    thVec2 homes[64];
    const int32_t count = side * side;
    const float apart = 2.0f * radius + gap, from = -0.5f * apart * (float)(side - 1);
    for (int32_t i = 0; i < count; ++i) {
        homes[i] = (thVec2){from + apart * (float)(i % side), from + apart * (float)(i / side)};
        ids[i] = addAgent(world, profile, homes[i], (thGoalId){0}, 0);
    }
    const thGoalId goal = addPoint(world, (thVec2){9.0f, 0.0f});
    for (int32_t i = 0; i < 3; ++i)
        addAgent(world, profile, (thVec2){-6.0f, 0.8f * (float)i}, goal, 0);
    steps(world, 2000);
    float most = 0.0f;
    for (int32_t i = 0; i < count; ++i)
        most = fmaxf(most, distance(thAgent_Get(world, ids[i]).position, homes[i]));
    const int64_t arrived = (int64_t)thWorld_GetCounters(world).arrivals;
    if (most > 0.01f || arrived != 3)
        print_message("%s, radius %g, gap %g: %d of 3 are through, %g m off\n", method,
                      (double)radius, (double)gap, (int)arrived, (double)most);
    assert_int_equal(arrived, 3);
    assert_true(most <= 0.01f);
    thDestroyWorld(world);
}

static void testThroughGroup(void** state)
{
    (void)state;
    for (int32_t i = 0; i < 3; ++i) { // `steer` turns too slowly
        passThroughGroup(methods[i], 5, 0.25f, 0.1f);
        passThroughGroup(methods[i], 6, 0.3f, 0.2f);
        passThroughGroup(methods[i], 4, 0.35f, 0.15f);
        passThroughGroup(methods[i], 7, 0.2f, 0.1f);
    }
}

static void testWhoHoldsStays(void** state)
{
    (void)state;
    for (int32_t i = 0; i < 3; ++i) { // `steer` turns too slowly to get round them all
        Guards guards = postGuards(methods[i], th_agentHolds, true);
        for (int32_t k = 0; k < 600; ++k) {
            steps(guards.world, 1);
            assert_true(furthest(&guards) < 1e-4f); // where it stands is rounded
        }
        assert_int_equal(thWorld_GetCounters(guards.world).arrivals, MANY);
        // Told to go on, they walk.
        for (int32_t k = 0; k < 5; ++k)
            assert_ok(thAgent_SetHold(guards.world, guards.ids[k], 0));
        steps(guards.world, 20);
        assert_true(furthest(&guards) > 2.0f);
        thDestroyWorld(guards.world);
    }
}

static void testMoversShiftHolders(void** state)
{
    (void)state;
    thWorld* world = createCrowdWorld(1, th_simdAuto);
    const thProfileId profile = addKind(world, "orca", 0.25f, 1.34f);
    const thAgentId one =
        addAgent(world, profile, (thVec2){0.0f, 0.0f}, (thGoalId){0}, th_agentHolds);
    thObstacleDef car = thDefaultObstacleDef();
    car.kind = th_obstacleMovingDisc;
    car.radius = 0.5f;
    car.position = (thVec2){-2.0f, 0.0f};
    car.velocity = (thVec2){1.0f, 0.0f};
    thObstacleId id;
    assert_ok(thCreateObstacle(world, &car, &id));
    steps(world, 30);
    assert_true(thAgent_Get(world, one).position.x > 1.5f);
    assert_ok(thDestroyObstacle(world, id));
    const thVec2 there = thAgent_Get(world, one).position;
    steps(world, 20);
    assert_true(distance(there, thAgent_Get(world, one).position) == 0.0f);
    thDestroyWorld(world);
}

// Where it was put is where it rests.
static void testPutElsewhere(void** state)
{
    (void)state;
    thWorld* world = createCrowdWorld(1, th_simdAuto);
    const thProfileId profile = addKind(world, "orca", 0.25f, 1.34f);
    const thAgentId one =
        addAgent(world, profile, (thVec2){0.0f, 0.0f}, (thGoalId){0}, th_agentWaiting);
    steps(world, 3);
    assert_ok(thAgent_SetPlace(world, one, (thVec2){5.0f, 0.0f}, 0, th_placementRefuse));
    steps(world, 20);
    assert_true(thAgent_Get(world, one).position.x == 5.0f);
    thDestroyWorld(world);
}

// Who is told to wait while it walks stays where it was then.
static void testToldToWait(void** state)
{
    (void)state;
    thWorld* world = createCrowdWorld(1, th_simdAuto);
    const thProfileId profile = addKind(world, "orca", 0.25f, 1.34f);
    const thAgentId one =
        addAgent(world, profile, (thVec2){0.0f, 0.0f}, addPoint(world, (thVec2){50.0f, 0.0f}), 0);
    steps(world, 20);
    const thVec2 there = thAgent_Get(world, one).position;
    assert_ok(thAgent_SetWaiting(world, one, 1));
    steps(world, 20);
    assert_true(distance(there, thAgent_Get(world, one).position) == 0.0f);
    thDestroyWorld(world);
}

// Slow people in a stream of fast ones, between walls.
static void testSlowStaySlow(void** state)
{
    (void)state;
    for (int32_t i = 0; i < 4; ++i) {
        thWorld* world = createCrowdWorld(1, th_simdAuto);
        const thProfileId profile = addKind(world, methods[i], 0.25f, 1.34f);
        addWall(world, -40.0f, -2.0f, 60.0f, -2.0f);
        addWall(world, -40.0f, 2.0f, 60.0f, 2.0f);
        thAgentId slow[5];
        for (int32_t k = 0; k < MANY; ++k) {
            thAgentDef def = thDefaultAgentDef();
            def.profile = profile;
            def.position =
                (thVec2){-0.65f * (float)(k / 6) + jitter(2, k, 1), -1.6f + 0.64f * (float)(k % 6)};
            def.goal = addPoint(world, (thVec2){80.0f, 0.0f});
            const bool isSlow = k % 6 == 1 && k / 6 < 5;
            def.prefSpeed = isSlow ? 0.5f : -1.0f;
            thAgentId id;
            assert_ok(thCreateAgent(world, &def, &id));
            if (isSlow)
                slow[k / 6] = id;
        }
        for (int32_t k = 0; k < 200; ++k) {
            steps(world, 1);
            for (int32_t s = 0; s < 5; ++s) {
                const thVec2 velocity = thAgent_Get(world, slow[s]).velocity;
                assert_true(hypotf(velocity.x, velocity.y) <= 0.65f + 0.001f);
            }
        }
        thDestroyWorld(world);
    }
}

// Methods are not asked about those who rest, until somebody comes near. The batches of avoidance
// are counted by one that does as `none`.
static _Atomic int32_t asked;

static void countAsked(const thBatch* batch, const void* params, const void* shared)
{
    (void)params;
    (void)shared;
    atomic_fetch_add(&asked, batch->count);
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        batch->outVx[lane] = batch->guideX[lane];
        batch->outVy[lane] = batch->guideY[lane];
    }
}

static int32_t askedIn(thWorld* world, int32_t count)
{
    asked = 0;
    steps(world, count);
    return asked;
}

static void testLeftAlone(void** state)
{
    (void)state;
    for (int32_t i = 0; i < 2; ++i) {
        thWorld* world = createCrowdWorld(1, th_simdAuto);
        const uint32_t sees = th_needsNeighbors | th_needsMovers;
        const thMethod counts = {.size = sizeof counts,
                                 .name = "counts",
                                 .version = 1,
                                 .needs = i == 0 ? sees : sees | th_needsNoneAtRest,
                                 .solve = countAsked};
        assert_ok(thWorld_AddMethod(world, th_methodAvoid, &counts));
        const thProfileId profile = addKind(world, "counts", 0.25f, 1.34f);
        thAgentId first = {0};
        for (int32_t k = 0; k < 10; ++k) {
            const thVec2 at = {2.0f * (float)k, 0.0f};
            const thAgentId id = addAgent(world, profile, at, addPoint(world, at), 0);
            first = k == 0 ? id : first;
        }
        steps(world, 5);
        assert_int_equal(askedIn(world, 10), i == 0 ? 100 : 0);
        if (i == 1) {
            // One walks past all: those about it are asked, and stay or come back.
            const thAgentId one = addAgent(world, profile, (thVec2){-3.0f, 0.6f},
                                           addPoint(world, (thVec2){22.0f, 0.6f}), 0);
            const int32_t all = askedIn(world, 200);
            assert_in_range(all, 200, 600);
            assert_true((thAgent_Get(world, one).flags & th_agentArrived) != 0);
            // One that goes on to another goal does so at once.
            assert_ok(thAgent_SetGoal(world, first, addPoint(world, (thVec2){0.0f, -5.0f})));
            steps(world, 60);
            assert_true(fabsf(thAgent_Get(world, first).position.y + 5.0f) < 0.5f);
        }
        thDestroyWorld(world);
    }
}

// What is kept of rest and hold is part of snapshots and hashes.
static void testSaved(void** state)
{
    (void)state;
    Guards guards = postGuards("orca", th_agentWaiting, true);
    assert_ok(thAgent_SetHold(guards.world, guards.ids[2], 1));
    steps(guards.world, 60);
    const Bytes bytes = saveWorld(guards.world);
    thWorld* copy = createCrowdWorld(1, th_simdAuto);
    assert_ok(thWorld_Restore(copy, bytes.data, bytes.size, NULL));
    assert_true((thAgent_Get(copy, guards.ids[2]).flags & th_agentHolds) != 0);
    for (int32_t k = 0; k < 100; ++k) {
        steps(guards.world, 1);
        steps(copy, 1);
        assert_true(thWorld_GetStateHash(copy) == thWorld_GetStateHash(guards.world));
    }
    freeBytes(bytes);
    thDestroyWorld(copy);
    thDestroyWorld(guards.world);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testSharedPoint),        cmocka_unit_test(testWhoWaitsComesBack),
        cmocka_unit_test(testThroughGroup),       cmocka_unit_test(testWhoHoldsStays),
        cmocka_unit_test(testMoversShiftHolders), cmocka_unit_test(testPutElsewhere),
        cmocka_unit_test(testToldToWait),         cmocka_unit_test(testSlowStaySlow),
        cmocka_unit_test(testLeftAlone),          cmocka_unit_test(testSaved),
    };
    return RUN_TESTS(tests, argc, argv);
}
