// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Landmarks, and the search by A*. It takes nodes in the order of how long a path over them is at
// least, from two sources: those that the place may see, from the boxes of all nodes, and those
// that a path was found to, from a heap.

#include "plan/route/route_search.h"

#include <math.h>

#define LEAST_NODES 128
#define MOST_NODES 1048576
#define BEGINNINGS 8        // places to look for a large part of the graph from
#define EXACT (1 - 0x1p-40) // distances are rounded; a bound a little lower does no harm

thRouteLandmarks thiRouteLandmarks(thMemory* memory)
{
    return (thRouteLandmarks){thiArray(memory, TH_LANDMARKS * (int32_t)sizeof(double))};
}

void thiRouteLandmarksFree(thRouteLandmarks* landmarks)
{
    thiArrayFree(&landmarks->distances);
}

static thResult growFrom(const thRouteGraph* graph, int32_t node, thRouteTree* tree)
{
    const thRouteSeed seed = {.node = node};
    TH_TRY(thiPlantRouteTree(graph, &seed, 1, NULL, tree));
    (void)thiGrowRouteTree(graph, INT32_MAX, tree);
    return th_resultOk;
}

// The node that is furthest from all that were chosen, of those that can be reached from them.
static int32_t furthest(const double* least, int32_t count)
{
    int32_t best = -1;
    for (int32_t i = 0; i < count; ++i)
        if (least[i] < INFINITY && (best < 0 || least[i] > least[best]))
            best = i;
    return best;
}

// A node at the border of the largest part of the graph that a few beginnings are in.
static thResult findFirst(const thRouteGraph* graph, thRouteTree* tree, int32_t* first)
{
    int32_t most = 0;
    for (int32_t i = 0; i < BEGINNINGS && 2 * most <= graph->nodes.count; ++i) {
        const int32_t begin = (int32_t)((int64_t)graph->nodes.count * i / BEGINNINGS);
        TH_TRY(growFrom(graph, begin, tree));
        if (tree->settled <= most)
            continue;
        most = tree->settled;
        *first = furthest(TH_ITEMS(tree->distance, double), graph->nodes.count);
    }
    return th_resultOk;
}

static thResult measureAll(thRouteLandmarks* landmarks, const thRouteGraph* graph,
                           thRouteTree* tree, double* least)
{
    const int32_t count = graph->nodes.count;
    int32_t node = 0;
    TH_TRY(findFirst(graph, tree, &node));
    double* distances = thiArrayAdd(&landmarks->distances, count);
    if (distances == NULL)
        return th_resultNoMemory;
    for (int32_t k = 0; k < TH_LANDMARKS; ++k) {
        TH_TRY(growFrom(graph, node, tree));
        const double* found = TH_ITEMS(tree->distance, double);
        for (int32_t i = 0; i < count; ++i) {
            distances[(int64_t)i * TH_LANDMARKS + k] = found[i];
            least[i] = k == 0 || found[i] < least[i] ? found[i] : least[i];
        }
        node = furthest(least, count);
    }
    return th_resultOk;
}

thResult thiFindLandmarks(thRouteLandmarks* landmarks, const thRouteGraph* graph)
{
    const int32_t count = graph->nodes.count;
    landmarks->distances.count = 0;
    if (count < LEAST_NODES || count > MOST_NODES)
        return th_resultOk;
    thMemory* memory = landmarks->distances.memory;
    const size_t size = (size_t)count * sizeof(double);
    double* least = thiAllocate(memory, size);
    thRouteTree tree = thiRouteTree(memory);
    const thResult code =
        least != NULL ? measureAll(landmarks, graph, &tree, least) : th_resultNoMemory;
    thiRouteTreeFree(&tree);
    thiRelease(memory, least, size);
    if (code != th_resultOk)
        landmarks->distances.count = 0;
    return code;
}

static const double* distancesOf(const thRouteLandmarks* landmarks, int32_t node)
{
    return &TH_ITEMS(landmarks->distances, double)[(int64_t)node * TH_LANDMARKS];
}

