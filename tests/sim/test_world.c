// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A world: its definition, its counters and its memory, and who watches its stages.

#include "gear/allocators.h"
#include "sim/sim_gear.h"
#include "sim/world_internal.h"

static void testDefaults(void** state)
{
    (void)state;
    const thWorldDef def = thDefaultWorldDef();
    assert_int_equal(def.size, sizeof def);
    assert_int_equal(def.workerCount, 0);
    assert_true(def.tasks.enqueue == NULL && def.tasks.finish == NULL && def.tasks.context == NULL);
    assert_true(def.allocator.allocate == thDefaultAllocator().allocate);
    assert_int_equal(def.maxBytes, 0);
    assert_int_equal(def.seed, 1);
    assert_true(def.originX == 0.0 && def.originY == 0.0);
    assert_int_equal(def.simd, th_simdAuto);
    assert_int_equal(def.contacts, 1);
    assert_int_equal(def.contactEvents, 0);
}

static void refuse(const thWorldDef* def)
{
    thWorld* world = (thWorld*)(uintptr_t)8;
    (void)heard();
    assert_int_equal(thCreateWorld(def, &world), th_resultBadArgument);
    assert_null(world);
    assert_int_equal(heard(), 1);
}

static void* enqueueNothing(void* context, thTaskFcn* function, void* task)
{
    (void)context;
    function(task);
    return NULL;
}

static void testBadArguments(void** state)
{
    (void)state;
    listen();
    thWorldDef def = thDefaultWorldDef();
    assert_int_equal(thCreateWorld(&def, NULL), th_resultBadArgument);
    assert_int_equal(heard(), 1);
    refuse(NULL);
    def.size -= 1;
    refuse(&def);
    def.size += 2;
    refuse(&def);
    def = thDefaultWorldDef();
    def.workerCount = -1;
    refuse(&def);
    def.workerCount = 65;
    refuse(&def);
    def = thDefaultWorldDef();
    def.tasks.enqueue = enqueueNothing;
    refuse(&def);
    def = thDefaultWorldDef();
    def.allocator.release = NULL;
    refuse(&def);
    def = thDefaultWorldDef();
    def.originX = (double)NAN;
    refuse(&def);
    def = thDefaultWorldDef();
    def.originY = (double)INFINITY;
    refuse(&def);
    def = thDefaultWorldDef();
    def.simd = th_simdCount;
    refuse(&def);
    def = thDefaultWorldDef();
    def.contacts = 2;
    refuse(&def);
    def = thDefaultWorldDef();
    def.contactEvents = -1;
    refuse(&def);

    thWorld* world = createWorld();
    assert_refused(world, thWorld_Reserve(world, -1));
    assert_int_equal(thWorld_Reserve(world, INT32_MAX), th_resultFull);
    assert_int_equal(thWorld_Reserve(NULL, 1), th_resultBadArgument);
    assert_int_equal(thWorld_GetCounters(NULL).agents, 0);
    assert_int_equal(heard(), 2);
    thDestroyWorld(world);
    thDestroyWorld(NULL);
    assert_int_equal(heard(), 0);
    thSetHooks(NULL);
}

