// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Worlds of tests of planners, piece by piece: each piece must be accepted.

#include "plan/plan_gear.h"

#include "geom/fixed.h"
#include "sim/step/step.h"
#include "sim/world_internal.h"

thWorld* createPlanWorld(int32_t workers)
{
    thWorldDef def = thDefaultWorldDef();
    def.workerCount = workers;
    thWorld* world = NULL;
    assert_ok(thCreateWorld(&def, &world));
    return world;
}

bool tryObstacle(thWorld* world, thObstacleKind kind, int32_t level, const thVec2* points,
                 int32_t count, thObstacleId* id)
{
    thObstacleDef def = thDefaultObstacleDef();
    def.kind = kind;
    def.level = level;
    def.points = points;
    def.pointCount = count;
    return thCreateObstacle(world, &def, id) == th_resultOk;
}

thObstacleId addObstacle(thWorld* world, thObstacleKind kind, int32_t level, const thVec2* points,
                         int32_t count)
{
    thObstacleId id = {0};
    assert_true(tryObstacle(world, kind, level, points, count, &id));
    return id;
}

thObstacleId addBox(thWorld* world, float lowX, float lowY, float highX, float highY)
{
    const thVec2 corners[] = {{lowX, lowY}, {highX, lowY}, {highX, highY}, {lowX, highY}};
    return addObstacle(world, th_obstacleSolid, 0, corners, 4);
}

static thVec2 drawPlace(thGenerator* g, float extent, bool whole)
{
    const thVec2 place = {drawFloat(g, -extent, extent), drawFloat(g, -extent, extent)};
    return whole ? (thVec2){roundf(place.x), roundf(place.y)} : place;
}

void addRandomWalls(thWorld* world, thGenerator* g, int32_t count, float extent)
{
    listen(); // polygons that cross themselves are refused
    for (int32_t i = 0; i < count; ++i) {
        const bool whole = drawInt(g, 0, 2) == 0;
        const thVec2 at = drawPlace(g, extent, whole);
        const float size = drawFloat(g, 1.0f, 4.0f);
        thVec2 points[5];
        const bool wall = drawInt(g, 0, 2) == 0;
        const int32_t pointCount = drawInt(g, wall ? 2 : 3, 5);
        for (int32_t k = 0; k < pointCount; ++k) {
            const thVec2 to = drawPlace(g, size, whole);
            points[k] = (thVec2){at.x + to.x, at.y + to.y};
        }
        thObstacleId id;
        (void)tryObstacle(world, wall ? th_obstacleWall : th_obstacleSolid, 0, points, pointCount,
                          &id);
    }
    (void)heard();
    thSetHooks(NULL);
}

// Blocks of 20 m by 14 m, streets of 8 m.
void addCity(thWorld* world, int32_t columns, int32_t rows)
{
    for (int32_t row = 0; row < rows; ++row)
        for (int32_t column = 0; column < columns; ++column) {
            const float x = 28.0f * (float)column, y = 22.0f * (float)row;
            addBox(world, x, y, x + 20.0f, y + 14.0f);
        }
}

void addRandomBuildings(thWorld* world, int32_t count, float extent)
{
    thGenerator g = makeGenerator(11, 0);
    thVec2 placed[2000];
    for (int32_t i = 0; i < count;) {
        const thVec2 at = drawPlace(&g, extent, false);
        bool free = true;
        for (int32_t k = 0; k < i && free; ++k)
            free = hypotf(placed[k].x - at.x, placed[k].y - at.y) > 17.0f;
        if (!free)
            continue;
        placed[i++] = at;
        const float angle = drawFloat(&g, 0.0f, 3.14f);
        const float along = drawFloat(&g, 3.0f, 6.0f), across = drawFloat(&g, 3.0f, 6.0f);
        const float c = cosf(angle), s = sinf(angle);
        const thVec2 corners[] = {{at.x + c * along - s * across, at.y + s * along + c * across},
                                  {at.x - c * along - s * across, at.y - s * along + c * across},
                                  {at.x - c * along + s * across, at.y - s * along - c * across},
                                  {at.x + c * along + s * across, at.y + s * along - c * across}};
        addObstacle(world, th_obstacleSolid, 0, corners, 4);
    }
}

thRoadmapId addRoadmap(thWorld* world, const char* name, const thVec2* nodes, const thVec2* ends,
                       int32_t count)
{
    thRoadmapDef def = thDefaultRoadmapDef();
    def.name = name;
    def.nodes = nodes;
    def.ends = ends;
    def.nodeCount = count;
    thRoadmapId id = {0};
    assert_ok(thCreateRoadmap(world, &def, &id));
    return id;
}

