// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Real buildings: every planner finds a path between random places of them that keeps clear of the
// walls, and their lengths agree. With THRONG_LONG all buildings, otherwise some.

#include "plan/building.h"
#include "plan/grid_map.h"
#include "plan/plan_gear.h"
#include "plan/route/route_space.h"
#include "throng/flow.h"
#include "throng/roadmap.h"

#include <stdio.h>
#include <stdlib.h>

#define RADIUS 0.1875f // 12/64: a class of radii of its own [m]
// Agents on their way may be nearer to walls than their radius by the slack of plans. [m]
#define LEAST ((double)RADIUS - (double)TH_ROUTE_SLACK - 1e-4)
// What is promised of flow is 2 % beyond 20 cells and 5 % nearer; what is held is what it comes to.
#define BOUND 0.005
#define GOALS 4
#define STARTS 12 // for each goal
#define MOST_POINTS 4096

typedef struct Plan {
    const char* file;
    float cell;   // of flow and of the roadmap [m]
    bool isShort; // one of those in the short test
} Plan;

static const Plan plans[] = {
    {"BUW", 0.125f, true},
    {"Geometrie_verwinkelt_v1", 0.25f, false},
    {"aknz_arrival", 0.25f, false},
    {"arena", 0.0625f, false},
    {"bottleneck", 0.125f, true},
    {"corner_with_shortcut", 0.125f, true},
    {"double_bottleneck", 0.125f, true},
    {"narrow_passage", 0.125f, true},
    {"rectangular_room", 0.125f, true},
    {"room_with_alcoven", 0.125f, true},
    {"rotated_rectangle", 0.125f, true},
    {"triangular_obstacles", 0.125f, true},
};

enum { visibility, roadmap, flow, plannerCount };
static const char* const names[plannerCount] = {"visibility", "roadmap", "flow"};

typedef struct Course {
    Building building;
    thProfileId profiles[plannerCount];
    int32_t asked, unreachable;
    double worstNear, worstFar; // flow against what visibility allows, relative
    double shortest, longest;   // flow and roadmap, of what visibility says
} Course;

static thProfileId addProfile(thWorld* world, const char* planner, const void* params)
{
    thProfileDef def = thDefaultProfileDef();
    def.plan = (thMethodUse){planner, params};
    def.radius = RADIUS;
    thProfileId id;
    assert_ok(thCreateProfile(world, &def, &id, NULL));
    return id;
}

static void openCourse(const char* folder, const Plan* plan, Course* course)
{
    char path[1024];
    *course = (Course){.shortest = 1.0, .longest = 1.0};
    snprintf(path, sizeof path, "%sjupedsim_wkt/%s.wkt", folder, plan->file);
    openBuilding(path, &course->building);
    thWorld* world = course->building.world;
    thRoadmapDef medial = thDefaultRoadmapDef();
    medial.name = "middle";
    medial.kind = th_roadmapMedial;
    medial.side = plan->cell;
    thRoadmapId id;
    assert_ok(thCreateRoadmap(world, &medial, &id));
    thFlowDef fields = thDefaultFlowDef();
    fields.cell = plan->cell;
    fields.cells = 10000000;
    fields.rate = 1000000000;
    course->profiles[visibility] = addProfile(world, names[visibility], NULL);
    course->profiles[roadmap] = addProfile(world, names[roadmap], NULL);
    course->profiles[flow] = addProfile(world, names[flow], &fields);
}

static double fromSegment(thVec2 p, thVec2 a, thVec2 b)
{
    const double dx = (double)b.x - a.x, dy = (double)b.y - a.y;
    const double x = (double)p.x - a.x, y = (double)p.y - a.y;
    const double lengthSq = dx * dx + dy * dy;
    const double share = lengthSq > 0.0 ? fmin(fmax((x * dx + y * dy) / lengthSq, 0.0), 1.0) : 0.0;
    return hypot(x - share * dx, y - share * dy);
}

static double sideOf(thVec2 p, thVec2 a, thVec2 b)
{
    return ((double)b.x - a.x) * ((double)p.y - a.y) - ((double)b.y - a.y) * ((double)p.x - a.x);
}

