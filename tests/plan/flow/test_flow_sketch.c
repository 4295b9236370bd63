// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Sketches of fields: stream lines keep off walls, go the shortest path and end at the goal or at
// another line; contour lines are where the path is as long as they say.

#include "gear/allocators.h"
#include "plan/sketch_gear.h"
#include "throng/flow.h"

#define RADIUS 0.25

static void addRoom(thWorld* world, float side)
{
    const thVec2 corners[] = {{0.0f, 0.0f}, {side, 0.0f}, {side, side}, {0.0f, side}};
    addObstacle(world, th_obstacleRoom, 0, corners, 4);
}

// How near a place is to any point of the stream lines before one. [m]
static double nearestBefore(const thSketchView* view, int32_t line, thVec2 place)
{
    double least = INFINITY;
    for (int32_t i = 0; i < line; ++i) {
        if (view->lines[i].layer != th_sketchStream)
            continue;
        const thSketchLine* other = &view->lines[i];
        for (int32_t k = other->first; k + 1 < other->first + other->count; ++k) {
            const thSketchPoint a = view->points[k], b = view->points[k + 1];
            for (int32_t s = 0; s <= 200; ++s) {
                const double x = a.x + ((double)b.x - a.x) * s / 200;
                const double y = a.y + ((double)b.y - a.y) * s / 200;
                least = fmin(least, hypot(x / THRONG_UNITS_PER_METRE - place.x,
                                          y / THRONG_UNITS_PER_METRE - place.y));
            }
        }
    }
    return least;
}

// Of a room of so many metres: 2000 lines begin in it at most, and a cell is half as wide as they
// are apart.
static double cellOf(float side)
{
    return 0.5 * fmax(side / sqrt(2000.0), 0.5);
}

static void checkStreams(thWorld* world, const thSketchView* view, thVec2 goal, float side)
{
    int32_t arrived = 0;
    for (int32_t i = 0; i < view->lineCount; ++i) {
        const thSketchLine* line = &view->lines[i];
        if (line->layer != th_sketchStream)
            continue;
        assert_true(clearanceOf(world, view, line) > RADIUS - 0.002);
        const thVec2 end = lastOf(view, line);
        const bool isThere = hypot(end.x - goal.x, end.y - goal.y) < 0.01;
        arrived += isThere;
        if (isThere) // as long as was said, but for the corners' roundness
            assert_near(lengthOf(view, line), (double)line->left,
                        0.002 * (double)line->left + 0.02);
        else
            assert_true(nearestBefore(view, i, end) < 1.5 * cellOf(side));
        assert_true(lengthOf(view, line) <= 1.002 * (double)line->left + 0.02);
    }
    assert_true(arrived >= 1);
}

static void testStreams(void** state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 4; ++seed) {
        thGenerator g = makeGenerator(43, seed);
        thWorld* world = createPlanWorld(1);
        const float side = 16.0f;
        addRoom(world, side);
        for (int32_t i = 0; i < 4; ++i) {
            const float x = drawFloat(&g, 2.0f, 12.0f), y = drawFloat(&g, 2.0f, 12.0f);
            addBox(world, x, y, x + drawFloat(&g, 0.5f, 3.0f), y + drawFloat(&g, 0.5f, 3.0f));
        }
        const thVec2 goal = {15.3f, 15.1f};
        const thProfileId profile = sketchProfile(world, "flow", NULL);
        const thAgentId agent =
            sketchAgents(world, profile, (thVec2){0.7f, 0.8f}, 1, pointGoal(world, goal.x, goal.y));
        stepWorld(world, 4);
        thSketch* sketch = sketchOf(world, agent, allLines);
        const thSketchView view = thSketch_GetView(sketch);
        assert_in_range(countLayer(&view, th_sketchStream), 50, 2200);
        assert_true(countLayer(&view, th_sketchContour) > 100);
        checkStreams(world, &view, goal, side);
        checkWay(world, agent, &view);
        thDestroySketch(sketch);
        checkNothingChanges(world, agent);
        thDestroyWorld(world);
    }
}

