// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Boxes of nodes against sorting all of them, and A* against trees.

#include "plan/route/route_search.h"

#include "gear/gear.h"
#include "gear/property.h"

#include <stdlib.h>

#define MAX_NODES 120

static thMemory memory;

static void drawNodes(thGenerator* g, int32_t count, thRouteGraph* graph)
{
    thRouteNode* nodes = thiArrayAdd(&graph->nodes, count);
    const bool lattice = drawInt(g, 0, 1) == 1;
    for (int32_t i = 0; i < count; ++i) {
        const int32_t x = drawInt(g, -1000, 1000) / (lattice ? 250 : 1) * (lattice ? 250 : 1);
        const int32_t y = drawInt(g, -500, 500) / (lattice ? 250 : 1) * (lattice ? 250 : 1);
        const thPoint place = {x, y};
        nodes[i] = (thRouteNode){.place = place, .x = x, .y = y, .a = place, .b = place};
    }
}

static int byBound(const void* left, const void* right)
{
    const thRouteSeed *a = left, *b = right;
    if (a->length != b->length)
        return a->length < b->length ? -1 : 1;
    return a->node - b->node;
}

static bool walksInOrder(thGenerator* g, const thRouteGraph* graph, const thRouteNear* near)
{
    const int32_t count = graph->nodes.count;
    double left[MAX_NODES], ofBoxes[2 * MAX_NODES];
    for (int32_t i = 0; i < count; ++i)
        left[i] = drawInt(g, 0, 9) == 0 ? INFINITY : (double)drawInt(g, 0, 500);
    thiRouteNearLeast(near, left, ofBoxes);
    const thRouteDisc discs[] = {{300.0, 10.0, 50.0}, {-700.0, 100.0, 0.0}};
    thRouteLeft lefts = {0};
    const int32_t kind = drawInt(g, 0, 2);
    if (kind == 0)
        lefts = (thRouteLeft){.ofNodes = left, .ofBoxes = ofBoxes};
    else if (kind == 1)
        lefts = (thRouteLeft){.discs = discs, .discCount = 2};
    const double x = drawInt(g, -1200, 1200), y = drawInt(g, -600, 600);
    thRouteSeed sorted[MAX_NODES];
    int32_t expected = 0;
    for (int32_t i = 0; i < count; ++i) {
        const double bound = thiRouteLength(&TH_ITEMS(graph->nodes, thRouteNode)[i], x, y) +
                             thiRouteLeftOf(&lefts, graph, i);
        if (bound < INFINITY)
            sorted[expected++] = (thRouteSeed){i, bound, 0.0};
    }
    qsort(sorted, (size_t)expected, sizeof sorted[0], byBound);
    void* scratch = malloc(thiRouteWalkSize(near) + 1);
    thRouteWalk walk = thiBeginRouteWalk(near, graph, &lefts, x, y, scratch);
    bool good = true;
    for (int32_t i = 0; i < expected && good; ++i) {
        double bound;
        good = thiRouteWalkBound(&walk) <= sorted[i].length &&
               thiRouteWalkNext(&walk, sorted[i].length, &bound) == -1 &&
               thiRouteWalkNext(&walk, INFINITY, &bound) == sorted[i].node &&
               bound == sorted[i].length;
    }
    double none;
    good = good && thiRouteWalkNext(&walk, INFINITY, &none) == -1;
    free(scratch);
    return good;
}

// Where paths may begin and end.
typedef struct Ends {
    bool begins[MAX_NODES];
    double left[MAX_NODES]; // infinite: it does not end there
} Ends;

static bool beginsAt(void* context, int32_t node, double* length)
{
    (void)length;
    return ((const Ends*)context)->begins[node];
}

static bool endsAt(void* context, int32_t node, thRouteSeed* stop)
{
    *stop = (thRouteSeed){node, ((const Ends*)context)->left[node], 0.0};
    return stop->length < INFINITY;
}

static double lengthOf(const thRouteGraph* graph, const int32_t* nodes, int32_t count, double x,
                       double y)
{
    const thRouteNode* all = TH_ITEMS(graph->nodes, thRouteNode);
    double length = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        length += thiRouteLength(&all[nodes[i]], x, y);
        x = all[nodes[i]].x;
        y = all[nodes[i]].y;
    }
    return length;
}

