// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `orca`: optimal reciprocal collision avoidance by half-planes; its kernel and what that
// works on.

#ifndef THRONG_SRC_AVOID_ORCA_H
#define THRONG_SRC_AVOID_ORCA_H

#include "throng/orca.h"
#include "velocity/kernel_input.h"

typedef struct thOrcaTask {
    thSurroundings around;
    float timeHorizon, wallHorizon, separationTime; // s
    float biasSine, biasCosine;
    // Half-planes: normal · v >= offset. Room for (wallMax + neighborMax) · lanes each.
    float *lineX, *lineY, *lineO;
    // Room for (wallMax + neighborMax) · TH_MAX_WIDTH each, twice: lines of lanes that had no
    // solution, packed, and lines made from them.
    float *packX, *packY, *packO;
} thOrcaTask;

typedef void thOrcaFcn(const thOrcaTask* task);
TH_KERNEL_DECLARE(thiOrca, void, (const thOrcaTask* task));

#endif
