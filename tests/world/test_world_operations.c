// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Random operations on whole worlds, held against a simple model after each of them; and what must
// hold between worlds: threads, instruction sets, the order of creation and missing memory change
// nothing.

#include "gear/gear.h"
#include "world/world_operations.h"
#include "world/world_senses.h"

#include <stdlib.h>

static Play play; // too large for the stack

static int64_t operationCount, failureCount;

static bool openPlay(thGenerator* g, bool flaky, bool tight)
{
    static const int32_t crowds[] = {5, 40, 150, MODEL_AGENTS};
    memset(&play, 0, offsetof(Play, saved));
    play.failures = play.operations = 0;
    play.g = g;
    play.flaky = flaky;
    play.crowd = crowds[drawU32(g) % 4];
    play.opening = drawInt(g, 0, 40);
    testAllocatorInit(&play.allocator);
    listenToHook();
    const int32_t workerCount = drawInt(g, 0, 3);
    const thSimd simd = drawSimd(g);
    play.world = openWorld(&play, workerCount, simd);
    play.model.scarce = flaky || tight;
    if (play.world == NULL || !tight)
        return play.world != NULL;
    // A world that has little more than it needs when it is empty.
    play.maxBytes = thWorld_GetCounters(play.world).peakBytes + drawU32(g) % 200000;
    thDestroyWorld(play.world);
    play.world = openWorld(&play, workerCount, simd);
    return play.world != NULL;
}

static bool closePlay(bool right, int32_t number)
{
    thDestroyWorld(play.world);
    thSetHooks(NULL);
    operationCount += play.operations;
    failureCount += play.failures;
    const char* problem = testAllocatorProblem(&play.allocator);
    if (!right)
        print_message("operation %d, %s: %s\n", number, play.doing, play.model.problem);
    else if (problem != NULL)
        print_message("after %d operations: %s\n", number, problem);
    testAllocatorFree(&play.allocator);
    return right && problem == NULL;
}

static bool playsRight(thGenerator* g, int32_t size, bool flaky, bool tight)
{
    bool right = openPlay(g, flaky, tight) || modelFail(&play.model, "there is no world");
    int32_t number = 0;
    for (; number < size && right; ++number)
        right = playOperation(&play);
    return closePlay(right, number);
}

static bool holdsAlways(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    return playsRight(g, size, false, false);
}

static bool holdsWithLittleMemory(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    return playsRight(g, size, false, true);
}

static bool holdsWithFailingAllocations(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    return playsRight(g, size, true, false);
}

static void checkOperations(const char* name, thPropertyFcn* holds, int32_t cases)
{
    const bool takeLong = getenv("THRONG_LONG") != NULL;
    operationCount = failureCount = 0;
    const thProperty property = {.name = name,
                                 .seed = 1,
                                 .caseCount = takeLong ? 20 * cases : cases,
                                 .maxSize = takeLong ? 600 : 300,
                                 .holds = holds};
    assertProperty(&property);
    print_message("%s: %lld operations, %lld without memory\n", name, (long long)operationCount,
                  (long long)failureCount);
}

static void testOperations(void** state)
{
    (void)state;
    checkOperations("operations", holdsAlways, 150);
}

static void testLittleMemory(void** state)
{
    (void)state;
    checkOperations("little-memory", holdsWithLittleMemory, 40);
}

static void testFailingAllocations(void** state)
{
    (void)state;
    checkOperations("failing-allocations", holdsWithFailingAllocations, 40);
}

// Many worlds with the same content: created in other orders and other ways, with other threads and
// instruction sets.

#define TWINS 5
#define TWIN_AGENTS 1200
#define TWIN_GOALS 12
#define TWIN_PROFILES 3

typedef struct Twin {
    thWorld* world;
    thProfileId profiles[TWIN_PROFILES];
    thGoalId goals[TWIN_GOALS];
    int32_t order[TWIN_AGENTS]; // in which it meets agents
} Twin;

