// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// From each corner the boxes of corners beyond its horizon are left out. The corners of the others
// are sifted by whether ways are taut at both ends, which is a few multiplications each, and only
// what is left is looked at among the walls, from one end on until the first wall in the way.

#include "plan/visibility_graph.h"

#include "base/tasks.h"
#include "plan/route_near.h"

#include <string.h>

#define GRAIN 16 // corners
#define BLOCK 64 // corners of a box, at most
#define MAX_DEPTH 64

// Corners as columns, so that several fit into a register.
typedef struct Columns {
    double *x, *y, *backX, *backY, *aheadX, *aheadY, *tipSq;
    double* all;
    size_t size;
} Columns;

typedef struct Builder {
    const thRouteSpace* space;
    const thRouteCorner* corners;
    int32_t count;
    const thRouteNear* near;
    Columns columns;               // in the order of boxes
    thArray found[TH_MAX_WORKERS]; // thRoutePair, of each worker
    bool outOfMemory[TH_MAX_WORKERS];
} Builder;

static bool makeColumns(Builder* builder, thMemory* memory)
{
    const size_t count = (size_t)builder->count;
    Columns* columns = &builder->columns;
    columns->size = 7 * count * sizeof(double);
    columns->all = thiAllocate(memory, columns->size);
    if (columns->all == NULL)
        return false;
    double** const each[7] = {&columns->x,      &columns->y,      &columns->backX, &columns->backY,
                              &columns->aheadX, &columns->aheadY, &columns->tipSq};
    for (size_t k = 0; k < 7; ++k)
        *each[k] = columns->all + k * count;
    for (int32_t i = 0; i < builder->count; ++i) {
        const int32_t index = TH_ITEMS(builder->near->order, int32_t)[i];
        const thRouteCorner* corner = &builder->corners[index];
        columns->x[i] = corner->node.x;
        columns->y[i] = corner->node.y;
        columns->backX[i] = corner->turn.backX;
        columns->backY[i] = corner->turn.backY;
        columns->aheadX[i] = corner->turn.aheadX;
        columns->aheadY[i] = corner->turn.aheadY;
        columns->tipSq[i] = corner->turn.tipSq;
    }
    return true;
}

// Whether the ways between one corner and each of a block of others are taut at both ends. The same
// as thiIsTaut, for many at once.
static void sift(const Builder* builder, int32_t one, int32_t begin, int32_t count,
                 uint8_t* restrict taut)
{
    const Columns* columns = &builder->columns;
    const double* restrict x = columns->x + begin, * restrict y = columns->y + begin;
    const double* restrict backX = columns->backX + begin, * restrict backY =
                                                               columns->backY + begin;
    const double* restrict aheadX = columns->aheadX + begin;
    const double* restrict aheadY = columns->aheadY + begin;
    const double* restrict tipSq = columns->tipSq + begin;
    const thRouteCorner here = builder->corners[one];
    for (int32_t i = 0; i < count; ++i) {
        const double dx = x[i] - here.node.x, dy = y[i] - here.node.y;
        const thRouteTurn there = {backX[i], backY[i], aheadX[i], aheadY[i], tipSq[i]};
        taut[i] = thiIsTaut(&here.turn, dx, dy) & thiIsTaut(&there, dx, dy);
    }
}

static bool addPair(thArray* pairs, int32_t a, int32_t b)
{
    thRoutePair* pair = thiArrayAdd(pairs, 1);
    if (pair != NULL)
        *pair = (thRoutePair){a, b};
    return pair != NULL;
}

// Connects a corner with those of a box that come after it in the order of nodes.
static bool connectToBox(const Builder* builder, int32_t one, const thRouteHorizon* horizon,
                         int32_t box, thArray* pairs)
{
    const int32_t* order = TH_ITEMS(builder->near->order, int32_t);
    const thRouteRange range = thiNodesOfBox(builder->near, box);
    const thPoint from = builder->corners[one].node.place;
    uint8_t taut[BLOCK];
    for (int32_t begin = range.begin; begin < range.end; begin += BLOCK) {
        const int32_t count = TH_MIN(BLOCK, range.end - begin);
        sift(builder, one, begin, count, taut);
        for (int32_t i = 0; i < count; ++i) {
            const int32_t other = order[begin + i];
            const thPoint to = builder->corners[other].node.place;
            if (taut[i] && other > one && !thiIsBeyond(horizon, to.x, to.y) &&
                thiIsClearWay(builder->space, from, to, 0.0f) && !addPair(pairs, one, other))
                return false;
        }
    }
    return true;
}

