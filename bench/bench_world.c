// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Whole steps of random-N: agents of radius 0.25 m at 1 agent a square metre, preferring 1.4 m/s,
// on their way to random goals, seeing the ten nearest within 3.75 m.

#include "bench.h"

#include "throng/random.h"
#include "throng/world.h"

#include <math.h>
#include <stdlib.h>

// Reads what was sensed, so that it is there, and goes where it wants.
static void watchSolve(const thBatch* batch, const void* params, const void* shared)
{
    (void)params;
    (void)shared;
    for (int32_t lane = 0; lane < batch->lanes; ++lane) {
        batch->outVx[lane] = batch->guideX[lane];
        batch->outVy[lane] = batch->guideY[lane];
        batch->status[lane] = (uint8_t)batch->neighborCount[lane];
    }
}

static const thMethod watch = {.size = sizeof(thMethod),
                               .name = "watch",
                               .version = 1,
                               .needs = th_needsNeighbors,
                               .solve = watchSolve};

enum { goalCount = 1000 };

static thResult fillWorld(thWorld* world, int32_t count)
{
    thProfileDef def = thDefaultProfileDef();
    def.avoid.name = "watch";
    def.neighborRadius = 3.75f;
    def.prefSpeed = 1.4f;
    thAgentColumns columns = thDefaultAgentColumns();
    thGoalId goals[goalCount];
    const float side = sqrtf((float)count);
    thResult code = thWorld_AddMethod(world, th_methodAvoid, &watch);
    if (code == th_resultOk)
        code = thCreateProfile(world, &def, &columns.shared.profile, NULL);
    if (code == th_resultOk)
        code = thWorld_Reserve(world, count);
    for (int32_t i = 0; i < goalCount && code == th_resultOk; ++i) {
        const uint64_t stream = thRandomStream(2, (uint64_t)i, 0, 0);
        const thVec2 point = {thRandomRange(stream, 0, 0.0f, side),
                              thRandomRange(stream, 1, 0.0f, side)};
        code = thCreatePointGoal(world, point, &goals[i]);
    }
    thVec2* positions = calloc((size_t)count, sizeof *positions);
    thGoalId* wishes = calloc((size_t)count, sizeof *wishes);
    if (positions == NULL || wishes == NULL)
        code = th_resultNoMemory;
    for (int32_t i = 0; i < count && code == th_resultOk; ++i) {
        const uint64_t stream = thRandomStream(1, (uint64_t)i, 0, 0);
        positions[i] =
            (thVec2){thRandomRange(stream, 0, 0.0f, side), thRandomRange(stream, 1, 0.0f, side)};
        wishes[i] = goals[thRandomBits(stream, 2) % goalCount];
    }
    columns.count = count;
    columns.positions = positions;
    columns.goals = wishes;
    if (code == th_resultOk)
        code = thCreateAgents(world, &columns, NULL);
    free(positions);
    free(wishes);
    return code;
}

static void tearDown(void* state)
{
    thDestroyWorld(state);
}

static const char* setUp(const thBenchCase* self, void** state)
{
    thWorldDef def = thDefaultWorldDef();
    def.workerCount = self->threads;
    def.simd = self->simd;
    thWorld* world;
    thResult code = thCreateWorld(&def, &world);
    if (code == th_resultOk)
        code = fillWorld(world, (int32_t)self->items);
    if (code != th_resultOk) {
        thDestroyWorld(world);
        return thResult_GetText(code);
    }
    *state = world;
    return NULL;
}

// Goals are far compared with what a benchmark walks: the step is short, so that crowds stay
// spread.
static uint64_t run(void* state)
{
    return (uint64_t)thWorld_Step(state, 0.01f);
}

#define WORLD(agents)                                                                              \
    .item = "agent", .items = agents, .setUp = setUp, .run = run, .tearDown = tearDown

static const thBenchCase cases[] = {
    {.name = "world/1k", WORLD(1000)},
    {.name = "world/100k", WORLD(100000)},
    {.name = "world/100k/scalar", .baseline = "world/100k", .simd = th_simdScalar, WORLD(100000)},
    {.name = "world/100k/threads2", .baseline = "world/100k", .threads = 2, WORLD(100000)},
};

const thBenchGroup thiBenchWorld = {cases, sizeof cases / sizeof cases[0]};
