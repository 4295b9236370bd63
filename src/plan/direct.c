// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `direct`: straight to the nearest point of the goal, whatever is in between. Near the goal
// the speed is what reaches it at the end of the step, so agents stop on it.

#include "plan/plan_marks.h"
#include "plan/plan_methods.h"

#include <math.h>
#include <stdbool.h>

// An agent that has arrived and stands this near stays where it is. [m]
#define STANDS_WITHIN 0.001f

enum { standsStill, walks, hasArrived };

// How fast to go to each corner: all lanes alike, so that compilers can take several at once.
static void planSpeeds(const thBatch* batch, const int32_t* restrict goes)
{
    const float* restrict cornerX = batch->cornerX, * restrict cornerY = batch->cornerY;
    const float* restrict prefSpeed = batch->prefSpeed;
    float* restrict guideX = batch->guideX, * restrict guideY = batch->guideY;
    float* restrict remaining = batch->remaining;
    const float dt = batch->frame->dt;
    const int32_t lanes = batch->lanes;
    for (int32_t lane = 0; lane < lanes; ++lane) {
        const float x = cornerX[lane], y = cornerY[lane];
        const float distance = sqrtf(x * x + y * y);
        const float speed = prefSpeed[lane], reaching = distance / dt;
        // An agent that has arrived and stands on its goal stays.
        const bool moves = distance > (goes[lane] == hasArrived ? STANDS_WITHIN : 0.0f);
        const float share = (speed < reaching ? speed : reaching) / (moves ? distance : 1.0f);
        const float used =
            (moves & (goes[lane] != standsStill)) ? share : 0.0f; // of the path, per second
        remaining[lane] = distance;
        guideX[lane] = x * used;
        guideY[lane] = y * used;
    }
}

static void solve(const thBatch* batch, const void* params, const void* shared)
{
    (void)params;
    (void)shared;
    const thFrame* frame = batch->frame;
    const size_t lanes = (size_t)batch->lanes;
    int32_t* goes = thArena_Allocate(batch->scratch, lanes * (sizeof *goes + sizeof(uint8_t)));
    if (goes == NULL)
        return;
    uint8_t* hasGoal = (uint8_t*)(goes + lanes);
    thBatch_NearestGoalPoints(batch, batch->cornerX, batch->cornerY, hasGoal);
    for (int32_t lane = 0; lane < batch->lanes; ++lane) {
        const uint32_t flags = frame->flags[batch->row[lane]];
        goes[lane] = hasGoal[lane] == 0 || (flags & th_agentWaiting) != 0 ? standsStill
                     : (flags & th_agentArrived) != 0                     ? hasArrived
                                                                          : walks;
    }
    planSpeeds(batch, goes);
}

static void tellPath(const thFrame* frame, int32_t row, const void* params, const void* shared,
                     const void* state, thPathOut* out)
{
    (void)params;
    (void)shared;
    (void)state;
    thVec2 to;
    thPathOut_Add(out, frame->px[row], frame->py[row]);
    if (!thFrame_NearestGoalPoint(frame, row, &to))
        return;
    const float units = THRONG_UNITS_PER_METRE;
    thPathOut_Add(out, frame->px[row] + (int32_t)lrintf(to.x * units),
                  frame->py[row] + (int32_t)lrintf(to.y * units));
    out->length = sqrt((double)to.x * to.x + (double)to.y * to.y);
}

static void explain(const thBatch* batch, int32_t lane, const void* params, const void* shared,
                    thExplanation* to)
{
    thiMarkPlan(batch, lane, tellPath, params, shared, to);
}

const thMethod thiPlanDirect = {.size = sizeof(thMethod),
                                .name = "direct",
                                .version = 1,
                                .needs = th_needsNoneAtRest,
                                .solve = solve,
                                .explain = explain,
                                .path = tellPath};
