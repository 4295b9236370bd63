// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A world with something of every kind, and means to compare worlds.

#include "sim/sim_gear.h"

#include "base/hash.h"
#include "throng/roadmap.h"

#include <stdlib.h>

static int32_t heardCount;

static void hear(void* context, const char* condition, const char* file, int32_t line)
{
    (void)context;
    (void)condition;
    (void)file;
    (void)line;
    heardCount += 1;
}

void listen(void)
{
    thSetHooks(&(thHooks){.assertion = hear});
    heardCount = 0;
}

int32_t heard(void)
{
    const int32_t count = heardCount;
    heardCount = 0;
    return count;
}

Bytes saveWorld(const thWorld* world)
{
    Bytes bytes = {0};
    assert_ok(thWorld_Save(world, NULL, 0, &bytes.size));
    bytes.data = malloc(bytes.size);
    assert_non_null(bytes.data);
    size_t size = 0;
    assert_ok(thWorld_Save(world, bytes.data, bytes.size, &size));
    assert_int_equal(size, bytes.size);
    return bytes;
}

void freeBytes(Bytes bytes)
{
    free(bytes.data);
}

bool sameBytes(Bytes a, Bytes b)
{
    return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

void sealBytes(Bytes bytes)
{
    if (bytes.size < 8)
        return;
    const uint64_t checksum = thiHashBytes(0, bytes.data, bytes.size - 8);
    for (size_t i = 0; i < 8; ++i)
        bytes.data[bytes.size - 8 + i] = (uint8_t)(checksum >> (8 * i));
}

thWorld* createWorld(void)
{
    const thWorldDef def = thDefaultWorldDef();
    thWorld* world = NULL;
    assert_ok(thCreateWorld(&def, &world));
    return world;
}

// The host's planner: everybody walks in circles, each with an angle of its own.

typedef struct CircleShared {
    thAllocator allocator;
    uint64_t prepared;
} CircleShared;

static thResult circleValidate(const void* params, thError* error)
{
    const CircleParams* circle = params;
    if (circle->speed >= 0.0f && circle->speed <= 10.0f && circle->turn >= -1.0f &&
        circle->turn <= 1.0f)
        return th_resultOk;
    if (error != NULL) {
        error->code = th_resultBadArgument;
        memcpy(error->text, "bad circle", 11);
    }
    return th_resultBadArgument;
}

static thResult circleCreate(const thMethodHost* host, const void* params, void** shared)
{
    (void)params;
    CircleShared* circle = host->allocator.allocate(host->allocator.context, sizeof *circle, 8);
    if (circle == NULL)
        return th_resultNoMemory;
    *circle = (CircleShared){.allocator = host->allocator};
    *shared = circle;
    return th_resultOk;
}

static void circleDestroy(void* shared)
{
    const thAllocator allocator = ((CircleShared*)shared)->allocator;
    allocator.release(allocator.context, shared, sizeof(CircleShared), 8);
}

static thResult circlePrepare(void* shared, const thFrame* frame, const thTasks* tasks)
{
    (void)frame;
    (void)tasks;
    ((CircleShared*)shared)->prepared += 1;
    return th_resultOk;
}

typedef struct CircleState {
    float angle;
    uint32_t steps;
    uint64_t prepared;
} CircleState;

static void circleSolve(const thBatch* batch, const void* params, const void* shared)
{
    const CircleParams* circle = params;
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        CircleState* state = batch->state[lane];
        state->angle += circle->turn;
        if (state->angle > 6.0f)
            state->angle -= 6.0f;
        state->steps += 1;
        state->prepared = ((const CircleShared*)shared)->prepared;
        float sine, cosine;
        thSinCos(state->angle, &sine, &cosine);
        batch->guideX[lane] = circle->speed * cosine;
        batch->guideY[lane] = circle->speed * sine;
        batch->cornerX[lane] = batch->cornerY[lane] = batch->remaining[lane] = 0.0f;
    }
    for (int32_t lane = batch->count; lane < batch->lanes; ++lane)
        batch->guideX[lane] = batch->guideY[lane] = 0.0f;
}

static thResult circleSave(const void* shared, thWriter* to)
{
    return thWriter_Write(to, &((const CircleShared*)shared)->prepared, sizeof(uint64_t));
}

static thResult circleLoad(void* shared, thReader* from)
{
    return thReader_Read(from, &((CircleShared*)shared)->prepared, sizeof(uint64_t));
}

static const CircleParams circleDefaults = {1.0f, 0.1f};

const thMethod circleMethod = {.size = sizeof(thMethod),
                               .name = "circle",
                               .version = 3,
                               .paramSize = sizeof(CircleParams),
                               .stateSize = sizeof(CircleState),
                               .defaults = &circleDefaults,
                               .validate = circleValidate,
                               .create = circleCreate,
                               .destroy = circleDestroy,
                               .prepare = circlePrepare,
                               .solve = circleSolve,
                               .save = circleSave,
                               .load = circleLoad};

// The full world.

#define TRY(expression)                                                                            \
    do {                                                                                           \
        const thResult tryCode = (expression);                                                     \
        if (tryCode != th_resultOk)                                                                \
            return tryCode;                                                                        \
    } while (0)

