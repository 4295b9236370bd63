// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What is left where half-planes allow no velocity: the one that violates the worst of them least.

#ifndef THRONG_SRC_VELOCITY_LEAST_VIOLATION_H
#define THRONG_SRC_VELOCITY_LEAST_VIOLATION_H

#include "simd/dispatch.h"

#include <stdbool.h>

// An offset that allows everything.
#define TH_ALLOWS_ALL (-1.0e30f)

typedef enum thLeastViolation {
    th_violatesNone,
    th_violatesAgents, // the worst of them as little as can be
    th_violatesWalls   // walls alone allow nothing: it stands
} thLeastViolation;

// Agents in lanes, arrays are [k · lanes + lane]. `lanes` is a multiple of TH_MAX_WIDTH, or any
// number for the scalar kernel.
typedef struct thHalfPlaneTask {
    int32_t lanes;
    int32_t walls; // so many half-planes come first, and are never violated
    int32_t count;
    const float *x, *y, *o;          // (x, y) · v >= o is allowed; normals of length 1
    float *spareX, *spareY, *spareO; // room for count · TH_MAX_WIDTH each
    const float *wantedX, *wantedY, *maxSpeed;
    float *outVx, *outVy;
    uint8_t* answer; // a thLeastViolation
} thHalfPlaneTask;

typedef void thHalfPlaneFcn(const thHalfPlaneTask* task);
TH_KERNEL_DECLARE(thiLeastViolation, void, (const thHalfPlaneTask* task));

#endif
