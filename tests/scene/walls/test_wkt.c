// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Walls from well-known text: what is read, what is refused and what is said of it.

#include "scene/walls/geometry.h"
#include "scene/walls/geometry_gear.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#define SQUARE "(0 0, 4 0, 4 3, 0 3, 0 0)"
#define OUTER "outer 0,0 4,0 4,3 0,3"

static const Accepted accepted[] = {
    {"LINESTRING (0 0, 1 2)", "line 0,0 1,2"},
    {"linestring(0 0,1 2,3 4)", "line 0,0 1,2 3,4"},
    {"LineString Z (0 0 9, 1 2 9)", "line 0,0 1,2"},
    {"LINESTRINGZ(0 0 9, 1 2 9)", "line 0,0 1,2"},
    {"LINESTRING M (0 0 9, 1 2 9)", "line 0,0 1,2"},
    {"LINESTRING zm (0 0 9 8, 1 2 9 8)", "line 0,0 1,2"},
    {"LINESTRINGZM (0 0 9 8, 1 2 9 8)", "line 0,0 1,2"},
    {"LINESTRING (0 0 9, 1 2 9, 3 4 9)", "line 0,0 1,2 3,4"},
    {"LINEARRING (0 0, 1 0, 1 1, 0 0)", "line 0,0 1,0 1,1 0,0"},
    {"POLYGON (" SQUARE ")", OUTER},
    {"POLYGON (" SQUARE ", (1 1, 2 1, 2 2, 1 1))", OUTER "; hole 1,1 2,1 2,2"},
    {"POLYGON (" SQUARE ", (1 1, 2 1, 2 2, 1 1), (2 2, 3 2, 3 3, 2 2))",
     OUTER "; hole 1,1 2,1 2,2; hole 2,2 3,2 3,3"},
    {"MULTILINESTRING ((0 0, 1 2), EMPTY, (3 4, 5 6))", "line 0,0 1,2; line 3,4 5,6"},
    {"MULTIPOLYGON ((" SQUARE "), EMPTY, ((9 9, 10 9, 9 10, 9 9)))", OUTER "; outer 9,9 10,9 9,10"},
    {"GEOMETRYCOLLECTION (LINESTRING (0 0, 1 2), POLYGON (" SQUARE "))", "line 0,0 1,2; " OUTER},
    {"GEOMETRYCOLLECTION (GEOMETRYCOLLECTION (LINESTRING (0 0, 1 2)), POINT EMPTY)",
     "line 0,0 1,2"},
    {"GEOMETRYCOLLECTION Z (LINESTRING Z (0 0 1, 1 2 1))", "line 0,0 1,2"},
    {"LINESTRING EMPTY", ""},
    {"POLYGON EMPTY", ""},
    {"POLYGON Z EMPTY", ""},
    {"MULTIPOLYGON EMPTY", ""},
    {"MULTILINESTRING EMPTY", ""},
    {"MULTIPOINT EMPTY", ""},
    {"GEOMETRYCOLLECTION EMPTY", ""},
    {"SRID=25832;LINESTRING (0 0, 1 2)", "line 0,0 1,2"},
    {"srid = 4326 ; LINESTRING (0 0, 1 2); SRID=1;LINESTRING (3 4, 5 6);",
     "line 0,0 1,2; line 3,4 5,6"},
    {"LINESTRING (0 0, 1 2)\nLINESTRING (3 4, 5 6)\n\n", "line 0,0 1,2; line 3,4 5,6"},
    {"LINESTRING (0 0, 1 2);;\r\n\tLINESTRING (3 4, 5 6)", "line 0,0 1,2; line 3,4 5,6"},
    {"\xef\xbb\xbfLINESTRING (0 0, 1 2)", "line 0,0 1,2"},
    {"LINESTRING (+1 -.5, 5. 007, 1e2 -1.5E-1, -0 0e9)", "line 1,-0.5 5,7 100,-0.15 -0,0"},
    {"LINESTRING (0.1234567891234567 -29999.9999999, 30000 -30000)",
     "line 0.123456789,-30000 30000,-30000"},
};

