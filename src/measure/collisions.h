// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Finds the pairs of agents that overlap. It looks at every agent where it is now, with distances
// in whole units, and shares no code with the contacts that keep agents apart.

#ifndef THRONG_SRC_MEASURE_COLLISIONS_H
#define THRONG_SRC_MEASURE_COLLISIONS_H

#include "measure/pair_set.h"
#include "sim/world_internal.h"

// Pairs deeper than this share of the sum of their radii are counted.
#define TH_COUNTED_DEPTH 0.01

typedef struct thCollisions {
    thMemory* memory;
    thArray workers; // one per worker of the world's tasks
    thGrid grid;     // used when the world's own is out of date
    thRows rows;     // likewise
    thPairSet seen;  // all pairs so far

    // What the last search found.
    int64_t pairs;
    double maxDepth; // also of pairs that are not counted
    int32_t freshCount;
} thCollisions;

// Leaves something that can be freed, whatever it returns.
thResult thiCollisionsInit(thCollisions* collisions, thMemory* memory, int32_t workerCount,
                           int32_t maxPairs);
void thiCollisionsFree(thCollisions* collisions);

// Searches the world's agents. Nothing is added to `seen` yet, but there is room.
thResult thiFindCollisions(thCollisions* collisions, const thWorld* world);

// Adds the pairs of the last search that were not in `seen`.
void thiKeepCollisions(thCollisions* collisions);

#endif
