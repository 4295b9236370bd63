// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Gates: who crosses is counted here from where agents are, step by step, and held against what a
// gate may let through in any stretch of time.

#include "throng/gate.h"

#include "crowds/crowd_judge.h"
#include "sim/sim_gear.h"
#include "throng/clearpath.h"
#include "throng/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_STEPS 6000
#define MOST_AGENTS 256
#define MOST_GATES 8

// A line that is watched, in units. Left of a → b is one side, the line itself the other.
typedef struct Watch {
    thGateId gate;
    int64_t ax, ay, bx, by;
    double rate; // how many it may let through [1/s]
    int32_t level;
    int32_t crossed[MOST_STEPS]; // in each step
    int32_t total;
} Watch;

typedef struct Place {
    thWorld* world;
    thProfileId profile;
    thGoalId goal[2];
    Watch watches[MOST_GATES];
    int32_t watchCount;
    int32_t steps;
    float dt;
    bool isSeenPart; // who goes round posts in long steps is not seen, nor who leaves at once
    int32_t x[MOST_AGENTS], y[MOST_AGENTS]; // by slot, before the step
    bool isKnown[MOST_AGENTS];
    Judge judge;
} Place;

static Place place; // too large for the stack

static int64_t sideOf(const Watch* watch, int64_t x, int64_t y)
{
    return (watch->bx - watch->ax) * (y - watch->ay) - (watch->by - watch->ay) * (x - watch->ax);
}

// Whether the straight way between two places comes over the line: by signs of areas.
static bool comesOver(const Watch* watch, int64_t x, int64_t y, int64_t toX, int64_t toY)
{
    if ((sideOf(watch, x, y) > 0) == (sideOf(watch, toX, toY) > 0))
        return false;
    const Watch way = {.ax = x, .ay = y, .bx = toX, .by = toY};
    const int64_t a = sideOf(&way, watch->ax, watch->ay), b = sideOf(&way, watch->bx, watch->by);
    return (a >= 0 && b <= 0) || (a <= 0 && b >= 0);
}

static void note(bool isBefore)
{
    const thAgentView view = thWorld_GetAgentView(place.world);
    assert_true(view.slotCount <= MOST_AGENTS);
    for (int32_t slot = 0; slot < view.slotCount; ++slot) {
        if (view.rows[slot].flags == 0) {
            place.isKnown[slot] = false;
            continue;
        }
        const thAgentId id = thWorld_FindAgent(place.world, view.rows[slot].key);
        int32_t x, y;
        assert_ok(thAgent_GetUnits(place.world, id, &x, &y));
        for (int32_t i = 0; i < place.watchCount && !isBefore && place.isKnown[slot]; ++i) {
            Watch* watch = &place.watches[i];
            const bool is = thAgent_GetInfo(place.world, id).level == watch->level &&
                            comesOver(watch, place.x[slot], place.y[slot], x, y);
            watch->crossed[place.steps] += is;
            watch->total += is;
        }
        place.x[slot] = x;
        place.y[slot] = y;
        place.isKnown[slot] = true;
    }
}

static void step(void)
{
    assert_true(place.steps < MOST_STEPS);
    judgeBefore(&place.judge, place.world);
    note(true);
    assert_ok(thWorld_Step(place.world, place.dt));
    note(false);
    if (!judgeAfter(&place.judge, place.world, place.dt))
        fail_msg("step %d: %s", (int)place.steps, place.judge.problem);
    place.steps += 1;
}

static bool isAnybodyThere(void)
{
    return thWorld_GetCounters(place.world).agents > 0;
}

// No stretch of steps has more than one, and what the gate lets through in that time.
static void assertKept(const Watch* watch)
{
    double before = 0.0, least = 0.0; // of crossings less what was allowed, up to a step
    for (int32_t i = 0; i < place.steps; ++i) {
        before += watch->crossed[i] - watch->rate * (double)place.dt;
        assert_true(before - least <= 1.0 + 1e-6 * i);
        least = before < least ? before : least;
    }
    const uint64_t passed = thGate_GetPassed(place.world, watch->gate);
    assert_true(passed == (uint64_t)watch->total ||
                (place.isSeenPart && passed > (uint64_t)watch->total));
}

