// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Movers and agents in a world: who is pushed, who is squeezed, and doors that wait.

#include "sim/sim_gear.h"
#include "throng/measure.h"
#include "throng/random.h"

#include <math.h>

static thWorld* makeWorld(thProfileId* profile)
{
    thWorldDef def = thDefaultWorldDef();
    def.contacts = 1;
    thWorld* world;
    assert_int_equal(thCreateWorld(&def, &world), th_resultOk);
    thProfileDef walker = thDefaultProfileDef();
    assert_int_equal(thCreateProfile(world, &walker, profile, NULL), th_resultOk);
    return world;
}

static thAgentId addAgent(thWorld* world, thProfileId profile, float x, float y)
{
    thAgentDef def = thDefaultAgentDef();
    def.profile = profile;
    def.position = (thVec2){x, y};
    thAgentId id;
    assert_int_equal(thCreateAgent(world, &def, &id), th_resultOk);
    return id;
}

// A slab, 1 m thick and 6 m high, that comes from the left at 1 m/s.
static thObstacleId addSlab(thWorld* world, int32_t yields)
{
    const thVec2 corners[] = {{-0.5f, -3.0f}, {0.5f, -3.0f}, {0.5f, 3.0f}, {-0.5f, 3.0f}};
    thObstacleDef def = thDefaultObstacleDef();
    def.kind = th_obstacleMovingPolygon;
    def.points = corners;
    def.pointCount = 4;
    def.position = (thVec2){-2.0f, 0.0f};
    def.velocity = (thVec2){1.0f, 0.0f};
    def.yields = yields;
    thObstacleId id;
    assert_int_equal(thCreateObstacle(world, &def, &id), th_resultOk);
    return id;
}

static void stepFor(thWorld* world, float seconds)
{
    for (int32_t i = 0; i < (int32_t)(seconds * 10.0f + 0.5f); ++i)
        assert_int_equal(thWorld_Step(world, 0.1f), th_resultOk);
}

static void pushesAlong(void** state)
{
    (void)state;
    thProfileId profile;
    thWorld* world = makeWorld(&profile);
    const thAgentId agent = addAgent(world, profile, 0.0f, 0.5f);
    addSlab(world, 0);
    stepFor(world, 5.0f); // its front is at 3.5 m then
    const thAgentRow row = thAgent_Get(world, agent);
    assert_near(row.position.x, 3.75, 0.01);
    assert_near(row.position.y, 0.5, 0.01);
    assert_near(row.velocity.x, 1.0, 0.01);
    assert_int_equal(row.flags & th_agentSqueezed, 0);
    thDestroyWorld(world);
}

static void squeezesAgainstAWall(void** state)
{
    (void)state;
    thProfileId profile;
    thWorld* world = makeWorld(&profile);
    const thAgentId agent = addAgent(world, profile, 0.0f, 0.0f);
    addWall(world, 1.0f, -5.0f, 1.0f, 5.0f);
    addSlab(world, 0);
    stepFor(world, 2.7f); // it covers 0.2 m to 1.2 m then
    const thAgentRow row = thAgent_Get(world, agent);
    assert_true(row.position.x <= 0.75f + 0x1p-12f); // the wall has the last word
    assert_int_not_equal(row.flags & th_agentSqueezed, 0);
    int32_t count;
    const thEvent* events = thWorld_GetEvents(world, &count);
    assert_int_equal(count, 1);
    assert_int_equal(events[0].kind, th_eventSqueezed);
    assert_true(events[0].agent.value == agent.value);
    thDestroyWorld(world);
}

static void aDoorWaits(void** state)
{
    (void)state;
    thProfileId profile;
    thWorld* world = makeWorld(&profile);
    const thAgentId agent = addAgent(world, profile, 0.0f, 0.0f);
    addWall(world, 1.0f, -5.0f, 1.0f, 5.0f);
    const thObstacleId door = addSlab(world, 1);
    stepFor(world, 4.0f);
    assert_int_equal(thAgent_Get(world, agent).flags & th_agentSqueezed, 0);
    thVec2 place;
    float angle;
    assert_int_equal(thObstacle_GetPlace(world, door, &place, &angle), th_resultOk);
    assert_true(place.x <= 0.01f); // half a metre of agent and half a metre of slab before the wall
    assert_true(place.x >= -0.15f); // it went as far as it could
    assert_int_equal(thDestroyAgent(world, agent), th_resultOk);
    stepFor(world, 1.0f);
    assert_int_equal(thObstacle_GetPlace(world, door, &place, &angle), th_resultOk);
    assert_true(place.x > 0.8f); // and goes on when the way is free
    thDestroyWorld(world);
}

