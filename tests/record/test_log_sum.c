// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The checksum of logs notices what it promises to, and does not know where bytes lie in memory.

#include "base/machine.h"
#include "gear/gear.h"
#include "gear/property.h"
#include "record/log_format.h"

#include <stdlib.h>

enum { most = 300 };

static void fill(thGenerator* g, uint8_t* data, size_t size)
{
    for (size_t i = 0; i < size; ++i)
        data[i] = (uint8_t)drawU32(g);
}

// Each change of one or two bits, and of a whole word, gives another sum.
static bool noticesChanges(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    uint8_t data[most] = {0};
    const size_t count = (size_t)size;
    fill(g, data, count);
    const uint64_t sum = thiLogSum(7, data, count);
    for (size_t bit = 0; bit < 8 * count; ++bit) {
        data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        if (thiLogSum(7, data, count) == sum)
            return false;
        for (int32_t i = 0; i < 8; ++i) {
            const size_t other = (size_t)drawInt(g, 0, (int32_t)(8 * count) - 1);
            data[other / 8] ^= (uint8_t)(1 << other % 8);
            if (other != bit && thiLogSum(7, data, count) == sum)
                return false;
            data[other / 8] ^= (uint8_t)(1 << other % 8);
        }
        data[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    return thiLogSum(7, data, count) == sum && thiLogSum(8, data, count) != sum;
}

static void testNotices(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "noticesChanges",
                                 .seed = 1,
                                 .caseCount = 40,
                                 .maxSize = most,
                                 .holds = noticesChanges});
}

// Zeros at the end count, and so does their number.
static void testLengths(void** state)
{
    (void)state;
    const uint8_t zeros[most] = {0};
    uint64_t sums[most];
    for (size_t i = 0; i < most; ++i) {
        sums[i] = thiLogSum(1, zeros, i);
        for (size_t k = 0; k < i; ++k)
            assert_true(sums[i] != sums[k]);
    }
}

// Two bits of the same lane, every pair of them: the highest bits are those that mix worst.
static void testPairs(void** state)
{
    (void)state;
    uint8_t data[64] = {0};
    const uint64_t sum = thiLogSum(0, data, sizeof data);
    for (size_t a = 0; a < 64; ++a)
        for (size_t b = 0; b < 64; ++b) {
            data[a / 8] ^= (uint8_t)(1 << a % 8);
            data[32 + b / 8] ^= (uint8_t)(1 << b % 8);
            assert_true(thiLogSum(0, data, sizeof data) != sum);
            data[a / 8] = data[32 + b / 8] = 0;
        }
}

static void testAlignment(void** state)
{
    (void)state;
    uint8_t data[most], moved[most + 8];
    thGenerator g = makeGenerator(2, 0);
    fill(&g, data, most);
    const uint64_t sum = thiLogSum(3, data, most);
    for (size_t by = 0; by < 8; ++by) {
        memcpy(moved + by, data, most);
        assert_true(thiLogSum(3, moved + by, most) == sum);
    }
    // The same on every machine, for ever: logs are kept.
    for (size_t i = 0; i < most; ++i)
        data[i] = (uint8_t)i;
    assert_true(thiLogSum(0, data, 0) == UINT64_C(0x7637eca655a3872d));
    assert_true(thiLogSum(0, data, 31) == UINT64_C(0x1ac6b49e287678c6));
    assert_true(thiLogSum(5, data, most) == UINT64_C(0xd796af2199b41b59));
}

static void testSpeed(void** state)
{
    (void)state;
    enum { size = 1 << 20, rounds = 200 };
    uint8_t* data = calloc(1, size);
    assert_non_null(data);
    const int64_t start = thiNow();
    for (int32_t i = 0; i < rounds; ++i)
        data[i] = (uint8_t)thiLogSum((uint64_t)i, data, size);
    const double seconds = (double)(thiNow() - start) * 1e-9;
    print_message("%.1f GB/s\n", (double)size * rounds * 1e-9 / seconds);
    free(data);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testNotices),   cmocka_unit_test(testLengths), cmocka_unit_test(testPairs),
        cmocka_unit_test(testAlignment), cmocka_unit_test(testSpeed),
    };
    return RUN_TESTS(tests, argc, argv);
}
