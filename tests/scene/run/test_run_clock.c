// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What happens by the clock: doors, delays and sources, to the step; and when a run is over.

#include "gear/property.h"
#include "scene/run/scene_run.h"
#include "scene/run_gear.h"

#include <stdio.h>

#define NO_END "\"time\": {\"step\": 0.1, \"end\": {\"arrived\": false, \"at\": 1000}}, "

// A time is met by its step, however it is rounded.
static void testSteps(void** state)
{
    (void)state;
    static const double lengths[] = {0.1, 0.05, 0.01, 0.025, 1.0 / 3.0, 1.0, 0.3, 0.07};
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; ++k) {
        const thScene scene = {.step = lengths[k]};
        const thRun run = {.scene = &scene};
        for (uint64_t i = 0; i < 100000; i += 1 + i / 50) {
            char text[64];
            double time;
            snprintf(text, sizeof text, "%.12g", (double)i * lengths[k]);
            sscanf(text, "%lf", &time); // as a scene would say it
            assert_int_equal(thiStepOfTime(&run, time), i);
            assert_int_equal(thiStepOfTime(&run, time + 0.01 * lengths[k]), i + 1);
        }
        assert_int_equal(thiStepOfTime(&run, -1.0), 0);
        assert_true(thiStepOfTime(&run, INFINITY) == UINT64_MAX);
    }
}

static int32_t countObstacles(const Stage* stage)
{
    return thWorld_GetCounters(stage->world).obstacles;
}

static void testDoorTimes(void** state)
{
    (void)state;
    // Shut until 1 s, and from 2 s to 3.5 s.
    Stage stage = mustOpen(NO_END "\"doors\": [{\"segment\": [[0, 0], [2, 0]], \"open\": [[1, 2], "
                                  "[3.5, 9]]}, {\"segment\": [[0, 9], [2, 9]]}]",
                           NULL);
    for (int32_t step = 0; step < 120; ++step) {
        stepTimes(&stage, 1);
        const bool open = (step >= 10 && step < 20) || (step >= 35 && step < 90);
        assert_int_equal(countObstacles(&stage), open ? 1 : 2);
    }
    closeStage(&stage);
}

// Nobody passes a shut door, and everybody does when it opens.
static void testDoorHolds(void** state)
{
    (void)state;
    Stage stage = mustOpen(
        NO_END
        "\"walls\": [{\"polyline\": [[0, -50], [0, -1]]}, {\"polyline\": [[0, 1], [0, 50]]}], "
        "\"doors\": [{\"segment\": [[0, -1], [0, 1]], \"open\": [[10, 1000]]}], "
        "\"agents\": [{\"at\": [[-3, 0], [-4, 0], [-5, 0]], \"goal\": {\"point\": [9, 0]}, "
        "\"arrive\": \"leave\"}]",
        NULL);
    stepTimes(&stage, 100);
    for (uint64_t key = 1; key <= 3; ++key)
        assert_true(rowOfKey(&stage, key).position.x < -0.249f);
    stepTimes(&stage, 200);
    assert_int_equal(countAgents(&stage), 0);
    closeStage(&stage);
}

// A door waits for whoever stands in it, to the last millimetre.
static void testDoorWaits(void** state)
{
    (void)state;
    Stage stage =
        mustOpen(NO_END "\"doors\": [{\"segment\": [[0, -1], [0, 1]], \"open\": [[0, 1]]}], "
                        "\"agents\": [{\"at\": [0.2, 0], \"layers\": 0}, {\"at\": [0, 0.5], "
                        "\"level\": 1}]",
                 NULL);
    const thAgentId agent = agentOfKey(&stage, 1);
    stepTimes(&stage, 30);
    assert_int_equal(countObstacles(&stage), 0);
    assert_ok(thWorld_SetKinematics(stage.world, &agent, &(thVec2){0.25f, 0.0f}, NULL, 1));
    stepTimes(&stage, 1);
    assert_int_equal(countObstacles(&stage), 0);
    assert_ok(thWorld_SetKinematics(stage.world, &agent, &(thVec2){0.251f, 0.0f}, NULL, 1));
    stepTimes(&stage, 1);
    assert_int_equal(countObstacles(&stage), 1); // who is on another floor does not count
    assert_ok(thDestroyAgent(stage.world, agent));
    stepTimes(&stage, 1);
    assert_int_equal(countObstacles(&stage), 1);
    closeStage(&stage);
}

