// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The queue of commands: their order, what is refused, and many threads at once.

#include "gear/allocators.h"
#include "gear/property.h"
#include "sim/sim_gear.h"
#include "sim/world_internal.h"
#if THRONG_THREADS
#include <pthread.h>
#endif

static void testDefaults(void** state)
{
    (void)state;
    const thCommand command = thDefaultCommand();
    assert_int_equal(command.size, sizeof command);
    assert_int_equal(command.kind, th_commandCreateAgent);
    assert_int_equal(command.order, 0);
    assert_int_equal(command.create.size, sizeof(thAgentDef));
    assert_true(command.create.radius == -1.0f && command.create.priority == 1.0f);
}

static void testBadArguments(void** state)
{
    (void)state;
    listen();
    Full full;
    assert_ok(createFull(NULL, true, &full));
    thWorld* world = full.world;
    thCommand command = thDefaultCommand();
    assert_refused(world, thWorld_Queue(world, &command)); // without a key
    command.create.key = UINT64_C(1) << 40;
    assert_refused(world, thWorld_Queue(world, &command));
    command.create.key = 1;
    command.create.size = 0;
    assert_refused(world, thWorld_Queue(world, &command));
    command = thDefaultCommand();
    command.kind = (thCommandKind)7;
    assert_refused(world, thWorld_Queue(world, &command));
    command.kind = th_commandSetGoalPlace;
    command.position.y = NAN;
    assert_refused(world, thWorld_Queue(world, &command));
    command.kind = th_commandSetPreferredVelocity;
    command.velocity.x = NAN;
    assert_refused(world, thWorld_Queue(world, &command));
    command.kind = th_commandSetObstacleMotion;
    assert_refused(world, thWorld_Queue(world, &command));
    command.velocity.x = 0.0f;
    command.value = 1000.0f;
    assert_refused(world, thWorld_Queue(world, &command));
    command.size += 1;
    assert_refused(world, thWorld_Queue(world, &command));
    assert_refused(world, thWorld_Queue(world, NULL));
    assert_int_equal(thWorld_Queue(NULL, &command), th_resultBadArgument);
    thDestroyWorld(world);
    thSetHooks(NULL);
}

static void queue(thWorld* world, thCommand command)
{
    assert_ok(thWorld_Queue(world, &command));
}

// One of each kind, then one of each that turns out to be impossible.
static void testKinds(void** state)
{
    (void)state;
    Full full;
    assert_ok(createFull(NULL, false, &full));
    thWorld* world = full.world;
    const thAgentId walker = full.agents[0], given = full.agents[1], other = full.agents[2];
    thCommand command = thDefaultCommand();
    command.create.profile = full.walker;
    command.create.key = 5555;
    command.create.position = (thVec2){1.0f, 2.0f};
    queue(world, command);
    command = thDefaultCommand();
    command.kind = th_commandDestroyAgent;
    command.agent = other;
    queue(world, command);
    command.kind = th_commandSetGoal;
    command.agent = walker;
    command.goal = full.polygon;
    queue(world, command);
    command.kind = th_commandSetPreferredVelocity;
    command.agent = given;
    command.velocity = (thVec2){-1.0f, 1.0f};
    queue(world, command);
    command.kind = th_commandSetWaiting;
    command.agent = walker;
    command.value = 1.0f;
    queue(world, command);
    command.kind = th_commandSetObstacleMotion;
    command.obstacle = full.train;
    command.velocity = (thVec2){2.0f, 0.0f};
    command.value = 0.5f;
    queue(world, command);
    assert_int_equal(thWorld_FindAgent(world, 5555).value, 0); // not before the step
    thiCarryOutCommands(world);
    const thAgentId created = thWorld_FindAgent(world, 5555);
    assert_true(thAgent_Get(world, created).position.y == 2.0f);
    assert_false(thAgent_IsValid(world, other));
    const thRows* rows = thiRows(world);
    assert_int_equal(rows->goal[thiFindRow(world, walker)], THRONG_SLOT(full.polygon));
    assert_int_equal(thAgent_Get(world, walker).flags, th_agentAlive | th_agentWaiting);
    const thVec2* wish = thiAgentState(world, thiFindRow(world, given), th_methodPlan);
    assert_true(wish->x == -1.0f && wish->y == 1.0f);
    const thObstacle* train = &thiObstacles(world)[THRONG_SLOT(full.train)];
    assert_true(train->def.velocity.x == 2.0f && train->def.spin == 0.5f && train->path.count == 0);
    assert_int_equal(thWorld_GetCounters(world).refusedCommands, 0);

    command = thDefaultCommand();
    command.create.profile = full.walker;
    command.create.key = 5555; // taken
    queue(world, command);
    command.create.key = 5556;
    command.create.position.x = NAN;
    queue(world, command);
    command.create.position.x = 0.0f;
    command.create.profile.value = 1;
    queue(world, command);
    for (int32_t kind = th_commandDestroyAgent; kind <= th_commandSetWaiting; ++kind) {
        command = thDefaultCommand();
        command.kind = (thCommandKind)kind;
        command.agent = other; // stale
        queue(world, command);
    }
    command.kind = th_commandSetGoal;
    command.agent = walker;
    command.goal.value = 99;
    queue(world, command);
    command.kind = th_commandSetPreferredVelocity; // not `given`
    queue(world, command);
    command.kind = th_commandSetObstacleMotion;
    command.obstacle = full.solid; // does not move
    queue(world, command);
    command.obstacle.value = 0;
    queue(world, command);
    thiCarryOutCommands(world);
    assert_int_equal(thWorld_GetCounters(world).refusedCommands, 3 + 4 + 4);
    assert_int_equal(thWorld_GetCounters(world).agents, 37);
    thDestroyWorld(world);
}

