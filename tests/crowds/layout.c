// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Takes a scene apart into data, changes it, and puts it into a world.

#include "crowds/layout.h"

#include "gear/property.h"
#include "geom/fixed.h"
#include "sim/world_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void require(bool condition)
{
    if (!condition)
        abort(); // a layout that cannot be made is a broken test
}

static float snap(float metres)
{
    return roundf(metres / LAYOUT_GRAIN) * LAYOUT_GRAIN;
}

static thVec2 snapped(float x, float y)
{
    return (thVec2){snap(x), snap(y)};
}

static thVec2 snappedPoint(thPoint p)
{
    return snapped(thiMetres(p.x), thiMetres(p.y));
}

Placing plainPlacing(void)
{
    return (Placing){.cosine = 1.0, .sine = 0.0, .ownKeys = true, .contacts = true, .workers = 1};
}

// Scenes.

static void takeGoals(Layout* layout, const thWorld* world)
{
    layout->goalCount = world->goals.goals.count;
    require(layout->goalCount <= LAYOUT_GOALS);
    for (int32_t i = 0; i < layout->goalCount; ++i) {
        const thGoal* goal = thiGoalAt(&world->goals, i);
        LayoutGoal* to = &layout->goals[i];
        const thGoalKind kind = (thGoalKind)goal->kind;
        *to = (LayoutGoal){.kind = kind, .count = thiGoalPointCount(goal)};
        require(to->count <= 2 && kind != th_goalDisc);
        for (int32_t k = 0; k < to->count; ++k) {
            if (thiIsGoalGroup(kind))
                to->goals[k] = TH_ITEMS(world->goals.children, int32_t)[goal->first + k];
            else
                to->points[k] = snappedPoint(thiGoalPoints(&world->goals, goal)[k]);
        }
    }
}

static void takeObstacles(Layout* layout, const thWorld* world)
{
    layout->obstacleCount = world->obstacles.items.count;
    require(layout->obstacleCount <= LAYOUT_OBSTACLES);
    for (int32_t i = 0; i < layout->obstacleCount; ++i) {
        const thObstacle* obstacle = &thiObstacles(world)[i];
        LayoutObstacle* to = &layout->obstacles[i];
        require(!thiIsMoving(obstacle->def.kind) && obstacle->outline.count <= LAYOUT_CORNERS);
        to->def = obstacle->def;
        to->def.pointCount = obstacle->outline.count;
        for (int32_t k = 0; k < obstacle->outline.count; ++k)
            to->points[k] = snappedPoint(TH_ITEMS(obstacle->outline, thPoint)[k]);
    }
}

static void takeAgents(Layout* layout, thWorld* world)
{
    const thRows* rows = thiRows(world);
    layout->agentCount = rows->count;
    require(rows->count <= LAYOUT_AGENTS);
    for (int32_t row = 0; row < rows->count; ++row) {
        thAgentDef def = thDefaultAgentDef();
        def.position = snappedPoint((thPoint){rows->px[row], rows->py[row]});
        layout->agents[row] = (LayoutAgent){def, rows->goal[row]};
    }
}

void layOutScene(Layout* layout, const char* name, uint64_t seed)
{
    thWorldDef def = thDefaultWorldDef();
    thWorld* world;
    require(thCreateWorld(&def, &world) == th_resultOk);
    const Scene* scene = findScene(name);
    require(scene != NULL);
    scene->build(world, scene, "orca", seed);
    const thProfile* profile = &thiProfiles(world)[0];
    layout->profile = profile->def;
    memcpy(&layout->orca, profile->methods[th_methodAvoid].params, sizeof layout->orca);
    takeGoals(layout, world);
    takeObstacles(layout, world);
    takeAgents(layout, world);
    thDestroyWorld(world);
}

// The mixed crowd.

static void addObstacle(Layout* layout, thObstacleKind kind, const thVec2* points, int32_t count)
{
    LayoutObstacle* to = &layout->obstacles[layout->obstacleCount++];
    to->def = thDefaultObstacleDef();
    to->def.kind = kind;
    to->def.pointCount = count;
    for (int32_t i = 0; i < count; ++i)
        to->points[i] = snapped(points[i].x, points[i].y);
}

static thVec2 drawPlace(thGenerator* g, float most)
{
    const float x = drawFloat(g, -most, most);
    return snapped(x, drawFloat(g, -most, most));
}

