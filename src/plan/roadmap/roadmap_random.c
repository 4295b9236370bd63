// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A probabilistic roadmap (Kavraki, Švestka, Latombe, Overmars 1996): random places with room for
// the disc, joined to those of their nearest neighbours that it can walk to straight.

#include "plan/roadmap/roadmap_graph.h"

#include "base/tasks.h"
#include "plan/route/route_near.h"
#include "throng/random.h"

#include <math.h>
#include <stdlib.h>

#define GRAIN 32         // places
#define DRAWS_A_PLACE 32 // at most; in a box that is nearly all solid there are fewer places
#define PURPOSE 0x726f6164u

// A number from low to high, both included.
static int32_t drawBetween(uint64_t stream, uint32_t index, int32_t low, int32_t high)
{
    const uint64_t width = (uint64_t)((int64_t)high - low) + 1;
    return (int32_t)(low + (int64_t)(((uint64_t)thRandomBits(stream, index) * width) >> 32));
}

static thResult drawPlaces(const thRoadmapBuild* build)
{
    const int32_t count = build->map->count;
    thPoint low, high;
    if (!thiRoadmapBox(build, &low, &high))
        return th_resultOk;
    TH_TRY(thiArrayReserve(&build->graph->nodes, count));
    const uint64_t stream =
        thRandomStream(build->frame->seed, (uint64_t)build->map->level + 1, 0, PURPOSE);
    const uint32_t draws = (uint32_t)count * DRAWS_A_PLACE;
    for (uint32_t i = 0; i < draws && build->graph->nodes.count < count; ++i) {
        const thPoint p = {drawBetween(stream, 2 * i, low.x, high.x),
                           drawBetween(stream, 2 * i + 1, low.y, high.y)};
        if (thiIsClearPlace(build->space, p, 0.0f))
            thiAddRoadmapPlace(build->graph, p);
    }
    return th_resultOk;
}

typedef struct Joining {
    const thRoadmapBuild* build;
    const thRouteNear* near;
    thRoutePair* pairs; // `neighbors` of each place; those that are none have a equal to b
    char* walks;        // memory of each worker
    size_t walkSize;
} Joining;

static void joinRange(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const Joining* joining = context;
    const thRoadmap* map = joining->build->map;
    const thRouteGraph* graph = joining->build->graph;
    const thRouteNode* nodes = TH_ITEMS(graph->nodes, thRouteNode);
    const double reach = map->reach > 0.0f ? (double)map->reach * THRONG_UNITS_PER_METRE : INFINITY;
    // Nothing is left from anywhere, so that nodes come by distance alone.
    const thRouteDisc everywhere = {0.0, 0.0, INFINITY};
    const thRouteLeft nothing = {.discs = &everywhere, .discCount = 1};
    for (int32_t i = begin; i < end; ++i) {
        thRoutePair* pair = &joining->pairs[(int64_t)i * map->neighbors];
        thRouteWalk walk = thiBeginRouteWalk(joining->near, graph, &nothing, nodes[i].x, nodes[i].y,
                                             joining->walks + (size_t)worker * joining->walkSize);
        double distance;
        for (int32_t k = 0; k < map->neighbors;) {
            const int32_t other = thiRouteWalkNext(&walk, reach, &distance);
            if (other == i)
                continue;
            const bool joined = other >= 0 && thiIsClearWay(joining->build->space, nodes[i].place,
                                                            nodes[other].place, 0.0f);
            pair[k++] =
                joined ? (thRoutePair){TH_MIN(i, other), TH_MAX(i, other)} : (thRoutePair){i, i};
        }
    }
}

static int byEnds(const void* left, const void* right)
{
    const thRoutePair *a = left, *b = right;
    if (a->a != b->a)
        return a->a < b->a ? -1 : 1;
    return (a->b > b->b) - (a->b < b->b);
}

// Each pair once.
static int32_t sortPairs(thRoutePair* pairs, int64_t count)
{
    int32_t kept = 0;
    qsort(pairs, (size_t)count, sizeof *pairs, byEnds);
    for (int64_t i = 0; i < count; ++i)
        if (pairs[i].a != pairs[i].b && (kept == 0 || byEnds(&pairs[i], &pairs[kept - 1]) != 0))
            pairs[kept++] = pairs[i];
    return kept;
}

static thResult join(const thRoadmapBuild* build, const thRouteNear* near)
{
    const int64_t pairCount = (int64_t)build->graph->nodes.count * build->map->neighbors;
    const size_t pairSize = (size_t)TH_MAX(pairCount, 1) * sizeof(thRoutePair);
    const size_t walkSize = thiRouteWalkSize(near);
    const size_t allWalks = walkSize * (size_t)thTasks_GetWorkerCount(build->tasks);
    Joining joining = {.build = build,
                       .near = near,
                       .pairs = thiAllocate(build->memory, pairSize),
                       .walks = thiAllocate(build->memory, allWalks),
                       .walkSize = walkSize};
    thResult code = th_resultNoMemory;
    if (joining.pairs != NULL && joining.walks != NULL) {
        thTasks_ParallelFor(build->tasks, build->graph->nodes.count, GRAIN, joinRange, &joining);
        code =
            thiRouteGraphConnect(build->graph, joining.pairs, sortPairs(joining.pairs, pairCount));
    }
    thiRelease(build->memory, joining.pairs, pairSize);
    thiRelease(build->memory, joining.walks, allWalks);
    return code;
}

thResult thiMakeRandomRoadmap(const thRoadmapBuild* build)
{
    TH_TRY(drawPlaces(build));
    if (build->graph->nodes.count == 0)
        return thiRouteGraphConnect(build->graph, NULL, 0);
    thRouteNear near = thiRouteNear(build->memory);
    thResult code = thiRouteNearBuild(&near, build->graph);
    if (code == th_resultOk)
        code = join(build, &near);
    thiRouteNearFree(&near);
    return code;
}
