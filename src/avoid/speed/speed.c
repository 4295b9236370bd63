// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `speed`: its parameters, tasks for the kernel, explanations, and the call for a single
// agent.

#include "avoid/speed/speed.h"

#include "avoid/avoid_methods.h"
#include "base/core.h"
#include "base/machine.h"
#include "geom/vec2.h"
#include "method/method_marks.h"
#include "method/method_params.h"
#include "throng/random.h"
#include "velocity/kernel_input.h"

#include <math.h>
#include <stdio.h>

static thSpeedFcn* const kernels[th_simdCount] = TH_KERNEL_TABLE(thiSpeed);

#define SPEED_PARAMS(X, T)                                                                         \
    X(T, timeGap, Float, 1, 0.01, 10, "s", "Time that they keep to whoever is ahead.")             \
    X(T, spread, Float, 0, 0, 10, "s", "Standard deviation of their own times about that.")        \
    X(T, strength, Float, 8, 0, 100, "",                                                           \
      "How much they turn away from somebody whom they touch, beside where they want to go.")      \
    X(T, range, Float, 0.1, 0.001, 10, "m", "Gap within which that falls to 1/e.")                 \
    X(T, wallStrength, Float, 5, 0, 100, "", "The same of walls and moving obstacles.")            \
    X(T, wallRange, Float, 0.02, 0.001, 10, "m", "The same of walls and moving obstacles.")

TH_METHOD_PARAMS("speed", thSpeedDef, SPEED_PARAMS);

thSpeedDef thDefaultSpeedDef(void)
{
    return defaults;
}

static thResult validate(const void* params, thError* error)
{
    return thiCheckParams(&checks, params, error);
}

// Of the random numbers that time gaps are drawn with.
#define STREAM UINT64_C(0x7370656564)
// The least time gap, as a share of the mean.
#define LEAST_SHARE 0.25f

// The time gap of an agent, its own for ever.
static float timeGapOf(const thSpeedDef* def, uint64_t key)
{
    if (!(def->spread > 0.0f))
        return def->timeGap;
    const float drawn = thRandomNormal(thRandomStream(STREAM, key, 0, 0), 0);
    const float own = def->timeGap + def->spread * drawn, least = LEAST_SHARE * def->timeGap;
    return own > least ? own : least;
}

// Of each lane. NULL when memory is out.
static const float* timeGapsOf(const thBatch* batch, const thSpeedDef* def)
{
    float* gaps = thArena_Allocate(batch->scratch, (size_t)batch->lanes * sizeof *gaps);
    for (int32_t lane = 0; lane < batch->lanes && gaps != NULL; ++lane)
        gaps[lane] = lane < batch->count ? timeGapOf(def, batch->frame->key[batch->row[lane]])
                                         : def->timeGap;
    return gaps;
}

// A task for a batch, in its scratch memory. False when that is out.
static bool makeTask(const thBatch* batch, const thSpeedDef* def, thSimd simd, thSpeedTask* task)
{
    task->def = def;
    task->timeGap = timeGapsOf(batch, def);
    return task->timeGap != NULL && thiSurround(batch, simd, &task->around);
}

static void solve(const thBatch* batch, const void* params, const void* shared)
{
    const thKernelHost* own = shared;
    thSpeedTask task;
    if (makeTask(batch, params, own->simd, &task))
        kernels[own->simd](&task);
}

// What it thinks of an agent: what turns it, who is ahead, and how fast that lets it be.

// How far somebody is from the way ahead of an agent that goes in a direction, and how far its body
// is. False if it is not ahead.
static bool isInWay(const thBatch* batch, int32_t at, int32_t lane, thVec2 direction, float* gap)
{
    const thVec2 p = {batch->nx[at], batch->ny[at]};
    const float both = batch->radius[lane] + batch->nradius[at];
    *gap = sqrtf(thiDot(p, p)) - both;
    return thiDot(p, direction) > 0.0f && fabsf(thiDet(direction, p)) <= both;
}