// Eighty people press through a door that shuts while they do.
#define PRESS(shut)                                                                                \
    "\"time\": {\"step\": 0.1, \"end\": {\"at\": 60}}, "                                           \
    "\"walls\": [{\"polyline\": [[0, -10], [0, -1.5]]}, {\"polyline\": [[0, 1.5], [0, 10]]}], "    \
    "\"doors\": [{\"segment\": [[0, -1.5], [0, 1.5]], \"open\": [[0, 6], [40, 50]], "              \
    "\"shut\": \"" shut "\", \"name\": \"gate\"}], "                                               \
    "\"goals\": {\"out\": {\"point\": [12, 0]}}, "                                                 \
    "\"profiles\": {\"p\": {\"plan\": \"visibility\"}}, "                                          \
    "\"agents\": [{\"in\": {\"box\": [[-12, -5], [-2, 5]]}, \"count\": 80, \"goal\": \"out\"}]"

// Steps once; how many came from one side of x = 0 to the other.
static int32_t countCrossings(const Stage* stage)
{
    bool wasBeyond[80];
    int32_t count = 0;
    for (uint64_t key = 1; key <= 80; ++key)
        wasBeyond[key - 1] = rowOfKey(stage, key).position.x < 0.0f;
    stepTimes(stage, 1);
    for (uint64_t key = 1; key <= 80; ++key)
        count += (rowOfKey(stage, key).position.x < 0.0f) != wasBeyond[key - 1];
    return count;
}

// A door that is late says when it shut and how many went through, also after a restore.
static void testDoorsTellLateness(void** state)
{
    (void)state;
    Stage stage = mustOpen(PRESS("when free"), NULL), other = mustOpen(PRESS("when free"), NULL);
    thDoorClosing closings[2];
    stepTimes(&stage, 60);
    assert_int_equal(thRun_GetClosings(stage.run, closings, 2), 0); // it is not due yet
    int32_t late = 0, steps = 0;
    do {
        late += countCrossings(&stage);
        steps += 1;
        if (steps == 3) {
            static char bytes[1 << 20];
            size_t size;
            assert_ok(thRun_Save(stage.run, bytes, sizeof bytes, &size));
            assert_ok(thRun_Restore(other.run, bytes, size, NULL));
        }
        assert_int_equal(thRun_GetClosings(stage.run, closings, 2), 1);
    } while (closings[0].shut < 0.0);
    assert_true(steps > 4 && late > 0);
    assert_true(closings[0].due == 6.0 && closings[0].door == 0);
    assert_string_equal(closings[0].name, "gate");
    assert_near(closings[0].shut, 6.0 + 0.1 * (steps - 1), 1e-9);
    assert_int_equal(closings[0].late, late);
    stepTimes(&other, steps - 3);
    thDoorClosing same;
    assert_int_equal(thRun_GetClosings(other.run, &same, 1), 1);
    assert_true(same.shut == closings[0].shut && same.late == closings[0].late);
    stepTimes(&stage, 500 - steps);
    assert_int_equal(thRun_GetClosings(stage.run, closings, 2), 2);
    assert_true(closings[0].late == late && closings[1].due == 50.0);
    closeStage(&stage);
    closeStage(&other);
}

