// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Agents come, change and go, at once or by commands.

#include "world/world_operations.h"

#include <stdio.h>
#include <string.h>

#define UNITS ((double)THRONG_UNITS_PER_METRE)

static uint64_t drawKey(Play* play)
{
    uint64_t key = 0;
    while (key == 0 || modelFindKey(&play->model, key) >= 0)
        key = oneIn(play->g, 16) ? FIRST_OWN_KEY - 1 - drawU32(play->g)
                                 : drawU64(play->g) % FIRST_OWN_KEY;
    return key;
}

// Few, so that some meet, and now and then any that there may be.
static int32_t drawGroup(thGenerator* g)
{
    return oneIn(g, 4) ? (int32_t)(drawU32(g) >> 1) : drawInt(g, -1, 5);
}

thAgentDef drawAgentDef(Play* play)
{
    static const uint32_t flags[] = {
        0, 0, 0, 0, 0, th_agentExternal, th_agentVelocityOnly, th_agentWaiting};
    thGenerator* g = play->g;
    thAgentDef def = thDefaultAgentDef();
    const int32_t goal = pickGoal(play);
    def.profile = play->model.profiles[pickProfile(play)].id;
    def.position = drawPosition(g);
    def.velocity = drawVelocity(g, 3.0f);
    def.heading = drawFloat(g, -3.0f, 3.0f);
    if (goal >= 0 && !oneIn(g, 5) && !play->model.scarce)
        def.goal = play->model.goals[goal].id;
    def.level = drawLevel(g);
    if (oneIn(g, 4)) {
        def.layers = drawU32(g) % 8;
        def.mask = drawU32(g) % 8;
    }
    if (oneIn(g, 3))
        def.radius = oneIn(g, 4) ? drawFloat(g, 0.9f, 5.0f) : drawFloat(g, 0.0f, 0.5f);
    if (oneIn(g, 3))
        def.prefSpeed = drawFloat(g, 0.0f, 5.0f);
    if (oneIn(g, 3))
        def.maxSpeed = drawFloat(g, 0.0f, 5.0f);
    if (oneIn(g, 3))
        def.yield = drawFloat(g, 0.0f, 1000.0f);
    if (oneIn(g, 3))
        def.priority = drawFloat(g, 0.001f, 10.0f);
    if (oneIn(g, 3))
        def.group = drawGroup(g);
    def.flags = flags[drawU32(g) % 8];
    def.placement = oneIn(g, 4) ? th_placementRefuse : th_placementNearest;
    return def;
}

// How many more the model can hold, those included that are queued.
static int32_t roomForAgents(const Model* model)
{
    int32_t room = MODEL_AGENTS - model->agentCount;
    for (int32_t i = 0; i < model->commandCount; ++i)
        room -= model->commands[i].command.kind == th_commandCreateAgent;
    return room;
}

// Takes over where an agent was put that may not stand where it was to.
static bool stepAside(Play* play, ModelAgent* agent, thPlacement placement)
{
    Place to;
    if (placement == th_placementRefuse || agent->id.value == 0 ||
        thAgent_GetUnits(play->world, agent->id, &to.x, &to.y) != th_resultOk ||
        !modelMayStepAside(&play->model, agent->level, agent->at, to, agent->radius))
        return modelFail(&play->model, "agent %llu stands in a wall",
                         (unsigned long long)agent->key);
    agent->at = to;
    return true;
}

// Takes an agent over that the world has just created.
static bool takeOver(Play* play, const thAgentDef* def, thAgentId id)
{
    Model* model = &play->model;
    if (modelFindAgent(model, id.value) >= 0)
        return modelFail(model, "an agent's id came twice");
    for (uint32_t i = 0; i < model->staleCount[stale_agent] && i < MODEL_STALE; ++i)
        if (model->stale[stale_agent][i] == id.value)
            return modelFail(model, "an agent's id came back");
    thAgentDef known = *def;
    if (def->key == 0) {
        known.key = thAgent_Get(play->world, id).key;
        if (known.key < FIRST_OWN_KEY || known.key <= model->lastOwnKey)
            return modelFail(model, "key %llu was given", (unsigned long long)known.key);
        model->lastOwnKey = known.key;
    }
    const bool mayStand = modelMayStand(model, def);
    ModelAgent* agent = &model->agents[modelAddAgent(model, &known, id)];
    return mayStand || stepAside(play, agent, def->placement);
}

