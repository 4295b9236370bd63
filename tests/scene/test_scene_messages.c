// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What errors say, word for word, and checks that look at more than one value.

#include "gear/method_names.h"
#include "scene/scene_gear.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct Case {
    const char* members; // of the root, after `throng`
    const char* path;
    const char* says;
} Case;

static void checkCases(const Case* cases, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        char text[1024];
        snprintf(text, sizeof text, "{\"throng\": 1, %s}", cases[i].members);
        assertError(text, cases[i].path, cases[i].says);
    }
}

#define CHECK_CASES(cases) checkCases(cases, sizeof cases / sizeof cases[0])

static void testValues(void** state)
{
    (void)state;
    const Case cases[] = {
        {"\"time\": {\"step\": 12}", "time.step", "12 is out of range, expected 0.001 .. 10 s"},
        {"\"time\": {\"step\": \"fast\"}", "time.step", "expected a number, found \"fast\""},
        {"\"time\": {\"step\": null}", "time.step", "expected a number, found null"},
        {"\"time\": []", "time", "expected an object, found an array of 0"},
        {"\"seed\": 1.5", "seed", "expected a whole number, found 1.5"},
        {"\"seed\": {}", "seed", "expected a whole number, found an object"},
        {"\"seed\": 9007199254740992", "seed",
         "9007199254740992 is out of range, expected 0 .. 9007199254740991"},
        {"\"contacts\": 1", "contacts", "expected true or false, found 1"},
        {"\"about\": true", "about", "expected text, found true"},
        {"\"origin\": [1]", "origin", "expected two numbers [x, y], found an array of 1"},
    };
    CHECK_CASES(cases);
    assertError("[]", "", "expected an object, found an array of 0");
    assertError("{}", "", "needs \"throng\": 1, the version of the format");
    assertError("{\"throng\": \"1\"}", "throng", "expected the number 1, found \"1\"");
    assertError("{\"throng\": 2, \"time\": 7}", "throng",
                "the scene is of format 2, this program reads format 1");
    assertError(
        "{\"throng\": 1, \"about\": \"This is a long text that nobody wants to see in "
        "full in a message\", \"seed\": "
        "\"This is a long text that nobody wants to see in full in a message\"}",
        "seed",
        "expected a whole number, found \"This is a long text that nobody wants to see...\"");
}

static void testKeys(void** state)
{
    (void)state;
    const Case cases[] = {
        {"\"tme\": {}", "tme", "unknown key 'tme'; did you mean 'time'?"},
        {"\"time\": {\"xyz\": 1}", "time.xyz", "unknown key 'xyz', expected: step, end"},
        {"\"time\": {\"step\": 1, \"end\": {}, \"xyz\": 1}", "time.xyz",
         "unknown key 'xyz', expected none"},
        {"\"walls\": [{}]", "walls[0]", "needs one of: polyline, polygon, room, box, file"},
        {"\"walls\": [{\"box\": [[0, 0], [1, 1]], \"file\": \"a.wkt\"}]", "walls[0].file",
         "'file' and 'box' exclude each other"},
        {"\"walls\": [{\"box\": [[0, 0], [1, 1]], \"polygons\": \"solid\"}]", "walls[0].polygons",
         "only goes with 'file'"},
        {"\"goals\": {\"a\": {\"disc\": [0, 0]}}", "goals.a", "needs radius"},
        {"\"goals\": {\"a\": {\"circle\": [0, 0], \"radius\": 1}}", "goals.a.circle",
         "unknown key 'circle'; did you mean 'disc'?"},
        {"\"goals\": {\"a\": {\"point\": [0, 0], \"radius\": 1}}", "goals.a.radius",
         "only goes with 'disc'"},
        {"\"goals\": {\"a b\": {\"random\": 1}}", "goals[\"a b\"].random",
         "unknown key 'random', expected: point, disc, radius, segment, polygon, box, nearest, "
         "list, offset, repeat"},
        {"\"agents\": [{\"grid\": {\"rows\": 2}}]", "agents[0].grid",
         "needs from, columns, spacing"},
        {"\"agents\": [{\"count\": 3}]", "agents[0]", "needs one of: at, in, grid, circle, source"},
    };
    CHECK_CASES(cases);
}

