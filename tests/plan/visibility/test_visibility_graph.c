// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The reduced visibility graph against one of all pairs that see each other: what was left out must
// not make any path longer.

#include "plan/visibility/visibility_graph.h"

#include "gear/allocators.h"
#include "geom/fixed.h"
#include "plan/plan_gear.h"
#include "sim/world_internal.h"

#include <stdlib.h>

static thMemory memory;

static thResult buildGraph(thMemory* own, const thFrame* frame, float radius, const thTasks* tasks,
                           thRouteSpace** space, thRouteGraph* graph)
{
    *graph = thiRouteGraph(own);
    TH_TRY(thiCreateRouteSpace(own, frame, 0, radius, space));
    return thiBuildVisibilityGraph(frame, 0, *space, tasks, NULL, graph);
}

typedef struct Net {
    thRouteSpace* space;
    thRouteGraph graph, full;
} Net;

static Net makeNet(thWorld* world, float radius)
{
    Net net = {0};
    const thFrame frame = frameOf(world);
    assert_ok(buildGraph(&memory, &frame, radius, world->tasks, &net.space, &net.graph));
    net.full = thiRouteGraph(&memory);
    const int32_t count = net.graph.nodes.count;
    thRouteNode* nodes = thiArrayAdd(&net.full.nodes, count);
    memcpy(nodes, net.graph.nodes.data, (size_t)count * sizeof *nodes);
    thArray pairs = thiArray(&memory, sizeof(thRoutePair));
    for (int32_t a = 0; a < count; ++a)
        for (int32_t b = a + 1; b < count; ++b)
            if (thiIsClearLeg(net.space, nodes[a].place, nodes[b].place, 0.0f))
                *(thRoutePair*)thiArrayAdd(&pairs, 1) = (thRoutePair){a, b};
    assert_ok(thiRouteGraphConnect(&net.full, TH_ITEMS(pairs, thRoutePair), pairs.count));
    thiArrayFree(&pairs);
    return net;
}

static void dropNet(Net* net)
{
    thiRouteGraphFree(&net->graph);
    thiRouteGraphFree(&net->full);
    thiDestroyRouteSpace(net->space);
}

// The length of the shortest path from one place to another. [units]
static double findLength(const Net* net, const thRouteGraph* graph, thPoint a, thPoint b)
{
    if (thiIsClearLeg(net->space, a, b, 0.0f))
        return hypot((double)a.x - b.x, (double)a.y - b.y);
    const int32_t count = graph->nodes.count;
    const thRouteNode* nodes = TH_ITEMS(graph->nodes, thRouteNode);
    thRouteSeed* seeds = malloc((size_t)(count + 1) * sizeof *seeds);
    int32_t seedCount = 0;
    for (int32_t i = 0; i < count; ++i)
        if (thiIsClearLeg(net->space, nodes[i].place, b, 0.0f))
            seeds[seedCount++] = (thRouteSeed){i, thiRouteLength(&nodes[i], b.x, b.y), 0.0};
    thRouteTree tree = thiRouteTree(&memory);
    assert_ok(thiPlantRouteTree(graph, seeds, seedCount, NULL, &tree));
    assert_true(thiGrowRouteTree(graph, INT32_MAX, &tree));
    double best = INFINITY;
    for (int32_t i = 0; i < count; ++i)
        if (thiIsClearLeg(net->space, a, nodes[i].place, 0.0f))
            best = fmin(best,
                        thiRouteLength(&nodes[i], a.x, a.y) + TH_ITEMS(tree.distance, double)[i]);
    thiRouteTreeFree(&tree);
    free(seeds);
    return best;
}

// Where there is just room and no slack, a corner may be no node while the one across is: paths
// bend there that are not taut. So paths of the reduced graph are as short as those of all pairs
// but for few, and these as short as those of all pairs at a slightly larger radius. (That may have
// finer corners somewhere, and these save less than half the radius each.)
#define LARGER 0x1p-7f

static bool holdsForRandomWalls(thGenerator* g, int32_t size, void* context)
{
    int32_t* longer = context;
    thiMemoryInit(&memory, &(thAllocator){0}, 0);
    const float extent = 2.0f + (float)size * 0.4f;
    thWorld* world = createPlanWorld(1);
    addRandomWalls(world, g, size, extent);
    const float radii[] = {0.0f, 0.25f, 0.5f};
    const float radius = radii[drawInt(g, 0, 2)];
    Net net = makeNet(world, radius), wide = makeNet(world, radius + LARGER);
    const double spare = (double)radius * THRONG_UNITS_PER_METRE + 4.0 * 64.0;
    bool good = true;
    for (int32_t i = 0; i < 20 && good; ++i) {
        const float reach = extent + 2.0f;
        const thPoint a = pointAt(drawFloat(g, -reach, reach), drawFloat(g, -reach, reach));
        const thPoint b = pointAt(drawFloat(g, -reach, reach), drawFloat(g, -reach, reach));
        const double reduced = findLength(&net, &net.graph, a, b);
        const double full = findLength(&net, &net.full, a, b);
        const double longest = findLength(&wide, &wide.full, a, b);
        good = reduced >= full - 1e-3 && reduced <= longest + spare;
        *longer += reduced > full + 4.0 * 64.0;
    }
    const thRouteNode* nodes = TH_ITEMS(net.graph.nodes, thRouteNode);
    for (int32_t i = 0; i < net.graph.nodes.count; ++i)
        good = good && thiIsClearPlace(net.space, nodes[i].place, 0.0f) &&
               thiRouteLength(&nodes[i], nodes[i].place.x, nodes[i].place.y) < 2.0 * 64.0;
    dropNet(&net);
    dropNet(&wide);
    assert_int_equal(memory.bytes, 0);
    thDestroyWorld(world);
    return good;
}

