// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The edges of a visibility graph: which corners see each other along a taut line.

#include "plan/visibility/visibility_graph.h"

#include "base/tasks.h"
#include "plan/visibility/visibility_change.h"

#include <stdlib.h>
#include <string.h>

// Lines: corners along a street are often exactly on one line, and each of them sees all others. An
// edge past the next corner of its line is of no use if a path over that one is as long.
//
//      ○────○────○────○    three edges, not six

// The next nodes along the axes, as lengths are counted: others are hardly ever on one line.
typedef struct NextOnLine {
    int32_t left, right, below, above; // −1: there is none
} NextOnLine;

typedef struct Lines {
    thArray next; // NextOnLine of each node
} Lines;

static Lines makeLines(thMemory* memory)
{
    return (Lines){thiArray(memory, sizeof(NextOnLine))};
}

static void freeLines(Lines* lines)
{
    thiArrayFree(&lines->next);
}

// A node on a line: which one that is, and where on it.
typedef struct Bead {
    double line, along;
    int32_t node;
} Bead;

static int byLine(const void* left, const void* right)
{
    const Bead *a = left, *b = right;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    if (a->along != b->along)
        return a->along < b->along ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

// Of several nodes at one place the first found is next to others.
static void linkBeads(const Bead* beads, int32_t count, NextOnLine* next, bool upright)
{
    for (int32_t i = 0, before = -1, begin = 0; i < count; ++i) {
        const bool sameLine = i > 0 && beads[i].line == beads[i - 1].line;
        if (!sameLine || beads[i].along != beads[i - 1].along) {
            before = sameLine ? begin : -1;
            begin = i;
        }
        int32_t after = i + 1;
        while (after < count && beads[after].line == beads[i].line &&
               beads[after].along == beads[i].along)
            after += 1;
        const int32_t low = before >= 0 ? beads[before].node : -1;
        const bool ends = after == count || beads[after].line != beads[i].line;
        const int32_t high = ends ? -1 : beads[after].node;
        NextOnLine* own = &next[beads[i].node];
        *(upright ? &own->below : &own->left) = low;
        *(upright ? &own->above : &own->right) = high;
    }
}

static thResult findLines(Lines* lines, const thRouteGraph* graph)
{
    const int32_t count = graph->nodes.count;
    const thRouteNode* nodes = TH_ITEMS(graph->nodes, thRouteNode);
    lines->next.count = 0;
    NextOnLine* next = thiArrayAdd(&lines->next, count);
    const size_t size = (size_t)TH_MAX(count, 1) * sizeof(Bead);
    Bead* beads = thiAllocate(lines->next.memory, size);
    const bool good = next != NULL && beads != NULL;
    for (int32_t upright = 0; upright < 2 && good; ++upright) {
        for (int32_t i = 0; i < count; ++i)
            beads[i] =
                upright ? (Bead){nodes[i].x, nodes[i].y, i} : (Bead){nodes[i].y, nodes[i].x, i};
        qsort(beads, (size_t)count, sizeof *beads, byLine);
        linkBeads(beads, count, next, upright != 0);
    }
    thiRelease(lines->next.memory, beads, size);
    return good ? th_resultOk : th_resultNoMemory;
}

// The node next to the first on a line to the second, between both; −1 if there is none.
static int32_t nodeBetween(const Lines* lines, const thRouteGraph* graph, int32_t from, int32_t to)
{
    const thRouteNode* nodes = TH_ITEMS(graph->nodes, thRouteNode);
    const thRouteNode *a = &nodes[from], *c = &nodes[to];
    if ((a->x == c->x) == (a->y == c->y))
        return -1;
    const NextOnLine* next = &TH_ITEMS(lines->next, NextOnLine)[from];
    const int32_t between = a->x == c->x ? (c->y > a->y ? next->above : next->below)
                                         : (c->x > a->x ? next->right : next->left);
    // There is one, as `to` is on the line; it may be at the same place as that.
    const thRouteNode* b = &nodes[between];
    return b->x == c->x && b->y == c->y ? -1 : between;
}

// Edges: from each corner the boxes of corners beyond its horizon are left out. The corners of the
// others are sifted by whether lines are taut at both ends, which is a few multiplications each,
// and only what is left is looked at among the walls, from one end on until the first wall in the
// way.
//
// After few walls have changed, most corners look only past the areas where they did: at the boxes
// that a wedge from the corner over the area meets.

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
    const thRouteGraph* graph; // with the corners as its nodes
    const thRouteNear* near;
    const Lines* lines;
    const thVisibilityChange* change; // NULL: all pairs are looked at
    Columns columns;                  // in the order of boxes
    thArray found[TH_MAX_WORKERS];    // thRoutePair, of each worker
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

// Whether the lines between one corner and each of a block of others are taut at both ends. The
// same as thiIsTaut, for many at once.
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
        taut[i] = (uint8_t)((int)thiIsTaut(&here.turn, dx, dy, 0.0) &
                            (int)thiIsTaut(&there, dx, dy, 0.0));
    }
}