static void testWords(void** state)
{
    (void)state;
    const Case cases[] = {
        {"\"agents\": [{\"at\": [0, 0], \"arrive\": \"leeve\"}]", "agents[0].arrive",
         "expected one of: stop, leave, again; did you mean 'leave'?"},
        {"\"agents\": [{\"at\": [0, 0], \"arrive\": \"explode\"}]", "agents[0].arrive",
         "expected one of: stop, leave, again, found \"explode\""},
        {"\"walls\": [{\"file\": \"a.wkt\", \"polygons\": 1}]", "walls[0].polygons",
         "expected one of: solid, walkable, found 1"},
        {"\"walls\": [{\"file\": \"a.dxf\"}]", "walls[0].file",
         "expected a name that ends in .wkt, .geojson, .json or .map, found \"a.dxf\""},
        {"\"doors\": [{\"segment\": [[0, 0], [1, 0]], \"name\": \"\"}]", "doors[0].name",
         "the name has 0 bytes, expected 1 .. 31"},
        {"\"agents\": [{\"at\": [0, 0], \"group\": \"a name that has thirty-two bytes\"}]",
         "agents[0].group", "the name has 32 bytes, expected 1 .. 31"},
        {"\"profiles\": {\"a name that has thirty-two bytes\": {}}",
         "profiles[\"a name that has thirty-two bytes\"]",
         "the name has 32 bytes, expected 1 .. 31"},
    };
    CHECK_CASES(cases);
}

static void testRepeats(void** state)
{
    (void)state;
    const Case cases[] = {
        {"\"walls\": [{\"box\": [[0, 0], [1, 1]], \"repeat\": {}}]", "walls[0].repeat",
         "needs columns, rows or around"},
        {"\"walls\": [{\"box\": [[0, 0], [1, 1]], \"repeat\": {\"columns\": 3}}]",
         "walls[0].repeat", "needs step"},
        {"\"walls\": [{\"box\": [[0, 0], [1, 1]], \"repeat\": {\"columns\": 0, \"step\": [2, "
         "0]}}]",
         "walls[0].repeat.columns", "0 is out of range, expected 1 .. 100000"},
        {"\"walls\": [{\"box\": [[0, 0], [1, 1]], \"repeat\": {\"rows\": 2, \"step\": [2, 0]}}]",
         "walls[0].repeat.step", "is 0 in y, so that copies are the same"},
        {"\"walls\": [{\"box\": [[0, 0], [1, 1]], \"repeat\": {\"columns\": 2, \"step\": [30000, "
         "0]}}]",
         "walls[0].repeat",
         "reaches to [30001, 1], expected at most 30000 m from the origin in x and y"},
        {"\"walls\": [{\"box\": [[0, 0], [1, 1]], \"repeat\": {\"columns\": 2000, \"rows\": 2000, "
         "\"step\": [2, 2]}}]",
         "walls[0].repeat", "makes 4000000 of one, expected at most 1000000"},
        {"\"walls\": [{\"file\": \"a.wkt\", \"repeat\": {\"columns\": 2, \"step\": [2, 2]}}]",
         "walls[0].repeat", "does not go with 'file'"},
        {"\"walls\": [{\"box\": [[0, 0], [1, 1]], \"repeat\": {\"around\": [5, 5]}}]",
         "walls[0].repeat", "needs count"},
        {"\"walls\": [{\"box\": [[0, 0], [1, 1]], \"repeat\": {\"count\": 5}}]", "walls[0].repeat",
         "needs around"},
        {"\"walls\": [{\"box\": [[0, 0], [1, 1]], \"repeat\": {\"columns\": 100000, \"step\": "
         "[0.1, 0], \"around\": [5, 5], \"count\": 100000}}]",
         "walls[0].repeat", "makes 10000000000 of one, expected at most 1000000"},
        {"\"walls\": [{\"box\": [[20000, 0], [20003, 4]], \"repeat\": {\"around\": [-10000, 0], "
         "\"count\": 5}}]",
         "walls[0].repeat",
         "reaches to [-40000, 30000], expected at most 30000 m from the origin in x and y"},
        {"\"agents\": [{\"at\": [1, 2], \"repeat\": {\"around\": [1, 2], \"count\": 0}}]",
         "agents[0].repeat.count", "0 is out of range, expected 2 .. 100000"},
        {"\"agents\": [{\"grid\": {\"from\": [0, 0], \"columns\": 3, \"rows\": 2, \"spacing\": 1}, "
         "\"repeat\": {\"rows\": 2, \"step\": [0, 30000]}}]",
         "agents[0].repeat",
         "reaches to [0, 30001], expected at most 30000 m from the origin in x and y"},
        {"\"agents\": [{\"circle\": {\"center\": [0, 0], \"radius\": 9, \"count\": 3}, "
         "\"repeat\": {\"columns\": 2, \"step\": [29995, 0]}}]",
         "agents[0].repeat",
         "reaches to [30004, -9], expected at most 30000 m from the origin in x and y"},
        {"\"agents\": [{\"in\": {\"box\": [[0, 0], [99, 99]]}, \"count\": 1000000, \"repeat\": "
         "{\"columns\": 200, \"step\": [100, 0]}}]",
         "agents", "200000000 agents in all, expected at most 134217728"},
        {"\"goals\": {\"a\": {\"offset\": [1, 2], \"repeat\": {\"around\": [1, 2], \"count\": 3}}}",
         "goals.a.repeat", "only goes with a shape"},
        {"\"goals\": {\"a\": {\"point\": [1, 2], \"repeat\": {\"around\": [0, 0], \"count\": 3}}, "
         "\"b\": {\"nearest\": [\"a\"]}}",
         "goals.b.nearest[0]", "'a' is repeated and has several places, expected a shape"},
    };
    CHECK_CASES(cases);
}