static void testRandomWalls(void** state)
{
    (void)state;
    int32_t longer = 0;
    assertProperty(&(thProperty){.name = "visibilityGraph",
                                 .seed = 8,
                                 .caseCount = 120,
                                 .maxSize = 40,
                                 .holds = holdsForRandomWalls,
                                 .context = &longer});
    assert_in_range(longer, 0, 5);
}

static int32_t countCorners(thWorld* world, float radius)
{
    thiMemoryInit(&memory, &(thAllocator){0}, 0);
    const thFrame frame = frameOf(world);
    thRouteSpace* space = NULL;
    assert_ok(thiCreateRouteSpace(&memory, &frame, 0, radius, &space));
    thArray corners = thiArray(&memory, sizeof(thRouteCorner));
    assert_ok(thiFindCorners(&frame, 0, space, &corners));
    const int32_t count = corners.count;
    thiArrayFree(&corners);
    thiDestroyRouteSpace(space);
    return count;
}

// Only what stands out into free space is a corner.
static void testCorners(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(1);
    assert_int_equal(countCorners(world, 0.25f), 0);
    addBox(world, 0.0f, 0.0f, 4.0f, 2.0f);
    assert_int_equal(countCorners(world, 0.25f), 4);
    assert_int_equal(countCorners(world, 0.0f), 4);
    addBox(world, 4.0f, 0.0f, 8.0f, 2.0f); // shares an edge
    assert_int_equal(countCorners(world, 0.25f), 4);
    addBox(world, 0.0f, 2.0f, 3.0f, 4.0f); // flush on the left, part of an edge in common
    assert_int_equal(countCorners(world, 0.25f), 5);
    assert_int_equal(countCorners(world, 0.0f), 5);
    addBox(world, 1.0f, 1.0f, 2.0f, 5.0f); // sticks out at the top
    assert_int_equal(countCorners(world, 0.25f), 7);
    addBox(world, 8.0f, 2.0f, 9.0f, 3.0f); // meets a corner: its own lower left one is none
    assert_int_equal(countCorners(world, 0.0f), 7 - 1 + 3);
    thDestroyWorld(world);

    world = createPlanWorld(1);
    addWall(world, 0.0f, 0.0f, 10.0f, 0.0f);
    assert_int_equal(countCorners(world, 0.25f), 4); // two for each end
    addWall(world, 5.0f, -5.0f, 5.0f, 0.0f);         // an end on another wall
    assert_int_equal(countCorners(world, 0.25f), 6);
    addWall(world, 10.0f, 0.0f, 10.0f, 5.0f); // a bend of a quarter
    assert_int_equal(countCorners(world, 0.25f), 4 + 1 + 2);
    thDestroyWorld(world);

    world = createPlanWorld(1);
    const thVec2 room[] = {{0.0f, 0.0f},  {10.0f, 0.0f}, {10.0f, 10.0f},
                           {5.0f, 10.0f}, {5.0f, 5.0f},  {0.0f, 5.0f}};
    addObstacle(world, th_obstacleRoom, 0, room, 6);
    assert_int_equal(countCorners(world, 0.25f), 1);
    thDestroyWorld(world);
}

// Leaves the edges of all pairs that are taut at both ends.
static void keepTaut(Net* net)
{
    const thRouteNode* nodes = TH_ITEMS(net->graph.nodes, thRouteNode);
    const thRouteTurn* turns = TH_ITEMS(net->graph.turns, thRouteTurn);
    const int32_t* first = TH_ITEMS(net->full.first, int32_t);
    thArray pairs = thiArray(&memory, sizeof(thRoutePair));
    for (int32_t a = 0; a < net->full.nodes.count; ++a)
        for (int32_t i = first[a]; i < first[a + 1]; ++i) {
            const int32_t b = TH_ITEMS(net->full.edges, thRouteEdge)[i].to;
            const double dx = nodes[b].x - nodes[a].x, dy = nodes[b].y - nodes[a].y;
            if (b > a && thiIsTaut(&turns[a], dx, dy, 0.0) && thiIsTaut(&turns[b], dx, dy, 0.0))
                *(thRoutePair*)thiArrayAdd(&pairs, 1) = (thRoutePair){a, b};
        }
    assert_ok(thiRouteGraphConnect(&net->full, TH_ITEMS(pairs, thRoutePair), pairs.count));
    thiArrayFree(&pairs);
}

