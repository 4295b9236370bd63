// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Roadmaps in a world: what is refused, and what planners see of what is not.

#include "throng/roadmap.h"

#include "gear/allocators.h"
#include "sim/sim_gear.h"
#include "sim/step/step.h"
#include "sim/world_internal.h"

#include <stdlib.h>

static const thVec2 places[] = {{0.0f, 0.0f}, {4.0f, 0.0f}, {4.0f, 3.0f}, {0.0f, 3.0f}};

static thRoadmapDef givenDef(const char* name)
{
    thRoadmapDef def = thDefaultRoadmapDef();
    def.name = name;
    def.nodes = places;
    def.nodeCount = 4;
    return def;
}

static thRoadmap look(const thWorld* world, const char* name)
{
    const thFrame frame = thiMakeFrame(world, 0.1f);
    const int32_t slot = thFrame_FindRoadmap(&frame, name);
    assert_true(slot >= 0);
    thRoadmap map;
    assert_int_equal(thFrame_GetRoadmap(&frame, slot, &map), 1);
    return map;
}

static void testDefaults(void** state)
{
    (void)state;
    const thRoadmapDef def = thDefaultRoadmapDef();
    assert_int_equal(def.size, sizeof def);
    assert_int_equal(def.kind, th_roadmapGiven);
    assert_true(def.side == 1.0f && def.reach == 0.0f);
    assert_int_equal(def.count, 1000);
    assert_int_equal(def.neighbors, 8);
    assert_null(def.name);
    const thRoadmapUse use = thDefaultRoadmapUse();
    assert_int_equal(use.size, sizeof use);
    assert_string_equal(use.graph, "");
}

static void testGiven(void** state)
{
    (void)state;
    thWorld* world = createWorld();
    thRoadmapDef def = givenDef("a");
    const thVec2 ends[] = {{0.0f, 0.0f}, {4.0f, 0.0f}, {9.0f, 3.0f}, {0.0f, 3.0f}};
    def.ends = ends;
    def.edges = (const int32_t[]){3, 0, 1, 2, 0, 1, 1, 0, 2, 1};
    def.edgeCount = 5;
    def.level = 7;
    thRoadmapId id;
    assert_ok(thCreateRoadmap(world, &def, &id));
    assert_int_equal(thWorld_FindRoadmap(world, "a").value, id.value);
    assert_int_equal(thWorld_FindRoadmap(world, "b").value, 0);
    const thRoadmap map = look(world, "a");
    assert_int_equal(map.kind, th_roadmapGiven);
    assert_int_equal(map.level, 7);
    assert_int_equal(map.nodeCount, 4);
    assert_int_equal(map.nodes[4 * 1], 4 * 65536);
    assert_int_equal(map.nodes[4 * 2 + 2], 9 * 65536);
    // Each pair once, in ascending order.
    const int32_t expected[] = {0, 1, 0, 3, 1, 2};
    assert_int_equal(map.edgeCount, 3);
    assert_memory_equal(map.edges, expected, sizeof expected);
    thDestroyWorld(world);
}

static void testStreets(void** state)
{
    (void)state;
    thWorld* world = createWorld();
    thRoadmapDef def = thDefaultRoadmapDef();
    def.name = "town";
    def.kind = th_roadmapStreets;
    def.from = (thVec2){-10.0f, 5.0f};
    def.spacing = (thVec2){20.0f, 12.5f};
    def.columns = 3;
    def.rows = 4;
    thRoadmapId id;
    assert_ok(thCreateRoadmap(world, &def, &id));
    const thRoadmap map = look(world, "");
    assert_int_equal(map.kind, th_roadmapGiven);
    assert_int_equal(map.nodeCount, 12);
    assert_int_equal(map.edgeCount, 2 * 4 + 3 * 3);
    for (int32_t i = 0; i < 12; ++i) {
        assert_int_equal(map.nodes[4 * i], (-10 + 20 * (i % 3)) * 65536);
        assert_int_equal(map.nodes[4 * i + 1], (int32_t)((5.0 + 12.5 * (i / 3)) * 65536));
    }
    for (int32_t i = 0; i < map.edgeCount; ++i) {
        const int32_t a = map.edges[2 * i], b = map.edges[2 * i + 1];
        assert_true((b == a + 1 && b % 3 != 0) || b == a + 3);
        if (i > 0)
            assert_true(a > map.edges[2 * i - 2] ||
                        (a == map.edges[2 * i - 2] && b > map.edges[2 * i - 1]));
    }
    thDestroyWorld(world);
}