static void open(const char* plan, const char* avoid, int32_t threads, thSimd simd)
{
    memset(&place, 0, sizeof place);
    thWorldDef def = thDefaultWorldDef();
    def.workerCount = threads;
    def.simd = simd;
    place.dt = 0.1f;
    judgeBegin(&place.judge);
    assert_ok(thCreateWorld(&def, &place.world));
    thProfileDef profile = thDefaultProfileDef();
    profile.plan.name = plan;
    profile.avoid.name = avoid;
    profile.radius = 0.2f;
    profile.arrival = th_arrivalLeave;
    assert_ok(thCreateProfile(place.world, &profile, &place.profile, NULL));
}

static void close(void)
{
    for (int32_t i = 0; i < place.watchCount; ++i)
        assertKept(&place.watches[i]);
    thDestroyWorld(place.world);
}

static void addWalls(const thVec2* points, int32_t count)
{
    thObstacleDef def = thDefaultObstacleDef();
    thObstacleId id;
    def.kind = th_obstacleWall;
    def.points = points;
    def.pointCount = count;
    assert_ok(thCreateObstacle(place.world, &def, &id));
    judgeAddObstacle(&place.judge, id, &def);
}

static thGateId addGateOn(thVec2 a, thVec2 b, float capacity, int32_t level)
{
    thGateDef def = thDefaultGateDef();
    def.a = a;
    def.b = b;
    def.capacity = capacity;
    def.level = level;
    Watch* watch = &place.watches[place.watchCount++];
    watch->ax = lround((double)a.x * 65536.0);
    watch->ay = lround((double)a.y * 65536.0);
    watch->bx = lround((double)b.x * 65536.0);
    watch->by = lround((double)b.y * 65536.0);
    watch->rate = (double)capacity * hypot((double)b.x - (double)a.x, (double)b.y - (double)a.y);
    watch->level = level;
    assert_ok(thCreateGate(place.world, &def, &watch->gate));
    return watch->gate;
}

static thGateId addGate(thVec2 a, thVec2 b, float capacity)
{
    return addGateOn(a, b, capacity, 0);
}

static thAgentId addAgent(thVec2 at, thGoalId goal, int32_t level)
{
    thAgentDef def = thDefaultAgentDef();
    def.profile = place.profile;
    def.position = at;
    def.goal = goal;
    def.level = level;
    thAgentId id;
    assert_ok(thCreateAgent(place.world, &def, &id));
    return id;
}

// The room of the IMO's fourth test, 8 m × 5 m, with an exit of 1 m and 100 people.
static void openRoom(const char* plan, const char* avoid, int32_t threads, thSimd simd)
{
    static const thVec2 walls[] = {{8.0f, 2.0f}, {8.0f, 0.0f}, {0.0f, 0.0f},
                                   {0.0f, 5.0f}, {8.0f, 5.0f}, {8.0f, 3.0f}};
    open(plan, avoid, threads, simd);
    addWalls(walls, 6);
    assert_ok(thCreatePointGoal(place.world, (thVec2){12.0f, 2.5f}, &place.goal[0]));
    for (int32_t i = 0; i < 100; ++i)
        addAgent((thVec2){0.6f + 0.7f * (float)(i / 10), 0.35f + 0.47f * (float)(i % 10)},
                 place.goal[0], 0);
}

#define DOOR_A ((thVec2){8.0f, 2.0f})
#define DOOR_B ((thVec2){8.0f, 3.0f})

static void testRoom(void** state)
{
    (void)state;
    static const char* const methods[] = {"orca", "clearpath", "rvo"};
    for (int32_t i = 0; i < 3; ++i) {
        openRoom("visibility", methods[i], 0, th_simdAuto);
        const thGateId gate = addGate(DOOR_A, DOOR_B, 1.33f);
        while (isAnybodyThere() && place.steps < 1500)
            step();
        assert_false(isAnybodyThere());
        assert_in_range(thGate_GetPassed(place.world, gate), 100, 110); // some come back
        // 75 s at best; pressing at an exit takes some of that.
        assert_true(place.steps >= 745 && place.steps < 1500);
        assert_true(place.judge.deepest <= 0.01);
        close();
    }
}

