// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Building the tree of boxes without sorting at each box, and a heap of boxes and nodes to walk it.

#include "plan/route/route_near.h"

#include <math.h>
#include <stdlib.h>

#define LEAF 8 // nodes in a box, about

typedef struct thRouteStop Stop;

thRouteNear thiRouteNear(thMemory* memory)
{
    return (thRouteNear){.order = thiArray(memory, sizeof(int32_t)),
                         .boxes = thiArray(memory, sizeof(thRouteBox))};
}

void thiRouteNearFree(thRouteNear* near)
{
    thiArrayFree(&near->order);
    thiArrayFree(&near->boxes);
}

// A node while the tree is built.
typedef struct Place {
    double x, y;
    const thRouteNode* node;
} Place;

static int byX(const void* left, const void* right)
{
    const Place *a = left, *b = right;
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node); // in the order of an array
}

static int byY(const void* left, const void* right)
{
    const Place *a = left, *b = right;
    if (a->y != b->y)
        return a->y < b->y ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node); // in the order of an array
}

static void widen(thRouteBox* box, double x, double y)
{
    box->lowX = TH_MIN(box->lowX, x);
    box->lowY = TH_MIN(box->lowY, y);
    box->highX = TH_MAX(box->highX, x);
    box->highY = TH_MAX(box->highY, y);
}

static thRouteBox boxOf(const Place* places, int32_t count)
{
    thRouteBox box = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int32_t i = 0; i < count; ++i) {
        const thRouteNode* node = places[i].node;
        widen(&box, node->x, node->y);
        widen(&box, node->place.x, node->place.y);
        widen(&box, node->a.x, node->a.y);
        widen(&box, node->b.x, node->b.y);
    }
    return box;
}

// The nodes of the boxes of one depth follow each other, as equally many as possible in each.
static int32_t firstOf(int32_t count, int32_t index, int32_t boxes)
{
    return (int32_t)((int64_t)count * index / boxes);
}

// The nodes of each box in two orders, so that halving a box needs no sorting.
typedef struct Sorter {
    Place *byX, *byY;
    Place* spare;
    bool* isLow; // of each node: in the lower half of its box
    const thRouteNode* nodes;
} Sorter;

// Moves the lower half to the front, in its order, and the other behind it.
static void part(const Sorter* sorter, Place* places, int32_t count)
{
    int32_t low = 0, high = 0;
    for (int32_t i = 0; i < count; ++i) {
        if (sorter->isLow[places[i].node - sorter->nodes])
            places[low++] = places[i];
        else
            sorter->spare[high++] = places[i];
    }
    for (int32_t i = 0; i < high; ++i)
        places[low + i] = sorter->spare[i];
}

static void halve(const Sorter* sorter, int32_t begin, int32_t middle, int32_t end, bool wide)
{
    const Place* places = wide ? sorter->byX : sorter->byY;
    for (int32_t i = begin; i < end; ++i)
        sorter->isLow[places[i].node - sorter->nodes] = i < middle;
    part(sorter, (wide ? sorter->byY : sorter->byX) + begin, end - begin);
}

static void sortPlaces(thRouteNear* near, const Sorter* sorter, int32_t count)
{
    thRouteBox* boxes = TH_ITEMS(near->boxes, thRouteBox);
    if (count > 0) {
        qsort(sorter->byX, (size_t)count, sizeof *sorter->byX, byX);
        qsort(sorter->byY, (size_t)count, sizeof *sorter->byY, byY);
    }
    for (int32_t width = 1, first = 0; width <= near->leaves; first += width, width *= 2)
        for (int32_t i = 0; i < width; ++i) {
            const int32_t begin = firstOf(count, i, width), end = firstOf(count, i + 1, width);
            const thRouteBox box = boxOf(&sorter->byX[begin], end - begin);
            boxes[first + i] = box;
            if (width < near->leaves)
                halve(sorter, begin, firstOf(count, 2 * i + 1, 2 * width), end,
                      box.highX - box.lowX >= box.highY - box.lowY);
        }
}

