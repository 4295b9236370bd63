// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The effort of walking (Guy et al. 2010), one agent per lane: where on a line of velocities it is
// least. The effort of a velocity v over a look-ahead T, and of the way to a corner g that is left
// then at the speed that is best, is T (e_s + e_w |v|²) + 2 |g − T v| √(e_s e_w). With an e_s by
// which the wanted speed w is the best one, √(e_s / e_w) = w, that is, but for a factor and a
// constant, |v|² + 2 w |c − v|, with c = g / T: the velocity that is at the corner in time.

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
