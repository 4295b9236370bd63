// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Blocks of scratch memory, each twice as large as the one before; a reset makes one block of them.

#include "base/arena.h"

#include "throng/method.h"

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
