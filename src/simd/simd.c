// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Which instruction sets this processor has, their names, and the one that is used.

#include "throng/simd.h"

#include "base/core.h"

#include <string.h>

static const struct {
    const char* name;
    int32_t width;
} sets[th_simdCount] = {
    [th_simdAuto] = {"auto", 0},       [th_simdScalar] = {"scalar", 1},
    [th_simdSse2] = {"sse2", 4},       [th_simdAvx2] = {"avx2", 8},
    [th_simdAvx512] = {"avx512", 16},  [th_simdNeon] = {"neon", 4},
    [th_simdWasm128] = {"wasm128", 4},
};

static bool isKnown(thSimd simd)
{
    return (unsigned)simd < (unsigned)th_simdCount;
}

int32_t thSimd_IsAvailable(thSimd simd)
{
    switch (simd) {
    case th_simdAuto:
    case th_simdScalar:
        return 1;
#if defined(__x86_64__)
    case th_simdSse2:
        return 1;
    case th_simdAvx2:
        return __builtin_cpu_supports("avx2") != 0;
    case th_simdAvx512:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
#elif defined(__aarch64__)
    case th_simdNeon:
        return 1;
#elif defined(__wasm__)
    case th_simdWasm128:
        return 1;
#endif
    default:
        return 0;
    }
}

thSimd thSimd_Resolve(thSimd simd)
{
    if (simd != th_simdAuto)
        return thSimd_IsAvailable(simd) ? simd : th_simdScalar;
    thSimd best = th_simdScalar;
    for (int32_t i = th_simdScalar; i < th_simdCount; ++i)
        if (thSimd_IsAvailable((thSimd)i))
            best = (thSimd)i; // they stand in the order of their widths
    return best;
}

int32_t thSimd_GetWidth(thSimd simd)
{
    return isKnown(simd) ? sets[simd].width : 0;
}

const char* thSimd_GetName(thSimd simd)
{
    return isKnown(simd) ? sets[simd].name : NULL;
}

thResult thSimd_FromName(const char* name, thSimd* simd)
{
    TH_REQUIRE(name != NULL && simd != NULL, th_resultBadArgument);
    for (int32_t i = 0; i < th_simdCount; ++i)
        if (strcmp(name, sets[i].name) == 0) {
            *simd = (thSimd)i;
            return th_resultOk;
        }
    return th_resultUnavailable;
}