static bool furnishTwin(Twin* twin, thGenerator g)
{
    play.g = &g;
    for (int32_t i = 0; i < TWIN_PROFILES; ++i) {
        ModelProfile profile;
        const thProfileDef def = drawProfileDef(&play, &profile);
        if (thCreateProfile(twin->world, &def, &twin->profiles[i], NULL) != th_resultOk)
            return false;
    }
    for (int32_t i = 0; i < TWIN_GOALS; ++i)
        if (thCreatePointGoal(twin->world, drawPosition(&g), &twin->goals[i]) != th_resultOk)
            return false;
    for (int32_t i = 0; i < 6; ++i) {
        const thVec2 a = drawPosition(&g);
        const thVec2 box[3] = {a, {a.x + 3.0f, a.y}, {a.x + 1.0f, a.y + 2.0f}};
        thObstacleDef def = thDefaultObstacleDef();
        thObstacleId id;
        def.kind = i < 4 ? th_obstacleSolid : th_obstacleMovingPolygon;
        def.points = box;
        def.pointCount = 3;
        def.velocity = (thVec2){0.5f, 0.25f};
        def.spin = 0.3f;
        if (thCreateObstacle(twin->world, &def, &id) != th_resultOk)
            return false;
    }
    return true;
}

// The i-th agent is the same in all twins.
static thAgentDef twinAgent(const Twin* twin, uint64_t seed, int32_t i)
{
    static const uint32_t flags[] = {0, 0, 0, 0, 0, th_agentExternal, th_agentVelocityOnly, 0};
    thGenerator g = makeGenerator(seed, (uint64_t)i);
    thAgentDef def = thDefaultAgentDef();
    def.profile = twin->profiles[drawU32(&g) % TWIN_PROFILES];
    def.goal = twin->goals[drawU32(&g) % TWIN_GOALS];
    def.position = drawPosition(&g);
    def.heading = drawFloat(&g, -3.0f, 3.0f);
    def.radius = drawU32(&g) % 32 == 0 ? 2.0f : 0.25f;
    def.flags = flags[drawU32(&g) % 8];
    def.key = (uint64_t)(i + 1) * 7919 % 1000003;
    def.placement = th_placementNearest;
    return def;
}

static void shuffle(thGenerator* g, int32_t* order, int32_t count)
{
    for (int32_t i = 0; i < count; ++i)
        order[i] = i;
    for (int32_t i = count - 1; i > 0; --i) {
        const int32_t k = drawInt(g, 0, i), held = order[i];
        order[i] = order[k];
        order[k] = held;
    }
}

// One after the other, all at once, or by commands of the next step.
static bool fillTwin(Twin* twin, uint64_t seed, int32_t count, uint32_t way)
{
    static thVec2 positions[TWIN_AGENTS];
    static uint64_t keys[TWIN_AGENTS];
    for (int32_t i = 0; i < count; ++i) {
        const thAgentDef def = twinAgent(twin, seed, twin->order[i]);
        thCommand command = thDefaultCommand();
        command.create = def;
        thAgentId id;
        positions[i] = def.position;
        keys[i] = def.key;
        if ((way == 2 ? thWorld_Queue(twin->world, &command)
                      : thCreateAgent(twin->world, &def, &id)) != th_resultOk)
            return false;
    }
    if (way != 1)
        return true;
    // Away with them, and once more under the same keys: other slots, the same state.
    for (int32_t i = 0; i < count; ++i)
        if (thDestroyAgent(twin->world, thWorld_FindAgent(twin->world, keys[i])) != th_resultOk)
            return false;
    for (int32_t i = 0; i < count; ++i) {
        const thAgentDef def = twinAgent(twin, seed, twin->order[i]);
        thAgentColumns columns = thDefaultAgentColumns();
        columns.shared = def;
        columns.count = 1;
        columns.positions = &positions[i];
        columns.keys = &keys[i];
        if (thCreateAgents(twin->world, &columns, NULL) != th_resultOk)
            return false;
    }
    return true;
}

// Between steps some agents change. Each change concerns one agent, so the order does not matter.
static bool changeTwin(Twin* twin, uint64_t seed, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        thGenerator g = makeGenerator(seed, (uint64_t)twin->order[i]);
        const thAgentId id =
            thWorld_FindAgent(twin->world, twinAgent(twin, seed, twin->order[i]).key);
        const uint32_t choice = drawU32(&g) % 64;
        const thVec2 position = drawPosition(&g);
        if (id.value == 0)
            continue;
        thResult code = th_resultOk;
        if (choice == 0)
            code = thDestroyAgent(twin->world, id);
        else if (choice < 3)
            code = thWorld_SetKinematics(twin->world, &id, &position, NULL, 1);
        else if (choice < 6)
            code = thAgent_SetGoal(twin->world, id, twin->goals[drawU32(&g) % TWIN_GOALS]);
        else if (choice < 8)
            code = thAgent_SetLevel(twin->world, id, (int32_t)(drawU32(&g) % 3));
        else if (choice < 10)
            code = thAgent_SetPlace(twin->world, id, position, 0, th_placementNearest);
        if (code != th_resultOk && code != th_resultBlocked)
            return false;
    }
    return true;
}

