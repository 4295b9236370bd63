// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Elementary functions and random numbers lane by lane, with the bits of base/float_math.c and
// base/random.c. The same operations in the same order; why each step is there stands in those
// files. Include a lanes_<set>.h first.

#ifndef THRONG_SRC_SIMD_LANE_MATH_H
#define THRONG_SRC_SIMD_LANE_MATH_H

#include "base/float_math.h"

static inline thI iSignBit(thI value)
{
    return iAnd(value, iSet(INT32_MIN));
}

// Flips the sign of the lanes whose sign bit is set in `signBit`; its other bits are 0.
static inline thF fFlipSign(thF value, thI signBit)
{
    return fBits(iXor(iBits(value), signBit));
}

static inline thF fNan(void)
{
    return fBits(iSet(TH_NAN_BITS));
}

static inline thF fInfinity(void)
{
    return fBits(iSet(TH_INFINITY_BITS));
}

// factor · x + term, in two roundings: one Horner step.
static inline thF fStep(float term, thF x, thF factor)
{
    return fSet(term) + x * factor;
}

// thSinCos.
static inline void fSinCos(thF angle, thF* sine, thF* cosine)
{
    const thF a = fAbs(angle);

    const thF shifted = a * fSet(TH_2_BY_PI) + fSet(TH_ROUNDER);
    const thF quarters = shifted - fSet(TH_ROUNDER);
    const thF r2 = (a - quarters * fSet(TH_HALF_PI_1)) - quarters * fSet(TH_HALF_PI_2);
    const thF part3 = quarters * fSet(TH_HALF_PI_3);
    const thF r = r2 - part3;
    const thF low = ((r2 - r) - part3) - quarters * fSet(TH_HALF_PI_4);

    const thF square = r * r;
    const thF half = fSet(0.5f) * square;
    const thF base = fSet(1.0f) - half;
    const thF cosSum = fStep(TH_COS_4, square, fStep(TH_COS_6, square, fSet(TH_COS_8)));
    const thF cosTail = square * square * cosSum - r * low;
    const thF cosR = base + (((fSet(1.0f) - base) - half) + cosTail);
    const thF sinSum = fStep(TH_SIN_3, square, fStep(TH_SIN_5, square, fSet(TH_SIN_7)));
    const thF sinR = r + (r * square * sinSum + low * base);

    const thI quarter = iBits(shifted);
    const thI two = iSet(2);
    const thI sinSign = iXor(iSignBit(iBits(angle)), iShl(iAnd(quarter, two), 30));
    const thI cosSign = iShl(iAnd(iAdd(quarter, iSet(1)), two), 30);
    const thM odd = iEq(iAnd(quarter, iSet(1)), iSet(1));
    const thM inRange = fLe(a, fSet(TH_SINCOS_LIMIT));
    *sine = fSelect(inRange, fFlipSign(fSelect(odd, cosR, sinR), sinSign), fNan());
    *cosine = fSelect(inRange, fFlipSign(fSelect(odd, sinR, cosR), cosSign), fNan());
}

// thAtan2.
static inline thF fAtan2(thF y, thF x)
{
    const thF zero = fSet(0.0f);
    const thF absX = fAbs(x);
    const thF absY = fAbs(y);
    const thM steep = fLt(absX, absY);
    const thF larger = fSelect(steep, absY, absX);
    const thF smaller = fSelect(steep, absX, absY);
    thF t = smaller / larger;
    t = fSelect(fEq(absX, absY), fSet(1.0f), t);
    t = fSelect(fEq(larger, zero), zero, t);

    const thF square = t * t;
    thF sum = fStep(TH_ATAN_17, square, fSet(TH_ATAN_19));
    sum = fStep(TH_ATAN_15, square, sum);
    sum = fStep(TH_ATAN_13, square, sum);
    sum = fStep(TH_ATAN_11, square, sum);
    sum = fStep(TH_ATAN_9, square, sum);
    sum = fStep(TH_ATAN_7, square, sum);
    sum = fStep(TH_ATAN_5, square, sum);
    sum = fStep(TH_ATAN_3, square, sum);
    const thF angle = t + t * square * sum;

    const thI leftBit = iSignBit(iBits(x));
    const thM left = iLt(leftBit, iSet(0));
    const thI backwards = iXor(leftBit, iSelect(steep, iSet(INT32_MIN), iSet(0)));
    const thF axis = fSelect(steep, fSet(TH_HALF_PI), fSelect(left, fSet(TH_PI), zero));
    const thF excess =
        fSelect(steep, fSet(TH_HALF_PI_EXCESS), fSelect(left, fSet(TH_PI_EXCESS), zero));
    const thF result = axis + (fFlipSign(angle, backwards) - excess);

    const thM ordered = mAnd(fEq(x, x), fEq(y, y));
    return fSelect(ordered, fFlipSign(result, iSignBit(iBits(y))), fNan());
}

