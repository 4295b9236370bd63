// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// An allocator that watches its callers: it counts, fills fresh memory with 0xCD, notices wrong
// releases and leaks, and can be told to fail. Several threads may use it at once.

#ifndef THRONG_TESTS_GEAR_ALLOCATORS_H
#define THRONG_TESTS_GEAR_ALLOCATORS_H

#include "throng/base.h"

#include <stdatomic.h>

typedef struct thTestBlock thTestBlock;

typedef struct thTestAllocator {
    int64_t liveBlocks;
    int64_t liveBytes;
    int64_t calls;       // to allocate, failed ones included
    int64_t failures;    // of these, how many failed because of the two fields below
    int64_t failAt;      // the call that fails: 1 is the first, 0 is none
    int64_t failFrom;    // this call and all later ones fail, 0 is none
    char problem[128];   // the first misuse, empty if there was none
    thTestBlock* blocks; // the live ones
    int64_t blockRoom;   // how many `blocks` holds
    atomic_flag lock;
} thTestAllocator;

void testAllocatorInit(thTestAllocator* test);

// The view the library gets. Sizes above 1 GiB are refused: sanitizers would end the program.
thAllocator testAllocator(thTestAllocator* test);

// The first misuse, or that memory is still live; NULL if all is well.
const char* testAllocatorProblem(thTestAllocator* test);

// Frees whatever is still live. For tests that leak on purpose.
void testAllocatorFree(thTestAllocator* test);

// Ends the use of an allocator: the same, but the test fails if there was a problem.
void testAllocatorFinish(thTestAllocator* test);

// Does something with memory from `allocator` only, and gives all of it back whatever happens.
typedef thResult thScenarioFcn(const thAllocator* allocator, void* context);

// Runs a scenario with its n-th allocation failing, for n = 1, 2, 3 ... until none fails: once
// with that one failure, which code may recover from by asking for less, and once with all later
// allocations failing too. The test fails if one run leaks or ends in anything but th_resultOk or
// th_resultNoMemory, or if the last one, where nothing failed, is not th_resultOk. Returns how
// many allocations the scenario makes.
int64_t failEachAllocation(thScenarioFcn* scenario, void* context);

#endif
