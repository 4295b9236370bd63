// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What neighbours forbid, one agent per lane, with the operations of clearpath_regions.c.

#include "avoid/clearpath/clearpath.h"
#include "simd/lane_vec.h"
#include "velocity/outside_lanes.h"

// The agents of a register.
typedef struct Own {
    Vec v;
    thF radius, reach; // how much a step can change at most
    thI row;
} Own;

// A neighbour of each of them, seen from it.
typedef struct Neighbor {
    Vec p, velocity, apex;
    thF both, share, distanceSq, distance;
    thM isFirst, overlaps, apart; // those of too small a share do neither
} Neighbor;

// Unit normals of the legs of a cone, and of its cap.
typedef struct Normals {
    Vec right, left, towards;
} Normals;

// A half-plane n · v > o.
typedef struct HalfPlane {
    Vec n;
    thF o;
} HalfPlane;

static inline thF reachOf(const thClearpathTask* task, thF maxSpeed, thF maxAccel)
{
    const thF change = maxAccel * fSet(task->dt);
    return fMin(fSelect(fLt(fSet(0.0f), maxAccel), change, fSet(TH_NO_LIMIT)), maxSpeed);
}

static inline Own loadOwn(const thClearpathTask* task, int32_t lane)
{
    return (Own){loadVec(task->vx, task->vy, lane), fLoad(task->radius + lane),
                 reachOf(task, fLoad(task->maxSpeed + lane), fLoad(task->maxAccel + lane)),
                 iLoad(task->row + lane)};
}

static inline Own gatherOwn(const thClearpathTask* task, thI lane)
{
    return (Own){gatherVec(task->vx, task->vy, lane), fGather(task->radius, lane),
                 reachOf(task, fGather(task->maxSpeed, lane), fGather(task->maxAccel, lane)),
                 iGather(task->row, lane)};
}

// What follows from the rest. `lanes` are those who have the neighbour.
static inline Neighbor see(const Own* own, Neighbor other, thM lanes)
{
    const thF leastSq = fSet(TH_CLEARPATH_ONE_POINT * TH_CLEARPATH_ONE_POINT);
    const thM counts = mAnd(lanes, fLe(fSet(TH_CLEARPATH_LEAST_SHARE), other.share));
    other.apex = addScaled(own->v, other.share, subtract(other.velocity, own->v));
    other.distanceSq = dot(other.p, other.p);
    other.distance = fSqrt(other.distanceSq);
    other.overlaps = mAnd(counts, fLe(other.distanceSq, fMax(other.both * other.both, leastSq)));
    other.apart = mAndNot(counts, other.overlaps);
    return other;
}

static inline Neighbor loadNeighbor(const thClearpathTask* task, const Own* own, int32_t at,
                                    thM lanes)
{
    const Neighbor other = {.p = loadVec(task->nx, task->ny, at),
                            .velocity = loadVec(task->nvx, task->nvy, at),
                            .both = own->radius + fLoad(task->nradius + at),
                            .share = fLoad(task->nshare + at),
                            .isFirst = iLt(own->row, iLoad(task->nrow + at))};
    return see(own, other, lanes);
}

static inline Neighbor gatherNeighbor(const thClearpathTask* task, const Own* own, thI at,
                                      thM lanes)
{
    const Neighbor other = {.p = gatherVec(task->nx, task->ny, at),
                            .velocity = gatherVec(task->nvx, task->nvy, at),
                            .both = own->radius + fGather(task->nradius, at),
                            .share = fGather(task->nshare, at),
                            .isFirst = iLt(own->row, iGather(task->nrow, at))};
    return see(own, other, lanes);
}

static inline Normals normalsOf(const Neighbor* other)
{
    const Vec p = other->p;
    const thF both = other->both, restSq = other->distanceSq - both * both;
    const thF leg = fSqrt(fMax(restSq, fSet(0.0f))), per = fSet(1.0f) / other->distanceSq;
    return (Normals){{per * (p.x * both - p.y * leg), per * (p.x * leg + p.y * both)},
                     {per * (p.x * both + p.y * leg), per * (p.y * both - p.x * leg)},
                     scale(fSet(1.0f) / other->distance, p)};
}

// What does not part two who overlap along the line of centres.
static inline HalfPlane partAlongCenters(const thClearpathTask* task, const Own* own,
                                         const Neighbor* other)
{
    const thF needed = other->share * (other->both - other->distance) / fSet(task->dt);
    const Vec aside = {fSelect(other->isFirst, fSet(1.0f), fSet(-1.0f)), fSet(0.0f)};
    const thM isOnePoint = fLt(other->distance, fSet(TH_CLEARPATH_ONE_POINT));
    const Vec n = choose(isOnePoint, aside, scale(fSet(1.0f) / other->distance, other->p));
    return (HalfPlane){n, dot(n, other->apex) + fNeg(fMin(needed, own->reach))};
}

// The side of a cone that present velocities are furthest outside of, or least inside of.
static inline HalfPlane faceOf(const Own* own, const Neighbor* other, thF horizon, bool keepsLeft)
{
    const Vec w = subtract(own->v, other->velocity);
    const Normals normals = normalsOf(other);
    const thF gap = other->distance - other->both;
    const thF outCap = gap / horizon - dot(normals.towards, w);
    const thF outRight = fNeg(dot(normals.right, w)), outLeft = fNeg(dot(normals.left, w));
    const thM isCap = mAnd(fLe(outRight, outCap), fLe(outLeft, outCap));
    const thM isRight = keepsLeft ? fLt(outLeft, outRight) : fLe(outLeft, outRight);
    const Vec leg = choose(isRight, normals.right, normals.left);
    const Vec n = choose(isCap, normals.towards, leg);
    const thF beyond = fSelect(isCap, other->share * gap / horizon, fSet(0.0f));
    return (HalfPlane){n, dot(n, other->apex) + beyond};
}
