// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Comparing walls and corners with those of a former graph, and merging the edges that stay.

#include "plan/visibility/visibility_change.h"

#include "base/hash.h"
#include "geom/fixed.h"

#include <stdlib.h>

#define MAX_AREAS 16
#define MAX_SHARE                                                                                  \
    4              // of all corners, those whose pairs are all looked at are at most one in so many
#define MARGIN 4.0 // for rounding [units]
#define BESIDE 256.0 // how far paths over corners are beside them, at most: their slack [units]

thVisibilityChange thiVisibilityChange(thMemory* memory)
{
    return (thVisibilityChange){.areas = thiArray(memory, sizeof(thRouteBox)),
                                .origin = thiArray(memory, sizeof(int32_t))};
}

void thiVisibilityChangeFree(thVisibilityChange* change)
{
    thiArrayFree(&change->areas);
    thiArrayFree(&change->origin);
}

static int byEnds(const void* left, const void* right)
{
    const thRouteWall *a = left, *b = right;
    const int32_t ofA[4] = {a->a.x, a->a.y, a->b.x, a->b.y};
    const int32_t ofB[4] = {b->a.x, b->a.y, b->b.x, b->b.y};
    for (int32_t i = 0; i < 4; ++i)
        if (ofA[i] != ofB[i])
            return ofA[i] < ofB[i] ? -1 : 1;
    return 0;
}

// Adds an area; those that touch each other become one.
static thResult addArea(thArray* areas, thRouteBox box)
{
    for (int32_t i = 0; i < areas->count;) {
        thRouteBox* other = &TH_ITEMS(*areas, thRouteBox)[i];
        if (other->lowX > box.highX || other->highX < box.lowX || other->lowY > box.highY ||
            other->highY < box.lowY) {
            i += 1;
            continue;
        }
        box = (thRouteBox){TH_MIN(box.lowX, other->lowX), TH_MIN(box.lowY, other->lowY),
                           TH_MAX(box.highX, other->highX), TH_MAX(box.highY, other->highY)};
        *other = TH_ITEMS(*areas, thRouteBox)[--areas->count];
        i = 0; // it is larger now
    }
    thRouteBox* area = thiArrayAdd(areas, 1);
    if (area == NULL)
        return th_resultNoMemory;
    *area = box;
    return th_resultOk;
}

static thResult addWallArea(thArray* areas, const thRouteWall* wall, double margin)
{
    return addArea(areas, (thRouteBox){TH_MIN(wall->a.x, wall->b.x) - margin,
                                       TH_MIN(wall->a.y, wall->b.y) - margin,
                                       TH_MAX(wall->a.x, wall->b.x) + margin,
                                       TH_MAX(wall->a.y, wall->b.y) + margin});
}

// Walls in one order, so that two lists can be compared.
typedef struct SortedWalls {
    thRouteWall* items;
    int32_t count;
} SortedWalls;

// The areas of walls that only one of two lists holds; a few too many at most.
static thResult compareWalls(thArray* areas, SortedWalls before, SortedWalls now, double margin)
{
    int32_t i = 0, k = 0;
    while ((i < before.count || k < now.count) && areas->count <= MAX_AREAS) {
        const int order = i == before.count ? 1
                          : k == now.count  ? -1
                                            : byEnds(&before.items[i], &now.items[k]);
        if (order != 0)
            TH_TRY(addWallArea(areas, order < 0 ? &before.items[i] : &now.items[k], margin));
        i += order <= 0;
        k += order >= 0;
    }
    return th_resultOk;
}

// Most walls are in the same order as before, at the beginning and at the end of the list.
static thResult findAreas(thArray* areas, const thRouteSpace* formerSpace,
                          const thRouteSpace* space)
{
    int32_t beforeCount, nowCount, same = 0;
    const thRouteWall* before = thiRouteWalls(formerSpace, &beforeCount);
    const thRouteWall* now = thiRouteWalls(space, &nowCount);
    while (same < TH_MIN(beforeCount, nowCount) && byEnds(&before[same], &now[same]) == 0)
        same += 1;
    while (same < TH_MIN(beforeCount, nowCount) &&
           byEnds(&before[beforeCount - 1], &now[nowCount - 1]) == 0) {
        beforeCount -= 1;
        nowCount -= 1;
    }
    beforeCount -= same;
    nowCount -= same;
    const size_t size = (size_t)(beforeCount + nowCount) * sizeof(thRouteWall);
    if (size == 0)
        return th_resultOk;
    thRouteWall* walls = thiAllocate(areas->memory, size);
    if (walls == NULL)
        return th_resultNoMemory;
    if (beforeCount > 0)
        memcpy(walls, before + same, (size_t)beforeCount * sizeof *walls);
    if (nowCount > 0)
        memcpy(walls + beforeCount, now + same, (size_t)nowCount * sizeof *walls);
    qsort(walls, (size_t)beforeCount, sizeof *walls, byEnds);
    qsort(walls + beforeCount, (size_t)nowCount, sizeof *walls, byEnds);
    const double radius = (double)thiRouteRadius(space) * THRONG_UNITS_PER_METRE;
    const thResult code =
        compareWalls(areas, (SortedWalls){walls, beforeCount},
                     (SortedWalls){walls + beforeCount, nowCount}, radius + MARGIN);
    thiRelease(areas->memory, walls, size);
    return code;
}

