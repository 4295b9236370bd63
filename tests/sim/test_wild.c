// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Worlds in which numbers are of any size: agents, speeds and steps that are accepted, and what a
// host's own methods write, NaN included. Whatever it is, places, velocities and headings stay
// numbers, and are the same with any instruction set and number of threads.

#include "avoid/any_numbers.h"
#include "avoid/avoid_methods.h"
#include "base/core.h"
#include "gear/property.h"
#include "sim/ranges.h"
#include "sim/sim_gear.h"
#include "throng/clearpath.h"

// A method that writes one number into one column, for every third agent.

enum { columnCount = 9 };

static const char* const columnNames[columnCount] = {
    "guideX", "guideY", "cornerX", "cornerY", "remaining", "answer", "outVx", "outVy", "interval"};

typedef struct WildParams {
    int32_t column;
    float value;
} WildParams;

static const WildParams wildDefaults = {0, 0.0f};

static void writeWild(const thBatch* batch, const WildParams* params)
{
    float* const columns[columnCount] = {batch->guideX,  batch->guideY,    batch->cornerX,
                                         batch->cornerY, batch->remaining, NULL,
                                         batch->outVx,   batch->outVy};
    if (params->column == 8)
        *batch->interval = params->value;
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        if (batch->frame->key[batch->row[lane]] % 3 != 0 || params->column == 8)
            continue;
        if (params->column == 5)
            batch->answer[lane] = 200;
        else
            columns[params->column][lane] = params->value;
    }
}

static void wildPlan(const thBatch* batch, const void* params, const void* shared)
{
    (void)shared;
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        batch->guideX[lane] = batch->frame->key[batch->row[lane]] % 2 == 0 ? 1.0f : -1.0f;
        batch->guideY[lane] = 0.25f;
        batch->cornerX[lane] = batch->guideX[lane];
        batch->cornerY[lane] = 1.0f;
        batch->remaining[lane] = 5.0f;
    }
    writeWild(batch, params);
}

static void wildGroup(const thBatch* batch, const void* params, const void* shared)
{
    (void)shared;
    writeWild(batch, params);
}

static void wildAvoid(const thBatch* batch, const void* params, const void* shared)
{
    (void)shared;
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        batch->outVx[lane] = batch->guideX[lane];
        batch->outVy[lane] = batch->guideY[lane];
        batch->status[lane] = 255;
    }
    writeWild(batch, params);
}

static thMethod wildMethod(thMethodKind kind)
{
    static void (*const solves[])(const thBatch*, const void*, const void*) = {wildPlan, wildGroup,
                                                                               wildAvoid};
    thMethod method = {.size = sizeof(thMethod),
                       .name = "wild",
                       .version = 1,
                       .paramSize = sizeof(WildParams),
                       .defaults = &wildDefaults,
                       .solve = solves[kind]};
    if (kind == th_methodAvoid)
        method.needs = th_needsShortSteps;
    return method;
}

// A room with a wall and two movers.
static void addThings(thWorld* world)
{
    static const thVec2 room[] = {{-6.0f, -5.0f}, {6.0f, -5.0f}, {6.0f, 5.0f}, {-6.0f, 5.0f}};
    static const thVec2 box[] = {{-0.5f, -0.5f}, {0.5f, -0.5f}, {0.5f, 0.5f}, {-0.5f, 0.5f}};
    thObstacleDef def = thDefaultObstacleDef();
    thObstacleId id;
    def.kind = th_obstacleRoom;
    def.points = room;
    def.pointCount = 4;
    assert_ok(thCreateObstacle(world, &def, &id));
    addWall(world, -1.0f, 1.5f, 2.0f, 2.5f);
    def = thDefaultObstacleDef();
    def.kind = th_obstacleMovingPolygon;
    def.points = box;
    def.pointCount = 4;
    def.position = (thVec2){3.0f, -2.0f};
    def.velocity = (thVec2){-1.0f, 0.5f};
    def.spin = 1.0f;
    assert_ok(thCreateObstacle(world, &def, &id));
}

static bool areNumbers(const thWorld* world)
{
    const thAgentView view = thWorld_GetAgentView(world);
    for (int32_t slot = 0; slot < view.slotCount; ++slot) {
        const thAgentRow* row = &view.rows[slot];
        if (row->flags != 0 && !(thiIsVelocity(row->velocity) && thiIsPlace(row->position) &&
                                 fabsf(row->heading) <= TH_PI)) {
            print_message("agent %d: velocity (%g, %g), heading %g\n", (int)slot,
                          (double)row->velocity.x, (double)row->velocity.y, (double)row->heading);
            return false;
        }
    }
    return true;
}

