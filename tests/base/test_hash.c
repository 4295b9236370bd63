// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The mixer and the hashes made of it: every bit counts, and values are known.

#include "base/hash.h"
#include "gear/gear.h"
#include "gear/property.h"
#include "gear/statistics.h"

#include <stdlib.h>

static uint64_t mix(uint64_t input)
{
    return thiMix(input);
}

static uint64_t hashWord(uint64_t input)
{
    return thiHashWord(UINT64_C(0x123456789abcdef0), input);
}

static uint64_t hashOfHash(uint64_t input)
{
    return thiHashWord(input, 42);
}

static void testAvalanche(void** state)
{
    (void)state;
    thBitsFcn* const functions[] = {mix, hashWord, hashOfHash};
    for (int i = 0; i < 3; ++i) {
        assert_near(avalancheDeviation(functions[i], 64, 64, false), 0.0, 5.0);
        assert_near(avalancheDeviation(functions[i], 64, 64, true), 0.0, 6.0);
    }
}

static int compareWords(const void* a, const void* b)
{
    const uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
    return x < y ? -1 : x > y;
}

static bool allDiffer(uint64_t* words, size_t count)
{
    qsort(words, count, sizeof *words, compareWords);
    for (size_t i = 1; i < count; ++i)
        if (words[i] == words[i - 1])
            return false;
    return true;
}

static void testMixIsOneToOne(void** state)
{
    (void)state;
    static uint64_t words[40000];
    for (uint64_t i = 0; i < 20000; ++i) {
        words[2 * i] = thiMix(i);
        words[2 * i + 1] = thiMix(~i << 20);
    }
    assert_true(allDiffer(words, 40000));
}

static void testOrderCounts(void** state)
{
    (void)state;
    const uint64_t ab = thiHashWord(thiHashWord(0, 1), 2);
    const uint64_t ba = thiHashWord(thiHashWord(0, 2), 1);
    assert_true(ab != ba);
    assert_true(thiHashWord(0, 0) != 0);
}

// Files and recordings depend on these numbers.
static void testKnownValues(void** state)
{
    (void)state;
    assert_int_equal(thiMix(0), 0);
    assert_int_equal(thiMix(1), UINT64_C(0x4179b061e0c0e0d0));
    assert_int_equal(thiHashBytes(0, "", 0), UINT64_C(0x4e17cf67001b3979));
    assert_int_equal(thiHashBytes(7, "a crowd of people", 17), UINT64_C(0x0317e04874c16e56));
    assert_int_equal(thiHashBytes(7, NULL, 0), thiHashBytes(7, "", 0));
}

static void testSeesEveryBitFlip(void** state)
{
    (void)state;
    unsigned char bytes[40] = {0};
    for (size_t size = 0; size <= sizeof bytes; ++size) {
        for (size_t i = 0; i < size; ++i)
            bytes[i] = (unsigned char)(37 * i + size);
        const uint64_t hash = thiHashBytes(1, bytes, size);
        assert_int_equal(thiHashBytes(1, bytes, size), hash);
        assert_true(thiHashBytes(2, bytes, size) != hash);
        for (size_t bit = 0; bit < 8 * size; ++bit) {
            bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
            assert_true(thiHashBytes(1, bytes, size) != hash);
            bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        }
    }
}

// Equal bytes of different lengths differ, also past where the length no longer fits in a byte.
static void testSeesEveryLength(void** state)
{
    (void)state;
    static unsigned char bytes[1100];
    static uint64_t hashes[1101];
    for (int fill = 0; fill < 2; ++fill) {
        memset(bytes, fill * 255, sizeof bytes);
        for (size_t size = 0; size <= sizeof bytes; ++size)
            hashes[size] = thiHashBytes(0, bytes, size);
        assert_true(allDiffer(hashes, 1101));
    }
}

static void testSeesSwappedBytes(void** state)
{
    (void)state;
    unsigned char bytes[24];
    for (size_t i = 0; i < sizeof bytes; ++i)
        bytes[i] = (unsigned char)i;
    const uint64_t hash = thiHashBytes(0, bytes, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; ++i) {
        for (size_t j = 0; j < i; ++j) {
            bytes[i] = (unsigned char)j;
            bytes[j] = (unsigned char)i;
            assert_true(thiHashBytes(0, bytes, sizeof bytes) != hash);
            bytes[i] = (unsigned char)i;
            bytes[j] = (unsigned char)j;
        }
    }
}

static void testFloatBits(void** state)
{
    (void)state;
    assert_int_equal(thiFloatBits(1.0f), 0x3f800000);
    assert_int_equal(thiFloatBits(-0.0f), 0x80000000);
    thGenerator g = makeGenerator(3, 0);
    for (int i = 0; i < 1000; ++i) {
        const float value = drawSpecialFloat(&g);
        assert_same_bits(thiFloatFromBits(thiFloatBits(value)), value);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testAvalanche),        cmocka_unit_test(testMixIsOneToOne),
        cmocka_unit_test(testOrderCounts),      cmocka_unit_test(testKnownValues),
        cmocka_unit_test(testSeesEveryBitFlip), cmocka_unit_test(testSeesEveryLength),
        cmocka_unit_test(testSeesSwappedBytes), cmocka_unit_test(testFloatBits),
    };
    return RUN_TESTS(tests, argc, argv);
}
