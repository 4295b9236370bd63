// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "base/tasks.h"

#include "base/fp_environment.h"
#include "base/thread_pool.h"

struct thTasks {
    thMemory* memory;
    thMemory own; // used when created without an owner
    thTaskHost host;
    int32_t workerCount;
    thThreadPool* pool; // NULL when inline or when the host has a scheduler
};

// One loop and those who work on it. Workers take the next range by a counter, so that a slow
// range does not hold up the rest.
typedef struct Loop {
    thRangeFcn* function;
    void* context;
    int32_t count;
    int32_t grain;
    int32_t rangeCount;
    _Alignas(TH_ALIGNMENT) _Atomic int64_t next; // passes rangeCount by up to a count per worker
} Loop;

typedef struct Runner {
    Loop* loop;
    int32_t worker;
} Runner;

static void runLoop(void* task)
{
    const Runner* runner = task;
    Loop* loop = runner->loop;
    const thFpEnvironment hostEnvironment = thiFpEnter();
    for (;;) {
        const int64_t range = atomic_fetch_add_explicit(&loop->next, 1, memory_order_relaxed);
        if (range >= loop->rangeCount)
            break;
        const int32_t begin = (int32_t)range * loop->grain;
        const int32_t left = loop->count - begin;
        loop->function(loop->context, begin, begin + TH_MIN(left, loop->grain), runner->worker);
    }
    thiFpRestore(hostEnvironment);
}

void thTasks_ParallelFor(const thTasks* tasks, int32_t count, int32_t grain, thRangeFcn* function,
                         void* context)
{
    TH_REQUIRE_VOID(tasks != NULL && function != NULL && grain > 0);
    if (count <= 0)
        return;
    const int32_t rangeCount = (count - 1) / grain + 1;
    Loop loop = {function, context, count, grain, rangeCount, 0};
    const int32_t runnerCount = TH_MIN(tasks->workerCount, rangeCount);
    Runner runners[TH_MAX_WORKERS];
    void* handles[TH_MAX_WORKERS];
    for (int32_t i = 1; i < runnerCount; ++i) {
        runners[i] = (Runner){&loop, i};
        handles[i] = tasks->host.enqueue(tasks->host.context, runLoop, &runners[i]);
    }
    runners[0] = (Runner){&loop, 0};
    runLoop(&runners[0]);
    for (int32_t i = 1; i < runnerCount; ++i)
        if (handles[i] != NULL)
            tasks->host.finish(tasks->host.context, handles[i]);
}

int32_t thTasks_GetWorkerCount(const thTasks* tasks)
{
    TH_REQUIRE(tasks != NULL, 1);
    return tasks->workerCount;
}

thTasksDef thDefaultTasksDef(void)
{
    return (thTasksDef){.size = sizeof(thTasksDef), .allocator = thDefaultAllocator()};
}

static thResult setUp(thTasks* tasks, const thTasksDef* def)
{
    tasks->workerCount = TH_MAX(def->workerCount, 1);
    tasks->host = def->host;
    if (tasks->workerCount == 1 || def->host.enqueue != NULL)
        return th_resultOk;
    TH_TRY(thiCreateThreadPool(tasks->memory, tasks->workerCount - 1, &tasks->pool));
    tasks->host = thiThreadPoolHost(tasks->pool);
    return th_resultOk;
}

// Without an owner the tasks carry their own account.
static thResult create(thMemory* owner, const thTasksDef* given, thTasks** result)
{
    TH_REQUIRE(result != NULL, th_resultBadArgument);
    *result = NULL;
    thTasksDef def = thDefaultTasksDef();
    TH_REQUIRE(thiReadDef(&def, given, sizeof def, sizeof def), th_resultBadArgument);
    TH_REQUIRE(def.workerCount >= 0 && def.workerCount <= TH_MAX_WORKERS, th_resultBadArgument);
    TH_REQUIRE((def.host.enqueue == NULL) == (def.host.finish == NULL), th_resultBadArgument);
    TH_REQUIRE((def.allocator.allocate == NULL) == (def.allocator.release == NULL),
               th_resultBadArgument);
    thMemory own;
    thiMemoryInit(&own, &def.allocator, 0);
    thTasks* tasks = thiAllocateZero(owner != NULL ? owner : &own, sizeof *tasks);
    if (tasks == NULL)
        return th_resultNoMemory;
    thiMemoryInit(&tasks->own, &def.allocator, 0);
    tasks->memory = owner != NULL ? owner : &tasks->own;
    const thResult code = setUp(tasks, &def);
    if (code != th_resultOk) {
        thDestroyTasks(tasks);
        return code;
    }
    *result = tasks;
    return th_resultOk;
}

thResult thiCreateTasks(thMemory* memory, const thTasksDef* def, thTasks** tasks)
{
    return create(memory, def, tasks);
}

thResult thCreateTasks(const thTasksDef* def, thTasks** tasks)
{
    return create(NULL, def, tasks);
}

void thDestroyTasks(thTasks* tasks)
{
    if (tasks == NULL)
        return;
    thiDestroyThreadPool(tasks->pool);
    if (tasks->memory == &tasks->own) {
        const thAllocator allocator = tasks->own.allocator;
        allocator.release(allocator.context, tasks, sizeof *tasks, TH_ALIGNMENT);
    } else {
        thiRelease(tasks->memory, tasks, sizeof *tasks);
    }
}
