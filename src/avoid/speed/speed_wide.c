// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Kernel: the collision-free speed model, one agent per lane. Symbols follow Tordeux, Chraibi and
// Seyfried 2016 and docs/methods/speed.md.

#include "avoid/speed/speed.h"

#include "simd/lane_math.h"
#include "velocity/force_lanes.h"

// Centres nearer than this count as one point: there is no direction from one to the other. [m]
#define ONE_POINT 1.0e-6f
// Directions that sum up to less cancel each other out.
#define NO_DIRECTION 1.0e-6f
// Exponents beyond which nothing more is felt, or no more: bodies overlap then.
#define MOST_EXPONENT 20.0f

// How strongly a gap is felt. Bodies that overlap push no more than those that touch deeply.
static inline thF strength(float most, float range, thF gap)
{
    const thF exponent = fNeg(gap) * fSet(1.0f / range);
    const thF kept = fMin(fMax(exponent, fSet(-MOST_EXPONENT)), fSet(MOST_EXPONENT));
    return fSet(most) * fExp(kept);
}

// Directions away from neighbours, as strongly as they are near.
static inline Vec awayFromNeighbors(const thSpeedTask* task, int32_t lane, Vec sum)
{
    const thF radius = fLoad(task->around.radius + lane);
    const thI row = iLoad(task->around.row + lane),
              count = iLoad(task->around.neighborCount + lane);
    for (int32_t k = 0; k < task->around.neighborMax; ++k) {
        const int32_t at = k * task->around.lanes + lane;
        const thM real = iLt(iSet(k), count);
        const Vec p = loadVec(task->around.nx, task->around.ny, at);
        const thF distanceSq = dot(p, p);
        const thM coincide = fLt(distanceSq, fSet(ONE_POINT * ONE_POINT));
        const thF distance = fSqrt(fSelect(coincide, fSet(1.0f), distanceSq));
        Vec away = scale(fSet(-1.0f) / distance, p);
        if (mAny(coincide)) {
            const thM first = iLt(row, iLoad(task->around.nrow + at));
            away = choose(coincide, vec(fSelect(first, fSet(-1.0f), fSet(1.0f)), fSet(0.0f)), away);
        }
        const thF gap =
            fSelect(coincide, fSet(0.0f), distance) - (radius + fLoad(task->around.nradius + at));
        const thF felt = strength(task->def->strength, task->def->range, gap);
        sum = choose(real, addScaled(sum, felt, away), sum);
    }
    return sum;
}

static inline Vec wallAt(const thSpeedTask* task, int32_t at)
{
    return nearestOfSegment(loadVec(task->around.ax, task->around.ay, at),
                            loadVec(task->around.bx, task->around.by, at));
}

// The same of walls and moving obstacles.
static inline Vec awayFromWalls(const thSpeedTask* task, int32_t lane, Vec sum)
{
    const thF radius = fLoad(task->around.radius + lane);
    const thI count = iLoad(task->around.wallCount + lane);
    for (int32_t k = 0; k < task->around.wallMax; ++k) {
        const int32_t at = k * task->around.lanes + lane;
        const Vec p = wallAt(task, at);
        const thF distanceSq = dot(p, p);
        const thM real = mAnd(iLt(iSet(k), count), fLt(fSet(ONE_POINT * ONE_POINT), distanceSq));
        const thF distance = fSqrt(fSelect(real, distanceSq, fSet(1.0f)));
        const Vec away = scale(fSet(-1.0f) / distance, p);
        const thF gap = distance - (radius + fLoad(task->around.wradius + at));
        const thF felt = strength(task->def->wallStrength, task->def->wallRange, gap);
        sum = choose(real, addScaled(sum, felt, away), sum);
    }
    return sum;
}

