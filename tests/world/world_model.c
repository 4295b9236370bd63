// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The model of a world: what each operation should make of it.

#include "world/world_model.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNITS ((double)THRONG_UNITS_PER_METRE)
// Below this the world's floats and the model's doubles may disagree about what is nearer. [m]
#define DOUBT 2e-5
#define TURN 6.283185307179586

bool modelFail(Model* model, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (model->problem[0] == '\0')
        vsnprintf(model->problem, sizeof model->problem, format, arguments);
    va_end(arguments);
    return false;
}

int32_t unitsOf(float metres)
{
    const double units = (double)metres * UNITS;
    return (int32_t)(units < 0.0 ? units - 0.5 : units + 0.5);
}

Place placeOf(thVec2 position)
{
    return (Place){unitsOf(position.x), unitsOf(position.y)};
}

void modelAddStale(Model* model, int32_t kind, uint64_t id)
{
    model->stale[kind][model->staleCount[kind]++ % MODEL_STALE] = id;
}

// Looking things up.

int32_t modelFindAgent(const Model* model, uint64_t id)
{
    for (int32_t i = 0; i < MODEL_AGENTS && id != 0; ++i)
        if (model->agents[i].key != 0 && model->agents[i].id.value == id)
            return i;
    return -1;
}

int32_t modelFindKey(const Model* model, uint64_t key)
{
    for (int32_t i = 0; i < MODEL_AGENTS && key != 0; ++i)
        if (model->agents[i].key == key)
            return i;
    return -1;
}

int32_t modelFindGoal(const Model* model, uint64_t id)
{
    for (int32_t i = 0; i < MODEL_GOALS && id != 0; ++i)
        if (model->goals[i].id.value == id)
            return i;
    return -1;
}

int32_t modelFindProfile(const Model* model, uint64_t id)
{
    for (int32_t i = 0; i < MODEL_PROFILES && id != 0; ++i)
        if (model->profiles[i].id.value == id)
            return i;
    return -1;
}

int32_t modelFindObstacle(const Model* model, uint64_t id)
{
    for (int32_t i = 0; i < MODEL_OBSTACLES && id != 0; ++i)
        if (model->obstacles[i].id.value == id)
            return i;
    return -1;
}

bool modelIsMover(const ModelObstacle* obstacle)
{
    return obstacle->kind == th_obstacleMovingDisc || obstacle->kind == th_obstacleMovingPolygon;
}

static bool isGroup(const ModelGoal* goal)
{
    return goal->kind == th_goalList || goal->kind == th_goalAlternatives;
}

bool modelGoalInUse(const Model* model, int32_t goal)
{
    for (int32_t i = 0; i < MODEL_AGENTS; ++i)
        if (model->agents[i].key != 0 && model->agents[i].goal == goal)
            return true;
    for (int32_t i = 0; i < MODEL_GOALS; ++i)
        for (int32_t k = 0; k < model->goals[i].count; ++k)
            if (model->goals[i].id.value != 0 && isGroup(&model->goals[i]) &&
                model->goals[i].goals[k] == goal)
                return true;
    return false;
}

bool modelProfileInUse(const Model* model, int32_t profile)
{
    for (int32_t i = 0; i < MODEL_AGENTS; ++i)
        if (model->agents[i].key != 0 && model->agents[i].profile == profile)
            return true;
    return false;
}

// Agents.

static float orElse(float given, float otherwise)
{
    return given < 0.0f ? otherwise : given;
}

int32_t modelAddAgent(Model* model, const thAgentDef* def, thAgentId id)
{
    int32_t i = 0;
    while (model->agents[i].key != 0)
        i += 1;
    const int32_t profile = modelFindProfile(model, def->profile.value);
    const thProfileDef* shared = &model->profiles[profile].def;
    // Whom the host moves gives way to nobody by itself.
    const bool external = (def->flags & th_agentExternal) != 0;
    const float yield = orElse(def->yield, external ? 0.0f : shared->yield) / def->priority;
    model->agents[i] = (ModelAgent){.id = id,
                                    .key = def->key,
                                    .profile = profile,
                                    .goal = modelFindGoal(model, def->goal.value),
                                    .at = placeOf(def->position),
                                    .velocity = def->velocity,
                                    .heading = def->heading,
                                    .flags = def->flags | th_agentAlive,
                                    .level = def->level,
                                    .group = def->group,
                                    .layers = def->layers,
                                    .mask = def->mask,
                                    .radius = orElse(def->radius, shared->radius),
                                    .prefSpeed = orElse(def->prefSpeed, shared->prefSpeed),
                                    .maxSpeed = orElse(def->maxSpeed, shared->maxSpeed),
                                    .maxAccel = orElse(def->maxAccel, shared->maxAccel),
                                    .yield = yield < 1000.0f ? yield : 1000.0f};
    model->agentCount += 1;
    return i;
}