static void testNames(void** state)
{
    (void)state;
    const Case cases[] = {
        {"\"profiles\": {\"adult\": {}, \"child\": {}}, \"agents\": [{\"at\": [0, 0], "
         "\"profile\": \"adlut\"}]",
         "agents[0].profile", "no profile 'adlut'; did you mean 'adult'?"},
        {"\"profiles\": {\"adult\": {}, \"child\": {}}, \"agents\": [{\"at\": [0, 0]}]",
         "agents[0]", "needs 'profile', because there are 2 of them"},
        {"\"agents\": [{\"at\": [0, 0], \"profile\": \"adult\"}]", "agents[0].profile",
         "no profile 'adult'; there are: person"},
        {"\"agents\": [{\"at\": [0, 0], \"goal\": \"east\"}]", "agents[0].goal",
         "no goal 'east'; there are none"},
        {"\"goals\": {\"west\": {\"point\": [0, 0]}, \"north\": {\"point\": [0, 0]}}, \"agents\": "
         "[{\"at\": [0, 0], \"goal\": \"lift\"}]",
         "agents[0].goal", "no goal 'lift'; there are: west, north"},
        {"\"profiles\": {\"a\": {\"avoid\": \"orka\"}}", "profiles.a.avoid",
         "no avoid method 'orka'; did you mean 'orca'?"},
        {"\"profiles\": {\"a\": {\"plan\": {\"magic\": {}}}}", "profiles.a.plan.magic",
         withMethodNames("no plan method 'magic'; there are: ", th_methodPlan, "")},
        {"\"profiles\": {\"a\": {\"avoid\": {\"orca\": {}, \"none\": {}}}}", "profiles.a.avoid",
         "expected one method with its parameters, found 2"},
        {"\"profiles\": {\"a\": {\"avoid\": {\"orca\": {\"horizn\": 1}}}}",
         "profiles.a.avoid.orca.horizn", "unknown key 'horizn'; did you mean 'horizon'?"},
        {"\"profiles\": {\"a\": {\"avoid\": {\"orca\": {\"horizon\": 0}}}}",
         "profiles.a.avoid.orca.horizon", "0 is out of range, expected 0.01 .. 100 s"},
        {"\"profiles\": {\"a\": {\"avoid\": {\"rvo\": {\"kernel\": \"flatt\"}}}}",
         "profiles.a.avoid.rvo.kernel",
         "expected one of: auto, flat, nested; did you mean 'flat'?"},
        {"\"profiles\": {\"a\": {\"avoid\": {\"rvo\": {\"kernel\": 1}}}}",
         "profiles.a.avoid.rvo.kernel", "expected one of: auto, flat, nested, found 1"},
        {"\"profiles\": {\"a\": {\"avoid\": {\"none\": {\"x\": 0}}}}", "profiles.a.avoid.none.x",
         "unknown key 'x', expected none"},
    };
    CHECK_CASES(cases);
}

