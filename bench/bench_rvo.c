// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Cases of methods `rvo` and `clearpath` on the same people, and of a whole floor that leaves by
// `rvo`. The kernels by themselves work on people of a crowd who go where they like and see the ten
// nearest, with 250 samples; those of `clearpath` one after the other. Ten thousand leave an office
// floor in whole steps. Whole steps in the open are in bench_world.c.

#include "bench.h"

#include "avoid/clearpath/clearpath.h"
#include "avoid/rvo/rvo.h"
#include "base/memory.h"
#include "throng/random.h"
#include "throng/scene.h"
#include "throng/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// People stand on a jittered grid of one metre, in a square of `side` by `side`; those of the batch
// are in its middle.
enum { side = 24, batchRows = 64, nearestCount = 10 };

typedef struct Kernel {
    int32_t agents;
    bool nested, earlyOut;
} Kernel;

// A batch with everything it points to.
typedef struct Batch {
    thMemory memory;
    thArena arena;
    thRvoTask task;
    thRvoFcn* kernel;
    thClearpathTask clearpath;
    void* room;
    thFrame frame;
    thWalls walls;
    thMovers movers;
    thBatch batch;
    int32_t zeros[batchRows], rows[batchRows], counts[batchRows], nrow[nearestCount * batchRows];
    uint64_t keys[batchRows];
    uint32_t flags[batchRows];
    float own[9][batchRows], others[6][nearestCount * batchRows];
    uint8_t status[batchRows];
} Batch;

static thVec2 placeOf(int32_t i)
{
    const uint64_t stream = thRandomStream(1, (uint64_t)i, 0, 0);
    return (thVec2){(float)(i % side) + thRandomRange(stream, 0, 0.35f, 0.65f),
                    (float)(i / side) + thRandomRange(stream, 1, 0.35f, 0.65f)};
}

static thVec2 velocityOf(int32_t i)
{
    const uint64_t stream = thRandomStream(2, (uint64_t)i, 0, 0);
    float sine, cosine;
    thSinCos(thRandomRange(stream, 0, 0.0f, 6.2831853f), &sine, &cosine);
    return (thVec2){1.3f * cosine, 1.3f * sine};
}

// The neighbours of somebody: by trying all, nearest first.
static void fillNeighbors(Batch* b, int32_t lane, int32_t self)
{
    const thVec2 at = placeOf(self);
    float before = 0.0f;
    for (int32_t k = 0; k < nearestCount; ++k) {
        float least = INFINITY;
        int32_t nearest = 0;
        for (int32_t i = 0; i < side * side; ++i) {
            const thVec2 other = placeOf(i);
            const float x = other.x - at.x, y = other.y - at.y, distanceSq = x * x + y * y;
            if (i == self || distanceSq <= before || distanceSq >= least)
                continue;
            least = distanceSq;
            nearest = i;
        }
        before = least;
        const int32_t to = k * b->batch.lanes + lane;
        const thVec2 other = placeOf(nearest), velocity = velocityOf(nearest);
        const float values[6] = {other.x - at.x, other.y - at.y, velocity.x,
                                 velocity.y,     0.25f,          0.5f};
        for (int32_t c = 0; c < 6; ++c)
            b->others[c][to] = values[c];
    }
}

static void fillAgent(Batch* b, int32_t lane, bool isThere)
{
    const int32_t self = (side / 2 - 4 + lane / 8) * side + side / 2 - 4 + lane % 8;
    const thVec2 velocity = velocityOf(self);
    const float values[7] = {velocity.x, velocity.y, 0.25f, 2.0f, 0.0f, velocity.x, velocity.y};
    for (int32_t c = 0; c < 7; ++c)
        b->own[c][lane] = values[c];
    b->keys[lane] = (uint64_t)self;
    b->counts[lane] = isThere ? nearestCount : 0;
    if (isThere)
        fillNeighbors(b, lane, self);
}