static bool connectCorner(const Builder* builder, int32_t one, thArray* pairs)
{
    thRouteHorizon horizon;
    thiLookAround(builder->space, builder->corners[one].node.place, &horizon);
    int32_t boxes[MAX_DEPTH], count = 0;
    boxes[count++] = 0;
    while (count > 0) {
        const int32_t box = boxes[--count];
        if (thiIsBoxHidden(builder->near, box, &horizon))
            continue;
        if (box < builder->near->leaves - 1) {
            boxes[count++] = 2 * box + 1;
            boxes[count++] = 2 * box + 2;
        } else if (!connectToBox(builder, one, &horizon, box, pairs)) {
            return false;
        }
    }
    return true;
}

static void connectRange(void* context, int32_t begin, int32_t end, int32_t worker)
{
    Builder* builder = context;
    for (int32_t i = begin; i < end; ++i)
        if (!connectCorner(builder, i, &builder->found[worker]))
            builder->outOfMemory[worker] = true;
}

static thResult gatherPairs(const Builder* builder, int32_t workers, thArray* pairs)
{
    for (int32_t w = 0; w < workers; ++w) {
        if (builder->outOfMemory[w])
            return th_resultNoMemory;
        const thArray* found = &builder->found[w];
        thRoutePair* added = thiArrayAdd(pairs, found->count);
        if (added == NULL)
            return th_resultNoMemory;
        if (found->count > 0)
            memcpy(added, found->data, (size_t)found->count * sizeof *added);
    }
    return th_resultOk;
}

static thResult connect(const thRouteSpace* space, const thArray* corners, const thTasks* tasks,
                        thRouteGraph* graph)
{
    thMemory* memory = corners->memory;
    const int32_t workers = thTasks_GetWorkerCount(tasks);
    thRouteNear near = thiRouteNear(memory);
    Builder builder = {.space = space,
                       .corners = TH_ITEMS(*corners, thRouteCorner),
                       .count = corners->count,
                       .near = &near};
    for (int32_t w = 0; w < workers; ++w)
        builder.found[w] = thiArray(memory, sizeof(thRoutePair));
    thArray pairs = thiArray(memory, sizeof(thRoutePair));
    thResult code = thiRouteNearBuild(&near, graph);
    if (code == th_resultOk && !makeColumns(&builder, memory))
        code = th_resultNoMemory;
    if (code == th_resultOk) {
        thTasks_ParallelFor(tasks, builder.count, GRAIN, connectRange, &builder);
        code = gatherPairs(&builder, workers, &pairs);
    }
    if (code == th_resultOk)
        code = thiRouteGraphConnect(graph, TH_ITEMS(pairs, thRoutePair), pairs.count);
    for (int32_t w = 0; w < workers; ++w)
        thiArrayFree(&builder.found[w]);
    thiArrayFree(&pairs);
    thiRouteNearFree(&near);
    thiRelease(memory, builder.columns.all, builder.columns.size);
    return code;
}

static thResult buildFromCorners(const thFrame* frame, int32_t level, const thRouteSpace* space,
                                 const thTasks* tasks, thArray* corners, thRouteGraph* graph)
{
    TH_TRY(thiFindCorners(frame, level, space, corners));
    graph->nodes.count = graph->turns.count = 0;
    thRouteNode* nodes = thiArrayAdd(&graph->nodes, corners->count);
    thRouteTurn* turns = thiArrayAdd(&graph->turns, corners->count);
    if (nodes == NULL || turns == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < corners->count; ++i) {
        nodes[i] = TH_ITEMS(*corners, thRouteCorner)[i].node;
        turns[i] = TH_ITEMS(*corners, thRouteCorner)[i].turn;
    }
    return corners->count > 0 ? connect(space, corners, tasks, graph)
                              : thiRouteGraphConnect(graph, NULL, 0);
}

thResult thiBuildVisibilityGraph(const thFrame* frame, int32_t level, const thRouteSpace* space,
                                 const thTasks* tasks, thRouteGraph* graph)
{
    thArray corners = thiArray(graph->nodes.memory, sizeof(thRouteCorner));
    const thResult code = buildFromCorners(frame, level, space, tasks, &corners, graph);
    thiArrayFree(&corners);
    return code;
}
