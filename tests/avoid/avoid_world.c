// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Worlds for tests of avoidance, and checks that all methods share.

#include "avoid/avoid_world.h"

#include "gear/property.h"

#include <stdlib.h>

void assertOk(thResult code)
{
    assert_int_equal(code, th_resultOk);
}

thWorld* openWorld(int32_t workerCount, thSimd simd, int32_t contacts)
{
    thWorldDef def = thDefaultWorldDef();
    def.workerCount = workerCount;
    def.simd = simd;
    def.contacts = contacts;
    thWorld* world;
    assertOk(thCreateWorld(&def, &world));
    return world;
}

thProfileDef avoidProfile(const char* method, const void* params, float maxAccel)
{
    thProfileDef def = thDefaultProfileDef();
    def.avoid = (thMethodUse){method, params};
    def.maxAccel = maxAccel;
    def.maxSpeed = 2.0f;
    return def;
}

thProfileId addProfile(thWorld* world, const thProfileDef* def)
{
    thProfileId id;
    assertOk(thCreateProfile(world, def, &id, NULL));
    return id;
}

thAgentId addWalker(thWorld* world, thProfileId profile, uint64_t key, thVec2 from, thVec2 to)
{
    thAgentDef def = thDefaultAgentDef();
    def.profile = profile;
    def.position = from;
    def.key = key;
    assertOk(thCreatePointGoal(world, to, &def.goal));
    thAgentId id;
    assertOk(thCreateAgent(world, &def, &id));
    return id;
}

void addObstacle(thWorld* world, thObstacleKind kind, const thVec2* points, int32_t count)
{
    thObstacleDef def = thDefaultObstacleDef();
    def.kind = kind;
    def.points = points;
    def.pointCount = count;
    def.radius = 0.4f;
    def.velocity = (thVec2){0.5f, 0.3f};
    def.spin = kind == th_obstacleMovingPolygon ? 0.5f : 0.0f;
    thObstacleId id;
    assertOk(thCreateObstacle(world, &def, &id));
}

void addWall(thWorld* world, thVec2 a, thVec2 b)
{
    const thVec2 points[2] = {a, b};
    addObstacle(world, th_obstacleWall, points, 2);
}

void addCircle(thWorld* world, thProfileId profile, int32_t count, double size)
{
    for (int32_t i = 0; i < count; ++i) {
        const double angle = 2.0 * 3.14159265358979 * i / count;
        const thVec2 at = {(float)(size * cos(angle)), (float)(size * sin(angle))};
        addWalker(world, profile, (uint64_t)i + 1, at, (thVec2){-at.x, -at.y});
    }
}

static void addMovers(thWorld* world)
{
    thObstacleDef disc = thDefaultObstacleDef();
    disc.kind = th_obstacleMovingDisc;
    disc.radius = 0.6f;
    disc.position = (thVec2){-3.0f, 0.0f};
    disc.velocity = (thVec2){0.5f, 0.1f};
    thObstacleId id;
    assertOk(thCreateObstacle(world, &disc, &id));
    const thVec2 box[4] = {{-1, -0.5f}, {1, -0.5f}, {1, 0.5f}, {-1, 0.5f}};
    thObstacleDef train = thDefaultObstacleDef();
    train.kind = th_obstacleMovingPolygon;
    train.points = box;
    train.pointCount = 4;
    train.position = (thVec2){30.0f, 3.0f};
    train.velocity = (thVec2){-0.8f, -0.2f};
    train.spin = 0.4f;
    assertOk(thCreateObstacle(world, &train, &id));
}

