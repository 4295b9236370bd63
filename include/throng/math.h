// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

/// @file
/// Functions that libm computes differently on different systems, built from + − × ÷ √ only: the
/// same bits on every machine, compiler and instruction set. Methods use these and never libm's.

#ifndef THRONG_MATH_H
#define THRONG_MATH_H

#include "throng/base.h"

/// The shortest step of a world, and of calls that choose a velocity without one: speeds are
/// distances divided by it. [s]
#define THRONG_LEAST_STEP 1.0e-6f

/// A point, a displacement or a velocity in the plane.
typedef struct thVec2 {
    /// East. [m or m/s]
    float x;
    /// North. [m or m/s]
    float y;
} thVec2;

/// Sine and cosine of an angle. Both are NaN beyond the range and for NaN.
/// [rad, |angle| <= 8192; error at most 2 ulp]
THRONG_API void thSinCos(float angle, float* sine, float* cosine);

/// Angle of the vector (x, y) from the x axis. Signs of zero count as in C's atan2f; infinities
/// give the usual multiples of π/4, NaN gives NaN. [result −π .. π; error at most 2 ulp]
THRONG_API float thAtan2(float y, float x);

/// e to the power x. Results that would be below FLT_MIN are 0; above FLT_MAX, infinity.
/// [error at most 2 ulp]
THRONG_API float thExp(float x);

/// Natural logarithm. −infinity at 0, NaN below. [error at most 2 ulp]
THRONG_API float thLog(float x);

#endif
