// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Hashing: one 64-bit mixer, used for state hashes, checksums and random streams.

#ifndef THRONG_SRC_BASE_HASH_H
#define THRONG_SRC_BASE_HASH_H

#include "base/core.h"

#include <string.h>

// A bijection in which each bit of the input changes each bit of the output with probability 1/2.
static inline uint64_t thiMix(uint64_t x)
{
    x ^= x >> 32;
    x *= UINT64_C(0xd6e8feb86659fd93);
    x ^= x >> 32;
    x *= UINT64_C(0xd6e8feb86659fd93);
    x ^= x >> 32;
    return x;
}

// Adds a word to a running hash. The order of words counts.
static inline uint64_t thiHashWord(uint64_t hash, uint64_t word)
{
    return thiMix((hash ^ word) + UINT64_C(0x9e3779b97f4a7c15));
}

// The bits of a float, to hash or to compare.
static inline uint32_t thiFloatBits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float thiFloatFromBits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// Adds bytes to a running hash: a checksum for files and snapshots. The same on every byte order.
uint64_t thiHashBytes(uint64_t hash, const void* data, size_t size);

#endif
