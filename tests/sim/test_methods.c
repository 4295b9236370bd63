// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Methods by name, and what the plain ones among the built-in do in a world.

#include "sim/sim_gear.h"
#include "sim/world_internal.h"

#define REFUSE(field, wrong)                                                                       \
    do {                                                                                           \
        thMethod bad = good;                                                                       \
        bad.field = (wrong);                                                                       \
        assert_refused(world, thWorld_AddMethod(world, th_methodAvoid, &bad));                     \
    } while (0)

static void testAdding(void** state)
{
    (void)state;
    listen();
    thWorld* world = createWorld();
    thMethod good = circleMethod;
    good.name = "a-name-of-thirty-one-bytes-0123";
    REFUSE(size, good.size - 8);
    REFUSE(size, good.size + 8);
    REFUSE(name, NULL);
    REFUSE(name, "");
    REFUSE(name, "Upper");
    REFUSE(name, "under_score");
    REFUSE(name, "with space");
    REFUSE(name, "a-name-of-thirty-two-bytes-01234");
    REFUSE(name, "none"); // built in
    REFUSE(solve, NULL);
    REFUSE(stateSize, 12);
    REFUSE(stateSize, 4104);
    REFUSE(paramSize, 1u << 20);
    REFUSE(needs, 1u << 5);
    REFUSE(save, NULL);
    REFUSE(load, NULL);
    assert_refused(world, thWorld_AddMethod(world, th_methodKindCount, &good));
    assert_refused(world, thWorld_AddMethod(world, (thMethodKind)-1, &good));
    assert_refused(world, thWorld_AddMethod(world, th_methodPlan, NULL));
    assert_int_equal(thWorld_AddMethod(NULL, th_methodPlan, &good), th_resultBadArgument);
    assert_ok(thWorld_AddMethod(world, th_methodAvoid, &good));
    assert_refused(world, thWorld_AddMethod(world, th_methodAvoid, &good)); // twice
    assert_ok(thWorld_AddMethod(world, th_methodGroup, &good));             // another kind
    good.name = "direct";
    assert_ok(thWorld_AddMethod(world, th_methodAvoid, &good));
    thDestroyWorld(world);
    thSetHooks(NULL);
}

// Long lists of names are cut, not overrun.
static void testManyNames(void** state)
{
    (void)state;
    static char names[64][32];
    thWorld* world = createWorld();
    thMethod method = circleMethod;
    for (int32_t i = 0; i < 64; ++i) {
        memcpy(names[i], "a-name-of-thirty-one-bytes-01234", 31);
        names[i][29] = (char)('a' + i / 26);
        names[i][30] = (char)('a' + i % 26);
        method.name = names[i];
        assert_ok(thWorld_AddMethod(world, th_methodPlan, &method));
    }
    thError error = {0};
    assert_null(thiFindMethod(world, th_methodPlan, "other", &error));
    assert_non_null(strstr(error.text, "no plan method 'other'; there are: direct, given, flow, "
                                       "roadmap, steer, visibility, a-name"));
    assert_non_null(thiFindMethod(world, th_methodPlan, names[63], NULL));
    thDestroyWorld(world);
}

static thAgentId createWalker(thWorld* world, const char* plan, thVec2 position)
{
    thProfileDef profile = thDefaultProfileDef();
    profile.plan.name = plan;
    profile.arrivalDistance = 0.05f;
    thAgentDef def = thDefaultAgentDef();
    def.position = position;
    assert_ok(thCreateProfile(world, &profile, &def.profile, NULL));
    thAgentId id;
    assert_ok(thCreateAgent(world, &def, &id));
    return id;
}

// Straight on at the preferred speed, and not beyond the goal.
static void testDirect(void** state)
{
    (void)state;
    thWorld* world = createWorld();
    const thAgentId id = createWalker(world, "direct", (thVec2){0.0f, 0.0f});
    assert_ok(thWorld_Step(world, 0.1f));
    assert_true(thAgent_Get(world, id).velocity.x == 0.0f); // no goal
    thGoalId goal;
    assert_ok(thCreatePointGoal(world, (thVec2){3.0f, 4.0f}, &goal));
    assert_ok(thAgent_SetGoal(world, id, goal));
    assert_ok(thWorld_Step(world, 0.1f));
    thAgentRow row = thAgent_Get(world, id);
    assert_near(row.velocity.x, 0.6 * 1.34, 1e-5);
    assert_near(row.velocity.y, 0.8 * 1.34, 1e-5);
    assert_ok(thAgent_SetWaiting(world, id, 1));
    assert_ok(thWorld_Step(world, 0.1f));
    assert_true(thAgent_Get(world, id).velocity.x == 0.0f);
    assert_ok(thAgent_SetWaiting(world, id, 0));
    double length = 0.134;
    for (int32_t i = 0; i < 60; ++i) {
        assert_ok(thWorld_Step(world, 0.1f));
        length = TH_MIN(length + 0.134, 5.0);
        row = thAgent_Get(world, id);
        assert_near(row.position.x, 0.6 * length, 1e-3);
        assert_near(row.position.y, 0.8 * length, 1e-3);
    }
    assert_near(row.position.x, 3.0, 2e-5);
    assert_near(row.position.y, 4.0, 2e-5);
    assert_true(row.velocity.x == 0.0f && row.velocity.y == 0.0f);
    assert_int_equal(row.flags, th_agentAlive | th_agentArrived);
    thDestroyWorld(world);
}

// What the host says, until it says something else; not faster than the agent can.
static void testGiven(void** state)
{
    (void)state;
    thWorld* world = createWorld();
    const thAgentId id = createWalker(world, "given", (thVec2){0.0f, 0.0f});
    assert_ok(thAgent_SetPreferredVelocity(world, id, (thVec2){0.5f, -0.25f}));
    for (int32_t i = 0; i < 3; ++i) {
        assert_ok(thWorld_Step(world, 0.1f));
        const thAgentRow row = thAgent_Get(world, id);
        assert_true(row.velocity.x == 0.5f && row.velocity.y == -0.25f);
    }
    assert_ok(thAgent_SetWaiting(world, id, 1));
    assert_ok(thWorld_Step(world, 0.1f));
    assert_true(thAgent_Get(world, id).velocity.x == 0.0f);
    assert_ok(thAgent_SetWaiting(world, id, 0));
    assert_ok(thAgent_SetPreferredVelocity(world, id, (thVec2){30.0f, 40.0f}));
    assert_ok(thWorld_Step(world, 0.1f));
    assert_near(thAgent_Get(world, id).velocity.x, 1.2, 1e-6);
    assert_near(thAgent_Get(world, id).velocity.y, 1.6, 1e-6);
    thDestroyWorld(world);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testAdding),
        cmocka_unit_test(testManyNames),
        cmocka_unit_test(testDirect),
        cmocka_unit_test(testGiven),
    };
    return RUN_TESTS(tests, argc, argv);
}