static bool addPair(thArray* pairs, int32_t a, int32_t b)
{
    thRoutePair* pair = thiArrayAdd(pairs, 1);
    if (pair != NULL)
        *pair = (thRoutePair){a, b};
    return pair != NULL;
}

// Looks along the line between two corners, always from the same end.
static bool isClearBetween(const Builder* builder, int32_t one, int32_t other)
{
    return thiIsClearLeg(builder->space, builder->corners[TH_MIN(one, other)].node.place,
                         builder->corners[TH_MAX(one, other)].node.place, 0.0f);
}

static bool areInTouch(const Builder* builder, int32_t one, int32_t other)
{
    const thRouteCorner *a = &builder->corners[one], *b = &builder->corners[other];
    const double dx = b->node.x - a->node.x, dy = b->node.y - a->node.y;
    return thiIsTaut(&a->turn, dx, dy, 0.0) && thiIsTaut(&b->turn, dx, dy, 0.0) &&
           isClearBetween(builder, one, other);
}

// Of two corners with a taut line between them.
static bool connectPair(const Builder* builder, int32_t one, int32_t other, thArray* pairs)
{
    const int32_t low = TH_MIN(one, other), high = TH_MAX(one, other);
    const int32_t between = nodeBetween(builder->lines, builder->graph, low, high);
    if (between >= 0 && areInTouch(builder, low, between) && areInTouch(builder, between, high))
        return true;
    return !isClearBetween(builder, low, high) || addPair(pairs, low, high);
}

// Whether all pairs of a corner are looked at.
static bool looksRound(const Builder* builder, int32_t corner)
{
    return builder->change == NULL || TH_ITEMS(builder->change->origin, int32_t)[corner] < 0;
}

