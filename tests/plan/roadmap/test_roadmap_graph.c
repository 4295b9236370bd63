// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Graphs of roadmaps, against plain code that looks at every pair.

#include "plan/roadmap/roadmap_graph.h"

#include "base/tasks.h"
#include "gear/allocators.h"
#include "geom/segment.h"
#include "plan/plan_gear.h"
#include "sim/world_internal.h"
#include "throng/roadmap.h"

#include <stdlib.h>

// A graph, and what it was made from.
typedef struct Made {
    thMemory memory;
    thWorld* world;
    thFrame frame;
    thRoadmap map;
    thRouteSpace* space;
    thRouteGraph graph;
} Made;

// The world must not change afterwards.
static void makeGraph(Made* made, thWorld* world, const thRoadmapDef* def, float radius)
{
    thRoadmapId id;
    assert_ok(thCreateRoadmap(world, def, &id));
    made->world = world;
    made->frame = frameOf(world);
    assert_int_equal(thFrame_GetRoadmap(&made->frame, THRONG_SLOT(id), &made->map), 1);
    thiMemoryInit(&made->memory, &(thAllocator){0}, 0);
    assert_ok(thiCreateRouteSpace(&made->memory, &made->frame, def->level, radius, &made->space));
    made->graph = thiRouteGraph(&made->memory);
    const thRoadmapBuild build = {.map = &made->map,
                                  .frame = &made->frame,
                                  .space = made->space,
                                  .tasks = world->tasks,
                                  .graph = &made->graph,
                                  .memory = &made->memory};
    assert_ok(thiMakeRoadmapGraph(&build));
}

static void dropGraph(Made* made)
{
    thiRouteGraphFree(&made->graph);
    thiDestroyRouteSpace(made->space);
    assert_int_equal(made->memory.bytes, 0);
    thDestroyWorld(made->world);
}

static const thRouteNode* nodeAt(const Made* made, int32_t node)
{
    return &TH_ITEMS(made->graph.nodes, thRouteNode)[node];
}

static bool areJoined(const Made* made, int32_t a, int32_t b)
{
    const int32_t* first = TH_ITEMS(made->graph.first, int32_t);
    for (int32_t i = first[a]; i < first[a + 1]; ++i)
        if (TH_ITEMS(made->graph.edges, thRouteEdge)[i].to == b)
            return true;
    return false;
}

static int32_t nodeAtPlace(const Made* made, thPoint p)
{
    for (int32_t i = 0; i < made->graph.nodes.count; ++i)
        if (thiSamePoint(nodeAt(made, i)->place, p))
            return i;
    return -1;
}

// How many nodes can be reached from one.
static int32_t reachCount(const Made* made, int32_t from)
{
    thRouteTree tree = thiRouteTree((thMemory*)&made->memory);
    const thRouteSeed seed = {.node = from};
    assert_ok(thiPlantRouteTree(&made->graph, &seed, 1, NULL, &tree));
    while (!thiGrowRouteTree(&made->graph, 1000, &tree))
        ;
    const int32_t count = tree.settled;
    thiRouteTreeFree(&tree);
    return count;
}

static thRoadmapDef defOf(thRoadmapKind kind)
{
    thRoadmapDef def = thDefaultRoadmapDef();
    def.name = "a";
    def.kind = kind;
    return def;
}

// Cells.

static bool canStep(const Made* made, thPoint a, thPoint b)
{
    return thiIsClearPlace(made->space, a, 0.0f) && thiIsClearPlace(made->space, b, 0.0f) &&
           thiIsClearLeg(made->space, a, b, 0.0f);
}

static bool canStepDiagonally(const Made* made, thPoint a, thPoint b)
{
    const thPoint c = {a.x, b.y}, d = {b.x, a.y};
    return canStep(made, a, b) && canStep(made, a, c) && canStep(made, c, b) &&
           canStep(made, a, d) && canStep(made, d, b);
}

