// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Elementary functions from + − × ÷ only: their constants. float_math.c and its lane twin
// simd/lane_math.h use them, and must agree in every bit.
//
// Coefficients are minimax under the relative error of the whole function, rounded jointly to
// float (Sollya: fpminimax); docs/math.md has the commands. Long constants stand as a sum of
// short ones, so that small whole multiples of all parts but the last are exact.

#ifndef THRONG_SRC_BASE_FLOAT_MATH_H
#define THRONG_SRC_BASE_FLOAT_MATH_H

#include <stdint.h>

#define TH_SIGN_BIT 0x80000000u
#define TH_INFINITY_BITS 0x7f800000u

// The NaN that all functions return: machines disagree about sign and payload of the ones they
// make.
#define TH_NAN_BITS 0x7fc00000u

// Added to a float below 2²², leaves its nearest whole number in the low bits of the sum.
#define TH_ROUNDER 0x1.8p23f

// π/2 in three parts of at most 11 bits and the rest: quadrants up to 8192 rad need 13 bits.
#define TH_SINCOS_LIMIT 8192.0f
#define TH_2_BY_PI 0x1.45f306p-1f
#define TH_HALF_PI_1 0x1.92p0f
#define TH_HALF_PI_2 0x1.fb4p-12f
#define TH_HALF_PI_3 0x1.444p-24f
#define TH_HALF_PI_4 0x1.68c234p-39f

// sin r = r + r³ (S3 + S5 r² + S7 r⁴) for |r| <= π/4
#define TH_SIN_3 (-0x1.555546p-3f)
#define TH_SIN_5 0x1.110774p-7f
#define TH_SIN_7 (-0x1.9951d2p-13f)

// cos r = 1 − r²/2 + r⁴ (C4 + C6 r² + C8 r⁴) for |r| <= π/4
#define TH_COS_4 0x1.55554ap-5f
#define TH_COS_6 (-0x1.6c0c28p-10f)
#define TH_COS_8 0x1.99e806p-16f

// atan t = t + t³ (A3 + A5 t² + …) for 0 <= t <= 1; the last bits are chosen so that t = 1 gives
// the nearest float to π/4.
#define TH_ATAN_3 (-0x1.55553ep-2f)
#define TH_ATAN_5 0x1.9991f2p-3f
#define TH_ATAN_7 (-0x1.242122p-3f)
#define TH_ATAN_9 0x1.c09464p-4f
#define TH_ATAN_11 (-0x1.5825eap-4f)
#define TH_ATAN_13 0x1.da9c34p-5f
#define TH_ATAN_15 (-0x1.fe7d1ep-6f)
#define TH_ATAN_17 0x1.6551e8p-7f
#define TH_ATAN_19 (-0x1.d5a1acp-10f)

// The nearest floats to π and π/2, and how much these are too large.
#define TH_PI 0x1.921fb6p1f
#define TH_PI_EXCESS 0x1.777a5cp-24f
#define TH_HALF_PI 0x1.921fb6p0f
#define TH_HALF_PI_EXCESS 0x1.777a5cp-25f

// ln 2 in a part of 15 bits and the rest: exponents need 8 bits.
#define TH_LOG2_E 0x1.715476p0f
#define TH_LN_2_1 0x1.62e4p-1f
#define TH_LN_2_2 0x1.7f7d1cp-20f

// eʳ = 1 + r + r² (E2 + E3 r + …) for |r| <= ln 2 / 2
#define TH_EXP_2 0x1.fffffap-2f
#define TH_EXP_3 0x1.555492p-3f
#define TH_EXP_4 0x1.555a26p-5f
#define TH_EXP_5 0x1.123988p-7f
#define TH_EXP_6 0x1.694cd2p-10f

// The smallest x with eˣ >= FLT_MIN, the largest with eˣ <= FLT_MAX.
#define TH_EXP_LOWEST (-0x1.5d589ep6f)
#define TH_EXP_HIGHEST 0x1.62e42ep6f

// ln (1 + f) = f − f²/2 + f³ (L3 + L4 f + …) for −1/3 <= f <= 1/3
#define TH_LOG_3 0x1.555506p-2f
#define TH_LOG_4 (-0x1.fffefp-3f)
#define TH_LOG_5 0x1.99d05ep-3f
#define TH_LOG_6 (-0x1.559de4p-3f)
#define TH_LOG_7 0x1.1ed422p-3f
#define TH_LOG_8 (-0x1.f30e34p-4f)
#define TH_LOG_9 0x1.1e73b8p-3f
#define TH_LOG_10 (-0x1.080caap-3f)

// Mantissas are taken from [2/3, 4/3): the bits of 2/3, and what carries 2/3 to the exponent of 1.
#define TH_LOG_FIRST 0x3f2aaaabu
#define TH_LOG_CARRY 0x00555555u
#define TH_MANTISSA_BITS 0x007fffffu

#endif
