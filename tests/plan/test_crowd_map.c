// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What a crowd adds to paths: along one, against many small pieces of it; over a graph, against
// Bellman and Ford.

#include "plan/crowd_map.h"

#include "gear/gear.h"
#include "gear/property.h"
#include "plan/route/route_search.h"

#include <math.h>
#include <stdlib.h>

#define assert_ok(call) assert_int_equal(call, th_resultOk)

#define METRE ((double)THRONG_UNITS_PER_METRE)
#define PIECES 20000
#define MAX_NODES 30

static thMemory memory;

static thCrowdMap drawMap(thGenerator* g)
{
    thiMemoryInit(&memory, &(thAllocator){0}, 0);
    thCrowdMap map = {.memory = &memory,
                      .lowX = drawInt(g, -10, 10) * 2 * THRONG_UNITS_PER_METRE,
                      .lowY = drawInt(g, -10, 10) * 2 * THRONG_UNITS_PER_METRE};
    const int32_t side = 2 * THRONG_UNITS_PER_METRE << drawInt(g, 0, 1);
    assert_ok(thiCrowdMapBegin(&map, 0.5f * (float)drawInt(g, 1, 6), side, drawInt(g, 1, 8),
                               drawInt(g, 1, 8)));
    for (int32_t i = 0; i < thiCrowdBlocks(&map); ++i)
        map.counts[i] = drawInt(g, 0, 2) == 0 ? 0 : drawInt(g, 0, 9);
    thiCrowdMapSum(&map);
    return map;
}

// Agents in the block of a place.
static int32_t countAt(const thCrowdMap* map, double x, double y)
{
    const double column = floor((x - map->lowX) / map->side);
    const double row = floor((y - map->lowY) / map->side);
    if (column < 0.0 || row < 0.0 || column >= map->columns || row >= map->rows)
        return 0;
    return map->counts[(int32_t)row * map->columns + (int32_t)column];
}

static double alongPieces(const thCrowdMap* map, double ax, double ay, double bx, double by)
{
    double met = 0.0;
    for (int32_t i = 0; i < PIECES; ++i) {
        const double at = (i + 0.5) / PIECES;
        met += countAt(map, ax + at * (bx - ax), ay + at * (by - ay));
    }
    return map->weight * hypot(bx - ax, by - ay) * met / PIECES;
}

// A place inside or outside of the map, often on the border of a block.
static double drawPlace(thGenerator* g, int32_t low, int32_t side)
{
    const double at = low + (double)side * drawInt(g, -3, 11);
    return drawInt(g, 0, 2) == 0 ? at : at + METRE * 4.0 * drawInt(g, 0, 1000) / 1000.0;
}

static bool holdsForWay(thGenerator* g, int32_t size, void* context)
{
    (void)size;
    (void)context;
    thCrowdMap map = drawMap(g);
    const double ax = drawPlace(g, map.lowX, map.side), ay = drawPlace(g, map.lowY, map.side);
    const double bx = drawInt(g, 0, 4) == 0 ? ax : drawPlace(g, map.lowX, map.side);
    const double by = drawInt(g, 0, 4) == 0 ? ay : drawPlace(g, map.lowY, map.side);
    const double found = thiCrowdAlong(&map, ax, ay, bx, by);
    const double expected = alongPieces(&map, ax, ay, bx, by);
    // On the border between blocks either will do.
    const bool onBorder = (ax == bx && fmod(ax - map.lowX, map.side) == 0.0) ||
                          (ay == by && fmod(ay - map.lowY, map.side) == 0.0);
    const double length = hypot(bx - ax, by - ay);
    const bool good =
        onBorder ? found >= 0.0 && found <= 9.0 * map.weight * length
                 : fabs(found - expected) <= 100.0 * map.weight * length / PIECES + 1e-9 * length;
    thiCrowdMapFree(&map);
    return good && memory.bytes == 0;
}

static void testWays(void** state)
{
    (void)state;
    assertProperty(&(thProperty){
        .name = "crowdAlong", .seed = 5, .caseCount = 2000, .maxSize = 2, .holds = holdsForWay});
    assert_true(thiCrowdAlong(NULL, 0.0, 0.0, 1e6, 1e6) == 0.0);
}

// An agent sees the crowd as it were without it, wherever it is.
static bool holdsForOne(thGenerator* g, int32_t size, void* context)
{
    (void)size;
    (void)context;
    thCrowdMap map = drawMap(g);
    const thPoint place = {(int32_t)drawPlace(g, map.lowX, map.side),
                           (int32_t)drawPlace(g, map.lowY, map.side)};
    const thCrowdMap others = thiCrowdWithout(&map, place);
    double ways[20][4], seen[20];
    for (int32_t i = 0; i < 20; ++i) {
        for (int32_t k = 0; k < 4; ++k)
            ways[i][k] = drawPlace(g, k % 2 == 0 ? map.lowX : map.lowY, map.side);
        seen[i] = thiCrowdAlong(&others, ways[i][0], ways[i][1], ways[i][2], ways[i][3]);
    }
    if (countAt(&map, place.x, place.y) > 0)
        map.counts[(place.y - map.lowY) / map.side * map.columns +
                   (place.x - map.lowX) / map.side] -= 1;
    thiCrowdMapSum(&map);
    bool good = true;
    for (int32_t i = 0; i < 20; ++i)
        good =
            good && seen[i] == thiCrowdAlong(&map, ways[i][0], ways[i][1], ways[i][2], ways[i][3]);
    thiCrowdMapFree(&map);
    return good;
}

