// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What every built-in method has to hold, whichever it is: the same bits with any instruction set,
// number of threads and order of creation, after a snapshot too, memory that may run out anywhere,
// and an explanation. A method that joins a table of methods is tested here without a line more.

#include "gear/allocators.h"
#include "sim/sim_gear.h"
#include "sim/world_internal.h"
#include "throng/explain.h"
#include "throng/random.h"
#include "throng/roadmap.h"

enum { agentCount = 36, stepCount = 12 };

typedef struct Way {
    thSimd simd;
    int32_t workers;
    bool backwards; // agents are created in the other order
    bool alone;     // the other methods of the profile are silent ones
    const thAllocator* allocator;
} Way;

static const Way plainWay = {.simd = th_simdScalar, .workers = 1};

// The method, with simple ones of the other kinds.
static thProfileDef profileOf(thMethodKind kind, const thMethod* method, bool alone)
{
    thProfileDef def = thDefaultProfileDef();
    thMethodUse* const refs[] = {&def.plan, &def.group, &def.avoid};
    def.plan.name = alone ? "given" : "direct";
    def.avoid.name = alone ? "none" : "orca";
    refs[kind]->name = method->name;
    return def;
}

// A room with a pillar, and a roadmap of cells.
static thResult addThings(thWorld* world)
{
    static const thVec2 room[] = {{-9.0f, -7.0f}, {9.0f, -7.0f}, {9.0f, 7.0f}, {-9.0f, 7.0f}};
    static const thVec2 pillar[] = {{-1.0f, -1.5f}, {1.0f, -1.0f}, {0.5f, 1.5f}};
    thObstacleDef def = thDefaultObstacleDef();
    thObstacleId id;
    def.kind = th_obstacleRoom;
    def.points = room;
    def.pointCount = 4;
    TH_TRY(thCreateObstacle(world, &def, &id));
    def.kind = th_obstacleSolid;
    def.points = pillar;
    def.pointCount = 3;
    TH_TRY(thCreateObstacle(world, &def, &id));
    thRoadmapDef roadmap = thDefaultRoadmapDef();
    roadmap.name = "cells";
    roadmap.kind = th_roadmapGrid;
    roadmap.side = 1.0f;
    thRoadmapId ignored;
    return thCreateRoadmap(world, &roadmap, &ignored);
}

// Two crowds that change sides.
static thResult addAgents(thWorld* world, const Way* way, thProfileId profile)
{
    thGoalId goals[2];
    TH_TRY(thCreatePointGoal(world, (thVec2){7.0f, 1.0f}, &goals[0]));
    TH_TRY(thCreatePointGoal(world, (thVec2){-7.0f, -1.0f}, &goals[1]));
    for (int32_t n = 0; n < agentCount; ++n) {
        const int32_t i = way->backwards ? agentCount - 1 - n : n;
        const uint64_t stream = thRandomStream(3, (uint64_t)i, 0, 0);
        const float x = 2.5f + 0.8f * (float)(i % 6), y = -3.0f + 1.1f * (float)(i / 12);
        thAgentDef def = thDefaultAgentDef();
        def.profile = profile;
        def.key = 1 + (uint64_t)i;
        def.goal = goals[i / 6 % 2];
        def.position = (thVec2){(i / 6 % 2 == 0 ? -x : x) + thRandomRange(stream, 0, -0.1f, 0.1f),
                                y + thRandomRange(stream, 1, -0.1f, 0.1f)};
        thAgentId id;
        TH_TRY(thCreateAgent(world, &def, &id));
    }
    return th_resultOk;
}

static thResult createCrowd(thMethodKind kind, const thMethod* method, const Way* way,
                            thWorld** world)
{
    thWorldDef def = thDefaultWorldDef();
    def.simd = way->simd;
    def.workerCount = way->workers;
    if (way->allocator != NULL)
        def.allocator = *way->allocator;
    TH_TRY(thCreateWorld(&def, world));
    const thProfileDef profileDef = profileOf(kind, method, way->alone);
    thProfileId profile;
    thResult code = addThings(*world);
    if (code == th_resultOk)
        code = thCreateProfile(*world, &profileDef, &profile, NULL);
    if (code == th_resultOk)
        code = addAgents(*world, way, profile);
    if (code != th_resultOk)
        thDestroyWorld(*world);
    return code;
}

static void step(thWorld* world, int32_t count)
{
    for (int32_t i = 0; i < count; ++i)
        assert_ok(thWorld_Step(world, 0.1f));
}

static uint64_t hashAfterSteps(thMethodKind kind, const thMethod* method, const Way* way)
{
    thWorld* world;
    assert_ok(createCrowd(kind, method, way, &world));
    step(world, stepCount);
    const uint64_t hash = thWorld_GetStateHash(world);
    thDestroyWorld(world);
    return hash;
}

