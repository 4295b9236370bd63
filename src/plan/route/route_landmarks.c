// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "plan/route/route_landmarks.h"

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
