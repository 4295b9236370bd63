// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "measure/shape_pairs.h"

#include "geom/fixed.h"
#include "sim/step/turning.h"

typedef struct Visit {
    const thShapePairs* pairs;
    int32_t self;
    thShapePairFcn* visit;
    void* context;
} Visit;

thShapePairs thiShapePairs(const thWorld* world, const thRows* rows, const thGrid* grid,
                           int32_t drift)
{
    return (thShapePairs){world, rows, grid, drift,
                          TH_MAX(thiLongestShape(world), grid->maxRadius)};
}

bool thiHasShape(const thShapePairs* pairs, int32_t row)
{
    return thiProfiles(pairs->world)[pairs->rows->profile[row]].shape.count > 0;
}

static bool takeNotice(const thRows* rows, int32_t a, int32_t b)
{
    return rows->level[a] == rows->level[b] &&
           ((rows->mask[a] & rows->layers[b]) | (rows->mask[b] & rows->layers[a])) != 0;
}

// How deep a pair is. [m; not above 0: it does not overlap]
static double depthOf(const thShapePairs* pairs, int32_t a, int32_t b)
{
    const thRows* rows = pairs->rows;
    const thVec2 way = {thiMetresBetween(rows->px[a], rows->px[b]),
                        thiMetresBetween(rows->py[a], rows->py[b])};
    const float reach = thiBodyReach(pairs->world, rows, a) + thiBodyReach(pairs->world, rows, b);
    if (thiDot(way, way) >= reach * reach)
        return 0.0;
    const thConvexBody own = thiBodyAt(pairs->world, rows, a);
    const thConvexBody other = thiBodyAt(pairs->world, rows, b);
    const thConvexBody sum = thiConvexSum(&own, &other, way);
    return -(double)thiClearanceOf(&sum, way).distance;
}

static void lookAtPair(const Visit* visit, int32_t other)
{
    const thRows* rows = visit->pairs->rows;
    const int32_t self = visit->self;
    const bool isOurs =
        other != self && (!thiHasShape(visit->pairs, other) || rows->key[other] > rows->key[self]);
    if (!isOurs || rows->flags[other] == 0 || !takeNotice(rows, self, other))
        return;
    const double depth = depthOf(visit->pairs, self, other);
    const double radii = (double)rows->radius[self] + (double)rows->radius[other];
    if (depth > 0.0)
        visit->visit(visit->context, self, other, depth < radii ? depth / radii : 1.0);
}

static void lookAtRows(void* context, int32_t begin, int32_t end)
{
    for (int32_t row = begin; row < end; ++row)
        lookAtPair(context, row);
}

void thiVisitShapePairs(const thShapePairs* pairs, int32_t self, thShapePairFcn* visit,
                        void* context)
{
    const thRows* rows = pairs->rows;
    Visit own = {pairs, self, visit, context};
    const float reach = thiBodyReach(pairs->world, rows, self) + pairs->longest;
    const int32_t by = (int32_t)(reach * TH_UNITS) + 1 + pairs->drift;
    const int32_t x = rows->px[self], y = rows->py[self];
    thiGridVisit(pairs->grid, rows->level[self], x - by, y - by, x + by, y + by, lookAtRows, &own);
}