static void testRoadmaps(void** state)
{
    (void)state;
    const Case cases[] = {
        {"\"roadmaps\": []", "roadmaps",
         "expected an object of named roadmaps, found an array of 0"},
        {"\"roadmaps\": {\"a\": {}}", "roadmaps.a",
         "needs one of: nodes, streets, grid, random, medial"},
        {"\"roadmaps\": {\"a\": {\"nodes\": []}}", "roadmaps.a.nodes",
         "has 0 nodes, expected 1 .. 4194304"},
        {"\"roadmaps\": {\"a\": {\"nodes\": [[0, 0], 3]}}", "roadmaps.a.nodes[1]",
         "expected a point [x, y] or a segment [[x, y], [x, y]], found 3"},
        {"\"roadmaps\": {\"a\": {\"nodes\": [[0, 0], [[1, 1], [1, 1]]]}}", "roadmaps.a.nodes[1]",
         "has no length: all points are the same"},
        {"\"roadmaps\": {\"a\": {\"nodes\": [[0, 0], [1, 40000]]}}", "roadmaps.a.nodes[1][1]",
         "40000 is out of range, expected -30000 .. 30000 m; set 'origin' near the places"},
        {"\"roadmaps\": {\"a\": {\"nodes\": [[0, 0], [1, 1]], \"edges\": [[0, 1], [1, 2]]}}",
         "roadmaps.a.edges[1]", "there is no node 2, expected 0 .. 1"},
        {"\"roadmaps\": {\"a\": {\"nodes\": [[0, 0], [1, 1]], \"edges\": [[1, 1]]}}",
         "roadmaps.a.edges[0]", "joins node 1 to itself"},
        {"\"roadmaps\": {\"a\": {\"nodes\": [[0, 0], [1, 1]], \"edges\": [[0, 0.5]]}}",
         "roadmaps.a.edges[0]", "expected whole numbers of nodes"},
        {"\"roadmaps\": {\"a\": {\"nodes\": [[0, 0], [1, 1]], \"edges\": []}}", "roadmaps.a.edges",
         "needs at least 1 pair, has 0"},
        {"\"roadmaps\": {\"a\": {\"medial\": {}, \"edges\": [[0, 1]]}}", "roadmaps.a.edges",
         "only goes with 'nodes'"},
        {"\"roadmaps\": {\"a\": {\"streets\": {\"from\": [0, 0], \"columns\": 3000, \"rows\": "
         "3000, \"spacing\": 1}}}",
         "roadmaps.a.streets", "has 9000000 crossings, expected at most 4194304"},
        {"\"roadmaps\": {\"a\": {\"streets\": {\"from\": [0, 0], \"columns\": 31, \"rows\": 2, "
         "\"spacing\": 1001}}}",
         "roadmaps.a.streets",
         "reaches to [30030, 1001], expected at most 30000 m from the origin in x and y"},
        {"\"roadmaps\": {\"a\": {\"grid\": {\"box\": [[0, 0], [200, 200]], \"side\": 0.05}}}",
         "roadmaps.a.grid", "has 16016004 cells, expected at most 4194304"},
        {"\"roadmaps\": {\"a\": {\"grid\": {\"box\": [[0, 0], [0, 9]]}}}", "roadmaps.a.grid.box",
         "has no area"},
        {"\"roadmaps\": {\"town\": {\"medial\": {}}}, \"profiles\": {\"p\": {\"plan\": "
         "{\"roadmap\": {\"graph\": \"twon\"}}}}",
         "profiles.p.plan.roadmap.graph", "no roadmap 'twon'; did you mean 'town'?"},
        {"\"profiles\": {\"p\": {\"plan\": {\"roadmap\": {\"graph\": \"town\"}}}}",
         "profiles.p.plan.roadmap.graph", "no roadmap 'town'; there are none"},
        {"\"profiles\": {\"p\": {\"avoid\": {\"steer\": {\"path\": \"ring\"}}}}",
         "profiles.p.avoid.steer.path", "no roadmap 'ring'; there are none"},
        {"\"profiles\": {\"p\": {\"plan\": {\"steer\": {\"seek\": -1}}}}",
         "profiles.p.plan.steer.seek", "-1 is out of range, expected 0 .. 100 1/s"},
        {"\"profiles\": {\"p\": {\"plan\": \"roadmap\"}}", "profiles.p.plan",
         "needs a roadmap: describe one in 'roadmaps'"},
        {"\"roadmaps\": {\"a\": {\"medial\": {}}, \"b\": {\"medial\": {}}}, \"profiles\": {\"p\": "
         "{\"plan\": {\"roadmap\": {\"trees\": 3}}}}",
         "profiles.p.plan.roadmap", "needs 'graph', because there are 2 roadmaps"},
        {"\"roadmaps\": {\"a-name-of-thirty-two-bytes-01234\": {\"medial\": {}}}",
         "roadmaps.a-name-of-thirty-two-bytes-01234", "the name has 32 bytes, expected 1 .. 31"},
    };
    CHECK_CASES(cases);
}

