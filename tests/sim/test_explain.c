// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Explanations: they change nothing, and what they say is what the next step does.

#include "gear/allocators.h"
#include "gear/property.h"
#include "sim/sim_gear.h"
#include "sim/world_internal.h"
#include "throng/explain.h"

#define DT 0.1f

// What the stage "avoid" chose for one agent.
typedef struct Chosen {
    uint64_t key;
    float vx, vy;
    uint32_t status;
    bool found;
} Chosen;

static float floatAt(const thColumn* column, int32_t row)
{
    return ((const float*)column->data)[row];
}

static void noteChosen(void* context, const thStageRows* rows)
{
    Chosen* chosen = context;
    if (strcmp(rows->stage, "avoid") != 0)
        return;
    for (int32_t row = 0; row < rows->count; ++row)
        if (rows->keys[row] == chosen->key)
            *chosen = (Chosen){chosen->key, floatAt(&rows->columns[0], row),
                               floatAt(&rows->columns[1], row),
                               (uint32_t)thiColumnBits(&rows->columns[2], row), true};
}

// Explains an agent, checks that nothing has changed, and makes the step: in this world, which must
// choose as was said, and in another one of which nobody has asked anything.
static void explainAndStep(thWorld* world, thWorld* twin, thAgentId id)
{
    const Bytes before = saveWorld(world);
    const uint64_t hash = thWorld_GetStateHash(world);
    const thCounters counters = thWorld_GetCounters(world);
    thExplanation* explanation;
    assert_ok(thWorld_Explain(world, id, DT, &explanation));
    const thExplanationView view = thExplanation_GetView(explanation);
    const Bytes after = saveWorld(world);
    assert_true(sameBytes(before, after));
    assert_true(hash == thWorld_GetStateHash(world));
    assert_true(counters.allocations == thWorld_GetCounters(world).allocations);
    freeBytes(before);
    freeBytes(after);

    Chosen chosen = {.key = thAgent_Get(world, id).key};
    const thAgentRow row = thAgent_Get(world, id);
    assert_true(view.key == chosen.key);
    assert_same_bits(view.current.x, row.velocity.x);
    assert_same_bits(view.current.y, row.velocity.y);
    const thTrace trace = {&chosen, noteChosen};
    world->watch.trace = &trace;
    assert_ok(thWorld_Step(world, DT));
    world->watch.trace = NULL;
    assert_true(chosen.found);
    if ((view.flags & th_agentExternal) == 0) {
        assert_same_bits(view.chosen.x, chosen.vx);
        assert_same_bits(view.chosen.y, chosen.vy);
        assert_int_equal(view.status, chosen.status);
    }
    assert_ok(thWorld_Step(twin, DT));
    assert_true(thWorld_GetStateHash(world) == thWorld_GetStateHash(twin));
    thDestroyExplanation(explanation);
}

// Things of every kind, with methods that have state and prepare, and commands in the queue.
static void testFullWorld(void** state)
{
    (void)state;
    Full full, twin;
    assert_ok(createFull(NULL, true, &full));
    assert_ok(createFull(NULL, true, &twin));
    for (int32_t i = 0; i < full.agentCount; ++i)
        if (thAgent_IsValid(full.world, full.agents[i]))
            explainAndStep(full.world, twin.world, full.agents[i]);
    thDestroyWorld(full.world);
    thDestroyWorld(twin.world);
}

static void addWalls(thWorld* world)
{
    const thVec2 room[] = {{-6.0f, -6.0f}, {6.0f, -6.0f}, {6.0f, 6.0f}, {-6.0f, 6.0f}};
    const thVec2 wall[] = {{-2.0f, 0.5f}, {2.5f, 0.75f}};
    thObstacleId id;
    thObstacleDef def = thDefaultObstacleDef();
    def.kind = th_obstacleRoom;
    def.points = room;
    def.pointCount = 4;
    assert_ok(thCreateObstacle(world, &def, &id));
    def.kind = th_obstacleWall;
    def.points = wall;
    def.pointCount = 2;
    assert_ok(thCreateObstacle(world, &def, &id));
    def = thDefaultObstacleDef();
    def.kind = th_obstacleMovingDisc;
    def.radius = 0.5f;
    def.position = (thVec2){-3.0f, -3.0f};
    def.velocity = (thVec2){0.4f, 0.2f};
    assert_ok(thCreateObstacle(world, &def, &id));
}

