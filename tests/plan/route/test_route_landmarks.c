// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Bounds from landmarks, against the true distances; and searches with them, against those without.

#include "plan/route/route_search.h"

#include "gear/gear.h"
#include "gear/property.h"

#include <math.h>

#define assert_ok(call) assert_int_equal(call, th_resultOk)
#define COUNT 300

static thMemory memory;

// Places at random or in a grid, joined to some that are near; often in several parts.
static thRouteGraph makeGraph(thGenerator* g, int32_t size)
{
    thiMemoryInit(&memory, &(thAllocator){0}, 0);
    thRouteGraph graph = thiRouteGraph(&memory);
    thRouteNode* nodes = thiArrayAdd(&graph.nodes, COUNT);
    const bool isGrid = drawInt(g, 0, 1) == 0;
    for (int32_t i = 0; i < COUNT; ++i) {
        const thPoint place = isGrid ? (thPoint){i % 20 * 65536, i / 20 * 65536}
                                     : (thPoint){drawInt(g, 0, 1000000), drawInt(g, 0, 1000000)};
        nodes[i] =
            (thRouteNode){.place = place, .x = place.x, .y = place.y, .a = place, .b = place};
    }
    thRoutePair pairs[COUNT * 4];
    int32_t pairCount = 0;
    for (int32_t a = 0; a < COUNT; ++a)
        for (int32_t b = a + 1; b < COUNT && pairCount < COUNT * 4; ++b) {
            const double away = thiRouteLength(&nodes[a], nodes[b].x, nodes[b].y);
            if (away < (isGrid ? 66000.0 : 90000.0) && drawInt(g, 0, 20) < size)
                pairs[pairCount++] = (thRoutePair){a, b};
        }
    assert_ok(thiRouteGraphConnect(&graph, pairs, pairCount));
    return graph;
}

static bool holdsForBounds(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    thRouteGraph graph = makeGraph(g, size);
    thRouteLandmarks landmarks = thiRouteLandmarks(&memory);
    assert_ok(thiFindLandmarks(&landmarks, &graph));
    assert_int_equal(landmarks.distances.count, COUNT);
    const thRouteSeed stops[] = {
        {.node = drawInt(g, 0, COUNT - 1)},
        {.node = drawInt(g, 0, COUNT - 1), .length = 1000.0 * drawInt(g, 0, 100)}};
    const int32_t stopCount = drawInt(g, 1, 2);
    const thRouteStops seen = thiLandmarksOfStops(&landmarks, stops, stopCount);
    thRouteTree tree = thiRouteTree(&memory);
    assert_ok(thiPlantRouteTree(&graph, stops, stopCount, NULL, &tree));
    while (!thiGrowRouteTree(&graph, 100, &tree))
        ;
    bool good = true;
    for (int32_t i = 0; i < COUNT && good; ++i)
        good = thiLandmarksLeft(&landmarks, &seen, i) <= TH_ITEMS(tree.distance, double)[i];
    thiRouteTreeFree(&tree);
    thiRouteLandmarksFree(&landmarks);
    thiRouteGraphFree(&graph);
    return good && memory.bytes == 0;
}

static void testBounds(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"landmarks' bounds", 1, 60, 20, holdsForBounds, NULL});
}

static bool isSearched(thGenerator* g, const thRouteGraph* graph, const thRouteNear* near,
                       const thRouteLandmarks* landmarks, void* scratch)
{
    const thRouteNode* nodes = TH_ITEMS(graph->nodes, thRouteNode);
    const thRouteSeed start = {.node = drawInt(g, 0, COUNT - 1), .length = 5.0};
    const thRouteSeed stop = {.node = drawInt(g, 0, COUNT - 1), .length = 7.0};
    const thRouteDisc disc = {nodes[stop.node].x, nodes[stop.node].y, 0.0};
    thRouteQuery query = {.graph = graph,
                          .near = near,
                          .x = nodes[start.node].x,
                          .y = nodes[start.node].y,
                          .left = {.discs = &disc, .discCount = 1},
                          .starts = &start,
                          .startCount = 1,
                          .stops = &stop,
                          .stopCount = 1,
                          .limit = INFINITY};
    int32_t way[COUNT];
    const thRouteFound plain = thiFindRoute(&query, scratch, way, COUNT);
    query.landmarks = landmarks;
    const thRouteFound found = thiFindRoute(&query, scratch, way, COUNT);
    if (plain.count == 0 || found.count == 0)
        return plain.count == found.count;
    double length = start.length + stop.length;
    for (int32_t i = 0; i + 1 < found.count; ++i)
        length += thiRouteLength(&nodes[way[i]], nodes[way[i + 1]].x, nodes[way[i + 1]].y);
    return way[0] == start.node && way[found.count - 1] == stop.node && found.last == stop.node &&
           fabs(found.length - plain.length) <= 1e-9 * plain.length &&
           fabs(found.length - length) <= 1e-9 * length && found.effort <= plain.effort + 8;
}

static bool holdsForSearches(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    thRouteGraph graph = makeGraph(g, size);
    thRouteLandmarks landmarks = thiRouteLandmarks(&memory);
    thRouteNear near = thiRouteNear(&memory);
    assert_ok(thiFindLandmarks(&landmarks, &graph));
    assert_ok(thiRouteNearBuild(&near, &graph));
    const size_t scratchSize = thiRouteSearchSize(&graph, &near);
    void* scratch = thiAllocate(&memory, scratchSize);
    bool good = true;
    for (int32_t i = 0; i < 30 && good; ++i)
        good = isSearched(g, &graph, &near, &landmarks, scratch);
    thiRelease(&memory, scratch, scratchSize);
    thiRouteNearFree(&near);
    thiRouteLandmarksFree(&landmarks);
    thiRouteGraphFree(&graph);
    return good && memory.bytes == 0;
}

static void testSearches(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"searches with landmarks", 1, 60, 20, holdsForSearches, NULL});
}

// Small graphs have none, and are searched all the same.
static void testSmall(void** state)
{
    (void)state;
    thiMemoryInit(&memory, &(thAllocator){0}, 0);
    thRouteGraph graph = thiRouteGraph(&memory);
    thRouteLandmarks landmarks = thiRouteLandmarks(&memory);
    assert_ok(thiRouteGraphConnect(&graph, NULL, 0));
    assert_ok(thiFindLandmarks(&landmarks, &graph));
    assert_int_equal(landmarks.distances.count, 0);
    thiRouteLandmarksFree(&landmarks);
    thiRouteGraphFree(&graph);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testBounds),
        cmocka_unit_test(testSearches),
        cmocka_unit_test(testSmall),
    };
    return RUN_TESTS(tests, argc, argv);
}