static void testNames(void** state)
{
    (void)state;
    listen();
    thWorld* world = createWorld();
    thFrame frame = thiMakeFrame(world, 0.1f);
    const uint64_t revision = frame.roadmapsRevision;
    assert_int_equal(thFrame_FindRoadmap(&frame, ""), -1);
    thRoadmapDef def = givenDef("one");
    thRoadmapId one, two;
    assert_ok(thCreateRoadmap(world, &def, &one));
    frame = thiMakeFrame(world, 0.1f);
    assert_true(frame.roadmapsRevision != revision);
    assert_int_equal(thFrame_FindRoadmap(&frame, ""), THRONG_SLOT(one));
    assert_refused(world, thCreateRoadmap(world, &def, &two)); // the name is taken
    def.name = "two";
    assert_ok(thCreateRoadmap(world, &def, &two));
    frame = thiMakeFrame(world, 0.1f);
    assert_int_equal(thFrame_FindRoadmap(&frame, ""), -2);
    assert_int_equal(thFrame_FindRoadmap(&frame, "two"), THRONG_SLOT(two));
    assert_ok(thDestroyRoadmap(world, one));
    assert_refused(world, thDestroyRoadmap(world, one));
    frame = thiMakeFrame(world, 0.1f);
    assert_int_equal(thFrame_FindRoadmap(&frame, ""), THRONG_SLOT(two));
    thRoadmap map;
    assert_int_equal(thFrame_GetRoadmap(&frame, THRONG_SLOT(one), &map), 0);
    assert_int_equal(thFrame_GetRoadmap(&frame, -1, &map), 0);
    assert_int_equal(thFrame_GetRoadmap(&frame, 99, &map), 0);
    thSetHooks(NULL);
    thDestroyWorld(world);
}

static void refuse(thWorld* world, const thRoadmapDef* def)
{
    thRoadmapId id = {1};
    assert_refused(world, thCreateRoadmap(world, def, &id));
    assert_int_equal(id.value, 0);
}

static void testBadNodes(void** state)
{
    (void)state;
    listen();
    thWorld* world = createWorld();
    const thRoadmapDef good = givenDef("a");
    thRoadmapDef def = good;
    def.size -= 4;
    refuse(world, &def);
    def = good;
    def.name = NULL;
    refuse(world, &def);
    def.name = "";
    refuse(world, &def);
    def.name = "a-name-of-thirty-two-bytes-01234";
    refuse(world, &def);
    def = good;
    def.level = -1;
    refuse(world, &def);
    def = good;
    def.kind = (thRoadmapKind)5;
    refuse(world, &def);
    def = good;
    def.nodes = NULL;
    refuse(world, &def);
    def = good;
    def.nodeCount = 0;
    refuse(world, &def);
    def.nodeCount = -1;
    refuse(world, &def);
    const thVec2 outside[] = {{0.0f, NAN}, {0.0f, 0.0f}, {40000.0f, 0.0f}, {0.0f, 0.0f}};
    def = good;
    def.nodes = outside;
    refuse(world, &def);
    def = good;
    def.ends = outside;
    refuse(world, &def);
    const int32_t wrong[][2] = {{0, 4}, {-1, 0}, {2, 2}};
    for (int32_t i = 0; i < 3; ++i) {
        def = good;
        def.edges = wrong[i];
        def.edgeCount = 1;
        refuse(world, &def);
    }
    def = good;
    def.edgeCount = 1;
    refuse(world, &def);
    def.edgeCount = -1;
    refuse(world, &def);
    thVec2* many = calloc(THRONG_ROADMAP_SIGHTS + 1, sizeof *many);
    def = good;
    def.nodes = many;
    def.nodeCount = THRONG_ROADMAP_SIGHTS + 1;
    refuse(world, &def);
    def.edges = (const int32_t[]){0, 1};
    def.edgeCount = 1;
    thRoadmapId id;
    assert_ok(thCreateRoadmap(world, &def, &id));
    free(many);
    thSetHooks(NULL);
    thDestroyWorld(world);
}

