// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Between two neighbouring heights at which sides begin, end or cross lies a slab, in which they
// have an order from left to right. What is free between two sides that follow each other is part
// of a trapezoid, which goes on through the slabs above as long as the two do.

#include "measure/walkable.h"

#include <stdlib.h>
#include <string.h>

// A side in a slab.
typedef struct Standing {
    double x; // halfway up the slab
    int32_t edge;
} Standing;

// What is free between two sides in a slab.
typedef struct Gap {
    int32_t left, right; // edges
    int32_t trapezoid;
    bool goesOn; // a trapezoid of the slab below
} Gap;

typedef struct Link {
    int32_t from;
    thWalkableDoor door;
} Link;

typedef struct Sweep {
    thWalkable* walkable;
    const thWalkableDef* def;
    thWalkableEdges edges;
    int32_t nextEdge, nextBar;
    thArray standing;   // Standing
    thArray below, now; // Gap, from left to right
    thArray rightOf;    // int32_t: the right side of each trapezoid
    thArray links;      // Link
    thArray parity;     // uint8_t: 1 within the shape, while a slab is walked through
    int32_t rooms, solids;
} Sweep;

static double xAt(const thWalkableEdge* edge, double y)
{
    if (y <= edge->y0)
        return edge->x0;
    if (y >= edge->y1)
        return edge->x1;
    return edge->x0 + (edge->x1 - edge->x0) * ((y - edge->y0) / (edge->y1 - edge->y0));
}

static int compareStanding(const void* left, const void* right)
{
    const Standing *a = left, *b = right;
    const int byX = (a->x > b->x) - (a->x < b->x);
    return byX != 0 ? byX : (a->edge > b->edge) - (a->edge < b->edge);
}

static bool isSorted(const thArray* standing)
{
    const Standing* items = standing->data;
    for (int32_t i = 1; i < standing->count; ++i)
        if (compareStanding(&items[i - 1], &items[i]) > 0)
            return false;
    return true;
}

static thResult standUp(Sweep* sweep, double y0, double y1)
{
    const thWalkableEdge* edges = sweep->edges.edges.data;
    Standing* standing = sweep->standing.data;
    int32_t kept = 0;
    for (int32_t i = 0; i < sweep->standing.count; ++i)
        if (edges[standing[i].edge].y1 > y0)
            standing[kept++] = standing[i];
    sweep->standing.count = kept;
    for (; sweep->nextEdge < sweep->edges.edges.count && edges[sweep->nextEdge].y0 <= y0;
         ++sweep->nextEdge) {
        Standing* added = thiArrayAdd(&sweep->standing, 1);
        if (added == NULL)
            return th_resultNoMemory;
        added->edge = sweep->nextEdge;
    }
    standing = sweep->standing.data;
    for (int32_t i = 0; i < sweep->standing.count; ++i)
        standing[i].x = xAt(&edges[standing[i].edge], 0.5 * (y0 + y1));
    if (!isSorted(&sweep->standing))
        qsort(standing, (size_t)sweep->standing.count, sizeof *standing, compareStanding);
    return th_resultOk;
}

// Steps over a side, from left to right.
static void stepOver(Sweep* sweep, int32_t shape)
{
    const thWalkableDef* def = sweep->def;
    const thRecordedShapeKind kind =
        shape == def->shapeCount ? th_shapeRoom : def->shapes[shape].kind;
    uint8_t* parity = sweep->parity.data;
    if (kind == th_shapeWall)
        return;
    parity[shape] ^= 1;
    const int32_t change = parity[shape] == 1 ? 1 : -1;
    if (kind == th_shapeRoom)
        sweep->rooms += change;
    else
        sweep->solids += change;
}

static bool isWide(const thWalkableEdge* left, const thWalkableEdge* right, double y0, double y1)
{
    return xAt(right, y0) - xAt(left, y0) > TH_WALKABLE_GRAIN ||
           xAt(right, y1) - xAt(left, y1) > TH_WALKABLE_GRAIN;
}

static thResult findGaps(Sweep* sweep, double y0, double y1)
{
    const thWalkableEdge* edges = sweep->edges.edges.data;
    const Standing* standing = sweep->standing.data;
    sweep->now.count = 0;
    for (int32_t i = 0; i < sweep->standing.count; ++i) {
        stepOver(sweep, edges[standing[i].edge].shape);
        if (sweep->rooms == 0 || sweep->solids > 0) // so this is not the last one
            continue;
        const int32_t left = standing[i].edge, right = standing[i + 1].edge;
        if (!isWide(&edges[left], &edges[right], y0, y1))
            continue;
        Gap* gap = thiArrayAdd(&sweep->now, 1);
        if (gap == NULL)
            return th_resultNoMemory;
        *gap = (Gap){left, right, -1, false};
    }
    TH_ASSERT(sweep->rooms == 0 && sweep->solids == 0);
    return th_resultOk;
}

