// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `steer`: straight to the goal, as `direct` goes, but by steering behaviours. What these
// make of it is the wanted velocity for any avoidance method.
//
// That is not the velocity after the step but the one that seeking leads to, as if the acceleration
// went on for 1 / seek: a method that has inertia itself would have it twice otherwise, start
// slowly and circle about the goal, and all the more the shorter steps are.

#include "plan/plan_marks.h"
#include "plan/plan_methods.h"
#include "steer/steer.h"

#include <math.h>

// Who seeks nothing, or faster than steps are, goes by steps.
static float lastingOf(const thSteerDef* def, float dt)
{
    return def->seek > 0.0f && def->seek * dt < 1.0f ? 1.0f / def->seek : dt;
}

// The agent of a lane, and where its goal is.
static thSteerer steererOf(const thBatch* batch, int32_t lane, const thSteerDef* def,
                           const thSteerPath* path, thVec2* goal)
{
    const thFrame* frame = batch->frame;
    const int32_t row = batch->row[lane];
    thVec2 wanted = {0.0f, 0.0f};
    if (!thFrame_NearestGoalPoint(frame, row, goal))
        wanted = thiRoam(batch, lane, def);
    else if ((frame->flags[row] & th_agentWaiting) == 0)
        wanted = thiArrive(*goal, batch->prefSpeed[lane], def->slowing, frame->dt);
    thSteerer steerer = thiMakeSteerer(batch, lane, def, path, wanted);
    steerer.lasts = lastingOf(def, frame->dt);
    return steerer;
}

static void solve(const thBatch* batch, const void* params, const void* shared)
{
    (void)shared;
    const thSteerPath path = thiFindSteerPath(batch->frame, params);
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        thVec2 goal;
        thSteerStatus status;
        const thSteerer steerer = steererOf(batch, lane, params, &path, &goal);
        const thVec2 velocity = thiSteer(&steerer, &status);
        batch->cornerX[lane] = goal.x;
        batch->cornerY[lane] = goal.y;
        batch->remaining[lane] = sqrtf(thiDot(goal, goal));
        batch->guideX[lane] = velocity.x;
        batch->guideY[lane] = velocity.y;
    }
}

static void tellPath(const thFrame* frame, int32_t row, const void* params, const void* shared,
                     const void* state, thPathOut* out)
{
    thiPlanDirect.path(frame, row, params, shared, state, out);
}

static void explain(const thBatch* batch, int32_t lane, const void* params, const void* shared,
                    thExplanation* to)
{
    const thSteerPath path = thiFindSteerPath(batch->frame, params);
    thVec2 goal;
    const thSteerer steerer = steererOf(batch, lane, params, &path, &goal);
    thiMarkPlan(batch, lane, tellPath, params, shared, to);
    thiExplainSteer(&steerer, to);
}

const thMethod thiPlanSteer = {.size = sizeof(thMethod),
                               .name = "steer",
                               .version = 1,
                               .paramSize = sizeof(thSteerDef),
                               .needs = th_needsNeighbors | th_needsWalls | th_needsMovers,
                               .defaults = &thiSteerDefaults,
                               .validate = thiCheckSteerDef,
                               .solve = solve,
                               .params = thiSteerParams,
                               .paramCount = TH_STEER_PARAMS,
                               .explain = explain,
                               .path = tellPath};
