// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `speed`: the collision-free speed model; its kernel and what that works on.

#ifndef THRONG_SRC_AVOID_SPEED_H
#define THRONG_SRC_AVOID_SPEED_H

#include "base/memory.h"
#include "simd/dispatch.h"
#include "throng/method.h"
#include "throng/speed.h"

// Agents in lanes; two-dimensional arrays are [k · lanes + lane]. Entries past a lane's count are
// not looked at. `lanes` is a multiple of TH_MAX_WIDTH, or any number for the scalar kernel.
typedef struct thSpeedTask {
    int32_t lanes;
    const thSpeedDef* def;
    float dt;
    const float *vx, *vy, *radius, *maxSpeed, *maxAccel, *guideX, *guideY;
    const float* timeGap; // of each agent [s]
    const int32_t* row;   // for those who stand on one point: the lower row goes to the left
    int32_t neighborMax;
    const int32_t* neighborCount;
    const float *nx, *ny, *nradius;
    const int32_t* nrow;
    int32_t wallMax;
    const int32_t* wallCount;
    const float *ax, *ay, *bx, *by, *wradius;
    float *outVx, *outVy;
    uint8_t* status;
} thSpeedTask;

// The gap of those who have nobody ahead. [m]
#define TH_SPEED_FREE 1.0e6f

typedef void thSpeedFcn(const thSpeedTask* task);
TH_KERNEL_DECLARE(thiSpeed, void, (const thSpeedTask* task));

#endif