// Nothing may change a world while it makes a step.
static void testStepping(void** state)
{
    (void)state;
    listen();
    Full full;
    assert_ok(createFull(NULL, false, &full));
    thWorld* world = full.world;
    const Bytes before = saveWorld(world);
    const thProfileDef profile = thDefaultProfileDef();
    const thGoalDef goal = thDefaultGoalDef();
    const thObstacleDef obstacle = thDefaultObstacleDef();
    thAgentDef agent = thDefaultAgentDef();
    agent.profile = full.walker;
    const thAgentColumns columns = thDefaultAgentColumns();
    const thVec2 zero = {0.0f, 0.0f};
    thProfileId profileId;
    thGoalId goalId;
    thObstacleId obstacleId;
    thAgentId id = full.agents[1];
    size_t size;
    world->stepping = true;
    const thResult codes[] = {thWorld_Reserve(world, 5),
                              thWorld_AddMethod(world, th_methodGroup, &circleMethod),
                              thCreateProfile(world, &profile, &profileId, NULL),
                              thDestroyProfile(world, full.walker),
                              thCreateGoal(world, &goal, &goalId),
                              thCreatePointGoal(world, zero, &goalId),
                              thDestroyGoal(world, full.list),
                              thCreateObstacle(world, &obstacle, &obstacleId),
                              thDestroyObstacle(world, full.solid),
                              thObstacle_SetMotion(world, full.box, zero, 0.0f),
                              thObstacle_SetPlace(world, full.box, zero, 0.0f),
                              thCreateAgents(world, &columns, NULL),
                              thDestroyAgent(world, id),
                              thDestroyAgents(world, &id, 1),
                              thAgent_SetGoal(world, id, full.point),
                              thAgent_SetPreferredVelocity(world, id, zero),
                              thWorld_SetPreferredVelocities(world, &id, &zero, 1),
                              thWorld_SetKinematics(world, &id, &zero, NULL, 1),
                              thAgent_SetHeading(world, id, 0.0f),
                              thAgent_SetLevel(world, id, 0),
                              thAgent_SetLayers(world, id, 1, 1),
                              thAgent_SetSpeeds(world, id, 1.0f, 1.0f),
                              thAgent_SetYield(world, id, 1.0f),
                              thAgent_SetWaiting(world, id, 1),
                              thWorld_Step(world, 0.1f),
                              thWorld_Save(world, NULL, 0, &size),
                              thWorld_Restore(world, before.data, before.size, NULL)};
    const int32_t count = (int32_t)(sizeof codes / sizeof codes[0]);
    for (int32_t i = 0; i < count; ++i)
        assert_int_equal(codes[i], th_resultBadArgument);
    assert_int_equal(heard(), count);
    thAgentId created;
    assert_int_equal(thCreateAgent(world, &agent, &created), th_resultBadArgument);
    thDestroyWorld(world); // neither
    assert_int_equal(heard(), 2);
    world->stepping = false;
    const Bytes after = saveWorld(world);
    assert_true(sameBytes(before, after));
    freeBytes(before);
    freeBytes(after);
    thDestroyWorld(world);
    thSetHooks(NULL);
}

static void testMaxBytes(void** state)
{
    (void)state;
    thWorldDef def = thDefaultWorldDef();
    def.maxBytes = 100;
    thWorld* world;
    assert_int_equal(thCreateWorld(&def, &world), th_resultNoMemory);
    assert_null(world);
    def.maxBytes = 1 << 20;
    assert_ok(thCreateWorld(&def, &world));
    thAgentDef agent = thDefaultAgentDef();
    const thProfileDef profile = thDefaultProfileDef();
    assert_ok(thCreateProfile(world, &profile, &agent.profile, NULL));
    thResult code;
    int32_t count = 0;
    for (thAgentId id; (code = thCreateAgent(world, &agent, &id)) == th_resultOk;)
        count += 1;
    assert_int_equal(code, th_resultNoMemory);
    assert_in_range(count, 100, 10000);
    const thCounters counters = thWorld_GetCounters(world);
    assert_int_equal(counters.agents, count);
    assert_in_range(counters.bytes, 1 << 18, 1 << 20);
    assert_in_range(counters.peakBytes, counters.bytes, 1 << 20);
    assert_true(counters.agentBytes > 0 && counters.neighborBytes > 0);
    const uint64_t parts = counters.agentBytes + counters.goalBytes + counters.neighborBytes;
    assert_in_range(parts + counters.planBytes, 1, counters.bytes);
    assert_int_equal(thWorld_Reserve(world, 1000000), th_resultNoMemory);
    assert_ok(thWorld_Reserve(world, count));
    thDestroyWorld(world);
}

