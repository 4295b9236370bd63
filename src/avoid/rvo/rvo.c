// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `rvo`: its parameters, and which kernel works on a batch.

#include "avoid/rvo/rvo.h"

#include "velocity/kernel_host.h"

static thRvoFcn* const flatKernels[th_simdCount] = TH_KERNEL_TABLE(thiRvoFlat);
static thRvoFcn* const nestedKernels[th_simdCount] = TH_KERNEL_TABLE(thiRvoNested);

static const thRvoDef defaults = {.size = sizeof(thRvoDef),
                                  .samples = 250,
                                  .weight = 7.5f,
                                  .cutoff = 8.0f,
                                  .refinements = 0,
                                  .refinementSamples = 32,
                                  .even = 0,
                                  .hybrid = 0,
                                  .earlyOut = 1,
                                  .kernel = th_rvoAuto};

thRvoDef thDefaultRvoDef(void)
{
    return defaults;
}

static thResult validate(const void* params, thError* error)
{
    const thRvoDef* def = params;
    TH_TRY(thiCheckParamSize("rvo", def->size, sizeof *def, error));
    TH_TRY(thiCheckParamInt("rvo", "samples", def->samples, 1, 10000, error));
    TH_TRY(thiCheckParamFloat("rvo", "weight", def->weight, 0.0f, 1000.0f, error));
    TH_TRY(thiCheckParamFloat("rvo", "cutoff", def->cutoff, 0.0f, 1000.0f, error));
    TH_TRY(thiCheckParamInt("rvo", "refinements", def->refinements, 0, 8, error));
    TH_TRY(thiCheckParamInt("rvo", "refinementSamples", def->refinementSamples, 1, 10000, error));
    TH_TRY(thiCheckParamInt("rvo", "even", def->even, 0, 1, error));
    TH_TRY(thiCheckParamInt("rvo", "hybrid", def->hybrid, 0, 1, error));
    TH_TRY(thiCheckParamInt("rvo", "earlyOut", def->earlyOut, 0, 1, error));
    return thiCheckParamInt("rvo", "kernel", def->kernel, th_rvoAuto, th_rvoNested, error);
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

#define PARAM(name, kind, min, max, unit, about)                                                   \
    TH_PARAM(thRvoDef, name, kind, min, max, unit, about)

static const thParam params[] = {
    PARAM(samples, th_paramInt, 1, 10000, "",
          "Velocities that are tried out; the first is the wanted one."),
    PARAM(weight, th_paramFloat, 0, 1000, "m",
          "A collision in so many seconds costs as much as 1 m/s beside the wanted velocity."),
    PARAM(cutoff, th_paramFloat, 0, 1000, "s", "Later collisions cost nothing; 0: all count."),
    PARAM(refinements, th_paramInt, 0, 8, "",
          "Rounds that follow round the best sample, each in half the radius."),
    PARAM(refinementSamples, th_paramInt, 1, 10000, "", "Samples of each of these rounds."),
    PARAM(even, th_paramBool, 0, 1, "", "Samples are spread evenly, and turned at random."),
    PARAM(hybrid, th_paramBool, 0, 1, "",
          "Who passes on the wrong side gives way alone, so that pairs do not dance."),
    PARAM(earlyOut, th_paramBool, 0, 1, "",
          "Samples are given up once they cannot be the best; changes only the time."),
    PARAM(kernel, th_paramWord, 0, 2, "auto|flat|nested",
          "Whether registers hold agents or samples of one; changes only the time."),
};

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
                               .params = params,
                               .paramCount = sizeof params / sizeof params[0],
                               .explain = thiRvoExplain};
