// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Trees of shortest paths on random graphs, against Bellman and Ford.

#include "plan/route/route_graph.h"

#include "gear/allocators.h"
#include "gear/gear.h"
#include "gear/property.h"

#include <stdlib.h>

#define MAX_NODES 40

static thMemory memory;

static void useMemory(void)
{
    thiMemoryInit(&memory, &(thAllocator){0}, 0);
}

// Nodes on a small lattice, so that there are many paths of equal length, some of length 0.
static void drawGraph(thGenerator* g, int32_t count, thRouteGraph* graph)
{
    thRouteNode* nodes = thiArrayAdd(&graph->nodes, count);
    for (int32_t i = 0; i < count; ++i)
        nodes[i] = (thRouteNode){.x = drawInt(g, 0, 4), .y = drawInt(g, 0, 2)};
    thRoutePair pairs[MAX_NODES * MAX_NODES];
    int32_t pairCount = 0;
    const int32_t sparsity = drawInt(g, 1, 8);
    for (int32_t a = 0; a < count; ++a)
        for (int32_t b = a + 1; b < count; ++b)
            if (drawInt(g, 0, sparsity) == 0) {
                const bool turned = drawInt(g, 0, 1) == 1;
                pairs[pairCount++] = (thRoutePair){turned ? b : a, turned ? a : b};
            }
    for (int32_t i = pairCount - 1; i > 0; --i) { // any order
        const int32_t k = drawInt(g, 0, i);
        const thRoutePair pair = pairs[i];
        pairs[i] = pairs[k];
        pairs[k] = pair;
    }
    assert_int_equal(thiRouteGraphConnect(graph, pairs, pairCount), th_resultOk);
}

static bool isWellFormed(const thRouteGraph* graph)
{
    const int32_t* first = TH_ITEMS(graph->first, int32_t);
    const thRouteEdge* edges = TH_ITEMS(graph->edges, thRouteEdge);
    const thRouteNode* nodes = TH_ITEMS(graph->nodes, thRouteNode);
    if (graph->first.count != graph->nodes.count + 1 || first[0] != 0 ||
        first[graph->nodes.count] != graph->edges.count)
        return false;
    for (int32_t a = 0; a < graph->nodes.count; ++a)
        for (int32_t i = first[a]; i < first[a + 1]; ++i) {
            const int32_t b = edges[i].to;
            if (i > first[a] && edges[i - 1].to >= b)
                return false;
            if (edges[i].length != hypot(nodes[a].x - nodes[b].x, nodes[a].y - nodes[b].y))
                return false;
            bool back = false;
            for (int32_t k = first[b]; k < first[b + 1]; ++k)
                back = back || edges[k].to == a;
            if (!back)
                return false;
        }
    return true;
}

// Until nothing changes any more.
static void findDistances(const thRouteGraph* graph, const thRouteSeed* seeds, int32_t seedCount,
                          double* distance)
{
    const int32_t* first = TH_ITEMS(graph->first, int32_t);
    const thRouteEdge* edges = TH_ITEMS(graph->edges, thRouteEdge);
    for (int32_t i = 0; i < graph->nodes.count; ++i)
        distance[i] = INFINITY;
    for (int32_t i = 0; i < seedCount; ++i)
        distance[seeds[i].node] = fmin(distance[seeds[i].node], seeds[i].length);
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t a = 0; a < graph->nodes.count; ++a)
            for (int32_t i = first[a]; i < first[a + 1]; ++i) {
                const double way = distance[a] + edges[i].length;
                changed = changed || way < distance[edges[i].to];
                distance[edges[i].to] = fmin(distance[edges[i].to], way);
            }
    }
}

static const thRouteEdge* edgeBetween(const thRouteGraph* graph, int32_t a, int32_t b)
{
    const int32_t* first = TH_ITEMS(graph->first, int32_t);
    const thRouteEdge* edges = TH_ITEMS(graph->edges, thRouteEdge);
    for (int32_t i = first[a]; i < first[a + 1]; ++i)
        if (edges[i].to == b)
            return &edges[i];
    return NULL;
}

// Every node leads to a seed, step by step, over what its distance says.
static bool leadsToSeed(const thRouteGraph* graph, const thRouteTree* tree,
                        const thRouteSeed* seeds, int32_t seedCount, int32_t node)
{
    const double* distance = TH_ITEMS(tree->distance, double);
    const int32_t* parents = TH_ITEMS(tree->parent, int32_t);
    for (int32_t steps = 0; steps <= graph->nodes.count; ++steps) {
        const int32_t parent = parents[node];
        if (parent == -1)
            return distance[node] == INFINITY;
        if (parent < 0) {
            const int32_t seed = -2 - parent;
            return seed < seedCount && seeds[seed].node == node &&
                   seeds[seed].length == distance[node];
        }
        const thRouteEdge* edge = edgeBetween(graph, parent, node);
        if (edge == NULL || distance[parent] + edge->length != distance[node])
            return false;
        node = parent;
    }
    return false; // in circles
}