static bool holdsForCells(thGenerator* g, int32_t size, void* context)
{
    const int32_t neighbors = *(const int32_t*)context;
    thWorld* world = createPlanWorld(2);
    addRandomWalls(world, g, size / 2 + 1, 5.0f);
    thRoadmapDef def = defOf(th_roadmapGrid);
    def.low = (thVec2){-5.0f, -4.0f};
    def.high = (thVec2){5.0f, 6.25f};
    def.side = drawInt(g, 0, 1) == 0 ? 0.75f : 1.0f;
    def.neighbors = neighbors;
    Made made;
    makeGraph(&made, world, &def, drawInt(g, 0, 2) == 0 ? 0.0f : 0.25f);
    const int32_t columns = (int32_t)(10.0f / def.side + 0.5f);
    const int32_t rows = (int32_t)(10.25f / def.side + 0.5f);
    int32_t nodes = 0;
    bool good = true;
    for (int32_t i = 0; i < columns * rows && good; ++i) {
        const int32_t x = i % columns, y = i / columns;
        const thPoint place =
            pointAt(-5.0 + (x + 0.5) * (double)def.side, -4.0 + (y + 0.5) * (double)def.side);
        const int32_t node = nodeAtPlace(&made, place);
        good = (node >= 0) == thiIsClearPlace(made.space, place, 0.0f);
        nodes += node >= 0;
        for (int32_t k = 0; k < 4 && good && node >= 0; ++k) {
            const int32_t stepsX[] = {1, 0, 1, -1}, stepsY[] = {0, 1, 1, 1};
            const int32_t toX = x + stepsX[k], toY = y + stepsY[k];
            if (toX < 0 || toX >= columns || toY >= rows)
                continue;
            const thPoint to = {place.x + stepsX[k] * made.map.side,
                                place.y + stepsY[k] * made.map.side};
            const bool expected = k < 2 ? canStep(&made, place, to)
                                        : neighbors == 8 && canStepDiagonally(&made, place, to);
            const int32_t other = nodeAtPlace(&made, to);
            good = expected == (other >= 0 && areJoined(&made, node, other));
        }
    }
    good = good && nodes == made.graph.nodes.count;
    dropGraph(&made);
    return good;
}

static void testCells(void** state)
{
    (void)state;
    int32_t neighbors = 4;
    assertProperty(&(thProperty){"cells", 1, 30, 12, holdsForCells, &neighbors});
    neighbors = 8;
    assertProperty(&(thProperty){"cells", 1, 30, 12, holdsForCells, &neighbors});
}

// Without a box cells fill that of the walls; without walls there are none, nor where they would be
// too many.
static void testBoxOfWalls(void** state)
{
    (void)state;
    const thVec2 room[] = {{-3.0f, 1.0f}, {5.0f, 1.0f}, {5.0f, 4.0f}, {-3.0f, 4.0f}};
    thRoadmapDef def = defOf(th_roadmapGrid);
    thWorld* world = createPlanWorld(1);
    addObstacle(world, th_obstacleRoom, 0, room, 4);
    addObstacle(world, th_obstacleWall, 1, (thVec2[]){{-900.0f, 0.0f}, {900.0f, 0.0f}}, 2);
    Made made;
    makeGraph(&made, world, &def, 0.25f);
    assert_int_equal(made.graph.nodes.count, 8 * 3);
    assert_int_equal(made.graph.edges.count, 2 * (7 * 3 + 8 * 2 + 2 * 7 * 2));
    dropGraph(&made);
    // One wall, from the lower left to the upper right and the other way: its box.
    for (int32_t i = 0; i < 2; ++i) {
        def = defOf(th_roadmapGrid);
        world = createPlanWorld(1);
        addWall(world, 2.0f, i == 0 ? -3.0f : 7.0f, 6.0f, i == 0 ? 7.0f : -3.0f);
        makeGraph(&made, world, &def, 0.0f);
        thPoint low, high;
        const thRoadmapBuild build = {.map = &made.map, .frame = &made.frame};
        assert_true(thiRoadmapBox(&build, &low, &high));
        assert_true(thiSamePoint(low, pointAt(2.0, -3.0)) && thiSamePoint(high, pointAt(6.0, 7.0)));
        dropGraph(&made);
    }
    const thRoadmapKind kinds[] = {th_roadmapGrid, th_roadmapRandom, th_roadmapMedial};
    for (int32_t i = 0; i < 3; ++i) {
        def = defOf(kinds[i]);
        world = createPlanWorld(1);
        makeGraph(&made, world, &def, 0.25f);
        assert_int_equal(made.graph.nodes.count, 0);
        assert_int_equal(made.graph.first.count, 1);
        dropGraph(&made);
    }
    def = defOf(th_roadmapGrid);
    world = createPlanWorld(1);
    addWall(world, -20000.0f, -20000.0f, 20000.0f, 20000.0f);
    makeGraph(&made, world, &def, 0.25f);
    assert_int_equal(made.graph.nodes.count, 0);
    dropGraph(&made);
}

