// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Shortest paths over the cells of real maps, as agents are told them: the octile optimum of every
// scenario. And agents of a quarter of a cell in radius who walk every tenth. A few scenarios of
// each small map, or with THRONG_LONG all of all maps.

#include "plan/grid_map.h"
#include "plan/plan_gear.h"
#include "throng/roadmap.h"

#include <stdio.h>
#include <stdlib.h>

#define AT_ONCE 200       // agents
#define MOST_POINTS 20000 // of a path
#define MOST_STEPS 100000

static const char* const smallMaps[] = {"dao/arena",           "dao/den312d",         "dao/lak303d",
                                        "cities/Berlin_0_256", "cities/Boston_0_256", NULL};

static const char* const allMaps[] = {
    "dao/arena",           "dao/arena2",           "dao/den312d",           "dao/den520d",
    "dao/lak303d",         "dao/ost003d",          "cities/Berlin_0_256",   "cities/Berlin_1_256",
    "cities/Boston_0_256", "cities/Denver_0_256",  "cities/London_0_256",   "cities/Milan_0_256",
    "cities/Moscow_0_256", "cities/NewYork_0_256", "cities/Berlin_1_512",   "cities/Berlin_0_1024",
    "rooms/16room_000",    "mazes/maze512-32-0",   "random/random512-10-0", NULL};

typedef struct Scenario {
    int32_t startX, startY, goalX, goalY;
    double optimum;
    double tolerance; // of the digits that the file gives
} Scenario;

// A unit of the last digit that a number is written with.
static double lastDigit(const char* number)
{
    const char* dot = strchr(number, '.');
    return dot != NULL ? pow(10.0, -(double)strlen(dot + 1)) : 1.0;
}

static Scenario* readScenarios(const char* path, int32_t* count)
{
    FILE* file = fopen(path, "r");
    assert_non_null(file);
    Scenario* scenarios = NULL;
    char line[1024];
    int32_t room = 0;
    for (*count = 0; fgets(line, sizeof line, file) != NULL;) {
        Scenario read;
        char optimum[64];
        if (sscanf(line, "%*d %*s %*d %*d %d %d %d %d %63s", &read.startX, &read.startY,
                   &read.goalX, &read.goalY, optimum) != 5)
            continue; // the heading
        if (*count == room) {
            room = 2 * room + 64;
            scenarios = realloc(scenarios, (size_t)room * sizeof *scenarios);
            assert_non_null(scenarios);
        }
        read.optimum = atof(optimum);
        read.tolerance = lastDigit(optimum);
        scenarios[(*count)++] = read;
    }
    fclose(file);
    return scenarios;
}

static thVec2 centreOf(int32_t x, int32_t y)
{
    return (thVec2){(float)x + 0.5f, (float)y + 0.5f};
}

static thWorld* createMapWorld(const GridMap* map, thProfileId* profile)
{
    thWorldDef worldDef = thDefaultWorldDef();
    worldDef.contacts = 0;
    worldDef.workerCount = 2;
    thWorld* world = NULL;
    assert_ok(thCreateWorld(&worldDef, &world));
    addGridMap(world, map);
    thRoadmapDef def = thDefaultRoadmapDef();
    def.name = "cells";
    def.kind = th_roadmapGrid;
    def.high = (thVec2){(float)map->width, (float)map->height};
    thRoadmapId id;
    assert_ok(thCreateRoadmap(world, &def, &id));
    thProfileDef profileDef = thDefaultProfileDef();
    profileDef.plan.name = "roadmap";
    profileDef.radius = 0.25f; // of a cell
    profileDef.arrivalDistance = 0.01f;
    assert_ok(thCreateProfile(world, &profileDef, profile, NULL));
    return world;
}

static bool isFree(const GridMap* map, int32_t x, int32_t y)
{
    return x >= 0 && y >= 0 && x < map->width && y < map->height && map->cells[y * map->width + x];
}