// A door that shuts at once is on time, and everybody is on the side where he was for the most
// part.
static void testDoorsPush(void** state)
{
    (void)state;
    Stage stage = mustOpen(PRESS("at once"), NULL);
    bool wasBeyond[80];
    int32_t inIt = 0;
    stepTimes(&stage, 60);
    for (uint64_t key = 1; key <= 80; ++key) {
        const thVec2 at = rowOfKey(&stage, key).position;
        const float beside = fmaxf(fabsf(at.y) - 1.5f, 0.0f);
        wasBeyond[key - 1] = at.x < 0.0f;
        inIt += hypotf(at.x, beside) <= 0.25f;
    }
    assert_true(inIt > 0);
    stepTimes(&stage, 1);
    thDoorClosing closing;
    assert_int_equal(thRun_GetClosings(stage.run, &closing, 1), 1);
    assert_true(closing.due == 6.0 && closing.shut == 6.0 && closing.late == 0);
    assert_int_equal(closing.pushed, inIt);
    for (int32_t i = 0; i < 30; ++i) {
        for (uint64_t key = 1; key <= 80; ++key) {
            const thVec2 at = rowOfKey(&stage, key).position;
            assert_int_equal(at.x < 0.0f, wasBeyond[key - 1]);
            assert_true(hypotf(at.x, fmaxf(fabsf(at.y) - 1.5f, 0.0f)) > 0.249f);
        }
        stepTimes(&stage, 1);
    }
    closeStage(&stage);
}

static void testDelays(void** state)
{
    (void)state;
    Stage stage =
        mustOpen(NO_END "\"agents\": [{\"at\": [0, 0], \"goal\": {\"point\": [9, 0]}, "
                        "\"delay\": 1.5}, {\"at\": [0, 2], \"goal\": {\"point\": [9, 2]}}, "
                        "{\"grid\": {\"from\": [0, 9], \"columns\": 20, \"rows\": 1, "
                        "\"spacing\": 2}, \"goal\": {\"offset\": [0, 9]}, \"delay\": "
                        "{\"uniform\": [1, 3]}}]",
                 NULL);
    int32_t released[60] = {0};
    for (int32_t step = 0; step < 60; ++step) {
        assert_true(((rowOfKey(&stage, 1).flags & th_agentWaiting) != 0) == (step <= 15));
        if (step <= 15)
            assert_true(rowOfKey(&stage, 1).position.x == 0.0f);
        assert_int_equal(rowOfKey(&stage, 2).flags & th_agentWaiting, 0);
        for (uint64_t key = 3; key <= 22; ++key)
            released[step] += (rowOfKey(&stage, key).flags & th_agentWaiting) == 0;
        stepTimes(&stage, 1);
    }
    assert_int_equal(released[10], 0);
    assert_true(released[20] > 3 && released[20] < 17);
    assert_int_equal(released[31], 20);
    closeStage(&stage);
}

// Sources.

// How many of a source there are after so many steps.
static int32_t dueAfter(int32_t steps, double begin, double rate, int32_t total)
{
    int32_t due = 0;
    while (due < total && begin + due / rate <= (steps - 1) * 0.1 + 1e-9)
        due += 1;
    return due;
}

