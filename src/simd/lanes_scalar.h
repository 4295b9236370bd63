// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The lane vocabulary at width 1: the definition that every other width must match bit for bit.
//
//   thF  float lanes     + − × ÷ are the C operators; everything else is a function
//   thI  int32_t lanes   functions only: C leaves signed overflow undefined, lanes wrap
//   thM  masks           the result of comparisons
//
// A function's first letter says what it returns or works on: f, i or m.

#ifndef THRONG_SRC_SIMD_LANES_H
#define THRONG_SRC_SIMD_LANES_H

#include "base/hash.h"

#include <math.h>

#define TH_WIDTH 1
#define TH_WIDE(name) name##_scalar

typedef float thF;
typedef int32_t thI;
typedef uint32_t thM; // 0 or all ones

static inline thF fSet(float value)
{
    return value;
}

static inline thF fLoad(const float* from)
{
    return *from;
}

static inline void fStore(float* to, thF value)
{
    *to = value;
}

// base[index], lane by lane.
static inline thF fGather(const float* base, thI index)
{
    return base[index];
}

// from[lane], of the TH_WIDTH floats or numbers from there on. [lane: 0 .. TH_WIDTH − 1]
static inline thF fPick(const float* from, thI lane)
{
    return from[lane];
}

static inline thI iSet(int32_t value)
{
    return value;
}

static inline thI iLoad(const int32_t* from)
{
    return *from;
}

static inline void iStore(int32_t* to, thI value)
{
    *to = value;
}

static inline thI iGather(const int32_t* base, thI index)
{
    return base[index];
}

static inline thI iPick(const int32_t* from, thI lane)
{
    return from[lane];
}

// Of records of four, by lane: out[c] becomes base[4 · index + c]. `index` has TH_WIDTH numbers.
static inline void iGatherFours(const int32_t* base, const int32_t* index, thI out[4])
{
    for (int32_t c = 0; c < 4; ++c)
        out[c] = base[4 * *index + c];
}

// The lane's number: 0, 1, 2 …
static inline thI iLane(void)
{
    return 0;
}

// The same bits, seen as the other type.
static inline thI iBits(thF value)
{
    return (int32_t)thiFloatBits(value);
}

static inline thF fBits(thI value)
{
    return thiFloatFromBits((uint32_t)value);
}

// Nearest float; halves to even.
static inline thF fFromI(thI value)
{
    return (float)value;
}

// Towards zero. The caller makes sure that the value fits: what else happens differs by machine.
static inline thI iFromF(thF value)
{
    return (int32_t)value;
}

// a < b ? a : b, and so b when either is NaN and when both are zeros.
static inline thF fMin(thF a, thF b)
{
    return a < b ? a : b;
}

// a > b ? a : b, and so b when either is NaN and when both are zeros.
static inline thF fMax(thF a, thF b)
{
    return a > b ? a : b;
}

static inline thF fSqrt(thF value)
{
    return sqrtf(value);
}

// Clears the sign bit.
static inline thF fAbs(thF value)
{
    return fBits(iBits(value) & 0x7fffffff);
}

// Flips the sign bit.
static inline thF fNeg(thF value)
{
    return fBits(iBits(value) ^ INT32_MIN);
}

static inline thM mFromBool(bool value)
{
    return value ? UINT32_MAX : 0;
}

// Comparisons are false when either side is NaN.
static inline thM fLt(thF a, thF b)
{
    return mFromBool(a < b);
}

static inline thM fLe(thF a, thF b)
{
    return mFromBool(a <= b);
}

static inline thM fEq(thF a, thF b)
{
    return mFromBool(a == b);
}

static inline thF fSelect(thM mask, thF yes, thF no)
{
    return mask ? yes : no;
}

static inline thI iAdd(thI a, thI b)
{
    return (int32_t)((uint32_t)a + (uint32_t)b);
}

static inline thI iSub(thI a, thI b)
{
    return (int32_t)((uint32_t)a - (uint32_t)b);
}

// The low 32 bits of the product.
static inline thI iMul(thI a, thI b)
{
    return (int32_t)((uint32_t)a * (uint32_t)b);
}

static inline thI iAnd(thI a, thI b)
{
    return a & b;
}

static inline thI iOr(thI a, thI b)
{
    return a | b;
}

static inline thI iXor(thI a, thI b)
{
    return a ^ b;
}

// Shifts by 0 .. 31, the same for all lanes.
static inline thI iShl(thI value, int32_t count)
{
    return (int32_t)((uint32_t)value << count);
}

// Copies the sign bit down.
static inline thI iShr(thI value, int32_t count)
{
    return value >> count;
}

// Fills with zeros.
static inline thI iShrLogical(thI value, int32_t count)
{
    return (int32_t)((uint32_t)value >> count);
}

static inline thI iMin(thI a, thI b)
{
    return a < b ? a : b;
}

static inline thI iMax(thI a, thI b)
{
    return a > b ? a : b;
}

static inline thM iLt(thI a, thI b)
{
    return mFromBool(a < b);
}

static inline thM iEq(thI a, thI b)
{
    return mFromBool(a == b);
}

static inline thI iSelect(thM mask, thI yes, thI no)
{
    return mask ? yes : no;
}

static inline thM mAnd(thM a, thM b)
{
    return a & b;
}

static inline thM mOr(thM a, thM b)
{
    return a | b;
}

// a and not b.
static inline thM mAndNot(thM a, thM b)
{
    return a & ~b;
}

static inline thM mNot(thM a)
{
    return ~a;
}

// Bit i of the result is lane i.
static inline uint32_t mBits(thM mask)
{
    return mask & 1u;
}

static inline thM mFromBits(uint32_t bits)
{
    return mFromBool((bits & 1u) != 0);
}

// Writes the lanes of the mask to consecutive places and returns how many there are. May write
// rubbish behind them, up to TH_WIDTH items in all.
static inline int32_t fCompress(float* to, thM mask, thF value)
{
    *to = value;
    return mask ? 1 : 0;
}

static inline int32_t iCompress(int32_t* to, thM mask, thI value)
{
    *to = value;
    return mask ? 1 : 0;
}

#include "simd/lanes_common.h"

#endif
