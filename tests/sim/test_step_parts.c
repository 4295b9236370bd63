// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Steps that are divided because velocities are good for less: parts add up to the step, planners
// are asked once, limits and events go by whole steps, and what avoidance promises is kept.

#include "avoid/avoid_methods.h"
#include "avoid/clearpath/clearpath.h"
#include "base/core.h"
#include "gear/allocators.h"
#include "gear/property.h"
#include "sim/sim_gear.h"

#define DT 0.1f
#define PARTS 8

// What methods of the test have seen in a step. They run on one thread, and all agents are in one
// batch.
static struct {
    int32_t plans, parts;
    float dt[PARTS], change[PARTS];
    float interval; // what avoidance says its velocities are good for
    bool flinches;  // it changes velocities as much as it may
} seen;

static void planStraight(const thBatch* batch, const void* params, const void* shared)
{
    (void)params;
    (void)shared;
    seen.plans += 1;
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        batch->guideX[lane] = batch->prefSpeed[lane];
        batch->remaining[lane] = 7.0f;
        batch->answer[lane] = th_planPartial;
    }
}

static void avoidShortly(const thBatch* batch, const void* params, const void* shared)
{
    (void)params;
    (void)shared;
    assert_true(seen.parts < PARTS);
    const float dt = batch->frame->dt, most = batch->maxAccel[0] * dt;
    seen.dt[seen.parts] = dt;
    seen.change[seen.parts] = most;
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        assert_true(batch->remaining[lane] == 7.0f && batch->answer[lane] == th_planPartial);
        batch->outVx[lane] = batch->guideX[lane];
        batch->outVy[lane] = batch->guideY[lane];
        if (seen.flinches) // up and down, with half of what is left
            batch->outVy[lane] =
                batch->vy[lane] + (seen.parts % 2 == 0 ? 0.5f : -0.5f) * batch->maxAccel[lane] * dt;
    }
    *batch->interval = fminf(*batch->interval, seen.interval);
    if (seen.interval != seen.interval)
        *batch->interval = NAN;
    seen.parts += 1;
}

static const thMethod planner = {
    .size = sizeof(thMethod), .name = "straight", .version = 1, .solve = planStraight};
static const thMethod shortly = {.size = sizeof(thMethod),
                                 .name = "shortly",
                                 .version = 1,
                                 .needs = th_needsShortSteps,
                                 .solve = avoidShortly};

static thWorld* openWorld(int32_t workers, thSimd simd, int32_t contacts)
{
    thWorldDef def = thDefaultWorldDef();
    def.workerCount = workers;
    def.simd = simd;
    def.contacts = contacts;
    def.contactEvents = contacts;
    thWorld* world;
    assert_ok(thCreateWorld(&def, &world));
    return world;
}

// A world of the methods above.
static thWorld* openPlain(int32_t contacts, thProfileDef* def)
{
    thWorld* world = openWorld(1, th_simdAuto, contacts);
    assert_ok(thWorld_AddMethod(world, th_methodPlan, &planner));
    assert_ok(thWorld_AddMethod(world, th_methodAvoid, &shortly));
    *def = thDefaultProfileDef();
    def->plan.name = "straight";
    def->avoid.name = "shortly";
    def->keep = th_keepNone;
    return world;
}

static thAgentId addTo(thWorld* world, thProfileId profile, float speed, thVec2 at, thVec2 to)
{
    thAgentDef def = thDefaultAgentDef();
    def.profile = profile;
    def.prefSpeed = speed;
    def.position = at;
    assert_ok(thCreatePointGoal(world, to, &def.goal));
    thAgentId id;
    assert_ok(thCreateAgent(world, &def, &id));
    return id;
}

// Alone in its profile.
static thAgentId addAgent(thWorld* world, const thProfileDef* def, thVec2 at, thVec2 to)
{
    thProfileId profile;
    assert_ok(thCreateProfile(world, def, &profile, NULL));
    return addTo(world, profile, def->prefSpeed, at, to);
}

static void stepWith(thWorld* world, float interval)
{
    seen.plans = seen.parts = 0;
    seen.interval = interval;
    assert_ok(thWorld_Step(world, DT));
    assert_int_equal(thWorld_GetCounters(world).substeps, seen.parts);
}