// Corners of streets are on lines: there are few edges along these, all paths are as long as they
// would be with all, and go straight from bend to bend.
static void testStreets(void** state)
{
    (void)state;
    thiMemoryInit(&memory, &(thAllocator){0}, 0);
    const float radii[] = {0.0f, 0.25f};
    for (int32_t k = 0; k < 2; ++k) {
        thWorld* world = createPlanWorld(1);
        addCity(world, 9, 7);
        Net net = makeNet(world, radii[k]);
        keepTaut(&net);
        const thRouteNode* nodes = TH_ITEMS(net.graph.nodes, thRouteNode);
        thRouteTree reduced = thiRouteTree(&memory), full = thiRouteTree(&memory);
        for (int32_t i = 0; i < net.graph.nodes.count; i += 17) {
            const thRouteSeed seed = {.node = i, .length = 1.0};
            assert_ok(thiPlantRouteTree(&net.graph, &seed, 1, NULL, &reduced));
            assert_ok(thiPlantRouteTree(&net.full, &seed, 1, NULL, &full));
            assert_true(thiGrowRouteTree(&net.graph, INT32_MAX, &reduced));
            assert_true(thiGrowRouteTree(&net.full, INT32_MAX, &full));
            for (int32_t n = 0; n < net.graph.nodes.count; ++n) {
                const double length = TH_ITEMS(full.distance, double)[n];
                assert_near(TH_ITEMS(reduced.distance, double)[n], length, 1e-12 * length);
                const int32_t* parents = TH_ITEMS(reduced.parent, int32_t);
                const int32_t next = parents[n];
                if (next >= 0 && parents[next] >= 0)
                    assert_false(thiGoesStraight(&nodes[n], &nodes[next], &nodes[parents[next]]));
            }
        }
        assert_true(net.graph.edges.count < net.full.edges.count / 2);
        thiRouteTreeFree(&reduced);
        thiRouteTreeFree(&full);
        dropNet(&net);
        assert_int_equal(memory.bytes, 0);
        thDestroyWorld(world);
    }
}

// The same graph whoever builds it.
static void testWorkers(void** state)
{
    (void)state;
    thRouteGraph graphs[2];
    thRouteSpace* spaces[2];
    thiMemoryInit(&memory, &(thAllocator){0}, 0);
    for (int32_t i = 0; i < 2; ++i) {
        thWorld* world = createPlanWorld(i == 0 ? 1 : 4);
        addRandomBuildings(world, 60, 100.0f);
        const thFrame frame = frameOf(world);
        assert_ok(buildGraph(&memory, &frame, 0.25f, world->tasks, &spaces[i], &graphs[i]));
        thDestroyWorld(world);
    }
    assert_int_equal(graphs[0].nodes.count, graphs[1].nodes.count);
    assert_int_equal(graphs[0].edges.count, graphs[1].edges.count);
    assert_true(graphs[0].edges.count > 0);
    for (int32_t i = 0; i < graphs[0].edges.count; ++i)
        assert_int_equal(TH_ITEMS(graphs[0].edges, thRouteEdge)[i].to,
                         TH_ITEMS(graphs[1].edges, thRouteEdge)[i].to);
    for (int32_t i = 0; i < 2; ++i) {
        thiRouteGraphFree(&graphs[i]);
        thiDestroyRouteSpace(spaces[i]);
    }
    assert_int_equal(memory.bytes, 0);
}

typedef struct Build {
    const thFrame* frame;
    const thTasks* tasks;
} Build;

static thResult makeAndDrop(const thAllocator* allocator, void* context)
{
    const Build* build = context;
    thMemory own;
    thiMemoryInit(&own, allocator, 0);
    thRouteSpace* space = NULL;
    thRouteGraph graph;
    const thResult code = buildGraph(&own, build->frame, 0.25f, build->tasks, &space, &graph);
    thiRouteGraphFree(&graph);
    thiDestroyRouteSpace(space);
    return code;
}

static void testMemory(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(1);
    addCity(world, 3, 2);
    const thFrame frame = frameOf(world);
    assert_true(failEachAllocation(makeAndDrop, &(Build){&frame, world->tasks}) > 0);
    thDestroyWorld(world);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testRandomWalls), cmocka_unit_test(testCorners),
        cmocka_unit_test(testStreets),     cmocka_unit_test(testWorkers),
        cmocka_unit_test(testMemory),
    };
    return RUN_TESTS(tests, argc, argv);
}