// Nobody passes a wall, whatever pushes.
static void crowdsDoNotPassWalls(void** state)
{
    (void)state;
    thProfileId profile;
    thWorld* world = makeWorld(&profile);
    for (int32_t i = 0; i < 40; ++i)
        addAgent(world, profile, -0.9f + 0.55f * (float)(i % 4), -2.7f + 0.55f * (float)(i / 4));
    addWall(world, 1.0f, -5.0f, 1.0f, 5.0f);
    addSlab(world, 0);
    for (int32_t i = 0; i < 30; ++i) {
        stepFor(world, 0.1f);
        const thAgentView view = thWorld_GetAgentView(world);
        for (int32_t slot = 0; slot < view.slotCount; ++slot)
            assert_true(view.rows[slot].position.x <= 0.75f + 0x1p-12f ||
                        view.rows[slot].position.y > 5.0f || view.rows[slot].position.y < -5.0f);
    }
    thDestroyWorld(world);
}

// A mover that goes kilometres in a step carries people for one, and then leaves them behind.
static void leavesBehind(void** state)
{
    (void)state;
    thProfileId profile;
    thWorld* world = makeWorld(&profile);
    const thAgentId agent = addAgent(world, profile, 0.0f, 0.0f);
    thObstacleDef def = thDefaultObstacleDef();
    def.kind = th_obstacleMovingDisc;
    def.radius = 1.0f;
    def.position = (thVec2){-1.5f, 0.0f};
    def.velocity = (thVec2){1000.0f, 0.0f};
    thObstacleId id;
    assert_int_equal(thCreateObstacle(world, &def, &id), th_resultOk);
    assert_int_equal(thWorld_Step(world, 5.0f), th_resultOk);
    assert_in_range((int32_t)thAgent_Get(world, agent).position.x, 900, 1024);
    assert_true((thAgent_Get(world, agent).flags & th_agentSqueezed) != 0);
    thDestroyWorld(world);
}

// Fast movers. In the way of one that goes along a path, or straight, stands a crowd between walls.
typedef struct Chase {
    thVec2 path[4];
    int32_t pathCount;
    float speed, size, dt; // half of its width
    bool isBar;            // as wide, but thin, and goes along x; else a disc
} Chase;

// Where on the path a point is nearest, and how far from it.
static void findOnPath(const Chase* chase, thVec2 p, double* along, double* aside)
{
    double length = 0.0;
    *aside = 1e9;
    for (int32_t i = 0; i + 1 < chase->pathCount; ++i) {
        const thVec2 a = chase->path[i], b = chase->path[i + 1];
        const double dx = (double)b.x - (double)a.x, dy = (double)b.y - (double)a.y;
        const double whole = sqrt(dx * dx + dy * dy);
        const double x = (double)p.x - (double)a.x, y = (double)p.y - (double)a.y;
        double at = (x * dx + y * dy) / whole;
        at = at < 0.0 ? 0.0 : at > whole ? whole : at;
        const double offX = x - at * dx / whole, offY = y - at * dy / whole;
        const double distance = sqrt(offX * offX + offY * offY);
        if (distance < *aside) {
            *aside = distance;
            *along = length + at;
        }
        length += whole;
    }
}

