// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "velocity/kernel_host.h"

#include "base/core.h"
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

thResult thiCheckParamSize(const char* method, uint32_t size, size_t expected, thError* error)
{
    if (size == expected)
        return th_resultOk;
    return thiFail(error, th_resultBadArgument, "%s: size is %u, expected %u", method, size,
                   (unsigned)expected);
}

thResult thiCheckParamFloat(const char* method, const char* name, float value, float low,
                            float high, thError* error)
{
    if (value >= low && value <= high)
        return th_resultOk;
    return thiFail(error, th_resultBadArgument, "%s: %s is %g, expected %g to %g", method, name,
                   (double)value, (double)low, (double)high);
}

thResult thiCheckParamInt(const char* method, const char* name, int32_t value, int32_t low,
                          int32_t high, thError* error)
{
    if (value >= low && value <= high)
        return th_resultOk;
    return thiFail(error, th_resultBadArgument, "%s: %s is %d, expected %d to %d", method, name,
                   value, low, high);
}
