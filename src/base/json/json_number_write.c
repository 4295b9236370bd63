// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "base/json/json_big.h"
#include "base/json/json_number.h"

#include <string.h>

// Digits behind the point of 0.ddd · 10^exponent.
#define MOST_DIGITS 17

typedef struct Digits {
    char items[MOST_DIGITS];
    int32_t count;
    int32_t exponent;
} Digits;

// A positive number and how far others may be from it that are still read as the same: half way to
// its neighbours, and there as well if it is even. All are divided by `scale`.
typedef struct Span {
    thBig value, below, above, scale;
    bool isEven;
} Span;

static void multiplyByPowerOf10(thBig* a, int32_t power)
{
    thiBigMultiplyByPowerOf5(a, power);
    thiBigShiftLeft(a, power);
}

static bool reachesScale(const Span* span)
{
    thBig sum = span->value;
    thiBigAdd(&sum, &span->above);
    return thiBigCompare(&sum, &span->scale) >= (span->isEven ? 0 : 1);
}

// Returns the exponent: brings the number to below 1, but to not less than what one digit can say.
static int32_t startSpan(Span* span, uint64_t bits)
{
    const uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
    const int32_t field = (int32_t)(bits >> 52 & 0x7ff);
    const uint64_t whole = field > 0 ? fraction | UINT64_C(1) << 52 : fraction;
    const int32_t exponent = TH_MAX(field, 1) - 1075; // the number is whole · 2^exponent
    // Below a power of two numbers are twice as close. Everything in quarters, to stay whole.
    const bool closeBelow = fraction == 0 && field > 1;
    *span = (Span){thiBigFrom(4 * whole), thiBigFrom(closeBelow ? 1 : 2), thiBigFrom(2),
                   thiBigFrom(4), whole % 2 == 0};
    if (exponent >= 0) {
        thiBigShiftLeft(&span->value, exponent);
        thiBigShiftLeft(&span->below, exponent);
        thiBigShiftLeft(&span->above, exponent);
    } else {
        thiBigShiftLeft(&span->scale, -exponent);
    }
    // The decimal exponent from the binary one: 1233 / 4096 is a little less than the decimal
    // logarithm of 2. The result may be too small, by two at most.
    const int32_t binary = 63 - __builtin_clzll(whole) + exponent;
    int32_t result = binary >= 0 ? binary * 1233 / 4096 : -((-binary * 1233 + 4095) / 4096);
    if (result >= 0) {
        multiplyByPowerOf10(&span->scale, result);
    } else {
        multiplyByPowerOf10(&span->value, -result);
        multiplyByPowerOf10(&span->below, -result);
        multiplyByPowerOf10(&span->above, -result);
    }
    for (; reachesScale(span); ++result)
        thiBigMultiplyAdd(&span->scale, 10, 0);
    return result;
}

// Takes the next digit off the number.
static char nextDigit(Span* span)
{
    thiBigMultiplyAdd(&span->value, 10, 0);
    thiBigMultiplyAdd(&span->below, 10, 0);
    thiBigMultiplyAdd(&span->above, 10, 0);
    char digit = '0';
    for (; thiBigCompare(&span->value, &span->scale) >= 0; ++digit)
        thiBigSubtractProduct(&span->value, &span->scale, 1);
    return digit;
}

// Whether what is left is nearer to the next digit than to this one.
static bool isNearerToNext(const Span* span, char digit)
{
    thBig twice = span->value;
    thiBigShiftLeft(&twice, 1);
    const int32_t order = thiBigCompare(&twice, &span->scale);
    return order > 0 || (order == 0 && digit % 2 != 0);
}

// The shortest decimal number that is read as this one, and of those the nearest: digits are taken
// until what is left, or what is missing to the next digit, makes no difference any more.
static Digits shortestDigits(uint64_t bits)
{
    Span span;
    Digits digits = {.count = 0, .exponent = startSpan(&span, bits)};
    bool canStop = false, canRoundUp = false;
    char digit = '0';
    while (!canStop && !canRoundUp) {
        digit = nextDigit(&span);
        canStop = thiBigCompare(&span.value, &span.below) < (span.isEven ? 1 : 0);
        canRoundUp = reachesScale(&span);
        digits.items[digits.count++] = digit;
    }
    if (canRoundUp && (!canStop || isNearerToNext(&span, digit)))
        digits.items[digits.count - 1] += 1;
    return digits;
}

static char* putText(char* to, const char* text, int32_t size)
{
    memcpy(to, text, (size_t)size);
    return to + size;
}

static char* putZeros(char* to, int32_t count)
{
    memset(to, '0', (size_t)TH_MAX(count, 0));
    return to + TH_MAX(count, 0);
}

static char* putExponent(char* to, int32_t exponent)
{
    *to++ = 'e';
    if (exponent < 0)
        *to++ = '-';
    const int32_t size = exponent < 0 ? -exponent : exponent;
    for (int32_t unit = 100; unit > 0; unit /= 10)
        if (size >= unit || unit == 1)
            *to++ = (char)('0' + size / unit % 10);
    return to;
}

static char* putDigits(char* to, const Digits* digits)
{
    const int32_t count = digits->count, exponent = digits->exponent;
    if (exponent > 21 || exponent < -5) { // 1e21, 1.5e-7
        to = putText(to, digits->items, 1);
        if (count > 1) {
            *to++ = '.';
            to = putText(to, digits->items + 1, count - 1);
        }
        return putExponent(to, exponent - 1);
    }
    if (exponent <= 0) { // 0.0015
        to = putText(to, "0.", 2);
        to = putZeros(to, -exponent);
        return putText(to, digits->items, count);
    }
    to = putText(to, digits->items, TH_MIN(count, exponent)); // 1500, 1.5
    to = putZeros(to, exponent - count);
    if (count > exponent) {
        *to++ = '.';
        to = putText(to, digits->items + exponent, count - exponent);
    }
    return to;
}

size_t thiWriteDecimal(double number, char text[TH_DECIMAL_SIZE])
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    char* to = text;
    if (bits >> 63 != 0)
        *to++ = '-';
    bits &= UINT64_MAX >> 1;
    if (bits == 0) {
        *to++ = '0';
    } else {
        const Digits digits = shortestDigits(bits);
        to = putDigits(to, &digits);
    }
    *to = '\0';
    return (size_t)(to - text);
}
