// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Parallel loops: every range runs once, whatever schedules them, and however they end.

#define _POSIX_C_SOURCE 200809L // nanosleep

#include "base/tasks.h"

#include "base/machine.h"
#include "gear/allocators.h"
#include "gear/gear.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#if THRONG_THREADS
#include <pthread.h>
#include <sched.h>
#endif

#define MAX_COUNT 5000

// What a loop must do. Visits are plain numbers on purpose: two workers at one item are a race
// that the thread sanitizer sees.
typedef struct Watch {
    int32_t count;
    int32_t grain;
    int32_t workerCount;
    _Atomic int32_t wrong;
    _Atomic int32_t ranges;
    _Atomic int32_t busy[TH_MAX_WORKERS];
    int32_t visits[MAX_COUNT];
} Watch;

static void visit(void* context, int32_t begin, int32_t end, int32_t worker)
{
    Watch* watch = context;
    const bool inRange = begin >= 0 && begin < end && end <= watch->count && worker >= 0 &&
                         worker < watch->workerCount;
    if (!inRange || begin % watch->grain != 0 ||
        end - begin != TH_MIN(watch->grain, watch->count - begin)) {
        atomic_fetch_add(&watch->wrong, 1);
        return;
    }
    if (atomic_exchange(&watch->busy[worker], 1) != 0)
        atomic_fetch_add(&watch->wrong, 1);
    atomic_fetch_add(&watch->ranges, 1);
    for (int32_t i = begin; i < end && i < MAX_COUNT; ++i)
        watch->visits[i] += 1;
    atomic_store(&watch->busy[worker], 0);
}

static void checkLoop(const thTasks* tasks, int32_t count, int32_t grain)
{
    static Watch watch;
    memset(&watch, 0, sizeof watch);
    watch.count = count;
    watch.grain = grain;
    watch.workerCount = thTasks_GetWorkerCount(tasks);
    thTasks_ParallelFor(tasks, count, grain, visit, &watch);
    assert_int_equal(watch.wrong, 0);
    assert_int_equal(watch.ranges, count > 0 ? (count - 1) / grain + 1 : 0);
    for (int32_t i = 0; i < MAX_COUNT; ++i)
        assert_int_equal(watch.visits[i], i < count);
}

static void checkLoops(const thTasks* tasks)
{
    const int32_t counts[] = {INT32_MIN, -1, 0, 1, 2, 7, 63, 64, 65, 1000, 4097};
    const int32_t grains[] = {1, 2, 7, 64, 1000, INT32_MAX};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; ++c)
        for (size_t g = 0; g < sizeof grains / sizeof grains[0]; ++g)
            checkLoop(tasks, counts[c], grains[g]);
    // The largest loops there are, in ranges large enough to be quick.
    checkLoop(tasks, INT32_MAX, INT32_MAX);
    checkLoop(tasks, INT32_MAX, INT32_MAX - 1);
    checkLoop(tasks, INT32_MAX, 1 << 22);
}

static thTasks* createTasks(int32_t workerCount, thTaskHost host, thTestAllocator* test)
{
    testAllocatorInit(test);
    thTasksDef def = thDefaultTasksDef();
    def.workerCount = workerCount;
    def.host = host;
    def.allocator = testAllocator(test);
    thTasks* tasks;
    assert_int_equal(thCreateTasks(&def, &tasks), th_resultOk);
    assert_int_equal(thTasks_GetWorkerCount(tasks), TH_MAX(workerCount, 1));
    return tasks;
}

static void testPool(void** state)
{
    (void)state;
    const int32_t workerCounts[] = {0, 1, 2, 3, 8, 64};
    for (size_t i = 0; i < sizeof workerCounts / sizeof workerCounts[0]; ++i) {
        if (!THRONG_THREADS && workerCounts[i] > 1)
            break;
        thTestAllocator test;
        thTasks* tasks = createTasks(workerCounts[i], (thTaskHost){0}, &test);
        const int64_t calls = test.calls;
        checkLoops(tasks);
        assert_int_equal(test.calls, calls); // loops do not allocate
        thDestroyTasks(tasks);
        testAllocatorFinish(&test);
    }
}

// A host that runs tasks at once.
static void* enqueueAtOnce(void* context, thTaskFcn* function, void* task)
{
    *(int32_t*)context += 1;
    function(task);
    return NULL;
}

