// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Batches for `rvo` without a world: what each agent sees is set, or drawn at random.

#ifndef THRONG_TESTS_AVOID_RVO_BATCH_H
#define THRONG_TESTS_AVOID_RVO_BATCH_H

#include "avoid/rvo/rvo.h"
#include "gear/hand_batch.h"
#include "gear/property.h"

#define RVO_LANES HAND_LANES
#define RVO_NEIGHBORS HAND_NEIGHBORS
#define RVO_WALLS HAND_WALLS
#define RVO_MOVERS HAND_MOVERS

typedef struct RvoNeighbor {
    thVec2 position, velocity;
    float radius, share;
} RvoNeighbor;

// One agent, at the origin, and what it sees.
typedef struct RvoAgent {
    thVec2 velocity, wanted;
    float radius, maxSpeed, maxAccel;
    uint64_t key;
    int32_t neighborCount, wallCount, moverCount;
    RvoNeighbor neighbors[RVO_NEIGHBORS];
    thVec2 walls[RVO_WALLS][2];
    HandMover movers[RVO_MOVERS];
} RvoAgent;

typedef enum RvoKind {
    rvo_plain,   // general position, not crowded
    rvo_crowd,   // near, many overlap or touch, walls about
    rvo_lattice, // multiples of 1/4: touching, parallel, head-on
    rvo_pile,    // on one point, or nearly
    rvo_kindCount
} RvoKind;

// At most `size` neighbours.
void drawRvoAgent(thGenerator* g, RvoKind kind, int32_t size, RvoAgent* agent);

// Up to RVO_LANES of them, of one kind or of all. Returns how many.
int32_t drawRvoAgents(thGenerator* g, int32_t size, RvoAgent* agents);

// An agent alone that wants to go ahead.
RvoAgent plainRvoAgent(void);

// Parameters of any kind.
thRvoDef drawRvoDef(thGenerator* g);

// A batch of agents, valid until the next one is made. Lanes past them are inert.
const thBatch* makeRvoBatch(const RvoAgent* agents, int32_t count, uint64_t step, float dt);

// Gives back the memory of all batches.
void freeRvoBatches(void);

#endif
