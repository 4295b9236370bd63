// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Costs of the four ways out of a cell, and the march over them. When a node is settled, each open
// neighbour tries it alone and together with those it has across; the least of all these is its
// potential, whatever the order in which they are settled.

#include "plan/continuum/potential.h"

#include "geom/fixed.h"

#include <math.h>

// A march needs costs; a millionth is next to none. [1/m]
#define LEAST_COST 1.0e-6f

static const struct {
    uint8_t open;
    int8_t x, y;
} faces[th_faceCount] = {
    {th_openEast, 1, 0}, {th_openWest, -1, 0}, {th_openNorth, 0, 1}, {th_openSouth, 0, -1}};

static int32_t stepTo(const thNodeGrid* nodes, int32_t face)
{
    return faces[face].y * nodes->columns + faces[face].x;
}

thResult thiPotentialCreate(thMemory* memory, const thNodeGrid* nodes, thPotential* potential)
{
    const size_t count = (size_t)thiNodeCount(nodes);
    *potential = (thPotential){.memory = memory,
                               .nodes = nodes,
                               .count = (int32_t)count,
                               .cost = thiAllocate(memory, count * sizeof(float)),
                               .left = thiAllocate(memory, count * sizeof(float)),
                               .via = thiAllocateZero(memory, count),
                               .heap = thiArray(memory, sizeof(uint64_t))};
    if (potential->cost != NULL && potential->left != NULL && potential->via != NULL)
        return th_resultOk;
    thiPotentialFree(potential);
    return th_resultNoMemory;
}

void thiPotentialFree(thPotential* potential)
{
    const size_t count = (size_t)potential->count;
    if (potential->memory == NULL)
        return;
    thiRelease(potential->memory, potential->cost, count * sizeof(float));
    thiRelease(potential->memory, potential->left, count * sizeof(float));
    thiRelease(potential->memory, potential->via, count);
    thiArrayFree(&potential->heap);
    *potential = (thPotential){0};
}

// C = (α f + β + γ g) / f towards a neighbour: speed and discomfort are what they are there, where
// one gets to.
static float costInto(const thCrowdCells* cells, int32_t node, int32_t face, float free)
{
    const thContinuumDef* def = cells->def;
    const int32_t to = node + stepTo(cells->nodes, face);
    // What most cells cost, without going through all of it.
    if (cells->density[to] <= free && cells->discomfort[to] == 0.0f)
        return TH_MAX(thiLeastCost(def), LEAST_COST);
    const thCrowdAt crowd = thiCrowdAtNode(cells, to);
    const thVec2 n = {faces[face].x, faces[face].y};
    const float speed = thiSpeedInto(def, free, &crowd, n, def->speed);
    const float spent = def->timeCost + def->discomfortCost * cells->discomfort[to];
    return TH_MAX(def->lengthCost + spent / speed, LEAST_COST);
}

void thiFillCosts(const thCrowdCells* cells, int32_t begin, int32_t end, float* costs)
{
    const thNodeGrid* nodes = cells->nodes;
    const float free = thiFreeDensity(cells->def);
    for (int32_t node = begin * nodes->columns; node < end * nodes->columns; ++node)
        for (int32_t face = 0; face < th_faceCount; ++face)
            costs[th_faceCount * (int64_t)node + face] = (nodes->open[node] & faces[face].open) != 0
                                                             ? costInto(cells, node, face, free)
                                                             : INFINITY;
}

// A march over a grid.
typedef struct March {
    thPotential* potential;
    const float* costs;
    float side; // [m]
} March;

static thResult offer(const March* march, int32_t node, float cost, int32_t via)
{
    thPotential* potential = march->potential;
    if (!(cost < potential->cost[node]))
        return th_resultOk;
    potential->cost[node] = cost;
    potential->via[node] = (uint8_t)via;
    return thiFrontPush(&potential->heap, cost, node);
}

// The potential between a neighbour at `a`, to which it is p, and one across at `b`, to which it
// is q: the larger root of ((x − a) / p)² + ((x − b) / q)² = 1. Infinite if that would be less than
// one of them: then the other is better alone.
static float solvePair(float a, float p, float b, float q)
{
    const float apart = fabsf(a - b), far = a > b ? q : p;
    if (!(apart < far))
        return INFINITY;
    const float sum = p * p + q * q, root = sqrtf(sum - apart * apart);
    return TH_MAX(TH_MIN(a, b) + (far * far * apart + p * q * root) / sum, TH_MAX(a, b));
}