static uint32_t hashOf(const thRouteNode* node)
{
    return (uint32_t)thiMix((uint64_t)(uint32_t)node->place.x << 32 | (uint32_t)node->place.y);
}

// Bit for bit: neither has padding.
static bool isSameCorner(const thRouteGraph* a, int32_t i, const thRouteGraph* b, int32_t k)
{
    return memcmp(&TH_ITEMS(a->nodes, thRouteNode)[i], &TH_ITEMS(b->nodes, thRouteNode)[k],
                  sizeof(thRouteNode)) == 0 &&
           memcmp(&TH_ITEMS(a->turns, thRouteTurn)[i], &TH_ITEMS(b->turns, thRouteTurn)[k],
                  sizeof(thRouteTurn)) == 0;
}
_Static_assert(sizeof(thRouteNode) == 6 * sizeof(int32_t) + 2 * sizeof(double), "no padding");
_Static_assert(sizeof(thRouteTurn) == 5 * sizeof(double), "no padding");

// Nodes by place: 1 + index, 0 where there is none.
static void fillTable(int32_t* table, uint32_t mask, const thRouteGraph* graph)
{
    for (int32_t i = 0; i < graph->nodes.count; ++i) {
        uint32_t place = hashOf(&TH_ITEMS(graph->nodes, thRouteNode)[i]) & mask;
        while (table[place] != 0)
            place = (place + 1) & mask;
        table[place] = i + 1;
    }
}

// The node of a table's graph that is the same corner, after another one; −1: none.
static int32_t findCorner(const int32_t* table, uint32_t mask, const thRouteGraph* former,
                          int32_t after, const thRouteGraph* graph, int32_t index)
{
    uint32_t place = hashOf(&TH_ITEMS(graph->nodes, thRouteNode)[index]) & mask;
    for (; table[place] != 0; place = (place + 1) & mask)
        if (table[place] - 1 > after && isSameCorner(former, table[place] - 1, graph, index))
            return table[place] - 1;
    return -1;
}

// Or just beside one, so that it is seen from all others under less than half a turn.
static bool isInArea(const thVisibilityChange* change, thPoint p)
{
    for (int32_t i = 0; i < change->areas.count; ++i) {
        const thRouteBox* area = &TH_ITEMS(change->areas, thRouteBox)[i];
        if (p.x >= area->lowX - MARGIN && p.x <= area->highX + MARGIN &&
            p.y >= area->lowY - MARGIN && p.y <= area->highY + MARGIN)
            return true;
    }
    return false;
}

// Ascending, so that edges stay in order and lines are looked at from the same end as before.
static thResult findOrigins(thVisibilityChange* change, const thRouteGraph* graph)
{
    const thRouteGraph* former = change->former;
    thMemory* memory = change->origin.memory;
    uint32_t slots = 16;
    while (slots < 2 * (uint32_t)former->nodes.count)
        slots *= 2;
    int32_t* origin = thiArrayAdd(&change->origin, graph->nodes.count);
    int32_t* table = thiAllocateZero(memory, slots * sizeof *table);
    if (origin == NULL || table == NULL) {
        thiRelease(memory, table, slots * sizeof *table);
        return th_resultNoMemory;
    }
    fillTable(table, slots - 1, former);
    for (int32_t i = 0, last = -1; i < graph->nodes.count; ++i) {
        origin[i] = findCorner(table, slots - 1, former, last, graph, i);
        last = TH_MAX(last, origin[i]);
    }
    thiRelease(memory, table, slots * sizeof *table);
    return th_resultOk;
}

static thResult addNodeArea(thArray* areas, const thRouteNode* node)
{
    return addArea(areas, (thRouteBox){TH_MIN(node->x, node->place.x) - BESIDE,
                                       TH_MIN(node->y, node->place.y) - BESIDE,
                                       TH_MAX(node->x, node->place.x) + BESIDE,
                                       TH_MAX(node->y, node->place.y) + BESIDE});
}

// Corners that came or went matter to those on one line with them. Most are where walls changed.
static thResult addCornerAreas(thVisibilityChange* change, const thRouteGraph* graph)
{
    const int32_t* origin = TH_ITEMS(change->origin, int32_t);
    const thRouteNode* former = TH_ITEMS(change->former->nodes, thRouteNode);
    int32_t next = 0; // of the former's
    for (int32_t i = 0; i <= graph->nodes.count && change->areas.count <= MAX_AREAS; ++i) {
        const bool isNew = i < graph->nodes.count && origin[i] < 0;
        if (isNew) {
            TH_TRY(addNodeArea(&change->areas, &TH_ITEMS(graph->nodes, thRouteNode)[i]));
            continue;
        }
        const int32_t end = i < graph->nodes.count ? origin[i] : change->former->nodes.count;
        for (; next < end && change->areas.count <= MAX_AREAS; ++next)
            TH_TRY(addNodeArea(&change->areas, &former[next]));
        next += 1;
    }
    return th_resultOk;
}