void modelRemoveAgent(Model* model, int32_t agent)
{
    if (model->agents[agent].id.value != 0)
        modelAddStale(model, stale_agent, model->agents[agent].id.value);
    model->agents[agent] = (ModelAgent){.key = 0};
    model->agentCount -= 1;
}

void modelSetGoal(Model* model, int32_t agent, int32_t goal)
{
    model->agents[agent].goal = goal;
    model->agents[agent].goalIndex = 0;
    model->agents[agent].flags &= ~(uint32_t)th_agentArrived;
}

// Commands.

static int byOrderKindKey(const void* left, const void* right)
{
    const ModelCommand *a = left, *b = right;
    if (a->command.order != b->command.order)
        return a->command.order < b->command.order ? -1 : 1;
    if (a->command.kind != b->command.kind)
        return a->command.kind < b->command.kind ? -1 : 1;
    return a->key < b->key ? -1 : a->key > b->key;
}

static bool carryOutCreate(Model* model, const thAgentDef* def)
{
    if (modelFindProfile(model, def->profile.value) < 0 ||
        (def->goal.value != 0 && modelFindGoal(model, def->goal.value) < 0) ||
        modelFindKey(model, def->key) >= 0 || !modelMayStand(model, def))
        return false;
    modelAddAgent(model, def, (thAgentId){0});
    return true;
}

static bool carryOutMotion(Model* model, const thCommand* command)
{
    const int32_t found = modelFindObstacle(model, command->obstacle.value);
    if (found < 0 || !modelIsMover(&model->obstacles[found]))
        return false;
    model->obstacles[found].velocity = command->velocity;
    model->obstacles[found].spin = command->value;
    model->obstacles[found].pathCount = model->obstacles[found].pathAt = 0;
    return true;
}

void modelMoveGoal(Model* model, int32_t goal, Place from, Place to)
{
    ModelGoal* moved = &model->goals[goal];
    for (int32_t i = 0; i < moved->count; ++i) {
        moved->points[i].x += to.x - from.x;
        moved->points[i].y += to.y - from.y;
    }
}

// Of those that are drawn only points, discs and segments are moved by commands.
static bool carryOutGoalPlace(Model* model, const thCommand* command)
{
    const int32_t goal = modelFindGoal(model, command->goal.value);
    if (goal < 0 || model->goals[goal].kind > th_goalSegment)
        return false;
    modelMoveGoal(model, goal, model->goals[goal].points[0], placeOf(command->position));
    return true;
}

static bool carryOut(Model* model, const thCommand* command)
{
    if (command->kind == th_commandCreateAgent)
        return carryOutCreate(model, &command->create);
    if (command->kind == th_commandSetObstacleMotion)
        return carryOutMotion(model, command);
    if (command->kind == th_commandSetGoalPlace)
        return carryOutGoalPlace(model, command);
    const int32_t agent = modelFindAgent(model, command->agent.value);
    if (agent < 0)
        return false;
    switch (command->kind) {
    case th_commandDestroyAgent:
        modelRemoveAgent(model, agent);
        return true;
    case th_commandSetGoal: {
        const int32_t goal = modelFindGoal(model, command->goal.value);
        if (goal < 0 && command->goal.value != 0)
            return false;
        modelSetGoal(model, agent, goal);
        return true;
    }
    case th_commandSetPreferredVelocity:
        if (!model->profiles[model->agents[agent].profile].given)
            return false;
        model->agents[agent].wish = command->velocity;
        return true;
    default:
        model->agents[agent].flags &= ~(uint32_t)th_agentWaiting;
        model->agents[agent].flags |= command->value != 0.0f ? th_agentWaiting : 0;
        return true;
    }
}