static void fillBatch(Batch* b, int32_t agents)
{
    const int32_t lanes = (agents + TH_MAX_WIDTH - 1) / TH_MAX_WIDTH * TH_MAX_WIDTH;
    b->frame = (thFrame){.count = agents,
                         .step = 1,
                         .seed = 1,
                         .dt = 0.1f,
                         .px = b->zeros,
                         .py = b->zeros,
                         .key = b->keys,
                         .flags = b->flags,
                         .walls = &b->walls,
                         .movers = &b->movers};
    b->batch = (thBatch){.frame = &b->frame,
                         .count = agents,
                         .lanes = lanes,
                         .row = b->rows,
                         .vx = b->own[0],
                         .vy = b->own[1],
                         .radius = b->own[2],
                         .maxSpeed = b->own[3],
                         .maxAccel = b->own[4],
                         .guideX = b->own[5],
                         .guideY = b->own[6],
                         .neighborCount = b->counts,
                         .neighborMax = nearestCount,
                         .nx = b->others[0],
                         .ny = b->others[1],
                         .nvx = b->others[2],
                         .nvy = b->others[3],
                         .nradius = b->others[4],
                         .nshare = b->others[5],
                         .nrow = b->nrow,
                         .wallCount = b->zeros,
                         .moverCount = b->zeros,
                         .outVx = b->own[7],
                         .outVy = b->own[8],
                         .status = b->status,
                         .scratch = &b->arena};
    for (int32_t lane = 0; lane < lanes; ++lane)
        fillAgent(b, lane, lane < agents);
}

static void tearDownKernel(void* data)
{
    Batch* b = data;
    thiArenaFree(&b->arena);
    free(b);
}

static Batch* createBatch(int32_t agents)
{
    Batch* b = calloc(1, sizeof *b);
    if (b == NULL)
        return NULL;
    thiMemoryInit(&b->memory, NULL, 0);
    thiArenaInit(&b->arena, &b->memory);
    fillBatch(b, agents);
    return b;
}

static const char* setUpKernel(const thBenchCase* self, void** data)
{
    static thRvoFcn* const flat[th_simdCount] = TH_KERNEL_TABLE(thiRvoFlat);
    static thRvoFcn* const nested[th_simdCount] = TH_KERNEL_TABLE(thiRvoNested);
    const Kernel* kernel = self->context;
    const thSimd simd = thSimd_Resolve(self->simd);
    Batch* b = createBatch(kernel->agents);
    *data = b;
    if (b == NULL)
        return thResult_GetText(th_resultNoMemory);
    thRvoDef def = thDefaultRvoDef();
    def.earlyOut = kernel->earlyOut;
    b->kernel = (kernel->nested ? nested : flat)[simd];
    if (thiRvoMakeTask(&b->batch, &def, &b->task))
        return NULL;
    tearDownKernel(b);
    return thResult_GetText(th_resultNoMemory);
}

static uint64_t runKernel(void* data)
{
    const Batch* b = data;
    b->kernel(&b->task);
    uint64_t sum = 0;
    for (int32_t i = 0; i < b->task.count; ++i)
        sum += (uint64_t)b->task.chosen[i];
    return sum;
}

static const char* setUpClearpath(const thBenchCase* self, void** data)
{
    static thClearpathDef def;
    def = thDefaultClearpathDef();
    Batch* b = createBatch((int32_t)self->items);
    *data = b;
    if (b == NULL)
        return thResult_GetText(th_resultNoMemory);
    thClearpathTask* task = &b->clearpath;
    if (thiClearpathMakeTask(&b->batch, &def, thSimd_Resolve(self->simd), task)) {
        b->room = thArena_Allocate(
            &b->arena, thiClearpathRoom(task->lanes, task->neighborMax, task->walls.most));
        if (b->room != NULL)
            return NULL;
    }
    tearDownKernel(b);
    return thResult_GetText(th_resultNoMemory);
}

static uint64_t runClearpath(void* data)
{
    const Batch* b = data;
    thiClearpathSolveAll(&b->clearpath, b->room);
    uint64_t sum = 0;
    for (int32_t i = 0; i < b->clearpath.count; ++i)
        sum += b->status[i];
    return sum;
}

// An evacuation that has got under way: a scene and its run.
typedef struct Evacuation {
    thScene* scene;
    thRun* run;
} Evacuation;

static void tearDownEvacuation(void* data)
{
    Evacuation* state = data;
    thDestroyRun(state->run);
    thDestroyScene(state->scene);
    free(state);
}