// How many corners look at all others.
static int32_t forgetInAreas(thVisibilityChange* change, const thRouteGraph* graph)
{
    int32_t anew = 0;
    for (int32_t i = 0; i < graph->nodes.count; ++i) {
        int32_t* origin = &TH_ITEMS(change->origin, int32_t)[i];
        if (isInArea(change, TH_ITEMS(graph->nodes, thRouteNode)[i].place))
            *origin = -1;
        anew += *origin < 0;
    }
    return anew;
}

thResult thiFindVisibilityChange(thVisibilityChange* change, const thFormerGraph* former,
                                 const thRouteSpace* space, const thRouteGraph* graph)
{
    TH_ASSERT(thiRouteRadius(former->space) == thiRouteRadius(space));
    change->former = former->graph;
    TH_TRY(findAreas(&change->areas, former->space, space));
    if (change->areas.count > MAX_AREAS)
        return th_resultOk;
    TH_TRY(findOrigins(change, graph));
    TH_TRY(addCornerAreas(change, graph));
    change->isSmall = change->areas.count <= MAX_AREAS &&
                      forgetInAreas(change, graph) <= graph->nodes.count / MAX_SHARE;
    return th_resultOk;
}

// What the former's nodes have become; −1: nothing, or all their pairs are looked at.
static void turnRound(const thVisibilityChange* change, int32_t* became)
{
    for (int32_t i = 0; i < change->former->nodes.count; ++i)
        became[i] = -1;
    for (int32_t i = 0; i < change->origin.count; ++i) {
        const int32_t origin = TH_ITEMS(change->origin, int32_t)[i];
        if (origin >= 0)
            became[origin] = i;
    }
}

// Two nodes, the lower one first.
static bool staysJoined(const thVisibilityChange* change, const thRouteNode* nodes, int32_t low,
                        int32_t high)
{
    return thiFirstAreaPassed(change, nodes[low].place, nodes[high].place) == change->areas.count;
}

// Both lists of edges are in order, and together there is room for them.
static thRouteEdge* mergeEdges(const thVisibilityChange* change, const thRouteGraph* graph,
                               const int32_t* became, int32_t node, thRouteEdge* out)
{
    const thRouteNode* nodes = TH_ITEMS(graph->nodes, thRouteNode);
    const int32_t* first = TH_ITEMS(graph->first, int32_t);
    const thRouteEdge* found = TH_ITEMS(graph->edges, thRouteEdge);
    int32_t next = first[node];
    const int32_t origin = TH_ITEMS(change->origin, int32_t)[node];
    if (origin >= 0) {
        const int32_t* begin = &TH_ITEMS(change->former->first, int32_t)[origin];
        for (int32_t i = begin[0]; i < begin[1]; ++i) {
            const thRouteEdge* edge = &TH_ITEMS(change->former->edges, thRouteEdge)[i];
            const int32_t to = became[edge->to];
            if (to < 0 || !staysJoined(change, nodes, TH_MIN(node, to), TH_MAX(node, to)))
                continue;
            while (next < first[node + 1] && found[next].to < to)
                *out++ = found[next++];
            *out++ = (thRouteEdge){.to = to, .length = edge->length};
        }
    }
    while (next < first[node + 1])
        *out++ = found[next++];
    return out;
}

static thResult mergeAll(const thVisibilityChange* change, thRouteGraph* graph,
                         const int32_t* became, thArray* first, thArray* edges)
{
    const int32_t count = graph->nodes.count;
    if (graph->edges.count > INT32_MAX - change->former->edges.count)
        return th_resultNoMemory;
    TH_TRY(thiArrayReserve(edges, graph->edges.count + change->former->edges.count));
    int32_t* begin = thiArrayAdd(first, count + 1);
    if (begin == NULL)
        return th_resultNoMemory;
    thRouteEdge *const start = edges->data, *out = start;
    begin[0] = 0;
    for (int32_t i = 0; i < count; ++i) {
        out = mergeEdges(change, graph, became, i, out);
        begin[i + 1] = (int32_t)(out - start);
    }
    edges->count = begin[count];
    return th_resultOk;
}

thResult thiKeepEdges(const thVisibilityChange* change, thRouteGraph* graph)
{
    thMemory* memory = graph->nodes.memory;
    const size_t size = (size_t)change->former->nodes.count * sizeof(int32_t);
    if (size == 0)
        return th_resultOk;
    int32_t* became = thiAllocate(memory, size);
    if (became == NULL)
        return th_resultNoMemory;
    turnRound(change, became);
    thArray first = thiArray(memory, sizeof(int32_t));
    thArray edges = thiArray(memory, sizeof(thRouteEdge));
    const thResult code = mergeAll(change, graph, became, &first, &edges);
    if (code == th_resultOk) {
        const thArray oldFirst = graph->first, oldEdges = graph->edges;
        graph->first = first;
        graph->edges = edges;
        first = oldFirst;
        edges = oldEdges;
    }
    thiArrayFree(&first);
    thiArrayFree(&edges);
    thiRelease(memory, became, size);
    return code;
}
