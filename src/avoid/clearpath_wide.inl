// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The cones of neighbours, one agent per lane: thiClearpathCone with the same operations.

#include "avoid/clearpath.h"
#include "avoid/outside_lanes.h"
#include "simd/lane_vec.h"

// Where there is no cone, nothing is forbidden.
static inline void storeSide(const thOutsideTask* outside, int32_t at, thM real, Vec n, thF o)
{
    const thF zero = fSet(0.0f);
    fStore(outside->nx + at, fSelect(real, n.x, zero));
    fStore(outside->ny + at, fSelect(real, n.y, zero));
    fStore(outside->o + at, fSelect(real, o, fSet(TH_FAR_OUTSIDE)));
}

// The cones of neighbour `from` of a register. Returns the lanes in which both overlap.
static inline thM storeCone(const thClearpathTask* task, const thOutsideTask* outside, int32_t from,
                            int32_t to, Vec v, thF radius, thM lanes)
{
    const Vec p = loadVec(task->nx, task->ny, from), other = loadVec(task->nvx, task->nvy, from);
    const thF both = radius + fLoad(task->nradius + from), share = fLoad(task->nshare + from);
    const thM real = mAnd(lanes, fLe(fSet(TH_CLEARPATH_LEAST_SHARE), share));
    const thF distanceSq = dot(p, p);
    const thF leastSq = fSet(TH_CLEARPATH_ONE_POINT * TH_CLEARPATH_ONE_POINT);
    const thM overlaps = mAnd(real, fLe(distanceSq, fMax(both * both, leastSq)));
    const thM apart = mAndNot(real, overlaps);

    const Vec apex = addScaled(v, share, subtract(other, v));
    const thF distance = fSqrt(distanceSq), per = share / fSet(task->def->horizon);
    const thF leg = fSqrt(fMax(distanceSq - both * both, fSet(0.0f)));
    const thF perSq = fSet(1.0f) / distanceSq, perDistance = fSet(1.0f) / distance;
    const Vec right = {perSq * (p.x * both - p.y * leg), perSq * (p.x * leg + p.y * both)};
    const Vec left = {perSq * (p.x * both + p.y * leg), perSq * (p.y * both - p.x * leg)};
    const Vec towards = scale(perDistance, p);
    Vec throughRight = apex, throughLeft = apex;
    if (task->def->hybrid != 0) {
        const thF side = det(p, subtract(v, other));
        throughRight = choose(fLt(fSet(0.0f), side), other, apex);
        throughLeft = choose(fLt(side, fSet(0.0f)), other, apex);
    }
    const int32_t stride = outside->lanes;
    storeSide(outside, to, apart, right, dot(right, throughRight) + fSet(0.0f));
    storeSide(outside, to + stride, apart, left, dot(left, throughLeft) + fSet(0.0f));
    storeSide(outside, to + 2 * stride, apart, towards,
              dot(towards, apex) + per * (distance - both));
    return overlaps;
}

int32_t TH_WIDE(thiClearpathCones)(const thClearpathTask* task, const thOutsideTask* outside,
                                   int32_t* overlaps)
{
    int32_t count = 0;
    for (int32_t lane = 0; lane < task->lanes; lane += TH_WIDTH) {
        const Vec v = loadVec(task->vx, task->vy, lane);
        const thF radius = fLoad(task->radius + lane);
        const thI own = iAdd(iSet(lane), iLane());
        const thM used = iLt(own, iSet(task->count));
        const thI neighbors = iLoad(task->neighborCount + lane);
        for (int32_t k = 0; k < task->neighborMax; ++k) {
            const int32_t from = k * task->lanes + lane;
            const int32_t to = k * TH_REGION_SIDES * outside->lanes + lane;
            const thM real = mAnd(used, iLt(iSet(k), neighbors));
            const thM overlap = storeCone(task, outside, from, to, v, radius, real);
            if (mAny(overlap))
                count += iCompress(overlaps + count, overlap, iAdd(iSet(k * task->lanes), own));
        }
    }
    return count;
}
