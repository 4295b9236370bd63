// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The default allocator, and the account that counts and limits what is held.

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static void* allocateFromLibc(void* context, size_t size, size_t alignment)
{
    (void)context;
    const size_t rounded = (size + alignment - 1) & ~(alignment - 1); // aligned_alloc demands it
    return rounded < size ? NULL : aligned_alloc(alignment, rounded);
}

static void releaseToLibc(void* context, void* memory, size_t size, size_t alignment)
{
    (void)context;
    (void)size;
    (void)alignment;
    free(memory);
}

thAllocator thDefaultAllocator(void)
{
    return (thAllocator){NULL, allocateFromLibc, releaseToLibc};
}

void thiMemoryInit(thMemory* memory, const thAllocator* allocator, size_t limit)
{
    const bool given = allocator != NULL && allocator->allocate != NULL;
    memory->allocator = given ? *allocator : thDefaultAllocator();
    memory->limit = limit;
    atomic_init(&memory->bytes, 0);
    atomic_init(&memory->plans, 0);
    atomic_init(&memory->peak, 0);
    atomic_init(&memory->calls, 0);
}

// Enters bytes into the account and returns what it holds then, 0 if they do not fit. What does
// not fit is never entered, or it would make smaller allocations of other threads fail.
static size_t charge(thMemory* memory, size_t size)
{
    const size_t limit = memory->limit != 0 ? memory->limit : SIZE_MAX;
    size_t before = atomic_load(&memory->bytes);
    do {
        if (size > limit || before > limit - size)
            return 0;
    } while (!atomic_compare_exchange_weak(&memory->bytes, &before, before + size));
    return before + size;
}

void* thiAllocate(thMemory* memory, size_t size)
{
    const size_t now = size != 0 ? charge(memory, size) : 0;
    if (now == 0)
        return NULL;
    void* block = memory->allocator.allocate(memory->allocator.context, size, TH_ALIGNMENT);
    if (block == NULL) {
        atomic_fetch_sub(&memory->bytes, size);
        return NULL;
    }
    atomic_fetch_add(&memory->calls, 1);
    size_t peak = atomic_load(&memory->peak);
    while (now > peak && !atomic_compare_exchange_weak(&memory->peak, &peak, now)) {
    }
    return block;
}

void* thiAllocateZero(thMemory* memory, size_t size)
{
    void* block = thiAllocate(memory, size);
    if (block != NULL)
        memset(block, 0, size);
    return block;
}

void thiRelease(thMemory* memory, void* block, size_t size)
{
    if (block == NULL)
        return;
    memory->allocator.release(memory->allocator.context, block, size, TH_ALIGNMENT);
    atomic_fetch_sub(&memory->bytes, size);
}
