// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// An account over an allocator that watches, for tests of what uses memory.

#ifndef THRONG_TESTS_BASE_MEMORY_GEAR_H
#define THRONG_TESTS_BASE_MEMORY_GEAR_H

#include "base/memory.h"
#include "gear/allocators.h"

// End it with testAllocatorFinish(test). A limit of 0 is none.
static inline void beginTestMemory(thTestAllocator* test, thMemory* memory, size_t limit)
{
    testAllocatorInit(test);
    const thAllocator allocator = testAllocator(test);
    thiMemoryInit(memory, &allocator, limit);
}

#endif
