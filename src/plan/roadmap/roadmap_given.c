// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Nodes that are given. Places without room for the disc are left out; of portals the longest part
// with room is kept, and its middle is the place that lengths are counted from.

#include "plan/roadmap/roadmap_graph.h"

#include <math.h>

#define GRAIN 16    // nodes
#define SAMPLES 64  // of a portal
#define HALVINGS 24 // of the piece in which its part with room begins or ends

typedef struct Making {
    const thRoadmapBuild* build;
    thRouteNode* nodes; // of all that are given
    uint8_t* hasRoom;   // of each: it is a node of the graph
    int32_t* numbers;   // of each: its number there
    thArray* pairs;     // thRoutePair
} Making;

static thPoint between(thPoint a, thPoint b, double share)
{
    return (thPoint){(int32_t)floor(a.x + share * ((double)b.x - a.x) + 0.5),
                     (int32_t)floor(a.y + share * ((double)b.y - a.y) + 0.5)};
}

// The last share between one from where the disc can go on and one to where it cannot.
static double lastClear(const thRouteSpace* space, thPoint a, thPoint b, double from, double to)
{
    const thPoint start = between(a, b, from);
    double clear = from;
    for (int32_t i = 0; i < HALVINGS; ++i) {
        const double middle = 0.5 * (clear + to);
        const thPoint p = between(a, b, middle);
        if (thiIsClearPlace(space, p, 0.0f) && thiIsClearWay(space, start, p, 0.0f))
            clear = middle;
        else
            to = middle;
    }
    return clear;
}

// The longest run of samples that the disc can walk along, grown at both ends.
static bool findRoom(const thRouteSpace* space, thPoint a, thPoint b, double* begin, double* end)
{
    const double step = 1.0 / SAMPLES;
    int32_t runBegin = -1, bestBegin = -1, bestEnd = -1;
    for (int32_t i = 0; i <= SAMPLES; ++i) {
        const thPoint p = between(a, b, i * step);
        if (!thiIsClearPlace(space, p, 0.0f)) {
            runBegin = -1;
            continue;
        }
        if (runBegin < 0 || !thiIsClearWay(space, between(a, b, (i - 1) * step), p, 0.0f))
            runBegin = i;
        if (bestBegin < 0 || i - runBegin > bestEnd - bestBegin) {
            bestBegin = runBegin;
            bestEnd = i;
        }
    }
    if (bestBegin < 0)
        return false;
    *begin = bestBegin == 0
                 ? 0.0
                 : lastClear(space, a, b, bestBegin * step, TH_MAX(bestBegin - 1, 0) * step);
    *end = bestEnd == SAMPLES ? 1.0 : lastClear(space, a, b, bestEnd * step, (bestEnd + 1) * step);
    return true;
}

static bool makeNode(const thRouteSpace* space, const int32_t* ends, thRouteNode* node)
{
    const thPoint a = {ends[0], ends[1]}, b = {ends[2], ends[3]};
    double begin = 0.0, end = 0.0;
    const bool hasRoom =
        thiSamePoint(a, b) ? thiIsClearPlace(space, a, 0.0f) : findRoom(space, a, b, &begin, &end);
    const thPoint place = between(a, b, 0.5 * (begin + end));
    *node = (thRouteNode){.place = place,
                          .x = place.x,
                          .y = place.y,
                          .a = between(a, b, begin),
                          .b = between(a, b, end)};
    return hasRoom;
}

static void makeNodes(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    const Making* making = context;
    for (int32_t i = begin; i < end; ++i)
        making->hasRoom[i] =
            makeNode(making->build->space, &making->build->map->nodes[4 * i], &making->nodes[i]);
}

static thResult keepNodes(Making* making)
{
    thRouteGraph* graph = making->build->graph;
    const int32_t count = making->build->map->nodeCount;
    for (int32_t i = 0; i < count; ++i) {
        making->numbers[i] = graph->nodes.count;
        thRouteNode* node = making->hasRoom[i] ? thiArrayAdd(&graph->nodes, 1) : NULL;
        if (making->hasRoom[i] && node == NULL)
            return th_resultNoMemory;
        if (node != NULL)
            *node = making->nodes[i];
    }
    return th_resultOk;
}

static thResult tryPair(Making* making, int32_t a, int32_t b)
{
    if (!making->hasRoom[a] || !making->hasRoom[b] ||
        !thiIsClearWay(making->build->space, making->nodes[a].place, making->nodes[b].place, 0.0f))
        return th_resultOk;
    thRoutePair* pair = thiArrayAdd(making->pairs, 1);
    if (pair == NULL)
        return th_resultNoMemory;
    *pair = (thRoutePair){making->numbers[a], making->numbers[b]};
    return th_resultOk;
}

static thResult listPairs(Making* making)
{
    const thRoadmap* map = making->build->map;
    for (int32_t i = 0; i < map->edgeCount; ++i)
        TH_TRY(tryPair(making, map->edges[2 * i], map->edges[2 * i + 1]));
    if (map->edgeCount > 0)
        return th_resultOk;
    for (int32_t a = 0; a < map->nodeCount; ++a)
        for (int32_t b = a + 1; b < map->nodeCount; ++b)
            TH_TRY(tryPair(making, a, b));
    return th_resultOk;
}

static thResult make(Making* making)
{
    const thRoadmapBuild* build = making->build;
    thTasks_ParallelFor(build->tasks, build->map->nodeCount, GRAIN, makeNodes, making);
    TH_TRY(keepNodes(making));
    TH_TRY(listPairs(making));
    return thiRouteGraphConnect(build->graph, making->pairs->data, making->pairs->count);
}

thResult thiMakeGivenRoadmap(const thRoadmapBuild* build)
{
    thArray pairs = thiArray(build->memory, sizeof(thRoutePair));
    const size_t count = (size_t)build->map->nodeCount;
    Making making = {.build = build,
                     .nodes = thiAllocate(build->memory, count * sizeof(thRouteNode)),
                     .hasRoom = thiAllocate(build->memory, count),
                     .numbers = thiAllocate(build->memory, count * sizeof(int32_t)),
                     .pairs = &pairs};
    thResult code = th_resultNoMemory;
    if (making.nodes != NULL && making.hasRoom != NULL && making.numbers != NULL)
        code = make(&making);
    thiRelease(build->memory, making.nodes, count * sizeof(thRouteNode));
    thiRelease(build->memory, making.hasRoom, count);
    thiRelease(build->memory, making.numbers, count * sizeof(int32_t));
    thiArrayFree(&pairs);
    return code;
}
