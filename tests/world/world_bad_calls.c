// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Calls with bad arguments: each is told to the hook, returns harmlessly and changes nothing.

#include "gear/gear.h"
#include "world/world_operations.h"

static float drawBad(thGenerator* g)
{
    static const float bad[] = {NAN, INFINITY, -INFINITY, 3.0e38f, -3.0e38f, 40000.0f, -40000.0f};
    return bad[drawU32(g) % 7];
}

static thVec2 drawBadVector(thGenerator* g)
{
    const float bad = drawBad(g);
    return drawU32(g) % 2 == 0 ? (thVec2){bad, 1.0f} : (thVec2){1.0f, bad};
}

static thAgentId staleAgent(Play* play)
{
    return (thAgentId){drawU32(play->g) % 8 == 0 ? 0 : drawStaleId(play, stale_agent)};
}

// Agents that cannot be.
static thResult createBadAgent(Play* play)
{
    thGenerator* g = play->g;
    thAgentDef def = thDefaultAgentDef();
    if (pickProfile(play) >= 0)
        def = drawAgentDef(play);
    const int32_t other = pickAgent(play);
    switch (drawU32(g) % 16) {
    case 0:
        def.profile.value = drawStaleId(play, stale_profile);
        break;
    case 1:
        def.goal.value = drawStaleId(play, stale_goal);
        break;
    case 2:
        def.position = drawBadVector(g);
        break;
    case 3:
        def.velocity = drawBadVector(g);
        break;
    case 4:
        def.heading = NAN;
        break;
    case 5:
        def.radius = 100.5f;
        break;
    case 6:
        def.priority = 0.0f;
        break;
    case 7:
        def.flags = th_agentExternal | th_agentVelocityOnly;
        break;
    case 8:
        def.flags = th_agentAlive;
        break;
    case 9:
        def.key = UINT64_C(1) << 40;
        break;
    case 10:
        def.level = drawU32(g) % 2 == 0 ? -1 : 65536;
        break;
    case 11:
        def.size = drawU32(g) % 2 == 0 ? 0 : (uint32_t)sizeof def + 8;
        break;
    case 12:
        def.maxSpeed = NAN;
        break;
    case 13:
        def.placement = (thPlacement)2;
        break;
    case 14:
        def.group = -2;
        break;
    default:
        if (other < 0)
            def.yield = 1001.0f;
        else
            def.key = play->model.agents[other].key; // taken, or not for hosts
        break;
    }
    thAgentId id = {77};
    const thResult code = thCreateAgent(play->world, drawU32(g) % 50 == 0 ? NULL : &def, &id);
    return id.value == 0 ? code : th_resultOk;
}

// Many, of which one is bad: none is created.
static thResult createBadAgents(Play* play)
{
    thGenerator* g = play->g;
    thAgentColumns columns = thDefaultAgentColumns();
    thVec2 positions[5] = {{0.0f, 0.0f}};
    uint64_t keys[5] = {11, 12, 13, 14, 15};
    thAgentId ids[5];
    columns.count = 5;
    columns.positions = positions;
    if (pickProfile(play) >= 0)
        columns.shared = drawAgentDef(play);
    const int32_t bad = drawInt(g, 0, 4);
    switch (drawU32(g) % 5) {
    case 0:
        positions[bad] = drawBadVector(g);
        break;
    case 1: // one key twice
        keys[bad] = keys[(bad + 1) % 5];
        columns.keys = keys;
        break;
    case 2:
        columns.shared.key = 99; // the same for all
        break;
    case 3:
        columns.count = -1;
        break;
    default:
        columns.shared.size = 1;
        break;
    }
    return thCreateAgents(play->world, &columns, ids);
}

static thResult destroyBadly(Play* play)
{
    Model* model = &play->model;
    const int32_t agent = pickAgent(play), goal = pickGoal(play), profile = pickProfile(play);
    thAgentId ids[3] = {{0}, {0}, {0}};
    switch (drawU32(play->g) % 6) {
    case 0:
        return thDestroyAgent(play->world, staleAgent(play));
    case 1: // the last is stale, or there twice
        ids[0] = ids[1] = agent >= 0 ? model->agents[agent].id : staleAgent(play);
        ids[1] = drawU32(play->g) % 2 == 0 ? ids[0] : staleAgent(play);
        return thDestroyAgents(play->world, ids, 2);
    case 2:
        return thDestroyGoal(play->world, goal >= 0 && modelGoalInUse(model, goal)
                                              ? model->goals[goal].id
                                              : (thGoalId){drawStaleId(play, stale_goal)});
    case 3:
        return thDestroyProfile(play->world, profile >= 0 && modelProfileInUse(model, profile)
                                                 ? model->profiles[profile].id
                                                 : (thProfileId){drawStaleId(play, stale_profile)});
    case 4:
        return thDestroyObstacle(play->world, (thObstacleId){drawStaleId(play, stale_obstacle)});
    default:
        return thDestroyAgents(play->world, ids, -1);
    }
}

