// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Methods `steer` and `steer-weak`: steering behaviours towards what the planner wants. The weak
// one has no separation and little force; its people collide, which others can be held against.

#include "avoid/avoid_methods.h"
#include "method/method_marks.h"
#include "method/method_params.h"
#include "steer/steer.h"

// Guidance, slowed down near the goal. Those without a goal may roam.
static thVec2 wantedOf(const thBatch* batch, int32_t lane, const thSteerDef* def)
{
    const thVec2 guide = {batch->guideX[lane], batch->guideY[lane]};
    const float rest = batch->remaining[lane];
    if (guide.x == 0.0f && guide.y == 0.0f && batch->frame->goal[batch->row[lane]] < 0)
        return thiRoam(batch, lane, def);
    // Planners that know no path leave 0.
    if (!(rest > 0.0f && rest < def->slowing))
        return guide;
    return thiSteerCut(guide, batch->prefSpeed[lane] * (rest / def->slowing));
}

static thSteerer steererOf(const thBatch* batch, int32_t lane, const thSteerDef* def,
                           const thSteerPath* path)
{
    return thiMakeSteerer(batch, lane, def, path, wantedOf(batch, lane, def));
}

static void solve(const thBatch* batch, const void* params, const void* shared)
{
    (void)shared;
    const thSteerPath path = thiFindSteerPath(batch->frame, params);
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        const thSteerer steerer = steererOf(batch, lane, params, &path);
        thSteerStatus status;
        const thVec2 velocity = thiSteer(&steerer, &status);
        batch->outVx[lane] = velocity.x;
        batch->outVy[lane] = velocity.y;
        batch->status[lane] = (uint8_t)status;
    }
}

static void addStatus(thSteerStatus status, thExplanation* to)
{
    static const char* const texts[] = {
        [th_steerFree] = "free: there is nothing to avoid",
        [th_steerAvoiding] = "avoiding: others or walls push it",
        [th_steerLimited] = "limited: all behaviours together want more than it can"};
    thiMarkText(texts[status], to);
}

static void explain(const thBatch* batch, int32_t lane, const void* params, const void* shared,
                    thExplanation* to)
{
    (void)shared;
    const thSteerPath path = thiFindSteerPath(batch->frame, params);
    const thSteerer steerer = steererOf(batch, lane, params, &path);
    thiExplainSteer(&steerer, to);
    addStatus((thSteerStatus)batch->status[lane], to);
}

static const char* const statusNames[] = {
    [th_steerFree] = "free", [th_steerAvoiding] = "avoiding", [th_steerLimited] = "limited"};

#define STEER_METHOD(called, initial, table)                                                       \
    {                                                                                              \
        .size = sizeof(thMethod), .name = called, .version = 1, .paramSize = sizeof(thSteerDef),   \
        .needs = th_needsNeighbors | th_needsWalls | th_needsMovers, .defaults = initial,          \
        .validate = thiCheckSteerDef, .solve = solve, .params = table,                             \
        .paramCount = TH_STEER_PARAMS, .explain = explain, .statusNames = statusNames,             \
        .statusCount = TH_COUNT_OF(statusNames)                                                    \
    }

const thMethod thiAvoidSteer = STEER_METHOD("steer", &thiSteerDefaults, thiSteerParams);
const thMethod thiAvoidSteerWeak =
    STEER_METHOD("steer-weak", &thiWeakSteerDefaults, thiWeakSteerParams);
