// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Where on a line of velocities the effort of walking is least, one agent per lane. That of v for a
// time T, and then of the rest of the way to a corner g at the best speed, is T (e_s + e_w |v|²) +
// 2 |g − T v| √(e_s e_w) (Guy and others 2010). With an e_s that makes the wanted speed w the best,
// √(e_s / e_w) = w, this is, but for a factor and a constant, |v|² + 2 w |c − v|, with c = g / T.

#ifndef THRONG_SRC_VELOCITY_LEAST_EFFORT_LANES_H
#define THRONG_SRC_VELOCITY_LEAST_EFFORT_LANES_H

#include "simd/lane_vec.h"

// The most rounds until the root stands still: 16 were needed of the worst of 300,000 lines over
// nine orders of magnitude, 2 or 3 are usual.
#define EFFORT_ROUNDS 16

// c is taken for no nearer to a line than this part of w: on the line the effort has no slope.
#define EFFORT_ASIDE 1.0e-6f

// How far along the line o n + t D the effort is least, D with n · D = 0 being `d`. c is `far`
// times the wanted velocity. `lanes` are those that are asked for.
//
// The slope of t² + 2 w √((a − t)² + h²), a and h being how far c is along the line and beside it,
// is 0 where t = w s / √(s² + h²), with s = a − t. What s + w s / √(s² + h²) lacks to a grows ever
// more slowly with s from 0 on. So Newton's method, from where it surely is too little, comes
// nearer from below and never goes beyond: it is done where it gains no more.
static inline thF leastEffortAlong(Vec n, thF o, Vec d, Vec wanted, thF far, thM lanes)
{
    const thF least = fSet(1.0e-30f);
    const thF w = fSqrt(dot(wanted, wanted));
    const Vec c = scale(far, wanted);
    const thF along = dot(d, c), a = fAbs(along);
    const thF h = fMax(fAbs(dot(n, c) - o), fSet(EFFORT_ASIDE) * w);
    thF s = fMax(a - w, a * h / fMax(h + w, least)), cosine = s;
    for (int32_t i = 0; i < EFFORT_ROUNDS; ++i) {
        const thF per = fSet(1.0f) / fSqrt(fMax(s * s + h * h, least));
        cosine = s * per;
        const thF sine = h * per, slope = fSet(1.0f) + w * sine * sine * per;
        const thF next = s + (a - s - w * cosine) / slope;
        const thM gains = mAnd(lanes, fLt(s, next));
        if (!mAny(gains))
            break;
        s = fSelect(gains, next, s);
    }
    const thF t = w * cosine; // a − s, but of a far corner more exact
    return fSelect(fLt(along, fSet(0.0f)), fNeg(t), t);
}

#endif