thRoadmapId addRule(thWorld* world, const char* name, thRoadmapKind kind, float side)
{
    thRoadmapDef def = thDefaultRoadmapDef();
    def.name = name;
    def.kind = kind;
    def.side = side;
    thRoadmapId id = {0};
    assert_ok(thCreateRoadmap(world, &def, &id));
    return id;
}

thGoalId pointGoal(thWorld* world, float x, float y)
{
    thGoalId id = {0};
    assert_ok(thCreatePointGoal(world, (thVec2){x, y}, &id));
    return id;
}

thGoalId shapeGoal(thWorld* world, thGoalKind kind, const thVec2* points, int32_t count,
                   float radius)
{
    thGoalDef def = thDefaultGoalDef();
    def.kind = kind;
    def.points = points;
    def.pointCount = count;
    def.radius = radius;
    thGoalId id = {0};
    assert_ok(thCreateGoal(world, &def, &id));
    return id;
}

thProfileId addPlanner(thWorld* world, const char* plan, const void* params, const char* avoid)
{
    thProfileDef def = thDefaultProfileDef();
    def.plan = (thMethodUse){plan, params};
    def.avoid.name = avoid;
    thProfileId id = {0};
    assert_ok(thCreateProfile(world, &def, &id, NULL));
    return id;
}

static thAgentId createAgent(thWorld* world, const thAgentDef* def)
{
    thAgentId id = {0};
    assert_ok(thCreateAgent(world, def, &id));
    return id;
}

thAgentId addAgent(thWorld* world, thProfileId profile, float x, float y, thGoalId goal)
{
    thAgentDef def = thDefaultAgentDef();
    def.profile = profile;
    def.position = (thVec2){x, y};
    def.goal = goal;
    return createAgent(world, &def);
}

thAgentId addSizedAgent(thWorld* world, thProfileId profile, float x, float y, thGoalId goal,
                        float radius)
{
    thAgentDef def = thDefaultAgentDef();
    def.profile = profile;
    def.position = (thVec2){x, y};
    def.goal = goal;
    def.radius = radius;
    return createAgent(world, &def);
}

thResult addFew(thWorld* world, thMethodUse plan, thAgentId* last)
{
    thProfileDef profile = thDefaultProfileDef();
    profile.plan = plan;
    thAgentDef agent = thDefaultAgentDef();
    TH_TRY(thCreateProfile(world, &profile, &agent.profile, NULL));
    const thVec2 wall[] = {{0.0f, -5.0f}, {0.0f, 5.0f}};
    thObstacleDef obstacle = thDefaultObstacleDef();
    obstacle.kind = th_obstacleWall;
    obstacle.points = wall;
    obstacle.pointCount = 2;
    thObstacleId id;
    TH_TRY(thCreateObstacle(world, &obstacle, &id));
    TH_TRY(thCreatePointGoal(world, (thVec2){3.0f, 0.0f}, &agent.goal));
    for (int32_t i = 0; i < 5; ++i) {
        agent.position = (thVec2){-3.0f, (float)i};
        TH_TRY(thCreateAgent(world, &agent, last));
    }
    return th_resultOk;
}

thPath pathOf(const thWorld* world, thAgentId agent, thVec2* points, int32_t capacity)
{
    thPath path;
    assert_ok(thAgent_GetPath(world, agent, points, capacity, &path));
    return path;
}

bool hasArrived(const thWorld* world, thAgentId agent)
{
    return (thAgent_Get(world, agent).flags & th_agentArrived) != 0;
}

void stepWorld(thWorld* world, int32_t count)
{
    for (int32_t i = 0; i < count; ++i)
        assert_ok(thWorld_Step(world, DT));
}

int32_t stepsToArrive(thWorld* world, thAgentId agent, int32_t most)
{
    for (int32_t i = 0; i < most; ++i) {
        if (hasArrived(world, agent))
            return i;
        assert_ok(thWorld_Step(world, DT));
    }
    return most;
}

thFrame frameOf(thWorld* world)
{
    assert_ok(thiPrepareObstacles(world));
    return thiMakeFrame(world, 0.1f);
}

thPoint pointAt(double x, double y)
{
    return (thPoint){(int32_t)lround(x * THRONG_UNITS_PER_METRE),
                     (int32_t)lround(y * THRONG_UNITS_PER_METRE)};
}