// Connects a corner with those of a box. Of two that look round the first does it.
static bool connectToBox(const Builder* builder, int32_t one, const thRouteHorizon* horizon,
                         int32_t box, thArray* pairs)
{
    const int32_t* order = TH_ITEMS(builder->near->order, int32_t);
    const thRouteRange range = thiNodesOfBox(builder->near, box);
    uint8_t taut[BLOCK];
    for (int32_t begin = range.begin; begin < range.end; begin += BLOCK) {
        const int32_t count = TH_MIN(BLOCK, range.end - begin);
        sift(builder, one, begin, count, taut);
        for (int32_t i = 0; i < count; ++i) {
            const int32_t other = order[begin + i];
            const thPoint to = builder->corners[other].node.place;
            if (taut[i] && other != one && (other > one || !looksRound(builder, other)) &&
                !thiIsBeyond(horizon, to.x, to.y) && !connectPair(builder, one, other, pairs))
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

// What is behind an area as seen from a corner, at the same x or to the right: a pair is looked at
// from its left end.
typedef struct Wedge {
    int32_t one, area;
    double x, y;
    double left, low, right, high; // the area, as seen from there
    thBoxRim rim;
} Wedge;

static Wedge makeWedge(const Builder* builder, int32_t one, int32_t area)
{
    const thRouteBox* box = &TH_ITEMS(builder->change->areas, thRouteBox)[area];
    const thPoint p = builder->corners[one].node.place;
    // A unit more than the area, so that rounding leaves out nothing.
    Wedge wedge = {.one = one,
                   .area = area,
                   .x = p.x,
                   .y = p.y,
                   .left = box->lowX - p.x - 1.0,
                   .low = box->lowY - p.y - 1.0,
                   .right = box->highX - p.x + 1.0,
                   .high = box->highY - p.y + 1.0};
    wedge.rim = thiRimOfBox(wedge.left, wedge.low, wedge.right, wedge.high);
    return wedge;
}

static bool meetsBox(const Wedge* wedge, const thRouteBox* box)
{
    const double left = box->lowX - wedge->x, right = box->highX - wedge->x;
    const double low = box->lowY - wedge->y, high = box->highY - wedge->y;
    if (right < TH_MAX(wedge->left, 0.0) || (wedge->low > 0.0 && high < wedge->low) ||
        (wedge->high < 0.0 && low > wedge->high))
        return false;
    // Of the box's corners those that are furthest inwards from either side of the wedge.
    const thBoxRim* rim = &wedge->rim;
    const double first = rim->firstX * (rim->firstX > 0.0 ? high : low) -
                         rim->firstY * (rim->firstY > 0.0 ? left : right);
    const double last = rim->lastY * (rim->lastY > 0.0 ? right : left) -
                        rim->lastX * (rim->lastX > 0.0 ? low : high);
    return first >= 0.0 && last >= 0.0;
}

// Whether a corner of the wedge is to be looked at from here: the corner is at the right end, it
// does not look round itself, and the line to it passes this area as its first.
static bool looksPast(const Builder* builder, const Wedge* wedge, int32_t other)
{
    const int32_t low = TH_MIN(wedge->one, other), high = TH_MAX(wedge->one, other);
    const double x = builder->corners[other].node.place.x;
    return (x > wedge->x || (x == wedge->x && other > wedge->one)) && !looksRound(builder, other) &&
           thiFirstAreaPassed(builder->change, builder->corners[low].node.place,
                              builder->corners[high].node.place) == wedge->area;
}

static bool connectPastToBox(const Builder* builder, const Wedge* wedge, int32_t box,
                             thArray* pairs)
{
    const int32_t* order = TH_ITEMS(builder->near->order, int32_t);
    const thRouteRange range = thiNodesOfBox(builder->near, box);
    uint8_t taut[BLOCK];
    for (int32_t begin = range.begin; begin < range.end; begin += BLOCK) {
        const int32_t count = TH_MIN(BLOCK, range.end - begin);
        sift(builder, wedge->one, begin, count, taut);
        for (int32_t i = 0; i < count; ++i)
            if (taut[i] && looksPast(builder, wedge, order[begin + i]) &&
                !connectPair(builder, wedge->one, order[begin + i], pairs))
                return false;
    }
    return true;
}

// A wall that hides the whole area from a corner spares it the wedge.
static bool isAreaHidden(const Builder* builder, const Wedge* wedge)
{
    return thiIsHiddenByOne(builder->space, builder->corners[wedge->one].node.place,
                            wedge->x + wedge->left, wedge->y + wedge->low, wedge->x + wedge->right,
                            wedge->y + wedge->high);
}

static bool connectPast(const Builder* builder, int32_t one, int32_t area, thArray* pairs)
{
    const Wedge wedge = makeWedge(builder, one, area);
    if (wedge.right < 0.0 || isAreaHidden(builder, &wedge))
        return true;
    int32_t boxes[MAX_DEPTH], count = 0;
    boxes[count++] = 0;
    while (count > 0) {
        const int32_t box = boxes[--count];
        if (!meetsBox(&wedge, &TH_ITEMS(builder->near->boxes, thRouteBox)[box]))
            continue;
        if (box < builder->near->leaves - 1) {
            boxes[count++] = 2 * box + 1;
            boxes[count++] = 2 * box + 2;
        } else if (!connectPastToBox(builder, &wedge, box, pairs)) {
            return false;
        }
    }
    return true;
}

static bool connectPastAll(const Builder* builder, int32_t one, thArray* pairs)
{
    for (int32_t i = 0; i < builder->change->areas.count; ++i)
        if (!connectPast(builder, one, i, pairs))
            return false;
    return true;
}

static void connectRange(void* context, int32_t begin, int32_t end, int32_t worker)
{
    Builder* builder = context;
    thArray* pairs = &builder->found[worker];
    for (int32_t i = begin; i < end; ++i)
        if (!(looksRound(builder, i) ? connectCorner(builder, i, pairs)
                                     : connectPastAll(builder, i, pairs)))
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
                        const thVisibilityChange* change, thRouteGraph* graph)
{
    thMemory* memory = corners->memory;
    const int32_t workers = thTasks_GetWorkerCount(tasks);
    thRouteNear near = thiRouteNear(memory);
    Lines lines = makeLines(memory);
    Builder builder = {.space = space,
                       .corners = TH_ITEMS(*corners, thRouteCorner),
                       .count = corners->count,
                       .graph = graph,
                       .near = &near,
                       .lines = &lines,
                       .change = change};
    for (int32_t w = 0; w < workers; ++w)
        builder.found[w] = thiArray(memory, sizeof(thRoutePair));
    thArray pairs = thiArray(memory, sizeof(thRoutePair));
    thResult code = thiRouteNearBuild(&near, graph);
    if (code == th_resultOk)
        code = findLines(&lines, graph);
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
    freeLines(&lines);
    thiRelease(memory, builder.columns.all, builder.columns.size);
    return code;
}

// Looks only at what a change of walls may have changed.
static thResult connectChanged(const thRouteSpace* space, const thArray* corners,
                               const thTasks* tasks, const thFormerGraph* former,
                               thRouteGraph* graph)
{
    thVisibilityChange change = thiVisibilityChange(corners->memory);
    thResult code = thiFindVisibilityChange(&change, former, space, graph);
    if (code == th_resultOk)
        code = connect(space, corners, tasks, change.isSmall ? &change : NULL, graph);
    if (code == th_resultOk && change.isSmall)
        code = thiKeepEdges(&change, graph);
    thiVisibilityChangeFree(&change);
    return code;
}

static thResult buildFromCorners(const thFrame* frame, int32_t level, const thRouteSpace* space,
                                 const thTasks* tasks, const thFormerGraph* former,
                                 thArray* corners, thRouteGraph* graph)
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
    if (corners->count == 0)
        return thiRouteGraphConnect(graph, NULL, 0);
    return former != NULL ? connectChanged(space, corners, tasks, former, graph)
                          : connect(space, corners, tasks, NULL, graph);
}

thResult thiBuildVisibilityGraph(const thFrame* frame, int32_t level, const thRouteSpace* space,
                                 const thTasks* tasks, const thFormerGraph* former,
                                 thRouteGraph* graph)
{
    thArray corners = thiArray(graph->nodes.memory, sizeof(thRouteCorner));
    const thResult code = buildFromCorners(frame, level, space, tasks, former, &corners, graph);
    thiArrayFree(&corners);
    return code;
}
