// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What is told of scenes that can be run but are likely not meant so, and that nothing is told of
// others.

#include "scene/run_gear.h"

#include <stdio.h>
#include <time.h>

// Exactly these notes are told, `path: text` each.
static void assertNotes(const char* content, const char* const* expected, int32_t count)
{
    Errors notes = {.count = 0};
    thRunDef def = thDefaultRunDef();
    def.note = keepError;
    def.noteContext = &notes;
    Stage stage = mustOpen(content, &def);
    bool good = notes.count == count;
    for (int32_t i = 0; i < count && good; ++i) {
        char told[1024];
        snprintf(told, sizeof told, "%s: %s", notes.items[i].path, notes.items[i].text);
        good = strcmp(told, expected[i]) == 0;
    }
    if (!good) {
        printErrors(&notes);
        fail_msg("%s", content);
    }
    closeStage(&stage);
}

static void testOverlaps(void** state)
{
    (void)state;
    static const char* const two[] = {
        "agents[0].at[1]: agent 1 stands 0.4 m deep in agent 0 of agents[0]"};
    assertNotes("\"agents\": [{\"at\": [[1, 1], [1.1, 1], [3, 1]]}]", two, 1);
    static const char* const more[] = {
        "agents[2].grid: agent 0 stands 0.3 m deep in agent 0 of agents[0]; so do 3 more of this "
        "entry with others"};
    assertNotes("\"agents\": [{\"at\": [0, 0]}, {\"in\": {\"box\": [[5, 5], [9, 9]]}, \"count\": "
                "0}, {\"grid\": {\"from\": [0.2, 0], "
                "\"columns\": 4, \"rows\": 1, \"spacing\": 0.4}}]",
                more, 1);
    // Who touches, or is on another floor, overlaps nobody; nor does who is placed at random.
    assertNotes("\"agents\": [{\"at\": [[1, 1], [1.5, 1]]}, {\"at\": [1, 1], \"level\": 1}, "
                "{\"grid\": {\"from\": [5, 5], \"columns\": 20, \"rows\": 20, \"spacing\": 0.5}}, "
                "{\"in\": {\"box\": [[0, 0], [9, 9]]}, \"count\": 60, \"gap\": 0}]",
                NULL, 0);
}

// How long it takes to start with people on a circle of 5 m. [s of the processor]
static double secondsOfStack(int32_t count)
{
    char content[256];
    Errors notes = {.count = 0};
    thRunDef def = thDefaultRunDef();
    def.note = keepError;
    def.noteContext = &notes;
    snprintf(content, sizeof content,
             "\"agents\": [{\"circle\": {\"center\": [0, 0], \"radius\": 5, \"count\": %d}}]",
             (int)count);
    const clock_t start = clock();
    Stage stage = mustOpen(content, &def);
    const clock_t end = clock();
    assert_int_equal(notes.count, 1);
    closeStage(&stage);
    return (double)(end - start) / CLOCKS_PER_SEC;
}

// Ten times as many people take a hundred times as long where each is compared with each. Times of
// a busy machine vary, so it has three tries.
static void testStack(void** state)
{
    (void)state;
    bool good = false;
    for (int32_t i = 0; i < 3 && !good; ++i) {
        const double few = secondsOfStack(20000), many = secondsOfStack(200000);
        good = many < 40.0 * TH_MAX(few, 0.01);
    }
    assert_true(good);
}

// A pillar from 0 to 4, a room from -10 to 10, people of 0.25 m that arrive at 0.3 m.
#define PLACE                                                                                      \
    "\"walls\": [{\"box\": [[0, 0], [4, 4]]}, {\"room\": [[-10, -10], [10, -10], [10, 10], "       \
    "[-10, 10]]}], \"agents\": [{\"at\": [-5, -5]}], \"goals\": {\"a\": "

// With a door that stands alone, and people who plan ways.
#define WAYS                                                                                       \
    ", \"doors\": [{\"segment\": [[-6, -8], [-6, -9]], \"open\": [[5, 9]]}], "                     \
    "\"roadmaps\": {\"r\": {\"nodes\": [[0, 5]]}}, \"profiles\": {\"p\": {\"plan\": \"%s\"}}"