// Parts are as long as velocities are good for, in eighths of the step, and never shorter; the
// planner is asked once; all parts together are the step.
static void testLengths(void** state)
{
    (void)state;
    static const struct {
        float interval;
        int32_t parts;
    } cases[] = {{100.0f, 1},     {DT, 1},         {0.99f * DT, 2}, {0.5f * DT, 2},
                 {0.45f * DT, 3}, {0.25f * DT, 4}, {0.2f * DT, 8},  {0.125f * DT, 8},
                 {0.01f * DT, 8}, {0.0f, 8},       {-INFINITY, 8},  {NAN, 8}};
    thProfileDef profile;
    thWorld* world = openPlain(0, &profile);
    const thAgentId id = addAgent(world, &profile, (thVec2){0.0f, 0.0f}, (thVec2){900.0f, 0.0f});
    for (int32_t i = 0; i < (int32_t)(sizeof cases / sizeof cases[0]); ++i) {
        const float before = thWorld_GetAgentView(world).rows[THRONG_SLOT(id)].position.x;
        stepWith(world, cases[i].interval);
        assert_int_equal(seen.parts, cases[i].parts);
        assert_int_equal(seen.plans, 1);
        assert_int_equal(thWorld_GetCounters(world).steps, i + 1);
        assert_same_bits(seen.dt[0], DT);
        for (int32_t part = 1; part < seen.parts; ++part) // each is asked about all that is left
            assert_true(seen.dt[part] < seen.dt[part - 1]);
        const float after = thWorld_GetAgentView(world).rows[THRONG_SLOT(id)].position.x;
        assert_near(after - before, profile.prefSpeed * DT, 8.0 / 65536.0);
        const thAgentInfo info = thAgent_GetInfo(world, id);
        assert_near(info.remaining, 7.0, 0.0);
        assert_int_equal(info.answer, th_planPartial);
        assert_near(info.maxAccel, 0.0, 0.0);
    }
    thDestroyWorld(world);
}

// Without saying so beforehand, no method divides steps.
static void testMustBeSaid(void** state)
{
    (void)state;
    thProfileDef profile;
    thWorld* world = openPlain(0, &profile);
    thMethod silent = shortly;
    silent.name = "silent";
    silent.needs = 0;
    assert_ok(thWorld_AddMethod(world, th_methodAvoid, &silent));
    profile.avoid.name = "silent";
    (void)addAgent(world, &profile, (thVec2){0.0f, 0.0f}, (thVec2){900.0f, 0.0f});
    stepWith(world, 0.0f);
    assert_int_equal(seen.parts, 1);
    thDestroyWorld(world);
}

// What an agent may change its velocity by in a step is not more in one that is divided.
static void testAcceleration(void** state)
{
    (void)state;
    thProfileDef profile;
    thWorld* world = openPlain(0, &profile);
    profile.maxAccel = 3.0f;
    const thAgentId id = addAgent(world, &profile, (thVec2){0.0f, 0.0f}, (thVec2){900.0f, 0.0f});
    stepWith(world, DT); // now it has the velocity that it wants
    seen.flinches = true;
    for (int32_t i = 0; i < 4; ++i) {
        stepWith(world, 0.0f);
        assert_int_equal(seen.parts, PARTS);
        double left = 3.0 * (double)DT;
        for (int32_t part = 0; part < PARTS; ++part, left *= 0.5)
            assert_near(seen.change[part], left, 1.0e-3);
        assert_near(thAgent_GetInfo(world, id).maxAccel, 3.0, 0.0);
    }
    seen.flinches = false;
    thDestroyWorld(world);
}

// Moving obstacles come as far.
static void testMovers(void** state)
{
    (void)state;
    thVec2 places[2];
    for (int32_t way = 0; way < 2; ++way) {
        thProfileDef profile;
        thWorld* world = openPlain(1, &profile);
        (void)addAgent(world, &profile, (thVec2){0.0f, 9.0f}, (thVec2){900.0f, 9.0f});
        const thVec2 path[3] = {{0.0f, 0.0f}, {0.13f, 0.0f}, {0.13f, 0.5f}};
        thObstacleDef def = thDefaultObstacleDef();
        def.kind = th_obstacleMovingDisc;
        def.radius = 0.5f;
        def.path = path;
        def.pathCount = 3;
        def.pathSpeed = 1.1f;
        thObstacleId id;
        assert_ok(thCreateObstacle(world, &def, &id));
        for (int32_t i = 0; i < 3; ++i)
            stepWith(world, way == 0 ? DT : 0.3f * DT);
        float angle;
        assert_ok(thObstacle_GetPlace(world, id, &places[way], &angle));
        thDestroyWorld(world);
    }
    assert_near(places[0].x, places[1].x, 1.0e-4);
    assert_near(places[0].y, places[1].y, 1.0e-4);
}

static int32_t countEvents(const thWorld* world, thEventKind kind)
{
    int32_t count, found = 0;
    const thEvent* events = thWorld_GetEvents(world, &count);
    for (int32_t i = 0; i < count; ++i)
        found += events[i].kind == kind;
    return found;
}

