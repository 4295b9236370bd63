// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Counter-based random numbers. A stream is the mix of what it is for; its numbers use 32-bit
// operations only, so that a kernel can draw one per lane.

#include "throng/random.h"

#include "base/hash.h"
#include "throng/math.h"

#include <math.h>

uint64_t thRandomStream(uint64_t seed, uint64_t key, uint64_t step, uint32_t purpose)
{
    uint64_t hash = thiHashWord(UINT64_C(0x7468726f6e67), seed);
    hash = thiHashWord(hash, key);
    hash = thiHashWord(hash, step);
    return thiHashWord(hash, purpose);
}

// A bijection of 32 bits with low bias; two rounds with the stream's halves between them.
static uint32_t mix32(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    x ^= x >> 16;
    return x;
}

uint32_t thRandomBits(uint64_t stream, uint32_t index)
{
    const uint32_t low = (uint32_t)stream;
    const uint32_t high = (uint32_t)(stream >> 32);
    return mix32(mix32(index ^ low) + high);
}

float thRandomUnit(uint64_t stream, uint32_t index)
{
    return (float)(int32_t)(thRandomBits(stream, index) >> 8) * 0x1p-24f;
}

float thRandomRange(uint64_t stream, uint32_t index, float low, float high)
{
    const float value = low + (high - low) * thRandomUnit(stream, index);
    return value < high ? value : low; // rounding may reach the upper bound
}

float thRandomNormal(uint64_t stream, uint32_t index)
{
    // Box and Muller. 1 − u is in (0, 1], so the logarithm is finite.
    const float radius = sqrtf(-2.0f * thLog(1.0f - thRandomUnit(stream, 2 * index)));
    float sine, cosine;
    thSinCos(6.2831853f * thRandomUnit(stream, 2 * index + 1), &sine, &cosine);
    return radius * cosine;
}