Outcome createAgent(Play* play)
{
    if (roomForAgents(&play->model) == 0 || pickProfile(play) < 0)
        return out_skipped;
    thAgentDef def = drawAgentDef(play);
    def.key = oneIn(play->g, 2) ? drawKey(play) : 0;
    thAgentId id;
    const thResult code = thCreateAgent(play->world, &def, &id);
    if (code == th_resultBlocked && !modelMayStand(&play->model, &def))
        return out_done;
    CHECK_RESULT(play, code);
    return takeOver(play, &def, id) ? out_done : out_wrong;
}

// What differs between agents of one call.
typedef struct Columns {
    thVec2 positions[MODEL_AGENTS], velocities[MODEL_AGENTS];
    float headings[MODEL_AGENTS], radii[MODEL_AGENTS], pref[MODEL_AGENTS], max[MODEL_AGENTS];
    thGoalId goals[MODEL_AGENTS];
    thProfileId profiles[MODEL_AGENTS];
    uint64_t keys[MODEL_AGENTS];
    int32_t groups[MODEL_AGENTS];
} Columns;

// Whether the marks and the error of agents that were refused because of walls are right.
static bool isRightRefusal(const Model* model, const thAgentColumns* columns,
                           const thAgentDef* defs)
{
    int32_t count = 0, first = -1;
    for (int32_t i = 0; i < columns->count; ++i) {
        const bool mayStand = modelMayStand(model, &defs[i]);
        // A place for it may have been found, which keeps it from being marked.
        const bool mustMark = !mayStand && defs[i].placement == th_placementRefuse;
        if (mayStand ? columns->blocked[i] != 0 : mustMark && columns->blocked[i] != 1)
            return false;
        first = first < 0 && columns->blocked[i] != 0 ? i : first;
        count += columns->blocked[i];
    }
    char path[32], text[64];
    snprintf(path, sizeof path, "positions[%d]", first);
    snprintf(text, sizeof text, "%d of %d agents would", count, columns->count);
    return count > 0 && strcmp(columns->error->path, path) == 0 &&
           strstr(columns->error->text, text) != NULL;
}