// Between two segments; 0 if they cross.
static double betweenSegments(thVec2 a, thVec2 b, thVec2 c, thVec2 d)
{
    if (sideOf(a, c, d) * sideOf(b, c, d) < 0.0 && sideOf(c, a, b) * sideOf(d, a, b) < 0.0)
        return 0.0;
    return fmin(fmin(fromSegment(a, c, d), fromSegment(b, c, d)),
                fmin(fromSegment(c, a, b), fromSegment(d, a, b)));
}

// How near a straight line comes to any edge of the building that is its border: edges that two
// polygons share are none.
static double clearanceOf(const Building* building, thVec2 a, thVec2 b)
{
    double least = INFINITY;
    const thFrame frame = frameOf(building->world);
    const thWalls* walls = frame.walls;
    for (int32_t i = 0; i < walls->count; ++i) {
        const thVec2 c = {(float)walls->ax[i] / 65536.0f, (float)walls->ay[i] / 65536.0f};
        const thVec2 d = {(float)walls->bx[i] / 65536.0f, (float)walls->by[i] / 65536.0f};
        least = fmin(least, betweenSegments(a, b, c, d));
    }
    return least;
}

static thVec2 drawPlace(thGenerator* g, const Building* building)
{
    for (;;) {
        const thVec2 place = {drawFloat(g, (float)building->low[0], (float)building->high[0]),
                              drawFloat(g, (float)building->low[1], (float)building->high[1])};
        if (isWalkable(building, (double)place.x, (double)place.y) &&
            clearanceOf(building, place, place) > (double)RADIUS + 0.01)
            return place;
    }
}

// Its legs are within the walkable area and as far from walls as the body is large.
static void checkClear(const Building* building, const char* name, const thVec2* points,
                       int32_t count)
{
    for (int32_t i = 1; i < count; ++i) {
        const thVec2 a = points[i - 1], b = points[i];
        if (clearanceOf(building, a, b) < LEAST)
            fail_msg("%s: from (%g, %g) to (%g, %g) the way comes as near as %g", name, (double)a.x,
                     (double)a.y, (double)b.x, (double)b.y, clearanceOf(building, a, b));
        for (int32_t k = 0; k <= 8; ++k)
            assert_true(isWalkable(building, (double)a.x + ((double)b.x - a.x) * k / 8.0,
                                   (double)a.y + ((double)b.y - a.y) * k / 8.0));
    }
}

// Paths of visibility go round corners in polygons about the arc, which are longer by up to 2 -
// pi/2 radii for each quarter of a turn. Other paths may be shorter by that.
static double shortestOf(const thPath* path)
{
    const int32_t bends = path->pointCount - 2;
    return path->length - 0.43 * (double)RADIUS * bends - 1e-3;
}

static void judge(Course* course, const Plan* plan, const thPath* paths)
{
    const double most = paths[visibility].length, least = shortestOf(&paths[visibility]);
    course->asked += 1;
    if (paths[visibility].answer != th_planComplete) {
        course->unreachable += 1;
        return;
    }
    const double length = paths[flow].length;
    const double error = fmax(fmax(length / most - 1.0, 1.0 - length / least), 0.0);
    if (most > 20.0 * (double)plan->cell)
        course->worstFar = fmax(course->worstFar, error);
    else
        course->worstNear = fmax(course->worstNear, error);
    course->shortest = fmin(course->shortest, length / most);
    course->longest = fmax(course->longest, paths[roadmap].length / most);
    assert_true(paths[roadmap].length >= least);
}

