// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "velocity/velocity_marks.h"

static void markDisc(const thDisc* disc, const char* label, thExplanation* to)
{
    thMark mark = thDefaultMark();
    mark.kind = th_markDisc;
    mark.meaning = th_meansLimit;
    mark.points = &disc->center;
    mark.pointCount = 1;
    mark.radius = disc->radius;
    mark.label = label;
    thExplanation_Add(to, &mark);
}

void thiMarkSpeedLimit(const thBatch* batch, int32_t lane, thExplanation* to)
{
    markDisc(&(thDisc){{0.0f, 0.0f}, batch->maxSpeed[lane]}, "speed limit", to);
}

void thiMarkLimits(const thBatch* batch, int32_t lane, thExplanation* to)
{
    thiMarkSpeedLimit(batch, lane, to);
    if (!(batch->maxAccel[lane] > 0.0f))
        return;
    const thVec2 velocity = {batch->vx[lane], batch->vy[lane]};
    const thDisc reachable =
        thiReachableDisc(velocity, batch->maxSpeed[lane], batch->maxAccel[lane], batch->frame->dt);
    markDisc(&reachable, "limit of acceleration", to);
}

void thiMarkVelocity(thVec2 velocity, const char* label, thExplanation* to)
{
    thMark mark = thDefaultMark();
    mark.kind = th_markPoint;
    mark.points = &velocity;
    mark.pointCount = 1;
    mark.label = label;
    thExplanation_Add(to, &mark);
}

void thiMarkText(const char* text, thExplanation* to)
{
    thMark mark = thDefaultMark();
    mark.label = text;
    thExplanation_Add(to, &mark);
}

uint64_t thiMarkNameOf(int32_t obstacle)
{
    return (uint64_t)obstacle + 1;
}
