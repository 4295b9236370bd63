// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The checksum of logs. Four sums take turns at words of 8 bytes, so that the processor works at
// all of them at once; it is then about as fast as memory. Each turn is a bijection of the sum and
// of the word, so a single word that differs cannot go unnoticed.

#include "base/hash.h"
#include "record/log_format.h"

#define LANES 4
#define STRIPE ((size_t)LANES * 8)

static inline uint64_t turn(uint64_t lane, uint64_t word)
{
    lane ^= word;
    lane ^= lane >> 32; // or the highest bits would stay where they are
    return lane * UINT64_C(0x9fb21c651e98df25);
}

static void addStripe(uint64_t lanes[LANES], const uint8_t* data)
{
    for (int32_t i = 0; i < LANES; ++i)
        lanes[i] = turn(lanes[i], thiGetU64(data + 8 * i));
}

uint64_t thiLogSum(uint64_t seed, const uint8_t* data, size_t size)
{
    uint64_t lanes[LANES];
    for (uint64_t i = 0; i < LANES; ++i)
        lanes[i] = thiHashWord(seed, i);
    size_t at = 0;
    for (; at + STRIPE <= size; at += STRIPE)
        addStripe(lanes, data + at);
    if (at < size) {
        uint8_t rest[STRIPE] = {0};
        memcpy(rest, data + at, size - at);
        addStripe(lanes, rest);
    }
    uint64_t sum = thiHashWord(seed, size); // or zeros at the end would not count
    for (int32_t i = 0; i < LANES; ++i)
        sum = thiHashWord(sum, lanes[i]);
    return sum;
}