static void testOne(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"crowd_without_one", 9, 300, 1, holdsForOne, NULL});
    const thCrowdMap nobody = {.memory = &memory};
    const thCrowdMap seen = thiCrowdWithout(&nobody, (thPoint){1, 1});
    assert_true(thiCrowdAlong(&seen, 0.0, 0.0, METRE, METRE) == 0.0);
}

static void drawGraph(thGenerator* g, const thCrowdMap* map, int32_t count, thRouteGraph* graph)
{
    thRouteNode* nodes = thiArrayAdd(&graph->nodes, count);
    for (int32_t i = 0; i < count; ++i) {
        const double x = drawPlace(g, map->lowX, map->side);
        const double y = drawPlace(g, map->lowY, map->side);
        const thPoint place = {(int32_t)x, (int32_t)y};
        nodes[i] = (thRouteNode){.place = place, .x = x, .y = y, .a = place, .b = place};
    }
    static thRoutePair pairs[MAX_NODES * MAX_NODES];
    int32_t pairCount = 0;
    for (int32_t a = 0; a < count; ++a)
        for (int32_t b = a + 1; b < count; ++b)
            if (drawInt(g, 0, 3) == 0)
                pairs[pairCount++] = (thRoutePair){a, b};
    assert_ok(thiRouteGraphConnect(graph, pairs, pairCount));
}

// Until nothing changes any more.
static void findCosts(const thRouteGraph* graph, const thCrowdMap* map, const thRouteSeed* seed,
                      double* costs)
{
    const int32_t* first = TH_ITEMS(graph->first, int32_t);
    const thRouteEdge* edges = TH_ITEMS(graph->edges, thRouteEdge);
    for (int32_t i = 0; i < graph->nodes.count; ++i)
        costs[i] = INFINITY;
    costs[seed->node] = seed->length + seed->crowd;
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t a = 0; a < graph->nodes.count; ++a)
            for (int32_t i = first[a]; i < first[a + 1]; ++i) {
                const double way =
                    costs[a] + edges[i].length + thiCrowdOnEdge(graph, map, a, edges[i].to);
                changed = changed || way < costs[edges[i].to];
                costs[edges[i].to] = fmin(costs[edges[i].to], way);
            }
    }
}

static bool isAbout(double a, double b)
{
    return a == b || fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

// The length of a node's path and what it costs follow from those of its parent.
static bool isCounted(const thRouteGraph* graph, const thRouteTree* tree, const thRouteSeed* seed,
                      int32_t node)
{
    const thRouteNode* nodes = TH_ITEMS(graph->nodes, thRouteNode);
    const int32_t parent = TH_ITEMS(tree->parent, int32_t)[node];
    if (parent == -1)
        return true;
    if (parent == -2)
        return node == seed->node && thiTreeLength(tree, node) == seed->length;
    return isAbout(thiTreeLength(tree, node),
                   thiTreeLength(tree, parent) +
                       thiRouteLength(&nodes[node], nodes[parent].x, nodes[parent].y));
}

static bool isSearched(const thRouteGraph* graph, const thCrowdMap* map, const thRouteTree* tree,
                       const thRouteSeed* stop, int32_t from)
{
    const thRouteNode* nodes = TH_ITEMS(graph->nodes, thRouteNode);
    thRouteNear near = thiRouteNear(&memory);
    assert_ok(thiRouteNearBuild(&near, graph));
    const thRouteDisc disc = {nodes[stop->node].x, nodes[stop->node].y, 0.0};
    const thRouteSeed start = {.node = from};
    const thRouteQuery query = {.graph = graph,
                                .near = &near,
                                .x = nodes[from].x,
                                .y = nodes[from].y,
                                .left = {.discs = &disc, .discCount = 1},
                                .starts = &start,
                                .startCount = 1,
                                .stops = stop,
                                .stopCount = 1,
                                .crowd = map,
                                .limit = INFINITY};
    void* scratch = malloc(thiRouteSearchSize(graph, &near));
    int32_t way[MAX_NODES];
    const thRouteFound found = thiFindRoute(&query, scratch, way, MAX_NODES);
    free(scratch);
    thiRouteNearFree(&near);
    const double cost = TH_ITEMS(tree->distance, double)[from];
    if (cost == INFINITY)
        return found.count == 0;
    double length = stop->length, crowd = stop->crowd;
    for (int32_t i = 0; i + 1 < found.count; ++i) {
        length += thiRouteLength(&nodes[way[i]], nodes[way[i + 1]].x, nodes[way[i + 1]].y);
        crowd += thiCrowdOnEdge(graph, map, way[i], way[i + 1]);
    }
    return isAbout(found.cost, cost) && isAbout(found.length, length) &&
           isAbout(found.cost, length + crowd);
}

static bool holdsForGraph(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    if (size == 0)
        return true;
    thCrowdMap map = drawMap(g);
    thRouteGraph graph = thiRouteGraph(&memory);
    drawGraph(g, &map, size, &graph);
    const thRouteSeed seed = {drawInt(g, 0, size - 1), METRE * drawInt(g, 0, 9),
                              METRE * drawInt(g, 0, 9)};
    double costs[MAX_NODES];
    findCosts(&graph, &map, &seed, costs);
    thRouteTree tree = thiRouteTree(&memory);
    assert_ok(thiPlantRouteTree(&graph, &seed, 1, &map, &tree));
    while (!thiGrowRouteTree(&graph, 3, &tree))
        ;
    bool good = true;
    for (int32_t i = 0; i < size && good; ++i)
        good = isAbout(TH_ITEMS(tree.distance, double)[i], costs[i]) &&
               isCounted(&graph, &tree, &seed, i) && isSearched(&graph, &map, &tree, &seed, i);
    thiRouteTreeFree(&tree);
    thiRouteGraphFree(&graph);
    thiCrowdMapFree(&map);
    return good && memory.bytes == 0;
}

static void testGraphs(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "crowd on graphs",
                                 .seed = 6,
                                 .caseCount = 400,
                                 .maxSize = MAX_NODES,
                                 .holds = holdsForGraph});
}

