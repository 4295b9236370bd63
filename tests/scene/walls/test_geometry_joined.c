// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Polygons of a file that touch, overlap or lie in each other, put together.

#include "scene/walls/geometry.h"
#include "scene/walls/geometry_gear.h"

#define SQUARE(low, high)                                                                          \
    "(" low " " low ", " high " " low ", " high " " high ", " low " " high ", " low " " low ")"

static thResult readWalkable(const char* text, size_t size, thGeometry* geometry)
{
    const thResult code = thiReadWkt(text, size, geometry);
    return code == th_resultOk ? thiJoinPolygons(geometry, false) : code;
}

static thResult readSolid(const char* text, size_t size, thGeometry* geometry)
{
    const thResult code = thiReadWkt(text, size, geometry);
    return code == th_resultOk ? thiJoinPolygons(geometry, true) : code;
}

// Rings that were put together run with the solid to their left.
#define BIG "outer 0,0 20,0 20,20 0,20"
#define JOINED_BIG "outer 0,0 0,20 20,20 20,0"

static const Accepted walkable[] = {
    {"POLYGON EMPTY", ""},
    // One in the other, in either order, with a hole that does not matter, and three in a row.
    {"POLYGON (" SQUARE("0", "20") "); POLYGON (" SQUARE("2", "6") ")", JOINED_BIG},
    {"POLYGON (" SQUARE("2", "6") "); POLYGON (" SQUARE("0", "20") ")", JOINED_BIG},
    {"POLYGON (" SQUARE("2", "6") ", " SQUARE("3", "4") "); POLYGON (" SQUARE("0", "20") ")",
     JOINED_BIG},
    {"POLYGON (" SQUARE("2", "6") "); POLYGON (" SQUARE("0", "20") "); POLYGON (" SQUARE("3",
                                                                                         "4") ")",
     JOINED_BIG},
    // Apart: as they are. The same twice.
    {"POLYGON (" SQUARE("0", "20") "); POLYGON (" SQUARE("30", "31") ")",
     BIG "; outer 30,30 31,30 31,31 30,31"},
    {"POLYGON (" SQUARE("0", "20") "); POLYGON (" SQUARE("0", "20") ")", JOINED_BIG},
    // An edge in common, a part of one, one a little off (by 0.3 mm), and overlaps.
    {"POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0)); POLYGON ((4 0, 8 0, 8 4, 4 4, 4 0))",
     "outer 0,0 0,4 4,4 8,4 8,0 4,0"},
    {"POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0)); POLYGON ((4 1, 8 1, 8 3, 4 3, 4 1))",
     "outer 0,0 0,4 4,4 4,3 8,3 8,1 4,1 4,0"},
    {"POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0)); POLYGON ((4.0003 1, 8 1, 8 3, 4.0003 3, 4.0003 1))",
     "outer 0,0 0,4 4,4 4.00030518,3 8,3 8,1 4.00030518,1 4,0"},
    {"POLYGON (" SQUARE("0", "20") "); POLYGON (" SQUARE("19", "31") ")",
     "outer 0,0 0,20 19,20 19,31 31,31 31,19 20,19 20,0"},
    // Corners that touch: no way through.
    {"POLYGON (" SQUARE("0", "20") "); POLYGON (" SQUARE("20", "31") ")",
     "outer 20,20 20,31 31,31 31,20; " JOINED_BIG},
    // In a hole, which becomes two halves round it.
    {"POLYGON (" SQUARE("0", "20") ", " SQUARE("2", "9") "); POLYGON (" SQUARE("4", "5") ")",
     "hole 2,2 9,2 9,5 5,5 5,4 4,4 2,4; hole 2,4 4,4 4,5 5,5 9,5 9,9 2,9; " JOINED_BIG},
    // Across the edge of a hole, and all over it.
    {"POLYGON (" SQUARE("0", "20") ", " SQUARE("2", "9") "); POLYGON (" SQUARE("8", "11") ")",
     "hole 2,2 9,2 9,8 8,8 8,9 2,9; " JOINED_BIG},
    {"POLYGON (" SQUARE("0", "20") ", " SQUARE("2", "9") "); POLYGON (" SQUARE("1", "11") ")",
     JOINED_BIG},
    // A ring that is none stays, and is told later; lines stay.
    {"POLYGON ((0 0, 4 4, 4 0, 0 4, 0 0)); POLYGON (" SQUARE("0", "20") ")",
     "outer 0,0 4,4 4,0 0,4; " BIG},
    {"POLYGON (" SQUARE("0", "20") "); LINESTRING (1 1, 2 2)", BIG "; line 1,1 2,2"},
};

static const Accepted solid[] = {
    {"POLYGON (" SQUARE("0", "20") "); POLYGON (" SQUARE("0", "20") ")", BIG "; " BIG},
    {"POLYGON (" SQUARE("0", "20") ", " SQUARE("5", "9") ")",
     "outer 0,0 20,0 20,9 9,9 9,5 5,5 0,5; outer 0,5 5,5 5,9 9,9 20,9 20,20 0,20"},
    // A yard that touches the outline.
    {"POLYGON (" SQUARE("0", "20") ", (0 5, 4 4, 4 6, 0 5))",
     "outer 0,0 20,0 20,6 4,6 4,4 0,5; outer 0,5 4,6 20,6 20,20 0,20"},
};

static void testJoined(void** state)
{
    (void)state;
    assertAccepted(readWalkable, walkable, sizeof walkable / sizeof walkable[0]);
    assertAccepted(readSolid, solid, sizeof solid / sizeof solid[0]);
}

static void testNoMemory(void** state)
{
    (void)state;
    assertTruncated(readWalkable, "POLYGON (" SQUARE("0", "20") ");POLYGON (" SQUARE("2", "6") ")");
    assertTruncated(readSolid, "POLYGON (" SQUARE("0", "20") "," SQUARE("2", "6") ")");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testJoined),
                                       cmocka_unit_test(testNoMemory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
