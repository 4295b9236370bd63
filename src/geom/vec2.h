// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Sums and products of plane vectors in float.

#ifndef THRONG_SRC_GEOM_VEC2_H
#define THRONG_SRC_GEOM_VEC2_H

#include "throng/math.h"

static inline float thiDot(thVec2 a, thVec2 b)
{
    return a.x * b.x + a.y * b.y;
}

// Positive where b is to the left of a.
static inline float thiDet(thVec2 a, thVec2 b)
{
    return a.x * b.y - a.y * b.x;
}

static inline thVec2 thiSubtract(thVec2 a, thVec2 b)
{
    return (thVec2){a.x - b.x, a.y - b.y};
}

static inline thVec2 thiScale(float factor, thVec2 a)
{
    return (thVec2){factor * a.x, factor * a.y};
}

// a + factor · b.
static inline thVec2 thiAddScaled(thVec2 a, float factor, thVec2 b)
{
    return (thVec2){a.x + factor * b.x, a.y + factor * b.y};
}

// A quarter turn to the left.
static inline thVec2 thiLeftOf(thVec2 a)
{
    return (thVec2){-a.y, a.x};
}

static inline thVec2 thiNegate(thVec2 a)
{
    return (thVec2){-a.x, -a.y};
}

#endif
