// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Errors are measured in ulp of the true value, which libm's double functions give to far more
// digits than a float has. By default the sweeps take one float in a few hundred; with THRONG_LONG
// set in the environment they take every one, and a thousand million pairs for thAtan2.

#include "base/hash.h"
#include "gear/gear.h"
#include "throng/math.h"
#include "throng/random.h"

#include <stdio.h>
#include <stdlib.h>

#define ALLOWED_ULP 2.0
#define SIGN_BIT 0x80000000u
#define INFINITY_BITS 0x7f800000u
#define NAN_BITS 0x7fc00000u
#define FAST_STRIDE 509u // odd, so that sweeps meet mantissas of all kinds
#define FAST_PAIRS 4000000u
#define LONG_PAIRS 1000000000u

// main changes both for a long run.
static uint32_t stride = FAST_STRIDE;
static uint32_t pairCount = FAST_PAIRS;

typedef struct WorstError {
    double ulp;
    float first, second; // the arguments
} WorstError;

// Spacing of floats around a value.
static double ulpOf(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const int32_t exponent = (int32_t)(bits >> 52 & 0x7ff);
    const int32_t lowest = 1023 - 149;
    bits = (uint64_t)TH_MAX(exponent - 23, lowest) << 52;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void measure(WorstError* worst, float got, double want, float first, float second)
{
    const double error = got == got ? fabs((double)got - want) / ulpOf(want) : INFINITY;
    if (error > worst->ulp)
        *worst = (WorstError){error, first, second};
}

static void report(const char* name, const WorstError* worst)
{
    printf("%s: max error %.3f ulp at %a", name, worst->ulp, (double)worst->first);
    if (worst->second != 0.0f)
        printf(", %a", (double)worst->second);
    printf("\n");
    assert_true(worst->ulp <= ALLOWED_ULP);
}

static float sineOf(float angle)
{
    float sine, cosine;
    thSinCos(angle, &sine, &cosine);
    return sine;
}

static float cosineOf(float angle)
{
    float sine, cosine;
    thSinCos(angle, &sine, &cosine);
    return cosine;
}

static void testSinCosError(void** state)
{
    (void)state;
    WorstError sineWorst = {0}, cosineWorst = {0};
    const uint32_t last = thiFloatBits(8192.0f);
    for (uint32_t bits = 0; bits <= last; bits += stride) {
        const float angle = thiFloatFromBits(bits);
        float sine, cosine;
        thSinCos(angle, &sine, &cosine);
        measure(&sineWorst, sine, sin((double)angle), angle, 0.0f);
        measure(&cosineWorst, cosine, cos((double)angle), angle, 0.0f);
    }
    report("thSinCos sine", &sineWorst);
    report("thSinCos cosine", &cosineWorst);
}

// The floats next to multiples of π/2, where almost all digits cancel.
static void testSinCosNearZeros(void** state)
{
    (void)state;
    const double halfPi = 1.5707963267948966;
    WorstError sineWorst = {0}, cosineWorst = {0};
    for (int32_t i = 1; i * halfPi < 8191.0; ++i)
        for (uint32_t step = 0; step < 7; ++step) {
            const float angle = thiFloatFromBits(thiFloatBits((float)(i * halfPi)) + step - 3);
            measure(&sineWorst, sineOf(angle), sin((double)angle), angle, 0.0f);
            measure(&cosineWorst, cosineOf(angle), cos((double)angle), angle, 0.0f);
        }
    report("thSinCos sine near multiples of pi/2", &sineWorst);
    report("thSinCos cosine near multiples of pi/2", &cosineWorst);
}

static void testSinCosSymmetry(void** state)
{
    (void)state;
    for (uint32_t bits = 0; bits <= thiFloatBits(8192.0f); bits += stride) {
        const float angle = thiFloatFromBits(bits);
        float sine, cosine, sineBack, cosineBack;
        thSinCos(angle, &sine, &cosine);
        thSinCos(-angle, &sineBack, &cosineBack);
        if (thiFloatBits(sineBack) != (thiFloatBits(sine) ^ SIGN_BIT) ||
            thiFloatBits(cosineBack) != thiFloatBits(cosine) || !(fabsf(sine) <= 1.0f) ||
            !(fabsf(cosine) <= 1.0f))
            fail_msg("at %a", (double)angle);
    }
}

static void testSinCosSpecial(void** state)
{
    (void)state;
    assert_same_bits(sineOf(0.0f), 0.0f);
    assert_same_bits(sineOf(-0.0f), -0.0f);
    assert_same_bits(cosineOf(0.0f), 1.0f);
    assert_same_bits(cosineOf(-0.0f), 1.0f);
    assert_same_bits(sineOf(0x1p-149f), 0x1p-149f);
    assert_same_bits(sineOf(-FLT_MIN), -FLT_MIN);
    assert_same_bits(cosineOf(FLT_MIN), 1.0f);
    assert_true(isfinite(sineOf(-8192.0f)) && isfinite(cosineOf(8192.0f)));

    const uint32_t outside[] = {thiFloatBits(8192.0f) + 1, thiFloatBits(-8192.0f) + 1,
                                thiFloatBits(FLT_MAX),     INFINITY_BITS,
                                INFINITY_BITS | SIGN_BIT,  NAN_BITS,
                                NAN_BITS | SIGN_BIT,       INFINITY_BITS | 1};
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; ++i) {
        assert_same_bits(sineOf(thiFloatFromBits(outside[i])), NAN);
        assert_same_bits(cosineOf(thiFloatFromBits(outside[i])), NAN);
    }
}