// Goes along the told points, cell by cell: each move is allowed, and the length is a whole number
// of straight moves and one of diagonal ones.
static double octileLength(const GridMap* map, const thVec2* points, int32_t count)
{
    int32_t straight = 0, diagonal = 0;
    for (int32_t i = 0; i < count; ++i) {
        const int32_t x = (int32_t)floorf(points[i].x), y = (int32_t)floorf(points[i].y);
        assert_true(points[i].x == (float)x + 0.5f && points[i].y == (float)y + 0.5f);
        assert_true(isFree(map, x, y));
        if (i == 0)
            continue;
        const int32_t fromX = (int32_t)floorf(points[i - 1].x);
        const int32_t fromY = (int32_t)floorf(points[i - 1].y);
        const int32_t dx = abs(x - fromX), dy = abs(y - fromY);
        assert_true(dx <= 1 && dy <= 1);
        straight += dx + dy == 1;
        diagonal += dx + dy == 2;
        if (dx + dy == 2)
            assert_true(isFree(map, x, fromY) && isFree(map, fromX, y));
    }
    return straight + diagonal * sqrt(2.0);
}

typedef struct Traveller {
    const Scenario* scenario;
    thAgentId agent;
    thGoalId goal;
    bool told;
} Traveller;

static void openTraveller(thWorld* world, thProfileId profile, Traveller* traveller)
{
    const Scenario* scenario = traveller->scenario;
    assert_ok(
        thCreatePointGoal(world, centreOf(scenario->goalX, scenario->goalY), &traveller->goal));
    thAgentDef def = thDefaultAgentDef();
    def.profile = profile;
    def.position = centreOf(scenario->startX, scenario->startY);
    def.goal = traveller->goal;
    def.flags = th_agentWaiting;
    assert_ok(thCreateAgent(world, &def, &traveller->agent));
    traveller->told = false;
}

// Whether the path is known now; if so it must be the shortest.
static bool hearTraveller(const thWorld* world, const GridMap* map, const Traveller* traveller)
{
    static thVec2 points[MOST_POINTS];
    thPath path;
    if (thAgent_GetInfo(world, traveller->agent).answer == th_planPending)
        return false;
    assert_ok(thAgent_GetPath(world, traveller->agent, points, MOST_POINTS, &path));
    assert_int_equal(path.answer, th_planComplete);
    assert_in_range(path.pointCount, 2, MOST_POINTS);
    const Scenario* scenario = traveller->scenario;
    const thVec2 start = centreOf(scenario->startX, scenario->startY);
    const thVec2 goal = centreOf(scenario->goalX, scenario->goalY);
    const thVec2 last = points[path.pointCount - 1];
    assert_true(points[0].x == start.x && points[0].y == start.y);
    assert_true(last.x == goal.x && last.y == goal.y);
    const double length = octileLength(map, points, path.pointCount);
    assert_true(fabs(path.length - length) <= 1e-12 * length);
    // Files of six digits round up or down.
    const double tolerance = fmax(scenario->tolerance, 1e-6 * length);
    if (fabs(length - scenario->optimum) > tolerance)
        fail_msg("from (%d, %d) to (%d, %d): %.9f instead of %.9f", scenario->startX,
                 scenario->startY, scenario->goalX, scenario->goalY, length, scenario->optimum);
    return true;
}

static void hearAll(thWorld* world, const GridMap* map, Traveller* travellers, int32_t count)
{
    int32_t heardOf = 0;
    for (int32_t step = 0; step < MOST_STEPS && heardOf < count; ++step) {
        assert_ok(thWorld_Step(world, 0.1f));
        for (int32_t i = 0; i < count; ++i)
            if (!travellers[i].told && hearTraveller(world, map, &travellers[i])) {
                travellers[i].told = true;
                heardOf += 1;
            }
    }
    assert_int_equal(heardOf, count);
}

typedef struct Course {
    GridMap map;
    Scenario* scenarios;
    int32_t count;
    thWorld* world;
    thProfileId profile;
    double longestTrack; // of the plan
} Course;