// Given nodes.

static bool holdsForGiven(thGenerator* g, int32_t size, void* context)
{
    const bool withEdges = *(const bool*)context;
    thWorld* world = createPlanWorld(2);
    addRandomWalls(world, g, size / 2, 6.0f);
    thVec2 nodes[24];
    int32_t edges[2 * 60];
    for (int32_t i = 0; i < 24; ++i)
        nodes[i] = (thVec2){drawFloat(g, -7.0f, 7.0f), drawFloat(g, -7.0f, 7.0f)};
    for (int32_t i = 0; i < 60; ++i) {
        edges[2 * i] = drawInt(g, 0, 23);
        edges[2 * i + 1] = (edges[2 * i] + drawInt(g, 1, 23)) % 24;
    }
    thRoadmapDef def = defOf(th_roadmapGiven);
    def.nodes = nodes;
    def.nodeCount = 24;
    def.edges = withEdges ? edges : NULL;
    def.edgeCount = withEdges ? 60 : 0;
    Made made;
    makeGraph(&made, world, &def, 0.25f);
    bool good = true;
    for (int32_t a = 0; a < 24 && good; ++a) {
        const thPoint p = {made.map.nodes[4 * a], made.map.nodes[4 * a + 1]};
        const int32_t from = nodeAtPlace(&made, p);
        good = (from >= 0) == thiIsClearPlace(made.space, p, 0.0f);
        for (int32_t b = 0; b < 24 && good && from >= 0; ++b) {
            const thPoint q = {made.map.nodes[4 * b], made.map.nodes[4 * b + 1]};
            bool expected = !withEdges && a != b;
            for (int32_t i = 0; i < made.map.edgeCount; ++i) {
                const int32_t* pair = &made.map.edges[2 * i];
                expected |= (pair[0] == a && pair[1] == b) || (pair[0] == b && pair[1] == a);
            }
            const int32_t to = nodeAtPlace(&made, q);
            good = (to >= 0 && areJoined(&made, from, to)) == (expected && canStep(&made, p, q));
        }
    }
    dropGraph(&made);
    return good;
}

static void testGiven(void** state)
{
    (void)state;
    bool withEdges = false;
    assertProperty(&(thProperty){"given nodes", 1, 40, 16, holdsForGiven, &withEdges});
    withEdges = true;
    assertProperty(&(thProperty){"given nodes", 1, 40, 16, holdsForGiven, &withEdges});
}

// A gap of 6 m between two walls, and a pillar in it.
static void testPortal(void** state)
{
    (void)state;
    const thVec2 nodes[] = {{-5.0f, 0.0f}, {0.0f, -3.0f}, {5.0f, 0.0f}, {0.0f, 20.0f}};
    const thVec2 ends[] = {{-5.0f, 0.0f}, {0.0f, 3.0f}, {5.0f, 0.0f}, {0.0f, 24.0f}};
    thRoadmapDef def = defOf(th_roadmapGiven);
    def.nodes = nodes;
    def.ends = ends;
    def.nodeCount = 4;
    for (int32_t pillar = 0; pillar < 2; ++pillar) {
        thWorld* world = createPlanWorld(1);
        addWall(world, 0.0f, -30.0f, 0.0f, -3.0f);
        addWall(world, 0.0f, 3.0f, 0.0f, 30.0f);
        if (pillar)
            addBox(world, -0.2f, -2.0f, 0.2f, -1.0f);
        Made made;
        makeGraph(&made, world, &def, 0.25f);
        assert_int_equal(made.graph.nodes.count, 3); // the last one is in a wall
        const thRouteNode* portal = nodeAt(&made, 1);
        const double low = pillar ? -0.75 : -2.75;
        assert_near(portal->a.y / 65536.0, low, 1e-4);
        assert_near(portal->b.y / 65536.0, 2.75, 1e-4);
        assert_near(portal->place.y / 65536.0, (low + 2.75) / 2.0, 1e-4);
        assert_int_equal(portal->place.x, 0);
        assert_true(thiIsClearPlace(made.space, portal->a, 0.0f));
        assert_true(thiIsClearPlace(made.space, portal->b, 0.0f));
        assert_true(areJoined(&made, 0, 1) && areJoined(&made, 1, 2) && areJoined(&made, 0, 2));
        dropGraph(&made);
    }
}

