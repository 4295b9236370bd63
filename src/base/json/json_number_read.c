// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "base/json/json_big.h"
#include "base/json/json_number.h"

#include <string.h>

// A positive number: its first 63 or 64 bits times a power of two, and whether there is more.
typedef struct Leading {
    uint64_t bits;
    int32_t exponent;
    bool hasMore;
} Leading;

// a / b. Both are used up.
static Leading divide(thBig* a, thBig* b)
{
    // With b shifted to fill `count` words and a to fill one more but for a bit, the quotient has
    // 63 or 64 bits.
    const int32_t count = TH_MAX(a->count, b->count);
    const int32_t shiftA = 64 * (count + 1) - 1 - thiBigBitLength(a);
    const int32_t shiftB = 64 * count - thiBigBitLength(b);
    thiBigShiftLeft(a, shiftA);
    thiBigShiftLeft(b, shiftB);
    // The quotient of the leading words, rounded down, is at most four too small.
    const thWide leading = (thWide)a->words[count] << 64 | a->words[count - 1];
    uint64_t quotient = (uint64_t)(leading / ((thWide)b->words[count - 1] + 1));
    thiBigSubtractProduct(a, b, quotient);
    while (thiBigCompare(a, b) >= 0) {
        thiBigSubtractProduct(a, b, 1);
        quotient += 1;
    }
    return (Leading){quotient, shiftB - shiftA, a->count > 0};
}

// The bits of the nearest double; those of infinity if it is too large.
static uint64_t roundToDouble(Leading value)
{
    const uint64_t infinity = UINT64_C(0x7ff) << 52;
    const int32_t length = 64 - __builtin_clzll(value.bits);
    // 53 bits are kept, but none below the smallest denormal.
    const int32_t dropped = TH_MAX(length - 53, -1074 - value.exponent);
    if (dropped > 64)
        return 0;
    if (value.exponent + dropped > 971)
        return infinity;
    const uint64_t kept = dropped < 64 ? value.bits >> dropped : 0;
    const uint64_t rest = value.bits << (64 - dropped);
    const uint64_t half = UINT64_C(1) << 63;
    const bool up = rest > half || (rest == half && (value.hasMore || (kept & 1) != 0));
    // The first kept bit of a normal number adds one to the exponent, and so does a carry.
    return ((uint64_t)(value.exponent + dropped + 1074) << 52) + kept + up;
}

// Digits times a power of ten.
typedef struct Decimal {
    thBig digits;
    int32_t count; // of digits, from the first that is not 0
    int64_t exponent;
} Decimal;

// Halfway between two doubles lie numbers of at most 768 digits. Of what is behind this many only
// counts whether it is 0.
#define MAX_DIGITS 800

static void addDigit(Decimal* decimal, uint64_t digit)
{
    thiBigMultiplyAdd(&decimal->digits, 10, digit);
    decimal->count += decimal->count > 0 || digit > 0;
}

static int64_t readExponent(const char* text, size_t size)
{
    int64_t exponent = 0;
    for (size_t i = 0; i < size; ++i)
        if (text[i] >= '0' && text[i] <= '9' && exponent < INT64_MAX / 100)
            exponent = 10 * exponent + (text[i] - '0');
    return size > 0 && text[0] == '-' ? -exponent : exponent;
}

static Decimal splitDecimal(const char* text, size_t size)
{
    Decimal decimal = {thiBigFrom(0), 0, 0};
    bool behindPoint = false, hasMore = false;
    size_t at = 0;
    for (; at < size && text[at] != 'e' && text[at] != 'E'; ++at) {
        if (text[at] == '.') {
            behindPoint = true;
        } else if (decimal.count < MAX_DIGITS) {
            addDigit(&decimal, (uint64_t)(text[at] - '0'));
            decimal.exponent -= behindPoint;
        } else {
            hasMore = hasMore || text[at] != '0';
            decimal.exponent += !behindPoint;
        }
    }
    if (hasMore) {
        addDigit(&decimal, 1);
        decimal.exponent -= 1;
    }
    if (at < size)
        decimal.exponent += readExponent(text + at + 1, size - at - 1);
    return decimal;
}

static uint64_t nearestDouble(Decimal* decimal)
{
    // Out of reach; the exponent need not even fit in 32 bits.
    const int64_t magnitude = decimal->count + decimal->exponent;
    if (decimal->count == 0 || magnitude < -330)
        return 0;
    if (magnitude > 310)
        return UINT64_C(0x7ff) << 52;
    const int32_t exponent = (int32_t)decimal->exponent;
    thBig divisor = thiBigFrom(1);
    thiBigMultiplyByPowerOf5(exponent < 0 ? &divisor : &decimal->digits,
                             exponent < 0 ? -exponent : exponent);
    Leading value = divide(&decimal->digits, &divisor);
    value.exponent += exponent; // 10^n is 5^n · 2^n
    return roundToDouble(value);
}

bool thiReadDecimal(const char* text, size_t size, double* number)
{
    const bool isNegative = text[0] == '-';
    Decimal decimal = splitDecimal(text + isNegative, size - isNegative);
    const uint64_t bits = nearestDouble(&decimal) | (uint64_t)isNegative << 63;
    memcpy(number, &bits, sizeof *number);
    return (bits >> 52 & 0x7ff) != 0x7ff;
}