// In an empty room they are circles round the goal, one metre apart.
static void testContours(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(1);
    addRoom(world, 16.0f);
    const thVec2 goal = {8.1f, 7.9f};
    const thProfileId profile = sketchProfile(world, "flow", NULL);
    const thAgentId agent =
        sketchAgents(world, profile, (thVec2){0.7f, 0.8f}, 1, pointGoal(world, goal.x, goal.y));
    stepWorld(world, 4);
    thSketch* sketch = sketchOf(world, agent, allLines);
    const thSketchView view = thSketch_GetView(sketch);
    float least = INFINITY;
    double around = 0.0;
    for (int32_t i = 0; i < view.lineCount; ++i) {
        const thSketchLine* line = &view.lines[i];
        if (line->layer != th_sketchContour)
            continue;
        const thVec2 a = firstOf(&view, line), b = lastOf(&view, line);
        assert_near(hypot(a.x - goal.x, a.y - goal.y), (double)line->left, 0.03);
        assert_near(hypot(b.x - goal.x, b.y - goal.y), (double)line->left, 0.03);
        least = fminf(least, line->left);
        around += line->left == 5.0f ? lengthOf(&view, line) : 0.0;
    }
    assert_near((double)least, 0.5, 1e-6);
    assert_near(around, 2.0 * 3.14159265 * 5.0, 0.1); // without a gap
    thDestroySketch(sketch);
    thDestroyWorld(world);
}

// Behind a wall the path goes round its end.
static void testContoursRoundWall(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(1);
    addRoom(world, 20.0f);
    addWall(world, 0.0f, 10.0f, 14.0f, 10.0f);
    const thVec2 goal = {3.0f, 15.0f};
    const thProfileId profile = sketchProfile(world, "flow", NULL);
    const thAgentId agent =
        sketchAgents(world, profile, (thVec2){3.0f, 5.0f}, 1, pointGoal(world, goal.x, goal.y));
    stepWorld(world, 4);
    thSketch* sketch = sketchOf(world, agent, allLines);
    const thSketchView view = thSketch_GetView(sketch);
    for (int32_t i = 0; i < view.lineCount; ++i) {
        const thSketchLine* line = &view.lines[i];
        const thVec2 a = firstOf(&view, line);
        if (line->layer != th_sketchContour || a.y > 9.0f || a.x > 13.0f)
            continue;
        const double least = hypot(a.x - 14.0, a.y - 10.0) + hypot(goal.x - 14.0, goal.y - 10.0);
        assert_true((double)line->left > least - 0.05 && (double)line->left < least + 0.9);
    }
    checkStreams(world, &view, goal, 20.0f);
    thDestroySketch(sketch);
    thDestroyWorld(world);
}

// While a field is built there is a part of it; before that, and without walls or a goal, nothing.
static void testParts(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(1);
    addRoom(world, 60.0f);
    thFlowDef flow = thDefaultFlowDef();
    flow.rate = 4000;
    const thProfileId profile = sketchProfile(world, "flow", &flow);
    const thVec2 goal = {50.0f, 50.0f};
    const thAgentId agent =
        sketchAgents(world, profile, (thVec2){5.0f, 5.0f}, 1, pointGoal(world, goal.x, goal.y));
    int32_t lines = -1, growths = 0;
    for (int32_t i = 0; i < 40; ++i) {
        stepWorld(world, 1);
        thSketch* sketch = sketchOf(world, agent, allLines);
        const thSketchView view = thSketch_GetView(sketch);
        const int32_t count = countLayer(&view, th_sketchStream);
        growths += count > lines && count > 0;
        lines = count;
        if (i == 0)
            assert_int_equal(view.lineCount, 0);
        checkWay(world, agent, &view);
        thDestroySketch(sketch);
    }
    assert_true(growths > 3);
    assert_true(lines > 100);
    thDestroyWorld(world);

    world = createPlanWorld(1);
    const thProfileId open = sketchProfile(world, "flow", NULL);
    const thAgentId free =
        sketchAgents(world, open, (thVec2){5.0f, 5.0f}, 1, pointGoal(world, goal.x, goal.y));
    const thAgentId aimless = sketchAgents(world, open, (thVec2){9.0f, 5.0f}, 1, (thGoalId){0});
    stepWorld(world, 3);
    thSketch* sketch = sketchOf(world, free, allLines);
    assert_int_equal(thSketch_GetView(sketch).lineCount, 1);
    thDestroySketch(sketch);
    sketch = sketchOf(world, aimless, allLines);
    assert_int_equal(thSketch_GetView(sketch).lineCount, 0);
    thDestroySketch(sketch);
    thDestroyWorld(world);
}

