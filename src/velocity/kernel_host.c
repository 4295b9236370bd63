// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "velocity/kernel_host.h"

#include "base/memory.h"

thResult thiCreateKernelHost(const thMethodHost* host, const void* params, void** shared)
{
    (void)params;
    thKernelHost* own =
        host->allocator.allocate(host->allocator.context, sizeof *own, TH_ALIGNMENT);
    if (own == NULL)
        return th_resultNoMemory;
    *own = (thKernelHost){host->allocator, (thSimd)host->simd};
    *shared = own;
    return th_resultOk;
}

void thiDestroyKernelHost(void* shared)
{
    const thAllocator allocator = ((thKernelHost*)shared)->allocator;
    allocator.release(allocator.context, shared, sizeof(thKernelHost), TH_ALIGNMENT);
}
