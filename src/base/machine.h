// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What depends on the machine: clocks, the floating-point environment, and a lock that spins.

#ifndef THRONG_SRC_BASE_MACHINE_H
#define THRONG_SRC_BASE_MACHINE_H

#include <stdatomic.h>
#include <stdint.h>

// Time for measuring. Nothing that decides a result may read it.

// Nanoseconds since some moment in the past; never goes back.
int64_t thiNow(void);

// Nanoseconds of processor time this process has used, all threads together.
int64_t thiProcessTime(void);

// Sets IEEE's floating-point environment, and puts the host's back. Hosts and fast-math libraries
// change rounding and flush denormals to zero, and threads inherit it. Every task sets IEEE's
// defaults and puts the host's state back.

typedef struct thFpEnvironment {
    uint64_t control;
} thFpEnvironment;

// Round to nearest, denormals kept, all traps masked. Returns what was set before.
thFpEnvironment thiFpEnter(void);

void thiFpRestore(thFpEnvironment before);

// A lock for what hosts' threads may do at any time. Held for a few instructions only, so it spins:
// no operating system, no initialisation that can fail.

typedef struct thMutex {
    atomic_flag taken;
} thMutex;

static inline void thiLock(thMutex* mutex)
{
    while (atomic_flag_test_and_set_explicit(&mutex->taken, memory_order_acquire)) {
    }
}

static inline void thiUnlock(thMutex* mutex)
{
    atomic_flag_clear_explicit(&mutex->taken, memory_order_release);
}

#endif