// The hash of a world after some steps with a wild method; cars have shapes, which turn.
static uint64_t runWild(thMethodKind kind, const WildParams* params, bool isCars, thSimd simd,
                        int32_t workers)
{
    static const thVec2 car[] = {{0.6f, 0.25f}, {-0.6f, 0.25f}, {-0.6f, -0.25f}, {0.6f, -0.25f}};
    thWorldDef worldDef = thDefaultWorldDef();
    worldDef.simd = simd;
    worldDef.workerCount = workers;
    thWorld* world;
    assert_ok(thCreateWorld(&worldDef, &world));
    const thMethod planner = wildMethod(th_methodPlan), method = wildMethod(kind);
    assert_ok(thWorld_AddMethod(world, th_methodPlan, &planner));
    if (kind != th_methodPlan)
        assert_ok(thWorld_AddMethod(world, kind, &method));
    addThings(world);
    thClearpathDef clearpath = thDefaultClearpathDef();
    clearpath.mode = th_clearpathOne; // divides steps
    thProfileDef profile = thDefaultProfileDef();
    profile.plan.name = "wild";
    profile.avoid.name = isCars ? "clearpath" : "orca";
    profile.avoid.params = isCars ? &clearpath : NULL;
    profile.shape = isCars ? car : NULL;
    profile.shapeCount = isCars ? 4 : 0;
    thMethodUse* const uses[] = {&profile.plan, &profile.group, &profile.avoid};
    *uses[kind] = (thMethodUse){.name = "wild", .params = params};
    thAgentDef def = thDefaultAgentDef();
    assert_ok(thCreateProfile(world, &profile, &def.profile, NULL));
    thGoalId goal;
    assert_ok(thCreatePointGoal(world, (thVec2){5.0f, 4.0f}, &goal));
    def.goal = goal;
    for (int32_t i = 0; i < 12; ++i) {
        def.position = (thVec2){-5.0f + 1.5f * (float)(i % 4), -4.0f + 1.7f * (float)(i / 4)};
        thAgentId id;
        assert_ok(thCreateAgent(world, &def, &id));
    }
    for (int32_t step = 0; step < 4; ++step) {
        assert_ok(thWorld_Step(world, 0.1f));
        assert_true(areNumbers(world));
    }
    const uint64_t hash = thWorld_GetStateHash(world);
    thDestroyWorld(world);
    return hash;
}

static void testWildMethods(void** state)
{
    (void)state;
    static const float values[] = {NAN,   INFINITY, -INFINITY, 1.0e38f,   -1.0e38f,
                                   -1.0f, 1.0e9f,   3.0e5f,    0x1p-149f, -0.0f};
    for (int32_t i = 0; i < 2 * columnCount * (int32_t)th_methodKindCount; ++i) {
        const bool isCars = i % 2 != 0;
        const thMethodKind kind = (thMethodKind)(i / 2 % th_methodKindCount);
        for (size_t k = 0; k < sizeof values / sizeof values[0]; ++k) {
            const WildParams params = {i / 2 / th_methodKindCount, values[k]};
            const uint64_t hash = runWild(kind, &params, isCars, th_simdScalar, 1);
            if (hash != runWild(kind, &params, isCars, th_simdAuto, 3))
                fail_msg("%s of kind %d: %g", columnNames[params.column], (int)kind,
                         (double)values[k]);
        }
    }
}

