// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Presets of profiles: what is drawn from each against its distribution in double, the mixed ones
// against their groups; what profiles say themselves; what is written and read again.

#include "scene/scene_presets.h"

#include "scene/scene_draw.h"
#include "scene/scene_gear.h"
#include "throng/preset.h"
#include "throng/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DRAWS 20000

static double uniformShare(double x, double from, double to)
{
    return x <= from ? 0.0 : x >= to ? 1.0 : (x - from) / (to - from);
}

// Of a bell curve that is cut off at three deviations.
static double normalShare(double x, double mean, double deviation)
{
    const double cut = 0.5 * erfc(3.0 / sqrt(2.0));
    const double share = 0.5 * erfc((mean - x) / (deviation * sqrt(2.0)));
    return fmin(fmax((share - cut) / (1.0 - 2.0 * cut), 0.0), 1.0);
}

// Groups and shares as the IMO has them.
typedef struct Group {
    const char* name;
    double share;
} Group;

static const Group passengers[] = {
    {"imo-female-under-30", 0.07},   {"imo-female-30-50", 0.07},      {"imo-female-over-50", 0.16},
    {"imo-female-impaired-1", 0.10}, {"imo-female-impaired-2", 0.10}, {"imo-male-under-30", 0.07},
    {"imo-male-30-50", 0.07},        {"imo-male-over-50", 0.16},      {"imo-male-impaired-1", 0.10},
    {"imo-male-impaired-2", 0.10},
};
static const Group crew[] = {{"imo-crew-female", 0.5}, {"imo-crew-male", 0.5}};

static double mixedShare(double x, const char* name)
{
    const bool isCrew = strcmp(name, "imo-crew") == 0;
    const Group* groups = isCrew ? crew : passengers;
    double sum = 0.0;
    for (int32_t i = 0; i < (isCrew ? 2 : 10); ++i) {
        thPreset preset;
        assert_int_equal(thFindPreset(groups[i].name, &preset), 1);
        assert_int_equal(preset.speeds, th_presetUniform);
        sum += groups[i].share * uniformShare(x, (double)preset.min, (double)preset.max);
    }
    return sum;
}

static double shareOf(const thPreset* preset, double x)
{
    switch (preset->speeds) {
    case th_presetUniform:
        return uniformShare(x, (double)preset->min, (double)preset->max);
    case th_presetNormal:
        return normalShare(x, (double)preset->mean, (double)preset->deviation);
    case th_presetMixed:
        return mixedShare(x, preset->name);
    default:
        return x >= (double)preset->mean - 1e-9 ? 1.0 : 0.0;
    }
}

static int byValue(const void* left, const void* right)
{
    const float a = *(const float*)left, b = *(const float*)right;
    return (a > b) - (a < b);
}

static void testDistributions(void** state)
{
    (void)state;
    static float speeds[DRAWS];
    thPreset preset;
    int32_t count = 0;
    for (; thGetPreset(count, &preset) != 0; ++count) {
        double sum = 0.0, worst = 0.0;
        for (int32_t i = 0; i < DRAWS; ++i) {
            speeds[i] = thPreset_DrawSpeed(preset.name, thRandomStream(3, (uint64_t)i + 1, 0, 0));
            assert_true(speeds[i] >= preset.min && speeds[i] <= preset.max);
            sum += (double)speeds[i];
        }
        assert_true(fabs(sum / DRAWS - (double)preset.mean) < 0.01);
        qsort(speeds, DRAWS, sizeof speeds[0], byValue);
        for (int32_t i = 0; i < DRAWS && preset.speeds != th_presetFixed; ++i) {
            const double share = shareOf(&preset, (double)speeds[i]);
            worst =
                fmax(worst, fmax(fabs(share - (double)i / DRAWS), fabs(share - (i + 1.0) / DRAWS)));
        }
        assert_true(worst < 1.63 / sqrt((double)DRAWS)); // one of a hundred is above
    }
    assert_int_equal(count, TH_PRESET_COUNT);
}

// Tables of mixed presets are the sum of their groups, wherever one begins or ends.
static void testMixed(void** state)
{
    (void)state;
    for (int32_t i = 0; i < TH_PRESET_COUNT; ++i) {
        const thScenePreset* preset = thiScenePresetAt(i);
        const thCoords table = preset->speed.table;
        if (table.count > 0)
            assert_true(preset->speed.min == table.items[0].x &&
                        preset->speed.max == table.items[table.count - 1].x);
        for (int32_t k = 0; k < table.count; ++k) {
            const thCoord point = table.items[k];
            assert_true(fabs(point.y - mixedShare(point.x, preset->name)) < 2e-6);
        }
    }
    double share = 0.0;
    for (int32_t i = 0; i < 10; ++i)
        share += passengers[i].share;
    assert_true(fabs(share - 1.0) < 1e-12);
}

