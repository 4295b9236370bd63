// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Scratch memory that is given back all at once. After a few rounds of the same work an arena owns
// one block that holds a whole round, and allocates no more.

#ifndef THRONG_SRC_BASE_ARENA_H
#define THRONG_SRC_BASE_ARENA_H

#include "base/memory.h"

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