static void testGoals(void** state)
{
    (void)state;
    const Case cases[] = {
        {"\"goals\": {\"opposite\": {\"point\": [0, 0]}}", "goals.opposite",
         "'opposite' is no name: it stands for a place by itself"},
        {"\"goals\": {\"a\": {\"list\": [\"a\"]}}", "goals.a.list[0]",
         "'a' cannot be part of itself"},
        {"\"goals\": {\"a\": {\"list\": [\"b\"]}, \"b\": {\"list\": [\"c\"]}, \"c\": {\"point\": "
         "[0, 0]}}",
         "goals.a.list[0]", "'b' is a list, expected a shape or a 'nearest'"},
        {"\"goals\": {\"a\": {\"nearest\": [\"b\"]}, \"b\": {\"offset\": [1, 1]}}",
         "goals.a.nearest[0]", "'b' is an offset, expected a shape"},
        {"\"goals\": {\"a\": {\"nearest\": []}}", "goals.a.nearest",
         "needs at least 1 name, has 0"},
        {"\"goals\": {\"a\": {\"nearest\": [\"c\"]}, \"b\": {\"nearest\": [\"a\"]}, \"c\": "
         "{\"point\": [0, 0]}}",
         "goals.b.nearest[0]", "'a' is a 'nearest', expected a shape"},
        {"\"agents\": [{\"at\": [0, 0], \"goal\": \"opposite\"}]", "agents[0].goal",
         "\"opposite\" needs 'in', 'grid', 'circle' or 'source', not 'at'"},
        {"\"agents\": [{\"at\": [0, 0], \"goal\": {\"list\": [\"opposite\"]}}]",
         "agents[0].goal.list[0]", "no goal 'opposite'; there are none"},
        {"\"agents\": [{\"at\": [0, 0], \"goal\": 3}]", "agents[0].goal",
         "expected a goal or the name of one, found 3"},
    };
    CHECK_CASES(cases);
    Errors errors; // two lists that hold each other: both are told of
    assert_null(
        loadText("{\"throng\": 1, \"goals\": {\"a\": {\"list\": [\"b\"]}, \"b\": {\"list\": "
                 "[\"a\"]}}}",
                 &errors));
    assert_int_equal(errors.count, 2);
}

static void testShapes(void** state)
{
    (void)state;
    const Case cases[] = {
        {"\"walls\": [{\"polyline\": [[0, 0]]}]", "walls[0].polyline",
         "needs at least 2 points, has 1"},
        {"\"walls\": [{\"polyline\": [[1, 2], [1, 2]]}]", "walls[0].polyline",
         "has no length: all points are the same"},
        {"\"walls\": [{\"polygon\": [[0, 0], [1, 1], [1, 0], [0, 1]]}]", "walls[0].polygon",
         "the edges that begin at its corners 0 and 2 cross or touch"},
        {"\"walls\": [{\"polygon\": [[0, 0], [4, 0], [4, 4], [1, -1], [0, 4], [0, 0]]}]",
         "walls[0].polygon", "the edges that begin at its corners 0 and 2 cross or touch"},
        {"\"walls\": [{\"room\": [[0, 0], [1, 1], [2, 2]]}]", "walls[0].room",
         "has no area, or its edges cross or touch"},
        {"\"walls\": [{\"box\": [[0, 0], [0, 5]]}]", "walls[0].box", "has no area"},
        {"\"walls\": [{\"box\": [[0, 0]]}]", "walls[0].box",
         "expected two points [[x, y], [x, y]], found an array of 1"},
        {"\"walls\": [{\"polyline\": [[0, 0], [0, 40000]]}]", "walls[0].polyline[1][1]",
         "40000 is out of range, expected -30000 .. 30000 m; set 'origin' near the places"},
        {"\"origin\": [500000, 0], \"walls\": [{\"polyline\": [[500000, 0], [0, 1]]}]",
         "walls[0].polyline[1][0]",
         "0 is out of range, expected 470000 .. 530000 m; set 'origin' near the places"},
        {"\"walls\": [{\"polyline\": [[0, 0], [1]]}]", "walls[0].polyline[1]",
         "expected a point [x, y], found an array of 1"},
        {"\"movers\": [{\"polygon\": [[0, 0], [2, 0], [1, 0.5], [1, 2]], \"at\": [0, 0]}]",
         "movers[0].polygon", "is not convex"},
        {"\"profiles\": {\"a\": {\"shape\": [[1, 0], [0, 1]]}}", "profiles.a.shape",
         "needs at least 3 points, has 2"},
        {"\"profiles\": {\"a\": {\"shape\": [[1, 0], [0, 1], [0, 101]]}}", "profiles.a.shape[2][1]",
         "101 is out of range, expected -100 .. 100 m"},
        {"\"profiles\": {\"a\": {\"shape\": [[1, 1], [0, 0], [-1, -1]]}}", "profiles.a.shape",
         "the points of the shape are on one line, expected some area"},
        {"\"profiles\": {\"a\": {\"shape\": [[1, 1], [2, 0], [1, -1]]}}", "profiles.a.shape",
         "the agent's position, (0, 0), is not inside of the shape"},
        {"\"movers\": [{\"disc\": 1, \"path\": [[0, 0], [0, 0]]}]", "movers[0].path",
         "has no length: all points are the same"},
        {"\"movers\": [{\"disc\": 1, \"at\": [0, 0], \"speed\": 1}]", "movers[0].speed",
         "only goes with 'path'"},
        {"\"doors\": [{\"segment\": [[0, 0], [0, 0]]}]", "doors[0].segment",
         "has no length: all points are the same"},
        {"\"measure\": {\"lines\": {\"a\": [[0, 0], [0, 0.000001]]}}", "measure.lines.a",
         "has no length: all points are the same"},
        {"\"measure\": {\"lines\": {\"a\": {\"segment\": [[2, 0], [2, 0]], \"capacity\": 1}}}",
         "measure.lines.a.segment", "has no length: all points are the same"},
        {"\"measure\": {\"lines\": {\"a\": {\"capacity\": 1}}}", "measure.lines.a",
         "needs segment"},
        {"\"measure\": {\"lines\": {\"a\": {\"segment\": [[0, 0], [2, 0]], \"capacty\": 1}}}",
         "measure.lines.a.capacty", "unknown key 'capacty'; did you mean 'capacity'?"},
        {"\"measure\": {\"lines\": {\"a\": {\"segment\": [[0, 0], [2, 0]], \"capacity\": -1}}}",
         "measure.lines.a.capacity", "-1 is out of range, expected 0 .. 1000000 1/(m s)"},
        {"\"agents\": [{\"at\": []}]", "agents[0].at", "needs at least 1 point, has 0"},
    };
    CHECK_CASES(cases);
}

