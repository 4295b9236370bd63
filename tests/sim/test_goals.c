// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Goals: what is refused, what is nearest, and lists and alternatives of goals.

#include "gear/property.h"
#include "geom/fixed.h"
#include "sim/sim_gear.h"
#include "sim/world_internal.h"
#include "throng/random.h"

static void testDefaults(void** state)
{
    (void)state;
    const thGoalDef def = thDefaultGoalDef();
    assert_int_equal(def.size, sizeof def);
    assert_int_equal(def.kind, th_goalPoint);
    assert_int_equal(def.pointCount, 0);
    assert_int_equal(def.goalCount, 0);
    assert_null(def.points);
    assert_null(def.goals);
}

static void testBadArguments(void** state)
{
    (void)state;
    listen();
    Full full;
    assert_ok(createFull(NULL, false, &full));
    thWorld* world = full.world;
    const thVec2 points[] = {{0.0f, 0.0f}, {1.0f, 0.0f}, {0.5f, 2.0f}, {1.0f, 2.0f}};
    thGoalId id = {1};
    thGoalDef def = thDefaultGoalDef();
    def.points = points;
    def.pointCount = 1;
    assert_refused(world, thCreateGoal(world, NULL, &id));
    assert_int_equal(id.value, 0);
    assert_refused(world, thCreateGoal(world, &def, NULL));
    assert_int_equal(thCreateGoal(NULL, &def, &id), th_resultBadArgument);
    def.size -= 4;
    assert_refused(world, thCreateGoal(world, &def, &id));
    def.size += 4;
    def.kind = (thGoalKind)6;
    assert_refused(world, thCreateGoal(world, &def, &id));
    const struct {
        thGoalKind kind;
        int32_t count;
        float radius;
    } shapes[] = {{th_goalPoint, 0, 0.0f},    {th_goalPoint, 2, 0.0f},  {th_goalPoint, -1, 0.0f},
                  {th_goalDisc, 1, 0.0f},     {th_goalDisc, 1, -1.0f},  {th_goalDisc, 1, NAN},
                  {th_goalDisc, 1, INFINITY}, {th_goalDisc, 2, 1.0f},   {th_goalSegment, 1, 0.0f},
                  {th_goalSegment, 3, 0.0f},  {th_goalPolygon, 2, 0.0f}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; ++i) {
        def.kind = shapes[i].kind;
        def.pointCount = shapes[i].count;
        def.radius = shapes[i].radius;
        assert_refused(world, thCreateGoal(world, &def, &id));
    }
    def.kind = th_goalPolygon; // crosses itself
    def.pointCount = 4;
    def.points = (thVec2[]){{0.0f, 0.0f}, {2.0f, 2.0f}, {2.0f, 0.0f}, {0.0f, 2.0f}};
    assert_refused(world, thCreateGoal(world, &def, &id));
    def.kind = th_goalPoint;
    def.pointCount = 1;
    def.points = NULL;
    assert_refused(world, thCreateGoal(world, &def, &id));
    assert_refused(world, thCreatePointGoal(world, (thVec2){NAN, 0.0f}, &id));
    assert_refused(world, thCreatePointGoal(world, (thVec2){0.0f, 30001.0f}, &id));
    assert_ok(thCreatePointGoal(world, (thVec2){-30000.0f, 30000.0f}, &id));

    thGoalId children[] = {full.point, full.list};
    def = thDefaultGoalDef();
    def.kind = th_goalList;
    assert_refused(world, thCreateGoal(world, &def, &id));
    def.goals = children;
    assert_refused(world, thCreateGoal(world, &def, &id)); // of none
    def.goalCount = 2;
    assert_refused(world, thCreateGoal(world, &def, &id)); // a list in a list
    def.kind = th_goalAlternatives;
    assert_refused(world, thCreateGoal(world, &def, &id));
    children[1] = full.alternatives;
    assert_refused(world, thCreateGoal(world, &def, &id));
    children[1] = (thGoalId){0};
    assert_refused(world, thCreateGoal(world, &def, &id));
    children[1] = (thGoalId){UINT64_C(0x900000001)};
    assert_refused(world, thCreateGoal(world, &def, &id));

    assert_refused(world, thDestroyGoal(world, full.point)); // used by agents
    assert_refused(world, thDestroyGoal(world, full.disc));  // used by a goal
    assert_refused(world, thDestroyGoal(world, (thGoalId){0}));
    thDestroyWorld(world);
    thSetHooks(NULL);
}