static void openCourse(const char* folder, const char* name, Course* course)
{
    char path[512];
    *course = (Course){0};
    snprintf(path, sizeof path, "%smovingai_grid/%s.map", folder, name);
    assert_true(readGridMap(path, &course->map));
    snprintf(path, sizeof path, "%smovingai_grid/%s.map.scen", folder, name);
    course->scenarios = readScenarios(path, &course->count);
    assert_true(course->count > 0);
    course->world = createMapWorld(&course->map, &course->profile);
}

static void closeCourse(Course* course)
{
    thDestroyWorld(course->world);
    free(course->scenarios);
    freeGridMap(&course->map);
}

// What becomes of travellers whose path is known.
typedef void TravelFcn(Course* course, Traveller* travellers, int32_t count);

// Asks for the path of every so many scenarios, many at once; returns how many there were.
static int32_t checkScenarios(Course* course, int32_t stride, TravelFcn* travel)
{
    Traveller travellers[AT_ONCE];
    int32_t open = 0, checked = 0;
    for (int32_t i = 0; i < course->count; i += stride) {
        travellers[open].scenario = &course->scenarios[i];
        openTraveller(course->world, course->profile, &travellers[open++]);
        if (open < AT_ONCE && i + stride < course->count)
            continue;
        hearAll(course->world, &course->map, travellers, open);
        if (travel != NULL)
            travel(course, travellers, open);
        checked += open;
        for (int32_t k = 0; k < open; ++k) {
            assert_ok(thDestroyAgent(course->world, travellers[k].agent));
            assert_ok(thDestroyGoal(course->world, travellers[k].goal));
        }
        open = 0;
    }
    return checked;
}

// Everybody walks, and not much further than its path is long.
static void walkAll(Course* course, Traveller* travellers, int32_t count)
{
    double walked[AT_ONCE] = {0.0};
    thVec2 at[AT_ONCE];
    for (int32_t i = 0; i < count; ++i) {
        at[i] = thAgent_Get(course->world, travellers[i].agent).position;
        assert_ok(thAgent_SetWaiting(course->world, travellers[i].agent, 0));
    }
    int32_t arrived = 0;
    for (int32_t step = 0; step < MOST_STEPS && arrived < count; ++step) {
        assert_ok(thWorld_Step(course->world, 0.1f));
        arrived = 0;
        for (int32_t i = 0; i < count; ++i) {
            const thAgentRow row = thAgent_Get(course->world, travellers[i].agent);
            walked[i] += hypot((double)row.position.x - at[i].x, (double)row.position.y - at[i].y);
            at[i] = row.position;
            arrived += (row.flags & th_agentArrived) != 0;
        }
    }
    assert_int_equal(arrived, count);
    for (int32_t i = 0; i < count; ++i)
        if (travellers[i].scenario->optimum > 0.0)
            course->longestTrack =
                fmax(course->longestTrack, walked[i] / travellers[i].scenario->optimum);
}

static bool isLong(void)
{
    return getenv("THRONG_LONG") != NULL;
}

static void testOctileOptimum(void** state)
{
    (void)state;
    const char* folder = sharedData();
    if (folder == NULL)
        skip();
    for (const char* const* name = isLong() ? allMaps : smallMaps; *name != NULL; ++name) {
        Course course;
        openCourse(folder, *name, &course);
        const int32_t checked = checkScenarios(&course, isLong() ? 1 : 37, NULL);
        print_message("%s: %d of %d scenarios\n", *name, (int)checked, (int)course.count);
        closeCourse(&course);
    }
}

static void testTracks(void** state)
{
    (void)state;
    const char* folder = sharedData();
    if (folder == NULL)
        skip();
    for (const char* const* name = isLong() ? allMaps : smallMaps; *name != NULL; ++name) {
        Course course;
        openCourse(folder, *name, &course);
        const int32_t walked = checkScenarios(&course, isLong() ? 10 : 90, walkAll);
        print_message("%s: %d walked, at most %.4f of the plan\n", *name, (int)walked,
                      course.longestTrack);
        assert_true(course.longestTrack <= 1.05);
        closeCourse(&course);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testOctileOptimum),
        cmocka_unit_test(testTracks),
    };
    return RUN_TESTS(tests, argc, argv);
}