static void testExpError(void** state)
{
    (void)state;
    WorstError worst = {0};
    for (uint64_t bits = 0; bits <= UINT32_MAX; bits += stride) {
        const float x = thiFloatFromBits((uint32_t)bits);
        const float got = thExp(x);
        const double want = exp((double)x);
        if (want >= (double)FLT_MIN && want <= (double)FLT_MAX)
            measure(&worst, got, want, x, 0.0f);
        else if (thiFloatBits(got) != (x != x ? NAN_BITS : x < 0.0f ? 0 : INFINITY_BITS))
            fail_msg("at %a", (double)x);
    }
    report("thExp", &worst);
}

static void testExpNeverFalls(void** state)
{
    (void)state;
    for (uint32_t sign = 0; sign <= 1; ++sign) {
        float before = 1.0f;
        for (uint32_t bits = 0; bits <= INFINITY_BITS; bits += stride) {
            const float x = thiFloatFromBits(bits | sign << 31);
            const float value = thExp(x);
            if (!(sign == 0 ? value >= before : value <= before))
                fail_msg("at %a", (double)x);
            before = value;
        }
    }
}

static void testExpSpecial(void** state)
{
    (void)state;
    const float lowest = logf(FLT_MIN), highest = logf(FLT_MAX);
    assert_same_bits(thExp(0.0f), 1.0f);
    assert_same_bits(thExp(-0.0f), 1.0f);
    assert_same_bits(thExp(0x1p-149f), 1.0f);
    assert_same_bits(thExp(-FLT_MIN), 1.0f);
    assert_same_bits(thExp(INFINITY), INFINITY);
    assert_same_bits(thExp(FLT_MAX), INFINITY);
    assert_same_bits(thExp(-INFINITY), 0.0f);
    assert_same_bits(thExp(-FLT_MAX), 0.0f);
    assert_same_bits(thExp(thiFloatFromBits(NAN_BITS | SIGN_BIT | 1)), NAN);
    // Results on both sides of the two ends: all or nothing, never a denormal.
    for (uint32_t step = 0; step < 21; ++step) {
        const float nearLowest = thExp(thiFloatFromBits(thiFloatBits(lowest) + step - 10));
        assert_true(nearLowest == 0.0f || nearLowest >= FLT_MIN);
        const float nearHighest = thExp(thiFloatFromBits(thiFloatBits(highest) + step - 10));
        assert_true(nearHighest > 3.4e38f);
    }
}

