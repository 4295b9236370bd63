// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A hundred thousand walkers take 200 steps in random directions, on one thread, then on two, then
// on four. Each random number is a function of (seed, walker, step), so every run ends with the
// same bits.

#include <throng/throng.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { walkerCount = 100000, stepCount = 200 };

typedef struct Walkers {
    thVec2* positions;
    uint64_t step;
} Walkers;

static void walk(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    const Walkers* walkers = context;
    for (int32_t i = begin; i < end; ++i) {
        const uint64_t stream = thRandomStream(7, (uint64_t)i, walkers->step, 0);
        float sine, cosine;
        thSinCos(thRandomRange(stream, 0, 0.0f, 6.2831853f), &sine, &cosine);
        walkers->positions[i].x += cosine;
        walkers->positions[i].y += sine;
    }
}

// Prints how far the walkers got and a checksum of all their bits.
static uint32_t report(const Walkers* walkers, int32_t threads)
{
    double sum = 0.0;
    uint32_t checksum = 0;
    for (int32_t i = 0; i < walkerCount; ++i) {
        const thVec2 p = walkers->positions[i];
        uint32_t bits[2];
        memcpy(bits, &p, sizeof bits);
        checksum = (checksum ^ bits[0]) * 0x01000193u;
        checksum = (checksum ^ bits[1]) * 0x01000193u;
        sum += (double)p.x * (double)p.x + (double)p.y * (double)p.y;
    }
    printf("%d thread%s  mean square distance %.2f m² (theory %d)  checksum %08x\n", (int)threads,
           threads == 1 ? " " : "s", sum / walkerCount, (int)stepCount, (unsigned)checksum);
    return checksum;
}

int main(void)
{
    uint32_t first = 0;
    int same = 1;
    for (int32_t threads = 1; threads <= 4; threads *= 2) {
        thTasksDef def = thDefaultTasksDef();
        def.workerCount = threads;
        thTasks* tasks;
        const thResult result = thCreateTasks(&def, &tasks);
        Walkers walkers = {calloc(walkerCount, sizeof(thVec2)), 0};
        if (result != th_resultOk || walkers.positions == NULL) {
            fprintf(stderr, "random_walk: %d threads: %s\n", (int)threads,
                    thResult_GetText(result));
            return 3;
        }
        for (; walkers.step < stepCount; ++walkers.step)
            thTasks_ParallelFor(tasks, walkerCount, 1024, walk, &walkers);
        const uint32_t checksum = report(&walkers, threads);
        first = threads == 1 ? checksum : first;
        same = same && checksum == first;
        free(walkers.positions);
        thDestroyTasks(tasks);
    }
    puts(same ? "the same bits on every number of threads" : "DIFFERENT bits");
    return same ? 0 : 1;
}
