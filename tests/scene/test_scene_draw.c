// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Numbers that are drawn, against the distribution functions in double: the largest difference of
// shares (Kolmogorov and Smirnov), means and deviations, and bounds.

#include "gear/gear.h"
#include "gear/property.h"
#include "scene/scene_draw.h"
#include "throng/random.h"

#include <math.h>
#include <stdlib.h>

static double normalShare(double x)
{
    return 0.5 * erfc(-x / sqrt(2.0));
}

// The regularized incomplete gamma function, by its series, or by a continued fraction of the rest.
static double gammaShare(double k, double x)
{
    if (x <= 0.0)
        return 0.0;
    const double scale = exp(k * log(x) - x - lgamma(k));
    if (x < k + 1.0) {
        double term = 1.0 / k, sum = term;
        for (int32_t i = 1; i < 10000 && term > 1e-16 * sum; ++i)
            sum += term *= x / (k + i);
        return scale * sum;
    }
    double b = x + 1.0 - k, c = 1e300, d = 1.0 / b, h = d;
    for (int32_t i = 1; i < 10000; ++i) {
        const double a = -i * (i - k);
        b += 2.0;
        d = 1.0 / (a * d + b);
        c = b + a / c;
        h *= d * c;
        if (fabs(d * c - 1.0) < 1e-15)
            break;
    }
    return 1.0 - scale * h;
}

// The share of numbers that are not above x, without bounds.
static double shareBelow(const thDraw* draw, double x)
{
    const double variance = log(1.0 + draw->b / draw->a * draw->b / draw->a);
    const double shape = draw->a / draw->b * draw->a / draw->b;
    switch (draw->kind) {
    case th_drawUniform:
        return (x - draw->a) / (draw->b - draw->a);
    case th_drawNormal:
        return normalShare((x - draw->a) / draw->b);
    case th_drawLogNormal:
        return normalShare((log(x) - log(draw->a) + 0.5 * variance) / sqrt(variance));
    case th_drawGamma:
        return gammaShare(shape, x * shape / draw->a);
    case th_drawWeibull:
        return 1.0 - exp(-pow(x / draw->a, draw->b));
    default:
        for (int32_t i = 1; i < draw->table.count; ++i) {
            const thCoord a = draw->table.items[i - 1], b = draw->table.items[i];
            if (x < b.x)
                return a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x);
        }
        return 1.0;
    }
}

static int compareNumbers(const void* left, const void* right)
{
    const double a = *(const double*)left, b = *(const double*)right;
    return (a > b) - (a < b);
}

static void drawAll(const thDraw* draw, uint64_t seed, double* numbers, int32_t count)
{
    for (int32_t i = 0; i < count; ++i)
        numbers[i] = thiDrawNumber(draw, thRandomStream(seed, (uint64_t)i + 1, 0, 7));
}

// The largest difference times the root of the count: above 1.95 in one of a thousand cases.
static double distanceOf(const thDraw* draw, double* numbers, int32_t count)
{
    const double below = isfinite(draw->min) ? shareBelow(draw, draw->min) : 0.0;
    const double above = isfinite(draw->max) ? shareBelow(draw, draw->max) : 1.0;
    double largest = 0.0;
    qsort(numbers, (size_t)count, sizeof *numbers, compareNumbers);
    for (int32_t i = 0; i < count; ++i) {
        const double share = (shareBelow(draw, numbers[i]) - below) / (above - below);
        largest = fmax(largest, fmax(share - (double)i / count, (i + 1.0) / count - share));
    }
    return largest * sqrt((double)count);
}

static const thCoord rows[] = {{0.4, 0.0}, {0.9, 0.1}, {1.2, 0.1}, {1.5, 0.7}, {2.5, 1.0}};

