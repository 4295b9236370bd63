// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

/// @file
/// The instruction sets the kernels come in. All give the same bits; the choice is one of speed.

#ifndef THRONG_SIMD_H
#define THRONG_SIMD_H

#include "throng/base.h"

/// An instruction set and with it the number of agents that one instruction treats.
typedef enum thSimd {
    /// The widest set this machine has.
    th_simdAuto = 0,
    /// One agent at a time.
    th_simdScalar = 1,
    /// x86, 4 lanes.
    th_simdSse2 = 2,
    /// x86, 8 lanes.
    th_simdAvx2 = 3,
    /// x86, 16 lanes (F, VL, DQ and BW).
    th_simdAvx512 = 4,
    /// ARM, 4 lanes.
    th_simdNeon = 5,
    /// WebAssembly, 4 lanes.
    th_simdWasm128 = 6,
    /// How many names there are, th_simdAuto included.
    th_simdCount = 7,
} thSimd;

/// Whether kernels of this set are built in and this machine can run them.
THRONG_API int32_t thSimd_IsAvailable(thSimd simd);

/// What `th_simdAuto` stands for on this machine; other sets stand for themselves when they are
/// available, and for th_simdScalar when not.
THRONG_API thSimd thSimd_Resolve(thSimd simd);

/// Number of lanes. [1, 4, 8 or 16; 0 for th_simdAuto and unknown numbers]
THRONG_API int32_t thSimd_GetWidth(thSimd simd);

/// The name as the program's `--simd` takes it: "auto", "scalar", "sse2", "avx2", "avx512", "neon",
/// "wasm128". NULL for unknown numbers.
THRONG_API const char* thSimd_GetName(thSimd simd);

/// The set of that name; `*simd` is left as it was when there is none.
THRONG_API thResult thSimd_FromName(const char* name, thSimd* simd);

#endif