static const Rejected rejected[] = {
    {"", 1, 1, "expected LINESTRING, POLYGON"},
    {"  \n ", 2, 2, "found the end of the file"},
    {"CIRCLE (0 0, 1)", 1, 1, "found 'CIRCLE'"},
    {"POLYGONS (" SQUARE ")", 1, 1, "found 'POLYGONS'"},
    {"12", 1, 1, "found '12'"},
    {"{\"type\": 1}", 1, 1, "found '{'"},
    {"\x01", 1, 1, "found byte 0x01"},
    {"POINT (1 2)", 1, 7, "points make no walls"},
    {"MULTIPOINT ((1 2))", 1, 12, "points make no walls"},
    {"GEOMETRYCOLLECTION (POINT (1 2))", 1, 27, "points make no walls"},
    {"LINESTRING", 1, 11, "expected '(' or EMPTY, found the end"},
    {"LINESTRING Q (0 0, 1 2)", 1, 12, "expected '(' or EMPTY, found 'Q'"},
    {"LINESTRING (0 0, 1 2", 1, 21, "expected ',' or ')', found the end"},
    {"LINESTRING (0 0 1 2 3, 1 2)", 1, 21, "expected ',' or ')', found '3'"},
    {"LINESTRING (0 0; 1 2)", 1, 16, "expected ',' or ')', found ';'"},
    {"LINESTRING (0 0, 1 2 3 4, 5 6)", 1, 22, "expected ',' or ')', found '3'"},
    {"LINESTRING (0 0 9, 1 2)", 1, 23, "expected a number, found ')'"},
    {"LINESTRING (0, 1 2)", 1, 14, "expected a number, found ','"},
    {"LINESTRING ()", 1, 13, "expected a number, found ')'"},
    {"LINESTRING (0 0, nan 2)", 1, 18, "expected a number, found 'nan'"},
    {"LINESTRING (0 0, 1-2)", 1, 18, "expected a number, found '1-2'"},
    {"LINESTRING (0 0, 1 2e)", 1, 20, "expected a number, found '2e'"},
    {"LINESTRING (0 0, 1 .)", 1, 20, "expected a number, found '.'"},
    {"LINESTRING (0 0, 1 1e999)", 1, 20, "expected a number, found '1e999'"},
    {"LINESTRING (0 0,\n 1 --2)", 2, 4, "expected a number, found '--2'"},
    {"LINESTRING Z (0 0, 1 2 3)", 1, 18, "expected a number, found ','"},
    {"LINESTRING M (0 0 1 2, 1 2 3)", 1, 21, "expected ',' or ')', found '2'"},
    {"LINESTRING (1 2)", 1, 12, "at least 2 points, this one has 1"},
    {"POLYGON ((0 0, 4 0, 0 0))", 1, 10, "at least 4 points"},
    {"POLYGON (EMPTY)", 1, 10, "at least 4 points"},
    {"POLYGON ((0 0, 4 0, 4 3, 0 3))", 1, 10, "not closed: it begins at (0, 0) and ends at (0, 3)"},
    {"POLYGON (" SQUARE ",\n  (1 1, 2 1, 2 2, 1.5 1))", 2, 3, "not closed"},
    {"POLYGON (0 0, 4 0, 4 3, 0 0)", 1, 10, "expected '(' or EMPTY, found '0'"},
    {"LINESTRING (0 0, 1 2) x", 1, 23, "found 'x'"},
    {"LINESTRING (0 0, 1 2))", 1, 22, "found ')'"},
    {"SRID=4326 LINESTRING (0 0, 1 2)", 1, 11, "expected ';'"},
    {"SRID;LINESTRING (0 0, 1 2)", 1, 5, "expected '='"},
    {"GEOMETRYCOLLECTION (SRID=1;LINESTRING (0 0, 1 2))", 1, 21, "found 'SRID'"},
    {"LINESTRING (0 0, 449000.5 5412000)", 1, 18,
     "(449000.5, 5412000) is more than 30000 m from the origin (0, 0) in x or y; set the scene's "
     "origin near it, such as [449000, 5412000]"},
};

static void testAccepted(void** state)
{
    (void)state;
    assertAccepted(thiReadWkt, accepted, sizeof accepted / sizeof accepted[0]);
}

static void testRejected(void** state)
{
    (void)state;
    assertRejected(thiReadWkt, rejected, sizeof rejected / sizeof rejected[0]);
}

static void testTruncated(void** state)
{
    (void)state;
    assertTruncated(thiReadWkt,
                    "SRID=1;GEOMETRYCOLLECTION Z (MULTIPOLYGON (((0 0 1, 4 0 1, 4 3.5e0 1, 0 0 1), "
                    "(1 1 1, 2 1 1, 2 2 1, 1 1 1))), LINESTRING EMPTY);MULTILINESTRING((0 0,1 1))");
}

// The origin is taken off before anything is rounded.
static void testOrigin(void** state)
{
    (void)state;
    thMemory memory;
    thError error = {0};
    thiMemoryInit(&memory, NULL, 0);
    thGeometry geometry = thiGeometry(&memory, (thCoord){449000.0, 5412000.0}, &error);
    const char* text = "LINESTRING (449000.125 5412000.25, 448999 5411999)";
    assert_int_equal(thiReadWkt(text, strlen(text), &geometry), th_resultOk);
    const thCoord* points = TH_ITEMS(geometry.points, thCoord);
    assert_true(points[0].x == 0.125 && points[0].y == 0.25);
    assert_true(points[1].x == -1.0 && points[1].y == -1.0);
    thiGeometryFree(&geometry);
}