Outcome createAgents(Play* play)
{
    static Columns drawn;
    static thAgentDef defs[MODEL_AGENTS];
    thGenerator* g = play->g;
    const int32_t room = roomForAgents(&play->model);
    if (pickProfile(play) < 0)
        return out_skipped;
    thAgentColumns columns = thDefaultAgentColumns();
    const int32_t missing = play->crowd - play->model.agentCount;
    columns.count = drawInt(g, 0, missing > 8 ? missing : 8);
    columns.count = columns.count < room ? columns.count : room;
    columns.shared = drawAgentDef(play);
    const uint32_t given = drawU32(g);
    for (int32_t i = 0; i < columns.count; ++i) {
        thAgentDef* def = &defs[i];
        *def = drawAgentDef(play);
        drawn.positions[i] = def->position;
        drawn.velocities[i] = def->velocity;
        drawn.headings[i] = def->heading;
        drawn.goals[i] = def->goal;
        drawn.profiles[i] = def->profile;
        drawn.radii[i] = def->radius;
        drawn.pref[i] = def->prefSpeed;
        drawn.max[i] = def->maxSpeed;
        drawn.groups[i] = def->group;
        drawn.keys[i] = oneIn(g, 3) ? 0 : drawKey(play);
        thAgentDef right = columns.shared;
        right.position = (given & 1) != 0 ? def->position : right.position;
        right.velocity = (given & 2) != 0 ? def->velocity : right.velocity;
        right.heading = (given & 4) != 0 ? def->heading : right.heading;
        right.goal = (given & 8) != 0 ? def->goal : right.goal;
        right.profile = (given & 16) != 0 ? def->profile : right.profile;
        right.radius = (given & 32) != 0 ? def->radius : right.radius;
        right.prefSpeed = (given & 64) != 0 ? def->prefSpeed : right.prefSpeed;
        right.maxSpeed = (given & 128) != 0 ? def->maxSpeed : right.maxSpeed;
        right.key = (given & 256) != 0 ? drawn.keys[i] : 0;
        right.group = (given & 512) != 0 ? def->group : right.group;
        *def = right;
    }
    columns.positions = (given & 1) != 0 ? drawn.positions : NULL;
    columns.velocities = (given & 2) != 0 ? drawn.velocities : NULL;
    columns.headings = (given & 4) != 0 ? drawn.headings : NULL;
    columns.goals = (given & 8) != 0 ? drawn.goals : NULL;
    columns.profiles = (given & 16) != 0 ? drawn.profiles : NULL;
    columns.radii = (given & 32) != 0 ? drawn.radii : NULL;
    columns.prefSpeeds = (given & 64) != 0 ? drawn.pref : NULL;
    columns.maxSpeeds = (given & 128) != 0 ? drawn.max : NULL;
    columns.keys = (given & 256) != 0 ? drawn.keys : NULL;
    columns.groups = (given & 512) != 0 ? drawn.groups : NULL;
    thAgentId ids[MODEL_AGENTS];
    uint8_t blocked[MODEL_AGENTS];
    thError error;
    columns.error = &error;
    columns.blocked = blocked;
    const thResult code = thCreateAgents(play->world, &columns, ids);
    if (code == th_resultBlocked)
        return isRightRefusal(&play->model, &columns, defs)
                   ? out_done
                   : wrong(play, "agents are refused for walls that are not there");
    CHECK_RESULT(play, code);
    for (int32_t i = 0; i < columns.count; ++i)
        if (!takeOver(play, &defs[i], ids[i]))
            return out_wrong;
    return out_done;
}

// Some agents, each once, as indices and as ids.
static int32_t pickAgents(Play* play, int32_t most, int32_t* agents, thAgentId* ids)
{
    int32_t count = 0;
    const int32_t start = drawInt(play->g, 0, MODEL_AGENTS - 1);
    for (int32_t i = 0; i < MODEL_AGENTS && count < most; ++i) {
        const int32_t agent = (start + 7 * i) % MODEL_AGENTS;
        if (play->model.agents[agent].key == 0)
            continue;
        agents[count] = agent;
        ids[count++] = play->model.agents[agent].id;
    }
    return count;
}

Outcome destroyAgents(Play* play)
{
    int32_t agents[MODEL_AGENTS];
    thAgentId ids[MODEL_AGENTS];
    const int32_t most = oneIn(play->g, 30) ? 200 : drawInt(play->g, 0, 4);
    const int32_t count = pickAgents(play, most, agents, ids);
    CHECK_RESULT(play, count == 1 ? thDestroyAgent(play->world, ids[0])
                                  : thDestroyAgents(play->world, ids, count));
    for (int32_t i = 0; i < count; ++i)
        modelRemoveAgent(&play->model, agents[i]);
    return out_done;
}

// Whether walls have a say in where an agent is put.
static bool isBound(const ModelAgent* agent)
{
    return (agent->flags & (th_agentExternal | th_agentVelocityOnly)) == 0;
}

// Whether a position is the one at which the view shows the agent: it is then not moved at all.
static bool isSeenAt(const ModelAgent* agent, thVec2 position)
{
    return position.x == (float)agent->at.x / (float)THRONG_UNITS_PER_METRE &&
           position.y == (float)agent->at.y / (float)THRONG_UNITS_PER_METRE;
}

