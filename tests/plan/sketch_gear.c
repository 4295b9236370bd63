// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Lines of sketches measured, and held against paths and walls.

#include "plan/sketch_gear.h"

#define UNITS ((double)THRONG_UNITS_PER_METRE)

thProfileId sketchProfile(thWorld* world, const char* plan, const void* params)
{
    thProfileDef def = thDefaultProfileDef();
    def.plan = (thMethodUse){plan, params};
    def.avoid.name = "none";
    def.radius = 0.25f;
    thProfileId id = {0};
    assert_ok(thCreateProfile(world, &def, &id, NULL));
    return id;
}

thAgentId sketchAgents(thWorld* world, thProfileId profile, thVec2 first, int32_t count,
                       thGoalId goal)
{
    thAgentId result = {0};
    for (int32_t i = 0; i < count; ++i) {
        thAgentDef def = thDefaultAgentDef();
        def.profile = profile;
        def.position = (thVec2){first.x + 0.6f * (float)i, first.y};
        def.goal = goal;
        thAgentId id = {0};
        assert_ok(thCreateAgent(world, &def, &id));
        result = i == 0 ? id : result;
    }
    return result;
}

thSketch* sketchOf(const thWorld* world, thAgentId agent, int32_t most)
{
    thSketch* sketch = NULL;
    assert_ok(thAgent_SketchPlan(world, agent, most, &sketch));
    return sketch;
}

int32_t countLayer(const thSketchView* view, thSketchLayer layer)
{
    int32_t count = 0;
    for (int32_t i = 0; i < view->lineCount; ++i)
        count += view->lines[i].layer == layer;
    return count;
}

static thVec2 metresOf(thSketchPoint point)
{
    return (thVec2){(float)(point.x / UNITS), (float)(point.y / UNITS)};
}

thVec2 firstOf(const thSketchView* view, const thSketchLine* line)
{
    return metresOf(view->points[line->first]);
}

thVec2 lastOf(const thSketchView* view, const thSketchLine* line)
{
    return metresOf(view->points[line->first + line->count - 1]);
}

double lengthOf(const thSketchView* view, const thSketchLine* line)
{
    double length = 0.0;
    for (int32_t i = line->first + 1; i < line->first + line->count; ++i)
        length += hypot(((double)view->points[i].x - view->points[i - 1].x) / UNITS,
                        ((double)view->points[i].y - view->points[i - 1].y) / UNITS);
    return length;
}

typedef struct Place {
    double x, y;
} Place;

static double fromSegment(Place p, Place a, Place b)
{
    const double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
    const double along = square > 0.0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / square : 0.0;
    const double share = fmin(fmax(along, 0.0), 1.0);
    return hypot(p.x - a.x - share * dx, p.y - a.y - share * dy);
}

static double sideOf(Place a, Place b, Place p)
{
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

static double betweenSegments(Place a, Place b, Place c, Place d)
{
    if (sideOf(a, b, c) * sideOf(a, b, d) < 0.0 && sideOf(c, d, a) * sideOf(c, d, b) < 0.0)
        return 0.0;
    return fmin(fmin(fromSegment(a, c, d), fromSegment(b, c, d)),
                fmin(fromSegment(c, a, b), fromSegment(d, a, b)));
}

double clearanceOf(thWorld* world, const thSketchView* view, const thSketchLine* line)
{
    const thFrame frame = frameOf(world);
    const thWalls* walls = frame.walls;
    double least = INFINITY;
    for (int32_t i = line->first; i + 1 < line->first + line->count; ++i) {
        const thSketchPoint p = view->points[i], q = view->points[i + 1];
        for (int32_t w = 0; w < walls->count; ++w) {
            const Place a = {walls->ax[w] / UNITS, walls->ay[w] / UNITS};
            const Place b = {walls->bx[w] / UNITS, walls->by[w] / UNITS};
            if (walls->level[w] == 0)
                least = fmin(least, betweenSegments((Place){p.x / UNITS, p.y / UNITS},
                                                    (Place){q.x / UNITS, q.y / UNITS}, a, b));
        }
    }
    return least;
}

void checkWay(const thWorld* world, thAgentId agent, const thSketchView* view)
{
    thVec2 points[256];
    thPath path;
    assert_ok(thAgent_GetPath(world, agent, points, 256, &path));
    assert_int_equal(view->answer, path.answer);
    assert_true(view->length == path.length);
    assert_true(view->why == path.why);
    assert_int_equal(countLayer(view, th_sketchWay), path.pointCount > 1);
    if (path.pointCount < 2)
        return;
    const thSketchLine* way = &view->lines[view->lineCount - 1];
    assert_int_equal(way->layer, th_sketchWay);
    assert_int_equal(way->count, path.pointCount);
    assert_true(path.pointCount <= 256);
    for (int32_t i = 0; i < way->count; ++i) {
        const thVec2 point = metresOf(view->points[way->first + i]);
        assert_true(point.x == points[i].x && point.y == points[i].y);
    }
}

void checkNothingChanges(thWorld* world, thAgentId agent)
{
    const Bytes before = saveWorld(world);
    const uint64_t hash = thWorld_GetStateHash(world);
    thSketch* first = sketchOf(world, agent, allLines);
    thSketch* second = sketchOf(world, agent, allLines);
    const Bytes after = saveWorld(world);
    assert_true(sameBytes(before, after));
    assert_true(hash == thWorld_GetStateHash(world));
    const thSketchView a = thSketch_GetView(first), b = thSketch_GetView(second);
    assert_int_equal(a.lineCount, b.lineCount);
    assert_int_equal(a.pointCount, b.pointCount);
    if (a.lineCount > 0) {
        assert_memory_equal(a.lines, b.lines, (size_t)a.lineCount * sizeof *a.lines);
        assert_memory_equal(a.points, b.points, (size_t)a.pointCount * sizeof *a.points);
    }
    thDestroySketch(first);
    thDestroySketch(second);
    freeBytes(before);
    freeBytes(after);
}

thResult sketchOnce(thWorld* world, thAgentId agent, thResult code)
{
    thSketch* sketch = NULL;
    if (code == th_resultOk)
        code = thWorld_Step(world, DT);
    if (code == th_resultOk)
        code = thAgent_SketchPlan(world, agent, 1000, &sketch);
    assert_true((sketch != NULL) == (code == th_resultOk));
    thDestroySketch(sketch);
    return code;
}
