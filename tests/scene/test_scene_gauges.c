// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Lines and areas of scenes, as surveys are told of them.

#include "scene/scene_gear.h"
#include "throng/survey.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define GAUGES(members) "{\"throng\": 1, \"origin\": [500000, 5700000], \"measure\": {" members "}}"

static double sizeOf(const thSurveyArea* area)
{
    double twice = 0.0;
    const thPlace first = area->points[0];
    for (int32_t i = 0; i < area->pointCount; ++i) {
        const thPlace a = area->points[i], b = area->points[(i + 1) % area->pointCount];
        twice += (a.x - first.x) * (b.y - first.y) - (a.y - first.y) * (b.x - first.x);
    }
    return 0.5 * fabs(twice);
}

static void testLines(void** state)
{
    (void)state;
    Errors errors = {0};
    thScene* scene = loadText(GAUGES("\"lines\": {\"a\": [[500001, 5700002], [500003, 5700004.5]], "
                                     "\"b\": [[500001, 5700000], [500001, 5700009]]}"),
                              &errors);
    assert_non_null(scene);
    assert_int_equal(thScene_GetLineCount(scene), 2);
    assert_int_equal(thScene_GetAreaCount(scene), 0);
    const thSurveyLine line = thScene_GetLine(scene, 0);
    assert_string_equal(line.name, "a");
    assert_true(line.a.x == 500001 && line.a.y == 5700002);
    assert_true(line.b.x == 500003 && line.b.y == 5700004.5);
    assert_string_equal(thScene_GetLine(scene, 1).name, "b");
    thDestroyScene(scene);
}

static void testAreas(void** state)
{
    (void)state;
    Errors errors = {0};
    thPlace corners[THRONG_AREA_CORNERS];
    thScene* scene =
        loadText(GAUGES("\"lines\": {\"a\": [[500001, 5700002], [500003, 5700004]]}, \"areas\": {"
                        "\"box\": {\"box\": [[500001, 5700002], [500004, 5700006]]}, "
                        "\"round\": {\"disc\": [500001, 5700002], \"radius\": 2}, "
                        "\"wedge\": {\"polygon\": [[500000, 5700000], [500004, 5700000], [500000, "
                        "5700003]]}}"),
                 &errors);
    assert_non_null(scene);
    assert_int_equal(thScene_GetLineCount(scene), 1);
    assert_int_equal(thScene_GetAreaCount(scene), 3);
    thSurveyArea area = thScene_GetArea(scene, 0, corners);
    assert_string_equal(area.name, "box");
    assert_int_equal(area.pointCount, 4);
    assert_true(sizeOf(&area) == 12.0);
    area = thScene_GetArea(scene, 1, corners);
    assert_int_equal(area.pointCount, THRONG_AREA_CORNERS);
    assert_true(fabs(sizeOf(&area) - 4.0 * acos(-1.0)) < 1e-5);
    area = thScene_GetArea(scene, 2, corners);
    assert_int_equal(area.pointCount, 3);
    assert_true(sizeOf(&area) == 6.0);
    thDestroyScene(scene);
}

static void testRefused(void** state)
{
    (void)state;
    assertError("{\"throng\": 1, \"measure\": {\"areas\": {\"a\": {\"polygon\": [[0, 0], [4, 0], "
                "[1, 1], [0, 4]]}}}}",
                "measure.areas.a", "is not convex");
    char text[4096] = "{\"throng\": 1, \"measure\": {\"areas\": {\"a\": {\"polygon\": [";
    size_t length = strlen(text);
    for (int i = 0; i < 65; ++i)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s[%.4f, %.4f]",
                                   i > 0 ? ", " : "", 9 * cos(i / 65.0 * 2 * acos(-1.0)),
                                   9 * sin(i / 65.0 * 2 * acos(-1.0)));
    snprintf(text + length, sizeof text - length, "]}}}}");
    assertError(text, "measure.areas.a", "has 65 corners, expected at most 64");
}

// As many as a run can measure, and no more.
static void testMany(void** state)
{
    (void)state;
    static char text[65536];
    static const char* const kinds[] = {"lines", "areas"};
    for (int32_t k = 0; k < 2; ++k)
        for (int32_t count = THRONG_MOST_GAUGES; count <= THRONG_MOST_GAUGES + 1; ++count) {
            int length =
                snprintf(text, sizeof text, "{\"throng\": 1, \"measure\": {\"%s\": {", kinds[k]);
            for (int32_t i = 0; i < count; ++i)
                length += snprintf(text + length, sizeof text - (size_t)length,
                                   k == 0 ? "%s\"g%d\": [[0, 0], [1, 1]]"
                                          : "%s\"g%d\": {\"box\": [[0, 0], [1, 1]]}",
                                   i > 0 ? ", " : "", (int)i);
            snprintf(text + length, sizeof text - (size_t)length, "}}}");
            if (count > THRONG_MOST_GAUGES) {
                assertError(text, k == 0 ? "measure.lines" : "measure.areas",
                            k == 0 ? "257 lines, expected at most 256"
                                   : "257 areas, expected at most 256");
                continue;
            }
            Errors errors = {0};
            thScene* scene = loadText(text, &errors);
            assert_non_null(scene);
            thDestroyScene(scene);
        }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testLines),
        cmocka_unit_test(testAreas),
        cmocka_unit_test(testRefused),
        cmocka_unit_test(testMany),
    };
    return RUN_TESTS(tests, argc, argv);
}