static thResult readAll(const char* text, size_t size, thError* error, int32_t* points)
{
    thMemory memory;
    thiMemoryInit(&memory, NULL, 0);
    thGeometry geometry = thiGeometry(&memory, (thCoord){0.0, 0.0}, error);
    const thResult code = thiReadWkt(text, size, &geometry);
    *points = geometry.points.count;
    thiGeometryFree(&geometry);
    return code;
}

// Collections up to the limit, and one deeper.
static void testDepth(void** state)
{
    (void)state;
    for (int32_t depth = TH_GEOMETRY_DEPTH; depth <= TH_GEOMETRY_DEPTH + 1; ++depth) {
        char text[4096] = "";
        thError error = {0};
        int32_t points;
        for (int32_t i = 0; i < depth; ++i)
            strcat(text, "GEOMETRYCOLLECTION(");
        strcat(text, "LINESTRING(0 0,1 1)");
        for (int32_t i = 0; i < depth; ++i)
            strcat(text, ")");
        const bool fits = depth <= TH_GEOMETRY_DEPTH;
        assert_int_equal(readAll(text, strlen(text), &error, &points),
                         fits ? th_resultOk : th_resultSyntax);
        assert_true(fits || strstr(error.text, "deeper than") != NULL);
    }
}

// What is too much is refused, not read until memory is out.
static void testLimits(void** state)
{
    (void)state;
    const size_t size = (size_t)4 * (TH_GEOMETRY_POINTS + 8);
    char* text = malloc(size);
    assert_non_null(text);
    memcpy(text, "LINESTRING (", 12);
    for (size_t i = 12; i + 4 <= size; i += 4)
        memcpy(text + i, "0 0,", 4);
    thError error = {0};
    int32_t points;
    assert_int_equal(readAll(text, size, &error, &points), th_resultSyntax);
    assert_string_equal(error.text, "the file has more than 4194304 points");
    assert_int_equal(points, TH_GEOMETRY_POINTS);

    memcpy(text, "POLYGON ((  ", 12); // of one ring
    const size_t corners = 70000;
    memcpy(text + 12 + 4 * (corners - 1), "0 0))", 5);
    assert_int_equal(readAll(text, 12 + 4 * (corners - 1) + 5, &error, &points), th_resultSyntax);
    assert_string_equal(error.text, "the ring has 69999 corners, expected at most 65536");

    memset(text, '1', size); // a number without an end
    memcpy(text, "LINESTRING (", 12);
    assert_int_equal(readAll(text, size, &error, &points), th_resultSyntax);
    assert_string_equal(error.text, "expected a number, found '11111111111111111111111111111111'…");
    free(text);
}

static void testLocale(void** state)
{
    (void)state;
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL)
        return;
    assertAccepted(thiReadWkt, accepted, sizeof accepted / sizeof accepted[0]);
    setlocale(LC_ALL, "C");
}

// Through files.

static void writeFile(const char* path, const char* text)
{
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void testFiles(void** state)
{
    (void)state;
    static const struct {
        const char* name;
        const char* text;
        thResult code;
        int32_t line;
        const char* says;
    } cases[] = {
        {"test_wkt_file.WKT", "LINESTRING (0 0, 1 2)", th_resultOk, 0, ""},
        {"test_wkt_file.json", "{\"type\":\"LineString\",\"coordinates\":[[0,0],[1,2]]}",
         th_resultOk, 0, ""},
        {"test_wkt_file.GeoJSON", "\n{}", th_resultSyntax, 2, "'type' is missing"},
        {"test_wkt_file.wkt", "\nLINESTRING (0 0)", th_resultSyntax, 2, "at least 2 points"},
        {"test_wkt_file.txt", "LINESTRING (0 0, 1 2)", th_resultSyntax, 0, ".json or .map"},
        {"test_wkt_file.map", "type octile\nheight 1\nwidth 1\nmap\n.", th_resultOk, 0, ""},
        {"test_wkt_missing.wkt", NULL, th_resultFile, 0, "cannot read the file: "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        thMemory memory;
        thError error;
        thiMemoryInit(&memory, NULL, 0);
        thGeometry geometry = thiGeometry(&memory, (thCoord){0.0, 0.0}, &error);
        if (cases[i].text != NULL)
            writeFile(cases[i].name, cases[i].text);
        assert_int_equal(thiReadGeometryFile(cases[i].name, &geometry), cases[i].code);
        assert_string_equal(error.file, cases[i].name);
        assert_int_equal(error.line, cases[i].line);
        assert_non_null(strstr(error.text, cases[i].says));
        thiGeometryFree(&geometry);
        assert_int_equal(memory.bytes, 0);
        remove(cases[i].name);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testAccepted),  cmocka_unit_test(testRejected),
        cmocka_unit_test(testTruncated), cmocka_unit_test(testOrigin),
        cmocka_unit_test(testDepth),     cmocka_unit_test(testLimits),
        cmocka_unit_test(testLocale),    cmocka_unit_test(testFiles),
    };
    return RUN_TESTS(tests, argc, argv);
}
