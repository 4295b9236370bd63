// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Fixed-point positions: two int32_t in units of 2^-16 m about the world's origin. Differences are
// exact, and so are the predicates built on them.

#ifndef THRONG_SRC_GEOM_FIXED_H
#define THRONG_SRC_GEOM_FIXED_H

#include "base/core.h"
#include "throng/method.h"

#define TH_UNITS ((float)THRONG_UNITS_PER_METRE)
#define TH_METRES_PER_UNIT (1.0f / TH_UNITS)
#define TH_MAX_UNITS ((int32_t)(THRONG_MAX_COORDINATE * THRONG_UNITS_PER_METRE))

// Finite and within the world. NaN is not.
static inline bool thiIsCoordinate(float metres)
{
    return metres >= -(float)THRONG_MAX_COORDINATE && metres <= (float)THRONG_MAX_COORDINATE;
}

// The nearest unit, halves away from zero. The coordinate must be within the world.
static inline int32_t thiUnits(float metres)
{
    const double units = (double)metres * THRONG_UNITS_PER_METRE;
    return (int32_t)(units + (units < 0.0 ? -0.5 : 0.5));
}

static inline float thiMetres(int32_t units)
{
    return (float)units * TH_METRES_PER_UNIT;
}

// Difference of two coordinates in metres; exact up to 256 m. Coordinates are within ±30 km, so a
// difference that overflows 32 bits would wrap to more than 5 km, never to something near.
static inline float thiMetresBetween(int32_t from, int32_t to)
{
    return (float)((int64_t)to - from) * TH_METRES_PER_UNIT;
}

#endif
