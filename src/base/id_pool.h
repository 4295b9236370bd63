// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Ids that are recognised when stale: an id names a slot and the generation it had when it was
// made. Free slots are reused oldest first, which keeps generations low.
//
//     id = generation << 32 | (slot + 1)          zero is the null id

#ifndef THRONG_SRC_BASE_ID_POOL_H
#define THRONG_SRC_BASE_ID_POOL_H

#include "base/memory.h"

typedef struct thIdPool {
    thArray generations; // uint32_t per slot; odd while the slot is in use
    thArray nextFree;    // int32_t per slot: the free slot after this one, -1 at the end
    int32_t firstFree;   // the oldest free slot, -1 if there is none
    int32_t lastFree;
    int32_t used;
} thIdPool;

thIdPool thiIdPool(thMemory* memory);
void thiIdPoolFree(thIdPool* pool);

// How many slots there are when `count` ids are live at once.
int64_t thiIdPoolSlotsFor(const thIdPool* pool, int32_t count);

// Makes room so that `count` ids can be live at once without allocating.
thResult thiIdPoolReserve(thIdPool* pool, int32_t count);

// Takes a slot; 0 when memory is out.
uint64_t thiIdPoolTake(thIdPool* pool);

// The slot of a live id, -1 for null, stale and foreign ids.
int32_t thiIdPoolFind(const thIdPool* pool, uint64_t id);

// Gives a live id's slot back. A slot whose generations are used up is never taken again.
void thiIdPoolGiveBack(thIdPool* pool, uint64_t id);

// The id of a slot that is in use, 0 for a free one.
uint64_t thiIdPoolIdOf(const thIdPool* pool, int32_t slot);

// What it holds.
static inline size_t thiIdPoolBytes(const thIdPool* pool)
{
    return thiArrayBytes(&pool->generations) + thiArrayBytes(&pool->nextFree);
}

// Slots that exist, used or free; live slots are below this number.
static inline int32_t thiIdPoolSlotCount(const thIdPool* pool)
{
    return pool->generations.count;
}

#endif