// Changes with a stale id, or of a living agent to something impossible.
static thResult changeBadly(Play* play)
{
    thGenerator* g = play->g;
    thWorld* world = play->world;
    const int32_t agent = pickAgent(play);
    const bool stale = agent < 0 || drawU32(g) % 2 == 0;
    const thAgentId id = stale ? staleAgent(play) : play->model.agents[agent].id;
    const float bad = stale ? 1.0f : drawBad(g);
    switch (drawU32(g) % 13) {
    case 8:
        return thAgent_SetRadius(world, id, bad, th_placementRefuse);
    case 9:
        return thAgent_SetProfile(world, stale && agent >= 0 ? play->model.agents[agent].id : id,
                                  (thProfileId){drawStaleId(play, stale_profile)});
    case 10:
        return thAgent_SetExternal(world, staleAgent(play), 1, th_placementNearest);
    case 11:
        return thGoal_SetPlace(world, (thGoalId){drawStaleId(play, stale_goal)},
                               (thVec2){1.0f, 1.0f});
    case 0:
        return thAgent_SetGoal(world, id,
                               stale ? (thGoalId){0} : (thGoalId){drawStaleId(play, stale_goal)});
    case 1:
        return thAgent_SetHeading(world, id, stale ? 1.0f : NAN);
    case 2:
        return thAgent_SetLevel(world, id, stale ? 0 : 65536);
    case 3:
        return thAgent_SetLayers(world, staleAgent(play), 1, 1);
    case 4:
        return thAgent_SetSpeeds(world, id, 1.0f, bad);
    case 5:
        return thAgent_SetYield(world, id, bad);
    case 6:
        return thAgent_SetWaiting(world, staleAgent(play), 1);
    case 12:
        return thAgent_SetGroup(world, id, stale ? 1 : INT32_MIN);
    default: {
        int32_t x, y;
        const thResult code = thAgent_GetUnits(world, staleAgent(play), &x, &y);
        return thAgent_Get(world, staleAgent(play)).flags == 0 ? code : th_resultOk;
    }
    }
}

// Many changes, of which the last is bad: none is made.
static thResult changeManyBadly(Play* play)
{
    thGenerator* g = play->g;
    const int32_t agent = pickAgent(play);
    thAgentId ids[2] = {staleAgent(play), staleAgent(play)};
    thVec2 values[2] = {{1.0f, 2.0f}, {3.0f, 4.0f}};
    const bool living = agent >= 0 && drawU32(g) % 2 == 0;
    if (agent >= 0)
        ids[0] = play->model.agents[agent].id;
    if (living) {
        ids[1] = ids[0];
        values[1] = drawBadVector(g);
    }
    switch (drawU32(g) % 4) {
    case 0:
        return thWorld_SetKinematics(play->world, ids, values, NULL, 2);
    case 1:
        return thWorld_SetKinematics(play->world, ids, NULL, NULL, 2);
    case 2:
        return thWorld_SetPreferredVelocities(play->world, ids, values, 2);
    default:
        return thWorld_SetPreferredVelocities(play->world, ids, values, -1);
    }
}

