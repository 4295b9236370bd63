// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Decimal numbers: the nearest double, the fewest digits, and back to the same bits.

#include "base/json/json_number.h"
#include "gear/gear.h"
#include "gear/property.h"

#include <fenv.h>
#include <float.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

static bool isSameDouble(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

// The C library is the oracle: in the C locale, and glibc rounds correctly.
static void assertReadsLikeStrtod(const char* text)
{
    double number;
    const bool fits = thiReadDecimal(text, strlen(text), &number);
    const double expected = strtod(text, NULL);
    if (fits != (isfinite(expected) != 0))
        fail_msg("%s: %s", text, fits ? "is too large" : "is not too large");
    if (fits && !isSameDouble(number, expected))
        fail_msg("%s: read as %a instead of %a", text, number, expected);
}

static void testKnownNumbers(void** state)
{
    (void)state;
    static const char* const texts[] = {
        "0",
        "-0",
        "0.0",
        "0e5",
        "-0.000e-99999999999999999999",
        "0e99999999999999999999",
        "1",
        "-1",
        "10",
        "1e0",
        "1E+2",
        "1e-2",
        "0.1",
        "0.3",
        "123456789012345678",
        "9007199254740992",
        "9007199254740993",
        "9007199254740994",
        "9007199254740995",
        "9007199254740993.0000000001",
        "18446744073709551615",
        "18446744073709551616",
        "36893488147419103232",
        "1e22",
        "1e23",
        "8.988465674311579e307",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "179769313486231580793e289",
        "1e308",
        "1e309",
        "-1e309",
        "1e400",
        "-1e400",
        "1e99999999999999999999",
        "2.2250738585072014e-308",
        "2.2250738585072011e-308",
        "2.2250738585072012e-308",
        "2.225073858507201e-308",
        "4.9406564584124654e-324",
        "5e-324",
        "3e-324",
        "2.5e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "2e-324",
        "1e-400",
        "-1e-400",
        "1e-99999999999999999999",
        "6.631236846766476e-316",
        "3.2378839133029012895883524125015321748630094e-319",
        "7.2057594037927933e16",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i)
        assertReadsLikeStrtod(texts[i]);
}

static size_t drawDigits(thGenerator* g, char* text, int32_t count)
{
    for (int32_t i = 0; i < count; ++i)
        text[i] = (char)('0' + drawInt(g, 0, 9));
    return (size_t)count;
}

// Any digits with a point anywhere and an exponent that often leads to the ends of what is
// possible.
static void drawDecimal(thGenerator* g, char* text, int32_t mostDigits)
{
    size_t size = 0;
    if (drawInt(g, 0, 1) == 0)
        text[size++] = '-';
    const int32_t whole = drawInt(g, 0, mostDigits / 2), fraction = drawInt(g, 0, mostDigits / 2);
    text[size++] = (char)('0' + (whole > 0 ? drawInt(g, 1, 9) : 0));
    size += drawDigits(g, text + size, TH_MAX(whole - 1, 0));
    if (fraction > 0) {
        text[size++] = '.';
        size += drawDigits(g, text + size, fraction);
    }
    text[size] = '\0';
    if (drawInt(g, 0, 3) != 0)
        snprintf(text + size, 8, "e%d", (int)drawInt(g, -345 - whole, 312 - whole));
}

static void testRandomDecimals(void** state)
{
    (void)state;
    char text[64];
    thGenerator g = makeGenerator(1, 0);
    for (int32_t i = 0; i < 1000000; ++i) {
        drawDecimal(&g, text, i % 2 == 0 ? 8 : 40);
        assertReadsLikeStrtod(text);
    }
}

static void testLongDecimals(void** state)
{
    (void)state;
    static char text[3000];
    thGenerator g = makeGenerator(2, 0);
    for (int32_t i = 0; i < 5000; ++i) {
        drawDecimal(&g, text, 2500);
        assertReadsLikeStrtod(text);
    }
}

static double drawDouble(thGenerator* g)
{
    for (;;) {
        uint64_t bits = drawU64(g);
        switch (drawInt(g, 0, 3)) {
        case 0:
            bits &= UINT64_MAX >> 12 | UINT64_C(1) << 63; // denormal
            break;
        case 1:
            bits &= UINT64_C(0xfff) << 52; // a power of two
            break;
        default:
            break;
        }
        double number;
        memcpy(&number, &bits, sizeof number);
        if (isfinite(number))
            return number;
    }
}

// Halfway between two doubles, exactly, and a little off at the last digit or far behind it.
static void testHalfwayCases(void** state)
{
    (void)state;
    static char text[1200];
    thGenerator g = makeGenerator(3, 0);
    for (int32_t i = 0; i < 5000; ++i) {
        const double a = fabs(drawDouble(&g)), b = nextafter(a, INFINITY);
        if (!isfinite(b))
            continue;
        // A long double holds one bit more, and printing more digits than there are is exact.
        snprintf(text, sizeof text, "%.780Le", ((long double)a + b) / 2);
        assertReadsLikeStrtod(text);
        char* exponent = strchr(text, 'e');
        char tail[16];
        snprintf(tail, sizeof tail, "%s", exponent);
        for (int32_t zeros = 0; zeros < 200; zeros += 199) {
            memset(exponent, '0', (size_t)zeros);
            snprintf(exponent + zeros, 32, "1%s", tail);
            assertReadsLikeStrtod(text);
        }
        char* last = exponent - 1;
        while (*last == '0')
            --last;
        if (*last != '.')
            *last -= 1;
        assertReadsLikeStrtod(text);
    }
}

// Zeros and digits without end, which exponents make up for.
static void testManyZeros(void** state)
{
    (void)state;
    enum { zeros = 100000 };
    char* text = malloc(zeros + 64);
    assert_non_null(text);
    double number;
    memset(text, '0', zeros);
    text[1] = '.';
    snprintf(text + zeros, 64, "15e%d", zeros);
    assert_true(thiReadDecimal(text, strlen(text), &number));
    assert_true(number == 15.0);
    text[0] = '3';
    text[1] = '0';
    snprintf(text + zeros, 64, "e-%d", zeros);
    assert_true(thiReadDecimal(text, strlen(text), &number));
    assert_true(number == 0.3);
    snprintf(text + zeros, 64, ".0");
    assert_false(thiReadDecimal(text, strlen(text), &number));
    free(text);
}

static void testKnownTexts(void** state)
{
    (void)state;
    const struct {
        double number;
        const char* text;
    } cases[] = {
        {0.0, "0"},
        {-0.0, "-0"},
        {1.0, "1"},
        {-1.5, "-1.5"},
        {0.1, "0.1"},
        {1.0 / 3.0, "0.3333333333333333"},
        {0.1 + 0.2, "0.30000000000000004"},
        {100.0, "100"},
        {123456.789, "123456.789"},
        {9007199254740993.0, "9007199254740992"},
        {1e20, "100000000000000000000"},
        {123456789012345680000.0, "123456789012345680000"},
        {1e21, "1e21"},
        {1.5e300, "1.5e300"},
        {0.000001, "0.000001"},
        {0.0000001, "1e-7"},
        {-1.25e-9, "-1.25e-9"},
        {DBL_MAX, "1.7976931348623157e308"},
        {DBL_MIN, "2.2250738585072014e-308"},
        {0x1p-1074, "5e-324"},
        {-0x1.234567890abcdp-300, "-5.585457453130727e-91"},
        {0x1p-44, "5.684341886080802e-14"}, // nearest to half way between two of 16 digits
        {9.5367431640625e-07, "9.5367431640625e-7"},
    };
    char text[TH_DECIMAL_SIZE];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        assert_int_equal(thiWriteDecimal(cases[i].number, text), strlen(cases[i].text));
        assert_string_equal(text, cases[i].text);
    }
}

