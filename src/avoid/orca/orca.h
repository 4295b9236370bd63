// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `orca`: optimal reciprocal collision avoidance by half-planes; its kernel and what that
// works on.

#ifndef THRONG_SRC_AVOID_ORCA_H
#define THRONG_SRC_AVOID_ORCA_H

#include "base/memory.h"
#include "simd/dispatch.h"
#include "throng/method.h"
#include "throng/orca.h"

// Agents in lanes; two-dimensional arrays are [k · lanes + lane]. Entries past a lane's count are
// not looked at. `lanes` is a multiple of TH_MAX_WIDTH, or any number for the scalar kernel.
typedef struct thOrcaTask {
    int32_t lanes;
    float timeHorizon, wallHorizon, separationTime; // s
    float biasSine, biasCosine;
    float dt;
    const float *vx, *vy, *radius, *maxSpeed, *maxAccel, *guideX, *guideY;
    const int32_t* row; // for those who stand on one point: the lower row goes to the left
    int32_t neighborMax;
    const int32_t* neighborCount;
    const float *nx, *ny, *nvx, *nvy, *nradius, *nshare;
    const int32_t* nrow;
    int32_t wallMax;
    const int32_t* wallCount;
    const float *ax, *ay, *bx, *by, *wvx, *wvy, *wradius;
    // Half-planes: normal · v >= offset. Room for (wallMax + neighborMax) · lanes each.
    float *lineX, *lineY, *lineO;
    // Room for (wallMax + neighborMax) · TH_MAX_WIDTH each, twice: lines of lanes that had no
    // solution, packed, and lines made from them.
    float *packX, *packY, *packO;
    float *outVx, *outVy;
    uint8_t* status;
} thOrcaTask;

typedef void thOrcaFcn(const thOrcaTask* task);
TH_KERNEL_DECLARE(thiOrca, void, (const thOrcaTask* task));

#endif