typedef void MethodFcn(thMethodKind kind, const thMethod* method);

static void forEveryMethod(MethodFcn* function)
{
    for (int32_t kind = 0; kind < th_methodKindCount; ++kind)
        for (const thMethod* const* method = thiBuiltInMethods((thMethodKind)kind); *method != NULL;
             ++method) {
            print_message("%d %s\n", kind, (*method)->name);
            function((thMethodKind)kind, *method);
        }
}

static void compareWays(thMethodKind kind, const thMethod* method)
{
    const uint64_t expected = hashAfterSteps(kind, method, &plainWay);
    for (int32_t simd = th_simdScalar; simd < th_simdCount; ++simd)
        for (int32_t workers = 1; workers <= 3 && thSimd_IsAvailable((thSimd)simd); workers += 2) {
            const Way way = {.simd = (thSimd)simd, .workers = workers, .backwards = workers == 3};
            assert_int_equal(hashAfterSteps(kind, method, &way), expected);
        }
}

static void givesTheSameBits(void** state)
{
    (void)state;
    forEveryMethod(compareWays);
}

static void compareRestored(thMethodKind kind, const thMethod* method)
{
    thWorld *world, *other;
    assert_ok(createCrowd(kind, method, &plainWay, &world));
    step(world, stepCount / 2);
    const Bytes saved = saveWorld(world);
    step(world, stepCount / 2);
    // Another world, in which something else has happened.
    assert_ok(createCrowd(kind, method, &plainWay, &other));
    step(other, 2);
    assert_ok(thWorld_Restore(other, saved.data, saved.size, NULL));
    step(other, stepCount / 2);
    assert_int_equal(thWorld_GetStateHash(other), thWorld_GetStateHash(world));
    const Bytes expected = saveWorld(world), found = saveWorld(other);
    assert_true(sameBytes(found, expected));
    freeBytes(expected);
    freeBytes(found);
    freeBytes(saved);
    thDestroyWorld(world);
    thDestroyWorld(other);
}

static void goesOnAfterSnapshots(void** state)
{
    (void)state;
    forEveryMethod(compareRestored);
}

typedef struct Scenario {
    thMethodKind kind;
    const thMethod* method;
} Scenario;

static thResult stepTwice(const thAllocator* allocator, void* context)
{
    const Scenario* scenario = context;
    const Way way = {.simd = th_simdScalar, .workers = 1, .allocator = allocator};
    thWorld* world;
    TH_TRY(createCrowd(scenario->kind, scenario->method, &way, &world));
    thResult code = thWorld_Step(world, 0.1f);
    if (code == th_resultOk)
        code = thWorld_Step(world, 0.1f);
    thDestroyWorld(world);
    return code;
}

static void failAllocations(thMethodKind kind, const thMethod* method)
{
    Scenario scenario = {kind, method};
    assert_true(failEachAllocation(stepTwice, &scenario) > 0);
}

static void survivesLackOfMemory(void** state)
{
    (void)state;
    forEveryMethod(failAllocations);
}

// Methods that have nothing to say of their own.
static const char* const silent[][2] = {
    {"given", "the host says it all"},
    {"none", "does nothing"},
};

static bool isSilent(const thMethod* method)
{
    for (size_t i = 0; i < sizeof silent / sizeof silent[0]; ++i)
        if (strcmp(method->name, silent[i][0]) == 0)
            return true;
    return false;
}

static void explainAgents(thMethodKind kind, const thMethod* method)
{
    assert_int_equal(method->explain == NULL, isSilent(method));
    const Way way = {.simd = th_simdScalar, .workers = 1, .alone = true};
    thWorld* world;
    assert_ok(createCrowd(kind, method, &way, &world));
    step(world, 3);
    const uint64_t before = thWorld_GetStateHash(world);
    int32_t marks = 0;
    for (uint64_t key = 1; key <= agentCount; key += 7) {
        thExplanation* explanation;
        assert_ok(thWorld_Explain(world, thWorld_FindAgent(world, key), 0.1f, &explanation));
        marks += thExplanation_GetView(explanation).markCount;
        thDestroyExplanation(explanation);
    }
    assert_true(marks > 0 || isSilent(method));
    assert_int_equal(thWorld_GetStateHash(world), before);
    thDestroyWorld(world);
}

static void explainsItself(void** state)
{
    (void)state;
    forEveryMethod(explainAgents);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(givesTheSameBits),
        cmocka_unit_test(goesOnAfterSnapshots),
        cmocka_unit_test(survivesLackOfMemory),
        cmocka_unit_test(explainsItself),
    };
    return RUN_TESTS(tests, argc, argv);
}