// One digit less would not do.
static bool isShorterTheSame(double number, const char* text)
{
    int32_t digits = 0;
    bool leading = true;
    for (const char* at = text; *at != '\0' && *at != 'e'; ++at) {
        leading = leading && (*at < '1' || *at > '9');
        digits += !leading && *at != '.';
    }
    if (strpbrk(text, ".e") == NULL) // zeros at the end of a whole number are not counted
        for (const char* at = text + strlen(text) - 1; digits > 1 && *at == '0'; --at)
            --digits;
    if (digits < 2)
        return false;
    char shorter[64];
    snprintf(shorter, sizeof shorter, "%.*e", (int)digits - 2, number);
    return isSameDouble(strtod(shorter, NULL), number);
}

static void testWrittenNumbersReadBack(void** state)
{
    (void)state;
    char text[TH_DECIMAL_SIZE];
    thGenerator g = makeGenerator(4, 0);
    for (int32_t i = 0; i < 200000; ++i) {
        double number = drawDouble(&g), back;
        if (i % 4 == 0)
            number = drawInt(&g, -100000000, 100000000) / (i % 8 == 0 ? 1000.0 : 1.0);
        const size_t size = thiWriteDecimal(number, text);
        assert_true(size < sizeof text && size == strlen(text));
        assert_true(thiReadDecimal(text, size, &back));
        if (!isSameDouble(back, number) || !isSameDouble(strtod(text, NULL), number))
            fail_msg("%a is written as %s, which is %a", number, text, back);
        if (isShorterTheSame(number, text))
            fail_msg("%a is written as %s, longer than needed", number, text);
    }
}

static void testRoundingOfTheHost(void** state)
{
    (void)state;
    const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    for (int i = 0; i < 3; ++i) {
        double number;
        char text[TH_DECIMAL_SIZE];
        fesetround(modes[i]);
        thiReadDecimal("0.1", 3, &number);
        thiWriteDecimal(0x1.5555555555555p-2, text);
        fesetround(FE_TONEAREST);
        assert_true(isSameDouble(number, 0.1));
        assert_string_equal(text, "0.3333333333333333");
    }
}

static void testLocaleOfTheHost(void** state)
{
    (void)state;
    const char* const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "fr_FR.utf8"};
    bool isSet = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !isSet; ++i)
        isSet = setlocale(LC_ALL, names[i]) != NULL;
    if (!isSet) {
        print_message("this machine has no locale with a decimal comma\n");
        skip();
    }
    double number = 0.0;
    char text[TH_DECIMAL_SIZE];
    const bool fits = thiReadDecimal("-12.5e1", 7, &number);
    thiWriteDecimal(-0.25, text);
    setlocale(LC_ALL, "C");
    assert_true(fits && number == -125.0);
    assert_string_equal(text, "-0.25");
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testKnownNumbers),
        cmocka_unit_test(testRandomDecimals),
        cmocka_unit_test(testLongDecimals),
        cmocka_unit_test(testHalfwayCases),
        cmocka_unit_test(testManyZeros),
        cmocka_unit_test(testKnownTexts),
        cmocka_unit_test(testWrittenNumbersReadBack),
        cmocka_unit_test(testRoundingOfTheHost),
        cmocka_unit_test(testLocaleOfTheHost),
    };
    return RUN_TESTS(tests, argc, argv);
}
