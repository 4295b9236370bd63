// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Sketches of graphs: edges and legs of trees can be walked, trees lead to the goal by the lengths
// they tell, and what is too much is left out from the longest edges on.

#include "gear/allocators.h"
#include "plan/sketch_gear.h"
#include "throng/roadmap.h"
#include "throng/visibility.h"

#include <stdlib.h>

#define RADIUS 0.25

// What rounds: a length is counted without the slack that places keep from walls.
#define SLACK 0.004

static bool isSame(thSketchPoint a, thSketchPoint b)
{
    return a.x == b.x && a.y == b.y;
}

// The leg of the tree that begins at a place; NULL if none does.
static const thSketchLine* legFrom(const thSketchView* view, thSketchPoint place)
{
    for (int32_t i = 0; i < view->lineCount; ++i)
        if (view->lines[i].layer == th_sketchTree &&
            isSame(view->points[view->lines[i].first], place))
            return &view->lines[i];
    return NULL;
}

// A leg ends where another begins that is so much shorter, or at the goal.
static void checkLeg(const thSketchView* view, const thSketchLine* leg, thVec2 goal)
{
    const thSketchLine* next = legFrom(view, view->points[leg->first + 1]);
    const double length = lengthOf(view, leg);
    if (next != NULL) {
        assert_near((double)leg->left, length + (double)next->left, SLACK);
        return;
    }
    const thVec2 end = lastOf(view, leg);
    assert_near(hypot(end.x - goal.x, end.y - goal.y), 0.0, 1e-4);
    assert_near((double)leg->left, length, SLACK);
}

static bool isNode(const thSketchView* view, thSketchPoint place)
{
    for (int32_t i = 0; i < view->lineCount; ++i)
        if (view->lines[i].layer == th_sketchNode &&
            isSame(view->points[view->lines[i].first], place))
            return true;
    return false;
}

static void checkGraph(thWorld* world, const thSketchView* view)
{
    for (int32_t i = 0; i < view->lineCount; ++i) {
        const thSketchLine* line = &view->lines[i];
        if (line->layer != th_sketchEdge && line->layer != th_sketchTree)
            continue;
        assert_int_equal(line->count, 2);
        assert_true(isNode(view, view->points[line->first]));
        assert_true(clearanceOf(world, view, line) > RADIUS - 0.002);
        if (line->layer == th_sketchEdge)
            assert_true(isNode(view, view->points[line->first + 1]));
    }
}

static void testVisibility(void** state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 6; ++seed) {
        thGenerator g = makeGenerator(41, seed);
        thWorld* world = createPlanWorld(1);
        addRandomWalls(world, &g, 12, 15.0f);
        const thVec2 place = {18.0f, 20.5f};
        const thProfileId profile = sketchProfile(world, "visibility", NULL);
        const thAgentId agent = sketchAgents(world, profile, (thVec2){-20.0f, -21.0f}, 6,
                                             pointGoal(world, place.x, place.y));
        stepWorld(world, 3);
        thSketch* sketch = sketchOf(world, agent, allLines);
        const thSketchView view = thSketch_GetView(sketch);
        assert_string_equal(view.method, "visibility");
        assert_true(view.radius == 0.25f && view.level == 0);
        checkWay(world, agent, &view);
        checkGraph(world, &view);
        const int32_t legs = countLayer(&view, th_sketchTree);
        assert_true(legs > 10 && legs <= countLayer(&view, th_sketchNode));
        assert_true(countLayer(&view, th_sketchEdge) >= legs - countLayer(&view, th_sketchNode));
        for (int32_t i = 0; i < view.lineCount; ++i)
            if (view.lines[i].layer == th_sketchTree)
                checkLeg(&view, &view.lines[i], place);
        for (int32_t i = 0; i < th_sketchLayerCount; ++i)
            assert_int_equal(view.leftOut[i], 0);
        thDestroySketch(sketch);
        checkNothingChanges(world, agent);
        thDestroyWorld(world);
    }
}

// Who goes alone has no tree, and goes all the same.
static void testAlone(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(1);
    addCity(world, 3, 3);
    const thProfileId profile = sketchProfile(world, "visibility", NULL);
    const thAgentId agent =
        sketchAgents(world, profile, (thVec2){-4.0f, -4.0f}, 1, pointGoal(world, 80.0f, 70.0f));
    stepWorld(world, 2);
    thSketch* sketch = sketchOf(world, agent, allLines);
    const thSketchView view = thSketch_GetView(sketch);
    assert_int_equal(countLayer(&view, th_sketchTree), 0);
    assert_true(countLayer(&view, th_sketchEdge) > 0);
    checkWay(world, agent, &view);
    thDestroySketch(sketch);
    thDestroyWorld(world);
}

static int octaveOf(const thSketchView* view, const thSketchLine* line)
{
    int octave;
    (void)frexp(lengthOf(view, line) * THRONG_UNITS_PER_METRE, &octave);
    return octave;
}

