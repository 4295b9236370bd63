// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Copies of walls and places, against the same said one by one, and against libm's sines.

#include "gear/property.h"
#include "scene/run/scene_run.h"
#include "scene/run_gear.h"

#include <math.h>

#define PI 3.14159265358979323846

// Where a place is in a copy, said with angles.
static thCoord inCopyByAngles(const thSceneRepeat* repeat, int32_t number, thCoord place)
{
    const int32_t column = number % repeat->columns;
    const int32_t row = number / repeat->columns % repeat->rows;
    const int32_t turn = number / (repeat->columns * repeat->rows);
    const double x = place.x + column * repeat->step[0], y = place.y + row * repeat->step[1];
    if (turn == 0)
        return (thCoord){x, y};
    const double dx = x - repeat->around.x, dy = y - repeat->around.y;
    const double angle = atan2(dy, dx) + 2.0 * PI * turn / repeat->count, far = hypot(dx, dy);
    return (thCoord){repeat->around.x + far * cos(angle), repeat->around.y + far * sin(angle)};
}

static thCoord drawCoord(thGenerator* g, float most)
{
    const float x = drawFloat(g, -most, most), y = drawFloat(g, -most, most);
    return (thCoord){(double)x, (double)y};
}

static bool copiesAgree(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    const thCoord step = drawCoord(g, 50.0f), place = drawCoord(g, 100.0f);
    const thSceneRepeat repeat = {.columns = drawInt(g, 1, 1 + size / 10),
                                  .rows = drawInt(g, 1, 1 + size / 10),
                                  .step = {step.x, step.y},
                                  .around = drawCoord(g, 200.0f),
                                  .count = drawInt(g, 1, 1 + size)};
    bool agree = thiCopyCount(&repeat) == repeat.columns * repeat.rows * repeat.count;
    for (int32_t i = 0; i < thiCopyCount(&repeat); ++i) {
        const thCopy copy = thiCopyOf(&repeat, i);
        const thCoord is = thiInCopy(&copy, place), expected = inCopyByAngles(&repeat, i, place);
        agree = agree && fabs(is.x - expected.x) < 1e-4 && fabs(is.y - expected.y) < 1e-4;
    }
    return agree;
}

static void testCopies(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"copies", 5, 300, 80, copiesAgree, NULL});
}

// What is turned by quarters stays in line with the axes, to the last bit.
static void testQuarters(void** state)
{
    (void)state;
    const thSceneRepeat repeat = {.columns = 1, .rows = 1, .around = {10.0, 20.0}, .count = 8};
    const thCoord expected[] = {{13.5, 21.25}, {8.75, 23.5}, {6.5, 18.75}, {11.25, 16.5}};
    for (int32_t i = 0; i < 4; ++i) {
        const thCopy copy = thiCopyOf(&repeat, 2 * i);
        const thCoord is = thiInCopy(&copy, (thCoord){13.5, 21.25});
        assert_true(is.x == expected[i].x && is.y == expected[i].y);
    }
}

// Walls round a centre stand where they are said one by one.
static void testWalls(void** state)
{
    (void)state;
    Stage round = mustOpen("\"origin\": [1000, 0], \"walls\": [{\"box\": [[1010, -1], [1012, 3]], "
                           "\"repeat\": {\"columns\": 2, \"step\": [5, 0], \"around\": [1000, 0], "
                           "\"count\": 4}}]",
                           NULL);
    Stage listed =
        mustOpen("\"walls\": [{\"box\": [[10, -1], [12, 3]]}, {\"box\": [[15, -1], [17, 3]]}, "
                 "{\"box\": [[-3, 10], [1, 12]]}, {\"box\": [[-3, 15], [1, 17]]}, "
                 "{\"box\": [[-12, -3], [-10, 1]]}, {\"box\": [[-17, -3], [-15, 1]]}, "
                 "{\"box\": [[-1, -12], [3, -10]]}, {\"box\": [[-1, -17], [3, -15]]}]",
                 NULL);
    assert_int_equal(thWorld_GetCounters(round.world).obstacles, 8);
    for (int32_t x = -40; x <= 40; ++x)
        for (int32_t y = -40; y <= 40; ++y) {
            const thVec2 at = {0.5f * (float)x, 0.5f * (float)y};
            assert_int_equal(thWorld_IsFree(round.world, at, 0.1f, 0),
                             thWorld_IsFree(listed.world, at, 0.1f, 0));
        }
    closeStage(&round);
    closeStage(&listed);
}

