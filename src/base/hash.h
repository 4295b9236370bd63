// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Hashes: one 64-bit mixer, checksums of bytes, and what a stage of a step computed.

#ifndef THRONG_SRC_BASE_HASH_H
#define THRONG_SRC_BASE_HASH_H

#include "base/core.h"

#include <string.h>

// Hashing: one 64-bit mixer, used for state hashes, checksums and random streams.

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

// What a stage of a step computed, to compare runs by: named columns with a row per agent.
// Hashes are sums over rows, so the order of rows does not count and the rows of several machines
// can be added.

typedef struct thColumn {
    const char* name;
    const void* data;
    int32_t itemSize; // 1, 2, 4 or 8 bytes
} thColumn;

// What one stage left behind in one step.
typedef struct thStageRows {
    uint64_t step;
    const char* stage;
    const uint64_t* keys; // one per row, all different
    int32_t count;
    const thColumn* columns;
    int32_t columnCount;
} thStageRows;

typedef struct thTrace {
    void* context;
    void (*stage)(void* context, const thStageRows* rows);
} thTrace;

// One item of a column, as an unsigned number of its bits.
uint64_t thiColumnBits(const thColumn* column, int32_t row);

// The hash of a stage: sum over rows of mix(key, columns…), plus mix(step).
uint64_t thiStageHash(const thStageRows* rows);

#endif
