// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What `clearpath` asks, one agent per lane: cones of neighbours and limits.
// Operations are those of clearpath_regions.c and limit_discs.c.

#include "avoid/clearpath/clearpath.h"
#include "simd/lane_vec.h"
#include "throng/world.h"
#include "velocity/least_violation.h"
#include "velocity/outside_regions.h"

#include <float.h>

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

// Where there is no cone, nothing is forbidden.
static inline void storeSide(const thOutsideTask* outside, int32_t at, thM real, Vec n, thF o)
{
    const thF zero = fSet(0.0f);
    fStore(outside->nx + at, fSelect(real, n.x, zero));
    fStore(outside->ny + at, fSelect(real, n.y, zero));
    fStore(outside->o + at, fSelect(real, o, fSet(TH_FAR_OUTSIDE)));
}

// Where the cap of a cone is. Caps that there are none of stay where they are.
static inline thF storeCap(const thClearpathLayout* layout, int32_t at, const Neighbor* other,
                           thF base, thF ahead)
{
    const thF far = fSet(TH_FAR_OUTSIDE);
    const thF instead = fSelect(other->overlaps, fNeg(far), far);
    fStore(layout->capBase + at, fSelect(other->apart, base, instead));
    fStore(layout->capAhead + at, fSelect(other->apart, ahead, fSet(0.0f)));
    return base + ahead;
}

// The cones of neighbour `k`.
static inline void storeCone(const thClearpathTask* task, const thClearpathLayout* layout,
                             const Own* own, const Neighbor* other, int32_t lane, int32_t k)
{
    const Normals normals = normalsOf(other);
    const thF per = other->share / fSet(task->def->horizon);
    Vec throughRight = other->apex, throughLeft = other->apex;
    if (task->def->hybrid != 0) {
        const thF side = det(other->p, subtract(own->v, other->velocity));
        throughRight = choose(fLt(fSet(0.0f), side), other->velocity, other->apex);
        throughLeft = choose(fLt(side, fSet(0.0f)), other->velocity, other->apex);
    }
    const thOutsideTask* outside = &layout->outside;
    const int32_t stride = outside->lanes, to = k * TH_REGION_SIDES * stride + lane;
    const thF cap = storeCap(layout, k * stride + lane, other, dot(normals.towards, other->apex),
                             per * (other->distance - other->both));
    storeSide(outside, to, other->apart, normals.right,
              dot(normals.right, throughRight) + fSet(0.0f));
    storeSide(outside, to + stride, other->apart, normals.left,
              dot(normals.left, throughLeft) + fSet(0.0f));
    storeSide(outside, to + 2 * stride, other->apart, normals.towards, cap);
}

// Puts half-planes over the cones of those who overlap.
static inline void storeParting(const thOutsideTask* outside, int32_t at, thM lanes,
                                HalfPlane forbidden)
{
    for (int32_t k = 0; k < TH_REGION_SIDES; ++k, at += outside->lanes) {
        const thF zero = fSet(0.0f);
        const Vec n = k == 0 ? forbidden.n : (Vec){zero, zero};
        const thF o = k == 0 ? forbidden.o : fSet(-TH_FAR_OUTSIDE);
        fStore(outside->nx + at, fSelect(lanes, n.x, fLoad(outside->nx + at)));
        fStore(outside->ny + at, fSelect(lanes, n.y, fLoad(outside->ny + at)));
        fStore(outside->o + at, fSelect(lanes, o, fLoad(outside->o + at)));
    }
}

int32_t TH_WIDE(thiClearpathCones)(const thClearpathTask* task, const thClearpathLayout* layout)
{
    const bool byCenters = thiClearpathOverlapRule(task->def) == th_clearpathCenters;
    int32_t count = 0;
    for (int32_t lane = 0; lane < task->lanes; lane += TH_WIDTH) {
        const thI lanes = iAdd(iSet(lane), iLane());
        const Own own = loadOwn(task, lane);
        const thM used = iLt(lanes, iSet(task->count));
        const thI neighbors = iLoad(task->neighborCount + lane);
        thM isDeep = none();
        for (int32_t k = 0; k < task->neighborMax; ++k) {
            const int32_t at = k * task->lanes;
            const Neighbor other =
                loadNeighbor(task, &own, at + lane, mAnd(used, iLt(iSet(k), neighbors)));
            storeCone(task, layout, &own, &other, lane, k);
            if (!mAny(other.overlaps))
                continue;
            const thF deep = fSet(TH_CLEARPATH_DEEP) * other.both;
            isDeep = mOr(isDeep, mAnd(other.overlaps, fLt(other.distanceSq, deep * deep)));
            if (byCenters)
                storeParting(&layout->outside, TH_REGION_SIDES * at + lane, other.overlaps,
                             partAlongCenters(task, &own, &other));
            else
                count += iCompress(layout->overlaps + count, other.overlaps, iAdd(iSet(at), lanes));
        }
        iStore(layout->isDeep + lane, iSelect(isDeep, iSet(1), iSet(0)));
    }
    return count;
}