// Each thing is told once in a step: who arrives, who is pushed apart, who is squeezed.
static void testEvents(void** state)
{
    (void)state;
    thProfileDef profile;
    thWorld* world = openPlain(1, &profile);
    profile.patience = 0.0f;
    thProfileId walker;
    assert_ok(thCreateProfile(world, &profile, &walker, NULL));
    const thVec2 far = {900.0f, 0.0f};
    (void)addTo(world, walker, 1.0f, (thVec2){-5.0f, 0.0f}, (thVec2){-4.95f, 0.0f});
    (void)addTo(world, walker, 1.0f, (thVec2){0.0f, 0.0f}, far);
    (void)addTo(world, walker, 0.0f, (thVec2){0.5f, 0.0f}, far);
    (void)addTo(world, walker, 0.0f, (thVec2){9.7f, 0.0f}, far); // before a wall, a disc behind it
    addWall(world, 10.0f, -2.0f, 10.0f, 2.0f);
    thObstacleId id;
    thObstacleDef disc = thDefaultObstacleDef();
    disc.kind = th_obstacleMovingDisc;
    disc.radius = 1.0f;
    disc.position = (thVec2){8.4f, 0.0f};
    disc.velocity = (thVec2){1.0f, 0.0f};
    assert_ok(thCreateObstacle(world, &disc, &id));
    int32_t pushed = 0, squeezed = 0;
    for (int32_t i = 0; i < 5; ++i) {
        stepWith(world, 0.0f);
        assert_int_equal(seen.parts, PARTS);
        assert_int_equal(countEvents(world, th_eventArrived), i == 0);
        assert_true(countEvents(world, th_eventContact) <= 1);
        assert_true(countEvents(world, th_eventSqueezed) <= 1);
        pushed += countEvents(world, th_eventContact);
        squeezed += countEvents(world, th_eventSqueezed);
    }
    assert_true(pushed >= 3 && squeezed >= 3);
    assert_int_equal(thWorld_GetCounters(world).arrivals, 1);
    thDestroyWorld(world);
}

// People who walk against each other in two crowds.
static thWorld* openCrowd(int32_t workers, thSimd simd, int32_t contacts, const char* avoid)
{
    enum { people = 60 };
    thWorld* world = openWorld(workers, simd, contacts);
    thMethod undivided = thiAvoidClearpath;
    undivided.name = "undivided";
    undivided.needs &= ~(uint32_t)th_needsShortSteps;
    assert_ok(thWorld_AddMethod(world, th_methodAvoid, &undivided));
    thClearpathDef params = thDefaultClearpathDef();
    params.mode = th_clearpathOne;
    thProfileDef profile = thDefaultProfileDef();
    profile.avoid = (thMethodUse){avoid, &params};
    thAgentDef def = thDefaultAgentDef();
    assert_ok(thCreateProfile(world, &profile, &def.profile, NULL));
    thGenerator g = makeGenerator(7, 7);
    for (int32_t i = 0; i < people; ++i) {
        const float side = i % 2 == 0 ? -1.0f : 1.0f;
        def.position = (thVec2){side * (2.0f + 0.7f * (float)(i / 12) + drawFloat(&g, 0.0f, 0.1f)),
                                0.7f * (float)(i / 2 % 6) + drawFloat(&g, 0.0f, 0.1f)};
        def.key = (uint64_t)i + 1;
        assert_ok(thCreatePointGoal(world, (thVec2){-side * 12.0f, def.position.y}, &def.goal));
        thAgentId id;
        assert_ok(thCreateAgent(world, &def, &id));
    }
    return world;
}

// The sum of depths of pairs, and the deepest. [m]
typedef struct Depth {
    double sum, most;
} Depth;

static void addDepth(const thWorld* world, Depth* depth)
{
    const thAgentView view = thWorld_GetAgentView(world);
    for (int32_t i = 0; i < view.slotCount; ++i)
        for (int32_t k = 0; k < i; ++k) {
            const thVec2 a = view.rows[i].position, b = view.rows[k].position;
            const double in = 0.5 - hypot((double)a.x - (double)b.x, (double)a.y - (double)b.y);
            depth->sum += fmax(in, 0.0);
            depth->most = fmax(depth->most, in);
        }
}

// Where steps are not divided, people run into each other who promised not to.
static void testPromise(void** state)
{
    (void)state;
    Depth depths[2] = {{0.0, 0.0}, {0.0, 0.0}};
    int64_t parts = 0, divided = 0;
    for (int32_t way = 0; way < 2; ++way) {
        thWorld* world = openCrowd(1, th_simdAuto, 0, way == 0 ? "undivided" : "clearpath");
        for (int32_t i = 0; i < 150; ++i) {
            assert_ok(thWorld_Step(world, DT));
            addDepth(world, &depths[way]);
            const int32_t substeps = thWorld_GetCounters(world).substeps;
            assert_in_range(substeps, 1, way == 0 ? 1 : PARTS);
            parts += substeps > 1 ? substeps : 0;
            divided += substeps > 1;
        }
        thDestroyWorld(world);
    }
    print_message("overlaps: %.3f m in all, %.3f m at most; with %lld parts of %lld of 150 steps: "
                  "%.3f m, %.3f m\n",
                  depths[0].sum, depths[0].most, (long long)parts, (long long)divided,
                  depths[1].sum, depths[1].most);
    assert_true(divided > 10);
    assert_true(depths[0].most > 0.05 && depths[1].most < 0.3 * depths[0].most);
    assert_true(depths[1].sum < 0.2 * depths[0].sum);
}