void modelCarryOutCommands(Model* model)
{
    qsort(model->commands, (size_t)model->commandCount, sizeof *model->commands, byOrderKindKey);
    for (int32_t i = 0; i < model->commandCount; ++i)
        if (!carryOut(model, &model->commands[i].command))
            model->refusedCommands += 1;
    model->commandCount = 0;
}

// Moving obstacles.

static double clampToWorld(double units)
{
    const double limit = THRONG_MAX_COORDINATE * UNITS;
    return units < -limit ? -limit : units > limit ? limit : units;
}

static void passPoint(ModelObstacle* mover)
{
    mover->pathAt += 1;
    if (mover->pathAt == mover->pathCount && mover->pathLoops)
        mover->pathAt = 0;
}

void modelPassPoints(ModelObstacle* mover)
{
    for (int32_t tries = 0; tries < mover->pathCount && mover->pathAt < mover->pathCount; ++tries) {
        const Place to = mover->path[mover->pathAt];
        if (mover->x != to.x || mover->y != to.y)
            return;
        passPoint(mover);
    }
}

static void followPath(ModelObstacle* mover, double way)
{
    int32_t standing = 0; // points passed without getting anywhere
    while (mover->pathAt < mover->pathCount && standing <= mover->pathCount) {
        const Place to = mover->path[mover->pathAt];
        const double dx = to.x - mover->x, dy = to.y - mover->y;
        const double length = sqrt(dx * dx + dy * dy);
        if (way < length) {
            mover->x += dx * (way / length);
            mover->y += dy * (way / length);
            return;
        }
        standing = length > 0.0 ? 0 : standing + 1;
        way -= length;
        mover->x = to.x;
        mover->y = to.y;
        passPoint(mover);
    }
}

void modelAdvanceMovers(Model* model, float dt)
{
    for (int32_t i = 0; i < MODEL_OBSTACLES; ++i) {
        ModelObstacle* mover = &model->obstacles[i];
        if (mover->id.value == 0 || !modelIsMover(mover))
            continue;
        if (mover->pathCount > 0) {
            followPath(mover, (double)mover->pathSpeed * (double)dt * UNITS);
            modelPassPoints(mover);
        } else {
            mover->x = clampToWorld(mover->x + (double)mover->velocity.x * (double)dt * UNITS);
            mover->y = clampToWorld(mover->y + (double)mover->velocity.y * (double)dt * UNITS);
        }
        mover->angle += (double)mover->spin * (double)dt;
    }
}

// Geometry.

static int64_t orientation(Place a, Place b, Place p)
{
    const int64_t cross =
        ((int64_t)b.x - a.x) * ((int64_t)p.y - a.y) - ((int64_t)b.y - a.y) * ((int64_t)p.x - a.x);
    return (cross > 0) - (cross < 0);
}

static bool isBetween(int32_t value, int32_t a, int32_t b)
{
    return value >= (a < b ? a : b) && value <= (a < b ? b : a);
}

static bool isOn(Place p, Place a, Place b)
{
    return orientation(a, b, p) == 0 && isBetween(p.x, a.x, b.x) && isBetween(p.y, a.y, b.y);
}

bool segmentsTouch(Place a, Place b, Place c, Place d)
{
    if (isOn(a, c, d) || isOn(b, c, d) || isOn(c, a, b) || isOn(d, a, b))
        return true;
    return orientation(a, b, c) * orientation(a, b, d) < 0 &&
           orientation(c, d, a) * orientation(c, d, b) < 0;
}

static Offset offsetToPoint(Place p, Place to)
{
    return (Offset){((double)to.x - p.x) / UNITS, ((double)to.y - p.y) / UNITS};
}

static double lengthOf(Offset offset)
{
    return sqrt(offset.x * offset.x + offset.y * offset.y);
}

Offset offsetToSegment(Place p, Place a, Place b)
{
    const Offset toA = offsetToPoint(p, a), along = offsetToPoint(a, b);
    const double lengthSq = along.x * along.x + along.y * along.y;
    double share = lengthSq > 0.0 ? -(toA.x * along.x + toA.y * along.y) / lengthSq : 0.0;
    share = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
    return (Offset){toA.x + share * along.x, toA.y + share * along.y};
}