// Random places.

static bool holdsForRandom(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    thWorld* world = createPlanWorld(drawInt(g, 1, 3));
    addRandomWalls(world, g, size / 2, 6.0f);
    thRoadmapDef def = defOf(th_roadmapRandom);
    def.low = (thVec2){-7.0f, -7.0f};
    def.high = (thVec2){7.0f, 7.0f};
    def.count = 60;
    def.neighbors = drawInt(g, 1, 6);
    def.reach = drawInt(g, 0, 1) == 0 ? 0.0f : 2.0f;
    Made made;
    makeGraph(&made, world, &def, 0.25f);
    const int32_t count = made.graph.nodes.count;
    bool* near = calloc((size_t)count * (size_t)count + 1, sizeof *near);
    for (int32_t a = 0; a < count; ++a)
        for (int32_t b = 0; b < count; ++b) {
            const double away =
                thiRouteLength(nodeAt(&made, a), nodeAt(&made, b)->x, nodeAt(&made, b)->y);
            int32_t nearer = 0;
            for (int32_t c = 0; c < count; ++c) {
                const double other =
                    thiRouteLength(nodeAt(&made, a), nodeAt(&made, c)->x, nodeAt(&made, c)->y);
                nearer += c != a && (other < away || (other == away && c < b));
            }
            near[a * count + b] =
                a != b && nearer < def.neighbors &&
                (def.reach == 0.0f || away < (double)def.reach * THRONG_UNITS_PER_METRE);
        }
    bool good = count > 0;
    for (int32_t a = 0; a < count && good; ++a) {
        good = thiIsClearPlace(made.space, nodeAt(&made, a)->place, 0.0f);
        for (int32_t b = 0; b < count && good; ++b)
            good = areJoined(&made, a, b) ==
                   ((near[a * count + b] || near[b * count + a]) &&
                    canStep(&made, nodeAt(&made, a)->place, nodeAt(&made, b)->place));
    }
    free(near);
    dropGraph(&made);
    return good;
}

static void testRandom(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"random places", 1, 30, 16, holdsForRandom, NULL});
}

// A box that is all solid gives no place, and does not hang.
static void testRandomInSolid(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(1);
    addBox(world, 0.0f, 0.0f, 10.0f, 10.0f);
    thRoadmapDef def = defOf(th_roadmapRandom);
    def.low = (thVec2){1.0f, 1.0f};
    def.high = (thVec2){9.0f, 9.0f};
    Made made;
    makeGraph(&made, world, &def, 0.25f);
    assert_int_equal(made.graph.nodes.count, 0);
    dropGraph(&made);
}

// The medial axis.

// The point of walls that is nearest to p, relative to it, and which wall that is.
static thOffset nearestOfWalls(const Made* made, thPoint p, int32_t* wall)
{
    const thWalls* walls = made->frame.walls;
    thOffset nearest = {0.0, 0.0};
    *wall = -1;
    for (int32_t i = 0; i < walls->count; ++i) {
        const thOffset to = thiOffsetToSegment(p, (thPoint){walls->ax[i], walls->ay[i]},
                                               (thPoint){walls->bx[i], walls->by[i]});
        if (*wall >= 0 && (float)(to.x * to.x + to.y * to.y) >=
                              (float)(nearest.x * nearest.x + nearest.y * nearest.y))
            continue;
        nearest = to;
        *wall = i;
    }
    return nearest;
}

// Whether the axis runs between two samples: what is nearest to them lies apart.
static bool isAxisBetween(const Made* made, thPoint p, thPoint q)
{
    int32_t ofP, ofQ;
    const thOffset fromP = nearestOfWalls(made, p, &ofP), fromQ = nearestOfWalls(made, q, &ofQ);
    return ofP != ofQ && hypot(q.x + fromQ.x - p.x - fromP.x, q.y + fromQ.y - p.y - fromP.y) >
                             1.5 * made->map.side;
}

static bool isOnAxis(const Made* made, thPoint p)
{
    const int32_t side = made->map.side;
    const thPoint around[] = {
        {p.x + side, p.y}, {p.x - side, p.y}, {p.x, p.y + side}, {p.x, p.y - side}};
    for (int32_t i = 0; i < 4; ++i)
        if (canStep(made, p, around[i]) && isAxisBetween(made, p, around[i]))
            return true;
    return false;
}