// A gate that holds nobody does not show, in nothing but its count.
static void testLarge(void** state)
{
    (void)state;
    static uint64_t hashes[1000];
    for (int32_t with = 0; with < 2; ++with) {
        openRoom("visibility", "orca", 0, th_simdAuto);
        if (with != 0)
            addGate(DOOR_A, DOOR_B, 1000.0f);
        int32_t count = 0;
        for (; isAnybodyThere() && count < 1000; ++count) {
            step();
            if (with == 0)
                hashes[count] = thWorld_GetStateHash(place.world);
            assert_int_equal(thWorld_GetStateHash(place.world), hashes[count]);
        }
        assert_false(isAnybodyThere());
        close();
    }
}

static void testThreadsAndSets(void** state)
{
    (void)state;
    uint64_t expected = 0;
    for (int32_t simd = th_simdScalar; simd < th_simdCount; ++simd)
        for (int32_t threads = 1; threads <= 4; threads *= 2) {
            if (!thSimd_IsAvailable((thSimd)simd))
                continue;
            openRoom("visibility", "clearpath", threads, (thSimd)simd);
            addGate(DOOR_A, DOOR_B, 1.33f);
            for (int32_t i = 0; i < 80; ++i)
                assert_ok(thWorld_Step(place.world, 0.1f));
            const uint64_t hash = thWorld_GetStateHash(place.world);
            if (expected == 0)
                expected = hash;
            assert_int_equal(hash, expected);
            thDestroyWorld(place.world);
        }
}

static void testSnapshot(void** state)
{
    (void)state;
    openRoom("visibility", "orca", 0, th_simdAuto);
    const thGateId gate = addGate(DOOR_A, DOOR_B, 1.33f);
    for (int32_t i = 0; i < 133; ++i)
        assert_ok(thWorld_Step(place.world, 0.1f));
    const Bytes bytes = saveWorld(place.world);
    thWorld* other = createWorld();
    assert_ok(thWorld_Restore(other, bytes.data, bytes.size, NULL));
    const Bytes again = saveWorld(other);
    assert_true(sameBytes(bytes, again));
    assert_int_equal(thGate_GetPassed(other, gate), thGate_GetPassed(place.world, gate));
    for (int32_t i = 0; i < 200; ++i) {
        assert_ok(thWorld_Step(place.world, 0.1f));
        assert_ok(thWorld_Step(other, 0.1f));
        assert_int_equal(thWorld_GetStateHash(place.world), thWorld_GetStateHash(other));
    }
    assert_int_equal(thGate_GetPassed(other, gate), thGate_GetPassed(place.world, gate));
    freeBytes(bytes);
    freeBytes(again);
    thDestroyWorld(other);
    thDestroyWorld(place.world);
}

// Nobody passes a gate without capacity, however many press; when it has one again, they do.
static void testShut(void** state)
{
    (void)state;
    openRoom("direct", "none", 0, th_simdAuto);
    const thGateId gate = addGate(DOOR_A, DOOR_B, 0.0f);
    while (place.steps < 300)
        step();
    assert_int_equal(thGate_GetPassed(place.world, gate), 0);
    assertKept(&place.watches[0]);
    assert_ok(thGate_SetCapacity(place.world, gate, 2.0f));
    place.watches[0].rate = 2.0;
    while (place.steps < 400)
        step();
    assert_in_range(thGate_GetPassed(place.world, gate), 5, 21);
    assert_ok(thDestroyGate(place.world, gate));
    place.watchCount = 0;
    while (isAnybodyThere() && place.steps < 3000)
        step();
    assert_false(isAnybodyThere());
    close();
}

