// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A list of free slots through the slots themselves, oldest first.

#include "base/id_pool.h"

thIdPool thiIdPool(thMemory* memory)
{
    return (thIdPool){.generations = thiArray(memory, sizeof(uint32_t)),
                      .nextFree = thiArray(memory, sizeof(int32_t)),
                      .firstFree = -1,
                      .lastFree = -1};
}

void thiIdPoolFree(thIdPool* pool)
{
    thiArrayFree(&pool->generations);
    thiArrayFree(&pool->nextFree);
    pool->firstFree = -1;
    pool->lastFree = -1;
    pool->used = 0;
}

int64_t thiIdPoolSlotsFor(const thIdPool* pool, int32_t count)
{
    // Slots whose generations are used up are neither live nor free, so free ones are counted: only
    // as many as are needed.
    int64_t missing = (int64_t)count - pool->used;
    for (int32_t slot = pool->firstFree; slot >= 0 && missing > 0; --missing)
        slot = TH_ITEMS(pool->nextFree, int32_t)[slot];
    return pool->generations.count + TH_MAX(missing, 0);
}

thResult thiIdPoolReserve(thIdPool* pool, int32_t count)
{
    const int64_t slotCount = thiIdPoolSlotsFor(pool, count);
    if (slotCount > INT32_MAX)
        return th_resultNoMemory;
    TH_TRY(thiArrayReserve(&pool->generations, (int32_t)slotCount));
    return thiArrayReserve(&pool->nextFree, (int32_t)slotCount);
}

static int32_t addSlot(thIdPool* pool)
{
    uint32_t* generation = thiArrayAdd(&pool->generations, 1);
    if (generation == NULL)
        return -1;
    int32_t* next = thiArrayAdd(&pool->nextFree, 1);
    if (next == NULL) {
        pool->generations.count -= 1;
        return -1;
    }
    *generation = 0;
    *next = -1;
    return pool->generations.count - 1;
}

uint64_t thiIdPoolTake(thIdPool* pool)
{
    int32_t slot = pool->firstFree;
    if (slot >= 0) {
        pool->firstFree = TH_ITEMS(pool->nextFree, int32_t)[slot];
        if (pool->firstFree < 0)
            pool->lastFree = -1;
    } else {
        slot = addSlot(pool);
        if (slot < 0)
            return 0;
    }
    TH_ITEMS(pool->generations, uint32_t)[slot] += 1;
    pool->used += 1;
    return thiIdPoolIdOf(pool, slot);
}

int32_t thiIdPoolFind(const thIdPool* pool, uint64_t id)
{
    const uint32_t index1 = (uint32_t)id;
    const uint32_t generation = (uint32_t)(id >> 32);
    if (index1 == 0 || index1 > (uint32_t)pool->generations.count)
        return -1;
    const int32_t slot = (int32_t)(index1 - 1);
    const bool live = TH_ITEMS(pool->generations, uint32_t)[slot] == generation;
    return live && (generation & 1) != 0 ? slot : -1;
}

void thiIdPoolGiveBack(thIdPool* pool, uint64_t id)
{
    const int32_t slot = thiIdPoolFind(pool, id);
    TH_ASSERT(slot >= 0);
    if (slot < 0)
        return;
    pool->used -= 1;
    uint32_t* generation = &TH_ITEMS(pool->generations, uint32_t)[slot];
    *generation += 1;
    if (*generation == 0) // after 2^31 lives the next id would equal an old one
        return;
    int32_t* next = TH_ITEMS(pool->nextFree, int32_t);
    next[slot] = -1;
    if (pool->lastFree >= 0)
        next[pool->lastFree] = slot;
    else
        pool->firstFree = slot;
    pool->lastFree = slot;
}

uint64_t thiIdPoolIdOf(const thIdPool* pool, int32_t slot)
{
    const uint32_t generation = TH_ITEMS(pool->generations, uint32_t)[slot];
    return (generation & 1) != 0 ? (uint64_t)generation << 32 | ((uint64_t)slot + 1) : 0;
}