// They are where they should be as soon as it is time, and walk from the next step on.
static void testAppearance(void** state)
{
    (void)state;
    Stage stage = mustOpen(
        NO_END
        "\"agents\": [{\"at\": [[0, 0], [0, 5]], \"appear\": 1.25, \"goal\": {\"offset\": [50, "
        "0]}, \"repeat\": {\"columns\": 2, \"step\": [1, 0]}, \"id\": 30}, {\"at\": [0, 9], "
        "\"appear\": 0, \"id\": 7}, {\"at\": [0, 12]}]",
        NULL);
    const uint64_t first = TH_FIRST_SOURCE_KEY;
    const thSceneInfo info = thScene_GetInfo(stage.scene);
    assert_true(info.agents == 1 && info.comingAgents == 5);
    assert_int_equal(countAgents(&stage), 2); // the last, and who appears at once
    assert_int_equal(thRun_GetRecordId(stage.run, agentOfKey(&stage, 1)), -1);
    assert_int_equal(thRun_GetRecordId(stage.run, agentOfKey(&stage, first + 4)), 7);
    assert_int_equal(thRun_GetLastRecordId(stage.run), 33);
    stepTimes(&stage, 12);
    assert_int_equal(countAgents(&stage), 2);
    assert_int_equal(thRun_CountWaiting(stage.run), 0);
    stepTimes(&stage, 1); // the first step that is not before 1.25 s
    assert_int_equal(countAgents(&stage), 6);
    static const float places[][2] = {{0, 0}, {0, 5}, {1, 0}, {1, 5}, {0, 9}};
    for (uint64_t i = 0; i < 5; ++i) {
        const thVec2 position = rowOfKey(&stage, first + i).position;
        assert_true(position.x == places[i][0] && position.y == places[i][1]);
        assert_int_equal(thRun_GetEntry(stage.run, agentOfKey(&stage, first + i)), i / 4);
    }
    for (uint64_t i = 0; i < 4; ++i)
        assert_int_equal(thRun_GetRecordId(stage.run, agentOfKey(&stage, first + i)), 30 + i);
    stepTimes(&stage, 1);
    assert_true(rowOfKey(&stage, first + 2).position.x > 1.1f);
    closeStage(&stage);
}

// Walls are no reason to wait, nor are others who stand there.
static void testAppearanceInWalls(void** state)
{
    (void)state;
    Stage stage = mustOpen(
        NO_END
        "\"walls\": [{\"box\": [[0, 0], [4, 4]]}], \"profiles\": {\"p\": {\"radius\": 0.2}}, "
        "\"agents\": [{\"at\": [[2, 3.9], [6, 2]], \"appear\": 0.1}, {\"at\": [6.1, 2]}]",
        NULL);
    stepTimes(&stage, 1);
    assert_int_equal(countAgents(&stage), 3);
    const thVec2 moved = rowOfKey(&stage, TH_FIRST_SOURCE_KEY).position;
    assert_true(fabsf(moved.x - 2.0f) < 0.02f && moved.y >= 4.199f && moved.y < 4.25f);
    assert_true(rowOfKey(&stage, TH_FIRST_SOURCE_KEY + 1).position.x == 6.0f);
    closeStage(&stage);
}

// Who pauses stands from the step on that begins at that time, and goes on likewise; also who
// appears in a pause, and who waits to set out until one has begun.
static void testPauses(void** state)
{
    (void)state;
    Stage stage = mustOpen(
        NO_END
        "\"profiles\": {\"p\": {\"speed\": 1, \"keep\": \"none\"}}, \"agents\": ["
        "{\"at\": [0, 0], \"goal\": {\"point\": [90, 0]}, \"pauses\": [[1, 2], [3, 3.5]]}, "
        "{\"at\": [0, 20], \"goal\": {\"point\": [90, 20]}, \"pauses\": [[0, 0.5]]}, "
        "{\"at\": [0, 40], \"goal\": {\"point\": [90, 40]}, \"delay\": 1.5, \"pauses\": [[1, "
        "2]]}, "
        "{\"at\": [0, 60], \"goal\": {\"point\": [90, 60]}, \"delay\": 3, \"pauses\": [[1, "
        "2]]}, "
        "{\"at\": [0, 80], \"goal\": {\"point\": [90, 80]}, \"appear\": 1, \"pauses\": "
        "[[0.5, 2]]}]",
        NULL);
    const uint64_t keys[] = {1, 2, 3, 4, TH_FIRST_SOURCE_KEY};
    static const double moving[][4] = {{0, 1, 2, 3}, {0.5, 99}, {2, 99}, {3, 99}, {2, 99}};
    for (int32_t step = 0; step < 50; ++step) {
        float before[5] = {0};
        for (int32_t i = 0; i < (step >= 10 ? 5 : 4); ++i)
            before[i] = rowOfKey(&stage, keys[i]).position.x;
        stepTimes(&stage, 1);
        for (int32_t i = 0; i < (step >= 10 ? 5 : 4); ++i) {
            const double time = 0.1 * step + 1e-6;
            const double* m = moving[i];
            const bool walks = (time >= m[0] && time < m[1]) ||
                               (i == 0 && ((time >= m[2] && time < m[3]) || time >= 3.5));
            const float way = rowOfKey(&stage, keys[i]).position.x - before[i];
            assert_true(walks ? way > 0.09f : way == 0.0f);
        }
    }
    closeStage(&stage);
}

