// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Where one may walk, by a sweep over the outlines of a floor from bottom to top.
//
// Between two neighbouring heights at which sides begin, end or cross lies a slab, in which they
// have an order from left to right. What is free between two sides that follow each other is part
// of a trapezoid, which goes on through the slabs above as long as the two do.

#include "measure/walkable.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Of the grid that finds trapezoids.
#define MOST_CELLS_A_SIDE 1024
#define MOST_CELLS 65536.0

// --- The sides of rooms, solids and walls, and the heights between which slabs lie -----------

// A side of a room, solid or wall that is not horizontal: y0 < y1.
typedef struct Edge {
    double x0, y0, x1, y1;
    int32_t shape;     // index
    int32_t trapezoid; // to its right, of the slab below
} Edge;

// A horizontal side.
typedef struct Bar {
    double y, x0, x1;
} Bar;

typedef struct Edges {
    thArray edges;   // Edge, by y0
    thArray bars;    // Bar, by y, then x0
    thArray heights; // double, ascending: edges begin, end and cross only at these
} Edges;

static Edges newEdges(thMemory* memory)
{
    return (Edges){thiArray(memory, sizeof(Edge)), thiArray(memory, sizeof(Bar)),
                   thiArray(memory, sizeof(double))};
}

static void freeEdges(Edges* edges)
{
    thiArrayFree(&edges->edges);
    thiArrayFree(&edges->bars);
    thiArrayFree(&edges->heights);
}

static double toGrain(double metres)
{
    return floor(metres / TH_WALKABLE_GRAIN + 0.5) * TH_WALKABLE_GRAIN;
}

static thResult addHeight(Edges* edges, double y)
{
    double* height = thiArrayAdd(&edges->heights, 1);
    if (height == NULL)
        return th_resultNoMemory;
    *height = y;
    return th_resultOk;
}

static thResult addSide(Edges* edges, thPlace a, thPlace b, int32_t shape)
{
    const thPlace low = a.y < b.y ? a : b, high = a.y < b.y ? b : a;
    TH_TRY(addHeight(edges, low.y));
    if (low.y < high.y) {
        Edge* edge = thiArrayAdd(&edges->edges, 1);
        if (edge == NULL)
            return th_resultNoMemory;
        *edge = (Edge){low.x, low.y, high.x, high.y, shape, -1};
        return addHeight(edges, high.y);
    }
    Bar* bar = thiArrayAdd(&edges->bars, 1);
    if (bar == NULL)
        return th_resultNoMemory;
    *bar = (Bar){low.y, TH_MIN(a.x, b.x), TH_MAX(a.x, b.x)};
    return th_resultOk;
}

static thResult addShape(Edges* edges, const thWalkableDef* def, int32_t index)
{
    const thRecordedShape* shape = &def->shapes[index];
    const int32_t sides = shape->pointCount - (shape->kind == th_shapeWall ? 1 : 0);
    for (int32_t i = 0; i < sides; ++i) {
        const thPlace a = shape->points[i], b = shape->points[(i + 1) % shape->pointCount];
        const thPlace from = {toGrain(a.x - def->origin.x), toGrain(a.y - def->origin.y)};
        const thPlace to = {toGrain(b.x - def->origin.x), toGrain(b.y - def->origin.y)};
        TH_TRY(addSide(edges, from, to, index));
    }
    return th_resultOk;
}

// Left of a → b is positive.
static double turn(double ax, double ay, double bx, double by, double px, double py)
{
    return (bx - ax) * (py - ay) - (by - ay) * (px - ax);
}

static thResult addCrossing(Edges* edges, const Edge* a, const Edge* b)
{
    const double low = turn(b->x0, b->y0, b->x1, b->y1, a->x0, a->y0);
    const double high = turn(b->x0, b->y0, b->x1, b->y1, a->x1, a->y1);
    const double from = turn(a->x0, a->y0, a->x1, a->y1, b->x0, b->y0);
    const double to = turn(a->x0, a->y0, a->x1, a->y1, b->x1, b->y1);
    const bool parted = (low > 0.0) != (high > 0.0) && (from > 0.0) != (to > 0.0);
    if (!parted)
        return th_resultOk;
    // Not to the grain: along a side that is almost horizontal that would be far away.
    const double y = a->y0 + (a->y1 - a->y0) * (low / (low - high));
    return addHeight(edges, TH_MIN(TH_MAX(y, TH_MAX(a->y0, b->y0)), TH_MIN(a->y1, b->y1)));
}

