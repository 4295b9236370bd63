// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "measure/walkable.h"

#include <math.h>
#include <stdlib.h>

thWalkableEdges thiWalkableEdges(thMemory* memory)
{
    return (thWalkableEdges){thiArray(memory, sizeof(thWalkableEdge)),
                             thiArray(memory, sizeof(thWalkableBar)),
                             thiArray(memory, sizeof(double))};
}

void thiWalkableEdgesFree(thWalkableEdges* edges)
{
    thiArrayFree(&edges->edges);
    thiArrayFree(&edges->bars);
    thiArrayFree(&edges->heights);
}

static double toGrain(double metres)
{
    return floor(metres / TH_WALKABLE_GRAIN + 0.5) * TH_WALKABLE_GRAIN;
}

static thResult addHeight(thWalkableEdges* edges, double y)
{
    double* height = thiArrayAdd(&edges->heights, 1);
    if (height == NULL)
        return th_resultNoMemory;
    *height = y;
    return th_resultOk;
}

static thResult addSide(thWalkableEdges* edges, thPlace a, thPlace b, int32_t shape)
{
    const thPlace low = a.y < b.y ? a : b, high = a.y < b.y ? b : a;
    TH_TRY(addHeight(edges, low.y));
    if (low.y < high.y) {
        thWalkableEdge* edge = thiArrayAdd(&edges->edges, 1);
        if (edge == NULL)
            return th_resultNoMemory;
        *edge = (thWalkableEdge){low.x, low.y, high.x, high.y, shape, -1};
        return addHeight(edges, high.y);
    }
    thWalkableBar* bar = thiArrayAdd(&edges->bars, 1);
    if (bar == NULL)
        return th_resultNoMemory;
    *bar = (thWalkableBar){low.y, TH_MIN(a.x, b.x), TH_MAX(a.x, b.x)};
    return th_resultOk;
}

static thResult addShape(thWalkableEdges* edges, const thWalkableDef* def, int32_t index)
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

static thResult addCrossing(thWalkableEdges* edges, const thWalkableEdge* a,
                            const thWalkableEdge* b)
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

static bool overlapInX(const thWalkableEdge* a, const thWalkableEdge* b)
{
    return TH_MIN(a->x0, a->x1) <= TH_MAX(b->x0, b->x1) &&
           TH_MIN(b->x0, b->x1) <= TH_MAX(a->x0, a->x1);
}

// `edges` are sorted by y0.
static thResult addCrossings(thWalkableEdges* edges, thArray* active)
{
    const thWalkableEdge* all = edges->edges.data;
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
    const thWalkableEdge *a = left, *b = right;
    const int byY = compareNumbers(a->y0, b->y0), byX = compareNumbers(a->x0, b->x0);
    const int byTop = compareNumbers(a->y1, b->y1), byTopX = compareNumbers(a->x1, b->x1);
    const int byShape = (a->shape > b->shape) - (a->shape < b->shape);
    return byY != 0 ? byY : byX != 0 ? byX : byTop != 0 ? byTop : byTopX != 0 ? byTopX : byShape;
}

static int compareBars(const void* left, const void* right)
{
    const thWalkableBar *a = left, *b = right;
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
static thResult addOpenGround(thWalkableEdges* edges, const thWalkableDef* def)
{
    const thPlace low = {toGrain(def->openLow.x), toGrain(def->openLow.y)};
    const thPlace high = {toGrain(def->openHigh.x), toGrain(def->openHigh.y)};
    TH_TRY(addSide(edges, low, (thPlace){low.x, high.y}, def->shapeCount));
    return addSide(edges, high, (thPlace){high.x, low.y}, def->shapeCount);
}

thResult thiCollectEdges(thWalkableEdges* edges, const thWalkableDef* def)
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
        qsort(edges->edges.data, (size_t)edges->edges.count, sizeof(thWalkableEdge), compareEdges);
    if (edges->bars.count > 0)
        qsort(edges->bars.data, (size_t)edges->bars.count, sizeof(thWalkableBar), compareBars);
    thArray active = thiArray(edges->edges.memory, sizeof(int32_t));
    const thResult code = addCrossings(edges, &active);
    thiArrayFree(&active);
    if (code == th_resultOk && edges->heights.count > 0)
        sortHeights(&edges->heights);
    return code;
}