// A dense crowd of several profiles in a small room, one of them with a limit of acceleration.
static thWorld* createCrowd(uint64_t seed, int32_t count, thAgentId* ids)
{
    thWorld* world = createWorld();
    addWalls(world);
    thProfileId profiles[2];
    thProfileDef def = thDefaultProfileDef();
    def.avoid.name = "orca";
    assert_ok(thCreateProfile(world, &def, &profiles[0], NULL));
    def.maxAccel = 3.0f;
    def.fieldOfView = 4.0f;
    assert_ok(thCreateProfile(world, &def, &profiles[1], NULL));
    thGenerator g = makeGenerator(seed, 0);
    for (int32_t i = 0; i < count; ++i) {
        thAgentDef agent = thDefaultAgentDef();
        agent.profile = profiles[i % 2];
        agent.position = (thVec2){drawFloat(&g, -5.5f, 5.5f), drawFloat(&g, -5.5f, 5.5f)};
        agent.velocity = (thVec2){drawFloat(&g, -1.0f, 1.0f), drawFloat(&g, -1.0f, 1.0f)};
        agent.placement = th_placementNearest;
        agent.flags = i % 11 == 5 ? th_agentVelocityOnly : i % 11 == 7 ? th_agentExternal : 0;
        assert_ok(thCreatePointGoal(
            world, (thVec2){drawFloat(&g, -5.0f, 5.0f), drawFloat(&g, -5.0f, 5.0f)}, &agent.goal));
        assert_ok(thCreateAgent(world, &agent, &ids[i]));
    }
    return world;
}

static void testCrowd(void** state)
{
    (void)state;
    enum { count = 120 };
    for (uint64_t seed = 1; seed <= 3; ++seed) {
        thAgentId ids[count], twinIds[count];
        thWorld* world = createCrowd(seed, count, ids);
        thWorld* twin = createCrowd(seed, count, twinIds);
        for (int32_t i = 0; i < count; ++i)
            explainAndStep(world, twin, ids[i]);
        thDestroyWorld(world);
        thDestroyWorld(twin);
    }
}

// Neighbours and walls are those that a look at everything finds.
static void testSenses(void** state)
{
    (void)state;
    enum { count = 60 };
    thAgentId ids[count];
    thWorld* world = createCrowd(9, count, ids);
    thExplanation* explanation;
    assert_ok(thWorld_Explain(world, ids[0], DT, &explanation));
    const thExplanationView view = thExplanation_GetView(explanation);
    thAgentId near[11];
    assert_int_equal(
        thWorld_NearestAgents(world, view.position, 5.0f, thDefaultQueryFilter(), near, 11), 11);
    assert_int_equal(view.agentCount, 10);
    for (int32_t k = 0; k < 10; ++k) { // the first of the nearest is the agent itself
        const thAgentRow row = thAgent_Get(world, near[k + 1]);
        const thSeenAgent* seen = &view.agents[k];
        assert_true(seen->key == row.key);
        assert_near(seen->position.x, row.position.x - view.position.x, 1e-6);
        assert_near(seen->position.y, row.position.y - view.position.y, 1e-6);
        assert_same_bits(seen->velocity.x, row.velocity.x);
        assert_same_bits(seen->radius, 0.25f);
        assert_near(seen->share, (row.flags & th_agentExternal) != 0 ? 1.0 : 0.5, 0.0);
    }
    for (int32_t k = 0; k < view.wallCount; ++k)
        assert_in_range(THRONG_SLOT(view.walls[k].obstacle), 0, 1);
    assert_string_equal(view.methods[th_methodPlan], "direct");
    assert_string_equal(view.methods[th_methodGroup], "none");
    assert_string_equal(view.methods[th_methodAvoid], "orca");
    thDestroyExplanation(explanation);
    thDestroyWorld(world);
}

