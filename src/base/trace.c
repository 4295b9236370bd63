// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The hash of what a stage left behind, whatever the width of its columns.

#include "base/trace.h"

#include "base/hash.h"

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
