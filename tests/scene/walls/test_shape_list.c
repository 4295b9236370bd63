// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Shapes of recordings from files of others, through the public functions.

#include "gear/allocators.h"
#include "gear/gear.h"
#include "throng/shapes.h"

#include <stdio.h>
#include <stdlib.h>

static const char text[] =
    "POLYGON ((500000 5800000, 500010 5800000, 500010 5800009.5, 500000 5800000),"
    " (500008 5800001, 500009 5800001, 500009 5800002, 500008 5800001));\n"
    "LINESTRING (1 2, 3 4)";

static thShapeListDef defOf(const char* wkt)
{
    thShapeListDef def = thDefaultShapeListDef();
    def.text = wkt;
    def.textSize = strlen(wkt);
    return def;
}

static void checkShapes(const thShapeList* list)
{
    const thPlace room[] = {{500000, 5800000}, {500010, 5800000}, {500010, 5800009.5}};
    const thPlace pillar[] = {{500008, 5800001}, {500009, 5800001}, {500009, 5800002}};
    const thPlace wall[] = {{1, 2}, {3, 4}};
    const thRecordedShape expected[] = {{.kind = th_shapeRoom, .points = room, .pointCount = 3},
                                        {.kind = th_shapeSolid, .points = pillar, .pointCount = 3},
                                        {.kind = th_shapeWall, .points = wall, .pointCount = 2}};
    int32_t count;
    const thRecordedShape* shapes = thShapeList_GetShapes(list, &count);
    assert_int_equal(count, 3);
    for (int32_t i = 0; i < 3; ++i) {
        assert_int_equal(shapes[i].kind, expected[i].kind);
        assert_int_equal(shapes[i].level, 0);
        assert_int_equal(shapes[i].pointCount, expected[i].pointCount);
        assert_memory_equal(shapes[i].points, expected[i].points,
                            (size_t)shapes[i].pointCount * sizeof(thPlace));
    }
}

static void testText(void** state)
{
    (void)state;
    const thShapeListDef def = defOf(text);
    thShapeList* list;
    assert_int_equal(thReadShapes(&def, &list, NULL), th_resultOk);
    checkShapes(list);
    thDestroyShapeList(list);
    thDestroyShapeList(NULL);
    const thShapeListDef empty = defOf("POLYGON EMPTY");
    int32_t count = 7;
    assert_int_equal(thReadShapes(&empty, &list, NULL), th_resultOk);
    thShapeList_GetShapes(list, &count);
    assert_int_equal(count, 0);
    thDestroyShapeList(list);
}

// Two rooms with a common side are one, wherever they are.
static void testJoined(void** state)
{
    (void)state;
    static const char* const texts[] = {
        "POLYGON ((0 0, 4 0, 4 3, 0 3, 0 0)); POLYGON ((4 0, 9 0, 9 3, 4 3, 4 0))",
        "POLYGON ((500000 5800000, 500004 5800000, 500004 5800003, 500000 5800003, 500000 "
        "5800000));"
        "POLYGON ((500004 5800000, 500009 5800000, 500009 5800003, 500004 5800003, 500004 "
        "5800000))"};
    static const thPlace corners[] = {{0, 0}, {500000, 5800000}};
    for (int32_t t = 0; t < 2; ++t) {
        const thShapeListDef def = defOf(texts[t]);
        thShapeList* list;
        assert_int_equal(thReadShapes(&def, &list, NULL), th_resultOk);
        int32_t count;
        const thRecordedShape* shapes = thShapeList_GetShapes(list, &count);
        assert_int_equal(count, 1);
        assert_int_equal(shapes[0].kind, th_shapeRoom);
        double area = 0.0, most = 0.0;
        for (int32_t i = 0; i < shapes[0].pointCount; ++i) {
            const thPlace a = shapes[0].points[i];
            const thPlace b = shapes[0].points[i + 1 < shapes[0].pointCount ? i + 1 : 0];
            area += 0.5 * ((a.x - corners[t].x) * (b.y - corners[t].y) -
                           (b.x - corners[t].x) * (a.y - corners[t].y));
            most = a.x - corners[t].x > most ? a.x - corners[t].x : most;
        }
        assert_true(area * area > 728.9 && area * area < 729.1);
        assert_true(most > 8.999 && most < 9.001);
        thDestroyShapeList(list);
    }
    // Too far apart for one world: they stay as they are.
    const thShapeListDef def =
        defOf("POLYGON ((0 0, 4 0, 4 3, 0 0)); POLYGON ((1e8 0, 1.00000001e8 0, "
              "1e8 3, 1e8 0)); POLYGON ((0 0, 4 0, 4 3, 0 0))");
    thShapeList* list;
    int32_t count;
    assert_int_equal(thReadShapes(&def, &list, NULL), th_resultOk);
    (void)thShapeList_GetShapes(list, &count);
    assert_int_equal(count, 3);
    thDestroyShapeList(list);
}

static void testFiles(void** state)
{
    (void)state;
    char path[] = "/tmp/throng-test-XXXXXX.wkt";
    const int descriptor = mkstemps(path, 4);
    FILE* file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0 && fclose(file) == 0);
    thShapeListDef def = thDefaultShapeListDef();
    def.path = path;
    thShapeList* list;
    assert_int_equal(thReadShapes(&def, &list, NULL), th_resultOk);
    checkShapes(list);
    thDestroyShapeList(list);
    remove(path);
    thError error = {0};
    assert_int_equal(thReadShapes(&def, &list, &error), th_resultFile);
    assert_null(list);
    assert_string_equal(error.file, path);
}

static void testErrors(void** state)
{
    (void)state;
    thShapeList* list;
    thError error = {0};
    const thShapeListDef cut = defOf("POLYGON ((0 0, 1");
    assert_int_equal(thReadShapes(&cut, &list, &error), th_resultSyntax);
    assert_null(list);
    assert_int_equal(error.line, 1);
    const thShapeListDef far = defOf("LINESTRING (0 0,\n 1e99 2)");
    assert_int_equal(thReadShapes(&far, &list, &error), th_resultSyntax);
    assert_int_equal(error.line, 2);
}

static void testNoMemory(void** state)
{
    (void)state;
    for (int64_t failAt = 1;; ++failAt) {
        thTestAllocator test;
        testAllocatorInit(&test);
        test.failAt = failAt;
        thShapeListDef def = defOf(text);
        def.allocator = testAllocator(&test);
        thShapeList* list;
        thError error = {0};
        const thResult result = thReadShapes(&def, &list, &error);
        if (result == th_resultOk)
            checkShapes(list);
        else
            assert_true(result == th_resultNoMemory && list == NULL && error.text[0] != '\0');
        thDestroyShapeList(list);
        assert_null(testAllocatorProblem(&test));
        testAllocatorFree(&test);
        if (result == th_resultOk) {
            assert_true(failAt > 2);
            return;
        }
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testText),   cmocka_unit_test(testJoined),   cmocka_unit_test(testFiles),
        cmocka_unit_test(testErrors), cmocka_unit_test(testNoMemory),
    };
    return RUN_TESTS(tests, argc, argv);
}