// What is used lives on; what is closed up in the arrays leaves the others as they were.
static void testLife(void** state)
{
    (void)state;
    listen();
    thWorld* world = createWorld();
    thGoalId ids[20], list;
    thGoalDef def = thDefaultGoalDef();
    def.kind = th_goalSegment;
    def.pointCount = 2;
    for (int32_t i = 0; i < 20; ++i) {
        def.points = (thVec2[]){{(float)i, -(float)i}, {2.0f * (float)i, -2.0f * (float)i}};
        assert_ok(i % 3 == 0 ? thCreatePointGoal(world, def.points[0], &ids[i])
                             : thCreateGoal(world, &def, &ids[i]));
    }
    def = thDefaultGoalDef();
    def.kind = th_goalList;
    def.goals = (thGoalId[]){ids[3], ids[17], ids[3]};
    def.goalCount = 3;
    assert_ok(thCreateGoal(world, &def, &list));
    for (int32_t i = 0; i < 20; i += 2)
        assert_ok(thDestroyGoal(world, ids[i]));
    assert_refused(world, thDestroyGoal(world, ids[3]));
    assert_refused(world, thDestroyGoal(world, ids[17]));
    assert_refused(world, thDestroyGoal(world, ids[0])); // stale
    thVec2 to;
    for (int32_t i = 1; i < 20; i += 2) {
        assert_true(thiNearestGoalPoint(&world->goals, THRONG_SLOT(ids[i]), 0, 0, 0, &to));
        assert_true(to.x == (float)i && to.y == -(float)i);
    }
    assert_true(thiNearestGoalPoint(&world->goals, THRONG_SLOT(list), 1, 0, 0, &to));
    assert_true(to.x == 17.0f);
    assert_int_equal(thiGoalLength(&world->goals, THRONG_SLOT(list)), 3);
    assert_int_equal(thiGoalLength(&world->goals, THRONG_SLOT(ids[1])), 1);
    assert_ok(thDestroyGoal(world, list));
    assert_ok(thDestroyGoal(world, ids[3]));
    assert_ok(thDestroyGoal(world, ids[17]));
    assert_int_equal(world->goals.points.count, 12); // of 1, 5, 7, 11, 13 and 19
    assert_int_equal(world->goals.children.count, 0);
    thDestroyWorld(world);
    thSetHooks(NULL);
}

static thVec2 nearestTo(const thWorld* world, thGoalId goal, int32_t index, float x, float y)
{
    thVec2 to = {NAN, NAN};
    assert_true(thiNearestGoalPoint(&world->goals, THRONG_SLOT(goal), index, thiUnits(x),
                                    thiUnits(y), &to));
    return to;
}

static void testNearest(void** state)
{
    (void)state;
    Full full;
    assert_ok(createFull(NULL, false, &full));
    const thWorld* world = full.world;
    thVec2 to = nearestTo(world, full.point, 0, 0.0f, 0.0f);
    assert_true(to.x == 20.0f && to.y == -1.25f);
    to = nearestTo(world, full.disc, 0, 30.0f, 11.0f); // 10 m north of a disc of 2 m
    assert_near(to.x, 0.0, 1e-5);
    assert_near(to.y, -8.0, 1e-5);
    to = nearestTo(world, full.disc, 0, 31.0f, 1.5f);
    assert_true(to.x == 0.0f && to.y == 0.0f);
    to = nearestTo(world, full.segment, 0, 32.5f, 4.0f);
    assert_near(to.x, 0.0, 1e-5);
    assert_near(to.y, -3.0, 1e-5);
    to = nearestTo(world, full.segment, 0, 35.0f, 1.0f);
    assert_near(to.x, -1.0, 1e-5);
    to = nearestTo(world, full.polygon, 0, 33.0f, 3.0f);
    assert_true(to.x == 0.0f && to.y == 0.0f);
    to = nearestTo(world, full.polygon, 0, 36.0f, 3.0f);
    assert_near(to.x, -2.0, 1e-5);
    // Of point (20, −1.25), polygon from (30, 1) on, and disc about (30, 1).
    to = nearestTo(world, full.alternatives, 0, 22.0f, -1.25f);
    assert_near(to.x, -2.0, 1e-5);
    to = nearestTo(world, full.alternatives, 0, 29.0f, 1.0f);
    assert_true(to.x == 0.0f && to.y == 0.0f); // in the disc
    // The list: segment, alternatives, point, segment.
    to = nearestTo(world, full.list, 2, 20.0f, 0.0f);
    assert_near(to.y, -1.25, 1e-5);
    to = nearestTo(world, full.list, 1, 22.0f, -1.25f);
    assert_near(to.x, -2.0, 1e-5);
    assert_false(thiNearestGoalPoint(&world->goals, -1, 0, 0, 0, &to));
    thDestroyWorld(full.world);
}