void TH_WIDE(thiClearpathFaces)(const thClearpathTask* task, const int32_t* lanes, int32_t stride,
                                const thClearpathLineColumns* lines)
{
    const bool keepsLeft = task->def->keep == th_keepLeft;
    for (int32_t i = 0; i < stride; i += TH_WIDTH) {
        const thI lane = iLoad(lanes + i), neighbors = iGather(task->neighborCount, lane);
        const Own own = gatherOwn(task, lane);
        for (int32_t k = 0; k < task->neighborMax; ++k) {
            const Neighbor other = gatherNeighbor(task, &own, iAdd(iSet(k * task->lanes), lane),
                                                  iLt(iSet(k), neighbors));
            const HalfPlane face = faceOf(&own, &other, fSet(task->dt), keepsLeft);
            const HalfPlane parting = partAlongCenters(task, &own, &other);
            const thM counts = mOr(other.apart, other.overlaps);
            const Vec n = choose(other.overlaps, parting.n, face.n);
            const thF o = fSelect(other.overlaps, parting.o, face.o), zero = fSet(0.0f);
            const int32_t to = k * stride + i;
            fStore(lines->x + to, fSelect(counts, fNeg(n.x), zero));
            fStore(lines->y + to, fSelect(counts, fNeg(n.y), zero));
            fStore(lines->o + to, fSelect(counts, fNeg(o), fSet(TH_ALLOWS_ALL)));
        }
    }
}

typedef struct Disc {
    Vec center;
    thF radius;
} Disc;

static inline thM isInDisc(Vec v, const Disc* disc)
{
    const Vec from = subtract(v, disc->center);
    return fLe(dot(from, from), disc->radius * disc->radius);
}

static inline Vec nearestInDisc(Vec v, const Disc* disc)
{
    const Vec from = subtract(v, disc->center);
    const thF factor = disc->radius / fSqrt(dot(from, from));
    return choose(isInDisc(v, disc), v, addScaled(disc->center, factor, from));
}

static inline Vec nearestInDiscs(Vec v, const Disc* a, const Disc* b)
{
    if (mAll(mAnd(isInDisc(v, a), isInDisc(v, b))))
        return v;
    const Vec inA = nearestInDisc(v, a), inB = nearestInDisc(v, b);
    const Vec between = subtract(b->center, a->center), left = {fNeg(between.y), between.x};
    const thF distanceSq = dot(between, between), radiusSq = a->radius * a->radius;
    const thF along = fSet(0.5f) * (distanceSq + radiusSq - b->radius * b->radius) / distanceSq;
    const thF acrossSq = radiusSq / distanceSq - along * along;
    const thF across = fSqrt(fMax(acrossSq, fSet(0.0f)));
    const thM isRight = fLt(det(between, subtract(v, a->center)), fSet(0.0f));
    const thF side = fSelect(isRight, fSet(-1.0f), fSet(1.0f));
    const Vec crossing = addScaled(addScaled(a->center, along, between), side * across, left);
    const thM isApart =
        mAnd(fLt(fSet(TH_ONE_CENTER_SQ) * radiusSq, distanceSq), fLt(fSet(FLT_MIN), distanceSq));
    const Vec elsewhere = choose(isApart, crossing, inA);
    return choose(isInDisc(inA, b), inA, choose(isInDisc(inB, a), inB, elsewhere));
}

static inline void storeDisc(const thOutsideTask* outside, int32_t which, int32_t lane,
                             const Disc* disc)
{
    fStore(outside->discX[which] + lane, disc->center.x);
    fStore(outside->discY[which] + lane, disc->center.y);
    fStore(outside->discRadius[which] + lane, disc->radius);
}

