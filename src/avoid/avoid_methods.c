// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The table of methods that avoid others, and the one that avoids nobody.

#include "avoid/avoid_methods.h"

#include <math.h>

// Method `none` avoids nobody: the agent goes as it wants to, but not faster than it can.

static void solve(const thBatch* batch, const void* params, const void* shared)
{
    (void)params;
    (void)shared;
    for (int32_t lane = 0; lane < batch->lanes; ++lane) {
        float vx = batch->guideX[lane], vy = batch->guideY[lane];
        const float speed = sqrtf(vx * vx + vy * vy);
        if (speed > batch->maxSpeed[lane]) {
            const float scale = batch->maxSpeed[lane] / speed;
            vx *= scale;
            vy *= scale;
        }
        batch->outVx[lane] = vx;
        batch->outVy[lane] = vy;
        batch->status[lane] = 0;
    }
}

const thMethod thiAvoidNone = {.size = sizeof(thMethod),
                               .name = "none",
                               .version = 1,
                               .needs = th_needsNoneAtRest,
                               .solve = solve};

const thMethod* const thiAvoidMethods[] = {TH_AVOID_METHODS(TH_METHOD_ADDRESS) NULL};