static thResult addProfiles(Full* full)
{
    thProfileDef def = thDefaultProfileDef();
    def.name = "walker";
    TRY(thCreateProfile(full->world, &def, &full->walker, NULL));
    def.name = "given";
    def.plan.name = "given";
    def.arrival = th_arrivalLeave;
    TRY(thCreateProfile(full->world, &def, &full->given, NULL));
    // One that goes, so that the pool of ids has a free slot.
    thProfileId gone;
    TRY(thCreateProfile(full->world, &def, &gone, NULL));
    const CircleParams params = {1.5f, 0.25f};
    const thVec2 shape[] = {{0.5f, 0.0f}, {-0.25f, 0.25f}, {-0.25f, -0.25f}};
    def.name = NULL;
    def.shape = shape;
    def.shapeCount = 3;
    def.plan.name = "circle";
    def.plan.params = &params;
    TRY(thCreateProfile(full->world, &def, &full->circler, NULL));
    return thDestroyProfile(full->world, gone);
}

static thResult addShape(thWorld* world, thGoalKind kind, const thVec2* points, int32_t count,
                         thGoalId* id)
{
    thGoalDef def = thDefaultGoalDef();
    def.kind = kind;
    def.points = points;
    def.pointCount = count;
    def.radius = kind == th_goalDisc ? 2.0f : 0.0f;
    return thCreateGoal(world, &def, id);
}

static thResult addGoals(Full* full)
{
    thWorld* world = full->world;
    const thVec2 points[] = {{30.0f, 1.0f}, {34.0f, 1.0f}, {34.0f, 5.0f}, {31.0f, 6.0f}};
    thGoalId gone;
    TRY(thCreatePointGoal(world, (thVec2){-3.0f, 4.5f}, &gone));
    TRY(thCreatePointGoal(world, (thVec2){20.0f, -1.25f}, &full->point));
    TRY(addShape(world, th_goalDisc, points, 1, &full->disc));
    TRY(addShape(world, th_goalSegment, points, 2, &full->segment));
    TRY(addShape(world, th_goalPolygon, points, 4, &full->polygon));
    TRY(thDestroyGoal(world, gone));
    thGoalDef def = thDefaultGoalDef();
    def.kind = th_goalAlternatives;
    def.goals = (thGoalId[]){full->point, full->polygon, full->disc};
    def.goalCount = 3;
    TRY(thCreateGoal(world, &def, &full->alternatives));
    def.kind = th_goalList;
    def.goals = (thGoalId[]){full->segment, full->alternatives, full->point, full->segment};
    def.goalCount = 4;
    return thCreateGoal(world, &def, &full->list);
}

static thResult addRoadmaps(Full* full)
{
    thWorld* world = full->world;
    const thVec2 nodes[] = {{0.0f, 0.0f}, {8.0f, -3.0f}, {16.0f, 0.0f}};
    const thVec2 ends[] = {{0.0f, 0.0f}, {8.0f, 3.0f}, {16.0f, 0.0f}};
    thRoadmapId gone, id;
    thRoadmapDef def = thDefaultRoadmapDef();
    def.name = "gone";
    def.kind = th_roadmapMedial;
    TRY(thCreateRoadmap(world, &def, &gone));
    def.name = "cells";
    def.kind = th_roadmapGrid;
    def.level = 3;
    def.low = (thVec2){-5.0f, -2.5f};
    def.high = (thVec2){5.0f, 9.0f};
    def.side = 0.5f;
    def.neighbors = 4;
    TRY(thCreateRoadmap(world, &def, &id));
    TRY(thDestroyRoadmap(world, gone));
    def = thDefaultRoadmapDef();
    def.name = "portal";
    def.nodes = nodes;
    def.ends = ends;
    def.nodeCount = 3;
    def.edges = (const int32_t[]){1, 2, 1, 0};
    def.edgeCount = 2;
    return thCreateRoadmap(world, &def, &id);
}