static void testTimesAndDraws(void** state)
{
    (void)state;
    const Case cases[] = {
        {"\"doors\": [{\"segment\": [[0, 0], [1, 0]], \"open\": [[1, 2], [2, 3]]}]",
         "doors[0].open[1]", "begins before the one before it is over"},
        {"\"doors\": [{\"segment\": [[0, 0], [1, 0]], \"open\": [[2, 2]]}]", "doors[0].open[0]",
         "expected [from, to] with from before to"},
        {"\"profiles\": {\"a\": {\"speed\": {\"uniform\": [2, 1]}}}", "profiles.a.speed.uniform",
         "ends below where it begins"},
        {"\"profiles\": {\"a\": {\"speed\": {\"uniform\": [1, 21]}}}",
         "profiles.a.speed.uniform[1]", "21 is out of range, expected 0 .. 20 m/s"},
        {"\"profiles\": {\"a\": {\"speed\": {\"normal\": [1, 0]}}}", "profiles.a.speed.normal[1]",
         "0 is out of range, expected 0.000001 .. 20 m/s"},
        {"\"profiles\": {\"a\": {\"speed\": {\"normal\": [1, 1], \"min\": 2, \"max\": 2}}}",
         "profiles.a.speed", "min 2 is not below max 2"},
        {"\"profiles\": {\"a\": {\"speed\": {\"normal\": [1, 1], \"min\": 1.5}}}",
         "profiles.a.speed.normal", "the mean 1 is not between min 1.5 and max 4"},
        {"\"profiles\": {\"a\": {\"speed\": {\"uniform\": [1, 2], \"min\": 1.6}}}",
         "profiles.a.speed.uniform", "the mean 1.5 is not between min 1.6 and max 2"},
        {"\"profiles\": {\"a\": {\"speed\": {\"min\": 1}}}", "profiles.a.speed",
         "needs one of: uniform, normal, lognormal, gamma, weibull, table"},
        {"\"profiles\": {\"a\": {\"speed\": {\"gamma\": [0, 1]}}}", "profiles.a.speed.gamma[0]",
         "0 is out of range, expected 0.000001 .. 20 m/s"},
        {"\"profiles\": {\"a\": {\"speed\": {\"lognormal\": [1]}}}", "profiles.a.speed.lognormal",
         "expected two numbers [mean, deviation], found an array of 1"},
        {"\"profiles\": {\"a\": {\"speed\": {\"weibull\": [1, 0]}}}", "profiles.a.speed.weibull[1]",
         "0 is out of range, expected 0.1 .. 100"},
        {"\"profiles\": {\"a\": {\"speed\": {\"table\": [[1, 0]]}}}", "profiles.a.speed.table",
         "expected an array of 2 to 1000 rows [number, share], found an array of 1"},
        {"\"profiles\": {\"a\": {\"speed\": {\"table\": [[1, 0], [2, 0.9]]}}}",
         "profiles.a.speed.table[1]", "expected the last share to be 1"},
        {"\"profiles\": {\"a\": {\"speed\": {\"table\": [[1, 0.1], [2, 1]]}}}",
         "profiles.a.speed.table[0]", "expected the first share to be 0"},
        {"\"profiles\": {\"a\": {\"speed\": {\"table\": [[1, 0], [0.5, 1]]}}}",
         "profiles.a.speed.table[1]", "is below the row before"},
        {"\"profiles\": {\"a\": {\"speed\": {\"table\": [[1, 0], [1, 1]]}}}",
         "profiles.a.speed.table", "has only one number; write it without a table"},
        {"\"profiles\": {\"a\": {\"speed\": {\"table\": [[1, 0], [21, 1]]}}}",
         "profiles.a.speed.table[1][0]", "21 is out of range, expected 0 .. 20 m/s"},
        {"\"agents\": [{\"source\": {\"in\": {\"box\": [[0, 0], [1, 1]]}, \"rate\": 1, \"from\": "
         "5, "
         "\"to\": 5}}]",
         "agents[0].source.to", "is not after 'from'"},
    };
    CHECK_CASES(cases);
}