// Through the frame, as planners see it.
// What is asked of a whole batch, or only whether an agent is there, is what is asked of one.
static void testBatch(void** state)
{
    (void)state;
    enum { count = 37, lanes = 48 };
    Full full;
    assert_ok(createFull(NULL, false, &full));
    const thGoalId goals[] = {full.point,   full.disc,         full.segment,
                              full.polygon, full.alternatives, full.list};
    int32_t goal[lanes], index[lanes], px[lanes], py[lanes], row[lanes];
    thFrame frame = {.count = lanes,
                     .px = px,
                     .py = py,
                     .goal = goal,
                     .goalIndex = index,
                     .goals = &full.world->goals};
    const thBatch batch = {.frame = &frame, .count = count, .lanes = lanes, .row = row};
    int32_t inside = 0;
    for (int32_t round = 0; round < 200; ++round) {
        for (int32_t i = 0; i < lanes; ++i) {
            const uint64_t at = thRandomStream(3, (uint64_t)round, (uint64_t)i, 1);
            const int32_t kind = (int32_t)(thRandomBits(at, 0) % 7);
            goal[i] = kind < 6 ? THRONG_SLOT(goals[kind]) : -1;
            index[i] = kind == 5 ? (int32_t)(thRandomBits(at, 1) % 4) : 0;
            // Many on the segment from (30, 1) to (34, 1), or at the point.
            const bool on = thRandomBits(at, 2) % 2 == 0;
            px[i] = thiUnits(on ? 30.0f + (float)(thRandomBits(at, 3) % 5)
                                : thRandomRange(at, 4, 18.0f, 38.0f));
            py[i] = thiUnits(on ? 1.0f : thRandomRange(at, 5, -3.0f, 6.0f));
            if (thRandomBits(at, 6) % 8 == 0) {
                px[i] = thiUnits(20.0f);
                py[i] = thiUnits(-1.25f);
            }
            row[i] = (i * 5) % lanes;
        }
        float x[lanes], y[lanes];
        uint8_t has[lanes];
        thBatch_NearestGoalPoints(&batch, x, y, has);
        for (int32_t lane = 0; lane < lanes; ++lane) {
            thVec2 to = {0.0f, 0.0f};
            const bool hasGoal = lane < count && thFrame_NearestGoalPoint(&frame, row[lane], &to);
            assert_int_equal(has[lane], hasGoal);
            assert_true(x[lane] == to.x && y[lane] == to.y);
            if (lane >= count)
                continue;
            const bool isIn = hasGoal && to.x == 0.0f && to.y == 0.0f;
            assert_int_equal(thFrame_IsInGoal(&frame, row[lane]), isIn);
            inside += isIn;
        }
    }
    assert_in_range(inside, 500, 6000);
    thDestroyWorld(full.world);
}

static void testFrame(void** state)
{
    (void)state;
    listen();
    Full full;
    assert_ok(createFull(NULL, false, &full));
    const int32_t goal[2] = {-1, THRONG_SLOT(full.list)}, index[2] = {0, 2};
    const int32_t px[2] = {0, thiUnits(20.0f)}, py[2] = {0, 0};
    const thFrame frame = {.count = 2,
                           .px = px,
                           .py = py,
                           .goal = goal,
                           .goalIndex = index,
                           .goals = &full.world->goals};
    thVec2 to = {5.0f, 5.0f};
    assert_int_equal(thFrame_NearestGoalPoint(&frame, 0, &to), 0);
    assert_true(to.x == 0.0f && to.y == 0.0f);
    assert_int_equal(thFrame_NearestGoalPoint(&frame, 1, &to), 1);
    assert_true(to.x == 0.0f && to.y == -1.25f);
    assert_int_equal(heard(), 0);
    assert_int_equal(thFrame_NearestGoalPoint(&frame, 2, &to), 0);
    assert_int_equal(thFrame_NearestGoalPoint(&frame, -1, &to), 0);
    assert_int_equal(thFrame_NearestGoalPoint(NULL, 0, &to), 0);
    assert_int_equal(thFrame_NearestGoalPoint(&frame, 0, NULL), 0);
    assert_int_equal(heard(), 4);
    thDestroyWorld(full.world);
    thSetHooks(NULL);
}