static void testLogError(void** state)
{
    (void)state;
    WorstError worst = {0};
    for (uint32_t bits = 1; bits < INFINITY_BITS; bits += stride) {
        const float x = thiFloatFromBits(bits);
        measure(&worst, thLog(x), log((double)x), x, 0.0f);
    }
    // Around 1 the result comes near 0, and around 2/3 and 4/3 the reduction changes.
    const float centres[] = {2.0f / 3.0f, 1.0f, 4.0f / 3.0f};
    for (size_t i = 0; i < sizeof centres / sizeof centres[0]; ++i)
        for (uint32_t step = 0; step < 20001; ++step) {
            const float x = thiFloatFromBits(thiFloatBits(centres[i]) + step - 10000);
            measure(&worst, thLog(x), log((double)x), x, 0.0f);
        }
    report("thLog", &worst);
}

static void testLogNeverFalls(void** state)
{
    (void)state;
    float before = -INFINITY;
    for (uint32_t bits = 0; bits <= INFINITY_BITS; bits += stride) {
        const float value = thLog(thiFloatFromBits(bits));
        if (!(value >= before))
            fail_msg("at %a", (double)thiFloatFromBits(bits));
        before = value;
    }
}

static void testLogSpecial(void** state)
{
    (void)state;
    assert_same_bits(thLog(1.0f), 0.0f);
    assert_same_bits(thLog(0.0f), -INFINITY);
    assert_same_bits(thLog(-0.0f), -INFINITY);
    assert_same_bits(thLog(INFINITY), INFINITY);
    assert_same_bits(thLog(-INFINITY), NAN);
    assert_same_bits(thLog(-0x1p-149f), NAN);
    assert_same_bits(thLog(-1.0f), NAN);
    assert_same_bits(thLog(thiFloatFromBits(NAN_BITS | SIGN_BIT | 1)), NAN);
    assert_same_bits(thLog(0x1p-149f), (float)log(0x1p-149));
    assert_same_bits(thLog(FLT_MAX), (float)log((double)FLT_MAX));
}

// Pairs of three kinds in turn: any two floats; two whose exponents are near each other, where the
// angle is far from the axes; and two short ones, as positions on a grid are.
static void randomPair(uint32_t index, float* y, float* x)
{
    const uint64_t stream = UINT64_C(0x9b1f2c3d4e5a6978);
    const uint32_t first = thRandomBits(stream, 2 * index);
    const uint32_t second = thRandomBits(stream, 2 * index + 1);
    *y = thiFloatFromBits(first);
    *x = thiFloatFromBits(second);
    if (index % 3 == 1) {
        const uint32_t exponent = ((first >> 23) + ((first ^ second) % 13) - 6) & 0xff;
        *x = thiFloatFromBits((second & 0x807fffffu) | exponent << 23);
    } else if (index % 3 == 2) {
        *y = (float)((int32_t)first >> 16) * 0x1p-8f;
        *x = (float)((int32_t)second >> 16) * 0x1p-8f;
    }
}

static void testAtan2Error(void** state)
{
    (void)state;
    WorstError worst = {0};
    for (uint32_t i = 0; i < pairCount; ++i) {
        float y, x;
        randomPair(i, &y, &x);
        const float got = thAtan2(y, x);
        const double want = atan2((double)y, (double)x);
        if (want == want)
            measure(&worst, got, want, y, x);
        else if (thiFloatBits(got) != NAN_BITS)
            fail_msg("at %a %a", (double)y, (double)x);
    }
    report("thAtan2", &worst);
}

static void testAtan2SlopeError(void** state)
{
    (void)state;
    WorstError worst = {0};
    for (uint32_t bits = 0; bits <= INFINITY_BITS; bits += stride) {
        const float slope = thiFloatFromBits(bits);
        measure(&worst, thAtan2(slope, 1.0f), atan2((double)slope, 1.0), slope, 1.0f);
        measure(&worst, thAtan2(slope, -3.0f), atan2((double)slope, -3.0), slope, -3.0f);
    }
    report("thAtan2 of all slopes", &worst);
}

