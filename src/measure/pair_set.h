// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Different pairs of agents, up to a limit. A pair is told by a 64-bit hash of its keys: that two
// of a million pairs share one happens in one of 10⁷ runs.

#ifndef THRONG_SRC_MEASURE_PAIR_SET_H
#define THRONG_SRC_MEASURE_PAIR_SET_H

#include "base/array.h"
#include "sim/key_map.h"

typedef struct thPairSet {
    thArray pairs; // uint64_t: the order is that of steps, then of hashes
    thKeyMap map;  // hash -> index in `pairs`
    int32_t limit;
    bool exceeded; // there were more than `limit`; which ones is forgotten
} thPairSet;

thPairSet thiPairSet(thMemory* memory, int32_t limit);
void thiPairSetFree(thPairSet* set);

// The same for (a, b) and (b, a).
uint64_t thiPairHash(uint64_t keyA, uint64_t keyB);

bool thiPairSetHas(const thPairSet* set, uint64_t pair);

// How many different pairs there were, at most `limit`.
int32_t thiPairSetCount(const thPairSet* set);

// How many new pairs are worth finding: one more than there is room for, 0 when the limit has been
// exceeded.
int32_t thiPairSetWants(const thPairSet* set);

// Room for that many more, as far as they are wanted.
thResult thiPairSetReserve(thPairSet* set, int64_t more);

// Adds pairs that are not in the set, and sorts them before. There must be room.
void thiPairSetAdd(thPairSet* set, uint64_t* pairs, int32_t count);

#endif
