// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A lock for what hosts' threads may do at any time. Held for a few instructions only, so it spins:
// no operating system, no initialisation that can fail.

#ifndef THRONG_SRC_BASE_MUTEX_H
#define THRONG_SRC_BASE_MUTEX_H

#include <stdatomic.h>

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
