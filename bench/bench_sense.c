// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Cases of src/space: sorting agents into cells and finding the ten nearest within 3.75 m. A crowd
// at 1 agent a square metre walks at 1.4 m/s, half a minute there and back, so that it stays as it
// is on the whole while agents change their cells. One run is one step of 0.1 s.

#include "bench.h"

#include "geom/fixed.h"
#include "space/sense.h"
#include "throng/random.h"

#include <math.h>
#include <stdlib.h>

#define NEIGHBORS 10
#define RADIUS 3.75f
#define STEPS_THERE 300
#define STRIDE (TH_TILE_ROWS + TH_MAX_WIDTH)

static thNearestRowsFcn* const kernels[th_simdCount] = TH_KERNEL_TABLE(thiNearestRows);

// What a worker writes.
typedef struct Lists {
    int32_t rows[NEIGHBORS * STRIDE];
    int32_t counts[STRIDE];
    uint64_t sum;
} Lists;

typedef struct Crowd {
    thMemory memory;
    thTasks* tasks;
    thRows rows[2];
    int32_t current;
    int32_t step;
    thGrid grid;
    thFrame frame;
    thSimd simd;
    float radiusSq[STRIDE];
    Lists* lists; // by worker
} Crowd;

static void placeAgents(thRows* rows, int32_t count)
{
    const float side = sqrtf((float)count);
    rows->count = count;
    for (int32_t i = 0; i < count; ++i) {
        const uint64_t stream = thRandomStream(1, (uint64_t)i, 0, 0);
        float sine, cosine;
        thSinCos(thRandomRange(stream, 2, -3.14f, 3.14f), &sine, &cosine);
        rows->px[i] = thiUnits(thRandomRange(stream, 0, 0.0f, side));
        rows->py[i] = thiUnits(thRandomRange(stream, 1, 0.0f, side));
        rows->vx[i] = 1.4f * cosine;
        rows->vy[i] = 1.4f * sine;
        rows->radius[i] = 0.25f;
        rows->flags[i] = th_agentAlive;
        rows->layers[i] = 1;
        rows->mask[i] = UINT32_MAX;
        rows->slot[i] = i;
        rows->key[i] = (uint64_t)thRandomBits(stream, 3) << 20 | (uint64_t)i;
    }
}

static void tearDown(void* state)
{
    Crowd* crowd = state;
    thiGridFree(&crowd->grid);
    thiRowsFree(&crowd->rows[0], &crowd->memory);
    thiRowsFree(&crowd->rows[1], &crowd->memory);
    thDestroyTasks(crowd->tasks);
    free(crowd->lists);
    free(crowd);
}

static const char* setUp(const thBenchCase* self, void** state)
{
    Crowd* crowd = calloc(1, sizeof *crowd);
    const int32_t count = (int32_t)self->items, workers = self->threads > 1 ? self->threads : 1;
    if (crowd == NULL)
        return "no memory";
    *state = crowd;
    crowd->simd = thSimd_Resolve(self->simd);
    crowd->lists = calloc((size_t)workers, sizeof *crowd->lists);
    for (int32_t i = 0; i < STRIDE; ++i)
        crowd->radiusSq[i] = RADIUS * RADIUS;
    thiMemoryInit(&crowd->memory, NULL, 0);
    thTasksDef def = thDefaultTasksDef();
    def.workerCount = workers;
    const thResult tasks = thCreateTasks(&def, &crowd->tasks);
    if (thiGridInit(&crowd->grid, &crowd->memory, workers) != th_resultOk ||
        thiRowsReserve(&crowd->rows[0], &crowd->memory, count) != th_resultOk ||
        thiRowsReserve(&crowd->rows[1], &crowd->memory, count) != th_resultOk ||
        thiGridReserve(&crowd->grid, count) != th_resultOk || crowd->lists == NULL ||
        tasks != th_resultOk) {
        tearDown(crowd);
        *state = NULL;
        return tasks != th_resultOk ? thResult_GetText(tasks) : "no memory";
    }
    placeAgents(&crowd->rows[0], count);
    return NULL;
}