// What agents head for is kept with them: it must be what their goals say, whatever came between.
static void assertAims(const thWorld* world)
{
    enum { most = 64 };
    const thRows* rows = thiRows(world);
    const thFrame frame = thiMakeFrame(world, 0.1f);
    int32_t row[most] = {0};
    float x[most], y[most];
    uint8_t has[most];
    thBatch batch = {.frame = &frame, .row = row};
    for (int32_t i = 0; i < rows->count; ++i)
        if (rows->flags[i] != 0)
            row[batch.count++] = i;
    batch.lanes = most;
    thBatch_NearestGoalPoints(&batch, x, y, has);
    for (int32_t lane = 0; lane < batch.count; ++lane) {
        thVec2 to;
        assert_int_equal(has[lane], thFrame_NearestGoalPoint(&frame, row[lane], &to));
        assert_true(x[lane] == to.x && y[lane] == to.y);
        const thPoint aim =
            thiAimOfGoal(&world->goals, rows->goal[row[lane]], rows->goalIndex[row[lane]]);
        if (frame.aims != NULL)
            assert_true(thiSamePoint(frame.aims[rows->slot[row[lane]]], aim));
    }
}

static void createWalker(thWorld* world, thProfileId profile, thGoalId goal, uint64_t at)
{
    thAgentDef def = thDefaultAgentDef();
    def.profile = profile;
    def.goal = goal;
    def.position = (thVec2){thRandomRange(at, 0, 0.0f, 20.0f), thRandomRange(at, 1, 0.0f, 20.0f)};
    thAgentId id;
    assert_ok(thCreateAgent(world, &def, &id));
}

static void testAims(void** state)
{
    (void)state;
    enum { goalCount = 9, pointCount = 6, steps = 300 };
    thWorldDef worldDef = thDefaultWorldDef();
    thWorld* world;
    assert_ok(thCreateWorld(&worldDef, &world));
    thProfileDef profileDef = thDefaultProfileDef();
    profileDef.arrival = th_arrivalAgain;
    thProfileId profile;
    assert_ok(thCreateProfile(world, &profileDef, &profile, NULL));
    thGoalId goals[goalCount + 1] = {{0}}; // the last is none
    for (int32_t i = 0; i < pointCount; ++i)
        assert_ok(thCreatePointGoal(world, (thVec2){3.0f * (float)i, 10.0f}, &goals[i]));
    thGoalDef def = thDefaultGoalDef();
    def.kind = th_goalDisc;
    def.points = &(thVec2){10.0f, 5.0f};
    def.pointCount = 1;
    def.radius = 1.0f;
    assert_ok(thCreateGoal(world, &def, &goals[pointCount]));
    for (int32_t i = 0; i < 2; ++i) {
        def = thDefaultGoalDef();
        def.kind = i == 0 ? th_goalList : th_goalAlternatives;
        def.goals = goals;
        def.goalCount = pointCount + 1;
        assert_ok(thCreateGoal(world, &def, &goals[pointCount + 1 + i]));
    }
    const uint64_t stream = thRandomStream(5, 0, 0, 0);
    for (int32_t i = 0; i < 30; ++i)
        createWalker(world, profile, goals[i % 3 == 0 ? pointCount + 1 : i % (goalCount + 1)],
                     thRandomStream(5, (uint64_t)i, 0, 1));
    assertAims(world);
    for (uint32_t step = 0; step < steps; ++step) {
        const uint32_t what = (uint32_t)(thRandomBits(stream, 4 * step) % 8);
        const uint32_t pick = (uint32_t)(thRandomBits(stream, 4 * step + 1) % 1000);
        if (what == 0)
            assert_ok(thGoal_SetPlace(world, goals[pick % (pointCount + 1)],
                                      (thVec2){(float)(pick % 20), (float)(pick % 19)}));
        if (what == 1) {
            const thRows* rows = thiRows(world);
            const int32_t slot = rows->slot[(int32_t)pick % rows->count];
            assert_ok(thAgent_SetGoal(world, (thAgentId){thiIdPoolIdOf(&world->agents.ids, slot)},
                                      goals[pick % (goalCount + 1)]));
        }
        if (what == 2) {
            const Bytes bytes = saveWorld(world);
            assert_ok(thWorld_Restore(world, bytes.data, bytes.size, NULL));
            freeBytes(bytes);
        }
        assertAims(world);
        assert_ok(thWorld_Step(world, 0.1f));
        assertAims(world);
    }
    const thCounters counters = thWorld_GetCounters(world);
    assert_true(counters.arrivals > 20);
    thDestroyWorld(world);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testDefaults), cmocka_unit_test(testBadArguments),
        cmocka_unit_test(testLife),     cmocka_unit_test(testNearest),
        cmocka_unit_test(testBatch),    cmocka_unit_test(testFrame),
        cmocka_unit_test(testAims),
    };
    return RUN_TESTS(tests, argc, argv);
}
