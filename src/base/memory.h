// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Memory: accounts that count and limit it, arrays that grow, and arenas for scratch memory.

#ifndef THRONG_SRC_BASE_MEMORY_H
#define THRONG_SRC_BASE_MEMORY_H

#include "base/core.h"

#include <stdatomic.h>

// Memory with an account that counts bytes and enforces a limit. Every allocation of an object tree
// goes through one thMemory, which forwards to the host's allocator.

// Everything we allocate starts on a cache line, which is also the widest vector.
#define TH_ALIGNMENT 64

typedef struct thMemory {
    thAllocator allocator;
    size_t limit;           // bytes; 0 means none
    _Atomic size_t bytes;   // held now
    _Atomic size_t plans;   // of these, held by planners
    _Atomic size_t peak;    // held at most so far
    _Atomic uint64_t calls; // allocations so far: a warm step must not change it
} thMemory;

// An allocator with a NULL `allocate` stands for the default one.
void thiMemoryInit(thMemory* memory, const thAllocator* allocator, size_t limit);

// NULL when size is 0, when the limit would be passed, or when the host has none. Not cleared.
void* thiAllocate(thMemory* memory, size_t size);

// The same, filled with zero bytes.
void* thiAllocateZero(thMemory* memory, size_t size);

// `size` is what was asked for; NULL is allowed.
void thiRelease(thMemory* memory, void* block, size_t size);

// A growing array of items of one size. The item type is the caller's business:
//
//     thArray numbers = thiArray(memory, sizeof(int32_t));
//     int32_t* item = thiArrayAdd(&numbers, 1);      // NULL when memory is out, array unchanged
//     TH_ITEMS(numbers, int32_t)[0] = 7;

typedef struct thArray {
    thMemory* memory;
    void* data;
    int32_t itemSize;
    int32_t count;
    int32_t capacity;
} thArray;

// What it holds.
static inline size_t thiArrayBytes(const thArray* array)
{
    return (size_t)array->capacity * (size_t)array->itemSize;
}

#define TH_ITEMS(array, type) ((type*)(array).data)

thArray thiArray(thMemory* memory, int32_t itemSize);
void thiArrayFree(thArray* array);

// Room for at least `capacity` items; th_resultNoMemory leaves the array as it was.
thResult thiArrayReserve(thArray* array, int32_t capacity);

// The same with room to spare: for sizes that vary from step to step, where a warm step must not
// allocate.
thResult thiArrayReserveAmply(thArray* array, int64_t count);

// Adds `count` items at the end, with undefined content, and returns the first of them.
void* thiArrayAdd(thArray* array, int32_t count);

// Scratch memory that is given back all at once. After a few rounds of the same work an arena owns
// one block that holds a whole round, and allocates no more.

typedef struct thArenaBlock thArenaBlock;

typedef struct thArena {
    thMemory* memory;
    thArenaBlock* block; // newest first
    size_t used;         // in the newest block
    size_t total;        // handed out since the last reset, all blocks
} thArena;

void thiArenaInit(thArena* arena, thMemory* memory);
void thiArenaFree(thArena* arena);

// Memory aligned to TH_ALIGNMENT with undefined content, or NULL when there is none.
void* thiArenaAllocate(thArena* arena, size_t size);

// Takes everything back. If several blocks were needed they become one that holds as much, and half
// as much again where memory allows.
void thiArenaReset(thArena* arena);

// A place to go back to, so that memory is used again while it is in the cache.
typedef struct thArenaPlace {
    const thArenaBlock* block;
    size_t used;
} thArenaPlace;

static inline thArenaPlace thiArenaPlace(const thArena* arena)
{
    return (thArenaPlace){arena->block, arena->used};
}

// Takes back what was allocated since that place, unless a block was added since: then it waits for
// the reset.
static inline void thiArenaRewind(thArena* arena, thArenaPlace place)
{
    if (arena->block != place.block)
        return;
    arena->total -= arena->used - place.used;
    arena->used = place.used;
}

#endif