void TH_WIDE(thiClearpathLimits)(const thClearpathTask* task, const thOutsideTask* outside)
{
    const thF zero = fSet(0.0f);
    const Vec still = {zero, zero};
    for (int32_t lane = 0; lane < task->lanes; lane += TH_WIDTH) {
        const thM used = iLt(iAdd(iSet(lane), iLane()), iSet(task->count));
        const Vec v = choose(used, loadVec(task->vx, task->vy, lane), still);
        Vec wanted = choose(used, loadVec(task->guideX, task->guideY, lane), still);
        if (task->def->smoothing > 0.0f)
            wanted = addScaled(wanted, fSet(task->def->smoothing), subtract(v, wanted));
        const thF maxSpeed = fSelect(used, fLoad(task->maxSpeed + lane), zero);
        const thF maxAccel = fSelect(used, fLoad(task->maxAccel + lane), zero);
        const Disc slow = {still, maxSpeed};
        const Disc reachable = {
            nearestInDisc(v, &slow),
            fSelect(fLt(zero, maxAccel), maxAccel * fSet(task->dt), fSet(TH_NO_LIMIT))};
        const Vec start = nearestInDiscs(wanted, &slow, &reachable);
        fStore(outside->wantedX + lane, wanted.x);
        fStore(outside->wantedY + lane, wanted.y);
        fStore(outside->startX + lane, start.x);
        fStore(outside->startY + lane, start.y);
        fStore(outside->tolerance + lane, fSet(TH_CLEARPATH_TOLERANCE) * maxSpeed);
        storeDisc(outside, 0, lane, &slow);
        storeDisc(outside, 1, lane, &reachable);
    }
}

static inline void moveColumn(float* column, int32_t from, int32_t to, thI source, thM real,
                              thF otherwise)
{
    fStore(column + to, fSelect(real, fGather(column + from, source), otherwise));
}

// Repeats the first lanes of a column that was moved.
static inline void repeat(float* column, const thClearpathMove* move)
{
    for (int32_t i = move->count; i < move->copies * move->count; ++i)
        column[i] = column[i - move->count];
}

// What belongs to lanes as a whole.
static inline void movePoints(const thOutsideTask* outside, const thClearpathMove* move)
{
    float* const columns[] = {outside->wantedX,       outside->wantedY,  outside->startX,
                              outside->startY,        outside->discX[0], outside->discX[1],
                              outside->discY[0],      outside->discY[1], outside->discRadius[0],
                              outside->discRadius[1], outside->tolerance};
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; ++c) {
        for (int32_t i = 0; i < move->lanes; i += TH_WIDTH)
            moveColumn(columns[c], 0, i, iLoad(move->source + i), mFirst(move->count - i),
                       fSet(0.0f));
        repeat(columns[c], move);
    }
}

// The caps of a neighbour; `o` is where they go.
static inline void moveCaps(const thClearpathLayout* layout, const thClearpathMove* move,
                            int32_t neighbor, float* o)
{
    const int32_t from = neighbor * layout->outside.lanes, to = neighbor * move->lanes;
    for (int32_t i = 0; i < move->lanes; i += TH_WIDTH) {
        const thI source = iLoad(move->source + i);
        const thM real = mFirst(move->count - i);
        moveColumn(layout->capBase, from, to + i, source, real, fSet(TH_FAR_OUTSIDE));
        moveColumn(layout->capAhead, from, to + i, source, real, fSet(0.0f));
    }
    for (int32_t k = 0; k < move->copies; ++k) {
        const float longer = (float)(1 << (move->halvings + k));
        for (int32_t i = 0; i < move->count; ++i)
            o[k * move->count + i] = layout->capBase[to + i] + longer * layout->capAhead[to + i];
    }
}

void TH_WIDE(thiClearpathMoveLanes)(const thClearpathLayout* layout, const thClearpathMove* move)
{
    // Columns move towards their beginning, one after the other, so nothing is lost.
    const thOutsideTask* outside = &layout->outside;
    for (int32_t s = 0; s < TH_REGION_SIDES * outside->regionMax; ++s) {
        const int32_t from = s * outside->lanes, to = s * move->lanes;
        for (int32_t i = 0; i < move->lanes; i += TH_WIDTH) {
            const thI source = iLoad(move->source + i);
            const thM real = mFirst(move->count - i);
            moveColumn(outside->nx, from, to + i, source, real, fSet(0.0f));
            moveColumn(outside->ny, from, to + i, source, real, fSet(0.0f));
            moveColumn(outside->o, from, to + i, source, real, fSet(TH_FAR_OUTSIDE));
        }
        repeat(outside->nx + to, move);
        repeat(outside->ny + to, move);
        repeat(outside->o + to, move);
        const int32_t region = s / TH_REGION_SIDES;
        if (region < move->neighborMax && s % TH_REGION_SIDES == TH_REGION_SIDES - 1)
            moveCaps(layout, move, region, outside->o + to);
    }
    movePoints(outside, move);
}
