// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// People who leave a room by one door: bodies that press towards an opening lock in an arch before
// it, and have to get out of it, whatever the width, the radius and the method.

#include "gear/gear.h"
#include "throng/throng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PEOPLE 150
#define MAX_SEEDS 20
#define STEP 0.1f      // [s]
#define PATIENCE 900.0 // nobody may need longer [s]

static const float widths[] = {0.7f, 0.8f, 0.9f, 1.0f, 1.2f}, radii[] = {0.2f, 0.25f, 0.3f};
static const char* const methods[] = {"orca", "clearpath", "rvo"};

static bool isLong(void)
{
    return getenv("THRONG_LONG") != NULL;
}

// What came of a run.
typedef struct Leaving {
    int64_t out;
    double last;           // when the last one was out [s]
    int64_t there, behind; // steps of people in the opening, and with a corner behind them
} Leaving;

static thRun* createRun(thScene** scene, double width, double radius, const char* plan,
                        const char* avoid, uint64_t seed)
{
    char text[1024];
    const int size = snprintf(
        text, sizeof text,
        "{\"throng\": 1, \"time\": {\"step\": 0.1, \"end\": {\"arrived\": true}},"
        " \"walls\": [{\"polyline\": [[0, %g], [0, 6], [-12, 6], [-12, -6], [0, -6], [0, %g]]}],"
        " \"goals\": {\"out\": {\"disc\": [4, 0], \"radius\": 1}},"
        " \"profiles\": {\"person\": {\"radius\": %g, \"plan\": \"%s\", \"avoid\": \"%s\"}},"
        " \"agents\": [{\"profile\": \"person\", \"in\": {\"box\": [[-11, -5.5], [-1, 5.5]]},"
        "   \"count\": %d, \"goal\": \"out\", \"arrive\": \"leave\"}]}",
        0.5 * width, -0.5 * width, radius, plan, avoid, PEOPLE);
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

// Counts those who are in the opening, and who then still head for a point before it.
static void lookAtOpening(const thRun* run, double width, Leaving* leaving)
{
    const thWorld* world = thRun_GetWorld(run);
    thAgentId agents[PEOPLE];
    const int32_t count = thRun_GetUnderway(run, agents, PEOPLE);
    for (int32_t i = 0; i < count; ++i) {
        const thAgentRow row = thAgent_Get(world, agents[i]);
        const thVec2 place = {row.position.x - STEP * row.velocity.x, // where it planned
                              row.position.y - STEP * row.velocity.y};
        thVec2 points[2];
        thPath path;
        if (place.x < -0.2f || place.x > 0.5f || fabsf(place.y) > 0.5f * (float)width ||
            thAgent_GetPath(world, agents[i], points, 2, &path) != th_resultOk ||
            path.pointCount < 2)
            continue;
        leaving->there += 1;
        leaving->behind += points[1].x < place.x - 0.005f;
    }
}

static Leaving leave(double width, double radius, const char* plan, const char* avoid,
                     uint64_t seed)
{
    thScene* scene;
    thRun* run = createRun(&scene, width, radius, plan, avoid, seed);
    const thWorld* world = thRun_GetWorld(run);
    Leaving leaving = {0};
    while (!thRun_IsOver(run) && thRun_GetTime(run) < PATIENCE) {
        assert_int_equal(thRun_Step(run), th_resultOk);
        lookAtOpening(run, width, &leaving);
    }
    leaving.out = PEOPLE - thWorld_GetAgentView(world).agentCount;
    leaving.last = thRun_GetTime(run);
    thDestroyRun(run);
    thDestroyScene(scene);
    return leaving;
}

// Everybody gets out; mean time over the seeds.
static double meanTime(double width, double radius, const char* plan, const char* avoid,
                       int32_t seeds)
{
    double sum = 0.0;
    for (int32_t seed = 1; seed <= seeds; ++seed) {
        const Leaving leaving = leave(width, radius, plan, avoid, (uint64_t)seed);
        if (leaving.out != PEOPLE)
            print_message("%s, %s, %.2f m, radius %.2f, seed %d: %d of %d are out\n", avoid, plan,
                          width, radius, seed, (int)leaving.out, PEOPLE);
        assert_int_equal(leaving.out, PEOPLE);
        sum += leaving.last;
    }
    return sum / seeds;
}

static void judgeWidths(double radius, const char* avoid, int32_t seeds)
{
    double before = INFINITY;
    for (size_t w = 0; w < sizeof widths / sizeof *widths; ++w) {
        if (widths[w] < 2.0 * radius + 0.049)
            continue;
        const double mean = meanTime(widths[w], radius, "direct", avoid, seeds);
        print_message("%-9s radius %.2f, door of %.1f m: %.1f s\n", avoid, radius, widths[w], mean);
        assert_true(mean <= before);
        before = mean;
    }
}

static void testNobodyStaysInArches(void** state)
{
    (void)state;
    if (isLong()) {
        for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m)
            for (size_t r = 0; r < sizeof radii / sizeof *radii; ++r)
                judgeWidths(radii[r], methods[m], MAX_SEEDS);
        return;
    }
    (void)meanTime(0.7, 0.25, "direct", "orca", 2);
    (void)meanTime(0.9, 0.25, "direct", "orca", 3);
    (void)meanTime(0.7, 0.25, "direct", "clearpath", 2);
    (void)meanTime(0.8, 0.3, "visibility", "orca", 1);
}

static void testNobodyTurnsBackInTheOpening(void** state)
{
    (void)state;
    for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m) {
        const Leaving leaving = leave(1.0, 0.25, "visibility", methods[m], 3);
        print_message("%s: %d of %d with a corner behind them\n", methods[m], (int)leaving.behind,
                      (int)leaving.there);
        assert_true(leaving.there > PEOPLE);
        assert_true(leaving.behind <= leaving.there / 100);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testNobodyStaysInArches),
        cmocka_unit_test(testNobodyTurnsBackInTheOpening),
    };
    return RUN_TESTS(tests, argc, argv);
}