bool isInside(Place p, const Place* corners, int32_t count)
{
    bool inside = false;
    for (int32_t i = 0; i < count; ++i) {
        const Place a = corners[i], b = corners[(i + 1) % count];
        if (isOn(p, a, b))
            return true;
        if ((a.y <= p.y) != (b.y <= p.y) &&
            (orientation(a, b, p) > 0) == (a.y < b.y)) // crossed by a ray to the east
            inside = !inside;
    }
    return inside;
}

int32_t modelSegments(const Model* model, int32_t level, Place segments[][2], int32_t* owner)
{
    int32_t count = 0;
    for (int32_t i = 0; i < MODEL_OBSTACLES; ++i) {
        const ModelObstacle* wall = &model->obstacles[i];
        if (wall->id.value == 0 || modelIsMover(wall) || (level >= 0 && wall->level != level))
            continue;
        const int32_t edges = wall->kind == th_obstacleWall ? wall->count - 1 : wall->count;
        for (int32_t k = 0; k < edges; ++k) {
            segments[count][0] = wall->points[k];
            segments[count][1] = wall->points[(k + 1) % wall->count];
            owner[count++] = i;
        }
    }
    return count;
}

// Goals.

static int32_t shapePoints(const ModelGoal* goal, Place from, Offset* points)
{
    const Place* corners = goal->points;
    points[0] = offsetToPoint(from, corners[0]);
    if (goal->kind == th_goalDisc) {
        const double distance = lengthOf(points[0]), gap = distance - (double)goal->radius;
        const double share = gap > 0.0 ? gap / distance : 0.0;
        points[0] = (Offset){points[0].x * share, points[0].y * share};
    } else if (goal->kind == th_goalSegment) {
        points[0] = offsetToSegment(from, corners[0], corners[1]);
    } else if (goal->kind == th_goalPolygon) {
        if (isInside(from, corners, goal->count)) {
            points[0] = (Offset){0.0, 0.0};
            return 1;
        }
        for (int32_t i = 0; i < goal->count; ++i)
            points[i] = offsetToSegment(from, corners[i], corners[(i + 1) % goal->count]);
        return goal->count;
    }
    return 1;
}

int32_t modelGoalPoints(const Model* model, int32_t index, int32_t at, Place from, Offset* points)
{
    if (index < 0)
        return 0;
    const ModelGoal* goal = &model->goals[index];
    if (goal->kind == th_goalList)
        goal = &model->goals[goal->goals[at]];
    int32_t all = 0;
    if (goal->kind == th_goalAlternatives)
        for (int32_t i = 0; i < goal->count; ++i)
            all += shapePoints(&model->goals[goal->goals[i]], from, points + all);
    else
        all = shapePoints(goal, from, points);
    double least = lengthOf(points[0]);
    for (int32_t i = 1; i < all; ++i)
        least = fmin(least, lengthOf(points[i]));
    int32_t kept = 0;
    for (int32_t i = 0; i < all; ++i)
        if (lengthOf(points[i]) <= least + DOUBT)
            points[kept++] = points[i];
    return kept;
}

// A step.

static bool isNearTo(thVec2 a, Offset b, double tolerance)
{
    return fabs((double)a.x - b.x) <= tolerance && fabs((double)a.y - b.y) <= tolerance;
}

// What methods make of a wish.
static Offset limit(const ModelAgent* agent, const ModelProfile* profile, Offset wish)
{
    if (profile->tires && agent->tired % 4 == 3)
        return (Offset){0.0, 0.0};
    if (profile->watches && profile->stops && profile->stepCount % 5 == 4)
        return (Offset){0.0, 0.0};
    const double scale = profile->watches ? (double)profile->scale : 1.0;
    wish = (Offset){wish.x * scale, wish.y * scale};
    const double speed = lengthOf(wish);
    const double share = speed > (double)agent->maxSpeed ? (double)agent->maxSpeed / speed : 1.0;
    return (Offset){wish.x * share, wish.y * share};
}