void addMixture(thWorld* world, thProfileId quick, thProfileId slow)
{
    addWall(world, (thVec2){20.0f, 0.6f}, (thVec2){20.5f, 9.0f});
    addWall(world, (thVec2){20.0f, -0.6f}, (thVec2){20.0f, -9.0f});
    addMovers(world);
    addCircle(world, quick, 40, 6.0);
    thGenerator g = makeGenerator(5, 5);
    for (int32_t i = 0; i < 60; ++i) {
        const float x = drawFloat(&g, 21.5f, 28.0f), y = drawFloat(&g, -4.0f, 4.0f);
        addWalker(world, i % 2 == 0 ? quick : slow, 100 + (uint64_t)i, (thVec2){x, y},
                  (thVec2){5.0f, y});
    }
    for (int32_t i = 0; i < 6; ++i)
        addWalker(world, slow, 200 + (uint64_t)i, (thVec2){0.0f, 12.0f}, (thVec2){-10.0f, 12.0f});
}

double nearestPair(const thWorld* world)
{
    const thAgentView view = thWorld_GetAgentView(world);
    double least = INFINITY;
    for (int32_t i = 0; i < view.slotCount; ++i) {
        const thAgentRow* a = &view.rows[i];
        assert_true(hypot((double)a->velocity.x, (double)a->velocity.y) < 2.0 * (1.0 + 1e-4));
        for (int32_t k = 0; k < i; ++k)
            least = fmin(least, hypot((double)(a->position.x - view.rows[k].position.x),
                                      (double)(a->position.y - view.rows[k].position.y)));
    }
    return least;
}

Walk walkToEnd(thWorld* world, float dt, int32_t count, double most)
{
    Walk walk = {0.0, INFINITY, 0};
    while (walk.arrivals < (uint64_t)count && walk.time < most) {
        assertOk(thWorld_Step(world, dt));
        walk.nearest = fmin(walk.nearest, nearestPair(world));
        walk.time += (double)dt;
        walk.arrivals = thWorld_GetCounters(world).arrivals;
    }
    print_message("%d of %d arrived after %.1f s, nearest %.4f m\n", (int)walk.arrivals, count,
                  walk.time, walk.nearest);
    return walk;
}

uint64_t hashAfter(thWorld* world, float dt, int32_t steps)
{
    for (int32_t i = 0; i < steps; ++i)
        assertOk(thWorld_Step(world, dt));
    return thWorld_GetStateHash(world);
}

void assertGoesOn(thWorld* world, float dt, int32_t before, int32_t after)
{
    (void)hashAfter(world, dt, before);
    size_t size, saved;
    assertOk(thWorld_Save(world, NULL, 0, &size));
    void* data = malloc(size);
    assert_non_null(data);
    assertOk(thWorld_Save(world, data, size, &saved));
    const uint64_t hash = hashAfter(world, dt, after);
    thDestroyWorld(world);
    thWorld* other = openWorld(2, th_simdScalar, 1);
    assertOk(thWorld_Restore(other, data, saved, NULL));
    assert_true(hashAfter(other, dt, after) == hash);
    thDestroyWorld(other);
    free(data);
}

thWorld* openRoom(float size)
{
    thWorld* world = openWorld(0, th_simdAuto, 0);
    const thVec2 room[] = {{-size, -size}, {size, -size}, {size, size}, {-size, size}};
    addObstacle(world, th_obstacleRoom, room, 4);
    return world;
}

void addRoomCrowd(thWorld* world, const char* method, const void* params, float size, int32_t count,
                  thAgentId* ids)
{
    const thProfileDef quick = avoidProfile(method, params, 0.0f);
    const thProfileDef slow = avoidProfile(method, params, 2.0f);
    const thProfileId profiles[2] = {addProfile(world, &quick), addProfile(world, &slow)};
    thGenerator g = makeGenerator(5, (uint64_t)count);
    for (int32_t i = 0; i < count; ++i) {
        thAgentDef agent = thDefaultAgentDef();
        agent.profile = profiles[i % 3 == 0];
        agent.position = (thVec2){drawFloat(&g, -size, size), drawFloat(&g, -size, size)};
        agent.placement = th_placementNearest;
        const thVec2 goal = {drawFloat(&g, -size, size), drawFloat(&g, -size, size)};
        assertOk(thCreatePointGoal(world, goal, &agent.goal));
        assertOk(thCreateAgent(world, &agent, &ids[i]));
    }
}
