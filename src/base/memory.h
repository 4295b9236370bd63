// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Memory with an account that counts bytes and enforces a limit. Every allocation of an object tree
// goes through one thMemory, which forwards to the host's allocator.

#ifndef THRONG_SRC_BASE_MEMORY_H
#define THRONG_SRC_BASE_MEMORY_H

#include "base/core.h"

#include <stdatomic.h>

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

#endif