static void testGoals(void** state)
{
    (void)state;
    static const char* const note[] = {
        "goals.a: all of this goal is in or on a wall, or outside of the room: nobody gets there"};
    static const char* const buried[] = {
        "{\"point\": [2, 2]}",
        "{\"point\": [0.1, 2]}",
        "{\"point\": [12, 2]}",
        "{\"disc\": [2, 2], \"radius\": 1.5}",
        "{\"segment\": [[1, 1], [3, 1]]}",
        "{\"box\": [[0.5, 0.5], [3.5, 3.5]]}",
        "{\"polygon\": [[20, 20], [30, 20], [20, 30]]}",
    };
    static const char* const reached[] = {
        "{\"point\": [0.05, 2]}",
        "{\"point\": [-1, 2]}",
        "{\"disc\": [2, 2], \"radius\": 1.95}",
        "{\"segment\": [[1, 1], [3, 5]]}",
        "{\"segment\": [[-1, 2], [5, 2]]}",
        "{\"box\": [[-1, -1], [5, 5]]}",
        "{\"box\": [[-20, -20], [20, 20]]}",
        "{\"offset\": [1, 1]}",
    };
    char content[512];
    for (size_t i = 0; i < sizeof buried / sizeof buried[0]; ++i) {
        snprintf(content, sizeof content, PLACE "%s}", buried[i]);
        assertNotes(content, note, 1);
    }
    for (size_t i = 0; i < sizeof reached / sizeof reached[0]; ++i) {
        snprintf(content, sizeof content, PLACE "%s}", reached[i]);
        assertNotes(content, NULL, 0);
    }
    // A yard between solids, and a floor where the pillar is not.
    assertNotes(
        "\"walls\": [{\"box\": [[0, 0], [9, 3]]}, {\"box\": [[0, 6], [9, 9]]}, {\"box\": "
        "[[0, 2], [3, 7]]}, {\"box\": [[6, 2], [9, 7]]}], \"agents\": [{\"at\": [-5, -5]}], "
        "\"goals\": {\"a\": {\"box\": [[1, 1], [8, 8]]}}",
        NULL, 0);
    assertNotes("\"walls\": [{\"box\": [[0, 0], [4, 4]]}], \"agents\": [{\"at\": [-5, -5]}, "
                "{\"at\": [2, 1], \"level\": 1}], \"goals\": {\"a\": {\"point\": [2, 2]}}",
                NULL, 0);
}

// Planners of ways lead nobody to a wall; what is just off it is reached, and so is a door when it
// opens.
static void testGoalsOnWalls(void** state)
{
    (void)state;
    static const char* const note[] = {
        "goals.a: all of this goal is in or on a wall, or outside of the room: nobody gets there"};
    static const char* const planners[] = {"flow", "visibility", "roadmap"};
    static const char* const walled[] = {
        "{\"point\": [10, 2]}",
        "{\"point\": [0.05, 2]}",
        "{\"segment\": [[10, 2], [10, 8]]}",
        "{\"segment\": [[0, 1], [0, 3]]}",
        "{\"box\": [[10, 2], [11, 5]]}",
        "{\"box\": [[0, 0], [4, 4]]}",
    };
    static const char* const open[] = {
        "{\"point\": [9.9, 2]}",
        "{\"segment\": [[9, 2], [10, 2]]}",
        "{\"segment\": [[0, 3], [0, 5]]}",
        "{\"segment\": [[-6, -8], [-6, -9]]}",
        "{\"disc\": [10, 2], \"radius\": 0.5}",
        "{\"box\": [[-1, 1], [1, 3]]}",
    };
    char content[1024];
    for (int32_t planner = 0; planner < 3; ++planner) {
        for (size_t i = 0; i < sizeof walled / sizeof walled[0]; ++i) {
            snprintf(content, sizeof content, PLACE "%s}" WAYS, walled[i], planners[planner]);
            assertNotes(content, note, 1);
        }
        for (size_t i = 0; i < sizeof open / sizeof open[0]; ++i) {
            snprintf(content, sizeof content, PLACE "%s}" WAYS, open[i], planners[planner]);
            assertNotes(content, NULL, 0);
        }
    }
    // Who goes straight arrives before it.
    snprintf(content, sizeof content, PLACE "%s}" WAYS, walled[0], "direct");
    assertNotes(content, NULL, 0);
}

// A roadmap has one floor.
static void testRoadmapFloors(void** state)
{
    (void)state;
    static const char* const note[] = {"agents[1]: these agents are on floor 1, their roadmap 'r' "
                                       "is of floor 0: it leads them nowhere"};
#define FLOORS                                                                                     \
    "\"agents\": [{\"at\": [1, 1]}, {\"at\": [1, 1], \"level\": 1}], \"roadmaps\": {\"r\": "       \
    "{\"nodes\": [[0, 0]]}}, \"profiles\": {\"p\": {\"plan\": "
    assertNotes(FLOORS "\"roadmap\"}}", note, 1);
    assertNotes(FLOORS "{\"roadmap\": {\"graph\": \"r\"}}}}", note, 1);
    assertNotes(FLOORS "\"visibility\"}}", NULL, 0);
}

