// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Walls from GeoJSON: what is read, what is refused and what is said of it.

#include "scene/walls/geometry.h"
#include "scene/walls/geometry_gear.h"

#define RING "[[0,0],[4,0],[4,3],[0,3],[0,0]]"
#define OUTER "outer 0,0 4,0 4,3 0,3"
#define LINE "{\"type\": \"LineString\", \"coordinates\": [[0,0],[1,2]]}"
#define OF(type, coordinates) "{\"type\": \"" type "\", \"coordinates\": " coordinates "}"

static const Accepted accepted[] = {
    {LINE, "line 0,0 1,2"},
    {OF("LineString", "[[0,0,7],[1,2,7,8]]"), "line 0,0 1,2"},
    {OF("LineString", "[]"), ""},
    {OF("Polygon", "[" RING "]"), OUTER},
    {OF("Polygon", "[" RING ", [[1,1],[2,1],[2,2],[1,1]]]"), OUTER "; hole 1,1 2,1 2,2"},
    {OF("Polygon", "[]"), ""},
    {OF("MultiLineString", "[[[0,0],[1,2]], [[3,4],[5,6]]]"), "line 0,0 1,2; line 3,4 5,6"},
    {OF("MultiPolygon", "[[" RING "], [[[9,9],[10,9],[9,10],[9,9]]]]"),
     OUTER "; outer 9,9 10,9 9,10"},
    {"{\"type\": \"GeometryCollection\", \"geometries\": [" LINE ", " LINE "]}",
     "line 0,0 1,2; line 0,0 1,2"},
    {"{\"type\": \"GeometryCollection\", \"geometries\": []}", ""},
    {"{\"type\": \"Feature\", \"properties\": {\"a\": [1]}, \"geometry\": " LINE "}",
     "line 0,0 1,2"},
    {"{\"type\": \"Feature\", \"geometry\": null}", ""},
    {"{\"type\": \"FeatureCollection\", \"crs\": {}, \"features\": [{\"type\": \"Feature\", "
     "\"geometry\": " LINE
     "}, {\"type\": \"Feature\", \"geometry\": " OF("Polygon", "[" RING "]") "}]}",
     "line 0,0 1,2; " OUTER},
    {"\xef\xbb\xbf" LINE, "line 0,0 1,2"},
};

static const Rejected rejected[] = {
    {"", 1, 1, ""},
    {"[1]", 1, 1, "expected a GeoJSON object, found an array"},
    {"{}", 1, 1, "'type' is missing"},
    {"{\"type\": 3}", 1, 10, "type: expected the name of a GeoJSON type, found a number"},
    {"{\"type\": \"Topology\"}", 1, 10, "'Topology' is no type of GeoJSON"},
    {"{\"type\": \"LineString\"}", 1, 1, "'coordinates' is missing"},
    {"{\"type\": \"Feature\"}", 1, 1, "'geometry' is missing"},
    {"{\"type\": \"FeatureCollection\"}", 1, 1, "'features' is missing"},
    {"{\"type\": \"FeatureCollection\", \"features\": 1}", 1, 43,
     "features: expected an array, found a number"},
    {"{\"type\": \"FeatureCollection\",\n \"features\": [null]}", 2, 15,
     "features[0]: expected a GeoJSON object, found null"},
    {OF("Point", "[1,2]"), 1, 34, "points make no walls"},
    {OF("MultiPoint", "[[1,2]]"), 1, 39, "points make no walls"},
    {OF("LineString", "7"), 1, 39, "coordinates: expected an array of positions [x, y]"},
    {OF("LineString", "[[0,0],[1]]"), 1, 46,
     "coordinates[1]: expected a position [x, y], found an array"},
    {OF("LineString", "[[0,0],[1,\"2\"]]"), 1, 46, "expected a position"},
    {OF("LineString", "[0,0]"), 1, 40, "expected a position [x, y], found a number"},
    {OF("LineString", "[[0,0]]"), 1, 39, "at least 2 points"},
    {OF("Polygon", "[[]]"), 1, 37, "at least 4 points"},
    {OF("Polygon", "[3]"), 1, 37, "expected an array of positions"},
    {OF("Polygon", "{}"), 1, 36, "expected an array of rings, found an object"},
    {OF("Polygon", "[[[0,0],[4,0],[4,3],[0,3]]]"), 1, 37, "not closed"},
    {OF("MultiPolygon", "[3]"), 1, 42, "expected an array of rings"},
    {OF("LineString", "[[0,0],[99999,0]]"), 1, 46, "such as [99999, 0]"},
    {"{\"type\": \"LineString\", \"coordinates\": [[0,0],[1,2]}", 1, 51, "expected ',' or ']'"},
};

static void testAccepted(void** state)
{
    (void)state;
    assertAccepted(thiReadGeoJson, accepted, sizeof accepted / sizeof accepted[0]);
}

static void testRejected(void** state)
{
    (void)state;
    assertRejected(thiReadGeoJson, rejected, sizeof rejected / sizeof rejected[0]);
}

static void testTruncated(void** state)
{
    (void)state;
    assertTruncated(
        thiReadGeoJson,
        "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\","
        "\"geometry\":{\"type\":\"GeometryCollection\",\"geometries\":["
        "{\"type\":\"MultiPolygon\",\"coordinates\":[[[[0,0],[4,0],[4,3],[0,0]]]]}]}}]}");
}

// The nesting that the JSON reader allows ends collections too.
static void testDepth(void** state)
{
    (void)state;
    char text[16384] = "";
    for (int32_t i = 0; i < 100; ++i)
        strcat(text, "{\"type\":\"GeometryCollection\",\"geometries\":[");
    thMemory memory;
    thError error = {0};
    thiMemoryInit(&memory, NULL, 0);
    thGeometry geometry = thiGeometry(&memory, (thCoord){0.0, 0.0}, &error);
    assert_int_equal(thiReadGeoJson(text, strlen(text), &geometry), th_resultFull);
    thiGeometryFree(&geometry);
    assert_int_equal(memory.bytes, 0);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testAccepted),
        cmocka_unit_test(testRejected),
        cmocka_unit_test(testTruncated),
        cmocka_unit_test(testDepth),
    };
    return RUN_TESTS(tests, argc, argv);
}
