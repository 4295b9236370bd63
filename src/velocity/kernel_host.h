// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What methods that work by kernels have in common: what profiles share of them, and how their
// parameters are told and checked.

#ifndef THRONG_SRC_AVOID_KERNEL_HOST_H
#define THRONG_SRC_AVOID_KERNEL_HOST_H

#include "throng/method.h"
#include "throng/simd.h"

#include <stddef.h>

// What profiles share: how to work, and where the memory came from.
typedef struct thKernelHost {
    thAllocator allocator;
    thSimd simd;
} thKernelHost;

// `create` and `destroy` of such methods.
thResult thiCreateKernelHost(const thMethodHost* host, const void* params, void** shared);
void thiDestroyKernelHost(void* shared);

// An entry of a method's parameters: a field of its struct, by another name or its own.
#define TH_PARAM_NAMED(type, name, field, kind, min, max, unit, about)                             \
    {                                                                                              \
        name, kind, offsetof(type, field), min, max, unit, about                                   \
    }
#define TH_PARAM(type, field, kind, min, max, unit, about)                                         \
    TH_PARAM_NAMED(type, #field, field, kind, min, max, unit, about)

// Parts of `validate`. A message names the method and the field. [size: of the method's struct]
thResult thiCheckParamSize(const char* method, uint32_t size, size_t expected, thError* error);
thResult thiCheckParamFloat(const char* method, const char* name, float value, float low,
                            float high, thError* error);
thResult thiCheckParamInt(const char* method, const char* name, int32_t value, int32_t low,
                          int32_t high, thError* error);

#endif
