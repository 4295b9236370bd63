// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The subject `flock`: agents that push each other a little, and what the machine sees of them.

#include "flock.h"

#include "throng/random.h"

#include <stdlib.h>

static FlockFcn* const senseKernels[th_simdCount] = TH_KERNEL_TABLE(thiFlockSense);
static FlockFcn* const steerKernels[th_simdCount] = TH_KERNEL_TABLE(thiFlockSteer);
static FlockFcn* const moveKernels[th_simdCount] = TH_KERNEL_TABLE(thiFlockMove);

static void* create(const SubjectOptions* options)
{
    Flock* flock = calloc(1, sizeof *flock);
    if (flock == NULL)
        return NULL;
    flock->options = *options;
    for (int32_t i = 0; i < FLOCK_COUNT; ++i) {
        const uint64_t key = 100 + 7 * (uint64_t)i;
        const uint64_t stream = thRandomStream(7, key, 0, 1);
        flock->keys[i] = key;
        flock->streamLow[i] = (int32_t)(uint32_t)stream;
        flock->streamHigh[i] = (int32_t)(uint32_t)(stream >> 32);
        flock->x[i] = thRandomRange(stream, 1, 0.0f, 100.0f);
        flock->y[i] = thRandomRange(stream, 2, 0.0f, 100.0f);
        flock->vx[i] = thRandomNormal(stream, 10);
        flock->vy[i] = thRandomNormal(stream, 11);
        for (int32_t k = 0; k < FLOCK_FRIENDS; ++k)
            flock->friends[k][i] = (int32_t)(thRandomBits(stream, 30 + (uint32_t)k) % FLOCK_COUNT);
    }
    return flock;
}

typedef struct Stage {
    Flock* flock;
    FlockFcn* kernel;
} Stage;

static void runRange(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    const Stage* stage = context;
    stage->kernel(stage->flock, begin, end);
}

static void runStage(Flock* flock, FlockFcn* const* kernels)
{
    Stage stage = {flock, kernels[flock->options.simd]};
    thTasks_ParallelFor(flock->options.tasks, FLOCK_COUNT, 64, runRange, &stage);
}

static void report(const Flock* flock, const thTrace* trace, const char* name,
                   const thColumn* columns, int32_t columnCount)
{
    const thStageRows rows = {flock->step, name, flock->keys, FLOCK_COUNT, columns, columnCount};
    trace->stage(trace->context, &rows);
}

static void step(void* self, const thTrace* trace)
{
    Flock* flock = self;
    runStage(flock, senseKernels);
    const thColumn push[] = {{"pushX", flock->pushX, 4}, {"pushY", flock->pushY, 4}};
    report(flock, trace, "sense", push, 2);
    runStage(flock, steerKernels);
    const thColumn velocity[] = {{"vx", flock->vx, 4}, {"vy", flock->vy, 4}};
    report(flock, trace, "steer", velocity, 2);
    runStage(flock, moveKernels);
    const thColumn position[] = {{"x", flock->x, 4}, {"y", flock->y, 4}};
    report(flock, trace, "move", position, 2);
    flock->step += 1;
}

const Subject flockSubject = {"flock", 100, create, step, free};