// A queue waits: nobody walks to and fro.
static void testQueueStands(void** state)
{
    (void)state;
    openRoom("visibility", "orca", 0, th_simdAuto);
    addGate(DOOR_A, DOOR_B, 0.0f);
    while (place.steps < 600)
        step();
    double speeds = 0.0;
    for (int32_t i = 0; i < 100; ++i) {
        step();
        const thAgentView view = thWorld_GetAgentView(place.world);
        for (int32_t slot = 0; slot < view.slotCount; ++slot)
            speeds += hypot((double)view.rows[slot].velocity.x, (double)view.rows[slot].velocity.y);
    }
    assert_true(speeds / (100.0 * 100.0) < 0.01);
    close();
}

// Of two who come at the same time the one with the lower key is let.
static void testTies(void** state)
{
    (void)state;
    for (int32_t first = 0; first < 2; ++first) {
        open("direct", "none", 0, th_simdAuto);
        addGate((thVec2){0.0f, -20.0f}, (thVec2){0.0f, 20.0f}, 0.001f);
        for (int32_t i = 0; i < 40; ++i) // so that these two stand in cells of their own
            addAgent((thVec2){-2.0f - (float)(i % 3), -20.0f + (float)i}, (thGoalId){0}, 0);
        thAgentId ids[2];
        for (int32_t i = 0; i < 2; ++i) {
            const float side = i == first ? 15.0f : -15.0f;
            thGoalId goal;
            assert_ok(thCreatePointGoal(place.world, (thVec2){9.0f, side}, &goal));
            thAgentDef def = thDefaultAgentDef();
            def.profile = place.profile;
            def.position = (thVec2){-1.0f, side};
            def.goal = goal;
            def.key = i == 0 ? 7 : 3; // in another order than they are created in
            assert_ok(thCreateAgent(place.world, &def, &ids[i]));
        }
        while (place.steps < 30)
            step();
        assert_true(thAgent_Get(place.world, ids[0]).position.x < 0.0f);
        assert_true(thAgent_Get(place.world, ids[1]).position.x > 1.0f);
        close();
    }
}

// Where there are no walls, and people stand in each other so that contacts hold them back.
static void testPressed(void** state)
{
    (void)state;
    open("direct", "none", 0, th_simdAuto);
    place.dt = 0.3f;
    addGate((thVec2){0.0f, -20.0f}, (thVec2){0.0f, 20.0f}, 0.0f);
    assert_ok(thCreatePointGoal(place.world, (thVec2){3.0f, 0.0f}, &place.goal[0]));
    for (int32_t i = 0; i < 200; ++i)
        addAgent((thVec2){-0.1f - 0.1f * (float)(i % 20), 0.1f * (float)(i / 20 - 5)},
                 place.goal[0], 0);
    int64_t cuts = 0;
    while (place.steps < 25) {
        step();
        cuts += thWorld_GetCounters(place.world).contactCuts;
    }
    assert_true(cuts > 0);
    close();
}

// People of one file who do not look at each other come through exactly as often as the gate lets.
static void testFile(void** state)
{
    (void)state;
    static const float steps[] = {0.02f, 0.1f, 0.37f, 1.0f};
    for (int32_t k = 0; k < 4; ++k) {
        open("direct", "none", 0, th_simdAuto);
        place.dt = steps[k];
        assert_ok(thCreatePointGoal(place.world, (thVec2){18.0f, 24.0f}, &place.goal[0]));
        const thGateId gate = addGate((thVec2){4.0f, -3.0f}, (thVec2){-4.0f, 3.0f}, 0.08f);
        for (int32_t i = 0; i < 30; ++i)
            addAgent((thVec2){-1.8f - 0.3f * (float)i, -2.4f - 0.4f * (float)i}, place.goal[0], 0);
        const int32_t count = (int32_t)(30.0f / place.dt);
        for (int32_t i = 0; i < count; ++i)
            step();
        // 0.8 a second from when the first is there.
        assert_in_range(thGate_GetPassed(place.world, gate), 20, 25);
        close();
    }
}

