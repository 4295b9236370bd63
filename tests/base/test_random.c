// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Random numbers: statistics of streams, and values that are known.

#include "gear/gear.h"
#include "gear/property.h"
#include "gear/statistics.h"
#include "throng/random.h"

#include <float.h>
#include <stdlib.h>

#define DRAWS 65536

// One way to walk through random numbers: what callers may count up from one draw to the next.
typedef uint32_t DrawFcn(uint32_t i);

static uint32_t byIndex(uint32_t i)
{
    return thRandomBits(thRandomStream(1, 2, 3, 4), i);
}

static uint32_t byPurpose(uint32_t i)
{
    return thRandomBits(thRandomStream(1, 2, 3, i), 0);
}

static uint32_t byStep(uint32_t i)
{
    return thRandomBits(thRandomStream(1, 2, i, 4), 0);
}

static uint32_t byKey(uint32_t i)
{
    return thRandomBits(thRandomStream(1, i, 3, 4), 0);
}

static uint32_t bySeed(uint32_t i)
{
    return thRandomBits(thRandomStream(i, 2, 3, 4), 0);
}

// Keys of sources differ in their upper bits.
static uint32_t bySource(uint32_t i)
{
    return thRandomBits(thRandomStream(1, ((uint64_t)i + 1) << 40, 3, 4), 0);
}

static DrawFcn* const walks[] = {byIndex, byPurpose, byStep, byKey, bySeed, bySource};
#define WALKS ((int)(sizeof walks / sizeof walks[0]))

static void testUniform(void** state)
{
    (void)state;
    for (int w = 0; w < WALKS; ++w) {
        int32_t high[256] = {0}, low[256] = {0}, pairs[256] = {0};
        uint32_t before = 0;
        for (uint32_t i = 0; i < DRAWS; ++i) {
            const uint32_t bits = walks[w](i);
            high[bits >> 24] += 1;
            low[bits & 255] += 1;
            pairs[(bits >> 28) << 4 | before >> 28] += 1;
            before = bits;
        }
        assert_near(uniformDeviation(high, 256), 0.0, 4.0);
        assert_near(uniformDeviation(low, 256), 0.0, 4.0);
        assert_near(uniformDeviation(pairs, 256), 0.0, 4.0);
    }
}

static void testNoSerialCorrelation(void** state)
{
    (void)state;
    static float series[DRAWS + 16];
    for (int w = 0; w < WALKS; ++w) {
        for (uint32_t i = 0; i < DRAWS + 16; ++i)
            series[i] = (float)walks[w](i);
        for (int32_t lag = 1; lag <= 16; lag *= 2)
            assert_near(correlationDeviation(series, series + lag, DRAWS), 0.0, 4.0);
    }
}

// Streams of neighbouring agents, steps and purposes have nothing to do with each other.
static void testNoCrossCorrelation(void** state)
{
    (void)state;
    static float a[DRAWS], b[DRAWS];
    const uint64_t streams[] = {thRandomStream(1, 2, 3, 4), thRandomStream(1, 2, 3, 5),
                                thRandomStream(1, 2, 4, 4), thRandomStream(1, 3, 3, 4),
                                thRandomStream(2, 2, 3, 4), thRandomStream(2, 1, 3, 4),
                                thRandomStream(1, 3, 2, 4)};
    for (uint32_t i = 0; i < DRAWS; ++i)
        a[i] = thRandomUnit(streams[0], i);
    for (size_t s = 1; s < sizeof streams / sizeof streams[0]; ++s) {
        for (uint32_t i = 0; i < DRAWS; ++i)
            b[i] = thRandomUnit(streams[s], i);
        assert_near(correlationDeviation(a, b, DRAWS), 0.0, 4.0);
    }
}

// Two draws of one stream, so that 64 bits come out.
static uint64_t drawTwo(uint64_t stream)
{
    return (uint64_t)thRandomBits(stream, 0) << 32 | thRandomBits(stream, 1);
}

static uint64_t fromSeed(uint64_t input)
{
    return drawTwo(thRandomStream(input, 2, 3, 4));
}

static uint64_t fromKey(uint64_t input)
{
    return drawTwo(thRandomStream(1, input, 3, 4));
}

static uint64_t fromStep(uint64_t input)
{
    return drawTwo(thRandomStream(1, 2, input, 4));
}

static uint64_t fromPurpose(uint64_t input)
{
    return drawTwo(thRandomStream(1, 2, 3, (uint32_t)input));
}

static uint64_t fromStream(uint64_t input)
{
    return drawTwo(input);
}

static uint64_t fromIndex(uint64_t input)
{
    return (uint64_t)thRandomBits(UINT64_C(0x123456789abcdef0), (uint32_t)input) << 32 |
           thRandomBits(UINT64_C(0x0fedcba987654321), (uint32_t)input);
}