static uint64_t hashAfter(thWorld* world, int32_t steps)
{
    for (int32_t i = 0; i < steps; ++i)
        assert_ok(thWorld_Step(world, DT));
    return thWorld_GetStateHash(world);
}

// Neither threads nor instruction sets show, nor that the world was saved on the way.
static void testSameBits(void** state)
{
    (void)state;
    for (int32_t contacts = 0; contacts <= 1; ++contacts) {
        thWorld* reference = openCrowd(1, th_simdScalar, contacts, "clearpath");
        (void)hashAfter(reference, 15);
        const Bytes saved = saveWorld(reference);
        const uint64_t hash = hashAfter(reference, 15);
        thDestroyWorld(reference);
        for (thSimd simd = th_simdScalar; simd < th_simdCount; ++simd) {
            if (!thSimd_IsAvailable(simd))
                continue;
            thWorld* world = openCrowd(simd == th_simdScalar ? 4 : 1, simd, contacts, "clearpath");
            assert_true(hashAfter(world, 30) == hash);
            assert_ok(thWorld_Restore(world, saved.data, saved.size, NULL));
            assert_true(hashAfter(world, 15) == hash);
            thDestroyWorld(world);
        }
        freeBytes(saved);
    }
}

// A warm step takes no memory.
static void testMemory(void** state)
{
    (void)state;
    thWorld* world = openCrowd(1, th_simdAuto, 1, "clearpath");
    int64_t parts = 0;
    for (int32_t i = 0; i < 60; ++i)
        assert_ok(thWorld_Step(world, DT));
    const uint64_t before = thWorld_GetCounters(world).allocations;
    for (int32_t i = 0; i < 10; ++i) {
        assert_ok(thWorld_Step(world, DT));
        parts += thWorld_GetCounters(world).substeps;
    }
    assert_int_equal(thWorld_GetCounters(world).allocations, before);
    assert_true(parts > 10);
    thDestroyWorld(world);
}

// A divided step among obstacles, with memory that runs out.
static thResult stepShortly(const thAllocator* allocator, void* context)
{
    (void)context;
    thWorldDef def = thDefaultWorldDef();
    def.workerCount = 1;
    def.allocator = *allocator;
    thWorld* world;
    TH_TRY(thCreateWorld(&def, &world));
    thClearpathDef params = thDefaultClearpathDef();
    params.mode = th_clearpathOne;
    params.horizon = 0.02f; // shorter than the step, whoever is there
    thProfileDef profile = thDefaultProfileDef();
    profile.avoid = (thMethodUse){"clearpath", &params};
    thAgentDef agent = thDefaultAgentDef();
    thObstacleDef disc = thDefaultObstacleDef();
    disc.kind = th_obstacleMovingDisc;
    disc.radius = 0.5f;
    disc.position = (thVec2){1.0f, 0.0f};
    thObstacleId obstacle;
    thResult code = thCreateProfile(world, &profile, &agent.profile, NULL);
    if (code == th_resultOk)
        code = thCreateObstacle(world, &disc, &obstacle);
    for (int32_t i = 0; i < 3 && code == th_resultOk; ++i) {
        agent.position = (thVec2){0.6f * (float)i, 2.0f};
        thAgentId id;
        code = thCreateAgent(world, &agent, &id);
    }
    for (int32_t i = 0; i < 3 && code == th_resultOk; ++i) {
        code = thWorld_Step(world, DT);
        if (code == th_resultOk)
            assert_true(thWorld_GetCounters(world).substeps > 1);
    }
    thDestroyWorld(world);
    return code;
}

static void testNoMemory(void** state)
{
    (void)state;
    assert_true(failEachAllocation(stepShortly, NULL) > 20);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testLengths),      cmocka_unit_test(testMustBeSaid),
        cmocka_unit_test(testAcceleration), cmocka_unit_test(testMovers),
        cmocka_unit_test(testEvents),       cmocka_unit_test(testPromise),
        cmocka_unit_test(testSameBits),     cmocka_unit_test(testMemory),
        cmocka_unit_test(testNoMemory)};
    return RUN_TESTS(tests, argc, argv);
}