// After a reservation nothing is allocated for agents without bytes of their own.
static void testReserve(void** state)
{
    (void)state;
    thWorld* world = createWorld();
    thAgentColumns columns = thDefaultAgentColumns();
    const thProfileDef profile = thDefaultProfileDef();
    assert_ok(thCreateProfile(world, &profile, &columns.shared.profile, NULL));
    assert_ok(thWorld_Reserve(world, 1000));
    const uint64_t allocations = thWorld_GetCounters(world).allocations;
    uint64_t keys[500];
    for (int32_t i = 0; i < 500; ++i)
        keys[i] = (uint64_t)(1000 - i);
    columns.count = 500;
    columns.keys = keys;
    assert_ok(thCreateAgents(world, &columns, NULL));
    thAgentId id;
    for (int32_t i = 0; i < 500; ++i)
        assert_ok(thCreateAgent(world, &columns.shared, &id));
    assert_int_equal(thWorld_GetCounters(world).allocations, allocations);
    assert_ok(thCreateAgent(world, &columns.shared, &id));
    assert_true(thWorld_GetCounters(world).allocations > allocations);
    assert_int_equal(thWorld_GetCounters(world).agents, 1001);
    thDestroyWorld(world);
}

static void testCounters(void** state)
{
    (void)state;
    Full full;
    assert_ok(createFull(NULL, true, &full));
    thCounters counters = thWorld_GetCounters(full.world);
    assert_int_equal(counters.steps, 0);
    assert_int_equal(counters.agents, 37);
    assert_int_equal(counters.agentSlots, 40);
    assert_int_equal(counters.profiles, 3);
    assert_int_equal(counters.goals, 6);
    assert_int_equal(counters.obstacles, 6);
    assert_int_equal(counters.walls, 4 + 4 + 2);
    assert_int_equal(counters.movers, 3);
    assert_int_equal(counters.refusedCommands, 0);
    assert_ok(thWorld_Step(full.world, 0.1f));
    counters = thWorld_GetCounters(full.world);
    assert_int_equal(counters.steps, 1);
    assert_int_equal(counters.agents, 38);
    assert_int_equal(counters.refusedCommands, 1);
    thDestroyWorld(full.world);
}

static thResult fullWorld(const thAllocator* allocator, void* context)
{
    (void)context;
    Full full;
    const thResult code = createFull(allocator, true, &full);
    if (code == th_resultOk)
        thDestroyWorld(full.world);
    return code;
}

static thResult workers(const thAllocator* allocator, void* context)
{
    (void)context;
    thWorldDef def = thDefaultWorldDef();
    def.allocator = *allocator;
    def.workerCount = THRONG_THREADS ? 3 : 0;
    thWorld* world;
    const thResult code = thCreateWorld(&def, &world);
    assert_true((code == th_resultOk) == (world != NULL));
    thDestroyWorld(world);
    return code;
}

static void testFailEach(void** state)
{
    (void)state;
    assert_in_range(failEachAllocation(fullWorld, NULL), 60, 1000);
    failEachAllocation(workers, NULL);
}

static void testManyWorlds(void** state)
{
    (void)state;
    Full a, b;
    assert_ok(createFull(NULL, false, &a));
    assert_ok(createFull(NULL, false, &b));
    for (int32_t i = 0; i < 10; ++i)
        assert_ok(thWorld_Step(a.world, 0.1f));
    for (int32_t i = 0; i < 10; ++i)
        assert_ok(thWorld_Step(b.world, 0.1f));
    assert_int_equal(thWorld_GetStateHash(a.world), thWorld_GetStateHash(b.world));
    thDestroyWorld(a.world);
    assert_ok(thWorld_Step(b.world, 0.1f));
    thDestroyWorld(b.world);
}

typedef struct Watched {
    char stages[64];
    uint64_t hashes[16];
    int32_t count;
    uint64_t lastStep;
} Watched;

static void watchStage(void* context, uint64_t step, const char* stage, uint64_t hash)
{
    Watched* watched = context;
    assert_true(watched->count < 16);
    strcat(strcat(watched->stages, stage), " ");
    watched->hashes[watched->count++] = hash;
    watched->lastStep = step;
}