// The longest are left out: by powers of two.
static void testLimit(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(1);
    addCity(world, 6, 6);
    const thProfileId profile = sketchProfile(world, "visibility", NULL);
    const thAgentId agent =
        sketchAgents(world, profile, (thVec2){-4.0f, -4.0f}, 5, pointGoal(world, 170.0f, 140.0f));
    stepWorld(world, 2);
    thSketch* whole = sketchOf(world, agent, allLines);
    const thSketchView all = thSketch_GetView(whole);
    static const int32_t limits[] = {1, 7, 50, 100, 143, 144, 1000};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; ++i) {
        thSketch* sketch = sketchOf(world, agent, limits[i]);
        const thSketchView view = thSketch_GetView(sketch);
        for (int32_t layer = 0; layer < th_sketchLayerCount; ++layer) {
            const int32_t count = countLayer(&all, (thSketchLayer)layer);
            const int32_t kept = countLayer(&view, (thSketchLayer)layer);
            assert_int_equal(kept, TH_MIN(count, limits[i]));
            assert_int_equal(kept + view.leftOut[layer], count);
        }
        int32_t keptIn[64] = {0}, thereIn[64] = {0};
        for (int32_t k = 0; k < view.lineCount; ++k)
            if (view.lines[k].layer == th_sketchEdge)
                keptIn[octaveOf(&view, &view.lines[k])] += 1;
        for (int32_t k = 0; k < all.lineCount; ++k)
            if (all.lines[k].layer == th_sketchEdge)
                thereIn[octaveOf(&all, &all.lines[k])] += 1;
        for (int32_t octave = 1; octave < 64; ++octave)
            if (keptIn[octave] > 0)
                assert_int_equal(keptIn[octave - 1], thereIn[octave - 1]);
        checkWay(world, agent, &view);
        thDestroySketch(sketch);
    }
    thDestroySketch(whole);
    thDestroyWorld(world);
}

// Portals have two ends.
static void testRoadmap(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(1);
    addWall(world, 0.0f, -20.0f, 0.0f, -2.0f);
    addWall(world, 0.0f, 2.0f, 0.0f, 20.0f);
    const thVec2 nodes[] = {{-5.0f, 0.0f}, {0.0f, -2.0f}, {5.0f, 0.0f}};
    const thVec2 ends[] = {{-5.0f, 0.0f}, {0.0f, 2.0f}, {5.0f, 0.0f}};
    thRoadmapDef def = thDefaultRoadmapDef();
    def.name = "gap";
    def.nodes = nodes;
    def.ends = ends;
    def.nodeCount = 3;
    thRoadmapId id;
    assert_ok(thCreateRoadmap(world, &def, &id));
    const thRoadmapUse use = thDefaultRoadmapUse();
    const thProfileId profile = sketchProfile(world, "roadmap", &use);
    const thAgentId agent =
        sketchAgents(world, profile, (thVec2){-9.0f, 6.0f}, 5, pointGoal(world, 8.0f, 6.0f));
    stepWorld(world, 3);
    thSketch* sketch = sketchOf(world, agent, allLines);
    const thSketchView view = thSketch_GetView(sketch);
    int32_t portals = 0;
    for (int32_t i = 0; i < view.lineCount; ++i)
        portals += view.lines[i].layer == th_sketchNode && view.lines[i].count == 2;
    assert_int_equal(countLayer(&view, th_sketchNode), 3);
    assert_int_equal(portals, 1);
    assert_int_equal(countLayer(&view, th_sketchTree), 3);
    checkWay(world, agent, &view);
    thDestroySketch(sketch);
    checkNothingChanges(world, agent);
    thDestroyWorld(world);
}

// A goal that is gone, and another in its slot: there is no tree for it yet.
static void testOtherGoal(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(1);
    addCity(world, 2, 2);
    const thProfileId profile = sketchProfile(world, "visibility", NULL);
    const thGoalId first = pointGoal(world, 60.0f, 50.0f);
    const thAgentId agent = sketchAgents(world, profile, (thVec2){-4.0f, -4.0f}, 5, first);
    stepWorld(world, 2);
    const thGoalId second = pointGoal(world, -4.0f, 50.0f);
    assert_ok(thAgent_SetGoal(world, agent, second));
    thSketch* sketch = sketchOf(world, agent, allLines);
    thSketchView view = thSketch_GetView(sketch);
    assert_int_equal(countLayer(&view, th_sketchTree), 0);
    assert_int_equal(view.answer, th_planPending);
    checkWay(world, agent, &view);
    thDestroySketch(sketch);
    thDestroyWorld(world);
}

static thResult runSmall(const thAllocator* allocator, void* context)
{
    (void)context;
    thWorldDef def = thDefaultWorldDef();
    def.allocator = *allocator;
    thWorld* world = NULL;
    TH_TRY(thCreateWorld(&def, &world));
    thAgentId id = {0};
    thResult code = addFew(world, (thMethodUse){"visibility", NULL}, &id);
    code = sketchOnce(world, id, code);
    thDestroyWorld(world);
    return code;
}

static void testMemory(void** state)
{
    (void)state;
    assert_true(failEachAllocation(runSmall, NULL) > 0);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testVisibility), cmocka_unit_test(testAlone),
        cmocka_unit_test(testLimit),      cmocka_unit_test(testRoadmap),
        cmocka_unit_test(testOtherGoal),  cmocka_unit_test(testMemory),
    };
    return RUN_TESTS(tests, argc, argv);
}
