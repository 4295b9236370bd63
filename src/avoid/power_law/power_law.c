// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `power-law`: its parameters, tasks for the kernel, explanations, and the call for a single
// agent.

#include "avoid/power_law/power_law.h"

#include "avoid/avoid_methods.h"
#include "base/core.h"
#include "base/machine.h"
#include "geom/vec2.h"
#include "method/method_marks.h"
#include "method/method_params.h"
#include "throng/collision.h"

#include <math.h>
#include <stdio.h>

static thPowerLawFcn* const kernels[th_simdCount] = TH_KERNEL_TABLE(thiPowerLaw);

#define POWER_LAW_PARAMS(X, T)                                                                     \
    X(T, strength, Float, 1.5, 0, 100, "m²",                                                       \
      "How strong the interaction is: at a time t to the collision its energy is this / t².")      \
    X(T, horizon, Float, 3, 0.1, 100, "s",                                                         \
      "Time to the collision beyond which it falls off exponentially.")                            \
    X(T, relaxation, Float, 0.5, 0.01, 10, "s",                                                    \
      "Time in which they take up the velocity that they want.")                                   \
    X(T, maxForce, Float, 20, 0, 1000, "m/s²", "The most that any one neighbour or wall pushes.")  \
    X(T, implicit, Bool, 1, 0, 1, "",                                                              \
      "Whether a step takes into account how forces change with the velocity it leads to.")

TH_METHOD_PARAMS("power-law", thPowerLawDef, POWER_LAW_PARAMS);

thPowerLawDef thDefaultPowerLawDef(void)
{
    return defaults;
}

static thResult validate(const void* params, thError* error)
{
    return thiCheckParams(&checks, params, error);
}

static void solve(const thBatch* batch, const void* params, const void* shared)
{
    const thKernelHost* own = shared;
    thPowerLawTask task = {.def = params};
    if (thiSurround(batch, own->simd, &task.around))
        kernels[own->simd](&task);
}

// What it thinks of an agent: all forces, and what it runs into first.

// Solves once more, into the batch's scratch memory, and keeps what is felt. False when that is
// out.
static bool feelAgain(const thBatch* batch, thPowerLawTask* task, thPowerLawFelt* felt)
{
    if (!thiSurround(batch, th_simdScalar, &task->around))
        return false;
    const size_t lanes = (size_t)batch->lanes;
    const size_t items = ((size_t)task->around.neighborMax + 1) * lanes;
    float* columns = thArena_Allocate(batch->scratch, (3 * items + 2 * lanes) * sizeof *columns);
    uint8_t* status = thArena_Allocate(batch->scratch, lanes);
    if (columns == NULL || status == NULL)
        return false;
    *felt = (thPowerLawFelt){columns, columns + items, columns + 2 * items};
    task->around.outVx = columns + 3 * items;
    task->around.outVy = columns + 3 * items + lanes;
    task->around.status = status;
    task->felt = felt;
    thiPowerLaw_scalar(task);
    return true;
}

// Names the entry among walls and edges of moving obstacles that an agent reaches first.
static void nameWall(const thBatch* batch, const thSurroundings* around, int32_t lane, thMark* mark)
{
    const thMovers* movers = batch->frame->movers;
    float least = INFINITY;
    int32_t first = 0;
    for (int32_t k = 0; k < around->wallCount[lane]; ++k) {
        const int32_t at = k * around->lanes + lane;
        const thVec2 a = {around->ax[at], around->ay[at]}, b = {around->bx[at], around->by[at]};
        const thVec2 v = {around->vx[lane] - around->wvx[at], around->vy[lane] - around->wvy[at]};
        const float time =
            thTimeToCollisionSegment(a, b, v, around->radius[lane] + around->wradius[at]);
        if (time < least) {
            least = time;
            first = k;
        }
    }
    mark->cause = first < batch->wallCount[lane] ? th_causeWall : th_causeMover;
    if (mark->cause == th_causeWall) {
        const int32_t wall = batch->wall[first * batch->lanes + lane];
        mark->whose = thiMarkNameOf(batch->frame->walls->obstacle[wall]);
        return;
    }
    int32_t entry = batch->wallCount[lane];
    for (int32_t k = 0; k < batch->moverCount[lane]; ++k) {
        const int32_t mover = batch->mover[k * batch->lanes + lane];
        const int32_t corners = movers->firstCorner[mover + 1] - movers->firstCorner[mover];
        entry += corners > 0 ? corners : 1;
        if (first < entry) {
            mark->whose = thiMarkNameOf(movers->obstacle[mover]);
            return;
        }
    }
}