static void addChaser(thWorld* world, const Chase* chase)
{
    const thVec2 corners[] = {
        {-0.05f, -chase->size}, {0.05f, -chase->size}, {0.05f, chase->size}, {-0.05f, chase->size}};
    thObstacleDef def = thDefaultObstacleDef();
    def.kind = chase->isBar ? th_obstacleMovingPolygon : th_obstacleMovingDisc;
    def.points = corners;
    def.pointCount = chase->isBar ? 4 : 0;
    def.radius = chase->size;
    def.path = chase->path;
    def.pathCount = chase->pathCount;
    def.pathSpeed = chase->speed;
    thObstacleId id;
    assert_int_equal(thCreateObstacle(world, &def, &id), th_resultOk);
}

// Whom it went over from one step to the next has given way, or is squeezed; nobody went through a
// wall.
static void checkChased(const thWorld* world, const Chase* chase, const thAgentRow* before,
                        double from, double to, int32_t* passed)
{
    const thAgentView view = thWorld_GetAgentView(world);
    for (int32_t slot = 0; slot < view.slotCount; ++slot) {
        const thVec2 a = before[slot].position, b = view.rows[slot].position;
        double alongA, alongB, asideA, asideB;
        findOnPath(chase, a, &alongA, &asideA);
        findOnPath(chase, b, &alongB, &asideB);
        const double radius = 0.25, body = chase->isBar ? 0.05 : (double)chase->size;
        const bool wasAhead = alongA > from + body + radius, isBehind = alongB < to - body - radius;
        const double lane = 0.5 * (double)chase->size; // others push people back behind it
        if (wasAhead && isBehind) {
            *passed += 1;
            if (asideA < lane && asideB < lane && (view.rows[slot].flags & th_agentSqueezed) == 0)
                fail_msg("%.0f m/s, steps of %.1f s: it went over (%.3f, %.3f), now (%.3f, %.3f)",
                         (double)chase->speed, (double)chase->dt, (double)a.x, (double)a.y,
                         (double)b.x, (double)b.y);
        }
    }
}

static void chase(const Chase* chase, uint64_t seed, int32_t* passed)
{
    enum { crowd = 60 };
    thProfileId profile;
    thWorld* world = makeWorld(&profile);
    addWall(world, -2.0f, 2.5f, 12.0f, 2.5f);
    addWall(world, 4.0f, -2.5f, 4.0f, -0.9f);
    addWall(world, -2.0f, -2.5f, 12.0f, -2.5f);
    for (int32_t i = 0; i < crowd; ++i) {
        thAgentDef def = thDefaultAgentDef();
        const uint64_t stream = thRandomStream(seed, (uint64_t)i, 0, 0);
        def.profile = profile;
        def.placement = th_placementNearest;
        def.position =
            (thVec2){thRandomRange(stream, 0, 0.0f, 8.0f), thRandomRange(stream, 1, -2.0f, 2.0f)};
        thAgentId id;
        assert_int_equal(thCreateAgent(world, &def, &id), th_resultOk);
    }
    stepFor(world, 0.5f);
    addChaser(world, chase);
    thTallyDef watched = thDefaultTallyDef();
    watched.checkWalls = 1;
    thTally* tally;
    assert_int_equal(thCreateTally(&watched, world, &tally), th_resultOk);
    double at = 0.0, length, ignored;
    findOnPath(chase, chase->path[chase->pathCount - 1], &length, &ignored);
    for (int32_t step = 0; step < 4; ++step) {
        thAgentRow before[crowd];
        const thAgentView view = thWorld_GetAgentView(world);
        for (int32_t slot = 0; slot < crowd; ++slot)
            before[slot] = view.rows[slot];
        assert_int_equal(thWorld_Step(world, chase->dt), th_resultOk);
        const double to = fmin(at + (double)chase->speed * (double)chase->dt, length);
        assert_int_equal(thTally_Observe(tally, (double)chase->dt * (step + 1)), th_resultOk);
        checkChased(world, chase, before, at, to, passed);
        at = to;
    }
    const thTallyResult result = thTally_GetResult(tally);
    assert_int_equal(result.wallCrossings, 0);
    assert_true(result.maxWallDepth < 0.001);
    thDestroyTally(tally);
    thDestroyWorld(world);
}