// One agent with nobody near it, by its flags.
static thExplanation* explainLone(uint32_t flags, thVec2 goal)
{
    thWorld* world = createWorld();
    thProfileDef profile = thDefaultProfileDef();
    profile.avoid.name = "orca";
    thAgentDef def = thDefaultAgentDef();
    def.velocity = (thVec2){0.5f, 0.25f};
    def.flags = flags;
    assert_ok(thCreateProfile(world, &profile, &def.profile, NULL));
    assert_ok(thCreatePointGoal(world, goal, &def.goal));
    thAgentId id;
    assert_ok(thCreateAgent(world, &def, &id));
    thExplanation* explanation;
    assert_ok(thWorld_Explain(world, id, DT, &explanation));
    thDestroyWorld(world); // the explanation is on its own
    return explanation;
}

static void testLoneAgents(void** state)
{
    (void)state;
    thExplanation* explanation = explainLone(0, (thVec2){10.0f, 0.0f});
    thExplanationView view = thExplanation_GetView(explanation);
    assert_int_equal(view.agentCount + view.wallCount + view.moverCount, 0);
    assert_near(view.wanted.x, 1.34, 1e-6);
    assert_same_bits(view.corner.x, 10.0f);
    assert_near(view.remaining, 10.0, 1e-6);
    assert_near(view.relief, 1.0, 0.0);
    assert_true(view.markCount > 0);
    thDestroyExplanation(explanation);

    explanation = explainLone(th_agentWaiting, (thVec2){10.0f, 0.0f});
    view = thExplanation_GetView(explanation);
    assert_true(view.wanted.x == 0.0f && view.chosen.x == 0.0f && view.current.x == 0.5f);
    thDestroyExplanation(explanation);

    explanation = explainLone(th_agentExternal, (thVec2){10.0f, 0.0f});
    view = thExplanation_GetView(explanation);
    assert_true(view.chosen.x == 0.5f && view.chosen.y == 0.25f && view.markCount == 0);
    thDestroyExplanation(explanation);
}

static void testArrived(void** state)
{
    (void)state;
    thWorld* world = createWorld();
    thAgentDef def = thDefaultAgentDef();
    const thProfileDef profile = thDefaultProfileDef();
    assert_ok(thCreateProfile(world, &profile, &def.profile, NULL));
    assert_ok(thCreatePointGoal(world, (thVec2){0.0f, 0.0f}, &def.goal));
    thAgentId id;
    assert_ok(thCreateAgent(world, &def, &id));
    assert_ok(thWorld_Step(world, DT));
    thExplanation* explanation;
    assert_ok(thWorld_Explain(world, id, DT, &explanation));
    const thExplanationView view = thExplanation_GetView(explanation);
    assert_int_equal(view.flags, th_agentAlive | th_agentArrived);
    assert_true(view.chosen.x == 0.0f && view.chosen.y == 0.0f);
    assert_int_equal(view.markCount, 1);
    assert_string_equal(view.marks[0].label, "plan: it is at its goal");
    thDestroyExplanation(explanation);
    thDestroyWorld(world);
}

