// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The lane vocabulary at width 4 in WebAssembly. What each function means stands in lanes_scalar.h.

#ifndef THRONG_SRC_SIMD_LANES_H
#define THRONG_SRC_SIMD_LANES_H

#include "base/hash.h"

#include <wasm_simd128.h>

#define TH_WIDTH 4
#define TH_WIDE(name) name##_wasm128

typedef float thF __attribute__((vector_size(16)));
typedef v128_t thI;
typedef v128_t thM;

static inline thF fSet(float value)
{
    return (thF)wasm_f32x4_splat(value);
}

static inline thF fLoad(const float* from)
{
    return (thF)wasm_v128_load(from);
}

static inline void fStore(float* to, thF value)
{
    wasm_v128_store(to, (v128_t)value);
}

static inline thI iSet(int32_t value)
{
    return wasm_i32x4_splat(value);
}

static inline thI iLoad(const int32_t* from)
{
    return wasm_v128_load(from);
}

static inline void iStore(int32_t* to, thI value)
{
    wasm_v128_store(to, value);
}

static inline thF fGather(const float* base, thI index)
{
    return (thF)wasm_f32x4_make(
        base[wasm_i32x4_extract_lane(index, 0)], base[wasm_i32x4_extract_lane(index, 1)],
        base[wasm_i32x4_extract_lane(index, 2)], base[wasm_i32x4_extract_lane(index, 3)]);
}

static inline thF fPick(const float* from, thI lane)
{
    return fGather(from, lane);
}

static inline thI iGather(const int32_t* base, thI index)
{
    return wasm_i32x4_make(
        base[wasm_i32x4_extract_lane(index, 0)], base[wasm_i32x4_extract_lane(index, 1)],
        base[wasm_i32x4_extract_lane(index, 2)], base[wasm_i32x4_extract_lane(index, 3)]);
}

static inline thI iPick(const int32_t* from, thI lane)
{
    return iGather(from, lane);
}

static inline void iGatherFours(const int32_t* base, const int32_t* index, thI out[4])
{
    const v128_t a = wasm_v128_load(base + 4 * index[0]);
    const v128_t b = wasm_v128_load(base + 4 * index[1]);
    const v128_t c = wasm_v128_load(base + 4 * index[2]);
    const v128_t d = wasm_v128_load(base + 4 * index[3]);
    const v128_t lowAb = wasm_i32x4_shuffle(a, b, 0, 4, 1, 5);
    const v128_t highAb = wasm_i32x4_shuffle(a, b, 2, 6, 3, 7);
    const v128_t lowCd = wasm_i32x4_shuffle(c, d, 0, 4, 1, 5);
    const v128_t highCd = wasm_i32x4_shuffle(c, d, 2, 6, 3, 7);
    out[0] = wasm_i64x2_shuffle(lowAb, lowCd, 0, 2);
    out[1] = wasm_i64x2_shuffle(lowAb, lowCd, 1, 3);
    out[2] = wasm_i64x2_shuffle(highAb, highCd, 0, 2);
    out[3] = wasm_i64x2_shuffle(highAb, highCd, 1, 3);
}

static inline thI iLane(void)
{
    return wasm_i32x4_const(0, 1, 2, 3);
}

static inline thI iBits(thF value)
{
    return (v128_t)value;
}

static inline thF fBits(thI value)
{
    return (thF)value;
}

static inline thF fFromI(thI value)
{
    return (thF)wasm_f32x4_convert_i32x4(value);
}

static inline thI iFromF(thF value)
{
    return wasm_i32x4_trunc_sat_f32x4((v128_t)value);
}

static inline thF fMin(thF a, thF b)
{
    return (thF)wasm_f32x4_pmin((v128_t)b, (v128_t)a); // pmin(x, y) is y < x ? y : x
}

static inline thF fMax(thF a, thF b)
{
    return (thF)wasm_f32x4_pmax((v128_t)b, (v128_t)a);
}

static inline thF fSqrt(thF value)
{
    return (thF)wasm_f32x4_sqrt((v128_t)value);
}

static inline thF fAbs(thF value)
{
    return (thF)wasm_f32x4_abs((v128_t)value);
}

static inline thF fNeg(thF value)
{
    return (thF)wasm_f32x4_neg((v128_t)value);
}

static inline thM fLt(thF a, thF b)
{
    return wasm_f32x4_lt((v128_t)a, (v128_t)b);
}

static inline thM fLe(thF a, thF b)
{
    return wasm_f32x4_le((v128_t)a, (v128_t)b);
}

static inline thM fEq(thF a, thF b)
{
    return wasm_f32x4_eq((v128_t)a, (v128_t)b);
}

static inline thI iSelect(thM mask, thI yes, thI no)
{
    return wasm_v128_bitselect(yes, no, mask);
}

static inline thF fSelect(thM mask, thF yes, thF no)
{
    return (thF)wasm_v128_bitselect((v128_t)yes, (v128_t)no, mask);
}

static inline thI iAdd(thI a, thI b)
{
    return wasm_i32x4_add(a, b);
}

static inline thI iSub(thI a, thI b)
{
    return wasm_i32x4_sub(a, b);
}

static inline thI iMul(thI a, thI b)
{
    return wasm_i32x4_mul(a, b);
}

static inline thI iAnd(thI a, thI b)
{
    return wasm_v128_and(a, b);
}

static inline thI iOr(thI a, thI b)
{
    return wasm_v128_or(a, b);
}

static inline thI iXor(thI a, thI b)
{
    return wasm_v128_xor(a, b);
}

static inline thI iShl(thI value, int32_t count)
{
    return wasm_i32x4_shl(value, (uint32_t)count);
}

static inline thI iShr(thI value, int32_t count)
{
    return wasm_i32x4_shr(value, (uint32_t)count);
}

static inline thI iShrLogical(thI value, int32_t count)
{
    return wasm_u32x4_shr(value, (uint32_t)count);
}

static inline thM iLt(thI a, thI b)
{
    return wasm_i32x4_lt(a, b);
}

static inline thM iEq(thI a, thI b)
{
    return wasm_i32x4_eq(a, b);
}

static inline thI iMin(thI a, thI b)
{
    return wasm_i32x4_min(a, b);
}

static inline thI iMax(thI a, thI b)
{
    return wasm_i32x4_max(a, b);
}

static inline thM mAnd(thM a, thM b)
{
    return wasm_v128_and(a, b);
}

static inline thM mOr(thM a, thM b)
{
    return wasm_v128_or(a, b);
}

static inline thM mAndNot(thM a, thM b)
{
    return wasm_v128_andnot(a, b);
}

static inline thM mNot(thM a)
{
    return wasm_v128_not(a);
}

static inline uint32_t mBits(thM mask)
{
    return wasm_i32x4_bitmask(mask);
}

static inline thM mFromBits(uint32_t bits)
{
    const v128_t lane = wasm_i32x4_const(1, 2, 4, 8);
    return wasm_i32x4_eq(wasm_v128_and(wasm_i32x4_splat((int32_t)bits), lane), lane);
}

#include "simd/lanes_compress.h"

#include "simd/lanes_common.h"

#endif
