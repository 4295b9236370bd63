// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A checksum of bytes, by words in little-endian order.

#include "base/hash.h"

static uint64_t littleEndian(const unsigned char* bytes, size_t at, size_t count)
{
    uint64_t word = 0;
    for (size_t i = 0; i < count; ++i)
        word |= (uint64_t)bytes[at + i] << (8 * i);
    return word;
}

uint64_t thiHashBytes(uint64_t hash, const void* data, size_t size)
{
    const unsigned char* bytes = data;
    size_t at = 0;
    for (; at + 8 <= size; at += 8)
        hash = thiHashWord(hash, littleEndian(bytes, at, 8));
    // The length keeps "a" and "a\0" apart.
    return thiHashWord(hash, littleEndian(bytes, at, size - at) | (uint64_t)size << 56) ^ size;
}