// Cars of 4 m by 1.8 m, with more keys of their profile.
#define CARS(keys)                                                                                 \
    "\"profiles\": {\"car\": {\"shape\": [[2, 0.9], [-2, 0.9], [-2, -0.9], [2, -0.9]]" keys "}}, "

// Who stands in whom by their shapes, whether both have one or not, and in walls.
static void testShapes(void** state)
{
    (void)state;
#define GOOD ", \"radius\": 0.9, \"avoid\": \"clearpath\", \"sees\": {\"radius\": 9}"
    static const char* const overlaps[] = {
        "agents[0].at[1]: agent 1 stands 0.2 m deep in agent 0 of agents[0]; so do 1 more of this "
        "entry with others",
        "agents[0].at[3]: the shape of agent 3 stands 0.5 m deep in a wall"};
    assertNotes(CARS(GOOD) "\"walls\": [{\"polyline\": [[20, -5], [20, 5]]}], "
                           "\"agents\": [{\"at\": [[0, 0], [3.8, 0], [3.8, 1.6], [18.5, 0]], "
                           "\"heading\": 0}, {\"at\": [-9, 0], \"heading\": 90}]",
                overlaps, 2);
    static const char* const person[] = {
        "agents[1].at: agent 0 stands 0.05 m deep in agent 0 of agents[0]"};
#define PEOPLE                                                                                     \
    "\"profiles\": {\"car\": {\"shape\": [[2, 0.9], [-2, 0.9], [-2, -0.9], [2, -0.9]]" GOOD        \
    "}, \"walker\": {}}, \"agents\": [{\"profile\": \"car\", \"at\": [0, 0], \"heading\": 0}, "    \
    "{\"profile\": \"walker\", \"at\": "
    assertNotes(PEOPLE "[2.2, 0.5]}]", person, 1);
    // Side by side, and a person where the discs round both would meet.
    assertNotes(PEOPLE "[0, 1.2]}]", NULL, 0);
    assertNotes(CARS(GOOD) "\"walls\": [{\"polyline\": [[-20, -1], [20, -1]]}], \"agents\": "
                           "[{\"at\": [[0, 0], [0, 1.9], [4.1, 0]], \"heading\": 0}]",
                NULL, 0);
    // No points are no shape.
    assertNotes("\"profiles\": {\"car\": {\"shape\": [], \"radius\": 0.9}}, \"agents\": "
                "[{\"at\": [[0, 0], [3, 0]], \"heading\": 0}]",
                NULL, 0);
}

static void testShapedProfiles(void** state)
{
    (void)state;
#define ALONE "\"agents\": [{\"at\": [0, 0]}]"
    static const char* const ignored[] = {"profiles.car: it has a shape, but 'orca' takes it for a "
                                          "disc of its radius; 'clearpath' heeds shapes"};
    assertNotes(CARS(", \"radius\": 0.9, \"sees\": {\"radius\": 9}") ALONE, ignored, 1);
    static const char* const small[] = {
        "profiles.car: its radius of 0.25 m is much less than the disc inside of its shape: walls "
        "and planners go by the radius; expected about 0.9 m",
        "profiles.car: it sees others only within 5 m of its middle, and its shape reaches 2.19 m: "
        "expected sees.radius of at least 5.19 m"};
    assertNotes(CARS(", \"avoid\": \"clearpath\", \"sees\": {\"radius\": 5}") ALONE, small, 2);
    static const char* const large[] = {
        "profiles.car: its radius of 2.5 m is more than the circle round its shape, 2.19 m: "
        "whoever "
        "takes it for a disc keeps clear of more than the shape; expected about 0.9 m, the disc "
        "inside"};
    assertNotes(CARS(", \"radius\": 2.5, \"avoid\": \"clearpath\", \"sees\": {\"radius\": 9}")
                    ALONE,
                large, 1);
    assertNotes(CARS(GOOD) ALONE, NULL, 0);
}

// Two halls, with a wall between them or a door of 1 m that is shut at first; some are on either
// side, some come later, and some are too wide.
#define HALLS                                                                                      \
    "\"walls\": [{\"room\": [[0, 0], [20, 0], [20, 10], [0, 10]]}, {\"polyline\": [[9, 0], [9, "   \
    "4.5]]}, {\"polyline\": [[9, 5.5], [9, 10]]}%s], \"profiles\": {\"p\": {\"plan\": \"%s\"}, "   \
    "\"wide\": {\"plan\": \"%s\", \"radius\": 0.6}}, \"goals\": {\"e\": {\"point\": [15, 5]}}, "   \
    "\"agents\": [{\"profile\": \"p\", \"at\": [[5, 5], [16, 7]], \"goal\": \"e\"}, "              \
    "{\"profile\": "                                                                               \
    "\"wide\", \"at\": [5, 8], \"goal\": {\"offset\": [10, 0]}}, {\"profile\": \"p\", "            \
    "\"source\": "                                                                                 \
    "{\"in\": {\"box\": [[1, 1], [2, 2]]}, \"rate\": 1}, \"goal\": \"e\"}, {\"profile\": \"p\", "  \
    "\"at\": [1, 9]}]"

