// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "measure/pair_set.h"

#include "base/hash.h"

#include <stdlib.h>

thPairSet thiPairSet(thMemory* memory, int32_t limit)
{
    return (thPairSet){
        .pairs = thiArray(memory, sizeof(uint64_t)), .map = thiKeyMap(memory), .limit = limit};
}

void thiPairSetFree(thPairSet* set)
{
    thiArrayFree(&set->pairs);
    thiKeyMapFree(&set->map);
}

uint64_t thiPairHash(uint64_t keyA, uint64_t keyB)
{
    return thiHashWord(thiHashWord(0, TH_MIN(keyA, keyB)), TH_MAX(keyA, keyB));
}

static uint64_t pairAt(const void* set, int32_t index)
{
    return TH_ITEMS(((const thPairSet*)set)->pairs, uint64_t)[index];
}

bool thiPairSetHas(const thPairSet* set, uint64_t pair)
{
    return thiKeyMapFind(&set->map, pair, pairAt, set) >= 0;
}

int32_t thiPairSetCount(const thPairSet* set)
{
    return set->exceeded ? set->limit : set->pairs.count;
}

int32_t thiPairSetWants(const thPairSet* set)
{
    return set->exceeded ? 0 : set->limit - set->pairs.count + 1;
}

thResult thiPairSetReserve(thPairSet* set, int64_t more)
{
    if (more == 0 || more >= thiPairSetWants(set))
        return th_resultOk; // nothing to add, or the set is given up
    const int32_t count = set->pairs.count + (int32_t)more;
    // Growing by half keeps the cost of adding in proportion to the number of pairs.
    if (count > set->pairs.capacity)
        TH_TRY(thiArrayReserve(&set->pairs, TH_MIN(count + count / 2 + 16, set->limit)));
    return thiKeyMapReserve(&set->map, count, pairAt, set);
}

static int ascending(const void* left, const void* right)
{
    const uint64_t a = *(const uint64_t*)left, b = *(const uint64_t*)right;
    return (a > b) - (a < b);
}

void thiPairSetAdd(thPairSet* set, uint64_t* pairs, int32_t count)
{
    if (count == 0)
        return;
    if (count >= thiPairSetWants(set)) {
        thiPairSetFree(set);
        set->exceeded = true;
        return;
    }
    qsort(pairs, (size_t)count, sizeof *pairs, ascending);
    const int32_t first = set->pairs.count;
    memcpy(thiArrayAdd(&set->pairs, count), pairs, (size_t)count * sizeof *pairs);
    for (int32_t i = 0; i < count; ++i)
        thiKeyMapAdd(&set->map, pairs[i], first + i);
}