Outcome setPlace(Play* play)
{
    thGenerator* g = play->g;
    const int32_t index = pickAgent(play);
    if (index < 0)
        return out_skipped;
    ModelAgent* agent = &play->model.agents[index];
    const thVec2 position =
        oneIn(g, 8) ? thAgent_Get(play->world, agent->id).position : drawPosition(g);
    const int32_t level = oneIn(g, 2) ? agent->level : drawLevel(g);
    const thPlacement placement = oneIn(g, 2) ? th_placementRefuse : th_placementNearest;
    const Place to = isSeenAt(agent, position) ? agent->at : placeOf(position);
    const bool stays = isSeenAt(agent, position) && level == agent->level;
    const bool mayStand =
        stays || !isBound(agent) || modelIsFree(&play->model, level, to, agent->radius);
    const thResult code = thAgent_SetPlace(play->world, agent->id, position, level, placement);
    if (code == th_resultBlocked && !mayStand)
        return out_done;
    CHECK_RESULT(play, code);
    agent->at = to;
    agent->level = level;
    return mayStand || stepAside(play, agent, placement) ? out_done : out_wrong;
}

static Outcome setRadius(Play* play, ModelAgent* agent)
{
    thGenerator* g = play->g;
    const float radius = oneIn(g, 4) ? drawFloat(g, 0.0f, 3.0f) : drawFloat(g, 0.0f, 0.6f);
    const thPlacement placement = oneIn(g, 2) ? th_placementRefuse : th_placementNearest;
    const bool mayStand = radius <= agent->radius || !isBound(agent) ||
                          modelIsFree(&play->model, agent->level, agent->at, radius);
    const thResult code = thAgent_SetRadius(play->world, agent->id, radius, placement);
    if (code == th_resultBlocked && !mayStand)
        return out_done;
    CHECK_RESULT(play, code);
    agent->radius = radius;
    return mayStand || stepAside(play, agent, placement) ? out_done : out_wrong;
}

static Outcome setProfile(Play* play, ModelAgent* agent)
{
    const int32_t profile = pickProfile(play);
    CHECK_RESULT(play,
                 thAgent_SetProfile(play->world, agent->id, play->model.profiles[profile].id));
    if (profile != agent->profile) {
        agent->profile = profile;
        agent->wish = (thVec2){0.0f, 0.0f};
        agent->tired = 0;
    }
    return out_done;
}

static Outcome setExternal(Play* play, ModelAgent* agent)
{
    thGenerator* g = play->g;
    const int32_t external = (int32_t)oneIn(g, 2);
    const thPlacement placement = oneIn(g, 2) ? th_placementRefuse : th_placementNearest;
    const bool mayStand = external || isBound(agent) ||
                          modelIsFree(&play->model, agent->level, agent->at, agent->radius);
    const thResult code = thAgent_SetExternal(play->world, agent->id, external, placement);
    if (code == th_resultBlocked && !mayStand)
        return out_done;
    CHECK_RESULT(play, code);
    agent->flags &= ~(uint32_t)(th_agentExternal | th_agentVelocityOnly);
    agent->flags |= external ? th_agentExternal : 0;
    return mayStand || stepAside(play, agent, placement) ? out_done : out_wrong;
}