static bool twinsAgree(Twin* twins, uint64_t seed, int32_t count)
{
    for (uint64_t step = 0; step < 12; ++step) {
        for (int32_t i = 0; i < TWINS; ++i)
            if (thWorld_Step(twins[i].world, step % 3 == 0 ? 0.5f : 0.05f) != th_resultOk)
                return modelFail(&play.model, "a twin makes no step");
        for (int32_t i = 1; i < TWINS; ++i)
            if (thWorld_GetStateHash(twins[i].world) != thWorld_GetStateHash(twins[0].world))
                return modelFail(&play.model, "twin %d differs in step %d", i, (int)step);
        for (int32_t i = 0; i < TWINS; ++i)
            if (!changeTwin(&twins[i], seed + step, count))
                return modelFail(&play.model, "a twin cannot be changed");
    }
    return true;
}

static bool holdsInEveryOrder(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    static const int32_t workers[TWINS] = {1, 2, 3, 8, 0};
    static Twin twins[TWINS];
    memset(&play, 0, offsetof(Play, saved));
    play.doing = "twins";
    testAllocatorInit(&play.allocator);
    const uint64_t seed = drawU64(g);
    const int32_t count = size < TWIN_AGENTS ? size : TWIN_AGENTS;
    bool right = true;
    for (int32_t i = 0; i < TWINS; ++i) {
        twins[i].world = openWorld(&play, workers[i], drawSimd(g));
        shuffle(g, twins[i].order, count);
        if (twins[i].world == NULL || !furnishTwin(&twins[i], makeGenerator(seed, 1)) ||
            !fillTwin(&twins[i], seed, count, drawU32(g) % 3))
            right = modelFail(&play.model, "twin %d cannot be made", i);
    }
    right = right && twinsAgree(twins, seed, count);
    for (int32_t i = 0; i < TWINS; ++i)
        thDestroyWorld(twins[i].world);
    play.world = NULL;
    return closePlay(right, 0);
}

static void testEveryOrder(void** state)
{
    (void)state;
    const thProperty property = {.name = "every-order",
                                 .seed = 2,
                                 .caseCount = getenv("THRONG_LONG") != NULL ? 400 : 8,
                                 .maxSize = TWIN_AGENTS,
                                 .holds = holdsInEveryOrder};
    assertProperty(&property);
}

// A crowd that walks about between places, for the tests below.

#define CROWD 2000

static thWorld* openCrowd(int32_t agentCount, thArrival arrival, int32_t workerCount)
{
    memset(&play, 0, offsetof(Play, saved));
    testAllocatorInit(&play.allocator);
    thGenerator g = makeGenerator(4, 4);
    thWorld* world = openWorld(&play, workerCount, th_simdAuto);
    assert_non_null(world);
    thProfileDef profileDef = thDefaultProfileDef();
    profileDef.avoid.name = "watch";
    profileDef.arrival = arrival;
    thProfileId profile;
    assert_int_equal(thCreateProfile(world, &profileDef, &profile, NULL), th_resultOk);
    thGoalId places[64], lists[64];
    for (int32_t i = 0; i < 64; ++i) {
        const thVec2 point = {drawFloat(&g, -30.0f, 30.0f), drawFloat(&g, -30.0f, 30.0f)};
        assert_int_equal(thCreatePointGoal(world, point, &places[i]), th_resultOk);
    }
    for (int32_t i = 0; i < 64; ++i) {
        thGoalDef list = thDefaultGoalDef();
        const thGoalId stations[3] = {places[i], places[(i + 17) % 64], places[(i * 5 + 3) % 64]};
        list.kind = th_goalList;
        list.goals = stations;
        list.goalCount = 3;
        assert_int_equal(thCreateGoal(world, &list, &lists[i]), th_resultOk);
    }
    for (int32_t i = 0; i < agentCount; ++i) {
        thAgentDef def = thDefaultAgentDef();
        thAgentId id;
        def.profile = profile;
        def.goal = lists[drawU32(&g) % 64];
        def.position = (thVec2){drawFloat(&g, -30.0f, 30.0f), drawFloat(&g, -30.0f, 30.0f)};
        assert_int_equal(thCreateAgent(world, &def, &id), th_resultOk);
    }
    return world;
}