// Whether the velocity is one that the agent may have now: straight to the goal, not beyond.
static bool isRightVelocity(const Model* model, const ModelAgent* agent, thVec2 velocity, float dt)
{
    const ModelProfile* profile = &model->profiles[agent->profile];
    const bool waits = (agent->flags & th_agentWaiting) != 0;
    Offset wishes[MODEL_GOAL_POINTS + 1] = {{0.0, 0.0}};
    int32_t count = 1;
    if (profile->given && !waits) {
        wishes[0] = (Offset){(double)agent->wish.x, (double)agent->wish.y};
    } else if (!waits && agent->goal >= 0) {
        count = modelGoalPoints(model, agent->goal, agent->goalIndex, agent->at, wishes);
        for (int32_t i = 0; i < count; ++i) {
            const double distance = lengthOf(wishes[i]);
            const double speed = fmin((double)agent->prefSpeed, distance / (double)dt);
            const double share = distance > 0.0 ? speed / distance : 0.0;
            wishes[i] = (Offset){wishes[i].x * share, wishes[i].y * share};
            // Who has arrived and is a millimetre off may stay.
            if ((agent->flags & th_agentArrived) != 0 && distance < 0.00101 && i == 0)
                wishes[count++] = (Offset){0.0, 0.0};
        }
    }
    for (int32_t i = 0; i < count; ++i) {
        const Offset right = limit(agent, profile, wishes[i]);
        if (isNearTo(velocity, right, 1e-5 * lengthOf(right) + 1e-5))
            return true;
    }
    return false;
}

// Whether a moving obstacle may have pushed an agent in the step, with room to spare.
static bool isNearMover(const Model* model, const ModelAgent* agent, float dt)
{
    for (int32_t i = 0; i < MODEL_OBSTACLES; ++i) {
        const ModelObstacle* mover = &model->obstacles[i];
        if (mover->id.value == 0 || !modelIsMover(mover) || mover->level != agent->level)
            continue;
        const double speed = fmax(hypot((double)mover->velocity.x, (double)mover->velocity.y),
                                  mover->pathCount > 0 ? (double)mover->pathSpeed : 0.0) +
                             (double)fmaxf(agent->prefSpeed, agent->maxSpeed);
        const double reach = (double)agent->radius + mover->radius + 1.1 * speed * (double)dt + 0.1;
        if (hypot(mover->x - agent->at.x, mover->y - agent->at.y) < reach * UNITS)
            return true;
    }
    return false;
}

// Whether a wall may have had a say in an agent's way. What walls do is tested elsewhere; here they
// excuse a velocity that was not chosen.
static bool isNearWall(const Model* model, const ModelAgent* agent, float dt)
{
    Place segments[MODEL_SEGMENTS][2];
    int32_t owner[MODEL_SEGMENTS];
    const int32_t count = modelSegments(model, agent->level, segments, owner);
    const float fastest = fmaxf(agent->prefSpeed, agent->maxSpeed);
    const double reach = (double)agent->radius + 1.01 * (double)(fastest * dt) + 0.01;
    for (int32_t i = 0; i < count; ++i)
        if (lengthOf(offsetToSegment(agent->at, segments[i][0], segments[i][1])) < reach)
            return true;
    return false;
}

static bool followMotion(Model* model, ModelAgent* agent, const thWorld* world, float dt)
{
    const uint64_t key = agent->key;
    const thAgentRow row = thAgent_Get(world, agent->id);
    Place at;
    if (thAgent_GetUnits(world, agent->id, &at.x, &at.y) != th_resultOk)
        return modelFail(model, "agent %llu is gone", (unsigned long long)key);
    const bool external = (agent->flags & th_agentExternal) != 0;
    const bool moves = !external && (agent->flags & th_agentVelocityOnly) == 0;
    if (!external && !isRightVelocity(model, agent, row.velocity, dt) &&
        !isNearWall(model, agent, dt) && !isNearMover(model, agent, dt))
        return modelFail(model, "agent %llu has velocity %.9g %.9g", (unsigned long long)key,
                         (double)row.velocity.x, (double)row.velocity.y);
    const uint32_t squeezed = row.flags & th_agentSqueezed;
    if (squeezed != 0 && !isNearMover(model, agent, dt))
        return modelFail(model, "agent %llu is squeezed by nobody", (unsigned long long)key);
    agent->flags = (agent->flags & ~(uint32_t)th_agentSqueezed) | squeezed;
    const Offset way = {(double)row.velocity.x * (double)dt * UNITS,
                        (double)row.velocity.y * (double)dt * UNITS};
    const double x = clampToWorld(agent->at.x + way.x), y = clampToWorld(agent->at.y + way.y);
    // A mover may carry a body further than velocities are known.
    const bool carried = isNearMover(model, agent, dt) &&
                         (fabsf(row.velocity.x) == 1000.0f || fabsf(row.velocity.y) == 1000.0f);
    if (carried ? false
        : moves ? fabs(at.x - x) > 0.501 + 1e-6 * fabs(way.x) ||
                      fabs(at.y - y) > 0.501 + 1e-6 * fabs(way.y)
                : at.x != agent->at.x || at.y != agent->at.y)
        return modelFail(model, "agent %llu is at %d %d, expected %.2f %.2f",
                         (unsigned long long)key, at.x, at.y, x, y);
    const double speed = hypot((double)row.velocity.x, (double)row.velocity.y);
    const double turned = remainder(
        (double)row.heading - atan2((double)row.velocity.y, (double)row.velocity.x), TURN);
    const bool follows = fabs(turned) < 1e-5, stays = row.heading == agent->heading;
    if (!(moves && speed > 0.05 ? follows : moves && speed > 0.0 ? follows || stays : stays))
        return modelFail(model, "agent %llu faces %.9g", (unsigned long long)key,
                         (double)row.heading);
    if (!external)
        agent->velocity = row.velocity;
    agent->heading = row.heading;
    agent->at = at;
    return true;
}