static const thDraw draws[] = {
    {.kind = th_drawUniform, .a = 0.8, .b = 1.2},
    {.kind = th_drawNormal, .a = 1.34, .b = 0.26},
    {.kind = th_drawLogNormal, .a = 1.34, .b = 0.26},
    {.kind = th_drawLogNormal, .a = 60.0, .b = 90.0},
    {.kind = th_drawLogNormal, .a = 0.25, .b = 0.002},
    {.kind = th_drawGamma, .a = 1.34, .b = 0.26},
    {.kind = th_drawGamma, .a = 30.0, .b = 30.0},
    {.kind = th_drawGamma, .a = 30.0, .b = 60.0}, // a shape of 1/4
    {.kind = th_drawWeibull, .a = 1.5, .b = 10.0},
    {.kind = th_drawWeibull, .a = 20.0, .b = 1.0},
    {.kind = th_drawWeibull, .a = 20.0, .b = 0.7},
    {.kind = th_drawTable, .table = {rows, 5}},
};

#define COUNT_DRAWS ((int32_t)(sizeof draws / sizeof draws[0]))

static void testDistributions(void** state)
{
    (void)state;
    const int32_t count = caseCount(20000, 1000000);
    double* numbers = malloc((size_t)count * sizeof *numbers);
    for (int32_t i = 0; i < COUNT_DRAWS; ++i) {
        thDraw draw = draws[i];
        draw.min = -INFINITY;
        draw.max = INFINITY;
        drawAll(&draw, 100 + (uint64_t)i, numbers, count);
        const double distance = distanceOf(&draw, numbers, count);
        if (distance > 1.95)
            fail_msg("draw %d: %.3f", (int)i, distance);
        double sum = 0.0;
        for (int32_t k = 0; k < count; ++k)
            sum += numbers[k];
        // Within five deviations of the sum, and what the mean may be off itself.
        const double mean = thiDrawMean(&draw), spread = 2.0 * mean / sqrt((double)count);
        assert_near(sum / count, mean, 5.0 * spread + 0.01 * mean);
        // What is cut off is drawn again.
        thiDefaultDrawRange(&draw, 0.0, 1e6, &draw.min, &draw.max);
        drawAll(&draw, 200 + (uint64_t)i, numbers, count);
        assert_true(distanceOf(&draw, numbers, count) < 1.95);
        assert_true(numbers[0] >= draw.min && numbers[count - 1] <= draw.max);
        draw.min = draw.min + 0.2 * (mean - draw.min);
        draw.max = mean + 0.5 * (draw.max - mean);
        drawAll(&draw, 300 + (uint64_t)i, numbers, count);
        assert_true(distanceOf(&draw, numbers, count) < 1.95);
        assert_true(numbers[0] >= draw.min && numbers[count - 1] <= draw.max);
    }
    free(numbers);
}

// The same seed draws the same people in every version: first numbers, to six digits.
static void testSameNumbers(void** state)
{
    (void)state;
    static const double expected[COUNT_DRAWS] = {64.0700167, 85.5832439, 84.8247173, 3101.4238,
                                                 16.0083117, 85.4774916, 1703.67327, 1745.81178,
                                                 91.5227095, 1233.85087, 1321.47318, 96.2693743};
    for (int32_t i = 0; i < COUNT_DRAWS; ++i) {
        thDraw draw = draws[i];
        draw.min = -INFINITY;
        draw.max = INFINITY;
        double sum = 0.0;
        for (uint64_t k = 0; k < 64; ++k)
            sum += thiDrawNumber(&draw, thRandomStream(7, k, 0, (uint32_t)i));
        assert_near(sum, expected[i], 1e-6 * fabs(expected[i]));
    }
}

// A distribution far from its bounds ends all the same.
static void testHopeless(void** state)
{
    (void)state;
    for (int32_t i = 0; i < COUNT_DRAWS; ++i) {
        thDraw draw = draws[i];
        draw.min = 1e5;
        draw.max = 1e6;
        assert_true(thiDrawNumber(&draw, thRandomStream(1, 2, 3, 4)) == 1e5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testDistributions),
                                       cmocka_unit_test(testSameNumbers),
                                       cmocka_unit_test(testHopeless)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
