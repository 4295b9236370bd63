// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// One agent at the origin, and what it sees: set, or drawn at random.

#ifndef THRONG_TESTS_STEER_STEER_CASE_H
#define THRONG_TESTS_STEER_STEER_CASE_H

#include "gear/hand_batch.h"
#include "gear/property.h"
#include "steer/steer.h"

#define STEER_NEIGHBORS 8
#define STEER_WALLS 4
#define STEER_MOVERS HAND_MOVERS
#define STEER_NODES 5

typedef struct SteerNeighbor {
    thVec2 position, velocity;
    float radius, share;
    uint32_t layers;
    uint64_t key;
} SteerNeighbor;

typedef struct SteerCase {
    thVec2 velocity, wanted;
    float heading, radius, prefSpeed, maxSpeed, maxAccel, dt;
    uint64_t key, step;
    uint32_t layers, flags;
    int32_t neighborCount, wallCount, moverCount, nodeCount;
    bool closed;
    SteerNeighbor neighbors[STEER_NEIGHBORS];
    thVec2 walls[STEER_WALLS][2];
    HandMover movers[STEER_MOVERS];
    thVec2 nodes[STEER_NODES];
} SteerCase;

// An agent alone that goes ahead and wants to.
SteerCase plainSteerCase(void);

// Places are multiples of 2⁻¹⁶ m, as in worlds. On a lattice all is a multiple of 1/4, so that
// agents stand on one point, move alike, touch, or meet head-on.
SteerCase drawSteerCase(thGenerator* g, bool lattice);

// Parameters of all behaviours at once.
thSteerDef drawSteerDef(thGenerator* g);

// The agent as behaviours see it; valid until the next call. It is in lane 1 of 16.
thSteerer steererOfCase(const SteerCase* made, const thSteerDef* def);

#endif