static void testBadRules(void** state)
{
    (void)state;
    listen();
    thWorld* world = createWorld();
    thRoadmapDef good = thDefaultRoadmapDef();
    good.name = "rule";
    good.kind = th_roadmapGrid;
    good.high = (thVec2){10.0f, 10.0f};
    const thVec2 highs[] = {{10.0f, 0.0f}, {-1.0f, 5.0f}, {NAN, 5.0f}, {31000.0f, 5.0f}};
    thRoadmapDef def = good;
    for (size_t i = 0; i < sizeof highs / sizeof highs[0]; ++i) {
        def = good;
        def.high = highs[i];
        refuse(world, &def);
    }
    const float sides[] = {0.0f, -1.0f, 0.005f, 2000.0f, NAN};
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; ++i) {
        def = good;
        def.side = sides[i];
        refuse(world, &def);
    }
    def = good;
    def.neighbors = 5;
    refuse(world, &def);
    def = good;
    def.high = (thVec2){3000.0f, 3000.0f}; // 9 million cells
    refuse(world, &def);
    def.kind = th_roadmapMedial;
    refuse(world, &def);
    def.kind = th_roadmapRandom;
    thRoadmapId id;
    assert_ok(thCreateRoadmap(world, &def, &id));
    good.kind = th_roadmapRandom;
    good.name = "other";
    const int32_t counts[] = {0, -1, THRONG_ROADMAP_NODES + 1};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        def = good;
        def.count = counts[i];
        refuse(world, &def);
    }
    def = good;
    def.neighbors = 65;
    refuse(world, &def);
    def = good;
    def.reach = -1.0f;
    refuse(world, &def);
    good.kind = th_roadmapStreets;
    good.columns = good.rows = 3;
    good.spacing = (thVec2){1.0f, 1.0f};
    def = good;
    def.columns = 0;
    refuse(world, &def);
    def = good;
    def.spacing.y = 0.0f;
    refuse(world, &def);
    def = good;
    def.spacing.x = INFINITY;
    refuse(world, &def);
    def = good;
    def.spacing.x = 20000.0f;
    refuse(world, &def);
    def = good;
    def.columns = def.rows = 3000;
    refuse(world, &def);
    thSetHooks(NULL);
    thDestroyWorld(world);
}

// Memory may run out anywhere: then there is no roadmap.
static void testNoMemory(void** state)
{
    (void)state;
    for (int32_t failAt = 0;; ++failAt) {
        thWorld* world = createWorld();
        world->memory.limit = world->memory.bytes + (size_t)failAt * 64;
        thRoadmapDef def = thDefaultRoadmapDef();
        def.name = "town";
        def.kind = th_roadmapStreets;
        def.spacing = (thVec2){1.0f, 1.0f};
        def.columns = def.rows = 10;
        thRoadmapId id;
        const thResult code = thCreateRoadmap(world, &def, &id);
        assert_int_equal(thWorld_FindRoadmap(world, "town").value, id.value);
        thDestroyWorld(world);
        if (code == th_resultOk)
            break;
        assert_int_equal(code, th_resultNoMemory);
        assert_in_range(failAt, 0, 1000);
    }
}

static void testRestore(void** state)
{
    (void)state;
    Full full;
    assert_ok(createFull(NULL, false, &full));
    const Bytes saved = saveWorld(full.world);
    thWorld* other = createWorld();
    assert_ok(thWorld_AddMethod(other, th_methodPlan, &circleMethod));
    assert_ok(thWorld_Restore(other, saved.data, saved.size, NULL));
    const thRoadmap before = look(full.world, "portal"), after = look(other, "portal");
    assert_int_equal(after.nodeCount, 3);
    assert_int_equal(after.edgeCount, 2);
    assert_memory_equal(before.nodes, after.nodes, 3 * 4 * sizeof(int32_t));
    assert_memory_equal(before.edges, after.edges, 2 * 2 * sizeof(int32_t));
    const thRoadmap cells = look(other, "cells");
    assert_int_equal(cells.kind, th_roadmapGrid);
    assert_int_equal(cells.level, 3);
    assert_int_equal(cells.lowY, -5 * 32768);
    assert_int_equal(cells.highX, 5 * 65536);
    assert_int_equal(cells.side, 32768);
    assert_int_equal(cells.neighbors, 4);
    assert_int_equal(thWorld_FindRoadmap(other, "gone").value, 0);
    const Bytes again = saveWorld(other);
    assert_true(sameBytes(saved, again));
    freeBytes(saved);
    freeBytes(again);
    thDestroyWorld(other);
    thDestroyWorld(full.world);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testDefaults), cmocka_unit_test(testGiven),
        cmocka_unit_test(testStreets),  cmocka_unit_test(testNames),
        cmocka_unit_test(testBadNodes), cmocka_unit_test(testBadRules),
        cmocka_unit_test(testNoMemory), cmocka_unit_test(testRestore),
    };
    return RUN_TESTS(tests, argc, argv);
}