static bool overlapInX(const Edge* a, const Edge* b)
{
    return TH_MIN(a->x0, a->x1) <= TH_MAX(b->x0, b->x1) &&
           TH_MIN(b->x0, b->x1) <= TH_MAX(a->x0, a->x1);
}

// `edges` are sorted by y0.
static thResult addCrossings(Edges* edges, thArray* active)
{
    const Edge* all = edges->edges.data;
    for (int32_t i = 0; i < edges->edges.count; ++i) {
        int32_t* others = active->data;
        int32_t kept = 0;
        for (int32_t j = 0; j < active->count; ++j)
            if (all[others[j]].y1 > all[i].y0)
                others[kept++] = others[j];
        active->count = kept;
        for (int32_t j = 0; j < active->count; ++j)
            if (overlapInX(&all[i], &all[others[j]]))
                TH_TRY(addCrossing(edges, &all[i], &all[others[j]]));
        int32_t* added = thiArrayAdd(active, 1);
        if (added == NULL)
            return th_resultNoMemory;
        *added = i;
    }
    return th_resultOk;
}

static int compareNumbers(double a, double b)
{
    return (a > b) - (a < b);
}

static int compareEdges(const void* left, const void* right)
{
    const Edge *a = left, *b = right;
    const int byY = compareNumbers(a->y0, b->y0), byX = compareNumbers(a->x0, b->x0);
    const int byTop = compareNumbers(a->y1, b->y1), byTopX = compareNumbers(a->x1, b->x1);
    const int byShape = (a->shape > b->shape) - (a->shape < b->shape);
    return byY != 0 ? byY : byX != 0 ? byX : byTop != 0 ? byTop : byTopX != 0 ? byTopX : byShape;
}

static int compareBars(const void* left, const void* right)
{
    const Bar *a = left, *b = right;
    const int byY = compareNumbers(a->y, b->y), byX = compareNumbers(a->x0, b->x0);
    return byY != 0 ? byY : byX != 0 ? byX : compareNumbers(a->x1, b->x1);
}

static int compareHeights(const void* left, const void* right)
{
    return compareNumbers(*(const double*)left, *(const double*)right);
}

static void sortHeights(thArray* heights)
{
    double* items = heights->data;
    qsort(items, (size_t)heights->count, sizeof *items, compareHeights);
    int32_t kept = 0;
    for (int32_t i = 0; i < heights->count; ++i)
        if (kept == 0 || items[i] > items[kept - 1])
            items[kept++] = items[i];
    heights->count = kept;
}

static bool bounds(thRecordedShapeKind kind)
{
    return kind == th_shapeSolid || kind == th_shapeRoom || kind == th_shapeWall;
}

// The ground where no room is.
static thResult addOpenGround(Edges* edges, const thWalkableDef* def)
{
    const thPlace low = {toGrain(def->openLow.x), toGrain(def->openLow.y)};
    const thPlace high = {toGrain(def->openHigh.x), toGrain(def->openHigh.y)};
    TH_TRY(addSide(edges, low, (thPlace){low.x, high.y}, def->shapeCount));
    return addSide(edges, high, (thPlace){high.x, low.y}, def->shapeCount);
}

static thResult collectEdges(Edges* edges, const thWalkableDef* def)
{
    bool hasRoom = false;
    for (int32_t i = 0; i < def->shapeCount; ++i) {
        const thRecordedShape* shape = &def->shapes[i];
        if (shape->level != def->level || !bounds(shape->kind))
            continue;
        TH_TRY(addShape(edges, def, i));
        hasRoom = hasRoom || shape->kind == th_shapeRoom;
    }
    if (!hasRoom)
        TH_TRY(addOpenGround(edges, def));
    if (edges->edges.count > 0)
        qsort(edges->edges.data, (size_t)edges->edges.count, sizeof(Edge), compareEdges);
    if (edges->bars.count > 0)
        qsort(edges->bars.data, (size_t)edges->bars.count, sizeof(Bar), compareBars);
    thArray active = thiArray(edges->edges.memory, sizeof(int32_t));
    const thResult code = addCrossings(edges, &active);
    thiArrayFree(&active);
    if (code == th_resultOk && edges->heights.count > 0)
        sortHeights(&edges->heights);
    return code;
}

