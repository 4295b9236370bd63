// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Graphs from pairs of nodes, and Dijkstra's trees, which grow by so many nodes at a time.

#include "plan/route/route_graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NOT_REACHED (-1)
#define SETTLED (-2)

thRouteGraph thiRouteGraph(thMemory* memory)
{
    return (thRouteGraph){.nodes = thiArray(memory, sizeof(thRouteNode)),
                          .first = thiArray(memory, sizeof(int32_t)),
                          .edges = thiArray(memory, sizeof(thRouteEdge)),
                          .turns = thiArray(memory, sizeof(thRouteTurn))};
}

void thiRouteGraphFree(thRouteGraph* graph)
{
    thiArrayFree(&graph->nodes);
    thiArrayFree(&graph->first);
    thiArrayFree(&graph->edges);
    thiArrayFree(&graph->turns);
}

double thiRouteLength(const thRouteNode* node, double x, double y)
{
    const double dx = node->x - x, dy = node->y - y;
    return sqrt(dx * dx + dy * dy);
}

static int byTarget(const void* left, const void* right)
{
    const thRouteEdge *a = left, *b = right;
    return (a->to > b->to) - (a->to < b->to);
}

static void addEdge(thRouteGraph* graph, int32_t from, int32_t to)
{
    const thRouteNode* nodes = TH_ITEMS(graph->nodes, thRouteNode);
    int32_t* place = &TH_ITEMS(graph->first, int32_t)[from + 1];
    TH_ITEMS(graph->edges, thRouteEdge)
    [(*place)++] =
        (thRouteEdge){.to = to, .length = thiRouteLength(&nodes[from], nodes[to].x, nodes[to].y)};
}

// Counts go two places up and the sums leave each beginning one place up, from where adding edges
// moves it to the beginning of the next node.
thResult thiRouteGraphConnect(thRouteGraph* graph, const thRoutePair* pairs, int32_t count)
{
    const int32_t nodeCount = graph->nodes.count;
    graph->first.count = 0;
    graph->edges.count = 0;
    int32_t* first = thiArrayAdd(&graph->first, nodeCount + 2);
    if (first == NULL)
        return th_resultNoMemory;
    memset(first, 0, (size_t)(nodeCount + 2) * sizeof *first);
    graph->first.count = nodeCount + 1;
    if (count == 0)
        return th_resultOk;
    if (count > INT32_MAX / 2 || thiArrayAdd(&graph->edges, 2 * count) == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < count; ++i) {
        TH_ASSERT(pairs[i].a != pairs[i].b);
        first[pairs[i].a + 2] += 1;
        first[pairs[i].b + 2] += 1;
    }
    for (int32_t i = 2; i < nodeCount + 2; ++i)
        first[i] += first[i - 1];
    for (int32_t i = 0; i < count; ++i) {
        addEdge(graph, pairs[i].a, pairs[i].b);
        addEdge(graph, pairs[i].b, pairs[i].a);
    }
    thRouteEdge* edges = TH_ITEMS(graph->edges, thRouteEdge);
    for (int32_t i = 0; i < nodeCount; ++i)
        qsort(&edges[first[i]], (size_t)(first[i + 1] - first[i]), sizeof *edges, byTarget);
    return th_resultOk;
}

thRouteTree thiRouteTree(thMemory* memory)
{
    return (thRouteTree){.distance = thiArray(memory, sizeof(double)),
                         .length = thiArray(memory, sizeof(double)),
                         .parent = thiArray(memory, sizeof(int32_t)),
                         .heap = thiArray(memory, sizeof(int32_t)),
                         .heapAt = thiArray(memory, sizeof(int32_t))};
}

void thiRouteTreeFree(thRouteTree* tree)
{
    thiArrayFree(&tree->distance);
    thiArrayFree(&tree->length);
    thiArrayFree(&tree->parent);
    thiArrayFree(&tree->heap);
    thiArrayFree(&tree->heapAt);
}

// Nodes in the heap are in the order (distance, node).
static bool isBefore(const thRouteTree* tree, int32_t a, int32_t b)
{
    const double* distance = TH_ITEMS(tree->distance, double);
    return distance[a] < distance[b] || (distance[a] == distance[b] && a < b);
}

static void putAt(thRouteTree* tree, int32_t place, int32_t node)
{
    TH_ITEMS(tree->heap, int32_t)[place] = node;
    TH_ITEMS(tree->heapAt, int32_t)[node] = place;
}

static void moveUp(thRouteTree* tree, int32_t place, int32_t node)
{
    const int32_t* heap = TH_ITEMS(tree->heap, int32_t);
    while (place > 0) {
        const int32_t above = (place - 1) / 2;
        if (!isBefore(tree, node, heap[above]))
            break;
        putAt(tree, place, heap[above]);
        place = above;
    }
    putAt(tree, place, node);
}

static void moveDown(thRouteTree* tree, int32_t place, int32_t node)
{
    const int32_t* heap = TH_ITEMS(tree->heap, int32_t);
    const int32_t count = tree->heap.count;
    for (int32_t below = 2 * place + 1; below < count; below = 2 * place + 1) {
        if (below + 1 < count && isBefore(tree, heap[below + 1], heap[below]))
            below += 1;
        if (!isBefore(tree, heap[below], node))
            break;
        putAt(tree, place, heap[below]);
        place = below;
    }
    putAt(tree, place, node);
}