static void testCounts(void** state)
{
    (void)state;
    const Case cases[] = {
        {"\"agents\": [{\"circle\": {\"center\": [0, 0], \"radius\": 5, \"count\": "
         "1000000000000}}]",
         "agents[0].circle.count", "1000000000000 is out of range, expected 0 .. 10000000"},
        {"\"agents\": [{\"grid\": {\"from\": [0, 0], \"columns\": 100000, \"rows\": 100000, "
         "\"spacing\": 0.1}}]",
         "agents[0].grid", "has 10000000000 places, expected at most 134217728"},
        {"\"agents\": [{\"grid\": {\"from\": [0, 0], \"columns\": 10000, \"rows\": 10000, "
         "\"spacing\": 0.1}}, {\"grid\": {\"from\": [0, 0], \"columns\": 10000, \"rows\": 10000, "
         "\"spacing\": 0.1}}]",
         "agents", "200000000 agents in all, expected at most 134217728"},
        {"\"agents\": [{\"grid\": {\"from\": [0, 0], \"columns\": 2, \"rows\": 1000, \"spacing\": "
         "[1, 50]}}]",
         "agents[0].grid",
         "reaches to [1, 49950], expected at most 30000 m from the origin in x and y"},
        {"\"agents\": [{\"grid\": {\"from\": [0, 0], \"columns\": 1, \"rows\": 2, \"spacing\": "
         "0}}]",
         "agents[0].grid.spacing", "is 0 in y, so that places are the same"},
        {"\"agents\": [{\"circle\": {\"center\": [-29999, 0], \"radius\": 5, \"count\": 4}}]",
         "agents[0].circle",
         "reaches to [-30004, 5], expected at most 30000 m from the origin in x and y"},
        {"\"agents\": [{\"at\": [[0, 0], [0, 5], [0, 9]], \"id\": 3}, {\"at\": [1, 1], \"id\": 2}, "
         "{\"at\": [2, 1], \"id\": 5}]",
         "agents[2].id", "5 is already the id of an agent of agents[0]"},
        {"\"agents\": [{\"at\": [0, 0], \"id\": 4}, {\"at\": [[1, 1], [1, 3]], \"id\": 2, "
         "\"repeat\": {\"rows\": 2, \"step\": [0, 9]}}]",
         "agents[0].id", "4 is already the id of an agent of agents[1]"},
        {"\"agents\": [{\"at\": [[0, 0], [0, 5]], \"id\": 2147483647}]", "agents[0].id",
         "the last id would be 2147483648, expected at most 2147483647"},
    };
    CHECK_CASES(cases);
}