// Whether an agent must (1), may (0) or must not (-1) have reached what it heads for.
static int32_t arrives(const Model* model, const ModelAgent* agent)
{
    Offset points[MODEL_GOAL_POINTS];
    if ((agent->flags & (th_agentArrived | th_agentWaiting | th_agentExternal)) != 0 ||
        modelGoalPoints(model, agent->goal, agent->goalIndex, agent->at, points) == 0)
        return -1;
    const double distance = lengthOf(points[0]);
    const double limitDistance = (double)model->profiles[agent->profile].def.arrivalDistance;
    if (distance == 0.0 || distance < limitDistance - DOUBT)
        return 1;
    return distance <= limitDistance + DOUBT ? 0 : -1;
}

static int32_t goalLength(const Model* model, int32_t goal)
{
    return model->goals[goal].kind == th_goalList ? model->goals[goal].count : 1;
}

// One agent's arrival, if the world has noted one: `events` are those still to be explained.
static bool followArrival(Model* model, int32_t index, const thEvent** events, int32_t* left)
{
    ModelAgent* agent = &model->agents[index];
    const thEvent* event = *events;
    const bool told = *left > 0 && event->key == agent->key;
    const int32_t expected = arrives(model, agent);
    if (told ? expected < 0 : expected > 0)
        return modelFail(model, "agent %llu has %sarrived", (unsigned long long)agent->key,
                         told ? "" : "not ");
    if (!told)
        return true;
    if (event->kind != th_eventArrived || event->index != agent->goalIndex || event->other != 0 ||
        event->agent.value != agent->id.value)
        return modelFail(model, "event of agent %llu is wrong", (unsigned long long)agent->key);
    *events += 1;
    *left -= 1;
    model->arrivals += 1;
    const thArrival then = model->profiles[agent->profile].def.arrival;
    if (agent->goalIndex + 1 < goalLength(model, agent->goal)) {
        agent->goalIndex += 1;
    } else if (then == th_arrivalAgain && goalLength(model, agent->goal) > 1) {
        agent->goalIndex = 0;
    } else {
        agent->flags |= th_agentArrived;
    }
    if ((agent->flags & th_agentArrived) == 0 || then != th_arrivalLeave)
        return true;
    event = *events;
    if (*left == 0 || event->key != agent->key || event->kind != th_eventLeft ||
        event->index != 0 || event->agent.value != agent->id.value)
        return modelFail(model, "agent %llu has not left", (unsigned long long)agent->key);
    *events += 1;
    *left -= 1;
    model->departures += 1;
    modelRemoveAgent(model, index);
    return true;
}

// An agent that leaves is moved first, but nobody sees where to: it must have been able to reach
// its goal.
static bool leaves(const thEvent* events, int32_t count, uint64_t key)
{
    for (int32_t i = 0; i < count; ++i)
        if (events[i].key == key && events[i].kind == th_eventLeft)
            return true;
    return false;
}