// A command that removes the agent comes before the step.
static void testCommands(void** state)
{
    (void)state;
    Full full;
    assert_ok(createFull(NULL, false, &full));
    thCommand command = thDefaultCommand();
    command.kind = th_commandDestroyAgent;
    command.agent = full.agents[1];
    assert_ok(thWorld_Queue(full.world, &command));
    thExplanation* explanation;
    assert_int_equal(thWorld_Explain(full.world, full.agents[1], DT, &explanation),
                     th_resultUnavailable);
    assert_null(explanation);
    command.kind = th_commandSetPreferredVelocity;
    command.agent = full.agents[4];
    command.velocity = (thVec2){0.75f, 0.5f};
    assert_ok(thWorld_Queue(full.world, &command));
    assert_ok(thWorld_Explain(full.world, full.agents[4], DT, &explanation));
    assert_same_bits(thExplanation_GetView(explanation).wanted.x, 0.75f);
    thDestroyExplanation(explanation);
    thDestroyWorld(full.world);
}

static void testRefused(void** state)
{
    (void)state;
    listen();
    Full full;
    assert_ok(createFull(NULL, false, &full));
    thExplanation* none = NULL;
    const thAgentId id = full.agents[0];
    assert_refused(full.world, thWorld_Explain(full.world, full.agents[3], DT, &none)); // is gone
    assert_refused(full.world, thWorld_Explain(full.world, id, 0.0f, &none));
    assert_refused(full.world, thWorld_Explain(full.world, id, 10.5f, &none));
    assert_refused(full.world, thWorld_Explain(full.world, id, NAN, &none));
    assert_refused(full.world, thWorld_Explain(full.world, id, DT, NULL));
    assert_int_equal(thWorld_Explain(NULL, id, DT, &none), th_resultBadArgument);
    assert_null(none);
    (void)heard();
    assert_int_equal(thExplanation_GetView(NULL).markCount, 0);
    assert_int_equal(heard(), 1);
    thDestroyExplanation(NULL);
    thDestroyWorld(full.world);
    thSetHooks(NULL);
}

// A planner whose velocities tell how often it was prepared, and how often an agent was asked.

typedef struct Shared {
    thAllocator allocator;
    uint64_t prepared;
} Shared;

static thResult countCreate(const thMethodHost* host, const void* params, void** shared)
{
    (void)params;
    Shared* made = host->allocator.allocate(host->allocator.context, sizeof *made, 8);
    if (made == NULL)
        return th_resultNoMemory;
    *made = (Shared){host->allocator, 0};
    *shared = made;
    return th_resultOk;
}

static void countDestroy(void* shared)
{
    const thAllocator allocator = ((Shared*)shared)->allocator;
    allocator.release(allocator.context, shared, sizeof(Shared), 8);
}

static thResult countPrepare(void* shared, const thFrame* frame, const thTasks* tasks)
{
    (void)frame;
    (void)tasks;
    ((Shared*)shared)->prepared += 1;
    return th_resultOk;
}

static thResult countSave(const void* shared, thWriter* to)
{
    return thWriter_Write(to, &((const Shared*)shared)->prepared, sizeof(uint64_t));
}

static thResult countLoad(void* shared, thReader* from)
{
    return thReader_Read(from, &((Shared*)shared)->prepared, sizeof(uint64_t));
}

static void countSolve(const thBatch* batch, const void* params, const void* shared)
{
    (void)params;
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        uint64_t* asked = batch->state[lane];
        *asked += 1;
        batch->guideX[lane] = 0.01f * (float)((const Shared*)shared)->prepared;
        batch->guideY[lane] = 0.01f * (float)*asked;
    }
}

static const thMethod countMethod = {.size = sizeof(thMethod),
                                     .name = "count",
                                     .stateSize = sizeof(uint64_t),
                                     .create = countCreate,
                                     .destroy = countDestroy,
                                     .prepare = countPrepare,
                                     .solve = countSolve,
                                     .save = countSave,
                                     .load = countLoad};