static void findNeighbors(void* context, int32_t begin, int32_t end, int32_t worker)
{
    Crowd* crowd = context;
    Lists* lists = &crowd->lists[worker];
    const thNearestTask task = {&crowd->frame,   &crowd->grid, begin,         end,   NEIGHBORS,
                                crowd->radiusSq, lists->rows,  lists->counts, STRIDE};
    kernels[crowd->simd](&task);
    const thSight sight = {
        .neighborCount = NEIGHBORS, .neighborRadius = RADIUS, .fieldOfView = 7.0f};
    for (int32_t row = begin; row < end; ++row) {
        int32_t count = lists->counts[row - begin];
        if (count < 0) {
            thNearAgent found[NEIGHBORS];
            const thNearestQuery query = {&crowd->frame, &crowd->grid, NULL, &sight, row};
            count = thiNearest(&query, found);
        }
        lists->sum += (uint64_t)count;
    }
}

static void walk(thRows* rows, float seconds)
{
    const float units = seconds * TH_UNITS;
    for (int32_t i = 0; i < rows->count; ++i) {
        rows->px[i] += (int32_t)(rows->vx[i] * units);
        rows->py[i] += (int32_t)(rows->vy[i] * units);
    }
}

static uint64_t run(void* state)
{
    Crowd* crowd = state;
    thRows* from = &crowd->rows[crowd->current];
    walk(from, crowd->step / STEPS_THERE % 2 == 0 ? 0.1f : -0.1f);
    crowd->step += 1;
    crowd->current = 1 - crowd->current;
    thRows* rows = &crowd->rows[crowd->current];
    if (thiGridSort(&crowd->grid, from, rows, crowd->simd, crowd->tasks) != th_resultOk)
        abort(); // there is memory for a benchmark
    thiRowsPad(rows);
    crowd->frame = (thFrame){.count = rows->count,
                             .px = rows->px,
                             .py = rows->py,
                             .radius = rows->radius,
                             .layers = rows->layers,
                             .mask = rows->mask,
                             .level = rows->level,
                             .key = rows->key};
    thTasks_ParallelFor(crowd->tasks, rows->count, TH_TILE_ROWS, findNeighbors, crowd);
    return crowd->lists[0].sum;
}

#define CROWD(agents)                                                                              \
    .item = "agent", .items = agents, .quickItems = 1000, .setUp = setUp, .run = run,              \
    .tearDown = tearDown

static const thBenchCase cases[] = {
    {.name = "sense/100k/scalar", .simd = th_simdScalar, CROWD(100000)},
    {.name = "sense/100k/sse2",
     .baseline = "sense/100k/scalar",
     .simd = th_simdSse2,
     CROWD(100000)},
    {.name = "sense/100k/avx2",
     .baseline = "sense/100k/scalar",
     .simd = th_simdAvx2,
     CROWD(100000)},
    {.name = "sense/100k/avx512",
     .baseline = "sense/100k/scalar",
     .simd = th_simdAvx512,
     .minRatio = 5.0,
     .maxTime = 75.0,
     CROWD(100000)},
    {.name = "sense/100k/threads2",
     .baseline = "sense/100k/thread",
     .threads = 2,
     .minRatio = 1.8,
     CROWD(100000)},
    {.name = "sense/100k/thread", CROWD(100000)},
    {.name = "sense/1k", CROWD(1000)},
    // Growth: a million agents may take 1.5 times as long each as a thousand.
    {.name = "sense/1m", .baseline = "sense/1k", .minRatio = 1.0 / 1.5, CROWD(1000000)},
    {.name = "sense/1m/threads2",
     .baseline = "sense/1m",
     .threads = 2,
     .minRatio = 1.8,
     CROWD(1000000)},
};

const thBenchGroup thiBenchSense = {cases, sizeof cases / sizeof cases[0]};