static thResult createBadGoal(Play* play)
{
    thGenerator* g = play->g;
    thVec2 points[4] = {{0.0f, 0.0f}, {2.0f, 2.0f}, {2.0f, 0.0f}, {0.0f, 2.0f}}; // a bow tie
    thGoalDef def = thDefaultGoalDef();
    const int32_t goal = pickGoal(play);
    thGoalId ids[2] = {{0}, {0}};
    if (goal >= 0)
        ids[0] = play->model.goals[goal].id;
    ids[1].value = drawStaleId(play, stale_goal);
    def.points = points;
    def.goals = ids;
    switch (drawU32(g) % 8) {
    case 0:
        def.kind = th_goalPolygon;
        def.pointCount = 4;
        break;
    case 1:
        def.kind = th_goalPolygon;
        def.pointCount = 2;
        break;
    case 2:
        def.kind = th_goalDisc;
        def.pointCount = 1;
        def.radius = drawU32(g) % 2 == 0 ? 0.0f : NAN;
        break;
    case 3:
        def.kind = th_goalList;
        def.goalCount = 2;
        break;
    case 4:
        def.kind = th_goalAlternatives;
        break;
    case 5:
        def.pointCount = 1;
        points[0] = drawBadVector(g);
        break;
    case 6:
        def.kind = (thGoalKind)6;
        def.pointCount = 1;
        break;
    default: // groups in groups
        def.kind = th_goalAlternatives;
        def.goalCount = 1;
        if (goal < 0 || play->model.goals[goal].kind < th_goalList)
            ids[0].value = 0;
        break;
    }
    thGoalId id = {5};
    const thResult code = thCreateGoal(play->world, &def, &id);
    return id.value == 0 ? code : th_resultOk;
}

static thResult createBadObstacle(Play* play)
{
    thGenerator* g = play->g;
    thVec2 points[5] = {{0.0f, 0.0f}, {2.0f, 2.0f}, {2.0f, 0.0f}, {0.0f, 2.0f}, {0.0f, 0.0f}};
    thObstacleDef def = thDefaultObstacleDef();
    def.kind = (thObstacleKind)drawInt(g, th_obstacleSolid, th_obstacleRoom);
    def.points = points;
    def.pointCount = 4;
    switch (drawU32(g) % 9) {
    case 0:
        break; // a bow tie
    case 1:
        def.pointCount = drawInt(g, 0, 2);
        break;
    case 2:
        def.kind = th_obstacleWall;
        def.pointCount = 2;
        points[1] = points[0];
        break;
    case 3:
        def.kind = th_obstacleWall;
        points[drawU32(g) % 4] = drawBadVector(g);
        break;
    case 4: // not convex
        def.kind = th_obstacleMovingPolygon;
        points[1] = (thVec2){0.5f, 0.5f};
        break;
    case 5:
        def.kind = th_obstacleMovingDisc;
        def.radius = drawU32(g) % 2 == 0 ? 0.0f : 101.0f;
        break;
    case 6:
        def.kind = th_obstacleMovingDisc;
        def.radius = 1.0f;
        def.velocity = drawBadVector(g);
        break;
    case 7:
        def.kind = th_obstacleWall;
        def.level = -1;
        break;
    default: // nothing is left of it
        points[1] = points[2] = points[3] = points[0];
        break;
    }
    thObstacleId id = {5};
    const thResult code = thCreateObstacle(play->world, &def, &id);
    return id.value == 0 ? code : th_resultOk;
}

static thResult changeObstacleBadly(Play* play)
{
    const int32_t obstacle = pickObstacle(play);
    thObstacleId id = {drawStaleId(play, stale_obstacle)};
    if (obstacle >= 0 && !modelIsMover(&play->model.obstacles[obstacle]))
        id = play->model.obstacles[obstacle].id; // stands fast
    thVec2 position;
    float angle;
    switch (drawU32(play->g) % 3) {
    case 0:
        return thObstacle_SetMotion(play->world, id, (thVec2){1.0f, 1.0f}, 0.0f);
    case 1:
        return thObstacle_SetPlace(play->world, id, (thVec2){1.0f, 1.0f}, 0.0f);
    default:
        return thObstacle_GetPlace(play->world, id, &position, &angle);
    }
}

static thResult createBadProfile(Play* play)
{
    ModelProfile profile;
    thProfileDef def = drawProfileDef(play, &profile);
    switch (drawU32(play->g) % 6) {
    case 0:
        def.neighborCount = drawU32(play->g) % 2 == 0 ? 33 : -1;
        break;
    case 1:
        def.neighborRadius = drawBad(play->g);
        break;
    case 2:
        def.arrival = (thArrival)3;
        break;
    case 3:
        def.name = "a name of thirty-two characters.";
        break;
    case 4:
        def.fieldOfView = 6.3f;
        break;
    default:
        def.size = 3;
        break;
    }
    thProfileId id = {5};
    const thResult code = thCreateProfile(play->world, &def, &id, NULL);
    return id.value == 0 ? code : th_resultOk;
}