#define MANY 60

static thCommand drawCommand(thGenerator* g, const Full* full)
{
    thCommand command = thDefaultCommand();
    command.kind = (thCommandKind)drawInt(g, 0, 6);
    command.order = drawU32(g) % 4;
    command.agent = full->agents[drawInt(g, 0, 5)];
    command.obstacle = drawInt(g, 0, 1) == 0 ? full->box : full->train;
    command.goal = drawInt(g, 0, 1) == 0 ? full->disc : full->list;
    command.velocity.x = (float)drawInt(g, 0, 3);
    command.position.x = (float)drawInt(g, 0, 3);
    command.value = (float)drawInt(g, 0, 1);
    command.create.profile = drawInt(g, 0, 1) == 0 ? full->walker : full->given;
    command.create.key = (uint64_t)drawInt(g, 1, 5);
    command.create.position.x = (float)drawInt(g, 0, 3);
    command.create.priority = (float)drawInt(g, 1, 3);
    command.create.placement = (thPlacement)drawInt(g, 0, 2); // the last is none
    command.create.group = drawInt(g, -2, 2);                 // the first is none
    return command;
}

// In whatever order they are queued, the outcome is the same: to the byte, ids included.
static bool orderDoesNotCount(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    Bytes outcome[2];
    thCommand commands[MANY];
    for (int32_t round = 0; round < 2; ++round) {
        Full full;
        assert_ok(createFull(NULL, false, &full));
        if (round == 0) {
            for (int32_t i = 0; i < size; ++i)
                commands[i] = drawCommand(g, &full);
        } else {
            for (int32_t i = size - 1; i > 0; --i) {
                const int32_t k = drawInt(g, 0, i);
                const thCommand held = commands[i];
                commands[i] = commands[k];
                commands[k] = held;
            }
        }
        for (int32_t i = 0; i < size; ++i)
            queue(full.world, commands[i]);
        thiCarryOutCommands(full.world);
        outcome[round] = saveWorld(full.world);
        thDestroyWorld(full.world);
    }
    const bool same = sameBytes(outcome[0], outcome[1]);
    freeBytes(outcome[0]);
    freeBytes(outcome[1]);
    return same;
}

static void testOrder(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"commands", 2, 100, MANY, orderDoesNotCount, NULL});
}

// Lower numbers first.
static void testNumbers(void** state)
{
    (void)state;
    Full full;
    assert_ok(createFull(NULL, false, &full));
    thCommand command = thDefaultCommand();
    command.kind = th_commandSetGoal;
    command.agent = full.agents[0];
    command.order = 9;
    command.goal = full.disc;
    queue(full.world, command);
    command.order = 3;
    command.goal = full.segment;
    queue(full.world, command);
    thiCarryOutCommands(full.world);
    assert_int_equal(thiRows(full.world)->goal[thiFindRow(full.world, full.agents[0])],
                     THRONG_SLOT(full.disc));
    thDestroyWorld(full.world);
}

// Of two that create the same agent in different groups the same one is carried out, whichever came
// first.
static void testSameButForGroup(void** state)
{
    (void)state;
    static const int32_t groups[] = {-1, 0, 7, INT32_MAX};
    for (int32_t a = 0; a < 4; ++a)
        for (int32_t b = 0; b < a; ++b) {
            int32_t outcome[2];
            for (int32_t round = 0; round < 2; ++round) {
                Full full;
                assert_ok(createFull(NULL, false, &full));
                thCommand command = thDefaultCommand();
                command.create.profile = full.walker;
                command.create.key = 4711;
                command.create.group = groups[round == 0 ? a : b];
                queue(full.world, command);
                command.create.group = groups[round == 0 ? b : a];
                queue(full.world, command);
                thiCarryOutCommands(full.world);
                const thAgentId agent = thWorld_FindAgent(full.world, 4711);
                assert_int_equal(thWorld_GetCounters(full.world).refusedCommands, 1);
                outcome[round] = thAgent_GetInfo(full.world, agent).group;
                thDestroyWorld(full.world);
            }
            assert_int_equal(outcome[0], outcome[1]);
            assert_true(outcome[0] == groups[a] || outcome[0] == groups[b]);
        }
}