static void testAvalanche(void** state)
{
    (void)state;
    thBitsFcn* const functions[] = {fromSeed,   fromKey,     fromStep,
                                    fromStream, fromPurpose, fromIndex};
    for (int i = 0; i < 6; ++i) {
        const int32_t inputBits = i < 4 ? 64 : 32;
        assert_near(avalancheDeviation(functions[i], inputBits, 64, false), 0.0, 5.5);
        assert_near(avalancheDeviation(functions[i], inputBits, 64, true), 0.0, 6.0);
    }
}

static bool unitAndRangeHold(thGenerator* g, int32_t size, void* context)
{
    (void)size;
    (void)context;
    const uint64_t stream = drawU64(g);
    const uint32_t index = drawU32(g);
    const float unit = thRandomUnit(stream, index);
    const float scaled = unit * 0x1p24f;
    const float a = drawFloat(g, -1000.0f, 1000.0f), b = drawFloat(g, -1000.0f, 1000.0f);
    const float low = fminf(a, b), high = fmaxf(a, b);
    const float value = thRandomRange(stream, index, low, high);
    // Bounds so close that rounding could reach the upper one.
    const float tight = thRandomRange(stream, index, low, nextafterf(low, INFINITY));
    return unit >= 0.0f && unit < 1.0f && scaled == floorf(scaled) && low <= value &&
           (value < high || low == high) && tight == low;
}

static void testUnitAndRange(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"unit_and_range", 1, 20000, 1, unitAndRangeHold, NULL});
    assert_same_bits(thRandomRange(1, 2, 5.0f, 5.0f), 5.0f);
    assert_same_bits(thRandomRange(1, 2, 5.0f, 4.0f), 5.0f);
    // A distance that overflows gives the lower bound, not infinity.
    assert_same_bits(thRandomRange(1, 2, -FLT_MAX, FLT_MAX), -FLT_MAX);
}

// Numbers come close to both ends.
static void testUnitExtremes(void** state)
{
    (void)state;
    const uint64_t stream = thRandomStream(0, 0, 0, 0);
    float least = 1.0f, most = 0.0f;
    for (uint32_t i = 0; i < 200000; ++i) {
        const float unit = thRandomUnit(stream, i);
        least = fminf(least, unit);
        most = fmaxf(most, unit);
    }
    assert_true(least < 1e-4f && most > 1.0f - 1e-4f && most < 1.0f);
}

// Scenes and recordings depend on these numbers.
static void testKnownValues(void** state)
{
    (void)state;
    const uint64_t stream = UINT64_C(0xb51422d30851ccc6);
    assert_int_equal(thRandomStream(1, 2, 3, 4), stream);
    assert_int_equal(thRandomBits(stream, 5), 0x2cad86c5);
    assert_same_bits(thRandomUnit(stream, 5), 0x1.656c300000000p-3f);
}

static int compareFloats(const void* a, const void* b)
{
    const float x = *(const float*)a, y = *(const float*)b;
    return x < y ? -1 : x > y;
}

static void testNormal(void** state)
{
    (void)state;
    static float values[DRAWS + 1];
    const uint64_t stream = thRandomStream(9, 8, 7, 6);
    double sum = 0.0, sumSq = 0.0;
    for (uint32_t i = 0; i <= DRAWS; ++i) {
        const float value = thRandomNormal(stream, i);
        assert_true(fabsf(value) < 5.8f); // √(2 ln 2²⁴)
        values[i] = value;
        sum += value;
        sumSq += (double)value * value;
    }
    const double n = DRAWS + 1, mean = sum / n;
    assert_near(mean, 0.0, 4.0 / sqrt(n));
    assert_near(sumSq / n - mean * mean, 1.0, 4.0 * sqrt(2.0 / n));
    assert_near(correlationDeviation(values, values + 1, DRAWS), 0.0, 4.0);
    // Kolmogorov and Smirnov: the largest distance between the two distributions.
    qsort(values, DRAWS + 1, sizeof values[0], compareFloats);
    double distance = 0.0;
    for (int32_t i = 0; i <= DRAWS; ++i) {
        const double expected = 0.5 * erfc(-values[i] / sqrt(2.0));
        distance = fmax(distance, fmax(fabs(expected - i / n), fabs(expected - (i + 1) / n)));
    }
    assert_near(distance * sqrt(n), 0.0, 1.95); // one in a thousand is larger
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testUniform),
        cmocka_unit_test(testNoSerialCorrelation),
        cmocka_unit_test(testNoCrossCorrelation),
        cmocka_unit_test(testAvalanche),
        cmocka_unit_test(testUnitAndRange),
        cmocka_unit_test(testUnitExtremes),
        cmocka_unit_test(testKnownValues),
        cmocka_unit_test(testNormal),
    };
    return RUN_TESTS(tests, argc, argv);
}
