// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What profiles share of a method that works by kernels.

#ifndef THRONG_SRC_AVOID_KERNEL_HOST_H
#define THRONG_SRC_AVOID_KERNEL_HOST_H

#include "throng/method.h"
#include "throng/simd.h"

// What profiles share: how to work, and where the memory came from.
typedef struct thKernelHost {
    thAllocator allocator;
    thSimd simd;
} thKernelHost;

// `create` and `destroy` of such methods.
thResult thiCreateKernelHost(const thMethodHost* host, const void* params, void** shared);
void thiDestroyKernelHost(void* shared);

#endif