static void testUnreachable(void** state)
{
    (void)state;
    static const char* const planners[] = {"visibility", "flow"};
    static const char* const shut[] = {
        ("agents[0].at[0]: agent 0 finds no way to the goal: no way leads from here to the goal "
         "that is wide enough (1 of 2 that were tried)"),
        ("agents[1].at: agent 0 finds no way to the goal: no way leads from here to the goal that "
         "is wide enough (1 of 1 that were tried)"),
        ("agents[2].source: people from here find no way to the goal: no way leads from here to "
         "the goal that is wide enough (16 of 16 that were tried)")};
    static const char* const narrow[] = {
        ("agents[1].at: agent 0 finds no way to the goal with all doors open: no way leads from "
         "here to the goal that is wide enough (1 of 1 that were tried)")};
    char content[2048];
    for (int32_t i = 0; i < 2; ++i) {
        snprintf(content, sizeof content, HALLS, ", {\"polyline\": [[9, 4.5], [9, 5.5]]}",
                 planners[i], planners[i]);
        assertNotes(content, shut, 3);
        snprintf(content, sizeof content,
                 HALLS ", \"doors\": [{\"segment\": [[9, 4.5], [9, 5.5]], \"open\": [[90, 99]]}]",
                 "", planners[i], planners[i]);
        assertNotes(content, narrow, 1);
    }
    // Who walks straight on asks nobody.
    snprintf(content, sizeof content, HALLS, ", {\"polyline\": [[9, 4.5], [9, 5.5]]}", "direct",
             "direct");
    assertNotes(content, NULL, 0);
}

static void testGroups(void** state)
{
    (void)state;
    static const char* const none[] = {
        "agents[0].group: nothing keeps group 'family' together: its profile's method 'group' is "
        "'none'; it is recorded, measured and coloured, but nobody walks otherwise"};
    assertNotes("\"agents\": [{\"at\": [[1, 1], [2, 1]], \"group\": \"family\"}, {\"at\": [3, 1], "
                "\"group\": \"family\"}, {\"at\": [4, 1]}]",
                none, 1);
    static const char* const many[] = {
        "agents[1].group: nothing keeps group 'a' together: its profile's method 'group' is "
        "'none'; it is recorded, measured and coloured, but nobody walks otherwise; the same holds "
        "for 2 other groups"};
    assertNotes(
        "\"agents\": [{\"at\": [0, 1]}, {\"at\": [1, 1], \"group\": \"a\"}, {\"at\": [2, 1], "
        "\"group\": \"b\"}, {\"at\": [3, 1], \"group\": \"a\"}, {\"at\": [4, 1], \"group\": "
        "\"c\"}]",
        many, 1);
}

static void testDegrees(void** state)
{
    (void)state;
    writeText("notes_degrees.geojson",
              "{\"type\": \"Polygon\", \"coordinates\": [[[13.3690, 52.5250], [13.3705, 52.5250], "
              "[13.3705, 52.5254], [13.3690, 52.5254], [13.3690, 52.5250]]]}");
    static const char* const degrees[] = {
        "walls[0]: 'notes_degrees.geojson' is 0.0015 m by 0.0004 m large: if it is in degrees, add "
        "\"degrees\": [13.36975, 52.5252], the longitude and latitude of (0, 0) of the scene"};
    assertNotes("\"walls\": [{\"file\": \"notes_degrees.geojson\"}]", degrees, 1);
    assertNotes("\"walls\": [{\"file\": \"notes_degrees.geojson\", \"degrees\": [13.36975, "
                "52.5252]}]",
                NULL, 0);
    remove("notes_degrees.geojson");
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testOverlaps),     cmocka_unit_test(testStack),
        cmocka_unit_test(testUnreachable),  cmocka_unit_test(testGroups),
        cmocka_unit_test(testDegrees),      cmocka_unit_test(testGoals),
        cmocka_unit_test(testGoalsOnWalls), cmocka_unit_test(testRoadmapFloors),
        cmocka_unit_test(testShapes),       cmocka_unit_test(testShapedProfiles),
    };
    return RUN_TESTS(tests, argc, argv);
}