static bool findsShortest(thGenerator* g, const thRouteGraph* graph, const thRouteNear* near)
{
    const int32_t count = graph->nodes.count;
    const thRouteNode* nodes = TH_ITEMS(graph->nodes, thRouteNode);
    const double x = drawInt(g, -1200, 1200), y = drawInt(g, -600, 600);
    const thRouteDisc goal = {drawInt(g, -1200, 1200), drawInt(g, -600, 600), 20.0};
    Ends ends;
    thRouteSeed seeds[MAX_NODES];
    int32_t seedCount = 0;
    for (int32_t i = 0; i < count; ++i) {
        ends.begins[i] = drawInt(g, 0, 5) == 0;
        const double left = thiRouteLength(&nodes[i], goal.x, goal.y);
        ends.left[i] = drawInt(g, 0, 5) == 0 ? left : INFINITY;
        if (ends.left[i] < INFINITY)
            seeds[seedCount++] = (thRouteSeed){i, left, 0.0};
    }
    thRouteTree tree = thiRouteTree(&memory);
    assert_int_equal(thiPlantRouteTree(graph, seeds, seedCount, NULL, &tree), th_resultOk);
    assert_true(thiGrowRouteTree(graph, INT32_MAX, &tree));
    double best = INFINITY;
    for (int32_t i = 0; i < count; ++i)
        if (ends.begins[i])
            best = fmin(best, thiRouteLength(&nodes[i], x, y) + TH_ITEMS(tree.distance, double)[i]);
    thiRouteTreeFree(&tree);
    const double limit = drawInt(g, 0, 3) == 0 ? (double)drawInt(g, 0, 3000) : INFINITY;
    const thRouteQuery query = {.graph = graph,
                                .near = near,
                                .x = x,
                                .y = y,
                                .left = {.discs = &goal, .discCount = 1},
                                .begins = beginsAt,
                                .ends = endsAt,
                                .context = &ends,
                                .limit = limit};
    void* scratch = malloc(thiRouteSearchSize(graph, near));
    int32_t way[MAX_NODES], few[2];
    const thRouteFound found = thiFindRoute(&query, scratch, way, MAX_NODES);
    const thRouteFound same = thiFindRoute(&query, scratch, few, 2);
    free(scratch);
    if (best >= limit || best == INFINITY)
        return found.count == 0;
    return found.count > 0 && same.count == found.count && few[0] == way[0] &&
           way[found.count - 1] == found.last && ends.begins[way[0]] &&
           isNear(found.length, best, 1e-6) &&
           isNear(lengthOf(graph, way, found.count, x, y) + ends.left[found.last], best, 1e-6);
}

static bool holdsForRandomGraph(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    thiMemoryInit(&memory, &(thAllocator){0}, 0);
    thRouteGraph graph = thiRouteGraph(&memory);
    drawNodes(g, size, &graph);
    static thRoutePair pairs[MAX_NODES * MAX_NODES];
    int32_t pairCount = 0;
    for (int32_t a = 0; a < size; ++a)
        for (int32_t b = a + 1; b < size; ++b)
            if (drawInt(g, 0, 1 + size / 4) == 0)
                pairs[pairCount++] = (thRoutePair){a, b};
    assert_int_equal(thiRouteGraphConnect(&graph, pairs, pairCount), th_resultOk);
    thRouteNear near = thiRouteNear(&memory);
    assert_int_equal(thiRouteNearBuild(&near, &graph), th_resultOk);
    bool good = true;
    for (int32_t i = 0; i < 5 && good; ++i)
        good = walksInOrder(g, &graph, &near) && findsShortest(g, &graph, &near);
    thiRouteNearFree(&near);
    thiRouteGraphFree(&graph);
    return good && memory.bytes == 0;
}

static void testRandomGraphs(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "routeSearch",
                                 .seed = 6,
                                 .caseCount = 600,
                                 .maxSize = MAX_NODES,
                                 .holds = holdsForRandomGraph});
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testRandomGraphs),
    };
    return RUN_TESTS(tests, argc, argv);
}