static void testWarmWorldAllocatesNothing(void** state)
{
    (void)state;
    thWorld* world = openCrowd(CROWD, th_arrivalAgain, 2);
    // Steps are long, so that the crowd has spread as it will, and more arrive than later on.
    for (int32_t i = 0; i < 60; ++i)
        assert_int_equal(thWorld_Step(world, 2.0f), th_resultOk);
    const uint64_t before = thWorld_GetCounters(world).allocations;
    const int64_t calls = play.allocator.calls;
    for (int32_t i = 0; i < 40; ++i)
        assert_int_equal(thWorld_Step(world, 0.1f), th_resultOk);
    assert_int_equal(thWorld_GetCounters(world).allocations, before);
    assert_int_equal(play.allocator.calls, calls);
    assert_true(thWorld_GetCounters(world).arrivals > 100);
    thDestroyWorld(world);
    testAllocatorFinish(&play.allocator);
}

// Scatters agents and walls anew, so that the next step needs memory.
static void stirCrowd(thWorld* world, thGenerator* g, thObstacleId* wall)
{
    const thAgentView view = thWorld_GetAgentView(world);
    static uint64_t keys[CROWD];
    int32_t count = 0;
    for (int32_t slot = 0; slot < view.slotCount; ++slot)
        if (view.rows[slot].flags != 0)
            keys[count++] = view.rows[slot].key;
    const float extent = drawFloat(g, 1.0f, 3000.0f);
    if (wall->value != 0)
        assert_int_equal(thDestroyObstacle(world, *wall), th_resultOk);
    for (int32_t i = 0; i < count; ++i) {
        const thAgentId id = thWorld_FindAgent(world, keys[i]);
        const thVec2 position = {drawFloat(g, -extent, extent), drawFloat(g, -extent, extent)};
        if (drawU32(g) % 2 == 0)
            assert_int_equal(thWorld_SetKinematics(world, &id, &position, NULL, 1), th_resultOk);
    }
    const thVec2 points[2] = {{-extent, 0.0f}, {extent, drawFloat(g, 0.0f, 900.0f)}};
    thObstacleDef def = thDefaultObstacleDef();
    def.kind = th_obstacleWall;
    def.points = points;
    def.pointCount = 2;
    assert_int_equal(thCreateObstacle(world, &def, wall), th_resultOk);
}

// One allocation of a step fails, or all from there on: the step succeeds or says so, and the next
// one succeeds.
static void testStepsWithoutMemory(void** state)
{
    (void)state;
    thWorld* world = openCrowd(600, th_arrivalLeave, 2);
    thGenerator g = makeGenerator(6, 6);
    thObstacleId wall = {0};
    int32_t failed = 0;
    for (int32_t round = 0; round < 300; ++round) {
        stirCrowd(world, &g, &wall);
        const uint64_t hash = thWorld_GetStateHash(world);
        const thCounters before = thWorld_GetCounters(world);
        const int64_t at = play.allocator.calls + drawInt(&g, 1, 10);
        play.allocator.failAt = round % 2 == 0 ? at : 0;
        play.allocator.failFrom = round % 2 == 0 ? 0 : at;
        const thResult code = thWorld_Step(world, 0.1f);
        play.allocator.failAt = play.allocator.failFrom = 0;
        const thCounters after = thWorld_GetCounters(world);
        assert_true(code == th_resultOk || code == th_resultNoMemory);
        if (after.steps == before.steps) {
            failed += 1;
            assert_int_equal(code, th_resultNoMemory);
            assert_true(thWorld_GetStateHash(world) == hash);
            assert_int_equal(thWorld_Step(world, 0.1f), th_resultOk);
            assert_int_equal(thWorld_GetCounters(world).steps, before.steps + 1);
        }
        const thCounters now = thWorld_GetCounters(world);
        assert_int_equal((uint64_t)now.agents + now.departures, 600);
        assert_int_equal(thWorld_GetAgentView(world).agentCount, now.agents);
    }
    print_message("%d of 300 steps were without memory\n", failed);
    assert_true(failed > 20);
    thDestroyWorld(world);
    testAllocatorFinish(&play.allocator);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testOperations),
        cmocka_unit_test(testLittleMemory),
        cmocka_unit_test(testFailingAllocations),
        cmocka_unit_test(testEveryOrder),
        cmocka_unit_test(testWarmWorldAllocatesNothing),
        cmocka_unit_test(testStepsWithoutMemory),
    };
    return RUN_TESTS(tests, argc, argv);
}