// In a steady state the queue allocates nothing, and its memory failing leaves it as it was.
static void testMemory(void** state)
{
    (void)state;
    thTestAllocator test;
    testAllocatorInit(&test);
    const thAllocator allocator = testAllocator(&test);
    Full full;
    assert_ok(createFull(&allocator, false, &full));
    thCommand command = thDefaultCommand();
    command.kind = th_commandSetWaiting;
    command.agent = full.agents[0];
    int64_t calls = 0;
    for (int32_t round = 0; round < 6; ++round) {
        for (int32_t i = 0; i < 20; ++i)
            queue(full.world, command);
        thiCarryOutCommands(full.world);
        if (round >= 2)
            assert_int_equal(test.calls, calls);
        calls = test.calls;
    }
    test.failFrom = 1;
    thResult code = th_resultOk;
    int32_t queued = 0;
    for (; (code = thWorld_Queue(full.world, &command)) == th_resultOk; ++queued) {
    }
    test.failFrom = 0;
    assert_int_equal(code, th_resultNoMemory);
    assert_int_equal(full.world->queue.waiting.count, queued);
    thDestroyWorld(full.world);
    testAllocatorFinish(&test);
}

// Creations that find no memory wait, are counted and saved, and are made when there is some;
// others that come meanwhile join them.
static void testCreationsWait(void** state)
{
    (void)state;
    thTestAllocator test;
    testAllocatorInit(&test);
    const thAllocator allocator = testAllocator(&test);
    Full full;
    assert_ok(createFull(&allocator, false, &full));
    assert_ok(thWorld_Step(full.world, 0.1f));
    const int32_t agents = thWorld_GetCounters(full.world).agents;
    thCommand command = thDefaultCommand();
    command.kind = th_commandCreateAgent;
    command.create.profile = full.walker;
    command.create.level = 7;
    for (int32_t i = 0; i < 300; ++i) {
        command.create.key = 5000 + (uint64_t)i;
        command.create.position = (thVec2){(float)(i % 20), (float)(i / 20)};
        queue(full.world, command);
    }
    test.failFrom = 1;
    (void)thWorld_Step(full.world, 0.1f); // it may fail for those who came in
    test.failFrom = 0;
    thCounters counters = thWorld_GetCounters(full.world);
    const int32_t made = counters.agents - agents;
    assert_true(made < 300);
    assert_int_equal(counters.delayedCreations, (uint64_t)(300 - made));
    assert_int_equal(counters.refusedCommands, 0);
    command.create.key = 4000;
    queue(full.world, command);
    const Bytes saved = saveWorld(full.world);
    thWorld* other = createWorld();
    assert_ok(thWorld_AddMethod(other, th_methodPlan, &circleMethod));
    assert_ok(thWorld_Restore(other, saved.data, saved.size, NULL));
    freeBytes(saved);
    assert_ok(thWorld_Step(full.world, 0.1f));
    assert_ok(thWorld_Step(other, 0.1f));
    counters = thWorld_GetCounters(full.world);
    assert_int_equal(counters.agents, agents + 301);
    assert_int_equal(counters.delayedCreations, 0);
    assert_int_equal(thWorld_GetStateHash(other), thWorld_GetStateHash(full.world));
    thDestroyWorld(other);
    thDestroyWorld(full.world);
    testAllocatorFinish(&test);
}

#if THRONG_THREADS
static void* queueMany(void* context)
{
    thCommand command = thDefaultCommand();
    command.kind = th_commandDestroyAgent; // of nobody: each is counted
    for (int32_t i = 0; i < 2000; ++i)
        if (thWorld_Queue(context, &command) != th_resultOk)
            return context;
    return NULL;
}

// Others queue while steps are made; none is lost.
static void testThreads(void** state)
{
    (void)state;
    Full full;
    assert_ok(createFull(NULL, false, &full));
    pthread_t threads[3];
    for (int32_t i = 0; i < 3; ++i)
        assert_int_equal(pthread_create(&threads[i], NULL, queueMany, full.world), 0);
    for (int32_t i = 0; i < 20; ++i)
        assert_ok(thWorld_Step(full.world, 0.01f));
    for (int32_t i = 0; i < 3; ++i) {
        void* result;
        assert_int_equal(pthread_join(threads[i], &result), 0);
        assert_null(result);
    }
    assert_ok(thWorld_Step(full.world, 0.01f));
    assert_int_equal(thWorld_GetCounters(full.world).refusedCommands, 6000);
    thDestroyWorld(full.world);
}
#endif

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testDefaults),
        cmocka_unit_test(testBadArguments),
        cmocka_unit_test(testKinds),
        cmocka_unit_test(testOrder),
        cmocka_unit_test(testNumbers),
        cmocka_unit_test(testSameButForGroup),
        cmocka_unit_test(testMemory),
        cmocka_unit_test(testCreationsWait),
#if THRONG_THREADS
        cmocka_unit_test(testThreads),
#endif
    };
    return RUN_TESTS(tests, argc, argv);
}