// Stages speak in their order, the same for equal worlds, and differ where these do.
static void testWatchStages(void** state)
{
    (void)state;
    Watched watched[3] = {0};
    for (int32_t i = 0; i < 3; ++i) {
        Full full;
        assert_int_equal(createFull(NULL, false, &full), th_resultOk);
        if (i == 2)
            assert_int_equal(thAgent_SetWaiting(full.world, full.agents[0], 1), th_resultOk);
        assert_int_equal(thWorld_Step(full.world, 0.1f), th_resultOk);
        assert_int_equal(thWorld_WatchStages(full.world, watchStage, &watched[i]), th_resultOk);
        assert_int_equal(thWorld_Step(full.world, 0.1f), th_resultOk);
        assert_int_equal(thWorld_WatchStages(full.world, NULL, NULL), th_resultOk);
        assert_int_equal(thWorld_Step(full.world, 0.1f), th_resultOk);
        assert_string_equal(watched[i].stages, "sort sense plan avoid move ");
        thDestroyWorld(full.world);
    }
    assert_memory_equal(watched[0].hashes, watched[1].hashes, sizeof watched[0].hashes);
    assert_true(watched[0].hashes[4] != watched[2].hashes[4]);
    listen();
    assert_int_equal(thWorld_WatchStages(NULL, watchStage, NULL), th_resultBadArgument);
    assert_int_equal(heard(), 1);
}

// Those who come by command in a step are watched in it, also where rows have to grow for them.
static void testWatchNewcomers(void** state)
{
    (void)state;
    Full full;
    assert_int_equal(createFull(NULL, false, &full), th_resultOk);
    Watched watched = {0};
    assert_int_equal(thWorld_WatchStages(full.world, watchStage, &watched), th_resultOk);
    thCommand command = thDefaultCommand();
    command.kind = th_commandCreateAgent;
    command.create.profile = full.walker;
    command.create.level = 7;
    for (int32_t i = 0; i < 400; ++i) {
        command.create.key = 5000 + (uint64_t)i;
        command.create.position = (thVec2){100.0f + (float)(i % 20), (float)(i / 20)};
        assert_int_equal(thWorld_Queue(full.world, &command), th_resultOk);
    }
    assert_int_equal(thWorld_Step(full.world, 0.1f), th_resultOk);
    assert_true(thWorld_GetCounters(full.world).agents > 400);
    assert_string_equal(watched.stages, "sort sense plan avoid move ");
    thDestroyWorld(full.world);
}

// Every stage has a name, and takes time in a step of a crowd.
static void testStages(void** state)
{
    (void)state;
    static const char* const names[] = {"commands", "sort",  "prepare", "sense", "plan",  "group",
                                        "unjam",    "avoid", "pace",    "move",  "report"};
    Full full;
    assert_ok(createFull(NULL, false, &full));
    int64_t times[th_stageCount] = {0};
    for (int32_t i = 0; i < 20; ++i) {
        assert_ok(thWorld_Step(full.world, 0.1f));
        const thCounters counters = thWorld_GetCounters(full.world);
        for (int32_t stage = 0; stage < th_stageCount; ++stage)
            times[stage] += counters.stageTime[stage];
    }
    assert_int_equal(th_stageCount, sizeof names / sizeof names[0]);
    for (int32_t stage = 0; stage < th_stageCount; ++stage) {
        assert_string_equal(thStage_GetName((thStage)stage), names[stage]);
        assert_true(times[stage] > 0);
    }
    assert_null(thStage_GetName(th_stageCount));
    thDestroyWorld(full.world);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testWatchStages),  cmocka_unit_test(testWatchNewcomers),
        cmocka_unit_test(testStages),       cmocka_unit_test(testDefaults),
        cmocka_unit_test(testBadArguments), cmocka_unit_test(testStepping),
        cmocka_unit_test(testMaxBytes),     cmocka_unit_test(testReserve),
        cmocka_unit_test(testCounters),     cmocka_unit_test(testFailEach),
        cmocka_unit_test(testManyWorlds),
    };
    return RUN_TESTS(tests, argc, argv);
}
