// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Paths that `visibility` finds on real maps: exact lengths for points, and agents of a size who
// walk theirs. With THRONG_LONG all of them, otherwise some.

#include "plan/grid_map.h"
#include "plan/lattice_oracle.h"
#include "plan/plan_gear.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct Map {
    const char* folder;
    const char* name;
    int32_t every; // of its lengths in the short test; 0: none
} Map;

static const Map maps[] = {
    {"dao", "arena", 1},           {"dao", "arena2", 0},           {"dao", "den312d", 4},
    {"dao", "den520d", 0},         {"dao", "lak303d", 0},          {"dao", "ost003d", 0},
    {"cities", "Berlin_0_256", 0}, {"cities", "Berlin_1_256", 0},  {"cities", "Boston_0_256", 4},
    {"cities", "Denver_0_256", 0}, {"cities", "London_0_256", 0},  {"cities", "Milan_0_256", 0},
    {"cities", "Moscow_0_256", 0}, {"cities", "NewYork_0_256", 0},
};

static bool isLong(void)
{
    return getenv("THRONG_LONG") != NULL;
}

// A map with an agent for each of some of its lengths.
typedef struct Course {
    thWorld* world;
    GridMap grid;
    ExactLength* lines;
    thAgentId* agents;
    int32_t count;
} Course;

static Course openCourse(const Map* map, int32_t every, float radius, bool waits)
{
    char path[1024];
    Course course = {0};
    thWorldDef world = thDefaultWorldDef();
    world.workerCount = 2;
    world.contacts = 0; // everybody walks as if alone
    assert_ok(thCreateWorld(&world, &course.world));
    snprintf(path, sizeof path, "%smovingai_grid/%s/%s.map", sharedData(), map->folder, map->name);
    assert_true(readGridMap(path, &course.grid));
    addGridMap(course.world, &course.grid);
    snprintf(path, sizeof path, "%sanyangle/derived/%s.csv", sharedData(), map->name);
    int32_t lineCount;
    course.lines = readExactLengths(path, &lineCount);
    assert_non_null(course.lines);
    course.agents = calloc((size_t)lineCount, sizeof *course.agents);
    assert_non_null(course.agents);
    thProfileDef profile = thDefaultProfileDef();
    profile.plan.name = "visibility";
    profile.avoid.name = "none";
    profile.radius = radius;
    profile.arrival = th_arrivalStop;
    profile.arrivalDistance = 0.01f;
    thProfileId id;
    assert_ok(thCreateProfile(course.world, &profile, &id, NULL));
    for (int32_t i = 0; i < lineCount; i += every) {
        const ExactLength line = course.lines[course.count] = course.lines[i];
        thAgentDef agent = thDefaultAgentDef();
        agent.profile = id;
        agent.position = (thVec2){(float)line.startX + 0.5f, (float)line.startY + 0.5f};
        assert_ok(thCreatePointGoal(course.world,
                                    (thVec2){(float)line.goalX + 0.5f, (float)line.goalY + 0.5f},
                                    &agent.goal));
        thAgentId* added = &course.agents[course.count++];
        assert_ok(thCreateAgent(course.world, &agent, added));
        if (waits)
            assert_ok(thAgent_SetWaiting(course.world, *added, 1));
    }
    return course;
}

static void closeCourse(Course* course)
{
    thDestroyWorld(course->world);
    freeGridMap(&course->grid);
    free(course->lines);
    free(course->agents);
}

// Until everybody has an answer.
static void planAll(Course* course)
{
    for (int32_t steps = 0;; ++steps) {
        assert_in_range(steps, 0, 1000);
        assert_ok(thWorld_Step(course->world, DT));
        bool pending = false;
        for (int32_t i = 0; i < course->count; ++i)
            pending = pending ||
                      thAgent_GetInfo(course->world, course->agents[i]).answer == th_planPending;
        if (!pending)
            return;
    }
}

