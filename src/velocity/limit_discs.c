// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The two discs of velocities an agent can take, and how explanations show them.

#include "velocity/limit_discs.h"

#include "geom/vec2.h"
#include "method/method_marks.h"

#include <float.h>
#include <math.h>

bool thiIsInDisc(thVec2 v, const thDisc* disc)
{
    const thVec2 from = thiSubtract(v, disc->center);
    return thiDot(from, from) <= disc->radius * disc->radius;
}

thVec2 thiNearestInDisc(thVec2 v, const thDisc* disc)
{
    if (thiIsInDisc(v, disc))
        return v;
    const thVec2 from = thiSubtract(v, disc->center);
    return thiAddScaled(disc->center, disc->radius / sqrtf(thiDot(from, from)), from);
}

// That of one of them, or where they cross.
thVec2 thiNearestInDiscs(thVec2 v, const thDisc* a, const thDisc* b)
{
    const thVec2 inA = thiNearestInDisc(v, a), inB = thiNearestInDisc(v, b);
    if (thiIsInDisc(inA, b))
        return inA;
    if (thiIsInDisc(inB, a))
        return inB;
    const thVec2 between = thiSubtract(b->center, a->center);
    const float distanceSq = thiDot(between, between), radiusSq = a->radius * a->radius;
    if (!(distanceSq > TH_ONE_CENTER_SQ * radiusSq && distanceSq > FLT_MIN))
        return inA;
    const float along = 0.5f * (distanceSq + radiusSq - b->radius * b->radius) / distanceSq;
    const float acrossSq = radiusSq / distanceSq - along * along;
    const float across = acrossSq > 0.0f ? sqrtf(acrossSq) : 0.0f;
    const float side = thiDet(between, thiSubtract(v, a->center)) < 0.0f ? -1.0f : 1.0f;
    return thiAddScaled(thiAddScaled(a->center, along, between), side * across, thiLeftOf(between));
}

thDisc thiReachableDisc(thVec2 velocity, float maxSpeed, float maxAccel, float dt)
{
    const thDisc slow = {{0.0f, 0.0f}, maxSpeed};
    return (thDisc){thiNearestInDisc(velocity, &slow),
                    maxAccel > 0.0f ? maxAccel * dt : TH_NO_LIMIT};
}

void thiMarkLimits(const thBatch* batch, int32_t lane, thExplanation* to)
{
    thiMarkSpeedLimit(batch, lane, to);
    if (!(batch->maxAccel[lane] > 0.0f))
        return;
    const thVec2 velocity = {batch->vx[lane], batch->vy[lane]};
    const thDisc reachable =
        thiReachableDisc(velocity, batch->maxSpeed[lane], batch->maxAccel[lane], batch->frame->dt);
    thiMarkLimit(reachable.center, reachable.radius, "limit of acceleration", to);
}
