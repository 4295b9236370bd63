// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Dense crowds that walk round the corner of a corridor use its width: their flow is hardly less
// than straight on, whatever the planner and the method.

#include "gear/gear.h"
#include "throng/throng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define WIDTH 2.4
#define ROWS 4
#define COLUMNS 47
#define PEOPLE (ROWS * COLUMNS)
#define APART 0.57     // 3 people for each square metre [m]
#define LINE 3.0       // how far behind the corner people are counted [m]
#define PATIENCE 300.0 // [s]
#define LEAST 0.74 // flow round the corner, as a share of that straight on, where nobody is held up

typedef enum Turn { straightOn, leftTurn, rightTurn } Turn;

static const char* const methods[] = {"orca", "clearpath", "rvo"};
static const char* const planners[] = {"visibility", "flow"};

static int32_t seedCount(void)
{
    return getenv("THRONG_LONG") != NULL ? 8 : 4;
}

// A corridor to the east, closed in the west; at x = 15 m it turns or goes on.
static const char* wallsOf(Turn turn)
{
    switch (turn) {
    case leftTurn:
        return "{\"polyline\": [[12.6, 20], [12.6, 2.4], [-17, 2.4], [-17, 0], [15, 0], [15, 20]]}";
    case rightTurn:
        return "{\"polyline\": [[12.6, -17.6], [12.6, 0], [-17, 0], [-17, 2.4], [15, 2.4], [15, "
               "-17.6]]}";
    default:
        return "{\"polyline\": [[32.6, 0], [-17, 0], [-17, 2.4], [32.6, 2.4]]}";
    }
}

static const char* goalOf(Turn turn)
{
    switch (turn) {
    case leftTurn:
        return "[[12.6, 22], [15, 22]]";
    case rightTurn:
        return "[[12.6, -19.6], [15, -19.6]]";
    default:
        return "[[34.6, 0], [34.6, 2.4]]";
    }
}

// How far somebody is behind the corner, or where there could be one. [m]
static double behind(Turn turn, thVec2 p)
{
    switch (turn) {
    case leftTurn:
        return (double)p.y - WIDTH;
    case rightTurn:
        return -(double)p.y;
    default:
        return (double)p.x - 15.0;
    }
}

static thRun* createRun(thScene** scene, Turn turn, const char* plan, const char* avoid,
                        uint64_t seed)
{
    char text[1536];
    const int size = snprintf(
        text, sizeof text,
        "{\"throng\": 1, \"time\": {\"step\": 0.1, \"end\": {\"arrived\": true}},"
        " \"walls\": [%s], \"goals\": {\"out\": {\"segment\": %s}},"
        " \"profiles\": {\"person\": {\"radius\": 0.25, \"pace\": \"none\","
        "   \"plan\": \"%s\", \"avoid\": \"%s\","
        "   \"speed\": {\"normal\": [1.34, 0.2], \"min\": 0.8, \"max\": 1.9}}},"
        " \"agents\": [{\"profile\": \"person\", \"goal\": \"out\", \"arrive\": \"leave\","
        "   \"grid\": {\"from\": [-15, 0.345], \"columns\": %d, \"rows\": %d, \"spacing\": %g}}]}",
        wallsOf(turn), goalOf(turn), plan, avoid, COLUMNS, ROWS, APART);
    thSceneDef def = thDefaultSceneDef();
    def.text = text;
    def.textSize = (size_t)size;
    assert_int_equal(thLoadScene(&def, scene), th_resultOk);
    thRunDef runDef = thDefaultRunDef();
    runDef.seed = seed;
    thRun* run;
    assert_int_equal(thCreateRun(*scene, &runDef, &run), th_resultOk);
    return run;
}

// People for each metre and second, while the tenth to the last but nine pass the line.
static double flowOf(Turn turn, const char* plan, const char* avoid, uint64_t seed)
{
    thScene* scene;
    thRun* run = createRun(&scene, turn, plan, avoid, seed);
    const thWorld* world = thRun_GetWorld(run);
    double first = 0.0, last = 0.0;
    while (!thRun_IsOver(run) && thRun_GetTime(run) < PATIENCE) {
        assert_int_equal(thRun_Step(run), th_resultOk);
        thAgentId agents[PEOPLE];
        const int32_t count = thRun_GetUnderway(run, agents, PEOPLE);
        int32_t passed = PEOPLE - count;
        for (int32_t i = 0; i < count; ++i)
            passed += behind(turn, thAgent_Get(world, agents[i]).position) > LINE;
        first = passed >= 10 && first == 0.0 ? thRun_GetTime(run) : first;
        last = passed >= PEOPLE - 10 && last == 0.0 ? thRun_GetTime(run) : last;
    }
    assert_true(thRun_IsOver(run));
    thDestroyRun(run);
    thDestroyScene(scene);
    return (PEOPLE - 20) / (last - first) / WIDTH;
}

static double meanFlow(Turn turn, const char* plan, const char* avoid)
{
    double sum = 0.0;
    for (int32_t seed = 1; seed <= seedCount(); ++seed)
        sum += flowOf(turn, plan, avoid, (uint64_t)seed);
    return sum / seedCount();
}

static void testFlowRoundCorners(void** state)
{
    (void)state;
    bool good = true;
    for (size_t p = 0; p < sizeof planners / sizeof *planners; ++p)
        for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m) {
            const double straight = meanFlow(straightOn, planners[p], methods[m]);
            const double left = meanFlow(leftTurn, planners[p], methods[m]);
            const double right = meanFlow(rightTurn, planners[p], methods[m]);
            print_message("%-10s %-9s straight on %.2f/m/s, left %.2f, right %.2f\n", planners[p],
                          methods[m], straight, left / straight, right / straight);
            good = good && left + right >= 2.0 * LEAST * straight;
        }
    assert_true(good);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testFlowRoundCorners)};
    return RUN_TESTS(tests, argc, argv);
}
