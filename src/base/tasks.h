// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Loops over workers: the scheduler, on threads of its own or through a host's callbacks.

#ifndef THRONG_SRC_BASE_TASKS_H
#define THRONG_SRC_BASE_TASKS_H

#include "base/memory.h"
#include "throng/tasks.h"

#define TH_MAX_WORKERS 64

// With the memory account of its owner: `def->allocator` is not used; `memory` is charged and must
// outlive the tasks.
thResult thiCreateTasks(thMemory* memory, const thTasksDef* def, thTasks** tasks);

// A few threads that run tasks.
typedef struct thThreadPool thThreadPool;

// At most this many tasks may be between enqueue and finish.
#define TH_POOL_SLOTS 64

// Starts `threadCount` threads (at least 1). th_resultUnavailable where there are no threads.
thResult thiCreateThreadPool(thMemory* memory, int32_t threadCount, thThreadPool** pool);
void thiDestroyThreadPool(thThreadPool* pool);

// The callbacks; the context is the pool.
thTaskHost thiThreadPoolHost(thThreadPool* pool);

#endif
