// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `given`: the host says what velocity each agent wants (thAgent_SetPreferredVelocity). It
// stays until it is set again and is not limited here: the host may want more than an agent can do.

#include "plan/plan_methods.h"

static void solve(const thBatch* batch, const void* params, const void* shared)
{
    (void)params;
    (void)shared;
    for (int32_t lane = 0; lane < batch->lanes; ++lane) {
        thVec2 wish = {0.0f, 0.0f};
        if (lane < batch->count && (batch->frame->flags[batch->row[lane]] & th_agentWaiting) == 0)
            wish = *(const thVec2*)batch->state[lane];
        batch->guideX[lane] = wish.x;
        batch->guideY[lane] = wish.y;
        batch->cornerX[lane] = 0.0f;
        batch->cornerY[lane] = 0.0f;
        batch->remaining[lane] = 0.0f;
    }
}

const thMethod thiPlanGiven = {.size = sizeof(thMethod),
                               .name = "given",
                               .version = 1,
                               .stateSize = sizeof(thVec2),
                               .solve = solve};