static double pathLength(const Course* course, int32_t i)
{
    thPath path;
    assert_ok(thAgent_GetPath(course->world, course->agents[i], NULL, 0, &path));
    assert_int_equal(path.answer, th_planComplete);
    return path.length;
}

static bool isSame(double a, double b)
{
    return isNear(a, b, 1e-6 * b);
}

// Where the given length is another, it must be one of a path that slips through between two
// blocked cells, which the rules of these lengths forbid; without that ours must be right.
static int32_t checkDifferences(const Course* course, const char* name)
{
    int32_t differences = 0;
    Lattice *strict = NULL, *slipping = NULL;
    for (int32_t i = 0; i < course->count; ++i) {
        const ExactLength* line = &course->lines[i];
        const double length = pathLength(course, i);
        if (isSame(length, line->length))
            continue;
        if (differences++ == 0) {
            strict = makeLattice(&course->grid, false);
            slipping = makeLattice(&course->grid, true);
        }
        const double right =
            latticeLength(strict, line->startX, line->startY, line->goalX, line->goalY);
        const double given =
            latticeLength(slipping, line->startX, line->startY, line->goalX, line->goalY);
        if (!isSame(length, right) || !isSame(line->length, given))
            fail_msg("%s: from cell %d %d to %d %d it is %.9f, expected %.9f or rather %.9f", name,
                     line->startX, line->startY, line->goalX, line->goalY, length, line->length,
                     right);
    }
    if (differences > 0) {
        freeLattice(strict);
        freeLattice(slipping);
    }
    return differences;
}

static void testExactLengths(void** state)
{
    (void)state;
    if (sharedData() == NULL)
        skip();
    int32_t count = 0, differences = 0;
    for (size_t m = 0; m < sizeof maps / sizeof maps[0]; ++m) {
        const int32_t every = isLong() ? 1 : maps[m].every;
        if (every == 0)
            continue;
        Course course = openCourse(&maps[m], every, 0.0f, true);
        planAll(&course);
        count += course.count;
        differences += checkDifferences(&course, maps[m].name);
        closeCourse(&course);
    }
    print_message("%d of %d lengths are those given, %d are of ways that slip through\n",
                  count - differences, count, differences);
}

// Nobody walks much further than its plan, or nearer to walls than its size.
static void testWalks(void** state)
{
    (void)state;
    if (sharedData() == NULL)
        skip();
    for (size_t m = 0; m < sizeof maps / sizeof maps[0]; ++m) {
        if (!isLong() && maps[m].every == 0)
            continue;
        Course course = openCourse(&maps[m], isLong() ? 10 : 40, 0.25f, false);
        double* planned = calloc((size_t)course.count, sizeof *planned);
        double* walked = calloc((size_t)course.count, sizeof *walked);
        planAll(&course);
        bool walking = true;
        for (int32_t i = 0; i < course.count; ++i)
            planned[i] = pathLength(&course, i);
        for (int32_t step = 0; step < 10000 && walking; ++step) {
            walking = false;
            assert_ok(thWorld_Step(course.world, DT));
            for (int32_t i = 0; i < course.count; ++i) {
                const thAgentRow row =
                    thWorld_GetAgentView(course.world).rows[THRONG_SLOT(course.agents[i])];
                walked[i] += (double)DT * hypot(row.velocity.x, row.velocity.y);
                walking = walking || (row.flags & th_agentArrived) == 0;
            }
        }
        assert_false(walking);
        for (int32_t i = 0; i < course.count; ++i)
            if (walked[i] > 1.05 * planned[i])
                fail_msg("%s: line %d walked %f, planned %f", maps[m].name, i, walked[i],
                         planned[i]);
        free(planned);
        free(walked);
        closeCourse(&course);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testExactLengths),
        cmocka_unit_test(testWalks),
    };
    return RUN_TESTS(tests, argc, argv);
}