// What cannot be known because of an error is not reported as another.
static void testNoFollowUps(void** state)
{
    (void)state;
    const Case cases[] = {
        {"\"profiles\": {\"adult\": 3, \"child\": {}}, \"agents\": [{\"at\": [0, 0], \"profile\": "
         "\"adult\"}]",
         "profiles.adult", "expected an object, found 3"},
        {"\"profiles\": 3, \"agents\": [{\"at\": [0, 0], \"profile\": \"adult\"}]", "profiles",
         "expected an object of named profiles, found 3"},
        {"\"goal\": {\"a\": {\"point\": [0, 0]}}, \"agents\": [{\"at\": [0, 0], \"goal\": \"a\"}]",
         "goal", "unknown key 'goal'; did you mean 'goals'?"},
        {"\"purposes\": {\"a\": {\"point\": [0, 0]}}, \"agents\": [{\"at\": [0, 0], \"goal\": "
         "\"a\"}]",
         "purposes",
         "unknown key 'purposes', expected: about, time, seed, origin, contacts, walls, doors, "
         "movers, goals, roadmaps, profiles, measure, $schema"},
        {"\"goals\": {\"a\": {\"point\": 0}, \"b\": {\"nearest\": [\"a\"]}}", "goals.a.point",
         "expected a point [x, y], found 0"},
        {"\"origin\": [500000], \"walls\": [{\"polyline\": [[500000, 1], [500001, 1]]}]", "origin",
         "expected two numbers [x, y], found an array of 1"},
        {"\"offset\": [500000, 0], \"walls\": [{\"polyline\": [[500000, 1], [500001, 1]]}]",
         "offset",
         "unknown key 'offset', expected: about, time, seed, origin, contacts, doors, movers, "
         "goals, roadmaps, profiles, agents, measure, $schema"},
    };
    CHECK_CASES(cases);
}

// Errors in what was changed name the path, and come last.
static void testChanges(void** state)
{
    (void)state;
    const char* changes[] = {"time.step=100", "agents[4].level=1", "agents[0].level=one",
                             "time.end.steps=7"};
    const char* text = "{\"throng\": 1, \"agents\": [{\"at\": [0, 0]}], \"seed\": -1}";
    Errors errors;
    thSceneDef def = textDef(text, &errors);
    def.path = NULL;
    def.changes = changes;
    def.changeCount = 4;
    thScene* scene;
    assert_int_equal(thLoadScene(&def, &scene), th_resultSyntax);
    assert_null(scene);
    assert_int_equal(errors.count, 4);
    assert_string_equal(errors.items[0].path, "seed");
    assert_string_equal(errors.items[1].path, "agents[4].level=1");
    assert_string_equal(errors.items[1].text, "'agents' has only 1 item");
    assert_string_equal(errors.items[2].path, "time.step");
    assert_string_equal(errors.items[3].path, "agents[0].level");
    assert_int_equal(errors.items[3].line, 0);
    assert_string_equal(errors.items[3].file, "");
}

// A change may misspell a key that is in the scene, which none of the scene's own keys can mean.
static void testChangeMeant(void** state)
{
    (void)state;
    const char* change = "sede=2";
    const char* text = "{\"throng\": 1, \"seed\": 1}";
    Errors errors;
    thSceneDef def = textDef(text, &errors);
    def.changes = &change;
    def.changeCount = 1;
    thScene* scene;
    assert_int_equal(thLoadScene(&def, &scene), th_resultSyntax);
    assert_int_equal(errors.count, 1);
    assert_string_equal(errors.items[0].text, "unknown key 'sede'; did you mean 'seed'?");
}

static void testSpeeds(void** state)
{
    (void)state;
    const Case cases[] = {
        {"\"profiles\": {\"a\": {\"speed\": 2, \"maxSpeed\": 1.5}}", "profiles.a.maxSpeed",
         "1.5 m/s is below the preferred speed, 2 m/s"},
        {"\"profiles\": {\"a\": {\"maxSpeed\": 1}}", "profiles.a.maxSpeed",
         "1 m/s is below the preferred speed, 1.34 m/s"},
        {"\"profiles\": {\"a\": {\"speed\": {\"uniform\": [1, 2]}, \"maxSpeed\": {\"normal\": "
         "[1.25, 0.5]}}}",
         "profiles.a.maxSpeed", "1.25 m/s is below the preferred speed, 1.5 m/s"},
    };
    CHECK_CASES(cases);
    Errors errors;
    thScene* scene = loadText("{\"throng\": 1, \"profiles\": {\"a\": {\"speed\": 3}, \"b\": "
                              "{\"speed\": {\"normal\": [1.34, 0.26]}, \"maxSpeed\": 1.5}}}",
                              &errors);
    assert_non_null(scene);
    thDestroyScene(scene);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testValues),        cmocka_unit_test(testKeys),
        cmocka_unit_test(testWords),         cmocka_unit_test(testRepeats),
        cmocka_unit_test(testRoadmaps),      cmocka_unit_test(testNames),
        cmocka_unit_test(testGoals),         cmocka_unit_test(testShapes),
        cmocka_unit_test(testTimesAndDraws), cmocka_unit_test(testCounts),
        cmocka_unit_test(testNoFollowUps),   cmocka_unit_test(testChanges),
        cmocka_unit_test(testChangeMeant),   cmocka_unit_test(testSpeeds),
    };
    return RUN_TESTS(tests, argc, argv);
}
