// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Which polygons of a file add nothing to the others.

#include "scene/walls/geometry.h"
#include "scene/walls/geometry_gear.h"

#define SQUARE(low, high)                                                                          \
    "(" low " " low ", " high " " low ", " high " " high ", " low " " high ", " low " " low ")"

static thResult readNested(const char* text, size_t size, thGeometry* geometry)
{
    const thResult code = thiReadWkt(text, size, geometry);
    return code == th_resultOk ? thiDropNestedPolygons(geometry) : code;
}

#define BIG "outer 0,0 20,0 20,20 0,20"

static const Accepted cases[] = {
    {"POLYGON EMPTY", ""},
    // One in the other, in either order, with a hole that does not matter, and three in a row.
    {"POLYGON (" SQUARE("0", "20") "); POLYGON (" SQUARE("2", "6") ")", BIG},
    {"POLYGON (" SQUARE("2", "6") "); POLYGON (" SQUARE("0", "20") ")", BIG},
    {"POLYGON (" SQUARE("2", "6") ", " SQUARE("3", "4") "); POLYGON (" SQUARE("0", "20") ")", BIG},
    {"POLYGON (" SQUARE("2", "6") "); POLYGON (" SQUARE("0", "20") "); POLYGON (" SQUARE("3",
                                                                                         "4") ")",
     BIG},
    // Apart, and across an edge, and with an edge in common.
    {"POLYGON (" SQUARE("0", "20") "); POLYGON (" SQUARE("30", "31") ")",
     BIG "; outer 30,30 31,30 31,31 30,31"},
    {"POLYGON (" SQUARE("0", "20") "); POLYGON (" SQUARE("19", "31") ")",
     BIG "; outer 19,19 31,19 31,31 19,31"},
    {"POLYGON (" SQUARE("0", "20") "); POLYGON (" SQUARE("0", "2") ")",
     BIG "; outer 0,0 2,0 2,2 0,2"},
    // The same twice.
    {"POLYGON (" SQUARE("0", "20") "); POLYGON (" SQUARE("0", "20") ")", BIG "; " BIG},
    // In a hole, across its edge, and round it: all of them add something.
    {"POLYGON (" SQUARE("0", "20") ", " SQUARE("2", "9") "); POLYGON (" SQUARE("4", "5") ")",
     BIG "; hole 2,2 9,2 9,9 2,9; outer 4,4 5,4 5,5 4,5"},
    {"POLYGON (" SQUARE("0", "20") ", " SQUARE("2", "9") "); POLYGON (" SQUARE("8", "11") ")",
     BIG "; hole 2,2 9,2 9,9 2,9; outer 8,8 11,8 11,11 8,11"},
    {"POLYGON (" SQUARE("0", "20") ", " SQUARE("2", "9") "); POLYGON (" SQUARE("1", "11") ")",
     BIG "; hole 2,2 9,2 9,9 2,9; outer 1,1 11,1 11,11 1,11"},
    // Lines stay.
    {"LINESTRING (1 1, 2 2); POLYGON (" SQUARE("0", "20") ")", "line 1,1 2,2; " BIG},
};

static void testNested(void** state)
{
    (void)state;
    assertAccepted(readNested, cases, sizeof cases / sizeof cases[0]);
}

static void testNoMemory(void** state)
{
    (void)state;
    assertTruncated(readNested, "POLYGON (" SQUARE("0", "20") ");POLYGON (" SQUARE("2", "6") ")");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testNested),
                                       cmocka_unit_test(testNoMemory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
