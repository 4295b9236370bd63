// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The lane vocabulary at width 8 on x86. What each function means stands in lanes_scalar.h.

#ifndef THRONG_SRC_SIMD_LANES_H
#define THRONG_SRC_SIMD_LANES_H

#include "base/hash.h"

#include <immintrin.h>

#define TH_WIDTH 8
#define TH_WIDE(name) name##_avx2

typedef __m256 thF;
typedef __m256i thI;
typedef __m256i thM;

static inline thF fSet(float value)
{
    return _mm256_set1_ps(value);
}

static inline thF fLoad(const float* from)
{
    return _mm256_loadu_ps(from);
}

static inline void fStore(float* to, thF value)
{
    _mm256_storeu_ps(to, value);
}

static inline thI iSet(int32_t value)
{
    return _mm256_set1_epi32(value);
}

static inline thI iLoad(const int32_t* from)
{
    return _mm256_loadu_si256((const __m256i*)(const void*)from);
}

static inline void iStore(int32_t* to, thI value)
{
    _mm256_storeu_si256((__m256i*)(void*)to, value);
}

static inline thF fGather(const float* base, thI index)
{
    return _mm256_i32gather_ps(base, index, 4);
}

static inline thF fPick(const float* from, thI lane)
{
    return _mm256_permutevar8x32_ps(_mm256_loadu_ps(from), lane);
}

static inline thI iGather(const int32_t* base, thI index)
{
    return _mm256_i32gather_epi32((const int*)base, index, 4);
}

static inline thI iPick(const int32_t* from, thI lane)
{
    return _mm256_permutevar8x32_epi32(_mm256_loadu_si256((const __m256i*)from), lane);
}

// Two records in one register: of a lane, and of the one half a register further on.
static inline __m256i iTwoFours(const int32_t* base, const int32_t* index)
{
    const __m128i low = _mm_loadu_si128((const __m128i*)(base + 4 * index[0]));
    const __m128i high = _mm_loadu_si128((const __m128i*)(base + 4 * index[4]));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

static inline void iGatherFours(const int32_t* base, const int32_t* index, thI out[4])
{
    const __m256i a = iTwoFours(base, index), b = iTwoFours(base, index + 1);
    const __m256i c = iTwoFours(base, index + 2), d = iTwoFours(base, index + 3);
    const __m256i lowAb = _mm256_unpacklo_epi32(a, b), highAb = _mm256_unpackhi_epi32(a, b);
    const __m256i lowCd = _mm256_unpacklo_epi32(c, d), highCd = _mm256_unpackhi_epi32(c, d);
    out[0] = _mm256_unpacklo_epi64(lowAb, lowCd);
    out[1] = _mm256_unpackhi_epi64(lowAb, lowCd);
    out[2] = _mm256_unpacklo_epi64(highAb, highCd);
    out[3] = _mm256_unpackhi_epi64(highAb, highCd);
}

static inline thI iLane(void)
{
    return _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
}

static inline thI iBits(thF value)
{
    return _mm256_castps_si256(value);
}

static inline thF fBits(thI value)
{
    return _mm256_castsi256_ps(value);
}

static inline thF fFromI(thI value)
{
    return _mm256_cvtepi32_ps(value);
}

static inline thI iFromF(thF value)
{
    return _mm256_cvttps_epi32(value);
}

static inline thF fMin(thF a, thF b)
{
    return _mm256_min_ps(a, b);
}

static inline thF fMax(thF a, thF b)
{
    return _mm256_max_ps(a, b);
}

static inline thF fSqrt(thF value)
{
    return _mm256_sqrt_ps(value);
}

static inline thF fAbs(thF value)
{
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), value);
}

static inline thF fNeg(thF value)
{
    return _mm256_xor_ps(_mm256_set1_ps(-0.0f), value);
}

static inline thM fLt(thF a, thF b)
{
    return _mm256_castps_si256(_mm256_cmp_ps(a, b, _CMP_LT_OQ));
}

static inline thM fLe(thF a, thF b)
{
    return _mm256_castps_si256(_mm256_cmp_ps(a, b, _CMP_LE_OQ));
}

static inline thM fEq(thF a, thF b)
{
    return _mm256_castps_si256(_mm256_cmp_ps(a, b, _CMP_EQ_OQ));
}

static inline thI iSelect(thM mask, thI yes, thI no)
{
    return _mm256_blendv_epi8(no, yes, mask);
}

static inline thF fSelect(thM mask, thF yes, thF no)
{
    return _mm256_blendv_ps(no, yes, _mm256_castsi256_ps(mask));
}

static inline thI iAdd(thI a, thI b)
{
    return _mm256_add_epi32(a, b);
}

static inline thI iSub(thI a, thI b)
{
    return _mm256_sub_epi32(a, b);
}

static inline thI iMul(thI a, thI b)
{
    return _mm256_mullo_epi32(a, b);
}

static inline thI iAnd(thI a, thI b)
{
    return _mm256_and_si256(a, b);
}

static inline thI iOr(thI a, thI b)
{
    return _mm256_or_si256(a, b);
}

static inline thI iXor(thI a, thI b)
{
    return _mm256_xor_si256(a, b);
}

static inline thI iShl(thI value, int32_t count)
{
    return _mm256_slli_epi32(value, count);
}

static inline thI iShr(thI value, int32_t count)
{
    return _mm256_srai_epi32(value, count);
}

static inline thI iShrLogical(thI value, int32_t count)
{
    return _mm256_srli_epi32(value, count);
}

static inline thM iLt(thI a, thI b)
{
    return _mm256_cmpgt_epi32(b, a);
}

static inline thM iEq(thI a, thI b)
{
    return _mm256_cmpeq_epi32(a, b);
}

static inline thI iMin(thI a, thI b)
{
    return _mm256_min_epi32(a, b);
}

static inline thI iMax(thI a, thI b)
{
    return _mm256_max_epi32(a, b);
}

static inline thM mAnd(thM a, thM b)
{
    return _mm256_and_si256(a, b);
}

static inline thM mOr(thM a, thM b)
{
    return _mm256_or_si256(a, b);
}

static inline thM mAndNot(thM a, thM b)
{
    return _mm256_andnot_si256(b, a);
}

static inline thM mNot(thM a)
{
    return _mm256_xor_si256(a, _mm256_set1_epi32(-1));
}

static inline uint32_t mBits(thM mask)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(mask));
}

static inline thM mFromBits(uint32_t bits)
{
    const __m256i lane = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int32_t)bits), lane), lane);
}

#include "simd/lanes_compress.h"

#include "simd/lanes_common.h"

#endif
