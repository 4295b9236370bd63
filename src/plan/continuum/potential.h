// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A potential: what is still to be spent from each node on the way to a goal. |∇potential| = C over
// a grid, where C is what a metre costs and depends on the direction: a node has one for each of
// its four neighbours. Upwind differences, solved by fast marching.

#ifndef THRONG_SRC_PLAN_POTENTIAL_H
#define THRONG_SRC_PLAN_POTENTIAL_H

#include "plan/continuum/crowd_cells.h"
#include "plan/field/front.h"

// The neighbours of a node, as costs are kept for them.
enum { th_faceEast, th_faceWest, th_faceNorth, th_faceSouth, th_faceCount };

// What of a node's neighbours its potential comes from, or'ed.
enum {
    th_viaEast = 1 << th_faceEast,
    th_viaWest = 1 << th_faceWest,
    th_viaNorth = 1 << th_faceNorth,
    th_viaSouth = 1 << th_faceSouth,
    th_viaGoal = 1 << 4, // none: it is at the goal
    th_isKnown = 1 << 5, // it is settled; without this no path is known
};

// A node at the goal.
typedef struct thPotentialSeed {
    int32_t node;
    float left; // how far it is from the goal [m]
} thPotentialSeed;

typedef struct thPotential {
    thMemory* memory;
    const thNodeGrid* nodes; // must outlive it
    int32_t count;           // of nodes; 0: there is nothing
    float* cost;             // of each node: the potential; infinite where no path is known
    float* left;             // length of the path that it is spent on [m]
    uint8_t* via;
    thArray heap;
} thPotential;

// th_resultNoMemory leaves nothing to free.
thResult thiPotentialCreate(thMemory* memory, const thNodeGrid* nodes, thPotential* potential);
void thiPotentialFree(thPotential* potential);

// What a metre costs at the rows of nodes from `begin` to `end` − 1, towards each neighbour.
void thiFillCosts(const thCrowdCells* cells, int32_t begin, int32_t end, float* costs);

// What a metre costs at least. [1/m]
static inline float thiLeastCost(const thContinuumDef* def)
{
    return def->lengthCost + def->timeCost / def->speed;
}

// Solves it anew. `costs`: th_faceCount of each node, more than 0.
thResult thiPotentialSolve(thPotential* potential, const float* costs, float leastCost,
                           const thPotentialSeed* seeds, int32_t seedCount);

static inline bool thiIsKnown(const thPotential* potential, int32_t node)
{
    return (potential->via[node] & th_isKnown) != 0;
}

// Down from a node that is known, as a unit vector; zero at the goal.
thVec2 thiWayFrom(const thPotential* potential, int32_t node);

#endif