static void addMover(Layout* layout, thGenerator* g, thObstacleKind kind)
{
    const thVec2 box[] = {{-1.0f, -0.4f}, {1.0f, -0.4f}, {1.0f, 0.4f}, {-1.0f, 0.4f}};
    addObstacle(layout, kind, box, kind == th_obstacleMovingDisc ? 0 : 4);
    thObstacleDef* def = &layout->obstacles[layout->obstacleCount - 1].def;
    def->radius = kind == th_obstacleMovingDisc ? 0.7f : 0.0f;
    def->position = drawPlace(g, 8.0f);
    def->velocity = drawPlace(g, 1.0f);
    def->angle = drawFloat(g, -3.0f, 3.0f);
    def->spin = drawFloat(g, -1.0f, 1.0f);
    def->yields = drawInt(g, 0, 1);
}

static bool isNear(thVec2 p, thVec2 low, thVec2 high, float distance)
{
    return p.x > low.x - distance && p.x < high.x + distance && p.y > low.y - distance &&
           p.y < high.y + distance;
}

void layOutMixed(Layout* layout, uint64_t seed)
{
    thGenerator g = makeGenerator(seed, 0);
    layout->profile = thDefaultProfileDef();
    layout->orca = thDefaultOrcaDef();
    layout->goalCount = layout->obstacleCount = layout->agentCount = 0;
    const thVec2 block[] = {{3.0f, 2.0f}, {5.0f, 2.5f}, {4.0f, 6.0f}};
    const thVec2 hook[] = {{-6.0f, -2.0f}, {-3.0f, -2.5f}, {-3.0f, -6.0f}};
    const thVec2 room[] = {{-20.0f, -20.0f}, {20.0f, -19.0f}, {20.0f, 20.0f}, {-19.0f, 20.0f}};
    addObstacle(layout, th_obstacleSolid, block, 3);
    addObstacle(layout, th_obstacleWall, hook, 3);
    addObstacle(layout, th_obstacleRoom, room, 4);
    for (int32_t i = 0; i < 3; ++i)
        addMover(layout, &g, i == 0 ? th_obstacleMovingDisc : th_obstacleMovingPolygon);
    while (layout->agentCount < 150) {
        const int32_t i = layout->agentCount;
        thAgentDef def = thDefaultAgentDef();
        def.position = drawPlace(&g, 12.0f);
        def.velocity = drawPlace(&g, 1.0f);
        def.radius = i % 30 == 0 ? 1.5f : drawFloat(&g, 0.1f, 0.4f);
        def.prefSpeed = drawFloat(&g, 0.5f, 2.0f);
        def.maxSpeed = drawFloat(&g, 1.0f, 3.0f);
        def.maxAccel = i % 3 == 0 ? 3.0f : 0.0f;
        def.yield = drawFloat(&g, 0.2f, 2.0f);
        layout->goals[i] = (LayoutGoal){.kind = th_goalPoint, .count = 1};
        layout->goals[i].points[0] = drawPlace(&g, 12.0f);
        layout->agents[i] = (LayoutAgent){def, i};
        if (!isNear(def.position, (thVec2){3.0f, 2.0f}, (thVec2){5.0f, 6.0f}, def.radius) &&
            !isNear(def.position, (thVec2){-6.0f, -6.0f}, (thVec2){-3.0f, -2.0f}, def.radius))
            layout->agentCount += 1;
    }
    layout->goalCount = layout->agentCount;
}

// Placing.

thVec2 placeVector(const Placing* placing, thVec2 v)
{
    const double x = (double)v.x, y = placing->mirrored ? -(double)v.y : (double)v.y;
    return (thVec2){(float)(placing->cosine * x - placing->sine * y),
                    (float)(placing->sine * x + placing->cosine * y)};
}

static thVec2 placePoint(const Placing* placing, thVec2 p)
{
    const thVec2 v = placeVector(placing, p);
    return (thVec2){v.x + placing->shift.x, v.y + placing->shift.y};
}

static float placeAngle(const Placing* placing, float angle)
{
    return (placing->mirrored ? -angle : angle) + (float)atan2(placing->sine, placing->cosine);
}

static thProfileId makeProfile(thWorld* world, const Layout* layout, const Placing* placing)
{
    thOrcaDef orca = layout->orca;
    orca.sideBias = placing->mirrored ? -orca.sideBias : orca.sideBias;
    thProfileDef def = layout->profile;
    if (placing->mirrored && def.keep != th_keepNone)
        def.keep = def.keep == th_keepRight ? th_keepLeft : th_keepRight;
    def.name = NULL;
    def.plan = def.group = (thMethodUse){NULL, NULL};
    def.avoid = (thMethodUse){"orca", &orca};
    thProfileId id;
    require(thCreateProfile(world, &def, &id, NULL) == th_resultOk);
    return id;
}

