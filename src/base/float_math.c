// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Elementary functions in float arithmetic. Each reduces its argument to a short interval, sums a
// polynomial there (float_math.h) and puts the parts together, the largest last, so that little
// more than the final rounding is lost. Reductions follow Cody and Waite (Software Manual for the
// Elementary Functions, 1980): a multiple of a constant is taken away in parts, exactly.
//
// Every function is a straight line of + − × ÷ and integer steps with selections at the end, and
// simd/lane_math.h repeats it lane by lane: a change here is a change there, and in both the order
// of operations is part of the result. Special arguments run through the arithmetic with the rest;
// what comes out is replaced in the end.

#include "base/float_math.h"

#include "base/hash.h"
#include "throng/math.h"

static float absolute(float x)
{
    return thiFloatFromBits(thiFloatBits(x) & ~TH_SIGN_BIT);
}

static float flipSign(float x, uint32_t signBit)
{
    return thiFloatFromBits(thiFloatBits(x) ^ signBit);
}

void thSinCos(float angle, float* sine, float* cosine)
{
    TH_REQUIRE_VOID(sine != NULL && cosine != NULL);
    // The sign is put back at the end: −0 keeps it and the symmetry is exact.
    const float a = absolute(angle);

    // a = quarters · π/2 + r + low. All steps up to r2 are exact; r rounds and low has the rest.
    const float shifted = a * TH_2_BY_PI + TH_ROUNDER;
    const float quarters = shifted - TH_ROUNDER;
    const float r2 = (a - quarters * TH_HALF_PI_1) - quarters * TH_HALF_PI_2;
    const float part3 = quarters * TH_HALF_PI_3;
    const float r = r2 - part3;
    const float low = ((r2 - r) - part3) - quarters * TH_HALF_PI_4;

    // cos (r + low) = cos r − low · r and sin (r + low) = sin r + low · cos r, to first order.
    const float square = r * r;
    const float half = 0.5f * square;
    const float base = 1.0f - half;
    const float cosSum = TH_COS_4 + square * (TH_COS_6 + square * TH_COS_8);
    const float cosTail = square * square * cosSum - r * low;
    const float cosR = base + (((1.0f - base) - half) + cosTail);
    const float sinSum = TH_SIN_3 + square * (TH_SIN_5 + square * TH_SIN_7);
    const float sinR = r + (r * square * sinSum + low * base);

    // Odd quarters swap the two; the sine is negative in quarters 2 and 3, the cosine in 1 and 2.
    const uint32_t quarter = thiFloatBits(shifted);
    const uint32_t sinSign = (thiFloatBits(angle) & TH_SIGN_BIT) ^ ((quarter & 2) << 30);
    const uint32_t cosSign = ((quarter + 1) & 2) << 30;
    const bool odd = (quarter & 1) != 0;
    const bool inRange = a <= TH_SINCOS_LIMIT;
    const float nan = thiFloatFromBits(TH_NAN_BITS);
    *sine = inRange ? flipSign(odd ? cosR : sinR, sinSign) : nan;
    *cosine = inRange ? flipSign(odd ? sinR : cosR, cosSign) : nan;
}

float thAtan2(float y, float x)
{
    const float absX = absolute(x);
    const float absY = absolute(y);
    const bool steep = absX < absY;
    const float larger = steep ? absY : absX;
    const float smaller = steep ? absX : absY;
    float t = smaller / larger;
    t = absX == absY ? 1.0f : t; // two infinities
    t = larger == 0.0f ? 0.0f : t;

    const float square = t * t;
    float sum = TH_ATAN_17 + square * TH_ATAN_19;
    sum = TH_ATAN_15 + square * sum;
    sum = TH_ATAN_13 + square * sum;
    sum = TH_ATAN_11 + square * sum;
    sum = TH_ATAN_9 + square * sum;
    sum = TH_ATAN_7 + square * sum;
    sum = TH_ATAN_5 + square * sum;
    sum = TH_ATAN_3 + square * sum;
    const float angle = t + t * square * sum;

    // Half of the eighths of the circle are measured from an axis backwards. The sign bit decides:
    // −0 lies to the left.
    const uint32_t left = thiFloatBits(x) & TH_SIGN_BIT;
    const uint32_t backwards = left ^ (steep ? TH_SIGN_BIT : 0);
    const float axis = steep ? TH_HALF_PI : left != 0 ? TH_PI : 0.0f;
    const float excess = steep ? TH_HALF_PI_EXCESS : left != 0 ? TH_PI_EXCESS : 0.0f;
    const float result = axis + (flipSign(angle, backwards) - excess);

    const bool ordered = x == x && y == y;
    return ordered ? flipSign(result, thiFloatBits(y) & TH_SIGN_BIT)
                   : thiFloatFromBits(TH_NAN_BITS);
}

float thExp(float x)
{
    // x = exponent · ln 2 + r with r = high − low; high is exact.
    const float shifted = x * TH_LOG2_E + TH_ROUNDER;
    const float exponent = shifted - TH_ROUNDER;
    const float high = x - exponent * TH_LN_2_1;
    const float low = exponent * TH_LN_2_2;
    const float r = high - low;

    float sum = TH_EXP_5 + r * TH_EXP_6;
    sum = TH_EXP_4 + r * sum;
    sum = TH_EXP_3 + r * sum;
    sum = TH_EXP_2 + r * sum;
    const float power = 1.0f + (high + (r * r * sum - low));

    // The exponent's low bits stand in `shifted`; adding them to power's own is exact.
    const uint32_t bits = thiFloatBits(power) + (thiFloatBits(shifted) << 23);
    float result = thiFloatFromBits(bits);
    result = x < TH_EXP_LOWEST ? 0.0f : result;
    result = x > TH_EXP_HIGHEST ? thiFloatFromBits(TH_INFINITY_BITS) : result;
    return x == x ? result : thiFloatFromBits(TH_NAN_BITS);
}

float thLog(float x)
{
    // x = 2^exponent · (1 + f). Denormals are made normal first.
    const bool tiny = x < FLT_MIN;
    const float normal = tiny ? x * 0x1p23f : x;
    const float bias = tiny ? 127.0f + 23.0f : 127.0f;
    const uint32_t carried = thiFloatBits(normal) + TH_LOG_CARRY;
    const float exponent = (float)(int32_t)(carried >> 23) - bias;
    const float f = thiFloatFromBits((carried & TH_MANTISSA_BITS) + TH_LOG_FIRST) - 1.0f;

    float sum = TH_LOG_9 + f * TH_LOG_10;
    sum = TH_LOG_8 + f * sum;
    sum = TH_LOG_7 + f * sum;
    sum = TH_LOG_6 + f * sum;
    sum = TH_LOG_5 + f * sum;
    sum = TH_LOG_4 + f * sum;
    sum = TH_LOG_3 + f * sum;
    const float tail = f * f * (f * sum - 0.5f);

    // high rounds; the rest of it goes to low.
    const float part1 = exponent * TH_LN_2_1;
    const float high = part1 + f;
    const float low = ((part1 - high) + f) + exponent * TH_LN_2_2;
    float result = high + (tail + low);

    const float infinity = thiFloatFromBits(TH_INFINITY_BITS);
    result = x < infinity ? result : infinity;
    result = x == 0.0f ? -infinity : result;
    return x >= 0.0f ? result : thiFloatFromBits(TH_NAN_BITS);
}
