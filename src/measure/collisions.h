// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Finds the pairs of agents that overlap, and keeps the different ones. It looks at every agent
// where it is now, with distances in whole units, and shares no code with the contacts that keep
// agents apart.

#ifndef THRONG_SRC_MEASURE_COLLISIONS_H
#define THRONG_SRC_MEASURE_COLLISIONS_H

#include "sim/key_map.h"
#include "sim/world_internal.h"
#include "simd/dispatch.h"

// Different pairs of agents, up to a limit. A pair is told by a 64-bit hash of its keys: that two
// of a million pairs share one happens in one of 10⁷ runs.
typedef struct thPairSet {
    thArray pairs; // uint64_t: the order is that of steps, then of hashes
    thKeyMap map;  // hash -> index in `pairs`
    int32_t limit;
    bool exceeded; // there were more than `limit`; which ones is forgotten
} thPairSet;

thPairSet thiPairSet(thMemory* memory, int32_t limit);
void thiPairSetFree(thPairSet* set);

// How many different pairs there were, at most `limit`.
int32_t thiPairSetCount(const thPairSet* set);

// Room for that many more, as far as they are wanted.
thResult thiPairSetReserve(thPairSet* set, int64_t more);

// Adds pairs that are not in the set, and sorts them before. There must be room.
void thiPairSetAdd(thPairSet* set, uint64_t* pairs, int32_t count);

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

// Which of `count` rows from `first` on overlap somebody of the rows from `begin` to `end` − 1, as
// bits; not less than there are. Behind the last rows there must be inert ones. [count: 1 .. 32]
typedef struct thCollidingTask {
    const thRows* rows;
    int32_t first, count;
    int32_t begin, end;
} thCollidingTask;
typedef uint32_t thFindCollidingFcn(const thCollidingTask* task);
TH_KERNEL_DECLARE(thiFindColliding, uint32_t, (const thCollidingTask* task));

// More than floats lose in a distance.
#define TH_COLLIDING_MARGIN 1.00001f

// Leaves something that can be freed, whatever it returns.
thResult thiCollisionsInit(thCollisions* collisions, thMemory* memory, int32_t workerCount,
                           int32_t maxPairs);
void thiCollisionsFree(thCollisions* collisions);

// Searches the world's agents. Nothing is added to `seen` yet, but there is room.
thResult thiFindCollisions(thCollisions* collisions, const thWorld* world);

// Adds the pairs of the last search that were not in `seen`.
void thiKeepCollisions(thCollisions* collisions);

#endif
