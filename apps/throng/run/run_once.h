// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// One run of a scene, from its creation or from a saved state to its end.

#ifndef THRONG_APPS_RUN_ONCE_H
#define THRONG_APPS_RUN_ONCE_H

#include "run/run_options.h"
#include "run/run_result.h"
#include "survey/survey_source.h"

typedef struct RunJob {
    const thScene* scene;
    const RunOptions* options;
    thSimd simd;
    const char* methods[th_methodKindCount]; // what the result is to call them
    const char* snapshot;                    // where the run is saved; NULL: it is not
    const Gauges* gauges;                    // what is measured
} RunJob;

// `label` stands before the progress. What fails is said; `result->isThere` tells whether there is
// a result nevertheless. exitDone also when the run was interrupted.
ExitCode appRunOnce(const RunJob* job, uint64_t seed, const char* label, RunResult* result);

#endif
