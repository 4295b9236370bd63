// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What methods of forces and speeds share in lanes: the nearest point of a wall, what contacts with
// walls leave, limits.

#ifndef THRONG_SRC_VELOCITY_FORCE_LANES_H
#define THRONG_SRC_VELOCITY_FORCE_LANES_H

#include "simd/lane_vec.h"
#include "velocity/kernel_input.h"

// The point of a segment nearest to the origin. A segment of no length is a point.
static inline Vec nearestOfSegment(Vec a, Vec b)
{
    const Vec edge = subtract(b, a);
    const thF lengthSq = dot(edge, edge);
    const thM point = fLe(lengthSq, fSet(0.0f));
    const thF share = fNeg(dot(a, edge)) / fSelect(point, fSet(1.0f), lengthSq);
    const thF within = fMin(fMax(fSelect(point, fSet(0.0f), share), fSet(0.0f)), fSet(1.0f));
    return add(a, scale(within, edge));
}

// A vector without the part that leads against a unit normal; `touches`: of lanes that touch.
static inline Vec withoutInward(Vec v, Vec normal, thM touches)
{
    const thF inward = fMin(dot(v, normal), fSet(0.0f));
    return choose(touches, addScaled(v, fNeg(inward), normal), v);
}

// Walls nearer than this to a centre have no direction from it. [m]
#define ON_WALL 1.0e-6f

// A velocity that leads into no wall that is touched.
static inline Vec keepOffWalls(const thSurroundings* around, int32_t lane, Vec v)
{
    const thF radius = fLoad(around->radius + lane);
    const thI count = iLoad(around->wallCount + lane);
    for (int32_t k = 0; k < around->wallMax; ++k) {
        const int32_t at = k * around->lanes + lane;
        const Vec p = nearestOfSegment(loadVec(around->ax, around->ay, at),
                                       loadVec(around->bx, around->by, at));
        const thF distanceSq = dot(p, p), both = radius + fLoad(around->wradius + at);
        const thM touches = mAnd(mAnd(iLt(iSet(k), count), fLe(distanceSq, both * both)),
                                 fLt(fSet(ON_WALL * ON_WALL), distanceSq));
        if (!mAny(touches))
            continue;
        const thF distance = fSqrt(fSelect(touches, distanceSq, fSet(1.0f)));
        v = withoutInward(v, scale(fSet(-1.0f) / distance, p), touches);
    }
    return v;
}

// A vector of at most that length.
static inline Vec keepLength(Vec v, thF most)
{
    const thF lengthSq = dot(v, v);
    const thM tooLong = fLt(most * most, lengthSq);
    const thF factor = most / fSqrt(fSelect(tooLong, lengthSq, fSet(1.0f)));
    return choose(tooLong, scale(factor, v), v);
}

// Keeps the change of velocity within the limit of acceleration, where there is one (`mostChange` >
// 0). What others pushed an agent to beyond its own speed limit it may shed at once.
static inline Vec keepChange(Vec before, Vec v, thF maxSpeed, thF mostChange)
{
    const Vec old = keepLength(before, maxSpeed);
    const Vec change = subtract(v, old);
    const thF lengthSq = dot(change, change);
    const thM tooMuch = mAnd(fLt(fSet(0.0f), mostChange), fLt(mostChange * mostChange, lengthSq));
    const thF factor = mostChange / fSqrt(fSelect(tooMuch, lengthSq, fSet(1.0f)));
    return choose(tooMuch, add(old, scale(factor, change)), v);
}

#endif
