// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `rvo`: its parameters, and which kernel works on a batch.

#include "avoid/rvo/rvo.h"

#include "method/method_params.h"
#include "velocity/kernel_host.h"

static thRvoFcn* const flatKernels[th_simdCount] = TH_KERNEL_TABLE(thiRvoFlat);
static thRvoFcn* const nestedKernels[th_simdCount] = TH_KERNEL_TABLE(thiRvoNested);

#define RVO_PARAMS(X, T)                                                                           \
    X(T, samples, Int, 250, 1, 10000, "",                                                          \
      "Velocities that are tried out; the first is the wanted one.")                               \
    X(T, weight, Float, 7.5, 0, 1000, "m",                                                         \
      "A collision in so many seconds costs as much as 1 m/s beside the wanted velocity.")         \
    X(T, cutoff, Float, 8, 0, 1000, "s", "Later collisions cost nothing; 0: all count.")           \
    X(T, refinements, Int, 0, 0, 8, "",                                                            \
      "Rounds that follow round the best sample, each in half the radius.")                        \
    X(T, refinementSamples, Int, 32, 1, 10000, "", "Samples of each of these rounds.")             \
    X(T, even, Bool, 0, 0, 1, "", "Samples are spread evenly, and turned at random.")              \
    X(T, hybrid, Bool, 0, 0, 1, "",                                                                \
      "Who passes on the wrong side gives way alone, so that pairs do not dance.")                 \
    X(T, earlyOut, Bool, 1, 0, 1, "",                                                              \
      "Samples are given up once they cannot be the best; changes only the time.")                 \
    X(T, kernel, Word, th_rvoAuto, th_rvoAuto, th_rvoNested, "auto|flat|nested",                   \
      "Whether registers hold agents or samples of one; changes only the time.")

TH_METHOD_PARAMS("rvo", thRvoDef, RVO_PARAMS);

thRvoDef thDefaultRvoDef(void)
{
    return defaults;
}

static thResult validate(const void* params, thError* error)
{
    return thiCheckParams(&checks, params, error);
}

// Registers of flat kernels are full only if a batch has agents enough, those of nested ones if
// there are samples enough. Samples of one agent are given up sooner than those of many, which
// makes a register of them cost 3/5 of the other.
static bool isNested(const thRvoDef* def, thSimd simd, int32_t count)
{
    if (def->kernel != th_rvoAuto)
        return def->kernel == th_rvoNested;
    const int32_t width = thSimd_GetWidth(simd);
    const int32_t flat = (count + width - 1) / width * def->samples;
    const int32_t nested = (def->samples + width - 1) / width * count;
    return (def->earlyOut != 0 ? 3 : 5) * nested <= 5 * flat;
}

static void solve(const thBatch* batch, const void* params, const void* shared)
{
    const thKernelHost* own = shared;
    thRvoTask task;
    if (!thiRvoMakeTask(batch, params, &task))
        return;
    const bool nested = isNested(params, own->simd, batch->count);
    (nested ? nestedKernels : flatKernels)[own->simd](&task);
}

static const char* const statusNames[] = {[th_rvoFree] = "free",
                                          [th_rvoAvoiding] = "avoiding",
                                          [th_rvoColliding] = "colliding",
                                          [th_rvoParting] = "parting"};

const thMethod thiRvoMethod = {.size = sizeof(thMethod),
                               .name = "rvo",
                               .version = 1,
                               .paramSize = sizeof(thRvoDef),
                               .needs = th_needsNeighbors | th_needsWalls | th_needsMovers,
                               .defaults = &defaults,
                               .validate = validate,
                               .create = thiCreateKernelHost,
                               .destroy = thiDestroyKernelHost,
                               .solve = solve,
                               .params = parameters,
                               .paramCount = TH_COUNT_OF(parameters),
                               .explain = thiRvoExplain,
                               .statusNames = statusNames,
                               .statusCount = TH_COUNT_OF(statusNames)};