static void finishNever(void* context, void* handle)
{
    (void)handle;
    *(int32_t*)context += 1000000; // no task was left to finish
}

// A host that runs tasks as late as it may.
typedef struct Deferred {
    int32_t count;
    int32_t finished;
    thTaskFcn* functions[TH_MAX_WORKERS];
    void* tasks[TH_MAX_WORKERS];
} Deferred;

static void* enqueueDeferred(void* context, thTaskFcn* function, void* task)
{
    Deferred* deferred = context;
    deferred->functions[deferred->count] = function;
    deferred->tasks[deferred->count] = task;
    return &deferred->tasks[deferred->count++];
}

static void finishDeferred(void* context, void* handle)
{
    Deferred* deferred = context;
    const ptrdiff_t i = (void**)handle - deferred->tasks;
    deferred->functions[i](deferred->tasks[i]);
    deferred->finished += 1;
    if (deferred->finished == deferred->count)
        deferred->finished = deferred->count = 0;
}

static void testSerialHosts(void** state)
{
    (void)state;
    for (int32_t workerCount = 0; workerCount <= 64; workerCount += 21) {
        thTestAllocator test;
        int32_t enqueued = 0;
        thTasks* tasks =
            createTasks(workerCount, (thTaskHost){&enqueued, enqueueAtOnce, finishNever}, &test);
        checkLoops(tasks);
        assert_in_range(enqueued, workerCount > 1 ? 1 : 0, 999999);
        // No more tasks than there are ranges, nor than workers.
        enqueued = 0;
        checkLoop(tasks, 10, 5);
        assert_int_equal(enqueued, workerCount > 1 ? 1 : 0);
        enqueued = 0;
        checkLoop(tasks, 1000, 1);
        assert_int_equal(enqueued, TH_MAX(workerCount - 1, 0));
        thDestroyTasks(tasks);
        testAllocatorFinish(&test);

        Deferred deferred = {0};
        tasks = createTasks(workerCount, (thTaskHost){&deferred, enqueueDeferred, finishDeferred},
                            &test);
        checkLoops(tasks);
        assert_int_equal(deferred.count, 0);
        thDestroyTasks(tasks);
        testAllocatorFinish(&test);
    }
}

static void countRange(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    int64_t* count = context;
    *count += begin >= 0 && end == begin + 1;
}

// As many ranges as there can be; the number of the next one must not wrap.
static void testMostRanges(void** state)
{
    (void)state;
    if (getenv("THRONG_LONG") == NULL)
        skip();
    thTestAllocator test;
    int32_t enqueued = 0;
    thTasks* tasks = createTasks(3, (thTaskHost){&enqueued, enqueueAtOnce, finishNever}, &test);
    int64_t count = 0;
    thTasks_ParallelFor(tasks, INT32_MAX, 1, countRange, &count);
    assert_int_equal(count, INT32_MAX);
    thDestroyTasks(tasks);
    testAllocatorFinish(&test);
}

static void writeSquares(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    for (int32_t i = begin; i < end; ++i)
        ((int32_t*)context)[i] = i * i;
}

// What a caller gets wrong is told to the hook, and nothing happens.
typedef struct Heard {
    int32_t count;
    char condition[256];
} Heard;

static void hearAssertion(void* context, const char* condition, const char* file, int32_t line)
{
    (void)file;
    (void)line;
    Heard* heard = context;
    heard->count += 1;
    snprintf(heard->condition, sizeof heard->condition, "%s", condition);
}

static void refuse(const thTasksDef* def, Heard* heard, const char* mentions)
{
    heard->count = 0;
    thTasks* tasks = (thTasks*)heard; // anything that is not NULL
    assert_int_equal(thCreateTasks(def, &tasks), th_resultBadArgument);
    assert_null(tasks);
    assert_int_equal(heard->count, 1);
    assert_non_null(strstr(heard->condition, mentions));
}