// --- The sweep -------------------------------------------------------------------------------

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
    Edges edges;
    int32_t nextEdge, nextBar;
    thArray standing;   // Standing
    thArray below, now; // Gap, from left to right
    thArray rightOf;    // int32_t: the right side of each trapezoid
    thArray links;      // Link
    thArray parity;     // uint8_t: 1 within the shape, while a slab is walked through
    int32_t rooms, solids;
} Sweep;

static double xAt(const Edge* edge, double y)
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
    const Edge* edges = sweep->edges.edges.data;
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

static bool isWide(const Edge* left, const Edge* right, double y0, double y1)
{
    return xAt(right, y0) - xAt(left, y0) > TH_WALKABLE_GRAIN ||
           xAt(right, y1) - xAt(left, y1) > TH_WALKABLE_GRAIN;
}

static thResult findGaps(Sweep* sweep, double y0, double y1)
{
    const Edge* edges = sweep->edges.edges.data;
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

// Horizontal sides at the height y: `*count` from the one returned.
static const Bar* barsAt(Sweep* sweep, double y, int32_t* count)
{
    const Bar* bars = sweep->edges.bars.data;
    while (sweep->nextBar < sweep->edges.bars.count && bars[sweep->nextBar].y < y)
        sweep->nextBar += 1;
    *count = 0;
    while (sweep->nextBar + *count < sweep->edges.bars.count &&
           bars[sweep->nextBar + *count].y <= y)
        *count += 1;
    return bars == NULL ? NULL : bars + sweep->nextBar;
}

static bool isBarred(const Bar* bars, int32_t count, double x0, double x1)
{
    for (int32_t i = 0; i < count; ++i)
        if (bars[i].x0 < x1 && bars[i].x1 > x0)
            return true;
    return false;
}

static thResult beginTrapezoid(Sweep* sweep, Gap* gap, double y0)
{
    const Edge* edges = sweep->edges.edges.data;
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
static thResult fillGaps(Sweep* sweep, double y0, double y1, const Bar* bars, int32_t barCount)
{
    Edge* edges = sweep->edges.edges.data;
    Gap* gaps = sweep->now.data;
    for (int32_t i = 0; i < sweep->now.count; ++i) {
        Gap* gap = &gaps[i];
        const Edge *left = &edges[gap->left], *right = &edges[gap->right];
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
                         const Bar* bars, int32_t barCount)
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
static thResult joinGaps(Sweep* sweep, double y, const Bar* bars, int32_t barCount)
{
    const Edge* edges = sweep->edges.edges.data;
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
    const Bar* bars = barsAt(sweep, y0, &barCount);
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
    TH_TRY(collectEdges(&sweep->edges, sweep->def));
    uint8_t* parity = thiArrayAdd(&sweep->parity, sweep->def->shapeCount + 1);
    if (parity == NULL)
        return th_resultNoMemory;
    memset(parity, 0, (size_t)sweep->def->shapeCount + 1);
    const double* heights = sweep->edges.heights.data;
    for (int32_t i = 1; i < sweep->edges.heights.count; ++i)
        TH_TRY(sweepSlab(sweep, heights[i - 1], heights[i]));
    return hangDoors(sweep);
}

// --- Which trapezoid a place is in: by a grid over the bounds --------------------------------

static thPlace lowOf(const thTrapezoid* trapezoid)
{
    return (thPlace){TH_MIN(trapezoid->left0, trapezoid->left1), trapezoid->y0};
}

static thPlace highOf(const thTrapezoid* trapezoid)
{
    return (thPlace){TH_MAX(trapezoid->right0, trapezoid->right1), trapezoid->y1};
}

static void findBounds(thWalkable* walkable)
{
    const thTrapezoid* trapezoids = walkable->trapezoids.data;
    for (int32_t i = 0; i < walkable->trapezoids.count; ++i) {
        const thPlace low = lowOf(&trapezoids[i]), high = highOf(&trapezoids[i]);
        walkable->low.x = i == 0 ? low.x : TH_MIN(walkable->low.x, low.x);
        walkable->low.y = i == 0 ? low.y : TH_MIN(walkable->low.y, low.y);
        walkable->high.x = i == 0 ? high.x : TH_MAX(walkable->high.x, high.x);
        walkable->high.y = i == 0 ? high.y : TH_MAX(walkable->high.y, high.y);
    }
}

static int32_t cellOf(double value, double low, double high, int32_t count)
{
    if (!(value > low))
        return 0;
    return value < high ? (int32_t)((value - low) / (high - low) * count) : count - 1;
}

// Calls for each cell that a trapezoid touches: counts it, or puts the trapezoid there.
static void visitCells(const thWalkable* walkable, int32_t index, int32_t* counts, int32_t* items)
{
    const thTrapezoid* trapezoid = &TH_ITEMS(walkable->trapezoids, thTrapezoid)[index];
    const thPlace low = lowOf(trapezoid), high = highOf(trapezoid);
    const thPlace from = walkable->gridLow, to = walkable->gridHigh;
    const int32_t column0 = cellOf(low.x - TH_WALKABLE_GRAIN, from.x, to.x, walkable->columns);
    const int32_t column1 = cellOf(high.x + TH_WALKABLE_GRAIN, from.x, to.x, walkable->columns);
    const int32_t row0 = cellOf(low.y - TH_WALKABLE_GRAIN, from.y, to.y, walkable->rows);
    const int32_t row1 = cellOf(high.y + TH_WALKABLE_GRAIN, from.y, to.y, walkable->rows);
    for (int32_t row = row0; row <= row1; ++row)
        for (int32_t column = column0; column <= column1; ++column) {
            int32_t* count = &counts[row * walkable->columns + column];
            if (items != NULL)
                items[*count] = index;
            *count += 1;
        }
}

static void widen(thPlace* low, thPlace* high, double x, double y)
{
    *low = (thPlace){TH_MIN(low->x, x), TH_MIN(low->y, y)};
    *high = (thPlace){TH_MAX(high->x, x), TH_MAX(high->y, y)};
}

static double within(double value, double low, double high)
{
    return TH_MIN(TH_MAX(value, low), high);
}

// The grid lies over the sides of shapes, as far as they are within the bounds; open ground goes on
// for a kilometre beyond.
static void placeGrid(thWalkable* walkable, const Edges* edges, int32_t shapeCount)
{
    thPlace low = walkable->high, high = walkable->low;
    for (int32_t i = 0; i < edges->edges.count; ++i) {
        const Edge* edge = &TH_ITEMS(edges->edges, Edge)[i];
        if (edge->shape == shapeCount)
            continue;
        widen(&low, &high, edge->x0, edge->y0);
        widen(&low, &high, edge->x1, edge->y1);
    }
    low = (thPlace){TH_MAX(low.x, walkable->low.x), TH_MAX(low.y, walkable->low.y)};
    high = (thPlace){TH_MIN(high.x, walkable->high.x), TH_MIN(high.y, walkable->high.y)};
    const bool isThere = low.x < high.x && low.y < high.y;
    walkable->gridLow = isThere ? low : walkable->low;
    walkable->gridHigh = isThere ? high : walkable->high;
}

// As many columns as trapezoids stand side by side and rows as lie above each other, about: cells
// then touch few, also where trapezoids are long and flat.
static void sizeGrid(thWalkable* walkable)
{
    const thTrapezoid* trapezoids = walkable->trapezoids.data;
    const thPlace from = walkable->gridLow, to = walkable->gridHigh;
    double widths = 0.0, heights = 0.0;
    for (int32_t i = 0; i < walkable->trapezoids.count; ++i) {
        const thPlace low = lowOf(&trapezoids[i]), high = highOf(&trapezoids[i]);
        widths += within(high.x, from.x, to.x) - within(low.x, from.x, to.x);
        heights += within(high.y, from.y, to.y) - within(low.y, from.y, to.y);
    }
    double rows = within(2.0 * widths / (to.x - from.x), 1.0, MOST_CELLS_A_SIDE);
    double columns = within(2.0 * heights / (to.y - from.y), 1.0, MOST_CELLS_A_SIDE);
    const double excess = TH_MAX(rows * columns / MOST_CELLS, 1.0);
    walkable->rows = (int32_t)(rows / sqrt(excess)) + 1;
    walkable->columns = (int32_t)(columns / sqrt(excess)) + 1;
}

static thResult indexTrapezoids(thWalkable* walkable, const Edges* edges, int32_t shapeCount)
{
    if (walkable->trapezoids.count == 0)
        return th_resultOk;
    findBounds(walkable);
    placeGrid(walkable, edges, shapeCount);
    sizeGrid(walkable);
    const int32_t cells = walkable->columns * walkable->rows;
    int32_t* starts = thiArrayAdd(&walkable->cellStarts, cells + 1);
    if (starts == NULL)
        return th_resultNoMemory;
    // Counted one further, so that filling leaves starts where they belong.
    memset(starts, 0, (size_t)(cells + 1) * sizeof *starts);
    for (int32_t i = 0; i < walkable->trapezoids.count; ++i)
        visitCells(walkable, i, starts, NULL);
    int32_t sum = 0;
    for (int32_t i = 0; i <= cells; ++i) {
        const int32_t count = starts[i];
        starts[i] = sum;
        sum += count;
    }
    int32_t* items = thiArrayAdd(&walkable->cellItems, sum);
    if (items == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < walkable->trapezoids.count; ++i)
        visitCells(walkable, i, starts, items);
    memmove(starts + 1, starts, (size_t)cells * sizeof *starts);
    starts[0] = 0;
    return th_resultOk;
}

// How far a place is outside, by the side it is furthest from. [m; 0: inside]
static double distanceFrom(const thTrapezoid* trapezoid, thPlace place)
{
    const double height = trapezoid->y1 - trapezoid->y0;
    const double up = TH_MIN(TH_MAX((place.y - trapezoid->y0) / height, 0.0), 1.0);
    const double left = trapezoid->left0 + (trapezoid->left1 - trapezoid->left0) * up;
    const double right = trapezoid->right0 + (trapezoid->right1 - trapezoid->right0) * up;
    const double dx = TH_MAX(TH_MAX(left - place.x, place.x - right), 0.0);
    const double dy = TH_MAX(TH_MAX(trapezoid->y0 - place.y, place.y - trapezoid->y1), 0.0);
    return TH_MAX(dx, dy);
}

int32_t thiFindTrapezoid(const thWalkable* walkable, thPlace place)
{
    if (walkable->trapezoids.count == 0)
        return -1;
    const thPlace low = walkable->gridLow, high = walkable->gridHigh;
    const int32_t column = cellOf(place.x, low.x, high.x, walkable->columns);
    const int32_t row = cellOf(place.y, low.y, high.y, walkable->rows);
    const int32_t* start =
        TH_ITEMS(walkable->cellStarts, int32_t) + row * walkable->columns + column;
    double least = TH_WALKABLE_GRAIN;
    int32_t found = -1;
    for (int32_t i = start[0]; i < start[1] && least > 0.0; ++i) {
        const int32_t index = TH_ITEMS(walkable->cellItems, int32_t)[i];
        const thTrapezoid* trapezoid = &TH_ITEMS(walkable->trapezoids, thTrapezoid)[index];
        if (place.y < trapezoid->y0 - least || place.y > trapezoid->y1 + least)
            continue;
        const double distance = distanceFrom(trapezoid, place);
        if (distance < least || (distance <= least && found < 0)) {
            least = distance;
            found = index;
        }
    }
    return found;
}

// --- A walkable area's life ------------------------------------------------------------------

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
                   .edges = newEdges(memory),
                   .standing = thiArray(memory, sizeof(Standing)),
                   .below = thiArray(memory, sizeof(Gap)),
                   .now = thiArray(memory, sizeof(Gap)),
                   .rightOf = thiArray(memory, sizeof(int32_t)),
                   .links = thiArray(memory, sizeof(Link)),
                   .parity = thiArray(memory, sizeof(uint8_t))};
    thResult code = runSweep(&sweep);
    if (code == th_resultOk)
        code = indexTrapezoids(walkable, &sweep.edges, def->shapeCount);
    freeEdges(&sweep.edges);
    thiArrayFree(&sweep.standing);
    thiArrayFree(&sweep.below);
    thiArrayFree(&sweep.now);
    thiArrayFree(&sweep.rightOf);
    thiArrayFree(&sweep.links);
    thiArrayFree(&sweep.parity);
    return code;
}
