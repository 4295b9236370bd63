// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "base/json/json_big.h"

#include <string.h>

thBig thiBigFrom(uint64_t value)
{
    thBig big;
    big.count = value != 0;
    big.words[0] = value;
    return big;
}

void thiBigMultiplyAdd(thBig* a, uint64_t factor, uint64_t summand)
{
    uint64_t carry = summand;
    for (int32_t i = 0; i < a->count; ++i) {
        const thWide sum = (thWide)a->words[i] * factor + carry;
        a->words[i] = (uint64_t)sum;
        carry = (uint64_t)(sum >> 64);
    }
    if (carry != 0)
        a->words[a->count++] = carry;
}

void thiBigMultiplyByPowerOf5(thBig* a, int32_t power)
{
    const int32_t most = 27; // more would not fit in a word
    for (; power > 0; power -= most) {
        uint64_t factor = 1;
        for (int32_t i = 0; i < TH_MIN(power, most); ++i)
            factor *= 5;
        thiBigMultiplyAdd(a, factor, 0);
    }
}

void thiBigShiftLeft(thBig* a, int32_t bits)
{
    const int32_t words = bits / 64, rest = bits % 64;
    if (a->count == 0)
        return;
    a->words[a->count] = 0;
    for (int32_t i = a->count; i >= 0; --i) {
        const uint64_t below = rest != 0 && i > 0 ? a->words[i - 1] >> (64 - rest) : 0;
        a->words[i + words] = a->words[i] << rest | below;
    }
    memset(a->words, 0, (size_t)words * sizeof a->words[0]);
    a->count += words;
    a->count += a->words[a->count] != 0;
}

int32_t thiBigBitLength(const thBig* a)
{
    return 64 * a->count - __builtin_clzll(a->words[a->count - 1]);
}

int32_t thiBigCompare(const thBig* a, const thBig* b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (int32_t i = a->count - 1; i >= 0; --i)
        if (a->words[i] != b->words[i])
            return a->words[i] < b->words[i] ? -1 : 1;
    return 0;
}

void thiBigAdd(thBig* a, const thBig* b)
{
    while (a->count < b->count)
        a->words[a->count++] = 0;
    uint64_t carry = 0;
    for (int32_t i = 0; i < a->count; ++i) {
        const thWide sum = (thWide)a->words[i] + (i < b->count ? b->words[i] : 0) + carry;
        a->words[i] = (uint64_t)sum;
        carry = (uint64_t)(sum >> 64);
    }
    if (carry != 0)
        a->words[a->count++] = carry;
}

void thiBigSubtractProduct(thBig* a, const thBig* b, uint64_t factor)
{
    uint64_t carry = 0;
    for (int32_t i = 0; i < a->count; ++i) {
        const thWide product = (thWide)(i < b->count ? b->words[i] : 0) * factor + carry;
        const uint64_t low = (uint64_t)product;
        carry = (uint64_t)(product >> 64) + (a->words[i] < low);
        a->words[i] -= low;
    }
    while (a->count > 0 && a->words[a->count - 1] == 0)
        a->count -= 1;
}
