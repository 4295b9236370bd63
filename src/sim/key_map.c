// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The hash table from keys to slots: linear probing, and chains that close up when a key goes.

#include "sim/key_map.h"

#include "base/hash.h"

// The table is at most half full, so chains stay short and a free place always ends them.
#define FIRST_CAPACITY 16

thKeyMap thiKeyMap(thMemory* memory)
{
    return (thKeyMap){.memory = memory};
}

void thiKeyMapFree(thKeyMap* map)
{
    thiRelease(map->memory, map->slots, thiKeyMapBytes(map));
    *map = thiKeyMap(map->memory);
}

static int32_t homeOf(const thKeyMap* map, uint64_t key)
{
    return (int32_t)(thiMix(key) & (uint64_t)(map->capacity - 1));
}

static int32_t after(const thKeyMap* map, int32_t place)
{
    return (place + 1) & (map->capacity - 1);
}

thResult thiKeyMapReserve(thKeyMap* map, int32_t count, thKeyOfSlotFcn* keyOf, const void* context)
{
    if (count <= map->capacity / 2)
        return th_resultOk;
    if (count > INT32_MAX / 4)
        return th_resultNoMemory;
    thKeyMap grown = {.memory = map->memory, .capacity = FIRST_CAPACITY};
    while (grown.capacity / 2 < count)
        grown.capacity *= 2;
    const size_t size = (size_t)grown.capacity * sizeof grown.slots[0];
    grown.slots = thiAllocate(map->memory, size);
    if (grown.slots == NULL)
        return th_resultNoMemory;
    memset(grown.slots, 0xff, size);
    for (int32_t place = 0; place < map->capacity; ++place)
        if (map->slots[place] >= 0)
            thiKeyMapAdd(&grown, keyOf(context, map->slots[place]), map->slots[place]);
    thiKeyMapFree(map);
    *map = grown;
    return th_resultOk;
}

// Where a key is, or the free place that ends its chain.
static int32_t placeOf(const thKeyMap* map, uint64_t key, thKeyOfSlotFcn* keyOf,
                       const void* context)
{
    int32_t place = homeOf(map, key);
    while (map->slots[place] >= 0 && keyOf(context, map->slots[place]) != key)
        place = after(map, place);
    return place;
}

int32_t thiKeyMapFind(const thKeyMap* map, uint64_t key, thKeyOfSlotFcn* keyOf, const void* context)
{
    return map->count > 0 ? map->slots[placeOf(map, key, keyOf, context)] : -1;
}

void thiKeyMapAdd(thKeyMap* map, uint64_t key, int32_t slot)
{
    TH_ASSERT(slot >= 0 && map->count < map->capacity / 2);
    int32_t place = homeOf(map, key);
    while (map->slots[place] >= 0)
        place = after(map, place);
    map->slots[place] = slot;
    map->count += 1;
}

void thiKeyMapRemove(thKeyMap* map, uint64_t key, thKeyOfSlotFcn* keyOf, const void* context)
{
    int32_t hole = placeOf(map, key, keyOf, context);
    TH_ASSERT(map->slots[hole] >= 0);
    // An entry may fill the hole unless its home lies behind the hole: a search for it would then
    // begin too late.
    for (int32_t place = after(map, hole); map->slots[place] >= 0; place = after(map, place)) {
        const int32_t home = homeOf(map, keyOf(context, map->slots[place]));
        const int32_t wrap = map->capacity - 1;
        if (((place - home) & wrap) >= ((place - hole) & wrap)) {
            map->slots[hole] = map->slots[place];
            hole = place;
        }
    }
    map->slots[hole] = -1;
    map->count -= 1;
}
