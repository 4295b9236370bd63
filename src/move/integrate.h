// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Motion without walls or contacts: a row's position follows its velocity.

#ifndef THRONG_SRC_MOVE_INTEGRATE_H
#define THRONG_SRC_MOVE_INTEGRATE_H

#include "simd/dispatch.h"
#include "space/rows.h"

// Rows `begin` to `end` − 1, `begin` a multiple of TH_MAX_WIDTH; rows behind up to a multiple of it
// may be computed on but are not changed.
typedef struct thIntegrateTask {
    thRows* rows;
    const float* newVx; // by row
    const float* newVy;
    int32_t begin, end;
    float dt;
} thIntegrateTask;

// External agents keep their velocity and place; velocity-only ones take the velocity and keep
// their place. Positions stay within the world. The heading follows the velocity unless that is
// slow.
typedef void thIntegrateFcn(const thIntegrateTask* task);
TH_KERNEL_DECLARE(thiIntegrate, void, (const thIntegrateTask* task));

#endif
