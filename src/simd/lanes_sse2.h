// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The lane vocabulary at width 4 on x86. What each function means stands in lanes_scalar.h.

#ifndef THRONG_SRC_SIMD_LANES_H
#define THRONG_SRC_SIMD_LANES_H

#include "base/hash.h"

#include <emmintrin.h>

#define TH_WIDTH 4
#define TH_WIDE(name) name##_sse2

typedef __m128 thF;
typedef __m128i thI;
typedef __m128i thM;

static inline thF fSet(float value)
{
    return _mm_set1_ps(value);
}

static inline thF fLoad(const float* from)
{
    return _mm_loadu_ps(from);
}

static inline void fStore(float* to, thF value)
{
    _mm_storeu_ps(to, value);
}

static inline thI iSet(int32_t value)
{
    return _mm_set1_epi32(value);
}

static inline thI iLoad(const int32_t* from)
{
    return _mm_loadu_si128((const __m128i*)(const void*)from);
}

static inline void iStore(int32_t* to, thI value)
{
    _mm_storeu_si128((__m128i*)(void*)to, value);
}

static inline thF fGather(const float* base, thI index)
{
    int32_t at[4];
    iStore(at, index);
    return _mm_setr_ps(base[at[0]], base[at[1]], base[at[2]], base[at[3]]);
}

static inline thF fPick(const float* from, thI lane)
{
    return fGather(from, lane);
}

static inline thI iGather(const int32_t* base, thI index)
{
    int32_t at[4];
    iStore(at, index);
    return _mm_setr_epi32(base[at[0]], base[at[1]], base[at[2]], base[at[3]]);
}

static inline thI iPick(const int32_t* from, thI lane)
{
    return iGather(from, lane);
}

static inline void iGatherFours(const int32_t* base, const int32_t* index, thI out[4])
{
    const __m128i a = _mm_loadu_si128((const __m128i*)(base + 4 * index[0]));
    const __m128i b = _mm_loadu_si128((const __m128i*)(base + 4 * index[1]));
    const __m128i c = _mm_loadu_si128((const __m128i*)(base + 4 * index[2]));
    const __m128i d = _mm_loadu_si128((const __m128i*)(base + 4 * index[3]));
    const __m128i lowAb = _mm_unpacklo_epi32(a, b), highAb = _mm_unpackhi_epi32(a, b);
    const __m128i lowCd = _mm_unpacklo_epi32(c, d), highCd = _mm_unpackhi_epi32(c, d);
    out[0] = _mm_unpacklo_epi64(lowAb, lowCd);
    out[1] = _mm_unpackhi_epi64(lowAb, lowCd);
    out[2] = _mm_unpacklo_epi64(highAb, highCd);
    out[3] = _mm_unpackhi_epi64(highAb, highCd);
}

static inline thI iLane(void)
{
    return _mm_setr_epi32(0, 1, 2, 3);
}

static inline thI iBits(thF value)
{
    return _mm_castps_si128(value);
}

static inline thF fBits(thI value)
{
    return _mm_castsi128_ps(value);
}

static inline thF fFromI(thI value)
{
    return _mm_cvtepi32_ps(value);
}

static inline thI iFromF(thF value)
{
    return _mm_cvttps_epi32(value);
}

static inline thF fMin(thF a, thF b)
{
    return _mm_min_ps(a, b);
}

static inline thF fMax(thF a, thF b)
{
    return _mm_max_ps(a, b);
}

static inline thF fSqrt(thF value)
{
    return _mm_sqrt_ps(value);
}

static inline thF fAbs(thF value)
{
    return _mm_andnot_ps(_mm_set1_ps(-0.0f), value);
}

static inline thF fNeg(thF value)
{
    return _mm_xor_ps(_mm_set1_ps(-0.0f), value);
}

static inline thM fLt(thF a, thF b)
{
    return _mm_castps_si128(_mm_cmplt_ps(a, b));
}

static inline thM fLe(thF a, thF b)
{
    return _mm_castps_si128(_mm_cmple_ps(a, b));
}

static inline thM fEq(thF a, thF b)
{
    return _mm_castps_si128(_mm_cmpeq_ps(a, b));
}

static inline thI iSelect(thM mask, thI yes, thI no)
{
    return _mm_or_si128(_mm_and_si128(mask, yes), _mm_andnot_si128(mask, no));
}

static inline thF fSelect(thM mask, thF yes, thF no)
{
    return fBits(iSelect(mask, iBits(yes), iBits(no)));
}

static inline thI iAdd(thI a, thI b)
{
    return _mm_add_epi32(a, b);
}

static inline thI iSub(thI a, thI b)
{
    return _mm_sub_epi32(a, b);
}

// SSE2 multiplies only even lanes, to 64 bits.
static inline thI iMul(thI a, thI b)
{
    const __m128i even = _mm_mul_epu32(a, b);
    const __m128i odd = _mm_mul_epu32(_mm_srli_si128(a, 4), _mm_srli_si128(b, 4));
    return _mm_unpacklo_epi32(_mm_shuffle_epi32(even, _MM_SHUFFLE(0, 0, 2, 0)),
                              _mm_shuffle_epi32(odd, _MM_SHUFFLE(0, 0, 2, 0)));
}

static inline thI iAnd(thI a, thI b)
{
    return _mm_and_si128(a, b);
}

static inline thI iOr(thI a, thI b)
{
    return _mm_or_si128(a, b);
}

static inline thI iXor(thI a, thI b)
{
    return _mm_xor_si128(a, b);
}

static inline thI iShl(thI value, int32_t count)
{
    return _mm_slli_epi32(value, count);
}

static inline thI iShr(thI value, int32_t count)
{
    return _mm_srai_epi32(value, count);
}

static inline thI iShrLogical(thI value, int32_t count)
{
    return _mm_srli_epi32(value, count);
}

static inline thM iLt(thI a, thI b)
{
    return _mm_cmplt_epi32(a, b);
}

static inline thM iEq(thI a, thI b)
{
    return _mm_cmpeq_epi32(a, b);
}

static inline thI iMin(thI a, thI b)
{
    return iSelect(iLt(a, b), a, b);
}

static inline thI iMax(thI a, thI b)
{
    return iSelect(iLt(b, a), a, b);
}

static inline thM mAnd(thM a, thM b)
{
    return _mm_and_si128(a, b);
}

static inline thM mOr(thM a, thM b)
{
    return _mm_or_si128(a, b);
}

static inline thM mAndNot(thM a, thM b)
{
    return _mm_andnot_si128(b, a);
}

static inline thM mNot(thM a)
{
    return _mm_xor_si128(a, _mm_set1_epi32(-1));
}

static inline uint32_t mBits(thM mask)
{
    return (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(mask));
}

static inline thM mFromBits(uint32_t bits)
{
    const __m128i lane = _mm_setr_epi32(1, 2, 4, 8);
    return _mm_cmpeq_epi32(_mm_and_si128(_mm_set1_epi32((int32_t)bits), lane), lane);
}

#include "simd/lanes_compress.h"

#include "simd/lanes_common.h"

#endif
