// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Accounts forward to the host's allocator; arrays and arenas take their memory from one.

#include "base/memory.h"

#include "throng/method.h"

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

thArray thiArray(thMemory* memory, int32_t itemSize)
{
    TH_ASSERT(itemSize > 0);
    return (thArray){.memory = memory, .itemSize = itemSize};
}

static size_t bytesOf(const thArray* array, int32_t count)
{
    return (size_t)count * (size_t)array->itemSize;
}

void thiArrayFree(thArray* array)
{
    thiRelease(array->memory, array->data, bytesOf(array, array->capacity));
    array->data = NULL;
    array->count = 0;
    array->capacity = 0;
}

thResult thiArrayReserve(thArray* array, int32_t capacity)
{
    if (capacity <= array->capacity)
        return th_resultOk;
    if ((size_t)capacity > SIZE_MAX / (size_t)array->itemSize) // where size_t has 32 bits
        return th_resultNoMemory;
    void* data = thiAllocate(array->memory, bytesOf(array, capacity));
    if (data == NULL)
        return th_resultNoMemory;
    if (array->count > 0)
        memcpy(data, array->data, bytesOf(array, array->count));
    thiRelease(array->memory, array->data, bytesOf(array, array->capacity));
    array->data = data;
    array->capacity = capacity;
    return th_resultOk;
}

thResult thiArrayReserveAmply(thArray* array, int64_t count)
{
    if (count <= array->capacity)
        return th_resultOk;
    const int64_t ample = count + count / 4 + 64;
    return ample > INT32_MAX ? th_resultNoMemory : thiArrayReserve(array, (int32_t)ample);
}

void* thiArrayAdd(thArray* array, int32_t count)
{
    TH_ASSERT(count >= 0);
    if (count > INT32_MAX - array->count)
        return NULL;
    const int32_t needed = array->count + count;
    if (needed > array->capacity || array->data == NULL) { // NULL would mean failure
        const int32_t half = array->capacity / 2;
        const int32_t grown =
            array->capacity > INT32_MAX - half ? INT32_MAX : array->capacity + half;
        const int32_t wanted = TH_MAX(TH_MAX(needed, grown), 8);
        if (thiArrayReserve(array, wanted) != th_resultOk &&
            thiArrayReserve(array, TH_MAX(needed, 1)) != th_resultOk)
            return NULL;
    }
    void* first = (char*)array->data + bytesOf(array, array->count);
    array->count = needed;
    return first;
}

struct thArenaBlock {
    thArenaBlock* next;
    size_t size; // of the payload, which follows after TH_ALIGNMENT bytes
};

_Static_assert(sizeof(thArenaBlock) <= TH_ALIGNMENT, "the header must fit before the payload");

#define FIRST_BLOCK ((size_t)16 * 1024)

void thiArenaInit(thArena* arena, thMemory* memory)
{
    *arena = (thArena){.memory = memory};
}

static void freeBlocks(thArena* arena)
{
    while (arena->block != NULL) {
        thArenaBlock* block = arena->block;
        arena->block = block->next;
        thiRelease(arena->memory, block, block->size + TH_ALIGNMENT);
    }
}

void thiArenaFree(thArena* arena)
{
    freeBlocks(arena);
    arena->used = 0;
    arena->total = 0;
}

static bool addBlock(thArena* arena, size_t size)
{
    thArenaBlock* block = thiAllocate(arena->memory, size + TH_ALIGNMENT);
    if (block == NULL)
        return false;
    block->next = arena->block;
    block->size = size;
    arena->block = block;
    arena->used = 0;
    return true;
}

void* thiArenaAllocate(thArena* arena, size_t size)
{
    if (size > SIZE_MAX / 4)
        return NULL;
    const size_t rounded =
        TH_MAX((size + TH_ALIGNMENT - 1) & ~(size_t)(TH_ALIGNMENT - 1), (size_t)TH_ALIGNMENT);
    if (arena->block == NULL || arena->block->size - arena->used < rounded) {
        const size_t doubled = arena->block == NULL ? FIRST_BLOCK : arena->block->size * 2;
        if (!addBlock(arena, TH_MAX(doubled, rounded)) && !addBlock(arena, rounded))
            return NULL;
    }
    char* payload = (char*)arena->block + TH_ALIGNMENT;
    void* result = payload + arena->used;
    arena->used += rounded;
    arena->total += rounded;
    return result;
}

void* thArena_Allocate(thArena* arena, size_t size)
{
    TH_REQUIRE(arena != NULL, NULL);
    return thiArenaAllocate(arena, size);
}

void thiArenaReset(thArena* arena)
{
    if (arena->block != NULL && arena->block->next != NULL) {
        freeBlocks(arena);
        // Half as much again, so that slowly growing work does not overflow each time. If there is
        // no memory at all the next allocation tries again.
        if (!addBlock(arena, (arena->total + arena->total / 2) & ~(size_t)(TH_ALIGNMENT - 1)))
            (void)addBlock(arena, arena->total);
    }
    arena->used = 0;
    arena->total = 0;
}
