// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The scheduler: loops whose ranges are taken by workers, and threads of our own that run them. A
// host's scheduler and our threads go the same way, through the callbacks of thTaskHost.

#define _POSIX_C_SOURCE 200809L

#include "base/tasks.h"

#include "base/machine.h"

#if THRONG_THREADS
#include <pthread.h>
#include <sched.h>
#include <signal.h>

//  A slot's life; the release store of each state publishes what was written before it:
//
//      free --enqueue--> pending --a thread, or finish itself--> running --> done --finish--> free
//
//  Threads look for pending slots for a short while before they sleep: loops of one step follow
//  each other within microseconds, and waking a thread costs more than that.

enum { slotFree, slotPending, slotRunning, slotDone };

typedef struct Slot {
    _Alignas(TH_ALIGNMENT) _Atomic int32_t state;
    thTaskFcn* function;
    void* task;
} Slot;

struct thThreadPool {
    Slot slots[TH_POOL_SLOTS];
    thMemory* memory;
    pthread_t* threads;
    int32_t threadCount; // asked for
    int32_t started;     // running
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    _Atomic int32_t pending;
    _Atomic int32_t sleepers;
    _Atomic int32_t quit;
};

#define SPINS_BEFORE_SLEEP 2000
#define SPINS_BEFORE_YIELD 200

static void pauseBriefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

// Runs a slot if it is still pending.
static bool tryRun(thThreadPool* pool, Slot* slot)
{
    int32_t expected = slotPending;
    if (!atomic_compare_exchange_strong(&slot->state, &expected, slotRunning))
        return false;
    atomic_fetch_sub(&pool->pending, 1);
    slot->function(slot->task);
    atomic_store_explicit(&slot->state, slotDone, memory_order_release);
    return true;
}

static bool tryRunAny(thThreadPool* pool)
{
    for (int32_t i = 0; i < TH_POOL_SLOTS; ++i)
        if (atomic_load_explicit(&pool->slots[i].state, memory_order_relaxed) == slotPending &&
            tryRun(pool, &pool->slots[i]))
            return true;
    return false;
}

static void sleepUntilWork(thThreadPool* pool)
{
    pthread_mutex_lock(&pool->mutex);
    atomic_fetch_add(&pool->sleepers, 1); // enqueue reads it after it has raised `pending`
    while (atomic_load(&pool->pending) == 0 && !atomic_load(&pool->quit))
        pthread_cond_wait(&pool->wake, &pool->mutex);
    atomic_fetch_sub(&pool->sleepers, 1);
    pthread_mutex_unlock(&pool->mutex);
}

static void* threadMain(void* context)
{
    thThreadPool* pool = context;
    int32_t idle = 0;
    while (!atomic_load_explicit(&pool->quit, memory_order_relaxed)) {
        if (atomic_load_explicit(&pool->pending, memory_order_relaxed) > 0 && tryRunAny(pool)) {
            idle = 0;
        } else if (++idle < SPINS_BEFORE_SLEEP) {
            pauseBriefly();
        } else {
            sleepUntilWork(pool);
            idle = 0;
        }
    }
    return NULL;
}

static void* enqueue(void* context, thTaskFcn* function, void* task)
{
    thThreadPool* pool = context;
    for (int32_t i = 0; i < TH_POOL_SLOTS; ++i) {
        Slot* slot = &pool->slots[i];
        if (atomic_load_explicit(&slot->state, memory_order_acquire) != slotFree)
            continue;
        slot->function = function;
        slot->task = task;
        // Counted before it can be taken, so that the count never falls below zero.
        atomic_fetch_add(&pool->pending, 1);
        atomic_store(&slot->state, slotPending);
        if (atomic_load(&pool->sleepers) > 0) {
            pthread_mutex_lock(&pool->mutex);
            pthread_cond_signal(&pool->wake);
            pthread_mutex_unlock(&pool->mutex);
        }
        return slot;
    }
    function(task);
    return NULL;
}

static void finish(void* context, void* handle)
{
    thThreadPool* pool = context;
    Slot* slot = handle;
    if (!tryRun(pool, slot)) {
        for (int32_t spins = 0;
             atomic_load_explicit(&slot->state, memory_order_acquire) != slotDone; ++spins) {
            if (spins < SPINS_BEFORE_YIELD)
                pauseBriefly();
            else
                sched_yield();
        }
    }
    atomic_store_explicit(&slot->state, slotFree, memory_order_release);
}

thTaskHost thiThreadPoolHost(thThreadPool* pool)
{
    return (thTaskHost){pool, enqueue, finish};
}

thResult thiCreateThreadPool(thMemory* memory, int32_t threadCount, thThreadPool** result)
{
    *result = NULL;
    thThreadPool* pool = thiAllocateZero(memory, sizeof *pool);
    if (pool == NULL)
        return th_resultNoMemory;
    pool->memory = memory;
    pool->threadCount = threadCount;
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pool->threads = thiAllocate(memory, (size_t)threadCount * sizeof(pthread_t));
    thResult code = pool->threads == NULL ? th_resultNoMemory : th_resultOk;
    // Signals are for the host's threads.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (code == th_resultOk && pool->started < threadCount) {
        if (pthread_create(&pool->threads[pool->started], NULL, threadMain, pool) != 0)
            code = th_resultUnavailable;
        else
            pool->started += 1;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (code != th_resultOk) {
        thiDestroyThreadPool(pool);
        return code;
    }
    *result = pool;
    return th_resultOk;
}

void thiDestroyThreadPool(thThreadPool* pool)
{
    if (pool == NULL)
        return;
    pthread_mutex_lock(&pool->mutex);
    atomic_store(&pool->quit, 1);
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->mutex);
    for (int32_t i = 0; i < pool->started; ++i)
        pthread_join(pool->threads[i], NULL);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->mutex);
    thMemory* memory = pool->memory;
    thiRelease(memory, pool->threads, (size_t)pool->threadCount * sizeof(pthread_t));
    thiRelease(memory, pool, sizeof *pool);
}

#else

thResult thiCreateThreadPool(thMemory* memory, int32_t threadCount, thThreadPool** pool)
{
    (void)memory;
    (void)threadCount;
    *pool = NULL;
    return th_resultUnavailable;
}

void thiDestroyThreadPool(thThreadPool* pool)
{
    (void)pool;
}

thTaskHost thiThreadPoolHost(thThreadPool* pool)
{
    (void)pool;
    return (thTaskHost){0};
}
#endif

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