static void explain(const thBatch* batch, int32_t lane, const void* params, const void* shared,
                    thExplanation* to)
{
    (void)shared;
    thPowerLawTask task = {.def = params};
    thPowerLawFelt felt;
    if (!feelAgain(batch, &task, &felt))
        return;
    thMark first = thDefaultMark();
    float least = INFINITY;
    for (int32_t k = 0; k <= task.around.neighborMax; ++k) {
        const int32_t at = k * batch->lanes + lane;
        const bool isWall = k == task.around.neighborMax;
        if (!isWall && k >= batch->neighborCount[lane])
            continue;
        const thVec2 points[2] = {{0.0f, 0.0f}, {felt.forceX[at], felt.forceY[at]}};
        thMark mark = thDefaultMark();
        mark.kind = th_markArrow;
        if (isWall && felt.time[at] < INFINITY) {
            nameWall(batch, &task.around, lane, &mark);
        } else if (!isWall) {
            mark.cause = th_causeAgent;
            mark.whose = batch->frame->key[batch->nrow[at]];
        }
        mark.points = points;
        mark.pointCount = 2;
        mark.value = sqrtf(thiDot(points[1], points[1]));
        mark.label = "pushes";
        if (mark.value > 0.0f)
            thExplanation_Add(to, &mark);
        if (mark.value > 0.0f && felt.time[at] < least) {
            least = felt.time[at];
            first = mark;
        }
    }
    thiMarkSpeedLimit(batch, lane, to);
    const char* const kinds[] = {[th_causeNone] = "",
                                 [th_causeAgent] = "agent",
                                 [th_causeWall] = "wall",
                                 [th_causeMover] = "moving obstacle"};
    char text[128];
    if (!(least < INFINITY))
        snprintf(text, sizeof text, "free: it runs into nothing");
    else if (least > 0.0f)
        snprintf(text, sizeof text, "avoids: %s %llu in %.2f s, which pushes %.2f m/s²",
                 kinds[first.cause], (unsigned long long)first.whose, (double)least,
                 (double)first.value);
    else
        snprintf(text, sizeof text, "parts: from %s %llu, which pushes %.2f m/s²",
                 kinds[first.cause], (unsigned long long)first.whose, (double)first.value);
    thiMarkText(text, to);
}

static const char* const statusNames[] = {
    [th_powerLawFree] = "free", [th_powerLawAvoids] = "avoids", [th_powerLawParts] = "parts"};

// Who walks behind somebody at the same velocity feels nothing, so it needs all of the pace.
const thMethod thiAvoidPowerLaw = {.size = sizeof(thMethod),
                                   .name = "power-law",
                                   .version = 1,
                                   .paramSize = sizeof(thPowerLawDef),
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
                                   .statusCount = TH_COUNT_OF(statusNames)};

// The call for one agent: the scalar kernel on one lane.

thResult thPowerLaw_Solve(const thPowerLawDef* def, float dt, const thAvoidSelf* self,
                          const thAvoidNeighbor* neighbors, int32_t neighborCount,
                          const thAvoidWall* walls, int32_t wallCount, thVec2* velocity,
                          thPowerLawStatus* status)
{
    TH_REQUIRE(velocity != NULL && status != NULL, th_resultBadArgument);
    thSingle single;
    TH_TRY(thiTakeSingle(&single, def, validate, dt, self, neighbors, neighborCount, walls,
                         wallCount));
    const thPowerLawTask task = {.around = single.around, .def = def};
    const thFpEnvironment hostEnvironment = thiFpEnter();
    kernels[th_simdScalar](&task);
    thiFpRestore(hostEnvironment);
    *velocity = single.answer;
    *status = (thPowerLawStatus)single.status;
    return th_resultOk;
}
