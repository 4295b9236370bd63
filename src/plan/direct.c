// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Straight to the nearest point of the goal, whatever is in between: the planner for open places.
// Near the goal the speed is what reaches it at the end of the step, so agents stop on it.

#include "plan/plan_methods.h"

#include <math.h>

// An agent that has arrived and stands this near stays where it is. [m]
#define STANDS_WITHIN 0.001f

static void planLane(const thBatch* batch, int32_t lane)
{
    const thFrame* frame = batch->frame;
    const int32_t row = batch->row[lane];
    const uint32_t flags = frame->flags[row];
    thVec2 point = {0.0f, 0.0f};
    const int32_t hasGoal = thFrame_NearestGoalPoint(frame, row, &point);
    const float distance = sqrtf(point.x * point.x + point.y * point.y);
    batch->cornerX[lane] = point.x;
    batch->cornerY[lane] = point.y;
    batch->remaining[lane] = distance;
    const int32_t stands = (flags & th_agentArrived) != 0 && distance <= STANDS_WITHIN;
    float share = 0.0f; // of the way, per second
    if (hasGoal && !stands && (flags & th_agentWaiting) == 0 && distance > 0.0f) {
        const float reaching = distance / frame->dt;
        const float speed = batch->prefSpeed[lane];
        share = (speed < reaching ? speed : reaching) / distance;
    }
    batch->guideX[lane] = point.x * share;
    batch->guideY[lane] = point.y * share;
}

static void solve(const thBatch* batch, const void* params, const void* shared)
{
    (void)params;
    (void)shared;
    for (int32_t lane = 0; lane < batch->count; ++lane)
        planLane(batch, lane);
    for (int32_t lane = batch->count; lane < batch->lanes; ++lane) {
        batch->cornerX[lane] = batch->cornerY[lane] = batch->remaining[lane] = 0.0f;
        batch->guideX[lane] = batch->guideY[lane] = 0.0f;
    }
}

const thMethod thiPlanDirect = {
    .size = sizeof(thMethod), .name = "direct", .version = 1, .solve = solve};