// Two rooms with a door and a bent corridor: the axis leads everywhere, and is the middle of it.
static void testMedial(void** state)
{
    (void)state;
    const thVec2 outline[] = {{0.0f, 0.0f},  {20.0f, 0.0f}, {20.0f, 10.0f}, {28.0f, 10.0f},
                              {28.0f, 2.0f}, {30.0f, 2.0f}, {30.0f, 12.0f}, {0.0f, 12.0f}};
    thWorld* world = createPlanWorld(2);
    addObstacle(world, th_obstacleRoom, 0, outline, 8);
    addWall(world, 10.0f, 0.0f, 10.0f, 5.0f); // a door of 1.2 m
    addWall(world, 10.0f, 6.2f, 10.0f, 12.0f);
    thRoadmapDef def = defOf(th_roadmapMedial);
    def.side = 0.25f;
    Made made;
    makeGraph(&made, world, &def, 0.25f);
    const int32_t count = made.graph.nodes.count;
    assert_in_range(count, 200, 2000);
    assert_int_equal(reachCount(&made, 0), count);
    bool inCorridor = false, inFirst = false, inSecond = false;
    for (int32_t i = 0; i < count; ++i) {
        const double x = nodeAt(&made, i)->x / 65536.0, y = nodeAt(&made, i)->y / 65536.0;
        assert_true(thiIsClearPlace(made.space, nodeAt(&made, i)->place, 0.0f));
        inFirst |= x < 9.0;
        inSecond |= x > 11.0 && x < 19.0;
        inCorridor |= x > 28.0 && y < 5.0;
        if (x > 21.5 && x < 26.5) // between walls at 10 and 12
            assert_near(y, 11.0, 0.26);
    }
    assert_true(inFirst && inSecond && inCorridor);
    for (int32_t y = 0; y < 48; ++y)
        for (int32_t x = 0; x < 120; ++x) {
            const thPoint p = pointAt(0.125 + 0.25 * x, 0.125 + 0.25 * y);
            assert_int_equal(nodeAtPlace(&made, p) >= 0, isOnAxis(&made, p));
        }
    // Joined are neighbours between which one can walk, and no others.
    int32_t edges = 0;
    for (int32_t a = 0; a < count; ++a)
        for (int32_t b = 0; b < count; ++b) {
            const thPoint p = nodeAt(&made, a)->place, q = nodeAt(&made, b)->place;
            const int32_t dx = abs(p.x - q.x), dy = abs(p.y - q.y), side = made.map.side;
            const bool expected = a != b && dx <= side && dy <= side && canStep(&made, p, q);
            assert_int_equal(areJoined(&made, a, b), expected);
            edges += expected;
        }
    assert_int_equal(made.graph.edges.count, edges);
    dropGraph(&made);
}

// The same graph with any number of workers.
static void testWorkers(void** state)
{
    (void)state;
    const thRoadmapKind kinds[] = {th_roadmapGrid, th_roadmapRandom, th_roadmapMedial};
    for (int32_t i = 0; i < 3; ++i) {
        Made made[2];
        for (int32_t k = 0; k < 2; ++k) {
            thWorld* world = createPlanWorld(k == 0 ? 1 : 4);
            addRandomBuildings(world, 20, 60.0f);
            const thRoadmapDef def = defOf(kinds[i]);
            makeGraph(&made[k], world, &def, 0.25f);
        }
        const thRouteGraph *a = &made[0].graph, *b = &made[1].graph;
        assert_true(a->nodes.count > 100 && a->edges.count > 100);
        assert_int_equal(a->nodes.count, b->nodes.count);
        assert_int_equal(a->edges.count, b->edges.count);
        assert_memory_equal(a->nodes.data, b->nodes.data,
                            (size_t)a->nodes.count * sizeof(thRouteNode));
        assert_memory_equal(a->edges.data, b->edges.data,
                            (size_t)a->edges.count * sizeof(thRouteEdge));
        dropGraph(&made[0]);
        dropGraph(&made[1]);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testCells),  cmocka_unit_test(testBoxOfWalls),
        cmocka_unit_test(testGiven),  cmocka_unit_test(testPortal),
        cmocka_unit_test(testRandom), cmocka_unit_test(testRandomInSolid),
        cmocka_unit_test(testMedial), cmocka_unit_test(testWorkers),
    };
    return RUN_TESTS(tests, argc, argv);
}