// Those who come against each other at a gate.
static void testCounterFlow(void** state)
{
    (void)state;
    static const char* const methods[] = {"orca", "clearpath", "rvo"};
    static const thVec2 south[] = {{-30.0f, 0.0f}, {30.0f, 0.0f}};
    static const thVec2 north[] = {{-30.0f, 3.0f}, {30.0f, 3.0f}};
    for (int32_t m = 0; m < 3; ++m) {
        open("direct", methods[m], 0, th_simdAuto);
        addWalls(south, 2);
        addWalls(north, 2);
        assert_ok(thCreatePointGoal(place.world, (thVec2){11.0f, 1.5f}, &place.goal[0]));
        assert_ok(thCreatePointGoal(place.world, (thVec2){-11.0f, 1.5f}, &place.goal[1]));
        addGate((thVec2){0.0f, 0.0f}, (thVec2){0.0f, 3.0f}, 0.5f);
        for (int32_t i = 0; i < 30; ++i) {
            const thVec2 at = {2.0f + 0.7f * (float)(i / 5), 0.4f + 0.55f * (float)(i % 5)};
            addAgent((thVec2){-at.x, at.y}, place.goal[0], 0);
            addAgent(at, place.goal[1], 0);
        }
        while (isAnybodyThere() && place.steps < 2500)
            step();
        assert_false(isAnybodyThere());
        assert_true(place.steps >= 390); // 60 at 1.5 a second
        close();
    }
}

// Several gates, one after the other, and one on another floor at the same place.
static void testSeveral(void** state)
{
    (void)state;
    static const thVec2 walls[2][2] = {{{-1.0f, 0.0f}, {20.0f, 0.0f}},
                                       {{-1.0f, 2.0f}, {20.0f, 2.0f}}};
    open("direct", "orca", 0, th_simdAuto);
    addWalls(walls[0], 2);
    addWalls(walls[1], 2);
    assert_ok(thCreatePointGoal(place.world, (thVec2){18.0f, 1.0f}, &place.goal[0]));
    addGate((thVec2){8.0f, 0.0f}, (thVec2){8.0f, 2.0f}, 1.0f);
    addGate((thVec2){10.0f, 2.0f}, (thVec2){10.0f, 0.0f}, 0.5f);
    const thGateId above = addGateOn((thVec2){8.0f, 0.0f}, (thVec2){8.0f, 2.0f}, 100.0f, 1);
    for (int32_t i = 0; i < 40; ++i)
        addAgent((thVec2){0.5f * (float)(i / 4) + 0.3f, 0.3f + 0.45f * (float)(i % 4)},
                 place.goal[0], 0);
    addAgent((thVec2){0.5f, 1.0f}, place.goal[0], 1);
    while (isAnybodyThere() && place.steps < 1500)
        step();
    assert_false(isAnybodyThere());
    for (int32_t i = 0; i < 2; ++i)
        assert_in_range(thGate_GetPassed(place.world, place.watches[i].gate), 40,
                        50); // some come back
    assert_int_equal(thGate_GetPassed(place.world, above), 1);
    close();
}

// Who stands on the line belongs to its right side.
static void testOnLine(void** state)
{
    (void)state;
    for (int32_t shut = 0; shut < 2; ++shut)
        for (int32_t left = 0; left < 2; ++left) {
            open("direct", "none", 0, th_simdAuto);
            // Upwards, so left is where x is less.
            const thGateId gate =
                addGate((thVec2){1.0f, -1.0f}, (thVec2){1.0f, 1.0f}, shut != 0 ? 0.0f : 1.0f);
            assert_ok(thCreatePointGoal(place.world, (thVec2){left != 0 ? -3.0f : 5.0f, 0.0f},
                                        &place.goal[0]));
            addAgent((thVec2){1.0f, 0.0f}, place.goal[0], 0);
            while (isAnybodyThere() && place.steps < 100)
                step();
            assert_int_equal(thGate_GetPassed(place.world, gate), left != 0 && shut == 0);
            assert_int_equal(isAnybodyThere(), left != 0 && shut != 0);
            close();
        }
}

