// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Movers and agents in a world: who is pushed, who is squeezed, and doors that wait.

#include "sim/sim_gear.h"

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

// A mover that goes kilometres in a step leaves behind whom it would have to carry as far.
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
    assert_true(thAgent_Get(world, agent).position.x == 0.0f);
    assert_true((thAgent_Get(world, agent).flags & th_agentSqueezed) != 0);
    thDestroyWorld(world);
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
        cmocka_unit_test(doesNotFly),
    };
    return RUN_TESTS(tests, argc, argv);
}
