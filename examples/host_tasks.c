// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// An engine lends its threads to the world through two callbacks. The same crowd runs on the
// calling thread alone, on the library's threads and on the engine's, and ends with the same bits.

#include <throng/throng.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { threadCount = 2, agentCount = 5000, stepCount = 50 };

static void check(thResult result)
{
    if (result != th_resultOk)
        exit((int)result);
}

// The engine's scheduler: threads that hold one task each.
typedef struct Engine {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    pthread_t threads[threadCount];
    thTaskFcn* functions[threadCount]; // NULL: the thread is idle
    void* tasks[threadCount];
    int startedCount, doneCount, quit;
} Engine;

static void* runThread(void* context)
{
    Engine* engine = context;
    pthread_mutex_lock(&engine->mutex);
    const int i = engine->startedCount++;
    for (;;) {
        while (engine->functions[i] == NULL && !engine->quit)
            pthread_cond_wait(&engine->changed, &engine->mutex);
        if (engine->quit)
            break;
        pthread_mutex_unlock(&engine->mutex);
        engine->functions[i](engine->tasks[i]);
        pthread_mutex_lock(&engine->mutex);
        engine->functions[i] = NULL;
        engine->doneCount += 1;
        pthread_cond_broadcast(&engine->changed);
    }
    pthread_mutex_unlock(&engine->mutex);
    return NULL;
}

static void* enqueue(void* context, thTaskFcn* function, void* task)
{
    Engine* engine = context;
    pthread_mutex_lock(&engine->mutex);
    int i = 0;
    while (i < threadCount && engine->functions[i] != NULL)
        i += 1;
    if (i == threadCount) {
        pthread_mutex_unlock(&engine->mutex);
        function(task); // all threads are busy: it is done at once, nothing to wait for
        return NULL;
    }
    engine->functions[i] = function;
    engine->tasks[i] = task;
    pthread_cond_broadcast(&engine->changed);
    pthread_mutex_unlock(&engine->mutex);
    return &engine->functions[i];
}

static void finish(void* context, void* handle)
{
    Engine* engine = context;
    pthread_mutex_lock(&engine->mutex);
    while (*(thTaskFcn**)handle != NULL)
        pthread_cond_wait(&engine->changed, &engine->mutex);
    pthread_mutex_unlock(&engine->mutex);
}

static uint64_t runCrowd(const thWorldDef* def, const char* name)
{
    thWorld* world;
    check(thCreateWorld(def, &world));
    const thProfileDef profileDef = thDefaultProfileDef();
    thAgentDef agentDef = thDefaultAgentDef();
    check(thCreateProfile(world, &profileDef, &agentDef.profile, NULL));
    check(thCreatePointGoal(world, (thVec2){0.0f, 0.0f}, &agentDef.goal));
    thAgentId id;
    for (int32_t i = 0; i < agentCount; ++i, agentDef.position.x += 0.6f)
        check(thCreateAgent(world, &agentDef, &id));
    for (int32_t step = 0; step < stepCount; ++step)
        check(thWorld_Step(world, 0.05f));
    const uint64_t hash = thWorld_GetStateHash(world);
    printf("%-22s state %016llx\n", name, (unsigned long long)hash);
    thDestroyWorld(world);
    return hash;
}

int main(void)
{
    Engine engine = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    for (int i = 0; i < threadCount; ++i)
        if (pthread_create(&engine.threads[i], NULL, runThread, &engine) != 0)
            return 3;
    thWorldDef def = thDefaultWorldDef();
    const uint64_t alone = runCrowd(&def, "the calling thread");
    def.workerCount = 1 + threadCount; // the calling thread works too
    const uint64_t pool = runCrowd(&def, "the library's threads");
    def.tasks = (thTaskHost){&engine, enqueue, finish};
    const uint64_t host = runCrowd(&def, "the engine's threads");
    pthread_mutex_lock(&engine.mutex);
    engine.quit = 1;
    pthread_cond_broadcast(&engine.changed);
    pthread_mutex_unlock(&engine.mutex);
    for (int i = 0; i < threadCount; ++i)
        pthread_join(engine.threads[i], NULL);
    printf("the engine did %d tasks\n", engine.doneCount);
    return pool == alone && host == alone && engine.doneCount > 0 ? 0 : 1;
}