// What a mover carries over counts, and is waited for.
static void testCarried(void** state)
{
    (void)state;
    open("direct", "none", 0, th_simdAuto);
    assert_ok(thCreatePointGoal(place.world, (thVec2){9.0f, 0.0f}, &place.goal[0]));
    const thGateId gate = addGate((thVec2){0.0f, -2.0f}, (thVec2){0.0f, 2.0f}, 0.05f);
    for (int32_t i = 0; i < 3; ++i)
        addAgent((thVec2){-1.0f, -0.5f + 0.5f * (float)i}, place.goal[0], 0);
    static const thVec2 box[] = {{-0.2f, -1.5f}, {0.2f, -1.5f}, {0.2f, 1.5f}, {-0.2f, 1.5f}};
    thObstacleDef def = thDefaultObstacleDef();
    thObstacleId mover;
    def.kind = th_obstacleMovingPolygon;
    def.points = box;
    def.pointCount = 4;
    def.position = (thVec2){-4.0f, 0.0f};
    def.velocity = (thVec2){1.5f, 0.0f};
    assert_ok(thCreateObstacle(place.world, &def, &mover));
    for (int32_t i = 0; i < 60; ++i)
        assert_ok(thWorld_Step(place.world, 0.1f));
    assert_int_equal(thGate_GetPassed(place.world, gate), 3);
    // One after 6 s had been at most; now it is two and more behind.
    assert_ok(thDestroyObstacle(place.world, mover));
    addAgent((thVec2){-1.0f, 0.0f}, place.goal[0], 0);
    for (int32_t i = 0; i < 80; ++i) // 0.2 a second: not before 3 / 0.2 s
        assert_ok(thWorld_Step(place.world, 0.1f));
    assert_int_equal(thGate_GetPassed(place.world, gate), 3);
    for (int32_t i = 0; i < 40; ++i)
        assert_ok(thWorld_Step(place.world, 0.1f));
    assert_int_equal(thGate_GetPassed(place.world, gate), 4);
    thDestroyWorld(place.world);
}

// Steps that are divided.
static void testParts(void** state)
{
    (void)state;
    openRoom("direct", "orca", 0, th_simdAuto);
    thClearpathDef clearpath = thDefaultClearpathDef();
    clearpath.mode = th_clearpathOne;
    thProfileDef def = thDefaultProfileDef();
    def.avoid = (thMethodUse){"clearpath", &clearpath};
    def.radius = 0.2f;
    def.arrival = th_arrivalLeave;
    thProfileId profile;
    assert_ok(thCreateProfile(place.world, &def, &profile, NULL));
    const thAgentView view = thWorld_GetAgentView(place.world);
    for (int32_t slot = 0; slot < view.slotCount; ++slot)
        assert_ok(thAgent_SetProfile(place.world,
                                     thWorld_FindAgent(place.world, view.rows[slot].key), profile));
    const thGateId gate = addGate(DOOR_A, DOOR_B, 1.33f);
    int32_t divided = 0;
    while (place.steps < 300) {
        step();
        divided += thWorld_GetCounters(place.world).substeps > 1;
    }
    assert_true(divided > 10);
    assert_in_range(thGate_GetPassed(place.world, gate), 20, 41);
    close();
}

// Random numbers of one world, one after the other.
typedef struct {
    uint64_t stream;
    uint32_t count;
} Draws;

static float draw(Draws* draws, float low, float high)
{
    return thRandomRange(draws->stream, draws->count++, low, high);
}

// A point in a square about a centre.
static thVec2 drawPoint(Draws* draws, thVec2 centre, float half)
{
    const float x = draw(draws, -half, half);
    const float y = draw(draws, -half, half);
    return (thVec2){centre.x + x, centre.y + y};
}

