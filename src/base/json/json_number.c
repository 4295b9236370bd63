// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Decimal numbers to doubles and back, without an error: all is done in integers of some thousand
// bits. The nearest double is found by one long division, the shortest digits by taking one after
// the other until the rest makes no difference.

#include "base/json/json_number.h"

#include <string.h>

// Twice the width of a word.
__extension__ typedef unsigned __int128 Wide;

// A natural number of limited size. The largest are 5^1131 and a number of 801 digits, both below
// 2^2688, shifted left by up to two words.
#define MOST_WORDS 44

typedef struct Big {
    int32_t count;              // of words; the last of them is not 0
    uint64_t words[MOST_WORDS]; // the least one first
} Big;

static Big makeBig(uint64_t value)
{
    Big big;
    big.count = value != 0;
    big.words[0] = value;
    return big;
}

// a · factor + summand
static void multiplyAdd(Big* a, uint64_t factor, uint64_t summand)
{
    uint64_t carry = summand;
    for (int32_t i = 0; i < a->count; ++i) {
        const Wide sum = (Wide)a->words[i] * factor + carry;
        a->words[i] = (uint64_t)sum;
        carry = (uint64_t)(sum >> 64);
    }
    if (carry != 0)
        a->words[a->count++] = carry;
}

static void multiplyByPowerOf5(Big* a, int32_t power)
{
    const int32_t most = 27; // more would not fit in a word
    for (; power > 0; power -= most) {
        uint64_t factor = 1;
        for (int32_t i = 0; i < TH_MIN(power, most); ++i)
            factor *= 5;
        multiplyAdd(a, factor, 0);
    }
}

static void shiftLeft(Big* a, int32_t bits)
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

// How many bits a number has that is not 0.
static int32_t bitLength(const Big* a)
{
    return 64 * a->count - __builtin_clzll(a->words[a->count - 1]);
}

// Negative, zero or positive as a is less than b, equal or greater.
static int32_t compare(const Big* a, const Big* b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (int32_t i = a->count - 1; i >= 0; --i)
        if (a->words[i] != b->words[i])
            return a->words[i] < b->words[i] ? -1 : 1;
    return 0;
}

static void addBig(Big* a, const Big* b)
{
    while (a->count < b->count)
        a->words[a->count++] = 0;
    uint64_t carry = 0;
    for (int32_t i = 0; i < a->count; ++i) {
        const Wide sum = (Wide)a->words[i] + (i < b->count ? b->words[i] : 0) + carry;
        a->words[i] = (uint64_t)sum;
        carry = (uint64_t)(sum >> 64);
    }
    if (carry != 0)
        a->words[a->count++] = carry;
}

// a − b · factor, which is not negative.
static void subtractProduct(Big* a, const Big* b, uint64_t factor)
{
    uint64_t carry = 0;
    for (int32_t i = 0; i < a->count; ++i) {
        const Wide product = (Wide)(i < b->count ? b->words[i] : 0) * factor + carry;
        const uint64_t low = (uint64_t)product;
        carry = (uint64_t)(product >> 64) + (a->words[i] < low);
        a->words[i] -= low;
    }
    while (a->count > 0 && a->words[a->count - 1] == 0)
        a->count -= 1;
}

// Reading.

// A positive number: its first 63 or 64 bits times a power of two, and whether there is more.
typedef struct Leading {
    uint64_t bits;
    int32_t exponent;
    bool hasMore;
} Leading;

// a / b. Both are used up.
static Leading divide(Big* a, Big* b)
{
    // With b shifted to fill `count` words and a to fill one more but for a bit, the quotient has
    // 63 or 64 bits.
    const int32_t count = TH_MAX(a->count, b->count);
    const int32_t shiftA = 64 * (count + 1) - 1 - bitLength(a);
    const int32_t shiftB = 64 * count - bitLength(b);
    shiftLeft(a, shiftA);
    shiftLeft(b, shiftB);
    // The quotient of the leading words, rounded down, is at most four too small.
    const Wide leading = (Wide)a->words[count] << 64 | a->words[count - 1];
    uint64_t quotient = (uint64_t)(leading / ((Wide)b->words[count - 1] + 1));
    subtractProduct(a, b, quotient);
    while (compare(a, b) >= 0) {
        subtractProduct(a, b, 1);
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
    Big digits;
    int32_t count; // of digits, from the first that is not 0
    int64_t exponent;
} Decimal;

// Halfway between two doubles lie numbers of at most 768 digits. Of what is behind this many only
// counts whether it is 0.
#define MAX_DIGITS 800

static void addDigit(Decimal* decimal, uint64_t digit)
{
    multiplyAdd(&decimal->digits, 10, digit);
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
    Decimal decimal = {makeBig(0), 0, 0};
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
    Big divisor = makeBig(1);
    multiplyByPowerOf5(exponent < 0 ? &divisor : &decimal->digits,
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

// Writing.

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
    Big value, below, above, scale;
    bool isEven;
} Span;

static void multiplyByPowerOf10(Big* a, int32_t power)
{
    multiplyByPowerOf5(a, power);
    shiftLeft(a, power);
}

static bool reachesScale(const Span* span)
{
    Big sum = span->value;
    addBig(&sum, &span->above);
    return compare(&sum, &span->scale) >= (span->isEven ? 0 : 1);
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
    *span = (Span){makeBig(4 * whole), makeBig(closeBelow ? 1 : 2), makeBig(2), makeBig(4),
                   whole % 2 == 0};
    if (exponent >= 0) {
        shiftLeft(&span->value, exponent);
        shiftLeft(&span->below, exponent);
        shiftLeft(&span->above, exponent);
    } else {
        shiftLeft(&span->scale, -exponent);
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
        multiplyAdd(&span->scale, 10, 0);
    return result;
}

// Takes the next digit off the number.
static char nextDigit(Span* span)
{
    multiplyAdd(&span->value, 10, 0);
    multiplyAdd(&span->below, 10, 0);
    multiplyAdd(&span->above, 10, 0);
    char digit = '0';
    for (; compare(&span->value, &span->scale) >= 0; ++digit)
        subtractProduct(&span->value, &span->scale, 1);
    return digit;
}

// Whether what is left is nearer to the next digit than to this one.
static bool isNearerToNext(const Span* span, char digit)
{
    Big twice = span->value;
    shiftLeft(&twice, 1);
    const int32_t order = compare(&twice, &span->scale);
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
        canStop = compare(&span.value, &span.below) < (span.isEven ? 1 : 0);
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