static void makeGoals(thWorld* world, const Layout* layout, const Placing* placing, thGoalId* ids)
{
    for (int32_t i = 0; i < layout->goalCount; ++i) {
        const LayoutGoal* from = &layout->goals[i];
        thVec2 points[2];
        thGoalId goals[2];
        for (int32_t k = 0; k < from->count; ++k) {
            points[k] = placePoint(placing, from->points[k]);
            goals[k] = ids[from->goals[k]];
        }
        const bool isGroup = from->kind == th_goalList || from->kind == th_goalAlternatives;
        thGoalDef def = thDefaultGoalDef();
        def.kind = from->kind;
        def.points = points;
        def.goals = goals;
        def.pointCount = isGroup ? 0 : from->count;
        def.goalCount = isGroup ? from->count : 0;
        require(thCreateGoal(world, &def, &ids[i]) == th_resultOk);
    }
}

static void makeObstacle(thWorld* world, const LayoutObstacle* from, const Placing* placing)
{
    thVec2 points[LAYOUT_CORNERS];
    thObstacleDef def = from->def;
    const bool moves = thiIsMoving(def.kind);
    for (int32_t i = 0; i < def.pointCount; ++i) {
        const thVec2 own = {from->points[i].x,
                            placing->mirrored ? -from->points[i].y : from->points[i].y};
        points[i] = moves ? own : placePoint(placing, from->points[i]);
    }
    def.points = points;
    def.position = placePoint(placing, def.position);
    def.velocity = placeVector(placing, def.velocity);
    def.angle = placeAngle(placing, def.angle);
    def.spin = placing->mirrored ? -def.spin : def.spin;
    thObstacleId id;
    require(thCreateObstacle(world, &def, &id) == th_resultOk);
}

// The numbers below `count`, in an order of its own.
static void shuffle(int32_t* order, int32_t count, uint64_t number)
{
    thGenerator g = makeGenerator(number, 1);
    for (int32_t i = 0; i < count; ++i)
        order[i] = i;
    for (int32_t i = count - 1; i > 0 && number != 0; --i) {
        const int32_t k = drawInt(&g, 0, i), kept = order[i];
        order[i] = order[k];
        order[k] = kept;
    }
}

thWorld* placeLayout(const Layout* layout, const Placing* placing, thAgentId* ids)
{
    thWorldDef worldDef = thDefaultWorldDef();
    worldDef.contacts = worldDef.contactEvents = placing->contacts ? 1 : 0;
    worldDef.workerCount = placing->workers;
    thWorld* world;
    require(thCreateWorld(&worldDef, &world) == th_resultOk);
    const thProfileId profile = makeProfile(world, layout, placing);
    thGoalId goals[LAYOUT_GOALS];
    makeGoals(world, layout, placing, goals);
    int32_t order[LAYOUT_AGENTS];
    shuffle(order, layout->obstacleCount, placing->order);
    for (int32_t i = 0; i < layout->obstacleCount; ++i)
        makeObstacle(world, &layout->obstacles[order[i]], placing);
    shuffle(order, layout->agentCount, placing->order);
    for (int32_t i = 0; i < layout->agentCount; ++i) {
        const LayoutAgent* agent = &layout->agents[order[i]];
        thAgentDef def = agent->def;
        def.profile = profile;
        def.position = placePoint(placing, def.position);
        def.velocity = placeVector(placing, def.velocity);
        def.heading = placeAngle(placing, def.heading);
        def.goal = goals[agent->goal];
        def.key = placing->ownKeys ? 1 + (uint64_t)order[i] : 0;
        require(thCreateAgent(world, &def, &ids[order[i]]) == th_resultOk);
    }
    return world;
}

void captureAgents(Layout* layout, const thWorld* world, const thAgentId* ids)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < layout->agentCount; ++i) {
        if (!thAgent_IsValid(world, ids[i]))
            continue;
        const thAgentRow row = thAgent_Get(world, ids[i]);
        LayoutAgent* agent = &layout->agents[kept++];
        *agent = layout->agents[i];
        agent->def.position = row.position;
        agent->def.velocity = row.velocity;
        agent->def.heading = row.heading;
    }
    layout->agentCount = kept;
}
