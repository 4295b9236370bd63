// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The threads of the scheduler: those that do not start, and more tasks than slots.

#include "base/memory_gear.h"
#include "base/tasks.h"
#include "gear/gear.h"

#if THRONG_THREADS
#include <pthread.h>
#include <sched.h>

static int32_t threadsAllowed;

// The linker puts these between the pool and the system (CMakeLists.txt: --wrap), so that starting
// a thread can fail.
int __real_pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                          void* (*function)(void*), void* context);
int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                          void* (*function)(void*), void* context);

int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                          void* (*function)(void*), void* context)
{
    if (threadsAllowed == 0)
        return 11; // EAGAIN
    threadsAllowed -= 1;
    return __real_pthread_create(thread, attributes, function, context);
}

static void testThreadsThatDoNotStart(void** state)
{
    (void)state;
    for (int32_t allowed = 0; allowed <= 4; ++allowed) {
        thTestAllocator test;
        thMemory memory;
        beginTestMemory(&test, &memory, 0);
        threadsAllowed = allowed;
        thThreadPool* pool;
        const thResult code = thiCreateThreadPool(&memory, 4, &pool);
        assert_int_equal(code, allowed == 4 ? th_resultOk : th_resultUnavailable);
        assert_int_equal(pool != NULL, allowed == 4);
        thiDestroyThreadPool(pool);
        assert_int_equal(memory.bytes, 0);
        testAllocatorFinish(&test);
    }
}

typedef struct Gate {
    _Atomic int32_t open;
    _Atomic int32_t passed;
} Gate;

static void waitAtGate(void* context)
{
    Gate* gate = context;
    while (!atomic_load(&gate->open))
        sched_yield();
    atomic_fetch_add(&gate->passed, 1);
}

static void passGate(void* context)
{
    Gate* gate = context;
    atomic_fetch_add(&gate->passed, 1);
}

// When all slots are taken, a task runs at once.
static void testMoreTasksThanSlots(void** state)
{
    (void)state;
    thMemory memory;
    thiMemoryInit(&memory, NULL, 0);
    threadsAllowed = 1;
    thThreadPool* pool;
    assert_int_equal(thiCreateThreadPool(&memory, 1, &pool), th_resultOk);
    const thTaskHost host = thiThreadPoolHost(pool);
    for (int32_t round = 0; round < 3; ++round) {
        Gate gate = {0};
        void* handles[TH_POOL_SLOTS];
        for (int32_t i = 0; i < TH_POOL_SLOTS; ++i) {
            handles[i] = host.enqueue(host.context, waitAtGate, &gate);
            assert_non_null(handles[i]);
        }
        assert_int_equal(gate.passed, 0);
        assert_null(host.enqueue(host.context, passGate, &gate));
        assert_int_equal(gate.passed, 1);
        atomic_store(&gate.open, 1);
        for (int32_t i = TH_POOL_SLOTS - 1; i >= 0; --i)
            host.finish(host.context, handles[i]);
        assert_int_equal(gate.passed, TH_POOL_SLOTS + 1);
    }
    thiDestroyThreadPool(pool);
    assert_int_equal(memory.bytes, 0);
}

#else

static void testUnavailable(void** state)
{
    (void)state;
    thMemory memory;
    thiMemoryInit(&memory, NULL, 0);
    thThreadPool* pool;
    assert_int_equal(thiCreateThreadPool(&memory, 1, &pool), th_resultUnavailable);
    assert_null(pool);
    assert_true(thiThreadPoolHost(pool).enqueue == NULL);
}

#endif

static void testDestroyNothing(void** state)
{
    (void)state;
    thiDestroyThreadPool(NULL);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
#if THRONG_THREADS
        cmocka_unit_test(testThreadsThatDoNotStart),
        cmocka_unit_test(testMoreTasksThanSlots),
#else
        cmocka_unit_test(testUnavailable),
#endif
        cmocka_unit_test(testDestroyNothing),
    };
    return RUN_TESTS(tests, argc, argv);
}
