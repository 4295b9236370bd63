// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The two ends of motion, as kernels: where velocities lead, and taking the places that are left.

#ifndef THRONG_SRC_MOVE_INTEGRATE_H
#define THRONG_SRC_MOVE_INTEGRATE_H

#include "simd/dispatch.h"
#include "space/rows.h"

// Below this speed a heading would follow noise. [m/s]
#define TH_TURNING_SPEED 0.02f

// Rows `begin` to `end` − 1, `begin` a multiple of TH_MAX_WIDTH. Arrays are by row and padded; what
// is behind `end` may be computed on but is not changed.
typedef struct thIntegrateTask {
    const thRows* rows;
    const float* newVx; // chosen velocities
    const float* newVy;
    int32_t* x; // places at the end of the step
    int32_t* y;
    int32_t begin, end;
    float dt;
} thIntegrateTask;

// Fills `x` and `y`: where the chosen velocity leads, within the world. External and velocity-only
// agents stay.
typedef void thIntegrateFcn(const thIntegrateTask* task);
TH_KERNEL_DECLARE(thiAimRows, void, (const thIntegrateTask* task));

// Takes the places. The velocity is the chosen one, or, if it led elsewhere, the one that leads
// there. External agents keep their velocity, velocity-only ones take the chosen one. The heading
// follows the velocity unless that is slow.
TH_KERNEL_DECLARE(thiSettleRows, void, (const thIntegrateTask* task));

#endif
