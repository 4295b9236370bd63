// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Roadmaps of a scene in its world, and agents that walk along them.

#include "scene/run_gear.h"
#include "sim/step/step.h"
#include "sim/world_internal.h"
#include "throng/roadmap.h"

static thRoadmap mapOf(const Stage* stage, const char* name)
{
    const thFrame frame = thiMakeFrame(stage->world, 0.1f);
    thRoadmap map;
    assert_int_equal(thFrame_GetRoadmap(&frame, thFrame_FindRoadmap(&frame, name), &map), 1);
    return map;
}

// Places are the file's less the origin.
static void testKinds(void** state)
{
    (void)state;
    Stage stage = mustOpen(
        "\"origin\": [100, 0], \"roadmaps\": {"
        "\"given\": {\"nodes\": [[101, 2], [[103, 1], [103, 5]]], \"edges\": [[1, 0]], \"level\": "
        "4}, "
        "\"streets\": {\"streets\": {\"from\": [90, 1], \"columns\": 2, \"rows\": 3, \"spacing\": "
        "[5, 7]}}, "
        "\"cells\": {\"grid\": {\"box\": [[110, 8], [100, -2]], \"side\": 0.5, \"diagonals\": "
        "false}}, "
        "\"random\": {\"random\": {\"count\": 77, \"neighbours\": 5, \"reach\": 12.5}}, "
        "\"medial\": {\"medial\": {\"side\": 0.25}}}",
        NULL);
    const thRoadmap given = mapOf(&stage, "given");
    assert_int_equal(given.kind, th_roadmapGiven);
    assert_int_equal(given.level, 4);
    assert_int_equal(given.nodeCount, 2);
    const int32_t nodes[] = {65536,     2 * 65536, 65536,     2 * 65536,
                             3 * 65536, 65536,     3 * 65536, 5 * 65536};
    assert_memory_equal(given.nodes, nodes, sizeof nodes);
    assert_int_equal(given.edgeCount, 1);
    const thRoadmap streets = mapOf(&stage, "streets");
    assert_int_equal(streets.nodeCount, 6);
    assert_int_equal(streets.edgeCount, 7);
    assert_int_equal(streets.nodes[4 * 5], -5 * 65536);
    assert_int_equal(streets.nodes[4 * 5 + 1], 15 * 65536);
    const thRoadmap cells = mapOf(&stage, "cells");
    assert_int_equal(cells.kind, th_roadmapGrid);
    assert_int_equal(cells.lowX, 0);
    assert_int_equal(cells.lowY, -2 * 65536);
    assert_int_equal(cells.highX, 10 * 65536);
    assert_int_equal(cells.highY, 8 * 65536);
    assert_int_equal(cells.side, 32768);
    assert_int_equal(cells.neighbors, 4);
    const thRoadmap random = mapOf(&stage, "random");
    assert_int_equal(random.count, 77);
    assert_int_equal(random.neighbors, 5);
    assert_true(random.reach == 12.5f);
    assert_int_equal(random.highX, 0);
    const thRoadmap medial = mapOf(&stage, "medial");
    assert_int_equal(medial.kind, th_roadmapMedial);
    assert_int_equal(medial.side, 16384);
    closeStage(&stage);
}

// Round a wall, over the node that the profile's roadmap has: of two that are there, the named one.
static void testWalk(void** state)
{
    (void)state;
    Stage stage = mustOpen(
        "\"walls\": [{\"polyline\": [[0, -9], [0, 9]]}], \"goals\": {\"east\": {\"point\": [5, "
        "0]}}, "
        "\"roadmaps\": {\"north\": {\"nodes\": [[0, 11]]}, \"south\": {\"nodes\": [[0, -11]]}}, "
        "\"profiles\": {\"p\": {\"plan\": {\"roadmap\": {\"graph\": \"south\"}}}}, "
        "\"agents\": [{\"at\": [-5, 0], \"goal\": \"east\"}]",
        NULL);
    stepTimes(&stage, 60);
    assert_true(rowOfKey(&stage, 1).position.y < -5.0f);
    stepTimes(&stage, 200);
    assert_true((rowOfKey(&stage, 1).flags & th_agentArrived) != 0);
    closeStage(&stage);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testKinds),
        cmocka_unit_test(testWalk),
    };
    return RUN_TESTS(tests, argc, argv);
}