static void testBadArguments(void** state)
{
    (void)state;
    Heard heard = {0};
    thSetHooks(&(thHooks){.assertion = hearAssertion, .assertionContext = &heard});
    thTasksDef def = thDefaultTasksDef();
    refuse(NULL, &heard, "thiReadDef");
    refuse(&(thTasksDef){0}, &heard, "thiReadDef");
    def.size += 1;
    refuse(&def, &heard, "thiReadDef");
    def = thDefaultTasksDef();
    def.workerCount = -1;
    refuse(&def, &heard, "workerCount");
    def.workerCount = 65;
    refuse(&def, &heard, "workerCount");
    def = thDefaultTasksDef();
    def.host.enqueue = enqueueAtOnce;
    refuse(&def, &heard, "host");
    def = thDefaultTasksDef();
    def.host.finish = finishNever;
    refuse(&def, &heard, "host");
    def = thDefaultTasksDef();
    def.allocator.release = NULL;
    refuse(&def, &heard, "allocator");
    def = thDefaultTasksDef();
    def.allocator.allocate = NULL;
    refuse(&def, &heard, "allocator");

    heard.count = 0;
    def = thDefaultTasksDef();
    assert_int_equal(thCreateTasks(&def, NULL), th_resultBadArgument);
    assert_int_equal(heard.count, 1);
    thDestroyTasks(NULL);
    assert_int_equal(heard.count, 1);

    thTasks* tasks;
    assert_int_equal(thCreateTasks(&def, &tasks), th_resultOk);
    int32_t number = -1;
    thTasks_ParallelFor(NULL, 1, 1, writeSquares, &number);
    thTasks_ParallelFor(tasks, 1, 0, writeSquares, &number);
    thTasks_ParallelFor(tasks, 1, -5, writeSquares, &number);
    thTasks_ParallelFor(tasks, 1, 1, NULL, &number);
    assert_int_equal(heard.count, 5);
    assert_int_equal(number, -1);
    thTasks_ParallelFor(tasks, 1, 1, writeSquares, &number);
    assert_int_equal(heard.count, 5);
    assert_int_equal(number, 0);
    thDestroyTasks(tasks);
    thSetHooks(NULL);
}

static void testDefaults(void** state)
{
    (void)state;
    thTasksDef def = thDefaultTasksDef();
    assert_int_equal(def.size, sizeof def);
    assert_int_equal(def.workerCount, 0);
    assert_null(def.host.context);
    assert_true(def.host.enqueue == NULL && def.host.finish == NULL);
    assert_true(def.allocator.allocate == thDefaultAllocator().allocate);
    def.allocator = (thAllocator){0}; // stands for the default one
    thTasks* tasks;
    assert_int_equal(thCreateTasks(&def, &tasks), th_resultOk);
    assert_int_equal(thTasks_GetWorkerCount(tasks), 1);
    thDestroyTasks(tasks);
}

static thResult createAndDestroy(const thAllocator* allocator, void* context)
{
    thTasksDef def = thDefaultTasksDef();
    def.workerCount = *(int32_t*)context;
    def.allocator = *allocator;
    thTasks* tasks = NULL;
    const thResult code = thCreateTasks(&def, &tasks);
    if ((code == th_resultOk) != (tasks != NULL))
        return th_resultDamaged;
    thDestroyTasks(tasks);
    return code;
}

static thResult createForOwner(const thAllocator* allocator, void* context)
{
    thMemory memory;
    thiMemoryInit(&memory, allocator, 0);
    thTasksDef def = thDefaultTasksDef();
    def.workerCount = *(int32_t*)context;
    thTasks* tasks = NULL;
    const thResult code = thiCreateTasks(&memory, &def, &tasks);
    thDestroyTasks(tasks);
    return memory.bytes == 0 ? code : th_resultDamaged;
}

static void testFailEach(void** state)
{
    (void)state;
    int32_t workerCount = 1;
    assert_int_equal(failEachAllocation(createAndDestroy, &workerCount), 1);
    assert_int_equal(failEachAllocation(createForOwner, &workerCount), 1);
    if (THRONG_THREADS) {
        workerCount = 3;
        assert_int_equal(failEachAllocation(createAndDestroy, &workerCount), 3);
        assert_int_equal(failEachAllocation(createForOwner, &workerCount), 3);
    }
}

#if THRONG_THREADS

// A host with a thread per task.
typedef struct HostThread {
    pthread_t thread;
    thTaskFcn* function;
    void* task;
} HostThread;

static void* runHostThread(void* context)
{
    HostThread* host = context;
    host->function(host->task);
    return NULL;
}

static void* enqueueThread(void* context, thTaskFcn* function, void* task)
{
    (void)context;
    HostThread* host = malloc(sizeof *host);
    if (host == NULL)
        abort();
    host->function = function;
    host->task = task;
    if (pthread_create(&host->thread, NULL, runHostThread, host) != 0)
        abort();
    return host;
}