static void testAtan2Symmetry(void** state)
{
    (void)state;
    for (uint32_t i = 0; i < FAST_PAIRS; ++i) {
        float y, x;
        randomPair(i, &y, &x);
        const uint32_t bits = thiFloatBits(thAtan2(y, x));
        const bool flipped = thiFloatBits(thAtan2(-y, x)) == (bits ^ SIGN_BIT);
        const bool ordered = x == x && y == y;
        if (!(ordered ? flipped : bits == NAN_BITS))
            fail_msg("at %a %a", (double)y, (double)x);
        const float size = fabsf(x) + fabsf(y);
        const bool scales = size > 0x1p-50f && size < 0x1p50f && fabsf(y) > 0x1p-50f;
        if (scales && thiFloatBits(thAtan2(y * 0x1p30f, x * 0x1p30f)) != bits)
            fail_msg("at %a %a", (double)y, (double)x);
    }
}

static void testAtan2Special(void** state)
{
    (void)state;
    const float pi = 3.14159265f, halfPi = 1.57079633f, quarterPi = 0.785398163f;
    const float threeQuarters = 2.35619449f, tiny = 0x1p-149f, huge = FLT_MAX, all = INFINITY;
    const struct {
        float y, x, angle;
    } cases[] = {
        {0.0f, 0.0f, 0.0f},         {0.0f, -0.0f, pi},
        {0.0f, 1.0f, 0.0f},         {0.0f, -1.0f, pi},
        {0.0f, tiny, 0.0f},         {0.0f, -tiny, pi},
        {0.0f, all, 0.0f},          {0.0f, -all, pi},
        {1.0f, 0.0f, halfPi},       {1.0f, -0.0f, halfPi},
        {tiny, 0.0f, halfPi},       {tiny, -0.0f, halfPi},
        {1.0f, all, 0.0f},          {1.0f, -all, pi},
        {huge, all, 0.0f},          {all, 1.0f, halfPi},
        {all, -1.0f, halfPi},       {all, 0.0f, halfPi},
        {all, -0.0f, halfPi},       {all, huge, halfPi},
        {all, all, quarterPi},      {all, -all, threeQuarters},
        {1.0f, 1.0f, quarterPi},    {1.0f, -1.0f, threeQuarters},
        {tiny, tiny, quarterPi},    {tiny, -tiny, threeQuarters},
        {huge, huge, quarterPi},    {tiny, huge, 0.0f},
        {tiny, -huge, pi},          {huge, tiny, halfPi},
        {huge, -tiny, halfPi},      {tiny, 1.0f, tiny},
        {FLT_MIN, 2.0f, 0x1p-127f},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        assert_same_bits(thAtan2(cases[i].y, cases[i].x), cases[i].angle);
        assert_same_bits(thAtan2(-cases[i].y, cases[i].x), -cases[i].angle);
    }
    const float nan = thiFloatFromBits(NAN_BITS | SIGN_BIT | 1);
    const float others[] = {0.0f, -1.0f, INFINITY, nan};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
        assert_same_bits(thAtan2(nan, others[i]), NAN);
        assert_same_bits(thAtan2(others[i], nan), NAN);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testSinCosError),    cmocka_unit_test(testSinCosNearZeros),
        cmocka_unit_test(testSinCosSymmetry), cmocka_unit_test(testSinCosSpecial),
        cmocka_unit_test(testExpError),       cmocka_unit_test(testExpNeverFalls),
        cmocka_unit_test(testExpSpecial),     cmocka_unit_test(testLogError),
        cmocka_unit_test(testLogNeverFalls),  cmocka_unit_test(testLogSpecial),
        cmocka_unit_test(testAtan2Error),     cmocka_unit_test(testAtan2SlopeError),
        cmocka_unit_test(testAtan2Symmetry),  cmocka_unit_test(testAtan2Special),
    };
    if (getenv("THRONG_LONG") != NULL) {
        stride = 1;
        pairCount = LONG_PAIRS;
    }
    return RUN_TESTS(tests, argc, argv);
}