static void assertAt(const Stage* stage, uint64_t key, double x, double y)
{
    const thVec2 at = rowOfKey(stage, key).position;
    assert_near(at.x, x, 1e-4);
    assert_near(at.y, y, 1e-4);
}

// Copies of agents follow each other in keys; each has its own middle to be across of.
static void testAgents(void** state)
{
    (void)state;
    Stage stage = mustOpen(
        "\"origin\": [100, 0], \"agents\": ["
        "{\"at\": [[101, 0], [102, 0]], \"repeat\": {\"around\": [100, 0], \"count\": 3}}, "
        "{\"grid\": {\"from\": [110, 0], \"columns\": 3, \"rows\": 1, \"spacing\": 1}, "
        "\"repeat\": {\"rows\": 2, \"step\": [0, 4]}, \"goal\": \"opposite\"}, "
        "{\"circle\": {\"center\": [150, 0], \"radius\": 5, \"count\": 4}, "
        "\"repeat\": {\"columns\": 2, \"step\": [20, 0]}, \"goal\": \"opposite\"}]",
        NULL);
    assert_int_equal(countAgents(&stage), 6 + 6 + 8);
    assert_int_equal(thScene_GetInfo(stage.scene).agents, 6 + 6 + 8);
    for (int32_t i = 0; i < 6; ++i) {
        const double angle = 2.0 * PI / 3.0 * (i / 2), far = 1.0 + i % 2;
        assertAt(&stage, 1 + (uint64_t)i, far * cos(angle), far * sin(angle));
        assert_int_equal(thRun_GetEntry(stage.run, agentOfKey(&stage, 1 + (uint64_t)i)), 0);
    }
    for (int32_t i = 0; i < 6; ++i)
        assertAt(&stage, 7 + (uint64_t)i, 10.0 + i % 3, 4.0 * (i / 3));
    assertAt(&stage, 13, 55.0, 0.0);
    assertAt(&stage, 20, 70.0, -5.0);
    stepTimes(&stage, 200);
    for (int32_t i = 0; i < 6; ++i) // across the middle of their own row
        assert_near(rowOfKey(&stage, 7 + (uint64_t)i).position.y, 4.0 * (i / 3), 1.0);
    assert_near(rowOfKey(&stage, 7).position.x, 12.0, 0.5);
    assert_near(rowOfKey(&stage, 17).position.x, 65.0, 0.5);
    closeStage(&stage);
}

// A copy's region is where it is turned to, and each holds as many.
static void testRegions(void** state)
{
    (void)state;
    Stage stage =
        mustOpen("\"agents\": [{\"in\": {\"box\": [[20, -1], [30, 1]]}, \"count\": 7, \"repeat\": "
                 "{\"columns\": 2, \"step\": [20, 0], \"around\": [0, 0], \"count\": 5}}]",
                 NULL);
    assert_int_equal(countAgents(&stage), 70);
    for (int32_t i = 0; i < 70; ++i) {
        const thVec2 at = rowOfKey(&stage, 1 + (uint64_t)i).position;
        const double angle = -2.0 * PI / 5.0 * (i / 14), shift = i / 7 % 2 * 20.0;
        const double x = (double)at.x * cos(angle) - (double)at.y * sin(angle) - shift;
        const double y = (double)at.x * sin(angle) + (double)at.y * cos(angle);
        assert_true(x > 20.0 - 1e-3 && x < 30.0 + 1e-3 && fabs(y) < 1.0 + 1e-3);
    }
    closeStage(&stage);
}