// Gates anywhere, also across each other, among walls and people who want to be anywhere, in short
// steps and long ones.
static void testAnywhere(void** state)
{
    (void)state;
    static const char* const methods[] = {"none", "orca", "clearpath", "rvo"};
    static const float steps[] = {0.05f, 0.1f, 0.4f, 1.0f};
    for (int32_t seed = 0; seed < 32; ++seed) {
        Draws draws = {.stream = thRandomStream(11, (uint64_t)seed, 0, 0)};
        const thVec2 origin = {0.0f, 0.0f};
        open("direct", methods[seed % 4], 0, th_simdAuto);
        place.dt = steps[seed / 4 % 4];
        place.isSeenPart = true;
        for (int32_t i = 0; i < seed % 7; ++i) {
            const thVec2 a = drawPoint(&draws, origin, 5.0f);
            const thVec2 b = drawPoint(&draws, a, 3.0f);
            addWalls((const thVec2[]){a, b}, 2);
        }
        for (int32_t i = 0; i < MOST_GATES; ++i) {
            const thVec2 a = drawPoint(&draws, origin, 4.0f);
            const thVec2 b = drawPoint(&draws, a, 5.0f);
            addGate(a, b, draw(&draws, 0.0f, 0.5f));
        }
        for (int32_t i = 0; i < 60; ++i) {
            thGoalId goal;
            assert_ok(thCreatePointGoal(place.world, drawPoint(&draws, origin, 6.0f), &goal));
            thAgentDef def = thDefaultAgentDef();
            def.profile = place.profile;
            def.position = (thVec2){-6.0f + 1.3f * (float)(i % 10), -6.0f + 2.0f * (float)(i / 10)};
            def.goal = goal;
            def.placement = th_placementNearest;
            def.radius = draw(&draws, 0.05f, 0.3f);
            def.prefSpeed = draw(&draws, 0.5f, 3.0f);
            thAgentId id;
            assert_ok(thCreateAgent(place.world, &def, &id));
        }
        for (int32_t i = 0; i < 90; ++i)
            step();
        close();
    }
}

static void testRefused(void** state)
{
    (void)state;
    const thGateDef defaults = thDefaultGateDef();
    assert_true(defaults.size == sizeof defaults && defaults.capacity == 1.33f);
    thWorld* world = createWorld();
    listen();
    thGateId id;
    thGateDef good = thDefaultGateDef();
    good.b = (thVec2){1.0f, 0.0f};
    static const float wrong[] = {-1.0f, NAN, INFINITY, 2.0e6f};
    for (int32_t i = 0; i < 4; ++i) {
        thGateDef def = good;
        def.capacity = wrong[i];
        assert_refused(world, thCreateGate(world, &def, &id));
        assert_int_equal(id.value, 0);
        def = good;
        def.a.y = i == 0 ? 40000.0f : wrong[i] * 1e5f;
        assert_refused(world, thCreateGate(world, &def, &id));
    }
    thGateDef point = good;
    point.b = (thVec2){0.000001f, 0.0f}; // the same place, as the world has it
    assert_refused(world, thCreateGate(world, &point, &id));
    thGateDef high = good;
    high.level = 65536;
    assert_refused(world, thCreateGate(world, &high, &id));
    assert_ok(thCreateGate(world, &good, &id));
    assert_refused(world, thGate_SetCapacity(world, id, -0.5f));
    assert_refused(world, thGate_SetCapacity(world, id, NAN));
    const thGateId stale = id;
    assert_ok(thDestroyGate(world, id));
    assert_refused(world, thDestroyGate(world, stale));
    assert_refused(world, thGate_SetCapacity(world, stale, 1.0f));
    assert_int_equal(thGate_GetPassed(world, stale), 0);
    thSetHooks(NULL);
    thDestroyWorld(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testRoom),           cmocka_unit_test(testLarge),
        cmocka_unit_test(testThreadsAndSets), cmocka_unit_test(testSnapshot),
        cmocka_unit_test(testShut),           cmocka_unit_test(testQueueStands),
        cmocka_unit_test(testTies),           cmocka_unit_test(testPressed),
        cmocka_unit_test(testFile),           cmocka_unit_test(testCounterFlow),
        cmocka_unit_test(testSeveral),        cmocka_unit_test(testOnLine),
        cmocka_unit_test(testCarried),        cmocka_unit_test(testParts),
        cmocka_unit_test(testAnywhere),       cmocka_unit_test(testRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