static bool followLeaving(Model* model, ModelAgent* agent, const thEvent* events, int32_t count,
                          float dt)
{
    Offset points[MODEL_GOAL_POINTS];
    for (int32_t i = 0; i < count; ++i)
        if (events[i].key == agent->key)
            agent->id = events[i].agent; // if a command created it, this is the first we hear
    const double reach = (double)model->profiles[agent->profile].def.arrivalDistance +
                         (double)agent->maxSpeed * (double)dt + 0.001;
    if (modelGoalPoints(model, agent->goal, agent->goalIndex, agent->at, points) == 0 ||
        (lengthOf(points[0]) > reach && !isNearMover(model, agent, dt)) ||
        (agent->flags & th_agentExternal) != 0)
        return modelFail(model, "agent %llu has left, flags %x", (unsigned long long)agent->key,
                         agent->flags);
    // Stand it where it arrives for certain, for followArrival.
    agent->at.x += (int32_t)lround(points[0].x * UNITS);
    agent->at.y += (int32_t)lround(points[0].y * UNITS);
    return true;
}

static int byKey(const void* left, const void* right)
{
    const uint64_t a = *(const uint64_t*)left, b = *(const uint64_t*)right;
    return (a > b) - (a < b);
}

static bool learnId(Model* model, ModelAgent* agent, const thWorld* world)
{
    const thAgentId id = thWorld_FindAgent(world, agent->key);
    if (id.value == 0 || modelFindAgent(model, id.value) >= 0)
        return modelFail(model, "agent %llu was not created", (unsigned long long)agent->key);
    agent->id = id;
    return true;
}

bool modelFollowStep(Model* model, const thWorld* world, float dt)
{
    int32_t left;
    const thEvent* all = thWorld_GetEvents(world, &left);
    // What squeezes is told from flags; arrivals and departures are followed one by one.
    thEvent followed[3 * MODEL_AGENTS];
    const thEvent* events = followed;
    int32_t others = 0;
    for (int32_t i = 0; i < left; ++i)
        if (all[i].kind != th_eventSqueezed)
            followed[others++] = all[i];
    left = others;
    uint64_t keys[MODEL_AGENTS];
    int32_t count = 0;
    for (int32_t i = 0; i < MODEL_AGENTS; ++i) {
        ModelAgent* agent = &model->agents[i];
        if (agent->key == 0)
            continue;
        keys[count++] = agent->key;
        if (!(leaves(events, left, agent->key)
                  ? followLeaving(model, agent, events, left, dt)
                  : (agent->id.value != 0 || learnId(model, agent, world)) &&
                        followMotion(model, agent, world, dt)))
            return false;
        if (model->profiles[agent->profile].tires && (agent->flags & th_agentExternal) == 0)
            agent->tired += 1;
    }
    for (int32_t i = 0; i < MODEL_PROFILES; ++i)
        if (model->profiles[i].id.value != 0 && modelProfileInUse(model, i))
            model->profiles[i].stepCount += 1;
    qsort(keys, (size_t)count, sizeof *keys, byKey);
    for (int32_t i = 0; i < count; ++i)
        if (!followArrival(model, modelFindKey(model, keys[i]), &events, &left))
            return false;
    if (left != 0)
        return modelFail(model, "%d events too many, the first of %llu", left,
                         (unsigned long long)events[0].key);
    modelAdvanceMovers(model, dt);
    model->steps += 1;
    return true;
}

// What a host sees.

static bool agentMatches(Model* model, const ModelAgent* agent, const thWorld* world,
                         thAgentView view)
{
    const int32_t slot = THRONG_SLOT(agent->id);
    if (slot < 0 || slot >= view.slotCount)
        return modelFail(model, "agent %llu is in no slot", (unsigned long long)agent->key);
    const thAgentRow* row = &view.rows[slot];
    Place at;
    if (thAgent_GetUnits(world, agent->id, &at.x, &at.y) != th_resultOk ||
        !thAgent_IsValid(world, agent->id) ||
        thWorld_FindAgent(world, agent->key).value != agent->id.value)
        return modelFail(model, "agent %llu is not found", (unsigned long long)agent->key);
    if (row->key != agent->key || row->flags != agent->flags || at.x != agent->at.x ||
        at.y != agent->at.y || row->position.x != (float)at.x / (float)THRONG_UNITS_PER_METRE ||
        row->position.y != (float)at.y / (float)THRONG_UNITS_PER_METRE ||
        row->velocity.x != agent->velocity.x || row->velocity.y != agent->velocity.y ||
        row->heading != agent->heading)
        return modelFail(model, "agent %llu does not look right: key %llu flags %x, expected %x",
                         (unsigned long long)agent->key, (unsigned long long)row->key, row->flags,
                         agent->flags);
    return true;
}