// A speed of one's own is drawn as the profile's would be.
static void testOwnSpeeds(void** state)
{
    (void)state;
    Stage stage =
        mustOpen(NO_END "\"profiles\": {\"p\": {\"speed\": {\"uniform\": [1, 1.5]}}}, "
                        "\"agents\": [{\"at\": [0, 0]}, {\"at\": [0, 9], \"speed\": 0.75}, "
                        "{\"at\": [0, 20], \"speed\": {\"uniform\": [1.5, 2]}}, "
                        "{\"at\": [0, 30], \"speed\": 0}]",
                 NULL);
    float speeds[5];
    for (uint64_t key = 1; key <= 4; ++key)
        speeds[key] =
            thiRows(stage.world)->prefSpeed[thiFindRow(stage.world, agentOfKey(&stage, key))];
    assert_true(speeds[1] >= 1.0f && speeds[1] <= 1.5f && speeds[2] == 0.75f);
    assert_true(speeds[3] >= 1.5f && speeds[3] <= 2.0f && speeds[4] == 0.0f);
    closeStage(&stage);
}

static void testSourceRate(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        double begin, rate;
        int32_t total;
    } cases[] = {
        {"\"rate\": 2, \"from\": 1, \"to\": 5", 1.0, 2.0, 8},
        {"\"rate\": 2, \"count\": 5", 0.0, 2.0, 5},
        {"\"rate\": 25", 0.0, 25.0, 100000},
        {"\"rate\": 0.7, \"from\": 0.35, \"to\": 100, \"count\": 6", 0.35, 0.7, 6},
        {"\"rate\": 3, \"from\": 2, \"to\": 2.1, \"count\": 6", 2.0, 3.0, 1},
        {"\"rate\": 10, \"count\": 0", 0.0, 10.0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char content[512];
        snprintf(content, sizeof content,
                 NO_END "\"agents\": [{\"at\": [-5, -5]}, {\"source\": {\"in\": {\"box\": [[0, 0], "
                        "[50, 50]]}, %s}, \"goal\": {\"offset\": [100, 0]}}]",
                 cases[i].text);
        Stage stage = mustOpen(content, NULL);
        for (int32_t step = 0; step <= 100; ++step) {
            assert_int_equal(countAgents(&stage) - 1,
                             dueAfter(step, cases[i].begin, cases[i].rate, cases[i].total));
            assert_int_equal(thRun_CountWaiting(stage.run), 0);
            stepTimes(&stage, 1);
        }
        closeStage(&stage);
    }
}

// Agents appear in their region, apart from others, whatever is there; keys tell where they came
// from.
static void testSourcePlaces(void** state)
{
    (void)state;
    Stage stage = mustOpen(
        NO_END "\"walls\": [{\"box\": [[2, 2], [4, 4]]}], \"agents\": [{\"source\": {\"in\": "
               "{\"box\": [[0, 0], [6, 6]]}, \"rate\": 40, \"count\": 30}}, {\"at\": [1, 1]}, "
               "{\"source\": {\"in\": {\"segment\": [[-9, 0], [-9, 20]]}, \"rate\": 10, \"count\": "
               "9}, \"goal\": {\"random\": {\"disc\": [20, 0], \"radius\": 3}}}]",
        NULL);
    stepTimes(&stage, 12);
    assert_int_equal(countAgents(&stage), 40);
    const thAgentView view = thWorld_GetAgentView(stage.world);
    for (int32_t slot = 0; slot < view.slotCount; ++slot) {
        const thAgentRow* row = &view.rows[slot];
        const thAgentId id = thWorld_FindAgent(stage.world, row->key);
        const int32_t entry = thRun_GetEntry(stage.run, id);
        if (row->key == 1) {
            assert_int_equal(entry, 1);
            continue;
        }
        assert_int_equal(entry, row->key % 2 == 0 ? 0 : 2);
        assert_int_equal(thRun_GetGoal(stage.run, id), entry == 2 ? 0 : -1);
        for (int32_t other = 0; other < slot && entry == 0; ++other)
            assert_true(hypotf(row->position.x - view.rows[other].position.x,
                               row->position.y - view.rows[other].position.y) > 0.498f);
    }
    closeStage(&stage);
}

