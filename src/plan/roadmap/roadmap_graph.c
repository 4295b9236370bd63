// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Roadmaps of single places: nodes that are given, and a probabilistic roadmap of random ones.

#include "plan/roadmap/roadmap_graph.h"

#include "base/tasks.h"
#include "plan/route/route_near.h"
#include "throng/random.h"
#include "throng/roadmap.h"

#include <math.h>
#include <stdlib.h>

#define NODES_AT_ONCE 16 // that a worker takes
#define SAMPLES 64       // of a portal
#define HALVINGS 24      // of the piece in which its part with room begins or ends

#define PLACES_AT_ONCE 32 // that a worker takes
#define DRAWS_A_PLACE 32  // at most; in a box that is nearly all solid there are fewer places
#define PURPOSE 0x726f6164u

bool thiRoadmapBox(const thRoadmapBuild* build, thPoint* low, thPoint* high)
{
    const thRoadmap* map = build->map;
    *low = (thPoint){map->lowX, map->lowY};
    *high = (thPoint){map->highX, map->highY};
    if (low->x < high->x)
        return true;
    const thWalls* walls = build->frame->walls;
    *low = (thPoint){INT32_MAX, INT32_MAX};
    *high = (thPoint){INT32_MIN, INT32_MIN};
    for (int32_t i = 0; i < walls->count; ++i) {
        if (walls->level[i] != map->level)
            continue;
        low->x = TH_MIN(low->x, TH_MIN(walls->ax[i], walls->bx[i]));
        low->y = TH_MIN(low->y, TH_MIN(walls->ay[i], walls->by[i]));
        high->x = TH_MAX(high->x, TH_MAX(walls->ax[i], walls->bx[i]));
        high->y = TH_MAX(high->y, TH_MAX(walls->ay[i], walls->by[i]));
    }
    return low->x <= high->x;
}

// Nodes that are given: places without room for the disc are left out; of portals the longest part
// with room is kept, and its middle is the place that lengths are counted from.

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
        if (thiIsClearPlace(space, p, 0.0f) && thiIsClearLeg(space, start, p, 0.0f))
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
        if (runBegin < 0 || !thiIsClearLeg(space, between(a, b, (i - 1) * step), p, 0.0f))
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
        !thiIsClearLeg(making->build->space, making->nodes[a].place, making->nodes[b].place, 0.0f))
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

static thResult makeAll(Making* making)
{
    const thRoadmapBuild* build = making->build;
    thTasks_ParallelFor(build->tasks, build->map->nodeCount, NODES_AT_ONCE, makeNodes, making);
    TH_TRY(keepNodes(making));
    TH_TRY(listPairs(making));
    return thiRouteGraphConnect(build->graph, making->pairs->data, making->pairs->count);
}

static thResult makeGiven(const thRoadmapBuild* build)
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
        code = makeAll(&making);
    thiRelease(build->memory, making.nodes, count * sizeof(thRouteNode));
    thiRelease(build->memory, making.hasRoom, count);
    thiRelease(build->memory, making.numbers, count * sizeof(int32_t));
    thiArrayFree(&pairs);
    return code;
}

// A probabilistic roadmap (Kavraki, Švestka, Latombe, Overmars 1996): random places with room for
// the disc, joined to those of their nearest neighbours that it can walk to straight.

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
            const bool joined = other >= 0 && thiIsClearLeg(joining->build->space, nodes[i].place,
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
        thTasks_ParallelFor(build->tasks, build->graph->nodes.count, PLACES_AT_ONCE, joinRange,
                            &joining);
        code =
            thiRouteGraphConnect(build->graph, joining.pairs, sortPairs(joining.pairs, pairCount));
    }
    thiRelease(build->memory, joining.pairs, pairSize);
    thiRelease(build->memory, joining.walks, allWalks);
    return code;
}

static thResult makeRandom(const thRoadmapBuild* build)
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

thResult thiMakeRoadmapGraph(const thRoadmapBuild* build)
{
    switch (build->map->kind) {
    case th_roadmapGrid:
        return thiMakeGridRoadmap(build);
    case th_roadmapRandom:
        return makeRandom(build);
    case th_roadmapMedial:
        return thiMakeMedialRoadmap(build);
    default:
        return makeGiven(build);
    }
}