static void testCalls(void** state)
{
    (void)state;
    thPreset preset;
    assert_int_equal(thFindPreset("weidmann", &preset), 1);
    assert_string_equal(preset.name, "weidmann");
    assert_true(preset.mean == 1.34f && preset.deviation == 0.26f && preset.radius == 0.0f);
    assert_true(fabsf(preset.min - 0.56f) < 1e-6f && fabsf(preset.max - 2.12f) < 1e-6f);
    assert_int_equal(thFindPreset("simulex-child", &preset), 1);
    assert_true(fabsf(preset.radius - sqrtf(0.070f / 3.14159265f)) < 0.001f);
    assert_int_equal(thFindPreset("nobody", &preset), 0);
    assert_null(preset.name);
    assert_int_equal(thGetPreset(TH_PRESET_COUNT, &preset), 0);
    assert_true(thPreset_DrawSpeed("nobody", 1) == 0.0f);
    // No name twice.
    for (int32_t i = 0; i < TH_PRESET_COUNT; ++i)
        for (int32_t k = 0; k < i; ++k)
            assert_string_not_equal(thiScenePresetAt(i)->name, thiScenePresetAt(k)->name);
}

#define PROFILE(keys) "{\"throng\": 1, \"profiles\": {\"a\": {" keys "}}}"

static thScene* load(const char* text)
{
    Errors errors = {.count = 0};
    thScene* scene = loadText(text, &errors);
    if (scene == NULL)
        printErrors(&errors);
    assert_non_null(scene);
    return scene;
}

// What is written, and that it reads back as the same.
static void assertWritten(const char* text, const char* written)
{
    thScene* scene = load(text);
    char* out = writeScene(scene);
    if (strstr(out, written) == NULL)
        fail_msg("%s has no %s", out, written);
    thScene* again = load(out);
    assertSameScene(scene, again);
    thDestroyScene(again);
    thDestroyScene(scene);
    free(out);
}

// What a profile says itself counts, wherever it stands.
static void testOwnKeys(void** state)
{
    (void)state;
    thScene* scene = load(PROFILE("\"preset\": \"simulex-male\""));
    assert_int_equal(scene->profiles[0].speed.kind, th_drawUniform);
    assert_true(scene->profiles[0].speed.a == 1.15 && scene->profiles[0].speed.b == 1.55);
    assert_true(scene->profiles[0].radius.a == 0.203);
    thDestroyScene(scene);
    scene = load(PROFILE("\"speed\": 1.34, \"radius\": 0.25, \"preset\": \"simulex-male\""));
    assert_int_equal(scene->profiles[0].speed.kind, th_drawFixed);
    assert_true(scene->profiles[0].speed.a == 1.34 && scene->profiles[0].radius.a == 0.25);
    thDestroyScene(scene);
    scene = load(PROFILE("\"preset\": \"weidmann\""));
    assert_true(scene->profiles[0].radius.a == 0.25); // it has none of its own
    thDestroyScene(scene);
}

static void testWriting(void** state)
{
    (void)state;
    assertWritten(PROFILE("\"preset\": \"weidmann\""), "\"a\": {\"preset\": \"weidmann\"}");
    assertWritten(PROFILE("\"preset\": \"imo-passengers\", \"radius\": 0.25"),
                  "\"a\": {\"preset\": \"imo-passengers\"}");
    // The default of profiles is not that of the preset.
    assertWritten(PROFILE("\"preset\": \"simulex-male\", \"speed\": 1.34, \"radius\": 0.25"),
                  "\"a\": {\"preset\": \"simulex-male\", \"radius\": 0.25, \"speed\": 1.34}");
    assertWritten(PROFILE("\"preset\": \"imo-crew\", \"speed\": {\"uniform\": [1, 2]}"),
                  "\"a\": {\"preset\": \"imo-crew\", \"speed\": {\"uniform\": [1, 2]}}");
    // What is the same need not be said.
    assertWritten(PROFILE("\"preset\": \"rimea-30-50\", \"speed\": {\"uniform\": [1.41, 1.54]}"),
                  "\"a\": {\"preset\": \"rimea-30-50\"}");
}

static void testErrors(void** state)
{
    (void)state;
    assertError(PROFILE("\"preset\": \"weidman\""), "profiles.a.preset",
                "no preset 'weidman'; did you mean 'weidmann'?");
    Errors errors = {.count = 0};
    assert_null(loadText(PROFILE("\"preset\": \"somebody\""), &errors));
    assert_int_equal(errors.count, 1);
    assert_non_null(strstr(errors.items[0].text, "no preset 'somebody'; there are: weidmann, "));
    assertError(PROFILE("\"preset\": 3"), "profiles.a.preset",
                "expected the name of a preset, found 3");
    assertError(PROFILE("\"preset\": \"sfpe\", \"maxSpeed\": 1"), "profiles.a.maxSpeed",
                "1 m/s is below the preferred speed, 1.19 m/s");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testDistributions), cmocka_unit_test(testMixed),
        cmocka_unit_test(testCalls),         cmocka_unit_test(testOwnKeys),
        cmocka_unit_test(testWriting),       cmocka_unit_test(testErrors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