// Who finds no place waits, and comes when there is one.
static void testSourceQueue(void** state)
{
    (void)state;
    Stage stage =
        mustOpen(NO_END "\"agents\": [{\"at\": [0, 0]}, {\"source\": {\"in\": {\"disc\": "
                        "[0, 0], \"radius\": 0.1}, \"rate\": 5, \"count\": 10}, \"goal\": "
                        "{\"point\": [9, 0]}, \"arrive\": \"leave\"}]",
                 NULL);
    assert_int_equal(thRun_CountWaiting(stage.run), 0);
    stepTimes(&stage, 10);
    assert_int_equal(thRun_CountWaiting(stage.run), dueAfter(10, 0.0, 5.0, 10));
    stepTimes(&stage, 40);
    assert_int_equal(countAgents(&stage), 1);
    assert_int_equal(thRun_CountWaiting(stage.run), 10);
    assert_false(thiAreSourcesDone(stage.run));
    assert_ok(thDestroyAgent(stage.world, agentOfKey(&stage, 1)));
    stepTimes(&stage, 1);
    assert_int_equal(countAgents(&stage), 1); // there is room for one
    assert_int_equal(thRun_CountWaiting(stage.run), 9);
    int32_t most = 0;
    for (int32_t step = 0; step < 300; ++step) {
        stepTimes(&stage, 1);
        most = TH_MAX(most, countAgents(&stage));
    }
    assert_true(thiAreSourcesDone(stage.run));
    assert_int_equal(thWorld_GetCounters(stage.world).departures, 10);
    assert_in_range(most, 3, 10);
    closeStage(&stage);
}

static void testSourceDelay(void** state)
{
    (void)state;
    Stage stage = mustOpen(NO_END "\"agents\": [{\"source\": {\"in\": {\"box\": [[0, 0], [9, 9]]}, "
                                  "\"rate\": 1, \"from\": 0.5}, \"goal\": {\"offset\": [20, 0]}, "
                                  "\"delay\": 0.3}]",
                           NULL);
    stepTimes(&stage, 6);
    const uint64_t key = TH_FIRST_SOURCE_KEY;
    assert_int_equal(countAgents(&stage), 1);
    const thVec2 place = rowOfKey(&stage, key).position;
    stepTimes(&stage, 2);
    assert_true((rowOfKey(&stage, key).flags & th_agentWaiting) != 0);
    assert_true(rowOfKey(&stage, key).position.x == place.x);
    stepTimes(&stage, 1);
    assert_int_equal(rowOfKey(&stage, key).flags & th_agentWaiting, 0);
    assert_true(rowOfKey(&stage, key).position.x > place.x);
    closeStage(&stage);
}