static void fastMoversSweep(void** state)
{
    (void)state;
    static const float dts[] = {0.1f, 0.2f, 0.5f, 1.0f};
    int32_t passed = 0;
    for (uint64_t seed = 0; seed < 160; ++seed) {
        const uint64_t stream = thRandomStream(11, seed, 0, 0);
        Chase straight = {.path = {{-3.0f, 0.0f}, {97.0f, 0.0f}},
                          .pathCount = 2,
                          .speed = thRandomRange(stream, 0, 10.0f, 60.0f),
                          .size = thRandomRange(stream, 1, 0.3f, 1.0f),
                          .dt = dts[seed % 4],
                          .isBar = seed % 2 == 1};
        chase(&straight, seed, &passed);
        // Round two corners, which a step passes.
        Chase bent = {.path = {{-3.0f, -1.0f}, {2.0f, -1.0f}, {2.0f, 1.2f}, {92.0f, 1.2f}},
                      .pathCount = 4,
                      .speed = straight.speed,
                      .size = thRandomRange(stream, 2, 0.3f, 0.8f),
                      .dt = straight.dt};
        chase(&bent, seed, &passed);
    }
    assert_true(passed > 200);
}

// Out from under a mover it is fast for a step; then its own speed limit holds again, whatever its
// limit of acceleration.
static void doesNotFly(void** state)
{
    (void)state;
    thProfileId profile;
    thWorld* world = makeWorld(&profile);
    thProfileDef walker = thDefaultProfileDef();
    walker.avoid.name = "orca";
    walker.maxAccel = 1.0f;
    thAgentDef agent = thDefaultAgentDef();
    assert_int_equal(thCreateProfile(world, &walker, &agent.profile, NULL), th_resultOk);
    thObstacleDef def = thDefaultObstacleDef();
    def.kind = th_obstacleMovingDisc;
    def.radius = 2.0f;
    def.position = (thVec2){0.5f, 0.0f};
    thObstacleId obstacle;
    thAgentId id;
    assert_int_equal(thCreateObstacle(world, &def, &obstacle), th_resultOk);
    assert_int_equal(thCreateAgent(world, &agent, &id), th_resultOk);
    for (int32_t i = 0; i < 2; ++i)
        assert_int_equal(thWorld_Step(world, 0.05f), th_resultOk);
    const thVec2 velocity = thAgent_Get(world, id).velocity;
    assert_true(velocity.x * velocity.x + velocity.y * velocity.y <= 4.01f);
    thDestroyWorld(world);
}

// Two who press against each other are told of once a step, under the lower key.
static void tellsOfContacts(void** state)
{
    (void)state;
    thWorldDef def = thDefaultWorldDef();
    def.contacts = 1;
    def.contactEvents = 1;
    thWorld* world;
    assert_int_equal(thCreateWorld(&def, &world), th_resultOk);
    thProfileDef walker = thDefaultProfileDef();
    thAgentDef agent = thDefaultAgentDef();
    assert_int_equal(thCreateProfile(world, &walker, &agent.profile, NULL), th_resultOk);
    for (int32_t i = 0; i < 2; ++i) {
        const float x = i == 0 ? -0.4f : 0.4f;
        assert_int_equal(thCreatePointGoal(world, (thVec2){-x, 0.0f}, &agent.goal), th_resultOk);
        agent.position = (thVec2){x, 0.0f};
        agent.key = 9 - (uint64_t)i;
        thAgentId id;
        assert_int_equal(thCreateAgent(world, &agent, &id), th_resultOk);
    }
    stepFor(world, 1.0f);
    int32_t count;
    const thEvent* events = thWorld_GetEvents(world, &count);
    assert_int_equal(count, 1);
    assert_int_equal(events[0].kind, th_eventContact);
    assert_int_equal(events[0].key, 8);
    assert_int_equal(events[0].other, 9);
    thDestroyWorld(world);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pushesAlong),     cmocka_unit_test(squeezesAgainstAWall),
        cmocka_unit_test(aDoorWaits),      cmocka_unit_test(crowdsDoNotPassWalls),
        cmocka_unit_test(tellsOfContacts), cmocka_unit_test(leavesBehind),
        cmocka_unit_test(fastMoversSweep), cmocka_unit_test(doesNotFly),
    };
    return RUN_TESTS(tests, argc, argv);
}
