// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The lane vocabulary at width 16 on x86. What each function means stands in lanes_scalar.h.

#ifndef THRONG_SRC_SIMD_LANES_H
#define THRONG_SRC_SIMD_LANES_H

#include "base/hash.h"

#include <immintrin.h>

#define TH_WIDTH 16
#define TH_WIDE(name) name##_avx512

typedef __m512 thF;
typedef __m512i thI;
typedef __mmask16 thM;

static inline thF fSet(float value)
{
    return _mm512_set1_ps(value);
}

static inline thF fLoad(const float* from)
{
    return _mm512_loadu_ps(from);
}

static inline void fStore(float* to, thF value)
{
    _mm512_storeu_ps(to, value);
}

static inline thI iSet(int32_t value)
{
    return _mm512_set1_epi32(value);
}

static inline thI iLoad(const int32_t* from)
{
    return _mm512_loadu_si512(from);
}

static inline void iStore(int32_t* to, thI value)
{
    _mm512_storeu_si512(to, value);
}

// gcc's macro forms of the gathers convert a mask's sign.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
static inline thF fGather(const float* base, thI index)
{
    return _mm512_i32gather_ps(index, base, 4);
}

static inline thF fPick(const float* from, thI lane)
{
    return _mm512_permutexvar_ps(lane, _mm512_loadu_ps(from));
}

static inline thI iGather(const int32_t* base, thI index)
{
    return _mm512_i32gather_epi32(index, base, 4);
}
#pragma GCC diagnostic pop

static inline thI iPick(const int32_t* from, thI lane)
{
    return _mm512_permutexvar_epi32(lane, _mm512_loadu_si512(from));
}

// Four records in one register: of a lane, and of those 4, 8 and 12 further on.
static inline __m512i iFourFours(const int32_t* base, const int32_t* index)
{
    const __m512i first =
        _mm512_castsi128_si512(_mm_loadu_si128((const __m128i*)(base + 4 * index[0])));
    const __m512i second =
        _mm512_inserti32x4(first, _mm_loadu_si128((const __m128i*)(base + 4 * index[4])), 1);
    const __m512i third =
        _mm512_inserti32x4(second, _mm_loadu_si128((const __m128i*)(base + 4 * index[8])), 2);
    return _mm512_inserti32x4(third, _mm_loadu_si128((const __m128i*)(base + 4 * index[12])), 3);
}

static inline void iGatherFours(const int32_t* base, const int32_t* index, thI out[4])
{
    const __m512i a = iFourFours(base, index), b = iFourFours(base, index + 1);
    const __m512i c = iFourFours(base, index + 2), d = iFourFours(base, index + 3);
    const __m512i lowAb = _mm512_unpacklo_epi32(a, b), highAb = _mm512_unpackhi_epi32(a, b);
    const __m512i lowCd = _mm512_unpacklo_epi32(c, d), highCd = _mm512_unpackhi_epi32(c, d);
    out[0] = _mm512_unpacklo_epi64(lowAb, lowCd);
    out[1] = _mm512_unpackhi_epi64(lowAb, lowCd);
    out[2] = _mm512_unpacklo_epi64(highAb, highCd);
    out[3] = _mm512_unpackhi_epi64(highAb, highCd);
}

static inline thI iLane(void)
{
    return _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

static inline thI iBits(thF value)
{
    return _mm512_castps_si512(value);
}

static inline thF fBits(thI value)
{
    return _mm512_castsi512_ps(value);
}

static inline thF fFromI(thI value)
{
    return _mm512_cvtepi32_ps(value);
}

static inline thI iFromF(thF value)
{
    return _mm512_cvttps_epi32(value);
}

static inline thF fMin(thF a, thF b)
{
    return _mm512_min_ps(a, b);
}

static inline thF fMax(thF a, thF b)
{
    return _mm512_max_ps(a, b);
}

static inline thF fSqrt(thF value)
{
    return _mm512_sqrt_ps(value);
}

static inline thF fAbs(thF value)
{
    return _mm512_andnot_ps(_mm512_set1_ps(-0.0f), value);
}

static inline thF fNeg(thF value)
{
    return _mm512_xor_ps(_mm512_set1_ps(-0.0f), value);
}

static inline thM fLt(thF a, thF b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ);
}

static inline thM fLe(thF a, thF b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ);
}

static inline thM fEq(thF a, thF b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ);
}

static inline thI iSelect(thM mask, thI yes, thI no)
{
    return _mm512_mask_blend_epi32(mask, no, yes);
}

static inline thF fSelect(thM mask, thF yes, thF no)
{
    return _mm512_mask_blend_ps(mask, no, yes);
}

static inline thI iAdd(thI a, thI b)
{
    return _mm512_add_epi32(a, b);
}

static inline thI iSub(thI a, thI b)
{
    return _mm512_sub_epi32(a, b);
}

static inline thI iMul(thI a, thI b)
{
    return _mm512_mullo_epi32(a, b);
}

static inline thI iAnd(thI a, thI b)
{
    return _mm512_and_si512(a, b);
}

static inline thI iOr(thI a, thI b)
{
    return _mm512_or_si512(a, b);
}

static inline thI iXor(thI a, thI b)
{
    return _mm512_xor_si512(a, b);
}

static inline thI iShl(thI value, int32_t count)
{
    return _mm512_slli_epi32(value, (unsigned)count);
}

static inline thI iShr(thI value, int32_t count)
{
    return _mm512_srai_epi32(value, (unsigned)count);
}

static inline thI iShrLogical(thI value, int32_t count)
{
    return _mm512_srli_epi32(value, (unsigned)count);
}

static inline thM iLt(thI a, thI b)
{
    return _mm512_cmplt_epi32_mask(a, b);
}

static inline thM iEq(thI a, thI b)
{
    return _mm512_cmpeq_epi32_mask(a, b);
}

static inline thI iMin(thI a, thI b)
{
    return _mm512_min_epi32(a, b);
}

static inline thI iMax(thI a, thI b)
{
    return _mm512_max_epi32(a, b);
}

static inline thM mAnd(thM a, thM b)
{
    return (thM)(a & b);
}

static inline thM mOr(thM a, thM b)
{
    return (thM)(a | b);
}

static inline thM mAndNot(thM a, thM b)
{
    return (thM)(a & ~b);
}

static inline thM mNot(thM a)
{
    return (thM)~a;
}

static inline uint32_t mBits(thM mask)
{
    return mask;
}

static inline thM mFromBits(uint32_t bits)
{
    return (thM)bits;
}

// Compress in a register and store whole: a compressing store is slow on some machines.
static inline int32_t fCompress(float* to, thM mask, thF value)
{
    _mm512_storeu_ps(to, _mm512_maskz_compress_ps(mask, value));
    return __builtin_popcount(mask);
}

static inline int32_t iCompress(int32_t* to, thM mask, thI value)
{
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(mask, value));
    return __builtin_popcount(mask);
}

#include "simd/lanes_common.h"

#endif
