// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Every function of simd/lane_math.h behind one signature, at every width.

#ifndef THRONG_TESTS_SIMD_TEST_LANE_MATH_H
#define THRONG_TESTS_SIMD_TEST_LANE_MATH_H

#include "simd/dispatch.h"

typedef enum LaneFunction {
    function_sine,
    function_cosine,
    function_atan2,
    function_exp,
    function_log,
    function_randomBits,
    function_randomUnit,
    function_count
} LaneFunction;

// Operands and results are bits, whatever they mean to the function; `count` is a multiple of 16.
#define LANE_MATH_PARAMETERS                                                                       \
    (LaneFunction function, const int32_t* a, const int32_t* b, const int32_t* c, int32_t* out,    \
     int32_t count)

typedef void LaneMathFcn LANE_MATH_PARAMETERS;
TH_KERNEL_DECLARE(thiLaneMath, void, LANE_MATH_PARAMETERS);

#endif