static void orderNodes(thRouteNear* near, const Sorter* sorter, int32_t count)
{
    for (int32_t i = 0; i < count; ++i)
        sorter->byX[i] = sorter->byY[i] =
            (Place){sorter->nodes[i].x, sorter->nodes[i].y, &sorter->nodes[i]};
    sortPlaces(near, sorter, count);
    for (int32_t i = 0; i < count; ++i)
        TH_ITEMS(near->order, int32_t)[i] = (int32_t)(sorter->byX[i].node - sorter->nodes);
}

thResult thiRouteNearBuild(thRouteNear* near, const thRouteGraph* graph)
{
    const int32_t count = graph->nodes.count;
    near->order.count = near->boxes.count = 0;
    near->leaves = 1;
    while (near->leaves <= count / (2 * LEAF))
        near->leaves *= 2;
    const size_t room = (size_t)TH_MAX(count, 1), size = room * (3 * sizeof(Place) + sizeof(bool));
    Place* places = thiAllocate(near->order.memory, size);
    const bool good = thiArrayAdd(&near->order, count) != NULL &&
                      thiArrayAdd(&near->boxes, 2 * near->leaves - 1) != NULL && places != NULL;
    if (good)
        orderNodes(near,
                   &(Sorter){.byX = places,
                             .byY = places + room,
                             .spare = places + 2 * room,
                             .isLow = (bool*)(places + 3 * room),
                             .nodes = TH_ITEMS(graph->nodes, thRouteNode)},
                   count);
    thiRelease(near->order.memory, places, size);
    return good ? th_resultOk : th_resultNoMemory;
}

thRouteRange thiNodesOfBox(const thRouteNear* near, int32_t box)
{
    const int32_t leaf = box - (near->leaves - 1), count = near->order.count;
    if (leaf < 0)
        return (thRouteRange){0, 0};
    return (thRouteRange){firstOf(count, leaf, near->leaves),
                          firstOf(count, leaf + 1, near->leaves)};
}

bool thiIsBoxHidden(const thRouteNear* near, int32_t box, const thRouteHorizon* horizon)
{
    const thRouteBox* bounds = &TH_ITEMS(near->boxes, thRouteBox)[box];
    return thiIsBoxBeyond(horizon, bounds->lowX, bounds->lowY, bounds->highX, bounds->highY);
}

void thiRouteNearLeast(const thRouteNear* near, const double* ofNodes, double* ofBoxes)
{
    const int32_t firstLeaf = near->leaves - 1;
    const int32_t* order = TH_ITEMS(near->order, int32_t);
    for (int32_t box = near->boxes.count - 1; box >= 0; --box) {
        if (box < firstLeaf) {
            ofBoxes[box] = TH_MIN(ofBoxes[2 * box + 1], ofBoxes[2 * box + 2]);
            continue;
        }
        const thRouteRange range = thiNodesOfBox(near, box);
        ofBoxes[box] = INFINITY;
        for (int32_t i = range.begin; i < range.end; ++i)
            ofBoxes[box] = TH_MIN(ofBoxes[box], ofNodes[order[i]]);
    }
}

static double distanceToBox(const thRouteBox* box, double x, double y)
{
    const double dx = TH_MAX(TH_MAX(box->lowX - x, x - box->highX), 0.0);
    const double dy = TH_MAX(TH_MAX(box->lowY - y, y - box->highY), 0.0);
    return sqrt(dx * dx + dy * dy);
}

double thiRouteLeftOf(const thRouteLeft* left, const thRouteGraph* graph, int32_t node)
{
    if (left->ofNodes != NULL)
        return left->ofNodes[node];
    double least = left->discCount > 0 ? INFINITY : 0.0;
    for (int32_t i = 0; i < left->discCount; ++i) {
        const thRouteDisc* disc = &left->discs[i];
        const double away =
            thiRouteLength(&TH_ITEMS(graph->nodes, thRouteNode)[node], disc->x, disc->y);
        least = TH_MIN(least, away - disc->reach);
    }
    return TH_MAX(least, 0.0);
}