// thExp.
static inline thF fExp(thF x)
{
    const thF shifted = x * fSet(TH_LOG2_E) + fSet(TH_ROUNDER);
    const thF exponent = shifted - fSet(TH_ROUNDER);
    const thF high = x - exponent * fSet(TH_LN_2_1);
    const thF low = exponent * fSet(TH_LN_2_2);
    const thF r = high - low;

    thF sum = fStep(TH_EXP_5, r, fSet(TH_EXP_6));
    sum = fStep(TH_EXP_4, r, sum);
    sum = fStep(TH_EXP_3, r, sum);
    sum = fStep(TH_EXP_2, r, sum);
    const thF power = fSet(1.0f) + (high + (r * r * sum - low));

    thF result = fBits(iAdd(iBits(power), iShl(iBits(shifted), 23)));
    result = fSelect(fLt(x, fSet(TH_EXP_LOWEST)), fSet(0.0f), result);
    result = fSelect(fGt(x, fSet(TH_EXP_HIGHEST)), fInfinity(), result);
    return fSelect(fEq(x, x), result, fNan());
}

// thLog.
static inline thF fLog(thF x)
{
    const thM tiny = fLt(x, fSet(FLT_MIN));
    const thF normal = fSelect(tiny, x * fSet(0x1p23f), x);
    const thF bias = fSelect(tiny, fSet(127.0f + 23.0f), fSet(127.0f));
    const thI carried = iAdd(iBits(normal), iSet(TH_LOG_CARRY));
    const thF exponent = fFromI(iShrLogical(carried, 23)) - bias;
    const thI mantissa = iAnd(carried, iSet(TH_MANTISSA_BITS));
    const thF f = fBits(iAdd(mantissa, iSet(TH_LOG_FIRST))) - fSet(1.0f);

    thF sum = fStep(TH_LOG_9, f, fSet(TH_LOG_10));
    sum = fStep(TH_LOG_8, f, sum);
    sum = fStep(TH_LOG_7, f, sum);
    sum = fStep(TH_LOG_6, f, sum);
    sum = fStep(TH_LOG_5, f, sum);
    sum = fStep(TH_LOG_4, f, sum);
    sum = fStep(TH_LOG_3, f, sum);
    const thF tail = f * f * (f * sum - fSet(0.5f));

    const thF part1 = exponent * fSet(TH_LN_2_1);
    const thF high = part1 + f;
    const thF low = ((part1 - high) + f) + exponent * fSet(TH_LN_2_2);
    thF result = high + (tail + low);

    const thF zero = fSet(0.0f);
    result = fSelect(fLt(x, fInfinity()), result, fInfinity());
    result = fSelect(fEq(x, zero), fNeg(fInfinity()), result);
    return fSelect(fGe(x, zero), result, fNan());
}

// The mixer of thRandomBits.
static inline thI iMix(thI x)
{
    x = iXor(x, iShrLogical(x, 16));
    x = iMul(x, iSet(0x7feb352d));
    x = iXor(x, iShrLogical(x, 15));
    x = iMul(x, iSet((int32_t)0x846ca68bu));
    return iXor(x, iShrLogical(x, 16));
}

// thRandomBits. The stream is split into its low and its high 32 bits.
static inline thI iRandomBits(thI streamLow, thI streamHigh, thI index)
{
    return iMix(iAdd(iMix(iXor(index, streamLow)), streamHigh));
}

// thRandomUnit.
static inline thF fRandomUnit(thI streamLow, thI streamHigh, thI index)
{
    return fFromI(iShrLogical(iRandomBits(streamLow, streamHigh, index), 8)) * fSet(0x1p-24f);
}

#endif
