// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

/// @file
/// Work on several threads. The library brings a small pool; an engine with a scheduler of its own
/// passes two callbacks instead. Results never depend on which worker did what.

#ifndef THRONG_TASKS_H
#define THRONG_TASKS_H

#include "throng/base.h"

/// A piece of work a host's scheduler runs once, on any thread.
typedef void thTaskFcn(void* task);

/// A host's scheduler. Tasks do not wait for each other and never enqueue further ones.
typedef struct thTaskHost {
    /// Passed back to both functions.
    void* context;
    /// Runs `function(task)` some time before `finish` returns. What it returns is handed to
    /// `finish`; NULL means that the task has been run already.
    void* (*enqueue)(void* context, thTaskFcn* function, void* task);
    /// Returns when the task behind `handle` is done.
    void (*finish)(void* context, void* handle);
} thTaskHost;

/// Schedules loops over the workers of a world, or of `thCreateTasks`.
typedef struct thTasks thTasks;

/// How `thCreateTasks` builds a scheduler.
typedef struct thTasksDef {
    /// Size of this struct, for binary compatibility. [bytes, set by thDefaultTasksDef]
    uint32_t size;
    /// How many threads may work at once, the calling one included; 0 and 1 run everything on the
    /// calling thread. [0 .. 64, default 0]
    int32_t workerCount;
    /// The host's scheduler. [default all NULL: a pool of threads is started]
    thTaskHost host;
    /// Where memory comes from. [default thDefaultAllocator()]
    thAllocator allocator;
} thTasksDef;

/// A definition with every field at its default.
THRONG_API thTasksDef thDefaultTasksDef(void);

/// Creates a scheduler for use outside a world. `*tasks` is NULL when it fails; a library built
/// without threads answers th_resultUnavailable to more than one worker without a host.
THRONG_API thResult thCreateTasks(const thTasksDef* def, thTasks** tasks);

/// Ends the threads and frees the scheduler. NULL is allowed.
THRONG_API void thDestroyTasks(thTasks* tasks);

/// How many workers there are, at least 1. Worker indices are below this number.
THRONG_API int32_t thTasks_GetWorkerCount(const thTasks* tasks);

/// Does the items `begin` to `end` − 1. No two calls that run at the same time have the same
/// `worker`: use it to pick scratch memory, never to decide a result.
typedef void thRangeFcn(void* context, int32_t begin, int32_t end, int32_t worker);

/// Calls `function` for all of 0 .. `count` − 1 in ranges of at most `grain` items, and returns
/// when all are done. Ranges start at multiples of `grain` whatever the number of workers.
/// Each range runs with IEEE's default floating-point environment (round to nearest, denormals
/// kept, no traps); the host's environment is restored afterwards. Loops do not nest, and one
/// scheduler serves one calling thread at a time.
THRONG_API void thTasks_ParallelFor(const thTasks* tasks, int32_t count, int32_t grain,
                                    thRangeFcn* function, void* context);

#endif