thRouteStops thiLandmarksOfStops(const thRouteLandmarks* landmarks, const thRouteSeed* stops,
                                 int32_t stopCount)
{
    thRouteStops result;
    for (int32_t k = 0; k < TH_LANDMARKS; ++k) {
        result.ahead[k] = INFINITY;
        result.behind[k] = -INFINITY;
    }
    for (int32_t i = 0; i < stopCount; ++i) {
        const double* distances = distancesOf(landmarks, stops[i].node);
        for (int32_t k = 0; k < TH_LANDMARKS && distances[k] < INFINITY; ++k) {
            result.ahead[k] = TH_MIN(result.ahead[k], distances[k] + stops[i].length);
            result.behind[k] = TH_MAX(result.behind[k], distances[k] - stops[i].length);
        }
    }
    return result;
}

// All landmarks are in one part of the graph: a node is far from all of them or from none.
double thiLandmarksLeft(const thRouteLandmarks* landmarks, const thRouteStops* stops, int32_t node)
{
    const double* distances = distancesOf(landmarks, node);
    double left = 0.0;
    for (int32_t k = 0; k < TH_LANDMARKS && distances[k] < INFINITY; ++k) {
        left = TH_MAX(left, stops->ahead[k] - distances[k]);
        left = TH_MAX(left, distances[k] - stops->behind[k]);
    }
    return left * EXACT;
}

#define NOT_IN_HEAP (-1)
#define EDGES_PER_LEG 32 // that take as long as a look at a leg
#define GRAINS 1024.0    // of a unit: paths that differ by less are as long as each other

typedef struct Search {
    const thRouteQuery* query;
    double* length; // of the shortest path found to each node; with a crowd, what it costs
    double* bound;  // that and what is left at least
    int32_t* parent;
    int32_t* heapAt;
    int32_t* heap;
    int32_t count;
    thRouteWalk walk;
    const thRouteTurn* turns; // NULL: paths bend as they like
    bool hasLandmarks;
    thRouteStops stops; // as these see them
    double best;        // of the paths found, in grains where there are landmarks
    double cost;        // of that path
    thRouteSeed last;   // where the best path ends; node −1: there is none
    int32_t effort;
} Search;

static size_t nodesOf(const thRouteGraph* graph)
{
    return (size_t)TH_MAX(graph->nodes.count, 1);
}

size_t thiRouteSearchSize(const thRouteGraph* graph, const thRouteNear* near)
{
    return nodesOf(graph) * (2 * sizeof(double) + 3 * sizeof(int32_t)) + 8 + thiRouteWalkSize(near);
}

static Search beginSearch(const thRouteQuery* query, void* memory)
{
    const size_t count = nodesOf(query->graph);
    Search search = {
        .query = query, .best = query->limit, .cost = query->limit, .last = {.node = -1}};
    if (!query->anyBend && query->graph->turns.count > 0)
        search.turns = TH_ITEMS(query->graph->turns, thRouteTurn);
    search.hasLandmarks =
        query->stops != NULL && query->landmarks != NULL && query->landmarks->distances.count > 0;
    if (search.hasLandmarks)
        search.stops = thiLandmarksOfStops(query->landmarks, query->stops, query->stopCount);
    search.length = memory;
    search.bound = search.length + count;
    // The walk's memory holds doubles and comes before what is smaller.
    void* walkMemory = search.bound + count;
    search.parent = (int32_t*)((char*)walkMemory + thiRouteWalkSize(query->near));
    search.heapAt = search.parent + count;
    search.heap = search.heapAt + count;
    for (size_t i = 0; i < count; ++i) {
        search.length[i] = INFINITY;
        search.heapAt[i] = NOT_IN_HEAP;
    }
    search.walk =
        thiBeginRouteWalk(query->near, query->graph, &query->left, query->x, query->y, walkMemory);
    search.walk.horizon = query->horizon;
    return search;
}