Outcome changeAgent(Play* play)
{
    thGenerator* g = play->g;
    const int32_t index = pickAgent(play);
    if (index < 0)
        return out_skipped;
    ModelAgent* agent = &play->model.agents[index];
    thWorld* world = play->world;
    switch (drawU32(g) % 11) {
    case 6: {
        const int32_t group = drawGroup(g);
        CHECK_RESULT(play, thAgent_SetGroup(world, agent->id, group));
        agent->group = group;
        return out_done;
    }
    case 7:
        return setRadius(play, agent);
    case 8:
        return setProfile(play, agent);
    case 9:
        return setExternal(play, agent);
    case 0: {
        const int32_t goal = oneIn(g, 5) || play->model.scarce ? -1 : pickGoal(play);
        const thGoalId id = goal >= 0 ? play->model.goals[goal].id : (thGoalId){0};
        CHECK_RESULT(play, thAgent_SetGoal(world, agent->id, id));
        modelSetGoal(&play->model, index, goal);
        return out_done;
    }
    case 1: {
        const float heading = drawFloat(g, -3.1f, 3.1f);
        CHECK_RESULT(play, thAgent_SetHeading(world, agent->id, heading));
        agent->heading = heading;
        return out_done;
    }
    case 2: {
        const int32_t level = drawLevel(g);
        const bool mayStand = level == agent->level || !isBound(agent) ||
                              modelIsFree(&play->model, level, agent->at, agent->radius);
        const thResult code = thAgent_SetLevel(world, agent->id, level);
        if (code == th_resultBlocked && !mayStand)
            return out_done;
        CHECK_RESULT(play, code);
        if (!mayStand)
            return wrong(play, "an agent comes to a floor in a wall");
        agent->level = level;
        return out_done;
    }
    case 3: {
        const uint32_t layers = drawU32(g) % 8, mask = oneIn(g, 2) ? UINT32_MAX : drawU32(g) % 8;
        CHECK_RESULT(play, thAgent_SetLayers(world, agent->id, layers, mask));
        agent->layers = layers;
        agent->mask = mask;
        return out_done;
    }
    case 4: {
        const float pref = drawFloat(g, 0.0f, 5.0f), max = drawFloat(g, 0.0f, 5.0f);
        CHECK_RESULT(play, thAgent_SetSpeeds(world, agent->id, pref, max));
        agent->prefSpeed = pref;
        agent->maxSpeed = max;
        return out_done;
    }
    case 5: {
        const float yield = drawFloat(g, 0.0f, 5.0f);
        CHECK_RESULT(play, thAgent_SetYield(world, agent->id, yield));
        agent->yield = yield;
        return out_done;
    }
    default: {
        const int32_t waits = oneIn(g, 3);
        CHECK_RESULT(play, thAgent_SetWaiting(world, agent->id, waits));
        agent->flags &= ~(uint32_t)th_agentWaiting;
        agent->flags |= waits != 0 ? th_agentWaiting : 0;
        return out_done;
    }
    }
}

Outcome setWishes(Play* play)
{
    int32_t agents[MODEL_AGENTS];
    thAgentId ids[MODEL_AGENTS];
    thVec2 wishes[MODEL_AGENTS];
    const int32_t picked = pickAgents(play, 30, agents, ids);
    int32_t count = 0;
    for (int32_t i = 0; i < picked; ++i) {
        if (!play->model.profiles[play->model.agents[agents[i]].profile].given)
            continue;
        agents[count] = agents[i];
        ids[count] = ids[i];
        wishes[count++] = drawVelocity(play->g, oneIn(play->g, 20) ? 900.0f : 3.0f);
    }
    CHECK_RESULT(play, count == 1
                           ? thAgent_SetPreferredVelocity(play->world, ids[0], wishes[0])
                           : thWorld_SetPreferredVelocities(play->world, ids, wishes, count));
    for (int32_t i = 0; i < count; ++i)
        play->model.agents[agents[i]].wish = wishes[i];
    return out_done;
}

Outcome setKinematics(Play* play)
{
    int32_t agents[MODEL_AGENTS];
    thAgentId ids[MODEL_AGENTS];
    thVec2 positions[MODEL_AGENTS], velocities[MODEL_AGENTS];
    const bool slow = oneIn(play->g, 2);
    const int32_t count = pickAgents(play, drawInt(play->g, 0, 12), agents, ids);
    for (int32_t i = 0; i < count; ++i) {
        const Place at = play->model.agents[agents[i]].at;
        positions[i] = slow ? (thVec2){(float)(at.x / UNITS) + drawFloat(play->g, -0.5f, 0.5f),
                                       (float)(at.y / UNITS) + drawFloat(play->g, -0.5f, 0.5f)}
                            : drawPosition(play->g);
        if (oneIn(play->g, 8))
            positions[i] = thAgent_Get(play->world, ids[i]).position;
        velocities[i] = drawVelocity(play->g, 3.0f);
    }
    bool mayStand = true;
    for (int32_t i = 0; i < count; ++i) {
        const ModelAgent* agent = &play->model.agents[agents[i]];
        mayStand = mayStand &&
                   (isSeenAt(agent, positions[i]) || !isBound(agent) ||
                    modelIsFree(&play->model, agent->level, placeOf(positions[i]), agent->radius));
    }
    const bool both = oneIn(play->g, 2);
    const thResult code =
        thWorld_SetKinematics(play->world, ids, positions, both ? velocities : NULL, count);
    if (code == th_resultBlocked && !mayStand)
        return out_done;
    CHECK_RESULT(play, code);
    if (!mayStand)
        return wrong(play, "an agent is put into a wall");
    for (int32_t i = 0; i < count; ++i) {
        ModelAgent* agent = &play->model.agents[agents[i]];
        agent->at = isSeenAt(agent, positions[i]) ? agent->at : placeOf(positions[i]);
        agent->velocity = both ? velocities[i] : agent->velocity;
    }
    return out_done;
}

