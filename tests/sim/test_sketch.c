// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Sketches of plans: planners of the host's own, limits, what is refused, and agents of whom there
// is nothing to tell.

#include "gear/allocators.h"
#include "sim/sim_gear.h"
#include "throng/sketch.h"

#define DT 0.1f

static void stand(const thBatch* batch, const void* params, const void* shared)
{
    (void)batch;
    (void)params;
    (void)shared;
}

// Layers of a planner: all but the way.
enum { ownLayers = th_sketchLayerCount - 1 };

static int32_t ownLayer(int32_t index)
{
    return index < th_sketchWay ? index : index + 1;
}

// As many lines as the parameters say, of each layer but the way.
static thResult sketchLines(const thFrame* frame, int32_t row, const void* params,
                            const void* shared, const void* state, thSketch* to)
{
    (void)shared;
    assert_non_null(state);
    const int32_t count = *(const int32_t*)params;
    for (int32_t i = 0; i < count; ++i)
        for (int32_t k = 0; k < ownLayers; ++k) {
            const int32_t layer = ownLayer(k);
            const thSketchPoint points[3] = {{frame->px[row], frame->py[row]}, {i, layer}, {7, 8}};
            thSketch_Add(to, (thSketchLayer)layer, (float)i, points, layer == 0 ? 1 : 2 + i % 2);
        }
    thSketch_LeaveOut(to, th_sketchTree, 3);
    return th_resultOk;
}

static thResult sketchNonsense(const thFrame* frame, int32_t row, const void* params,
                               const void* shared, const void* state, thSketch* to)
{
    (void)frame;
    (void)row;
    (void)params;
    (void)shared;
    (void)state;
    const thSketchPoint points[2] = {{0, 0}, {1, 1}};
    thSketch_Add(NULL, th_sketchEdge, 0.0f, points, 2);
    thSketch_Add(to, (thSketchLayer)-1, 0.0f, points, 2);
    thSketch_Add(to, th_sketchLayerCount, 0.0f, points, 2);
    thSketch_Add(to, th_sketchEdge, 0.0f, NULL, 2);
    thSketch_Add(to, th_sketchEdge, 0.0f, points, 1);
    thSketch_Add(to, th_sketchNode, 0.0f, points, 0);
    thSketch_Add(to, th_sketchTree, -1.0f, points, 2);
    thSketch_Add(to, th_sketchTree, NAN, points, 2);
    thSketch_Add(to, th_sketchTree, INFINITY, points, 2);
    thSketch_LeaveOut(to, th_sketchTree, -1);
    thSketch_LeaveOut(to, th_sketchLayerCount, 1);
    thSketch_LeaveOut(NULL, th_sketchTree, 1);
    return th_resultOk;
}

static thResult failToSketch(const thFrame* frame, int32_t row, const void* params,
                             const void* shared, const void* state, thSketch* to)
{
    (void)sketchLines(frame, row, params, shared, state, to);
    return th_resultNoMemory;
}

static thAgentId addAgent(thWorld* world, const char* plan, const void* params)
{
    thProfileDef profile = thDefaultProfileDef();
    profile.plan = (thMethodUse){plan, params};
    thAgentDef agent = thDefaultAgentDef();
    assert_ok(thCreateProfile(world, &profile, &agent.profile, NULL));
    assert_ok(thCreatePointGoal(world, (thVec2){3.0f, 4.0f}, &agent.goal));
    thAgentId id = {0};
    assert_ok(thCreateAgent(world, &agent, &id));
    return id;
}

static thWorld* createWith(thPlanSketchFcn* sketch, int32_t lines, thAgentId* agent)
{
    thWorld* world = createWorld();
    const thMethod method = {.size = sizeof method,
                             .name = "host",
                             .paramSize = sizeof lines,
                             .stateSize = 8,
                             .solve = stand,
                             .sketch = sketch};
    assert_ok(thWorld_AddMethod(world, th_methodPlan, &method));
    *agent = addAgent(world, "host", &lines);
    assert_ok(thWorld_Step(world, DT));
    return world;
}