static thResult queueBadly(Play* play)
{
    thCommand command = thDefaultCommand();
    switch (drawU32(play->g) % 4) {
    case 0: // without a key
        command.kind = th_commandCreateAgent;
        break;
    case 1:
        command.kind = (thCommandKind)7;
        break;
    case 2:
        command.kind = th_commandSetPreferredVelocity;
        command.velocity = drawBadVector(play->g);
        break;
    default:
        command.size = 0;
        break;
    }
    return thWorld_Queue(play->world, &command);
}

static thResult stepBadly(Play* play)
{
    static const float bad[] = {0.0f, -1.0f, NAN, INFINITY, 10.5f};
    return thWorld_Step(drawU32(play->g) % 8 == 0 ? NULL : play->world, bad[drawU32(play->g) % 5]);
}

static thResult askBadly(Play* play)
{
    thGenerator* g = play->g;
    thAgentId ids[4];
    thQueryFilter filter = thDefaultQueryFilter();
    const thVec2 good = {1.0f, 1.0f};
    int32_t found = 0;
    switch (drawU32(g) % 6) {
    case 0:
        found = thWorld_AgentsInDisc(play->world, drawBadVector(g), 1.0f, filter, ids, 4);
        break;
    case 1:
        found = thWorld_NearestAgents(play->world, good, -1.0f, filter, ids, 4);
        break;
    case 2:
        found = thWorld_AgentsInDisc(play->world, good, 100.0f, filter, NULL, 4);
        break;
    case 3:
        found = thWorld_AgentsInBox(play->world, (thVec2){2.0f, 0.0f}, good, filter, ids, 4);
        break;
    case 4:
        filter.level = 65536;
        found = thWorld_NearestAgents(play->world, good, 10.0f, filter, ids, -1);
        break;
    default:
        found = thWorld_CastRay(play->world, good, drawBadVector(g), 0).obstacle.value != 0;
        break;
    }
    return found == 0 ? th_resultBadArgument : th_resultOk;
}

static thResult addBadMethod(Play* play)
{
    thMethod method = {.size = sizeof method, .name = drawU32(play->g) % 2 == 0 ? "watch" : "new"};
    return thWorld_AddMethod(play->world, th_methodAvoid, &method);
}

typedef thResult BadCallFcn(Play* play);

static BadCallFcn* const badCalls[] = {
    createBadAgent, createBadAgents,   destroyBadly,        changeBadly,      changeManyBadly,
    createBadGoal,  createBadObstacle, changeObstacleBadly, createBadProfile, queueBadly,
    stepBadly,      askBadly,          addBadMethod};

// Damaged snapshots are no bug of the caller: the hook is not told.
static bool restoreBadly(Play* play)
{
    thGenerator* g = play->g;
    Snapshot* damaged = &play->after;
    *damaged = play->before;
    if (drawU32(g) % 2 == 0)
        damaged->bytes[drawU32(g) % damaged->size] ^= (uint8_t)(1u << drawU32(g) % 8);
    else
        damaged->size = drawU32(g) % damaged->size;
    thError error = {.code = th_resultOk};
    const thResult code = thWorld_Restore(play->world, damaged->bytes, damaged->size, &error);
    if (code == th_resultOk || error.code != code)
        return modelFail(&play->model, "a damaged snapshot was restored");
    return true;
}

bool playBadCall(Play* play)
{
    const uint32_t count = sizeof badCalls / sizeof badCalls[0];
    const uint32_t choice = drawU32(play->g) % (count + 1);
    if (!saveSnapshot(play, play->world, &play->before))
        return false;
    const uint64_t hash = thWorld_GetStateHash(play->world);
    (void)heardFromHook();
    if (choice == count) {
        if (!restoreBadly(play))
            return false;
    } else {
        const thResult code = badCalls[choice](play);
        // Memory may be missing before an argument is looked at.
        if (code != th_resultBadArgument && !(play->model.scarce && code == th_resultNoMemory))
            return modelFail(&play->model, "bad call %u was not refused", choice);
        if (heardFromHook() == 0 && code == th_resultBadArgument)
            return modelFail(&play->model, "bad call %u was not told to the hook", choice);
    }
    if (hash != thWorld_GetStateHash(play->world) ||
        !saveSnapshot(play, play->world, &play->after) ||
        !sameSnapshots(&play->before, &play->after))
        return modelFail(&play->model, "bad call %u has changed something", choice);
    return true;
}