// Bars at the height y: `*count` from the one returned.
static const thWalkableBar* barsAt(Sweep* sweep, double y, int32_t* count)
{
    const thWalkableBar* bars = sweep->edges.bars.data;
    while (sweep->nextBar < sweep->edges.bars.count && bars[sweep->nextBar].y < y)
        sweep->nextBar += 1;
    *count = 0;
    while (sweep->nextBar + *count < sweep->edges.bars.count &&
           bars[sweep->nextBar + *count].y <= y)
        *count += 1;
    return bars == NULL ? NULL : bars + sweep->nextBar;
}

static bool isBarred(const thWalkableBar* bars, int32_t count, double x0, double x1)
{
    for (int32_t i = 0; i < count; ++i)
        if (bars[i].x0 < x1 && bars[i].x1 > x0)
            return true;
    return false;
}

static thResult beginTrapezoid(Sweep* sweep, Gap* gap, double y0)
{
    const thWalkableEdge* edges = sweep->edges.edges.data;
    thTrapezoid* trapezoid = thiArrayAdd(&sweep->walkable->trapezoids, 1);
    int32_t* rightOf = thiArrayAdd(&sweep->rightOf, 1);
    if (trapezoid == NULL || rightOf == NULL)
        return th_resultNoMemory;
    gap->trapezoid = sweep->walkable->trapezoids.count - 1;
    *rightOf = gap->right;
    *trapezoid = (thTrapezoid){.y0 = y0, .left0 = xAt(&edges[gap->left], y0)};
    trapezoid->right0 = TH_MAX(trapezoid->left0, xAt(&edges[gap->right], y0));
    return th_resultOk;
}

// Gives each gap its trapezoid: one of the slab below or a new one.
static thResult fillGaps(Sweep* sweep, double y0, double y1, const thWalkableBar* bars,
                         int32_t barCount)
{
    thWalkableEdge* edges = sweep->edges.edges.data;
    Gap* gaps = sweep->now.data;
    for (int32_t i = 0; i < sweep->now.count; ++i) {
        Gap* gap = &gaps[i];
        const thWalkableEdge *left = &edges[gap->left], *right = &edges[gap->right];
        const int32_t below = left->trapezoid;
        gap->goesOn = below >= 0 && TH_ITEMS(sweep->rightOf, int32_t)[below] == gap->right &&
                      TH_ITEMS(sweep->walkable->trapezoids, thTrapezoid)[below].y1 >= y0 &&
                      !isBarred(bars, barCount, xAt(left, y0), xAt(right, y0));
        if (gap->goesOn)
            gap->trapezoid = below;
        else
            TH_TRY(beginTrapezoid(sweep, gap, y0));
        thTrapezoid* trapezoid =
            &TH_ITEMS(sweep->walkable->trapezoids, thTrapezoid)[gap->trapezoid];
        trapezoid->y1 = y1;
        trapezoid->left1 = xAt(left, y1);
        trapezoid->right1 = TH_MAX(trapezoid->left1, xAt(right, y1));
        edges[gap->left].trapezoid = gap->trapezoid;
    }
    return th_resultOk;
}

static thResult addLink(Sweep* sweep, int32_t a, int32_t b, double y, double x0, double x1)
{
    if (x1 - x0 <= TH_WALKABLE_GRAIN)
        return th_resultOk;
    Link* links = thiArrayAdd(&sweep->links, 2);
    if (links == NULL)
        return th_resultNoMemory;
    links[0] = (Link){a, {y, x0, x1, b}};
    links[1] = (Link){b, {y, x0, x1, a}};
    return th_resultOk;
}

// Doors from x0 to x1, where no bar is.
static thResult addDoors(Sweep* sweep, int32_t a, int32_t b, double y, double x0, double x1,
                         const thWalkableBar* bars, int32_t barCount)
{
    for (int32_t i = 0; i < barCount && bars[i].x0 < x1; ++i) {
        if (bars[i].x1 <= x0)
            continue;
        TH_TRY(addLink(sweep, a, b, y, x0, bars[i].x0));
        x0 = bars[i].x1;
    }
    return addLink(sweep, a, b, y, x0, x1);
}