static double leftOfBox(const thRouteWalk* walk, int32_t index)
{
    if (walk->left.ofNodes != NULL)
        return walk->left.ofBoxes[index];
    const thRouteBox* box = &TH_ITEMS(walk->near->boxes, thRouteBox)[index];
    double least = walk->left.discCount > 0 ? INFINITY : 0.0;
    for (int32_t i = 0; i < walk->left.discCount; ++i) {
        const thRouteDisc* disc = &walk->left.discs[i];
        const double away = distanceToBox(box, disc->x, disc->y) - disc->reach;
        least = TH_MIN(least, away);
    }
    return TH_MAX(least, 0.0);
}

static bool isBefore(const Stop* a, const Stop* b)
{
    // Of equals boxes come first, then the lower node.
    return a->bound < b->bound || (a->bound == b->bound && a->item > b->item);
}

static void push(thRouteWalk* walk, double bound, int32_t item)
{
    if (bound == INFINITY)
        return;
    const Stop stop = {bound, item};
    int32_t place = walk->count++;
    while (place > 0 && isBefore(&stop, &walk->heap[(place - 1) / 2])) {
        walk->heap[place] = walk->heap[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    walk->heap[place] = stop;
}

static Stop pop(thRouteWalk* walk)
{
    const Stop top = walk->heap[0], last = walk->heap[--walk->count];
    int32_t place = 0;
    for (int32_t below = 1; below < walk->count; below = 2 * place + 1) {
        if (below + 1 < walk->count && isBefore(&walk->heap[below + 1], &walk->heap[below]))
            below += 1;
        if (!isBefore(&walk->heap[below], &last))
            break;
        walk->heap[place] = walk->heap[below];
        place = below;
    }
    walk->heap[place] = last;
    return top;
}

static void pushBox(thRouteWalk* walk, int32_t box)
{
    const thRouteBox* bounds = &TH_ITEMS(walk->near->boxes, thRouteBox)[box];
    if (walk->horizon != NULL && thiIsBoxHidden(walk->near, box, walk->horizon))
        return;
    push(walk, distanceToBox(bounds, walk->x, walk->y) + leftOfBox(walk, box), box);
}

size_t thiRouteWalkSize(const thRouteNear* near)
{
    return (size_t)(near->boxes.count + near->order.count) * sizeof(Stop);
}

thRouteWalk thiBeginRouteWalk(const thRouteNear* near, const thRouteGraph* graph,
                              const thRouteLeft* left, double x, double y, void* memory)
{
    thRouteWalk walk = {
        .near = near, .graph = graph, .left = *left, .x = x, .y = y, .heap = memory};
    if (near->order.count > 0)
        pushBox(&walk, 0);
    return walk;
}

double thiRouteWalkBound(const thRouteWalk* walk)
{
    return walk->count > 0 ? walk->heap[0].bound : INFINITY;
}

static bool isHidden(const thRouteWalk* walk, const thRouteNode* node)
{
    return walk->horizon != NULL && thiSamePoint(node->a, node->b) &&
           thiIsBeyond(walk->horizon, node->place.x, node->place.y);
}

static void openBox(thRouteWalk* walk, int32_t box)
{
    const thRouteNear* near = walk->near;
    if (box < near->leaves - 1) {
        pushBox(walk, 2 * box + 1);
        pushBox(walk, 2 * box + 2);
        return;
    }
    const int32_t* order = TH_ITEMS(near->order, int32_t);
    const thRouteNode* nodes = TH_ITEMS(walk->graph->nodes, thRouteNode);
    const thRouteRange range = thiNodesOfBox(near, box);
    for (int32_t i = range.begin; i < range.end; ++i)
        if (!isHidden(walk, &nodes[order[i]]))
            push(walk,
                 thiRouteLength(&nodes[order[i]], walk->x, walk->y) +
                     thiRouteLeftOf(&walk->left, walk->graph, order[i]),
                 -1 - order[i]);
}

int32_t thiRouteWalkNext(thRouteWalk* walk, double limit, double* bound)
{
    while (walk->count > 0 && walk->heap[0].bound < limit) {
        const Stop stop = pop(walk);
        if (stop.item < 0) {
            *bound = stop.bound;
            return -1 - stop.item;
        }
        openBox(walk, stop.item);
    }
    return -1;
}