static void testLines(void** state)
{
    (void)state;
    thAgentId agent;
    thWorld* world = createWith(sketchLines, 5, &agent);
    for (int32_t most = 1; most < 8; ++most) {
        thSketch* sketch;
        assert_ok(thAgent_SketchPlan(world, agent, most, &sketch));
        const thSketchView view = thSketch_GetView(sketch);
        const int32_t kept = most < 5 ? most : 5;
        assert_int_equal(thSketch_GetMost(sketch), most);
        assert_int_equal(view.lineCount, ownLayers * kept);
        assert_string_equal(view.method, "host");
        assert_true(view.key == thAgent_Get(world, agent).key);
        int32_t points = 0;
        for (int32_t i = 0; i < view.lineCount; ++i) {
            const thSketchLine* line = &view.lines[i];
            const int32_t number = i / ownLayers;
            assert_int_equal(line->layer, ownLayer(i % ownLayers));
            assert_true(line->left == (float)number);
            assert_int_equal(line->first, points);
            assert_int_equal(line->count, line->layer == 0 ? 1 : 2 + number % 2);
            assert_int_equal(view.points[points].x, view.place.x);
            if (line->layer > 0)
                assert_int_equal(view.points[points + 1].x, number);
            points += line->count;
        }
        assert_int_equal(view.pointCount, points);
        for (int32_t layer = 0; layer < th_sketchLayerCount; ++layer)
            assert_int_equal(view.leftOut[layer], (layer == th_sketchWay ? 0 : 5 - kept) +
                                                      (layer == th_sketchTree ? 3 : 0));
        thDestroySketch(sketch);
    }
    thDestroyWorld(world);
}

static void testNonsense(void** state)
{
    (void)state;
    thAgentId agent;
    thWorld* world = createWith(sketchNonsense, 0, &agent);
    thSketch* sketch;
    listen();
    assert_ok(thAgent_SketchPlan(world, agent, 100, &sketch));
    assert_int_equal(heard(), 12);
    const thSketchView view = thSketch_GetView(sketch);
    assert_int_equal(view.lineCount, 0);
    for (int32_t layer = 0; layer < th_sketchLayerCount; ++layer)
        assert_int_equal(view.leftOut[layer], 0);
    thDestroySketch(sketch);
    thSetHooks(NULL);
    thDestroyWorld(world);
}

static void testFailure(void** state)
{
    (void)state;
    thAgentId agent;
    thWorld* world = createWith(failToSketch, 3, &agent);
    thSketch* sketch = (thSketch*)&agent;
    assert_int_equal(thAgent_SketchPlan(world, agent, 100, &sketch), th_resultNoMemory);
    assert_null(sketch);
    thDestroyWorld(world);
}

static void testRefused(void** state)
{
    (void)state;
    thWorld* world = createWorld();
    const thAgentId agent = addAgent(world, "direct", NULL);
    thSketch* sketch = (thSketch*)&agent;
    listen();
    assert_refused(world, thAgent_SketchPlan(world, (thAgentId){0}, 100, &sketch));
    assert_null(sketch);
    assert_refused(world, thAgent_SketchPlan(world, agent, 0, &sketch));
    assert_refused(world, thAgent_SketchPlan(world, agent, 10000001, &sketch));
    assert_refused(world, thAgent_SketchPlan(world, agent, 100, NULL));
    assert_refused(world, thAgent_SketchPlan(NULL, agent, 100, &sketch));
    assert_int_equal(thSketch_GetView(NULL).lineCount, 0);
    assert_int_equal(thSketch_GetMost(NULL), 0);
    assert_int_equal(heard(), 2);
    thDestroyAgent(world, agent);
    assert_refused(world, thAgent_SketchPlan(world, agent, 100, &sketch));
    thSetHooks(NULL);
    thDestroySketch(NULL);
    thDestroyWorld(world);
}

// Planner `direct` has a straight way, after the first step; `given` has none to tell.
static void testPlain(void** state)
{
    (void)state;
    thWorld* world = createWorld();
    const thAgentId direct = addAgent(world, "direct", NULL);
    const thAgentId given = addAgent(world, "given", NULL);
    thSketch* sketch;
    assert_ok(thAgent_SketchPlan(world, direct, 100, &sketch));
    assert_int_equal(thSketch_GetView(sketch).answer, th_planPending);
    assert_int_equal(thSketch_GetView(sketch).lineCount, 0);
    assert_non_null(thSketch_GetView(sketch).why);
    thDestroySketch(sketch);
    assert_ok(thWorld_Step(world, DT));
    assert_ok(thAgent_SketchPlan(world, direct, 100, &sketch));
    const thSketchView view = thSketch_GetView(sketch);
    assert_int_equal(view.answer, th_planComplete);
    assert_int_equal(view.lineCount, 1);
    assert_int_equal(view.lines[0].layer, th_sketchWay);
    assert_int_equal(view.lines[0].count, 2);
    assert_int_equal(view.points[1].x, 3 * THRONG_UNITS_PER_METRE);
    assert_int_equal(view.points[1].y, 4 * THRONG_UNITS_PER_METRE);
    assert_near((double)view.lines[0].left, view.length, 1e-6);
    thDestroySketch(sketch);
    assert_int_equal(thAgent_SketchPlan(world, given, 100, &sketch), th_resultUnavailable);
    assert_null(sketch);
    thDestroyWorld(world);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testLines),   cmocka_unit_test(testNonsense),
        cmocka_unit_test(testFailure), cmocka_unit_test(testRefused),
        cmocka_unit_test(testPlain),
    };
    return RUN_TESTS(tests, argc, argv);
}