// What methods prepare and remember is there when they are asked, and stays as it was.
static void testMemory(void** state)
{
    (void)state;
    thWorld* worlds[2];
    thAgentId id;
    for (int32_t i = 0; i < 2; ++i) {
        worlds[i] = createWorld();
        assert_ok(thWorld_AddMethod(worlds[i], th_methodPlan, &countMethod));
        thProfileDef profile = thDefaultProfileDef();
        profile.plan.name = "count";
        thAgentDef def = thDefaultAgentDef();
        assert_ok(thCreateProfile(worlds[i], &profile, &def.profile, NULL));
        assert_ok(thCreateAgent(worlds[i], &def, &id));
    }
    for (int32_t step = 1; step < 10; ++step) {
        thExplanation* explanation;
        assert_ok(thWorld_Explain(worlds[0], id, DT, &explanation));
        const thVec2 wanted = thExplanation_GetView(explanation).wanted;
        assert_same_bits(wanted.x, 0.01f * (float)step);
        assert_same_bits(wanted.y, 0.01f * (float)step);
        thDestroyExplanation(explanation);
        explainAndStep(worlds[0], worlds[1], id);
    }
    thDestroyWorld(worlds[0]);
    thDestroyWorld(worlds[1]);
}

// Who was held back by contacts lately wants less.
static void testRelief(void** state)
{
    (void)state;
    thWorld* worlds[2];
    thAgentId id;
    for (int32_t i = 0; i < 2; ++i) {
        worlds[i] = createWorld();
        const thProfileDef profile = thDefaultProfileDef();
        thAgentDef def = thDefaultAgentDef();
        assert_ok(thCreateProfile(worlds[i], &profile, &def.profile, NULL));
        assert_ok(thCreatePointGoal(worlds[i], (thVec2){9.0f, 4.0f}, &def.goal));
        assert_ok(thCreateAgent(worlds[i], &def, &id));
        thiRows(worlds[i])->pressure[0] = 4;
    }
    thExplanation* explanation;
    assert_ok(thWorld_Explain(worlds[0], id, DT, &explanation));
    const thExplanationView view = thExplanation_GetView(explanation);
    assert_near(view.relief, 0.64, 1e-6);
    assert_near(hypotf(view.wanted.x, view.wanted.y), 1.34, 1e-5);
    assert_same_bits(view.adapted.x, view.wanted.x * view.relief);
    assert_same_bits(view.adapted.y, view.wanted.y * view.relief);
    thDestroyExplanation(explanation);
    explainAndStep(worlds[0], worlds[1], id);
    thDestroyWorld(worlds[0]);
    thDestroyWorld(worlds[1]);
}

static thResult explainFailing(const thAllocator* allocator, void* context)
{
    (void)context;
    thWorld* world = NULL;
    thWorldDef worldDef = thDefaultWorldDef();
    worldDef.allocator = *allocator;
    TH_TRY(thCreateWorld(&worldDef, &world));
    thProfileDef profile = thDefaultProfileDef();
    profile.avoid.name = "orca";
    thError error;
    thAgentDef def = thDefaultAgentDef();
    thResult code = thCreateProfile(world, &profile, &def.profile, &error);
    thAgentId id = {0};
    for (int32_t i = 0; i < 3 && code == th_resultOk; ++i) {
        def.position.x = (float)i;
        code = thCreateAgent(world, &def, &id);
    }
    thExplanation* explanation = NULL;
    if (code == th_resultOk)
        code = thWorld_Explain(world, id, DT, &explanation);
    thDestroyExplanation(explanation);
    thDestroyWorld(world);
    return code;
}

static void testNoMemory(void** state)
{
    (void)state;
    assert_in_range(failEachAllocation(explainFailing, NULL), 50, 5000);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testFullWorld), cmocka_unit_test(testCrowd),
        cmocka_unit_test(testSenses),    cmocka_unit_test(testLoneAgents),
        cmocka_unit_test(testArrived),   cmocka_unit_test(testCommands),
        cmocka_unit_test(testRefused),   cmocka_unit_test(testMemory),
        cmocka_unit_test(testRelief),    cmocka_unit_test(testNoMemory),
    };
    return RUN_TESTS(tests, argc, argv);
}