Outcome reserve(Play* play)
{
    CHECK_RESULT(play, thWorld_Reserve(play->world, drawInt(play->g, 0, 400)));
    return out_done;
}

// Commands.

// What a command says and whose key decides its place among equals.
static bool drawCommand(Play* play, ModelCommand* out)
{
    thGenerator* g = play->g;
    thCommand* command = &out->command;
    *command = thDefaultCommand();
    command->kind = (thCommandKind)drawInt(g, th_commandCreateAgent, th_commandSetGoalPlace);
    command->order = drawU32(g) % 6;
    command->velocity = drawVelocity(g, 4.0f);
    command->value = (float)(drawU32(g) % 2);
    const int32_t agent = pickAgent(play), goal = pickGoal(play), obstacle = pickObstacle(play);
    if (goal >= 0 && !oneIn(g, 4) && !play->model.scarce)
        command->goal = play->model.goals[goal].id;
    if (command->kind == th_commandCreateAgent) {
        // Without memory it would be anybody's guess whether it was carried out.
        if (pickProfile(play) < 0 || play->model.scarce)
            return false;
        command->create = drawAgentDef(play);
        // Nobody sees where else it would have begun.
        command->create.placement = th_placementRefuse;
        command->create.key =
            agent >= 0 && oneIn(g, 8) ? play->model.agents[agent].key : drawKey(play);
        out->key = command->create.key;
        return command->create.key < FIRST_OWN_KEY;
    }
    if (command->kind == th_commandSetObstacleMotion) {
        if (obstacle < 0)
            return false;
        command->obstacle = play->model.obstacles[obstacle].id;
        out->key = (uint64_t)THRONG_SLOT(command->obstacle) + 1;
        return true;
    }
    if (command->kind == th_commandSetGoalPlace) {
        // The world alone knows the first point of a polygon.
        if (goal < 0 || play->model.goals[goal].kind == th_goalPolygon || play->model.scarce)
            return false;
        command->goal = play->model.goals[goal].id;
        command->position = (thVec2){drawFloat(g, -4.0f, 4.0f), drawFloat(g, -4.0f, 4.0f)};
        out->key = (uint64_t)THRONG_SLOT(command->goal) + 1;
        return true;
    }
    command->agent.value = agent >= 0 && !oneIn(g, 10) ? play->model.agents[agent].id.value
                                                       : drawStaleId(play, stale_agent);
    const int32_t known = modelFindAgent(&play->model, command->agent.value);
    out->key = known >= 0 ? play->model.agents[known].key : 0;
    return true;
}

Outcome queue(Play* play)
{
    Model* model = &play->model;
    ModelCommand drawn = {.key = 0};
    if (model->commandCount == MODEL_COMMANDS || !drawCommand(play, &drawn))
        return out_skipped;
    if (drawn.command.kind == th_commandCreateAgent && roomForAgents(model) == 0)
        return out_skipped;
    // Of two that differ in nothing but what they say, who comes first is not told.
    for (int32_t i = 0; i < model->commandCount; ++i) {
        const ModelCommand* other = &model->commands[i];
        if (other->command.order == drawn.command.order &&
            other->command.kind == drawn.command.kind && other->key == drawn.key)
            return out_skipped;
    }
    CHECK_RESULT(play, thWorld_Queue(play->world, &drawn.command));
    model->commands[model->commandCount++] = drawn;
    return out_done;
}