// The least gap to a body in the way of one's own, going in a direction.
static inline thF gapAhead(const thSpeedTask* task, int32_t lane, Vec direction)
{
    const thF radius = fLoad(task->around.radius + lane);
    const thI count = iLoad(task->around.neighborCount + lane);
    thF least = fSet(TH_SPEED_FREE);
    for (int32_t k = 0; k < task->around.neighborMax; ++k) {
        const int32_t at = k * task->around.lanes + lane;
        const Vec p = loadVec(task->around.nx, task->around.ny, at);
        const thF both = radius + fLoad(task->around.nradius + at);
        const thM ahead = mAnd(iLt(iSet(k), count), fLt(fSet(0.0f), dot(p, direction)));
        const thM inWay = mAnd(ahead, fLe(fAbs(det(direction, p)), both));
        const thF gap = fMax(fSqrt(dot(p, p)) - both, fSet(0.0f));
        least = fSelect(inWay, fMin(least, gap), least);
    }
    return least;
}

// A velocity that leads into no wall that is touched.
static inline Vec keepOffWalls(const thSpeedTask* task, int32_t lane, Vec v)
{
    const thF radius = fLoad(task->around.radius + lane);
    const thI count = iLoad(task->around.wallCount + lane);
    for (int32_t k = 0; k < task->around.wallMax; ++k) {
        const int32_t at = k * task->around.lanes + lane;
        const Vec p = wallAt(task, at);
        const thF distanceSq = dot(p, p), both = radius + fLoad(task->around.wradius + at);
        const thM touches = mAnd(mAnd(iLt(iSet(k), count), fLe(distanceSq, both * both)),
                                 fLt(fSet(ONE_POINT * ONE_POINT), distanceSq));
        if (!mAny(touches))
            continue;
        const thF distance = fSqrt(fSelect(touches, distanceSq, fSet(1.0f)));
        v = withoutInward(v, scale(fSet(-1.0f) / distance, p), touches);
    }
    return v;
}

void TH_WIDE(thiSpeed)(const thSpeedTask* given)
{
    // A copy, so that the compiler knows that what is stored does not change it.
    const thSpeedTask copy = *given;
    const thSpeedTask* task = &copy;
    for (int32_t lane = 0; lane < task->around.lanes; lane += TH_WIDTH) {
        const Vec guide = loadVec(task->around.guideX, task->around.guideY, lane);
        const thF wantedSq = dot(guide, guide);
        const thM goes = fLt(fSet(0.0f), wantedSq);
        const thF wanted = fSelect(goes, fSqrt(fSelect(goes, wantedSq, fSet(1.0f))), fSet(0.0f));
        const Vec towards = scale(fSet(1.0f) / fSelect(goes, wanted, fSet(1.0f)), guide);
        const Vec sum = awayFromWalls(task, lane, awayFromNeighbors(task, lane, towards));
        const thF lengthSq = dot(sum, sum);
        const thM leads = fLt(fSet(NO_DIRECTION * NO_DIRECTION), lengthSq);
        const thF length = fSqrt(fSelect(leads, lengthSq, fSet(1.0f)));
        const Vec direction = choose(leads, scale(fSet(1.0f) / length, sum), towards);

        const thF gap = gapAhead(task, lane, direction);
        const thF most = fMin(wanted, fLoad(task->around.maxSpeed + lane));
        const thF allowed = gap / fLoad(task->timeGap + lane);
        const thM slows = fLt(allowed, most);
        Vec v = scale(fSelect(slows, allowed, most), direction);
        v = keepOffWalls(task, lane, v);
        v = keepChange(loadVec(task->around.vx, task->around.vy, lane), v,
                       fLoad(task->around.maxSpeed + lane),
                       fLoad(task->around.maxAccel + lane) * fSet(task->around.dt));
        fStore(task->around.outVx + lane, v.x);
        fStore(task->around.outVy + lane, v.y);
        int32_t status[TH_WIDTH];
        const thI stands =
            iSelect(fLe(allowed, fSet(0.01f)), iSet(th_speedStands), iSet(th_speedFollows));
        iStore(status, iSelect(slows, stands, iSet(th_speedFree)));
        for (int32_t i = 0; i < TH_WIDTH; ++i)
            task->around.status[lane + i] = (uint8_t)status[i];
    }
}
