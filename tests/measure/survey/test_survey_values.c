// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Distributions, against sorted values.

#include "gear/property.h"
#include "measure/survey/survey_gear.h"
#include "measure/survey/survey_internal.h"

#include <stdlib.h>

static int ascending(const void* left, const void* right)
{
    const double a = *(const double*)left, b = *(const double*)right;
    return (a > b) - (a < b);
}

static double quantile(const double* sorted, int32_t count, double share)
{
    return sorted[(int32_t)floor(share * (count - 1) + 0.5)];
}

static bool spreadHolds(thGenerator* g, int32_t size, void* context)
{
    thMemory* memory = context;
    const int32_t count = drawInt(g, 1, 1 + size), kinds = drawInt(g, 1, 1 + size);
    const double offset = (double)drawFloat(g, -1e6f, 1e6f);
    double* plain = malloc((size_t)count * sizeof *plain);
    thValues values = thiValues(memory);
    double sum = 0.0, squares = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        plain[i] = offset + drawInt(g, 0, kinds) * 0.37;
        sum += plain[i] - offset;
        assert_int_equal(thiAddValue(&values, plain[i]), th_resultOk);
    }
    const double mean = offset + sum / count;
    for (int32_t i = 0; i < count; ++i)
        squares += (plain[i] - mean) * (plain[i] - mean);
    qsort(plain, (size_t)count, sizeof *plain, ascending);
    const thSpread spread = thiSpreadOf(&values);
    const bool holds =
        spread.count == (uint64_t)count && isNear(spread.mean, mean, 1e-6) &&
        isNear(spread.deviation, sqrt(squares / count), 1e-5 * (1.0 + kinds)) &&
        spread.least == plain[0] && spread.p01 == quantile(plain, count, 0.01) &&
        spread.p05 == quantile(plain, count, 0.05) && spread.p10 == quantile(plain, count, 0.1) &&
        spread.median == quantile(plain, count, 0.5) && spread.p90 == quantile(plain, count, 0.9) &&
        spread.p95 == quantile(plain, count, 0.95) && spread.p99 == quantile(plain, count, 0.99) &&
        spread.greatest == plain[count - 1];
    thiValuesFree(&values);
    free(plain);
    return holds;
}

static void initMemory(thMemory* memory)
{
    const thAllocator allocator = thDefaultAllocator();
    thiMemoryInit(memory, &allocator, 0);
}

static void testSpreads(void** state)
{
    (void)state;
    thMemory memory;
    initMemory(&memory);
    assertProperty(&(thProperty){"survey spreads", 2, 500, 3000, spreadHolds, &memory});
}

static void testNoValues(void** state)
{
    (void)state;
    thMemory memory;
    initMemory(&memory);
    thValues values = thiValues(&memory);
    const thSpread spread = thiSpreadOf(&values), zero = {0};
    assert_memory_equal(&spread, &zero, sizeof zero);
    thiValuesFree(&values);
}

// The same value again and again: no deviation at all, and the mean is that value.
static void testConstant(void** state)
{
    (void)state;
    thMemory memory;
    initMemory(&memory);
    thValues values = thiValues(&memory);
    for (int32_t i = 0; i < 100000; ++i)
        assert_int_equal(thiAddValue(&values, 0.1), th_resultOk);
    const thSpread spread = thiSpreadOf(&values);
    assert_near(spread.mean, 0.1, 0.0);
    assert_near(spread.deviation, 0.0, 0.0);
    assert_near(spread.median, 0.1, 0.0);
    thiValuesFree(&values);
}

// More values than are kept: two people take turns, and neither is forgotten.
static void testManyValues(void** state)
{
    (void)state;
    enum { count = 40 << 20 };
    thMemory memory;
    initMemory(&memory);
    thValues values = thiValues(&memory);
    for (int32_t i = 0; i < count; ++i)
        assert_true(thiAddValue(&values, (i % 2 == 0 ? 0.0 : 2.0) + (double)i / count) ==
                    th_resultOk);
    assert_true(memory.peak <= (size_t)1 << 29);
    const thSpread spread = thiSpreadOf(&values);
    assert_int_equal(spread.count, count);
    assert_near(spread.mean, 1.5, 1e-6);
    // A half is between 0 and 1, the other one between 2 and 3.
    assert_near(spread.p10, 0.2, 0.001);
    assert_near(spread.p90, 2.8, 0.001);
    assert_near(spread.p05, 0.1, 0.001);
    assert_near(spread.least, 0.0, 0.0);
    thiValuesFree(&values);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testSpreads),
        cmocka_unit_test(testNoValues),
        cmocka_unit_test(testConstant),
        cmocka_unit_test(testManyValues),
    };
    return RUN_TESTS(tests, argc, argv);
}