// Goals of agents that left do not pile up; a host's own are not touched.
static void testSourceGoals(void** state)
{
    (void)state;
    Stage stage =
        mustOpen(NO_END "\"agents\": [{\"source\": {\"in\": {\"box\": [[0, 0], [20, 20]]}, "
                        "\"rate\": 10}, \"goal\": {\"random\": {\"box\": [[0, 0], [20, 20]]}, "
                        "\"count\": 2}, \"arrive\": \"leave\"}]",
                 NULL);
    thGoalId own;
    stepTimes(&stage, 2);
    assert_ok(thCreatePointGoal(stage.world, (thVec2){1.0f, 1.0f}, &own));
    stepTimes(&stage, 1000);
    const thCounters counters = thWorld_GetCounters(stage.world);
    assert_true(counters.departures > 500);
    assert_true(counters.goals <= 3 * (counters.agents + 64 + 10) + 1);
    assert_ok(thDestroyGoal(stage.world, own));
    closeStage(&stage);
}

// The end.

static int32_t stepsToEnd(const char* content)
{
    Stage stage = mustOpen(content, NULL);
    int32_t steps = 0;
    while (!thRun_IsOver(stage.run) && steps < 5000) {
        stepTimes(&stage, 1);
        steps += 1;
    }
    closeStage(&stage);
    return steps;
}

#define TIME(end) "\"time\": {\"step\": 0.1, \"end\": {" end "}}, "
#define WALKER "{\"at\": [0, 0], \"goal\": {\"point\": [5, 0]}"

// Who has the same group is of one group in the world, whenever they come.
static void testGroups(void** state)
{
    (void)state;
    Stage stage = mustOpen(
        NO_END "\"agents\": [{\"at\": [0, 0]}, "
               "{\"at\": [[3, 0], [4, 0]], \"group\": \"family\"}, "
               "{\"source\": {\"in\": {\"box\": [[10, 0], [14, 4]]}, \"rate\": 1, \"count\": 3}, "
               "\"group\": \"class\"}, "
               "{\"at\": [20, 0], \"group\": \"family\", \"appear\": 1}]",
        NULL);
    static const int32_t groups[] = {-1, 0, 1, 0}; // of each entry
    for (int32_t step = 0; step < 50; ++step) {
        const thAgentView view = thWorld_GetAgentView(stage.world);
        for (int32_t slot = 0; slot < view.slotCount; ++slot) {
            const thAgentId agent = thWorld_FindAgent(stage.world, view.rows[slot].key);
            assert_int_equal(thAgent_GetInfo(stage.world, agent).group,
                             groups[thRun_GetEntry(stage.run, agent)]);
        }
        stepTimes(&stage, 1);
    }
    assert_int_equal(countAgents(&stage), 7);
    closeStage(&stage);
}

static void testOver(void** state)
{
    (void)state;
    assert_int_equal(stepsToEnd(TIME("\"at\": 3") "\"agents\": [" WALKER "}]"), 30);
    assert_int_equal(stepsToEnd(TIME("\"steps\": 7") "\"agents\": [" WALKER "}]"), 7);
    assert_int_equal(stepsToEnd(TIME("\"steps\": 0") "\"agents\": [" WALKER "}]"), 0);
    assert_int_equal(stepsToEnd(TIME("\"at\": 3, \"steps\": 50") "\"agents\": [" WALKER "}]"), 30);
    // 4.7 m at 1.34 m/s.
    const int32_t walk = stepsToEnd(TIME("\"arrived\": true") "\"agents\": [" WALKER "}]");
    assert_in_range(walk, 35, 37);
    assert_int_equal(
        stepsToEnd(TIME("\"arrived\": true") "\"agents\": [" WALKER ", \"arrive\": \"leave\"}]"),
        walk);
    // Who has no goal is not waited for.
    assert_int_equal(
        stepsToEnd(TIME("\"arrived\": true") "\"agents\": [" WALKER "}, {\"at\": [0, 9]}]"), walk);
    assert_int_equal(stepsToEnd(TIME("\"arrived\": true") "\"agents\": [{\"at\": [0, 9]}]"), 0);
    // Who waits is, and who is still to come.
    assert_in_range(
        stepsToEnd(TIME("\"arrived\": true") "\"agents\": [" WALKER ", \"delay\": 10}]"),
        walk + 100, walk + 100);
    assert_int_equal(
        stepsToEnd(TIME("\"arrived\": true") "\"agents\": [{\"at\": [0, 0], \"delay\": 2}]"), 21);
    assert_in_range(stepsToEnd(TIME("\"arrived\": true") "\"agents\": [{\"source\": {\"in\": "
                                                         "{\"disc\": [0, 0], \"radius\": 0.01}, "
                                                         "\"rate\": 0.1, \"count\": 2}, \"goal\": "
                                                         "{\"point\": [5, 0]}}]"),
                    100 + walk - 1, 100 + walk + 50); // the second finds the first in its place
    assert_int_equal(
        stepsToEnd(TIME("\"arrived\": true, \"at\": 20") "\"agents\": [{\"source\": "
                                                         "{\"in\": {\"disc\": [0, 0], \"radius\": "
                                                         "1}, \"rate\": 0.1}, "
                                                         "\"goal\": {\"point\": [5, 0]}, "
                                                         "\"arrive\": \"leave\"}]"),
        200);
    // Who starts again never arrives.
    assert_int_equal(
        stepsToEnd(TIME("\"arrived\": true, \"at\": 40") "\"agents\": [{\"at\": [0, "
                                                         "0], \"goal\": {\"random\": {\"box\": "
                                                         "[[0, 0], [3, 3]]}, \"count\": "
                                                         "2}, \"arrive\": \"again\"}]"),
        400);
}