// Doors between trapezoids that end at a height and those that begin there.
static thResult joinGaps(Sweep* sweep, double y, const thWalkableBar* bars, int32_t barCount)
{
    const thWalkableEdge* edges = sweep->edges.edges.data;
    const Gap *below = sweep->below.data, *above = sweep->now.data;
    int32_t i = 0, j = 0;
    while (i < sweep->below.count && j < sweep->now.count) {
        const Gap *low = &below[i], *high = &above[j];
        const double lowEnd = xAt(&edges[low->right], y), highEnd = xAt(&edges[high->right], y);
        const double x0 = TH_MAX(xAt(&edges[low->left], y), xAt(&edges[high->left], y));
        const bool lowEnds =
            TH_ITEMS(sweep->walkable->trapezoids, thTrapezoid)[low->trapezoid].y1 <= y;
        if (lowEnds && !high->goesOn)
            TH_TRY(addDoors(sweep, low->trapezoid, high->trapezoid, y, x0, TH_MIN(lowEnd, highEnd),
                            bars, barCount));
        if (lowEnd < highEnd)
            i += 1;
        else
            j += 1;
    }
    return th_resultOk;
}

static thResult sweepSlab(Sweep* sweep, double y0, double y1)
{
    int32_t barCount;
    const thWalkableBar* bars = barsAt(sweep, y0, &barCount);
    TH_TRY(standUp(sweep, y0, y1));
    TH_TRY(findGaps(sweep, y0, y1));
    TH_TRY(fillGaps(sweep, y0, y1, bars, barCount));
    TH_TRY(joinGaps(sweep, y0, bars, barCount));
    const thArray below = sweep->below;
    sweep->below = sweep->now;
    sweep->now = below;
    return th_resultOk;
}

// Puts doors in the order of the trapezoids they lead out of.
static thResult hangDoors(Sweep* sweep)
{
    thWalkable* walkable = sweep->walkable;
    thTrapezoid* trapezoids = walkable->trapezoids.data;
    const Link* links = sweep->links.data;
    thWalkableDoor* doors = thiArrayAdd(&walkable->doors, sweep->links.count);
    if (doors == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < sweep->links.count; ++i)
        trapezoids[links[i].from].doorCount += 1;
    int32_t first = 0;
    for (int32_t i = 0; i < walkable->trapezoids.count; ++i) {
        trapezoids[i].firstDoor = first;
        first += trapezoids[i].doorCount;
        trapezoids[i].doorCount = 0;
    }
    for (int32_t i = 0; i < sweep->links.count; ++i) {
        thTrapezoid* from = &trapezoids[links[i].from];
        doors[from->firstDoor + from->doorCount++] = links[i].door;
    }
    return th_resultOk;
}

static thResult runSweep(Sweep* sweep)
{
    TH_TRY(thiCollectEdges(&sweep->edges, sweep->def));
    uint8_t* parity = thiArrayAdd(&sweep->parity, sweep->def->shapeCount + 1);
    if (parity == NULL)
        return th_resultNoMemory;
    memset(parity, 0, (size_t)sweep->def->shapeCount + 1);
    const double* heights = sweep->edges.heights.data;
    for (int32_t i = 1; i < sweep->edges.heights.count; ++i)
        TH_TRY(sweepSlab(sweep, heights[i - 1], heights[i]));
    TH_TRY(hangDoors(sweep));
    return thiIndexWalkable(sweep->walkable);
}

thWalkable thiWalkable(thMemory* memory)
{
    return (thWalkable){.trapezoids = thiArray(memory, sizeof(thTrapezoid)),
                        .doors = thiArray(memory, sizeof(thWalkableDoor)),
                        .cellStarts = thiArray(memory, sizeof(int32_t)),
                        .cellItems = thiArray(memory, sizeof(int32_t))};
}

void thiWalkableFree(thWalkable* walkable)
{
    thiArrayFree(&walkable->trapezoids);
    thiArrayFree(&walkable->doors);
    thiArrayFree(&walkable->cellStarts);
    thiArrayFree(&walkable->cellItems);
}

thResult thiBuildWalkable(thWalkable* walkable, const thWalkableDef* def)
{
    thMemory* memory = walkable->trapezoids.memory;
    Sweep sweep = {.walkable = walkable,
                   .def = def,
                   .edges = thiWalkableEdges(memory),
                   .standing = thiArray(memory, sizeof(Standing)),
                   .below = thiArray(memory, sizeof(Gap)),
                   .now = thiArray(memory, sizeof(Gap)),
                   .rightOf = thiArray(memory, sizeof(int32_t)),
                   .links = thiArray(memory, sizeof(Link)),
                   .parity = thiArray(memory, sizeof(uint8_t))};
    const thResult code = runSweep(&sweep);
    thiWalkableEdgesFree(&sweep.edges);
    thiArrayFree(&sweep.standing);
    thiArrayFree(&sweep.below);
    thiArrayFree(&sweep.now);
    thiArrayFree(&sweep.rightOf);
    thiArrayFree(&sweep.links);
    thiArrayFree(&sweep.parity);
    return code;
}