static bool infoMatches(Model* model, const ModelAgent* agent, const thWorld* world)
{
    const thAgentInfo info = thAgent_GetInfo(world, agent->id);
    const uint64_t goal = agent->goal >= 0 ? model->goals[agent->goal].id.value : 0;
    if (info.profile.value != model->profiles[agent->profile].id.value || info.goal.value != goal ||
        info.goalIndex != agent->goalIndex || info.level != agent->level ||
        info.group != agent->group || info.layers != agent->layers || info.mask != agent->mask ||
        info.radius != agent->radius || info.prefSpeed != agent->prefSpeed ||
        info.maxSpeed != agent->maxSpeed || info.maxAccel != agent->maxAccel ||
        info.yield != agent->yield || info.status != 0 ||
        ((agent->flags & th_agentExternal) != 0 && info.remaining != 0.0f))
        return modelFail(model, "what is known of agent %llu is wrong",
                         (unsigned long long)agent->key);
    return true;
}

static bool moverMatches(Model* model, const ModelObstacle* mover, const thWorld* world)
{
    thVec2 position;
    float angle;
    if (thObstacle_GetPlace(world, mover->id, &position, &angle) != th_resultOk)
        return modelFail(model, "mover %d is gone", THRONG_SLOT(mover->id));
    const Offset right = {mover->x / UNITS, mover->y / UNITS};
    if (!isNearTo(position, right, 5e-5 + 1e-7 * (fabs(right.x) + fabs(right.y))) ||
        fabs(remainder((double)angle - mover->angle, TURN)) > 1e-3)
        return modelFail(model, "mover %d is at %.9g %.9g, expected %.9g %.9g, point %d of %d",
                         THRONG_SLOT(mover->id), (double)position.x, (double)position.y, right.x,
                         right.y, mover->pathAt, mover->pathCount);
    return true;
}

static bool countersMatch(Model* model, const thWorld* world)
{
    const thCounters counters = thWorld_GetCounters(world);
    Place segments[MODEL_SEGMENTS][2];
    int32_t owner[MODEL_SEGMENTS];
    int32_t profiles = 0, goals = 0, obstacles = 0, movers = 0;
    for (int32_t i = 0; i < MODEL_PROFILES; ++i)
        profiles += model->profiles[i].id.value != 0;
    for (int32_t i = 0; i < MODEL_GOALS; ++i)
        goals += model->goals[i].id.value != 0;
    for (int32_t i = 0; i < MODEL_OBSTACLES; ++i) {
        obstacles += model->obstacles[i].id.value != 0;
        movers += model->obstacles[i].id.value != 0 && modelIsMover(&model->obstacles[i]);
    }
    if (counters.steps != model->steps || counters.agents != model->agentCount ||
        counters.profiles != profiles || counters.goals != goals ||
        counters.obstacles != obstacles || counters.movers != movers ||
        counters.walls != modelSegments(model, -1, segments, owner) ||
        counters.arrivals != model->arrivals || counters.departures != model->departures ||
        counters.refusedCommands != model->refusedCommands)
        return modelFail(model, "counters are wrong");
    return true;
}

bool modelMatchesWorld(Model* model, const thWorld* world)
{
    const thAgentView view = thWorld_GetAgentView(world);
    int32_t living = 0;
    for (int32_t slot = 0; slot < view.slotCount; ++slot)
        living += view.rows[slot].flags != 0;
    if (living != model->agentCount || view.agentCount != living)
        return modelFail(model, "the view shows %d agents, expected %d", living, model->agentCount);
    for (int32_t i = 0; i < MODEL_AGENTS; ++i)
        if (model->agents[i].key != 0 && (!agentMatches(model, &model->agents[i], world, view) ||
                                          !infoMatches(model, &model->agents[i], world)))
            return false;
    for (int32_t i = 0; i < MODEL_OBSTACLES; ++i)
        if (model->obstacles[i].id.value != 0 && modelIsMover(&model->obstacles[i]) &&
            !moverMatches(model, &model->obstacles[i], world))
            return false;
    return countersMatch(model, world);
}