static bool holdsForRandomGraph(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    useMemory();
    thRouteGraph graph = thiRouteGraph(&memory);
    drawGraph(g, size, &graph);
    bool good = isWellFormed(&graph);
    thRouteSeed seeds[5];
    const int32_t seedCount = size > 0 ? drawInt(g, 0, 5) : 0;
    for (int32_t i = 0; i < seedCount; ++i)
        seeds[i] = (thRouteSeed){drawInt(g, 0, size - 1), drawInt(g, 0, 6) * 0.5, 0.0};
    double distance[MAX_NODES];
    findDistances(&graph, seeds, seedCount, distance);
    thRouteTree tree = thiRouteTree(&memory), sliced = thiRouteTree(&memory);
    good = good && thiPlantRouteTree(&graph, seeds, seedCount, NULL, &tree) == th_resultOk &&
           thiPlantRouteTree(&graph, seeds, seedCount, NULL, &sliced) == th_resultOk;
    good = good && thiGrowRouteTree(&graph, INT32_MAX, &tree);
    int32_t settled = 0;
    while (!thiGrowRouteTree(&graph, 1, &sliced))
        good = good && sliced.settled == ++settled;
    good = good && tree.settled == sliced.settled;
    for (int32_t i = 0; i < size && good; ++i)
        good = TH_ITEMS(tree.distance, double)[i] == distance[i] &&
               TH_ITEMS(sliced.distance, double)[i] == distance[i] &&
               TH_ITEMS(tree.parent, int32_t)[i] == TH_ITEMS(sliced.parent, int32_t)[i] &&
               leadsToSeed(&graph, &tree, seeds, seedCount, i);
    thiRouteTreeFree(&tree);
    thiRouteTreeFree(&sliced);
    thiRouteGraphFree(&graph);
    return good && memory.bytes == 0;
}

static void testRandomGraphs(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "routeGraph",
                                 .seed = 3,
                                 .caseCount = 2000,
                                 .maxSize = MAX_NODES,
                                 .holds = holdsForRandomGraph});
}

// Of two paths of equal length the one over the lower node is taken.
static void testTies(void** state)
{
    (void)state;
    useMemory();
    thRouteGraph graph = thiRouteGraph(&memory);
    thRouteNode* nodes = thiArrayAdd(&graph.nodes, 4);
    nodes[0] = (thRouteNode){.x = 0.0, .y = 0.0};
    nodes[1] = (thRouteNode){.x = 1.0, .y = -1.0};
    nodes[2] = (thRouteNode){.x = 1.0, .y = 1.0};
    nodes[3] = (thRouteNode){.x = 2.0, .y = 0.0};
    const thRoutePair pairs[] = {{3, 2}, {3, 1}, {2, 0}, {0, 1}};
    assert_int_equal(thiRouteGraphConnect(&graph, pairs, 4), th_resultOk);
    thRouteTree tree = thiRouteTree(&memory);
    const thRouteSeed seeds[] = {{.node = 3}, {.node = 3}};
    assert_int_equal(thiPlantRouteTree(&graph, seeds, 2, NULL, &tree), th_resultOk);
    assert_true(thiGrowRouteTree(&graph, 4, &tree));
    const int32_t* parents = TH_ITEMS(tree.parent, int32_t);
    assert_int_equal(parents[0], 1);
    assert_int_equal(parents[1], 3);
    assert_int_equal(parents[2], 3);
    assert_int_equal(parents[3], -2);
    thiRouteTreeFree(&tree);
    thiRouteGraphFree(&graph);
}

static thResult makeAndDrop(const thAllocator* allocator, void* context)
{
    (void)context;
    thMemory own;
    thiMemoryInit(&own, allocator, 0);
    thRouteGraph graph = thiRouteGraph(&own);
    thRouteTree tree = thiRouteTree(&own);
    thRouteNode* nodes = thiArrayAdd(&graph.nodes, 2);
    thResult code = nodes != NULL ? th_resultOk : th_resultNoMemory;
    if (nodes != NULL) {
        nodes[0] = nodes[1] = (thRouteNode){0};
        code = thiRouteGraphConnect(&graph, &(thRoutePair){0, 1}, 1);
    }
    if (code == th_resultOk)
        code = thiPlantRouteTree(&graph, &(thRouteSeed){.node = 1, .length = 1.0}, 1, NULL, &tree);
    thiRouteTreeFree(&tree);
    thiRouteGraphFree(&graph);
    return code;
}

static void testMemory(void** state)
{
    (void)state;
    assert_true(failEachAllocation(makeAndDrop, NULL) > 0);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testRandomGraphs),
        cmocka_unit_test(testTies),
        cmocka_unit_test(testMemory),
    };
    return RUN_TESTS(tests, argc, argv);
}