// Who is on the way: neither there, nor without a goal, nor going round and round.
static void testUnderway(void** state)
{
    (void)state;
    Stage stage = mustOpen(
        NO_END "\"agents\": [{\"at\": [0, 0]}, {\"at\": [0, 2], \"goal\": {\"point\": [3, 2]}}, "
               "{\"at\": [[0, 4], [0, 6]], \"goal\": {\"offset\": [20, 0]}, \"arrive\": "
               "\"leave\"}, {\"at\": [0, 8], \"goal\": {\"random\": {\"box\": [[0, 8], [9, 9]]}, "
               "\"count\": 2}, \"arrive\": \"again\"}, {\"at\": [0, 12], \"goal\": {\"point\": [9, "
               "12]}, \"delay\": 90}]",
        NULL);
    thAgentId agents[5] = {{0}};
    assert_int_equal(thRun_GetUnderway(stage.run, NULL, 0), 4);
    assert_int_equal(thRun_GetUnderway(stage.run, agents, 2), 4);
    assert_int_equal(thAgent_Get(stage.world, agents[0]).key, 2);
    assert_int_equal(thAgent_Get(stage.world, agents[1]).key, 3);
    assert_int_equal(agents[2].value, 0);
    stepTimes(&stage, 50);
    assert_int_equal(thRun_GetUnderway(stage.run, agents, 5), 3);
    assert_int_equal(thAgent_Get(stage.world, agents[0]).key, 3);
    assert_int_equal(thAgent_Get(stage.world, agents[2]).key, 6);
    stepTimes(&stage, 150);
    assert_int_equal(thRun_GetUnderway(stage.run, agents, 5), 1);
    closeStage(&stage);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testUnderway),    cmocka_unit_test(testSteps),
        cmocka_unit_test(testDoorTimes),   cmocka_unit_test(testDoorHolds),
        cmocka_unit_test(testDoorWaits),   cmocka_unit_test(testDoorsTellLateness),
        cmocka_unit_test(testDoorsPush),   cmocka_unit_test(testDelays),
        cmocka_unit_test(testAppearance),  cmocka_unit_test(testAppearanceInWalls),
        cmocka_unit_test(testPauses),      cmocka_unit_test(testOwnSpeeds),
        cmocka_unit_test(testSourceRate),  cmocka_unit_test(testSourcePlaces),
        cmocka_unit_test(testSourceQueue), cmocka_unit_test(testSourceDelay),
        cmocka_unit_test(testSourceGoals), cmocka_unit_test(testOver),
        cmocka_unit_test(testGroups),
    };
    return RUN_TESTS(tests, argc, argv);
}