// With landmarks many paths are as short as can be: the one that has come furthest goes on first.
static bool isBefore(const Search* search, int32_t a, int32_t b)
{
    if (search->hasLandmarks && search->bound[a] == search->bound[b] &&
        search->length[a] != search->length[b])
        return search->length[a] > search->length[b];
    return search->bound[a] < search->bound[b] || (search->bound[a] == search->bound[b] && a < b);
}

static void putAt(Search* search, int32_t place, int32_t node)
{
    search->heap[place] = node;
    search->heapAt[node] = place;
}

static void moveUp(Search* search, int32_t place, int32_t node)
{
    while (place > 0 && isBefore(search, node, search->heap[(place - 1) / 2])) {
        putAt(search, place, search->heap[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    putAt(search, place, node);
}

static int32_t takeFirst(Search* search)
{
    const int32_t first = search->heap[0], last = search->heap[--search->count];
    search->heapAt[first] = NOT_IN_HEAP;
    int32_t place = 0;
    for (int32_t below = 1; below < search->count; below = 2 * place + 1) {
        if (below + 1 < search->count &&
            isBefore(search, search->heap[below + 1], search->heap[below]))
            below += 1;
        if (!isBefore(search, search->heap[below], last))
            break;
        putAt(search, place, search->heap[below]);
        place = below;
    }
    if (search->count > 0)
        putAt(search, place, last);
    return first;
}

static double leftOf(const Search* search, int32_t node)
{
    const thRouteQuery* query = search->query;
    const double straight = thiRouteLeftOf(&query->left, query->graph, node);
    return search->hasLandmarks
               ? TH_MAX(straight, thiLandmarksLeft(query->landmarks, &search->stops, node))
               : straight;
}

// Along streets many paths are as long as each other, but for rounding. They must not all be tried.
static double inGrains(const Search* search, double length)
{
    return search->hasLandmarks ? floor(length * GRAINS) * (1.0 / GRAINS) : length;
}

static void reach(Search* search, int32_t node, double length, int32_t parent)
{
    if (length > search->length[node])
        return;
    if (length == search->length[node]) {
        if (search->heapAt[node] != NOT_IN_HEAP && parent >= 0 && parent < search->parent[node])
            search->parent[node] = parent;
        return;
    }
    const double bound = inGrains(search, length + leftOf(search, node));
    if (bound >= search->best)
        return;
    search->length[node] = length;
    search->bound[node] = bound;
    search->parent[node] = parent;
    const bool isNew = search->heapAt[node] == NOT_IN_HEAP;
    moveUp(search, isNew ? search->count++ : search->heapAt[node], node);
}

static void beginAtStarts(Search* search)
{
    const thRouteQuery* query = search->query;
    search->walk.count = 0;
    for (int32_t i = 0; i < query->startCount; ++i)
        reach(search, query->starts[i].node, query->starts[i].length + query->starts[i].crowd, -1);
}

static void tryBeginning(Search* search)
{
    const thRouteQuery* query = search->query;
    double bound;
    const double limit =
        search->count > 0 ? TH_MIN(search->best, search->bound[search->heap[0]]) : search->best;
    const int32_t node = thiRouteWalkNext(&search->walk, limit, &bound);
    if (node < 0)
        return;
    double length =
        thiRouteLength(&TH_ITEMS(query->graph->nodes, thRouteNode)[node], query->x, query->y);
    if (length >= search->length[node])
        return;
    const thRouteNode* at = &TH_ITEMS(query->graph->nodes, thRouteNode)[node];
    if (search->turns != NULL &&
        !thiIsTaut(&search->turns[node], at->x - query->x, at->y - query->y, query->beside))
        return;
    search->effort += 1;
    if (query->begins(query->context, node, &length))
        reach(search, node, length + thiCrowdAlong(query->crowd, query->x, query->y, at->x, at->y),
              -1);
}

static bool canEnd(const thRouteQuery* query, int32_t node, thRouteSeed* stop)
{
    if (query->stops == NULL)
        return query->ends(query->context, node, stop);
    for (int32_t i = 0; i < query->stopCount; ++i)
        if (query->stops[i].node == node) {
            *stop = query->stops[i];
            return true;
        }
    return false;
}

// The node that the path to another one comes from straight, over a node.
static int32_t headFrom(const Search* search, int32_t node, int32_t to)
{
    const thRouteGraph* graph = search->query->graph;
    const thRouteNode* nodes = TH_ITEMS(graph->nodes, thRouteNode);
    const int32_t parent = search->parent[node];
    return graph->turns.count > 0 && parent >= 0 &&
                   thiGoesStraight(&nodes[parent], &nodes[node], &nodes[to])
               ? parent
               : node;
}

static void goOn(Search* search)
{
    const thRouteQuery* query = search->query;
    const thRouteNode* nodes = TH_ITEMS(query->graph->nodes, thRouteNode);
    const int32_t node = takeFirst(search);
    const double length = search->length[node], x = nodes[node].x, y = nodes[node].y;
    thRouteSeed stop;
    if (canEnd(query, node, &stop) && length + stop.length + stop.crowd < search->best) {
        search->cost = length + stop.length + stop.crowd;
        search->best = inGrains(search, search->cost);
        search->last = stop;
    }
    const int32_t* first = TH_ITEMS(query->graph->first, int32_t);
    const thRouteEdge* edges = TH_ITEMS(query->graph->edges, thRouteEdge);
    for (int32_t i = first[node]; i < first[node + 1]; ++i) {
        const thRouteNode* to = &nodes[edges[i].to];
        const double along = length + edges[i].length;
        // Most nodes are reached by a shorter path already.
        if (along <= search->length[edges[i].to])
            reach(search, edges[i].to, along + thiCrowdAlong(query->crowd, x, y, to->x, to->y),
                  headFrom(search, node, edges[i].to));
    }
    search->effort += 1 + (first[node + 1] - first[node]) / EDGES_PER_LEG;
}

static int32_t writeRoute(const Search* search, int32_t* nodes, int32_t capacity)
{
    int32_t count = 0;
    for (int32_t node = search->last.node; node >= 0; node = search->parent[node])
        count += 1;
    int32_t place = count;
    for (int32_t node = search->last.node; node >= 0; node = search->parent[node])
        if (--place < capacity)
            nodes[place] = node;
    return count;
}

// Among a crowd, costs do not tell the length.
static double lengthOfRoute(const Search* search)
{
    const thRouteQuery* query = search->query;
    const thRouteNode* nodes = TH_ITEMS(query->graph->nodes, thRouteNode);
    double length = search->last.length;
    for (int32_t node = search->last.node; node >= 0; node = search->parent[node]) {
        const int32_t parent = search->parent[node];
        length += parent < 0 ? thiRouteLength(&nodes[node], query->x, query->y)
                             : thiRouteLength(&nodes[node], nodes[parent].x, nodes[parent].y);
    }
    return length;
}

thRouteFound thiFindRoute(const thRouteQuery* query, void* memory, int32_t* nodes, int32_t capacity)
{
    Search search = beginSearch(query, memory);
    if (query->starts != NULL)
        beginAtStarts(&search);
    for (;;) {
        const double known = search.count > 0 ? search.bound[search.heap[0]] : INFINITY;
        const double unknown = thiRouteWalkBound(&search.walk);
        if (TH_MIN(known, unknown) >= search.best)
            break;
        if (unknown < known)
            tryBeginning(&search);
        else
            goOn(&search);
    }
    return (thRouteFound){.count = writeRoute(&search, nodes, capacity),
                          .length = query->crowd != NULL ? lengthOfRoute(&search) : search.cost,
                          .cost = search.cost,
                          .last = search.last.node,
                          .effort = search.effort};
}