static thResult addObstacles(Full* full)
{
    thWorld* world = full->world;
    const thVec2 square[] = {{4.0f, 4.0f}, {6.0f, 4.0f}, {6.0f, 6.0f}, {4.0f, 6.0f}};
    const thVec2 hall[] = {{-50.0f, -50.0f}, {50.0f, -50.0f}, {50.0f, 50.0f}, {-50.0f, 50.0f}};
    const thVec2 bent[] = {{-5.0f, 3.0f}, {-8.0f, 3.0f}, {-9.0f, 7.5f}};
    const thVec2 trolley[] = {{-0.6f, -0.4f}, {0.6f, -0.4f}, {0.6f, 0.4f}, {-0.6f, 0.4f}};
    const thVec2 track[] = {{2.0f, 10.0f}, {18.0f, 10.0f}, {18.0f, 13.0f}};
    thObstacleDef def = thDefaultObstacleDef();
    def.points = square;
    def.pointCount = 4;
    TRY(thCreateObstacle(world, &def, &full->solid));
    def.kind = th_obstacleRoom;
    def.points = hall;
    TRY(thCreateObstacle(world, &def, &full->room));
    def.kind = th_obstacleWall;
    def.points = bent;
    def.pointCount = 3;
    def.level = 1;
    TRY(thCreateObstacle(world, &def, &full->wall));
    def = thDefaultObstacleDef();
    def.kind = th_obstacleMovingDisc;
    def.radius = 0.75f;
    def.position = (thVec2){-20.0f, 3.0f};
    def.velocity = (thVec2){0.3f, -0.1f};
    TRY(thCreateObstacle(world, &def, &full->disc1));
    def.kind = th_obstacleMovingPolygon;
    def.points = trolley;
    def.pointCount = 4;
    def.angle = 1.0f;
    def.spin = 0.7f;
    TRY(thCreateObstacle(world, &def, &full->box));
    def.path = track;
    def.pathCount = 3;
    def.pathLoops = 1;
    def.pathSpeed = 1.3f;
    TRY(thCreateObstacle(world, &def, &full->train));
    // One gate of several that were there.
    thGateDef gate = thDefaultGateDef();
    thGateId first;
    gate.a = (thVec2){-2.0f, -3.0f};
    gate.b = (thVec2){-1.0f, 4.0f};
    TRY(thCreateGate(world, &gate, &first));
    gate.capacity = 0.02f;
    TRY(thCreateGate(world, &gate, &full->gate));
    TRY(thDestroyGate(world, first));
    TRY(thDestroyObstacle(world, full->disc1));
    return thCreateObstacle(world, &def, &full->disc1); // in the same slot, as a second train
}

static thResult addAgents(Full* full)
{
    thWorld* world = full->world;
    const thProfileId profiles[] = {full->walker, full->given, full->circler};
    const thGoalId goals[] = {full->point, full->list, full->alternatives, {0}};
    for (int32_t i = 0; i < 40; ++i) {
        thAgentDef def = thDefaultAgentDef();
        def.profile = profiles[i % 3];
        def.goal = goals[i % 4];
        def.position = (thVec2){(float)(i % 8) * 1.1f - 20.0f, (float)(i / 8) * 0.9f - 10.0f};
        def.key = i % 2 == 0 ? 0 : (uint64_t)(1000 - i);
        def.heading = (float)i;
        def.level = i % 5 == 4;
        def.radius = i == 7 ? 2.5f : -1.0f;
        def.layers = 1u << (i % 3);
        def.group = i == 5 ? 123456789 : i % 3 == 0 ? i / 6 : -1;
        def.flags = i == 9 ? th_agentExternal : i == 10 ? th_agentWaiting : 0;
        TRY(thCreateAgent(world, &def, &full->agents[i]));
        if (i % 3 == 1)
            TRY(thAgent_SetPreferredVelocity(world, full->agents[i],
                                             (thVec2){0.1f * (float)i, -0.5f}));
    }
    const thAgentId gone[] = {full->agents[3], full->agents[39], full->agents[12]};
    TRY(thDestroyAgents(world, gone, 3));
    full->agentCount = 40;
    return th_resultOk;
}

static thResult addCommands(Full* full)
{
    thCommand command = thDefaultCommand();
    command.order = 5;
    command.kind = th_commandSetGoal;
    command.agent = full->agents[0];
    command.goal = full->disc;
    TRY(thWorld_Queue(full->world, &command));
    command.order = 2;
    command.kind = th_commandCreateAgent;
    command.create.profile = full->walker;
    command.create.position = (thVec2){7.0f, -7.0f};
    command.create.key = 77;
    command.create.group = 4;
    TRY(thWorld_Queue(full->world, &command));
    command.kind = th_commandDestroyAgent;
    command.agent = full->agents[3]; // not there any more
    return thWorld_Queue(full->world, &command);
}

thResult createFull(const thAllocator* allocator, bool commands, Full* full)
{
    *full = (Full){0};
    thWorldDef def = thDefaultWorldDef();
    def.seed = 42;
    def.originX = 500000.25;
    def.originY = 5000000.75;
    if (allocator != NULL)
        def.allocator = *allocator;
    TRY(thCreateWorld(&def, &full->world));
    thResult code = thWorld_AddMethod(full->world, th_methodPlan, &circleMethod);
    if (code == th_resultOk)
        code = addProfiles(full);
    if (code == th_resultOk)
        code = addGoals(full);
    if (code == th_resultOk)
        code = addRoadmaps(full);
    if (code == th_resultOk)
        code = addObstacles(full);
    if (code == th_resultOk)
        code = addAgents(full);
    if (code == th_resultOk && commands)
        code = addCommands(full);
    if (code != th_resultOk) {
        thDestroyWorld(full->world);
        full->world = NULL;
    }
    return code;
}

thObstacleId addWall(thWorld* world, float ax, float ay, float bx, float by)
{
    const thVec2 points[] = {{ax, ay}, {bx, by}};
    thObstacleDef def = thDefaultObstacleDef();
    def.kind = th_obstacleWall;
    def.points = points;
    def.pointCount = 2;
    thObstacleId id;
    assert_ok(thCreateObstacle(world, &def, &id));
    return id;
}