// What a node makes of a neighbour that has just been settled.
static thResult tryFace(const March* march, int32_t node, int32_t face)
{
    thPotential* potential = march->potential;
    const thNodeGrid* nodes = potential->nodes;
    const float* costs = &march->costs[th_faceCount * (int64_t)node];
    const float a = potential->cost[node + stepTo(nodes, face)], p = costs[face] * march->side;
    TH_TRY(offer(march, node, a + p, 1 << face));
    const int32_t across = face < th_faceNorth ? th_faceNorth : th_faceEast;
    for (int32_t other = across; other < across + 2; ++other) {
        const int32_t beside = node + stepTo(nodes, other);
        if ((nodes->open[node] & faces[other].open) == 0 || !thiIsKnown(potential, beside))
            continue;
        const float b = potential->cost[beside], q = costs[other] * march->side;
        TH_TRY(offer(march, node, solvePair(a, p, b, q), 1 << face | 1 << other));
    }
    return th_resultOk;
}

// The neighbours that a node's potential comes from, and how much more it is than there.
typedef struct Descent {
    int32_t along, across; // −1: none
    float x, y;            // without sign
} Descent;

static Descent descentFrom(const thPotential* potential, int32_t node)
{
    const int32_t via = potential->via[node];
    const int32_t along = (via & th_viaEast) != 0   ? th_faceEast
                          : (via & th_viaWest) != 0 ? th_faceWest
                                                    : -1;
    const int32_t across = (via & th_viaNorth) != 0   ? th_faceNorth
                           : (via & th_viaSouth) != 0 ? th_faceSouth
                                                      : -1;
    Descent descent = {along, across, 0.0f, 0.0f};
    if (along >= 0 && across < 0)
        descent.x = 1.0f;
    if (along < 0 && across >= 0)
        descent.y = 1.0f;
    if (along < 0 || across < 0)
        return descent;
    const float here = potential->cost[node];
    descent.x = here - potential->cost[node + stepTo(potential->nodes, along)];
    descent.y = here - potential->cost[node + stepTo(potential->nodes, across)];
    const float length = sqrtf(descent.x * descent.x + descent.y * descent.y);
    descent.x = length > 0.0f ? descent.x / length : 1.0f;
    descent.y = length > 0.0f ? descent.y / length : 0.0f;
    return descent;
}

thVec2 thiWayFrom(const thPotential* potential, int32_t node)
{
    const Descent descent = descentFrom(potential, node);
    return (thVec2){descent.along == th_faceWest ? -descent.x : descent.x,
                    descent.across == th_faceSouth ? -descent.y : descent.y};
}

// The length of the path from a node: straight down to between its two neighbours, and on as from
// there.
static float measure(const March* march, int32_t node)
{
    const thPotential* potential = march->potential;
    const Descent descent = descentFrom(potential, node);
    const float sum = descent.x + descent.y;
    float left = march->side / sum;
    if (descent.along >= 0)
        left += descent.x / sum * potential->left[node + stepTo(potential->nodes, descent.along)];
    if (descent.across >= 0)
        left += descent.y / sum * potential->left[node + stepTo(potential->nodes, descent.across)];
    return left;
}

static thResult settle(const March* march, int32_t node)
{
    thPotential* potential = march->potential;
    const thNodeGrid* nodes = potential->nodes;
    if ((potential->via[node] & th_viaGoal) == 0)
        potential->left[node] = measure(march, node);
    potential->via[node] |= th_isKnown;
    for (int32_t face = 0; face < th_faceCount; ++face) {
        const int32_t other = node + stepTo(nodes, face);
        // From there it is the other way: faces of an axis stand side by side.
        if ((nodes->open[node] & faces[face].open) != 0 && !thiIsKnown(potential, other))
            TH_TRY(tryFace(march, other, face ^ 1));
    }
    return th_resultOk;
}

thResult thiPotentialSolve(thPotential* potential, const float* costs, float leastCost,
                           const thPotentialSeed* seeds, int32_t seedCount)
{
    const March march = {potential, costs, thiMetres(potential->nodes->side)};
    for (int32_t node = 0; node < potential->count; ++node) {
        potential->cost[node] = INFINITY;
        potential->left[node] = INFINITY;
        potential->via[node] = 0;
    }
    potential->heap.count = 0;
    for (int32_t i = 0; i < seedCount; ++i) {
        float* left = &potential->left[seeds[i].node];
        *left = TH_MIN(*left, seeds[i].left);
        TH_TRY(offer(&march, seeds[i].node, seeds[i].left * leastCost, th_viaGoal));
    }
    while (potential->heap.count > 0) {
        const int32_t node = thiFrontNode(thiFrontPop(&potential->heap));
        if (!thiIsKnown(potential, node))
            TH_TRY(settle(&march, node));
    }
    return th_resultOk;
}