static void finishThread(void* context, void* handle)
{
    (void)context;
    HostThread* host = handle;
    pthread_join(host->thread, NULL);
    free(host);
}

static void testThreadsOfHost(void** state)
{
    (void)state;
    const int32_t workerCounts[] = {2, 5};
    for (size_t i = 0; i < sizeof workerCounts / sizeof workerCounts[0]; ++i) {
        thTestAllocator test;
        thTasks* tasks =
            createTasks(workerCounts[i], (thTaskHost){NULL, enqueueThread, finishThread}, &test);
        checkLoops(tasks);
        thDestroyTasks(tasks);
        testAllocatorFinish(&test);
    }
}

// Each range waits until all have begun, which happens only if each worker has a thread.
typedef struct Meeting {
    int32_t expected;
    _Atomic int32_t arrived;
    _Atomic int32_t workers[TH_MAX_WORKERS];
} Meeting;

static void meet(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)begin;
    (void)end;
    Meeting* meeting = context;
    atomic_fetch_add(&meeting->workers[worker], 1);
    atomic_fetch_add(&meeting->arrived, 1);
    const int64_t tooLate = thiNow() + INT64_C(20000000000);
    while (atomic_load(&meeting->arrived) < meeting->expected && thiNow() < tooLate)
        sched_yield();
}

static void testWorkersRunAtOnce(void** state)
{
    (void)state;
    thTestAllocator test;
    thTasks* tasks = createTasks(4, (thTaskHost){0}, &test);
    for (int32_t round = 0; round < 10; ++round) {
        Meeting meeting = {.expected = 4};
        thTasks_ParallelFor(tasks, 4, 1, meet, &meeting);
        assert_int_equal(meeting.arrived, 4);
        for (int32_t worker = 0; worker < 4; ++worker)
            assert_int_equal(meeting.workers[worker], 1);
    }
    thDestroyTasks(tasks);
    testAllocatorFinish(&test);
}

static void pauseFor(long microseconds)
{
    const struct timespec time = {0, microseconds * 1000};
    nanosleep(&time, NULL);
}

// Many short loops, back to back and with pauses in which threads fall asleep: a lost wake-up
// would leave a loop unfinished, a late one a worker inside a loop that has returned.
static void testManyShortLoops(void** state)
{
    (void)state;
    thTestAllocator test;
    thTasks* tasks = createTasks(3, (thTaskHost){0}, &test);
    for (int32_t round = 0; round < 3000; ++round) {
        int32_t squares[50];
        const int32_t count = 1 + round % 50;
        thTasks_ParallelFor(tasks, count, 1 + round % 3, writeSquares, squares);
        for (int32_t i = 0; i < count; ++i)
            assert_int_equal(squares[i], i * i);
        if (round % 20 == 0)
            pauseFor(round % 40 == 0 ? 1000 : 50);
    }
    thDestroyTasks(tasks);
    testAllocatorFinish(&test);
}

// Threads that have just started, spin, or sleep: all end.
static void testEndsAtAnyTime(void** state)
{
    (void)state;
    for (int32_t round = 0; round < 60; ++round) {
        thTestAllocator test;
        thTasks* tasks = createTasks(2 + round % 4, (thTaskHost){0}, &test);
        if (round % 3 == 1)
            checkLoop(tasks, 100, 1);
        if (round % 5 == 1)
            pauseFor(500);
        thDestroyTasks(tasks);
        testAllocatorFinish(&test);
    }
}

#else

static void testNoThreads(void** state)
{
    (void)state;
    thTasksDef def = thDefaultTasksDef();
    def.workerCount = 2;
    thTasks* tasks;
    assert_int_equal(thCreateTasks(&def, &tasks), th_resultUnavailable);
    assert_null(tasks);
}

#endif

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testPool),
        cmocka_unit_test(testSerialHosts),
        cmocka_unit_test(testMostRanges),
        cmocka_unit_test(testBadArguments),
        cmocka_unit_test(testDefaults),
        cmocka_unit_test(testFailEach),
#if THRONG_THREADS
        cmocka_unit_test(testThreadsOfHost),
        cmocka_unit_test(testWorkersRunAtOnce),
        cmocka_unit_test(testManyShortLoops),
        cmocka_unit_test(testEndsAtAnyTime),
#else
        cmocka_unit_test(testNoThreads),
#endif
    };
    return RUN_TESTS(tests, argc, argv);
}