static void addTurn(const thBatch* batch, const thSpeedDef* def, int32_t at, int32_t lane,
                    thExplanation* to)
{
    const thVec2 p = {batch->nx[at], batch->ny[at]};
    const float distance = sqrtf(thiDot(p, p));
    if (!(distance > 0.0f))
        return;
    const float gap = distance - (batch->radius[lane] + batch->nradius[at]);
    const float exponent = -gap * (1.0f / def->range);
    const float felt = def->strength * thExp(exponent < 20.0f ? exponent : 20.0f);
    if (felt < 0.01f)
        return;
    const thVec2 points[2] = {{0.0f, 0.0f}, thiScale(-felt / distance, p)};
    thMark mark = thDefaultMark();
    mark.kind = th_markArrow;
    mark.cause = th_causeAgent;
    mark.whose = batch->frame->key[batch->nrow[at]];
    mark.points = points;
    mark.pointCount = 2;
    mark.value = felt;
    mark.label = "turns it away";
    thExplanation_Add(to, &mark);
}

static void explain(const thBatch* batch, int32_t lane, const void* params, const void* shared,
                    thExplanation* to)
{
    (void)shared;
    const thSpeedDef* def = params;
    const thVec2 v = {batch->outVx[lane], batch->outVy[lane]};
    const thVec2 guide = {batch->guideX[lane], batch->guideY[lane]};
    const float speed = sqrtf(thiDot(v, v)), wanted = sqrtf(thiDot(guide, guide));
    const float timeGap = timeGapOf(def, batch->frame->key[batch->row[lane]]);
    const thVec2 direction = speed > 0.0f    ? thiScale(1.0f / speed, v)
                             : wanted > 0.0f ? thiScale(1.0f / wanted, guide)
                                             : (thVec2){0.0f, 0.0f};
    float least = TH_SPEED_FREE;
    uint64_t whose = 0;
    for (int32_t k = 0; k < batch->neighborCount[lane]; ++k) {
        const int32_t at = k * batch->lanes + lane;
        float gap;
        addTurn(batch, def, at, lane, to);
        if (isInWay(batch, at, lane, direction, &gap) && gap < least) {
            least = gap;
            whose = batch->frame->key[batch->nrow[at]];
        }
    }
    thiMarkSpeedLimit(batch, lane, to);
    char text[128];
    if (least < TH_SPEED_FREE)
        snprintf(text, sizeof text,
                 "%s: %.2f m to agent %llu ahead, at a time gap of %.2f s at most %.2f m/s",
                 batch->status[lane] == th_speedFree ? "free" : "follows", (double)least,
                 (unsigned long long)whose, (double)timeGap,
                 (double)(least > 0.0f ? least / timeGap : 0.0f));
    else
        snprintf(text, sizeof text, "free: nobody is ahead");
    thiMarkText(text, to);
}

static const char* const statusNames[] = {
    [th_speedFree] = "free", [th_speedFollows] = "follows", [th_speedStands] = "stands"};

// It keeps a time gap of its own, so it needs no pace.
const thMethod thiAvoidSpeed = {.size = sizeof(thMethod),
                                .name = "speed",
                                .version = 1,
                                .paramSize = sizeof(thSpeedDef),
                                .needs = th_needsNeighbors | th_needsWalls | th_needsMovers |
                                         th_needsNoneAtRest,
                                .defaults = &defaults,
                                .validate = validate,
                                .create = thiCreateKernelHost,
                                .destroy = thiDestroyKernelHost,
                                .solve = solve,
                                .params = parameters,
                                .paramCount = TH_COUNT_OF(parameters),
                                .explain = explain,
                                .statusNames = statusNames,
                                .statusCount = TH_COUNT_OF(statusNames),
                                .ownPace = 1.0f};

// The call for one agent: the scalar kernel on one lane.

thResult thSpeed_Solve(const thSpeedDef* def, float dt, const thAvoidSelf* self,
                       const thAvoidNeighbor* neighbors, int32_t neighborCount,
                       const thAvoidWall* walls, int32_t wallCount, thVec2* velocity,
                       thSpeedStatus* status)
{
    TH_REQUIRE(velocity != NULL && status != NULL, th_resultBadArgument);
    thSingle single;
    TH_TRY(thiTakeSingle(&single, def, validate, dt, self, neighbors, neighborCount, walls,
                         wallCount));
    const thSpeedTask task = {single.around, def, &def->timeGap};
    const thFpEnvironment hostEnvironment = thiFpEnter();
    kernels[th_simdScalar](&task);
    thiFpRestore(hostEnvironment);
    *velocity = single.answer;
    *status = (thSpeedStatus)single.status;
    return th_resultOk;
}
