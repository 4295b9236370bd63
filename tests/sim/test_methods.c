// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Methods by name, and what the plain ones among the built-in do in a world.

#include "gear/method_names.h"
#include "sim/sim_gear.h"
#include "sim/world_internal.h"
#include "throng/orca.h"

#include <math.h>
#include <stdlib.h>

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
    REFUSE(needs, 1u << 7);
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
    const char* says =
        withMethodNames("no plan method 'other'; there are: ", th_methodPlan, ", a-name");
    assert_non_null(strstr(error.text, says));
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
    assert_near(thAgent_Get(world, id).velocity.x, 0.6 * 1.3 * 1.34, 1e-6);
    assert_near(thAgent_Get(world, id).velocity.y, 0.8 * 1.3 * 1.34, 1e-6);
    thDestroyWorld(world);
}

// Each method of the library, of its kind.
static void forBuiltIn(void (*check)(const thMethod* method))
{
    for (int32_t kind = 0; kind < th_methodKindCount; ++kind)
        for (const thMethod* const* method = thiBuiltInMethods((thMethodKind)kind); *method != NULL;
             ++method)
            check(*method);
}

static bool isName(const thParam* param)
{
    return param->kind == th_paramRoadmap || param->kind == th_paramPath;
}

static double valueOf(const void* params, const thParam* param)
{
    float number;
    int32_t whole;
    memcpy(&number, (const char*)params + param->offset, sizeof number);
    memcpy(&whole, (const char*)params + param->offset, sizeof whole);
    return param->kind == th_paramFloat ? (double)number : whole;
}

// Defaults are those that parameters tell, and within their ranges.
static void checkDefaults(const thMethod* method)
{
    thError error = {0};
    if (method->validate != NULL)
        assert_ok(method->validate(method->defaults, &error));
    for (int32_t i = 0; i < method->paramCount; ++i) {
        const thParam* param = &method->params[i];
        const double preset = isName(param) ? *((const char*)method->defaults + param->offset)
                                            : valueOf(method->defaults, param);
        assert_true(param->min <= param->preset && param->preset <= param->max);
        assert_true(param->kind == th_paramFloat ? (float)param->preset == (float)preset
                                                 : param->preset == preset);
    }
}

// The values of a parameter that are next to its range, below and above.
static void putBeside(void* params, const thParam* param, bool above)
{
    const double bound = above ? param->max : param->min;
    const float number = nextafterf((float)bound, above ? INFINITY : -INFINITY);
    const int32_t whole = (int32_t)bound + (above ? 1 : -1);
    memcpy((char*)params + param->offset,
           param->kind == th_paramFloat ? (const void*)&number : (const void*)&whole, 4);
}

static void checkRanges(const thMethod* method)
{
    for (int32_t i = 0; i < method->paramCount; ++i) {
        const thParam* param = &method->params[i];
        for (int32_t above = 0; above < 2; ++above) {
            thError error = {0};
            void* params = malloc(method->paramSize);
            assert_non_null(params);
            memcpy(params, method->defaults, method->paramSize);
            if (isName(param))
                memset((char*)params + param->offset, 'a', THRONG_NAME_SIZE);
            else
                putBeside(params, param, above != 0);
            assert_int_equal(method->validate(params, &error), th_resultBadArgument);
            assert_non_null(strstr(error.text, param->name + 1)); // or a field's: timeHorizon
            free(params);
        }
    }
}

static void testParams(void** state)
{
    (void)state;
    forBuiltIn(checkDefaults);
    forBuiltIn(checkRanges);
}

static void checkStatusNames(const thMethod* method)
{
    assert_true((method->statusNames != NULL) == (method->statusCount > 0));
    for (int32_t i = 0; i < method->statusCount; ++i)
        assert_non_null(method->statusNames[i]);
}

static void testStatusNames(void** state)
{
    (void)state;
    thWorld* world = createWorld();
    forBuiltIn(checkStatusNames);
    const thMethod* orca = thWorld_FindMethod(world, th_methodAvoid, "orca");
    assert_int_equal(orca->statusCount, th_orcaInfeasible + 1);
    assert_string_equal(orca->statusNames[th_orcaInfeasible], "infeasible");
    thDestroyWorld(world);
}

static void testFinding(void** state)
{
    (void)state;
    listen();
    thWorld* world = createWorld();
    thMethod own = circleMethod;
    own.name = "own";
    assert_null(thWorld_FindMethod(world, th_methodAvoid, "own"));
    assert_ok(thWorld_AddMethod(world, th_methodAvoid, &own));
    assert_string_equal(thWorld_FindMethod(world, th_methodAvoid, "own")->name, "own");
    assert_null(thWorld_FindMethod(world, th_methodPlan, "own"));
    assert_null(thWorld_FindMethod(world, th_methodPlan, "orca"));
    assert_null(thWorld_FindMethod(world, th_methodKindCount, "orca"));
    assert_null(thWorld_FindMethod(world, th_methodAvoid, NULL));
    assert_null(thWorld_FindMethod(NULL, th_methodAvoid, "orca"));
    thDestroyWorld(world);
    thSetHooks(NULL);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testAdding),  cmocka_unit_test(testManyNames),
        cmocka_unit_test(testDirect),  cmocka_unit_test(testGiven),
        cmocka_unit_test(testParams),  cmocka_unit_test(testStatusNames),
        cmocka_unit_test(testFinding),
    };
    return RUN_TESTS(tests, argc, argv);
}
