// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How kernels are declared, and one chosen for the instruction set in use.
//
// A kernel is written once, in <name>_wide.c over the lane vocabulary, and compiled once for each
// instruction set: the build forces in the set's lanes (-include simd/lanes_<set>.h) and gives its
// flags. A new kernel is one file, and one line in CMakeLists.txt.
//
// Inside, TH_WIDE(thiNearest) is the function's name with the set's suffix. Outside, declare all of
// them with TH_KERNEL_DECLARE and pick one from a table made with TH_KERNEL_TABLE.

#ifndef THRONG_SRC_SIMD_DISPATCH_H
#define THRONG_SRC_SIMD_DISPATCH_H

#include "throng/simd.h"

// The widest vocabulary there is: arrays that kernels read are padded by this many rows.
#define TH_MAX_WIDTH 16

#if defined(__x86_64__)

#define TH_KERNEL_DECLARE(name, result, parameters)                                                \
    result name##_scalar parameters;                                                               \
    result name##_sse2 parameters;                                                                 \
    result name##_avx2 parameters;                                                                 \
    result name##_avx512 parameters

#define TH_KERNEL_TABLE(name)                                                                      \
    {                                                                                              \
        [th_simdScalar] = name##_scalar, [th_simdSse2] = name##_sse2, [th_simdAvx2] = name##_avx2, \
        [th_simdAvx512] = name##_avx512                                                            \
    }

#elif defined(__aarch64__)

#define TH_KERNEL_DECLARE(name, result, parameters)                                                \
    result name##_scalar parameters;                                                               \
    result name##_neon parameters

#define TH_KERNEL_TABLE(name)                                                                      \
    {                                                                                              \
        [th_simdScalar] = name##_scalar, [th_simdNeon] = name##_neon                               \
    }

#elif defined(__wasm__)

#define TH_KERNEL_DECLARE(name, result, parameters)                                                \
    result name##_scalar parameters;                                                               \
    result name##_wasm128 parameters

#define TH_KERNEL_TABLE(name)                                                                      \
    {                                                                                              \
        [th_simdScalar] = name##_scalar, [th_simdWasm128] = name##_wasm128                         \
    }

#else

#define TH_KERNEL_DECLARE(name, result, parameters) result name##_scalar parameters
#define TH_KERNEL_TABLE(name)                                                                      \
    {                                                                                              \
        [th_simdScalar] = name##_scalar                                                            \
    }

#endif

#endif
