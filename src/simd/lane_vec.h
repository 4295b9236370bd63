// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Sums and products of plane vectors in lanes. Include a lanes_<set>.h first.

#ifndef THRONG_SRC_SIMD_LANE_VEC_H
#define THRONG_SRC_SIMD_LANE_VEC_H

typedef struct Vec {
    thF x, y;
} Vec;

static inline Vec vec(thF x, thF y)
{
    return (Vec){x, y};
}

static inline Vec loadVec(const float* x, const float* y, int32_t at)
{
    return (Vec){fLoad(x + at), fLoad(y + at)};
}

static inline Vec gatherVec(const float* x, const float* y, thI at)
{
    return (Vec){fGather(x, at), fGather(y, at)};
}

static inline thF dot(Vec a, Vec b)
{
    return a.x * b.x + a.y * b.y;
}

static inline thF det(Vec a, Vec b)
{
    return a.x * b.y - a.y * b.x;
}

static inline Vec scale(thF factor, Vec a)
{
    return (Vec){factor * a.x, factor * a.y};
}

static inline Vec add(Vec a, Vec b)
{
    return (Vec){a.x + b.x, a.y + b.y};
}

static inline Vec subtract(Vec a, Vec b)
{
    return (Vec){a.x - b.x, a.y - b.y};
}

// a + factor · b.
static inline Vec addScaled(Vec a, thF factor, Vec b)
{
    return (Vec){a.x + factor * b.x, a.y + factor * b.y};
}

static inline Vec choose(thM mask, Vec yes, Vec no)
{
    return (Vec){fSelect(mask, yes.x, no.x), fSelect(mask, yes.y, no.y)};
}

// No lane.
static inline thM none(void)
{
    return iLt(iSet(1), iSet(0));
}

#endif