static const char* setUpEvacuation(const thBenchCase* self, void** data)
{
    thSceneDef sceneDef = thDefaultSceneDef();
    sceneDef.path = BENCH_SCENES "/evacuation-10000.json";
    thRunDef def = thDefaultRunDef();
    def.world.workerCount = self->threads;
    def.world.simd = self->simd;
    def.methods[th_methodAvoid] = "rvo";
    Evacuation* state = calloc(1, sizeof *state);
    thResult code = state != NULL ? thLoadScene(&sceneDef, &state->scene) : th_resultNoMemory;
    if (code == th_resultOk)
        code = thCreateRun(state->scene, &def, &state->run);
    for (int32_t i = 0; i < 20 && code == th_resultOk; ++i)
        code = thRun_Step(state->run);
    *data = state;
    if (code == th_resultOk)
        return NULL;
    if (state != NULL)
        tearDownEvacuation(state);
    return thResult_GetText(code);
}

static uint64_t runEvacuation(void* data)
{
    return (uint64_t)thRun_Step(((Evacuation*)data)->run);
}

static int32_t getParts(void* data, int64_t times[thiBenchPartMax])
{
    const thCounters counters = thWorld_GetCounters(thRun_GetWorld(((Evacuation*)data)->run));
    for (int32_t i = 0; i < th_stageCount; ++i)
        times[i] = counters.stageTime[i];
    return th_stageCount;
}

static const char* getPartName(int32_t part)
{
    return thStage_GetName((thStage)part);
}

static const Kernel wholeFlat = {batchRows, false, false}, wholeNested = {batchRows, true, false};
static const Kernel earlyFlat = {batchRows, false, true}, earlyNested = {batchRows, true, true};
static const Kernel fourFlat = {4, false, true}, fourNested = {4, true, true};
static const Kernel fourWholeFlat = {4, false, false}, fourWholeNested = {4, true, false};

#define KERNEL(kernel, count)                                                                      \
    .context = &kernel, .item = "agent", .items = count, .setUp = setUpKernel, .run = runKernel,   \
    .tearDown = tearDownKernel

#define CLEARPATH                                                                                  \
    .item = "agent", .items = batchRows, .setUp = setUpClearpath, .run = runClearpath,             \
    .tearDown = tearDownKernel

#define EVACUATION                                                                                 \
    .item = "agent", .items = 10000, .setUp = setUpEvacuation, .run = runEvacuation,               \
    .tearDown = tearDownEvacuation, .getParts = getParts, .getPartName = getPartName

// The bounds: eight times as fast as scalar, and two and a half times where samples are given up;
// for four agents samples in lanes three times as fast as agents in lanes; an evacuation at sixty
// steps a second on two threads. ClearPath without vectors is eight times as fast as RVO without
// them that looks at all samples.
static const thBenchCase cases[] = {
    {.name = "rvo/whole/nested",
     .baseline = "rvo/whole/scalar",
     .minRatio = 8,
     KERNEL(wholeNested, batchRows)},
    {.name = "rvo/whole/flat", .baseline = "rvo/whole/scalar", KERNEL(wholeFlat, batchRows)},
    {.name = "rvo/whole/scalar", .simd = th_simdScalar, KERNEL(wholeFlat, batchRows)},
    {.name = "rvo/early/nested",
     .baseline = "rvo/early/scalar",
     .minRatio = 2.5,
     KERNEL(earlyNested, batchRows)},
    {.name = "rvo/early/flat", .baseline = "rvo/early/scalar", KERNEL(earlyFlat, batchRows)},
    {.name = "rvo/early/scalar", .simd = th_simdScalar, KERNEL(earlyFlat, batchRows)},
    {.name = "rvo/four/nested", .baseline = "rvo/four/flat", .minRatio = 3, KERNEL(fourNested, 4)},
    {.name = "rvo/four/flat", KERNEL(fourFlat, 4)},
    {.name = "rvo/four/whole/nested",
     .baseline = "rvo/four/whole/flat",
     .minRatio = 3,
     KERNEL(fourWholeNested, 4)},
    {.name = "rvo/four/whole/flat", KERNEL(fourWholeFlat, 4)},
    {.name = "clearpath/batch", .baseline = "clearpath/batch/scalar", CLEARPATH},
    {.name = "clearpath/batch/scalar",
     .baseline = "rvo/whole/scalar",
     .minRatio = 8,
     .simd = th_simdScalar,
     CLEARPATH},
    {.name = "rvo/evacuation", EVACUATION},
    {.name = "rvo/evacuation/threads2",
     .baseline = "rvo/evacuation",
     .maxTime = 1e9 / 60 / 10000,
     .threads = 2,
     EVACUATION},
};

const thBenchGroup thiBenchRvo = {cases, sizeof cases / sizeof cases[0]};