// Stream lines among a crowd keep off walls too, and come to an end.
static void testCrowd(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(1);
    addRoom(world, 20.0f);
    addWall(world, 10.0f, 3.0f, 10.0f, 17.0f);
    thFlowDef flow = thDefaultFlowDef();
    flow.crowding = 2.0f;
    flow.refresh = 1;
    const thProfileId profile = sketchProfile(world, "flow", &flow);
    const thGoalId goal = pointGoal(world, 18.0f, 12.0f);
    const thAgentId agent = sketchAgents(world, profile, (thVec2){3.0f, 12.0f}, 1, goal);
    for (int32_t i = 0; i < 10; ++i)
        (void)sketchAgents(world, profile, (thVec2){4.0f, 14.0f + 0.55f * (float)i}, 8, goal);
    stepWorld(world, 6);
    thSketch* sketch = sketchOf(world, agent, allLines);
    const thSketchView view = thSketch_GetView(sketch);
    int32_t streams = 0;
    for (int32_t i = 0; i < view.lineCount; ++i)
        if (view.lines[i].layer == th_sketchStream) {
            assert_true(clearanceOf(world, &view, &view.lines[i]) > RADIUS - 0.002);
            assert_true(lengthOf(&view, &view.lines[i]) < 2.0 * (double)view.lines[i].left + 2.0);
            streams += 1;
        }
    assert_true(streams > 50);
    thDestroySketch(sketch);
    thDestroyWorld(world);
}

// Where two paths cost about the same lines part and go on; none is drawn to and fro.
static void testRidges(void** state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 10; ++seed) {
        thGenerator g = makeGenerator(47, seed);
        thWorld* world = createPlanWorld(1);
        addRoom(world, 14.0f);
        addBox(world, 4.0f, 4.0f, 7.0f, 6.0f);
        addBox(world, 8.0f, 7.0f, 8.5f, 12.0f);
        thFlowDef flow = thDefaultFlowDef();
        flow.crowding = drawFloat(&g, 0.5f, 2.0f);
        const thProfileId profile = sketchProfile(world, "flow", &flow);
        const thProfileId still = sketchProfile(world, "direct", NULL);
        for (int32_t i = 0; i < 5; ++i) {
            const thVec2 first = {drawFloat(&g, 0.5f, 2.0f), drawFloat(&g, 6.5f, 13.0f)};
            (void)sketchAgents(world, still, first, 4, (thGoalId){0});
        }
        const thAgentId agent =
            sketchAgents(world, profile, (thVec2){7.4f, 5.5f}, 1, pointGoal(world, 0.5f, 5.0f));
        stepWorld(world, 4);
        thSketch* sketch = sketchOf(world, agent, allLines);
        const thSketchView view = thSketch_GetView(sketch);
        for (int32_t i = 0; i < view.lineCount; ++i) {
            const thSketchLine* line = &view.lines[i];
            if (line->layer == th_sketchStream)
                assert_true(lengthOf(&view, line) < 2.0 * (double)line->left + 2.0);
        }
        thDestroySketch(sketch);
        thDestroyWorld(world);
    }
}

static thResult runSmall(const thAllocator* allocator, void* context)
{
    (void)context;
    thWorldDef def = thDefaultWorldDef();
    def.allocator = *allocator;
    thWorld* world = NULL;
    TH_TRY(thCreateWorld(&def, &world));
    thFlowDef flow = thDefaultFlowDef();
    flow.cell = 1.0f;
    thProfileDef profileDef = thDefaultProfileDef();
    profileDef.plan = (thMethodUse){"flow", &flow};
    thAgentDef agent = thDefaultAgentDef();
    thAgentId id = {0};
    agent.position = (thVec2){-3.0f, 0.0f};
    thResult code = thCreateProfile(world, &profileDef, &agent.profile, NULL);
    const thVec2 wall[] = {{-8.0f, -5.0f}, {8.0f, -5.0f}, {0.0f, 0.0f}, {0.0f, 5.0f}};
    thObstacleDef obstacle = thDefaultObstacleDef();
    obstacle.kind = th_obstacleWall;
    obstacle.points = wall;
    obstacle.pointCount = 4;
    thObstacleId obstacleId;
    if (code == th_resultOk)
        code = thCreateObstacle(world, &obstacle, &obstacleId);
    if (code == th_resultOk)
        code = thCreatePointGoal(world, (thVec2){3.0f, 1.0f}, &agent.goal);
    if (code == th_resultOk)
        code = thCreateAgent(world, &agent, &id);
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
        cmocka_unit_test(testStreams),
        cmocka_unit_test(testContours),
        cmocka_unit_test(testContoursRoundWall),
        cmocka_unit_test(testParts),
        cmocka_unit_test(testCrowd),
        cmocka_unit_test(testRidges),
        cmocka_unit_test(testMemory),
    };
    return RUN_TESTS(tests, argc, argv);
}