// Each copy of a source is one of its own.
static void testSources(void** state)
{
    (void)state;
    Stage stage =
        mustOpen("\"agents\": [{\"source\": {\"in\": {\"box\": [[10, -1], [14, 1]]}, \"rate\": 1, "
                 "\"count\": 3}, \"repeat\": {\"around\": [0, 0], \"count\": 4}}]",
                 NULL);
    assert_int_equal(thScene_GetInfo(stage.scene).comingAgents, 12);
    for (int32_t second = 1; second <= 5; ++second) {
        stepTimes(&stage, 10);
        const int32_t each = second < 3 ? second : 3;
        assert_int_equal(countAgents(&stage), 4 * each);
        const thVec2 middles[] = {{12.0f, 0.0f}, {0.0f, 12.0f}, {-12.0f, 0.0f}, {0.0f, -12.0f}};
        for (int32_t i = 0; i < 4; ++i)
            assert_int_equal(thWorld_AgentsInDisc(stage.world, middles[i], 2.5f,
                                                  (thQueryFilter){0, UINT32_MAX}, NULL, 0),
                             each);
    }
    closeStage(&stage);
}

static void assertAtGate(const Stage* stage, uint64_t key, thVec2 corner)
{
    const thVec2 at = rowOfKey(stage, key).position;
    assert_near(at.x, corner.x, 0.6);
    assert_near(at.y, corner.y, 0.6);
}

// A goal that is repeated is the nearest of its copies, also in a list.
static void testGoals(void** state)
{
    (void)state;
    Stage stage = mustOpen(
        "\"goals\": {\"gate\": {\"box\": [[10, -1], [12, 1]], \"repeat\": {\"around\": [0, 0], "
        "\"count\": 4}}, \"middle\": {\"point\": [0, 0]}, \"round\": {\"list\": [\"middle\", "
        "\"gate\"]}}, \"agents\": [{\"at\": [5, 1], \"repeat\": {\"around\": [0, 0], \"count\": "
        "4}, "
        "\"goal\": \"gate\"}, {\"at\": [-1, 3], \"goal\": \"round\"}]",
        NULL);
    stepTimes(&stage, 250);
    assertAtGate(&stage, 1, (thVec2){10.0f, 1.0f});
    assertAtGate(&stage, 2, (thVec2){-1.0f, 10.0f});
    assertAtGate(&stage, 3, (thVec2){-10.0f, -1.0f});
    assertAtGate(&stage, 4, (thVec2){1.0f, -10.0f});
    const thVec2 at = rowOfKey(&stage, 5).position;
    assert_near(fmax(fabs((double)at.x), fabs((double)at.y)), 10.0, 0.5);
    closeStage(&stage);
}

// A place of many copies is told where it stands in the file, and not for each of them.
static void testErrors(void** state)
{
    (void)state;
    const char* const blocked[] = {
        "agents[0].at[1]: agent 3, of radius 0.25 m, at (-5, 0) stands in a wall"};
    assertRefused("\"walls\": [{\"polyline\": [[-5, -1], [-5, 1]]}], \"agents\": [{\"at\": [[3, "
                  "0], [5, 0]], \"repeat\": {\"around\": [0, 0], \"count\": 2}}]",
                  blocked, 1);
    const char* const full[] = {"agents[0].in: there is no free ground in the region"};
    assertRefused(
        "\"walls\": [{\"box\": [[-9, -9], [9, 9]]}], \"agents\": [{\"in\": {\"box\": "
        "[[0, 0], [3, 3]]}, \"count\": 5, \"repeat\": {\"around\": [0, 0], \"count\": 9}}]",
        full, 1);
    const char* const walled[] = {
        "agents[0]: the source has no place off the walls for agents of radius 0.25 m"};
    assertRefused("\"walls\": [{\"box\": [[-9, -9], [9, 9]]}], \"agents\": [{\"source\": {\"in\": "
                  "{\"box\": [[0, 0], [3, 3]]}, \"rate\": 5}, \"repeat\": {\"around\": [0, 0], "
                  "\"count\": 9}}]",
                  walled, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testCopies), cmocka_unit_test(testQuarters), cmocka_unit_test(testWalls),
        cmocka_unit_test(testAgents), cmocka_unit_test(testRegions),  cmocka_unit_test(testSources),
        cmocka_unit_test(testGoals),  cmocka_unit_test(testErrors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
