// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A few threads that run tasks. It offers the callbacks of thTaskHost, so that our own threads and
// a host's scheduler go the same way.

#ifndef THRONG_SRC_BASE_THREAD_POOL_H
#define THRONG_SRC_BASE_THREAD_POOL_H

#include "base/memory.h"
#include "throng/tasks.h"

typedef struct thThreadPool thThreadPool;

// At most this many tasks may be between enqueue and finish.
#define TH_POOL_SLOTS 64

// Starts `threadCount` threads (at least 1). th_resultUnavailable where there are no threads.
thResult thiCreateThreadPool(thMemory* memory, int32_t threadCount, thThreadPool** pool);
void thiDestroyThreadPool(thThreadPool* pool);

// The callbacks; the context is the pool.
thTaskHost thiThreadPoolHost(thThreadPool* pool);

#endif
