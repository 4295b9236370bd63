// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Key -> slot: a hash table with open addressing. The keys themselves stay where they are, in an
// array by slot; the table holds slots only.

#ifndef THRONG_SRC_SIM_KEY_MAP_H
#define THRONG_SRC_SIM_KEY_MAP_H

#include "base/memory.h"

typedef struct thKeyMap {
    thMemory* memory;
    int32_t* slots;   // -1: never used; a power of two of them
    int32_t capacity; // of the table
    int32_t count;
} thKeyMap;

static inline size_t thiKeyMapBytes(const thKeyMap* map)
{
    return (size_t)map->capacity * sizeof map->slots[0];
}

// Tells the key of a slot.
typedef uint64_t thKeyOfSlotFcn(const void* context, int32_t slot);

thKeyMap thiKeyMap(thMemory* memory);
void thiKeyMapFree(thKeyMap* map);
// Room for that many keys without allocating.
thResult thiKeyMapReserve(thKeyMap* map, int32_t count, thKeyOfSlotFcn* keyOf, const void* context);
// The slot of a key, -1 if there is none.
int32_t thiKeyMapFind(const thKeyMap* map, uint64_t key, thKeyOfSlotFcn* keyOf,
                      const void* context);
// The key must not be in the map, and there must be room.
void thiKeyMapAdd(thKeyMap* map, uint64_t key, int32_t slot);
// The key must be in the map. Later entries of its chain close up, so nothing is left behind.
void thiKeyMapRemove(thKeyMap* map, uint64_t key, thKeyOfSlotFcn* keyOf, const void* context);

#endif
