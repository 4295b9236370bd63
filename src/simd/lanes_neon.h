// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The lane vocabulary at width 4 on ARM. What each function means stands in lanes_scalar.h.

#ifndef THRONG_SRC_SIMD_LANES_H
#define THRONG_SRC_SIMD_LANES_H

#include "base/hash.h"

#include <arm_neon.h>

#define TH_WIDTH 4
#define TH_WIDE(name) name##_neon

typedef float32x4_t thF;
typedef int32x4_t thI;
typedef uint32x4_t thM;

static inline thF fSet(float value)
{
    return vdupq_n_f32(value);
}

static inline thF fLoad(const float* from)
{
    return vld1q_f32(from);
}

static inline void fStore(float* to, thF value)
{
    vst1q_f32(to, value);
}

static inline thI iSet(int32_t value)
{
    return vdupq_n_s32(value);
}

static inline thI iLoad(const int32_t* from)
{
    return vld1q_s32(from);
}

static inline void iStore(int32_t* to, thI value)
{
    vst1q_s32(to, value);
}

static inline thF fGather(const float* base, thI index)
{
    int32_t at[4];
    iStore(at, index);
    const float lanes[4] = {base[at[0]], base[at[1]], base[at[2]], base[at[3]]};
    return vld1q_f32(lanes);
}

static inline thF fPick(const float* from, thI lane)
{
    return fGather(from, lane);
}

static inline thI iGather(const int32_t* base, thI index)
{
    int32_t at[4];
    iStore(at, index);
    const int32_t lanes[4] = {base[at[0]], base[at[1]], base[at[2]], base[at[3]]};
    return vld1q_s32(lanes);
}

static inline thI iPick(const int32_t* from, thI lane)
{
    return iGather(from, lane);
}

static inline void iGatherFours(const int32_t* base, const int32_t* index, thI out[4])
{
    const int32x4x2_t ab =
        vtrnq_s32(vld1q_s32(base + 4 * index[0]), vld1q_s32(base + 4 * index[1]));
    const int32x4x2_t cd =
        vtrnq_s32(vld1q_s32(base + 4 * index[2]), vld1q_s32(base + 4 * index[3]));
    out[0] = vcombine_s32(vget_low_s32(ab.val[0]), vget_low_s32(cd.val[0]));
    out[1] = vcombine_s32(vget_low_s32(ab.val[1]), vget_low_s32(cd.val[1]));
    out[2] = vcombine_s32(vget_high_s32(ab.val[0]), vget_high_s32(cd.val[0]));
    out[3] = vcombine_s32(vget_high_s32(ab.val[1]), vget_high_s32(cd.val[1]));
}

static inline thI iLane(void)
{
    static const int32_t lanes[4] = {0, 1, 2, 3};
    return vld1q_s32(lanes);
}

static inline thI iBits(thF value)
{
    return vreinterpretq_s32_f32(value);
}

static inline thF fBits(thI value)
{
    return vreinterpretq_f32_s32(value);
}

static inline thF fFromI(thI value)
{
    return vcvtq_f32_s32(value);
}

static inline thI iFromF(thF value)
{
    return vcvtq_s32_f32(value);
}

static inline thF fMin(thF a, thF b)
{
    return vbslq_f32(vcltq_f32(a, b), a, b); // vminq treats NaN and zeros otherwise
}

static inline thF fMax(thF a, thF b)
{
    return vbslq_f32(vcgtq_f32(a, b), a, b);
}

static inline thF fSqrt(thF value)
{
    return vsqrtq_f32(value);
}

static inline thF fAbs(thF value)
{
    return vabsq_f32(value);
}

static inline thF fNeg(thF value)
{
    return vnegq_f32(value);
}

static inline thM fLt(thF a, thF b)
{
    return vcltq_f32(a, b);
}

static inline thM fLe(thF a, thF b)
{
    return vcleq_f32(a, b);
}

static inline thM fEq(thF a, thF b)
{
    return vceqq_f32(a, b);
}

static inline thI iSelect(thM mask, thI yes, thI no)
{
    return vbslq_s32(mask, yes, no);
}

static inline thF fSelect(thM mask, thF yes, thF no)
{
    return vbslq_f32(mask, yes, no);
}

static inline thI iAdd(thI a, thI b)
{
    return vaddq_s32(a, b);
}

static inline thI iSub(thI a, thI b)
{
    return vsubq_s32(a, b);
}

static inline thI iMul(thI a, thI b)
{
    return vmulq_s32(a, b);
}

static inline thI iAnd(thI a, thI b)
{
    return vandq_s32(a, b);
}

static inline thI iOr(thI a, thI b)
{
    return vorrq_s32(a, b);
}

static inline thI iXor(thI a, thI b)
{
    return veorq_s32(a, b);
}

static inline thI iShl(thI value, int32_t count)
{
    return vshlq_s32(value, vdupq_n_s32(count));
}

static inline thI iShr(thI value, int32_t count)
{
    return vshlq_s32(value, vdupq_n_s32(-count));
}

static inline thI iShrLogical(thI value, int32_t count)
{
    return vreinterpretq_s32_u32(vshlq_u32(vreinterpretq_u32_s32(value), vdupq_n_s32(-count)));
}

static inline thM iLt(thI a, thI b)
{
    return vcltq_s32(a, b);
}

static inline thM iEq(thI a, thI b)
{
    return vceqq_s32(a, b);
}

static inline thI iMin(thI a, thI b)
{
    return vminq_s32(a, b);
}

static inline thI iMax(thI a, thI b)
{
    return vmaxq_s32(a, b);
}

static inline thM mAnd(thM a, thM b)
{
    return vandq_u32(a, b);
}

static inline thM mOr(thM a, thM b)
{
    return vorrq_u32(a, b);
}

static inline thM mAndNot(thM a, thM b)
{
    return vbicq_u32(a, b);
}

static inline thM mNot(thM a)
{
    return vmvnq_u32(a);
}

static inline uint32_t mBits(thM mask)
{
    static const uint32_t weights[4] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(mask, vld1q_u32(weights)));
}

static inline thM mFromBits(uint32_t bits)
{
    static const uint32_t weights[4] = {1, 2, 4, 8};
    return vtstq_u32(vdupq_n_u32(bits), vld1q_u32(weights));
}

#include "simd/lanes_compress.h"

#include "simd/lanes_common.h"

#endif