static void testSizes(void** state)
{
    (void)state;
    thiMemoryInit(&memory, &(thAllocator){0}, 0);
    const int64_t sizes[][3] = {{0, 1, 1},           {-131072, 1, 1},      {131072, 0, 1},
                                {131072, 1, -1},     {131072, 1 << 20, 2}, {131072, INT32_MAX, 1},
                                {131072, 1, 1 << 21}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        thCrowdMap map = {.memory = &memory};
        assert_int_equal(thiCrowdMapBegin(&map, 1.0f, sizes[i][0], sizes[i][1], sizes[i][2]),
                         th_resultDamaged);
        assert_null(map.counts);
    }
}

// Who is counted: those who live, on the floor, each in its block. Others stand among them and
// further out.
static void testWhoIsCounted(void** state)
{
    (void)state;
    enum { rows = 200 };
    static int32_t px[rows], py[rows];
    static uint16_t level[rows];
    static uint32_t flags[rows];
    thGenerator g = makeGenerator(4, 1);
    thiMemoryInit(&memory, &(thAllocator){0}, 0);
    for (int32_t i = 0; i < rows; ++i) {
        level[i] = (uint16_t)drawInt(&g, 0, 2);
        flags[i] = drawInt(&g, 0, 5) == 0 ? 0 : th_agentAlive;
        const int32_t most = (level[i] == 1 && flags[i] != 0 ? 9 : 30) * THRONG_UNITS_PER_METRE;
        px[i] = drawInt(&g, -most, most);
        py[i] = drawInt(&g, -most, most);
    }
    const thFrame frame = {.count = rows, .px = px, .py = py, .level = level, .flags = flags};
    for (int32_t floorIndex = 0; floorIndex < 4; ++floorIndex) {
        thCrowdMap map;
        assert_ok(thiCountCrowd(&memory, &frame, floorIndex, 1.0f, &map));
        int32_t expected = 0, found = 0;
        for (int32_t i = 0; i < rows; ++i)
            expected += level[i] == floorIndex && flags[i] != 0;
        for (int32_t block = 0; map.counts != NULL && block < thiCrowdBlocks(&map); ++block) {
            int32_t inside = 0;
            for (int32_t i = 0; i < rows; ++i) {
                const double x = floor(((double)px[i] - map.lowX) / map.side);
                const double y = floor(((double)py[i] - map.lowY) / map.side);
                inside += level[i] == floorIndex && flags[i] != 0 && x == block % map.columns &&
                          y == block / map.columns;
            }
            assert_int_equal(map.counts[block], inside);
            found += inside;
        }
        assert_int_equal(found, expected);
        if (floorIndex == 1) // blocks of 2 m, from −10 to 10 m at most: nobody else counts
            assert_true(map.columns <= 10 && map.rows <= 10);
        thiCrowdMapFree(&map);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testWays),   cmocka_unit_test(testWhoIsCounted), cmocka_unit_test(testOne),
        cmocka_unit_test(testGraphs), cmocka_unit_test(testSizes),
    };
    return RUN_TESTS(tests, argc, argv);
}
