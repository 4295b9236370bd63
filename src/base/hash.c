// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Checksums of bytes, by words in little-endian order, and of columns of any width.

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

uint64_t thiColumnBits(const thColumn* column, int32_t row)
{
    const char* item = (const char*)column->data + (size_t)row * (size_t)column->itemSize;
    uint8_t bits8;
    uint16_t bits16;
    uint32_t bits32;
    uint64_t bits64;
    switch (column->itemSize) {
    case 1:
        memcpy(&bits8, item, 1);
        return bits8;
    case 2:
        memcpy(&bits16, item, 2);
        return bits16;
    case 4:
        memcpy(&bits32, item, 4);
        return bits32;
    default:
        TH_ASSERT(column->itemSize == 8);
        memcpy(&bits64, item, 8);
        return bits64;
    }
}

uint64_t thiStageHash(const thStageRows* rows)
{
    uint64_t sum = thiMix(rows->step + 1);
    for (int32_t row = 0; row < rows->count; ++row) {
        uint64_t hash = thiHashWord(0, rows->keys[row]);
        for (int32_t c = 0; c < rows->columnCount; ++c)
            hash = thiHashWord(hash, thiColumnBits(&rows->columns[c], row));
        sum += hash;
    }
    return sum;
}
