// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `speed`: the collision-free speed model; its kernel and what that works on.

#ifndef THRONG_SRC_AVOID_SPEED_H
#define THRONG_SRC_AVOID_SPEED_H

#include "throng/speed.h"
#include "velocity/kernel_input.h"

typedef struct thSpeedTask {
    thSurroundings around;
    const thSpeedDef* def;
    const float* timeGap; // of each agent [s]
} thSpeedTask;

// The gap of those who have nobody ahead. [m]
#define TH_SPEED_FREE 1.0e6f

typedef void thSpeedFcn(const thSpeedTask* task);
TH_KERNEL_DECLARE(thiSpeed, void, (const thSpeedTask* task));

#endif