static int32_t takeNearest(thRouteTree* tree)
{
    const int32_t* heap = TH_ITEMS(tree->heap, int32_t);
    const int32_t nearest = heap[0];
    tree->heap.count -= 1;
    if (tree->heap.count > 0)
        moveDown(tree, 0, heap[tree->heap.count]);
    TH_ITEMS(tree->heapAt, int32_t)[nearest] = SETTLED;
    return nearest;
}

// Of paths of equal length a seed's own stays, then the one over the lower node.
static void reach(thRouteTree* tree, int32_t node, double distance, int32_t parent)
{
    double* known = &TH_ITEMS(tree->distance, double)[node];
    int32_t* by = &TH_ITEMS(tree->parent, int32_t)[node];
    const int32_t place = TH_ITEMS(tree->heapAt, int32_t)[node];
    if (place == SETTLED || distance > *known)
        return;
    if (distance == *known) {
        if (*by >= 0 && parent < *by)
            *by = parent;
        return;
    }
    *known = distance;
    *by = parent;
    if (place == NOT_REACHED)
        tree->heap.count += 1; // there is room for every node
    moveUp(tree, place == NOT_REACHED ? tree->heap.count - 1 : place, node);
}

static void clearTree(thRouteTree* tree)
{
    tree->distance.count = tree->parent.count = tree->heap.count = tree->heapAt.count = 0;
    tree->length.count = tree->settled = 0;
}

// Where the paths of seeds begin to be counted.
static thResult plantLengths(const thRouteSeed* seeds, int32_t seedCount, thRouteTree* tree)
{
    double* length = thiArrayAdd(&tree->length, tree->distance.count);
    if (length == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < seedCount; ++i)
        if (TH_ITEMS(tree->parent, int32_t)[seeds[i].node] == -2 - i)
            length[seeds[i].node] = seeds[i].length;
    return th_resultOk;
}

thResult thiPlantRouteTree(const thRouteGraph* graph, const thRouteSeed* seeds, int32_t seedCount,
                           const thCrowdMap* crowd, thRouteTree* tree)
{
    const int32_t count = graph->nodes.count;
    clearTree(tree);
    tree->crowd = crowd;
    if (count == 0)
        return th_resultOk;
    double* distance = thiArrayAdd(&tree->distance, count);
    int32_t* parent = thiArrayAdd(&tree->parent, count);
    int32_t* heapAt = thiArrayAdd(&tree->heapAt, count);
    if (distance == NULL || parent == NULL || heapAt == NULL ||
        thiArrayReserve(&tree->heap, count) != th_resultOk) {
        clearTree(tree);
        return th_resultNoMemory;
    }
    for (int32_t i = 0; i < count; ++i) {
        distance[i] = INFINITY;
        parent[i] = -1;
        heapAt[i] = NOT_REACHED;
    }
    for (int32_t i = 0; i < seedCount; ++i)
        reach(tree, seeds[i].node, seeds[i].length + seeds[i].crowd, -2 - i);
    return crowd != NULL ? plantLengths(seeds, seedCount, tree) : th_resultOk;
}

double thiCrowdOnEdge(const thRouteGraph* graph, const thCrowdMap* crowd, int32_t from, int32_t to)
{
    const thRouteNode* nodes = TH_ITEMS(graph->nodes, thRouteNode);
    return thiCrowdAlong(crowd, nodes[from].x, nodes[from].y, nodes[to].x, nodes[to].y);
}

static void countLength(const thRouteGraph* graph, int32_t node, thRouteTree* tree)
{
    const thRouteNode* nodes = TH_ITEMS(graph->nodes, thRouteNode);
    const int32_t parent = TH_ITEMS(tree->parent, int32_t)[node];
    double* length = TH_ITEMS(tree->length, double);
    if (parent >= 0)
        length[node] =
            length[parent] + thiRouteLength(&nodes[node], nodes[parent].x, nodes[parent].y);
}

// The node that a path from another one, which comes to `node`, heads for: past nodes where paths
// round corners go straight on.
static int32_t headFrom(const thRouteGraph* graph, const thRouteTree* tree, int32_t from,
                        int32_t node)
{
    const thRouteNode* nodes = TH_ITEMS(graph->nodes, thRouteNode);
    const int32_t next = TH_ITEMS(tree->parent, int32_t)[node];
    return graph->turns.count > 0 && next >= 0 &&
                   thiGoesStraight(&nodes[from], &nodes[node], &nodes[next])
               ? next
               : node;
}

bool thiGrowRouteTree(const thRouteGraph* graph, int32_t count, thRouteTree* tree)
{
    const int32_t* first = TH_ITEMS(graph->first, int32_t);
    const thRouteEdge* edges = TH_ITEMS(graph->edges, thRouteEdge);
    for (; count > 0 && tree->heap.count > 0; --count) {
        const int32_t node = takeNearest(tree);
        const double distance = TH_ITEMS(tree->distance, double)[node];
        tree->settled += 1;
        if (tree->crowd != NULL)
            countLength(graph, node, tree);
        for (int32_t i = first[node]; i < first[node + 1]; ++i) {
            const double along = distance + edges[i].length;
            const int32_t to = edges[i].to;
            // Most nodes are reached by a shorter path already.
            if (along <= TH_ITEMS(tree->distance, double)[to])
                reach(tree, to, along + thiCrowdOnEdge(graph, tree->crowd, node, to),
                      headFrom(graph, tree, to, node));
        }
    }
    return tree->heap.count == 0;
}