// What is documented becomes of what was written.
static void testWhatBecomesOfIt(void** state)
{
    (void)state;
    thWorld* world = createWorld();
    const thMethod method = wildMethod(th_methodPlan);
    assert_ok(thWorld_AddMethod(world, th_methodPlan, &method));
    for (int32_t column = 0; column < 6; ++column) {
        const WildParams params = {column, NAN};
        thProfileDef profile = thDefaultProfileDef();
        profile.plan = (thMethodUse){.name = "wild", .params = &params};
        profile.keep = th_keepNone;
        thAgentDef def = thDefaultAgentDef();
        assert_ok(thCreateProfile(world, &profile, &def.profile, NULL));
        thAgentId ids[3];
        for (int32_t i = 0; i < 3; ++i) {
            def.position = (thVec2){5.0f * (float)i, 5.0f * (float)column};
            assert_ok(thCreateAgent(world, &def, &ids[i]));
        }
        assert_ok(thWorld_Step(world, 0.1f));
        int32_t changed = 0;
        for (int32_t i = 0; i < 3; ++i) {
            const thAgentRow row = thAgent_Get(world, ids[i]);
            const thAgentInfo info = thAgent_GetInfo(world, ids[i]);
            const bool stands = row.velocity.x == 0.0f && row.velocity.y == 0.0f;
            changed += column < 2    ? stands
                       : column == 4 ? info.remaining == 0.0f
                       : column == 5 ? info.answer == th_planNone
                                     : 0;
            assert_true(stands || fabsf(row.velocity.x) == 1.0f);
        }
        assert_int_equal(changed, column == 2 || column == 3 ? 0 : 1);
    }
    thDestroyWorld(world);
}

// Agents of any size and speed, in steps of any length, with every method.
static bool staysFinite(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    uint8_t data[512];
    for (size_t i = 0; i < sizeof data; ++i)
        data[i] = (uint8_t)drawU32(g);
    NumberBytes bytes = {.next = data, .left = sizeof data};
    thWorldDef worldDef = thDefaultWorldDef();
    worldDef.contacts = takeByte(&bytes) % 2 == 0;
    thWorld* world;
    assert_ok(thCreateWorld(&worldDef, &world));
    addThings(world);
    int32_t methods = 0;
    while (thiAvoidMethods[methods] != NULL)
        methods += 1;
    thProfileDef profile = thDefaultProfileDef();
    profile.plan.name = takeByte(&bytes) % 2 == 0 ? "direct" : "steer";
    profile.avoid.name = thiAvoidMethods[takeByte(&bytes) % (uint32_t)methods]->name;
    thAgentDef def = thDefaultAgentDef();
    assert_ok(thCreateProfile(world, &profile, &def.profile, NULL));
    assert_ok(thCreatePointGoal(world, (thVec2){5.0f, 4.0f}, &def.goal));
    for (int32_t i = 0; i < 2 + size; ++i) {
        def.position = (thVec2){takeNumber(&bytes, 5.0f), takeNumber(&bytes, 4.0f)};
        def.radius = takeLength(&bytes, 0.0f, takeByte(&bytes) % 8 == 0 ? 100.0f : 0.5f);
        def.maxSpeed = takeLength(&bytes, 0.0f, 100.0f);
        def.prefSpeed = takeLength(&bytes, 0.0f, 100.0f);
        def.maxAccel = takeByte(&bytes) % 2 == 0 ? 0.0f : takeLength(&bytes, 0.0f, 1.0e6f);
        def.yield = takeLength(&bytes, 0.0f, 1000.0f);
        def.velocity = (thVec2){takeNumber(&bytes, TH_MAX_VELOCITY), takeNumber(&bytes, 2.0f)};
        thAgentId id;
        (void)thCreateAgent(world, &def, &id); // not in walls
    }
    bool good = true;
    for (int32_t step = 0; step < 3 && good; ++step) {
        const float dt = takeLength(&bytes, THRONG_LEAST_STEP, 10.0f);
        good = thWorld_Step(world, dt) == th_resultOk && areNumbers(world);
        if (!good)
            print_message("%s, step of %g s\n", profile.avoid.name, (double)dt);
    }
    thDestroyWorld(world);
    return good;
}

static void testWildWorlds(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "finite worlds",
                                 .seed = 20,
                                 .caseCount = caseCount(500, 100000),
                                 .maxSize = 10,
                                 .holds = staysFinite});
}

static void testSteps(void** state)
{
    (void)state;
    listen();
    thWorld* world = createWorld();
    const float bad[] = {0.0f, -0.1f, 0x1p-149f, 0.99e-6f, 10.01f, NAN, INFINITY};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i)
        assert_refused(world, thWorld_Step(world, bad[i]));
    assert_ok(thWorld_Step(world, THRONG_LEAST_STEP));
    thDestroyWorld(world);
    thSetHooks(NULL);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testWhatBecomesOfIt), cmocka_unit_test(testWildMethods),
        cmocka_unit_test(testWildWorlds), cmocka_unit_test(testSteps)};
    return RUN_TESTS(tests, argc, argv);
}
