// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The front of a wave, as a heap: an item is a length, whose bits are in the order of the lengths
// since none is negative, and a node, which decides ties. Four children each: fewer levels than
// with two, in cache lines.

#include "plan/field/front.h"

thResult thiFrontPush(thArray* heap, float left, int32_t node)
{
    if (thiArrayAdd(heap, 1) == NULL)
        return th_resultNoMemory;
    const uint64_t item = (uint64_t)thiFloatBits(left) << 32 | (uint32_t)node;
    uint64_t* items = heap->data;
    int32_t at = heap->count - 1;
    while (at > 0 && item < items[(at - 1) / 4]) {
        items[at] = items[(at - 1) / 4];
        at = (at - 1) / 4;
    }
    items[at] = item;
    return th_resultOk;
}

static int32_t leastChild(const uint64_t* items, int32_t count, int32_t at)
{
    const int32_t first = 4 * at + 1, end = TH_MIN(first + 4, count);
    int32_t least = first;
    for (int32_t child = first + 1; child < end; ++child)
        least = items[child] < items[least] ? child : least;
    return least;
}

uint64_t thiFrontPop(thArray* heap)
{
    uint64_t* items = heap->data;
    const uint64_t top = items[0], last = items[--heap->count];
    int32_t at = 0;
    while (4 * at + 1 < heap->count) {
        const int32_t child = leastChild(items, heap->count, at);
        if (last <= items[child])
            break;
        items[at] = items[child];
        at = child;
    }
    items[at] = last;
    return top;
}