// Agents of all planners, at the same places.
static void askPlaces(Course* course, const Plan* plan, thGenerator* g)
{
    thWorld* world = course->building.world;
    thAgentId ids[STARTS][plannerCount];
    thAgentDef def = thDefaultAgentDef();
    def.flags = th_agentWaiting;
    assert_ok(thCreatePointGoal(world, drawPlace(g, &course->building), &def.goal));
    for (int32_t i = 0; i < STARTS; ++i) {
        def.position = drawPlace(g, &course->building);
        for (int32_t k = 0; k < plannerCount; ++k) {
            def.profile = course->profiles[k];
            assert_ok(thCreateAgent(world, &def, &ids[i][k]));
        }
    }
    for (int32_t i = 0; i < 50; ++i)
        assert_ok(thRun_Step(course->building.run));
    for (int32_t i = 0; i < STARTS; ++i) {
        static thVec2 points[MOST_POINTS];
        thPath paths[plannerCount];
        for (int32_t k = 0; k < plannerCount; ++k) {
            assert_ok(thAgent_GetPath(world, ids[i][k], points, MOST_POINTS, &paths[k]));
            if (paths[k].answer != paths[visibility].answer)
                fail_msg("%s, from (%g, %g): %s says %d (%s), visibility %d", plan->file,
                         (double)thAgent_Get(world, ids[i][k]).position.x,
                         (double)thAgent_Get(world, ids[i][k]).position.y, names[k],
                         paths[k].answer, paths[k].why != NULL ? paths[k].why : "complete",
                         paths[visibility].answer);
            assert_in_range(paths[k].pointCount, 0, MOST_POINTS);
            if (paths[k].answer == th_planComplete)
                checkClear(&course->building, names[k], points, paths[k].pointCount);
        }
        judge(course, plan, paths);
        for (int32_t k = 0; k < plannerCount; ++k)
            assert_ok(thDestroyAgent(world, ids[i][k]));
    }
    assert_ok(thDestroyGoal(world, def.goal));
}

static void testBuildings(void** state)
{
    (void)state;
    const char* folder = sharedData();
    if (folder == NULL)
        skip();
    const bool isLong = getenv("THRONG_LONG") != NULL;
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; ++i) {
        if (!isLong && !plans[i].isShort)
            continue; // the others are large
        Course course;
        thGenerator g = makeGenerator(41, i);
        openCourse(folder, &plans[i], &course);
        for (int32_t k = 0; k < (isLong ? 4 * GOALS : GOALS); ++k)
            askPlaces(&course, &plans[i], &g);
        print_message("%-24s %3d ways, %d without; flow is off by %.2f %% beyond 20 cells, %.2f %% "
                      "nearer, and at least %.3f of visibility; roadmap at most %.2f\n",
                      plans[i].file, course.asked, course.unreachable, 100.0 * course.worstFar,
                      100.0 * course.worstNear, course.shortest, course.longest);
        assert_true(course.worstFar <= BOUND && course.worstNear <= BOUND);
        closeBuilding(&course.building);
    }
}

// A site that is too large for the nodes `flow` has by default: it says what to do, and that helps.
static void testLargeSite(void** state)
{
    (void)state;
    const char* folder = sharedData();
    if (folder == NULL)
        skip();
    Course course;
    thGenerator g = makeGenerator(42, 0);
    openCourse(folder, &(Plan){"Geometrie_verwinkelt_v1", 0.5f, false}, &course);
    thWorld* world = course.building.world;
    thAgentDef def = thDefaultAgentDef();
    thAgentId refused, served;
    assert_ok(thCreatePointGoal(world, drawPlace(&g, &course.building), &def.goal));
    def.position = drawPlace(&g, &course.building);
    def.profile = addProfile(world, names[flow], NULL);
    assert_ok(thCreateAgent(world, &def, &refused));
    def.profile = course.profiles[flow];
    assert_ok(thCreateAgent(world, &def, &served));
    assert_ok(thRun_Step(course.building.run));
    thPath path;
    assert_ok(thAgent_GetPath(world, refused, NULL, 0, &path));
    assert_int_equal(path.answer, th_planNone);
    assert_non_null(strstr(path.why, "'cells'"));
    assert_non_null(strstr(path.why, "a larger 'cell'"));
    assert_ok(thAgent_GetPath(world, served, NULL, 0, &path));
    assert_int_equal(path.answer, th_planComplete);
    closeBuilding(&course.building);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testBuildings),
        cmocka_unit_test(testLargeSite),
    };
    return RUN_TESTS(tests, argc, argv);
}
