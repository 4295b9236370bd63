// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What every test program starts with: cmocka, and assertions on floats.

#ifndef THRONG_TESTS_GEAR_GEAR_H
#define THRONG_TESTS_GEAR_GEAR_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <string.h>

static inline bool sameBits(float a, float b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static inline bool isNear(double a, double b, double tolerance)
{
    return a == b || fabs(a - b) <= tolerance;
}

// The same value bit for bit: tells -0 from 0, and a NaN equals itself.
#define assert_same_bits(a, b)                                                                     \
    do {                                                                                           \
        const float gearA = (a), gearB = (b);                                                      \
        if (!sameBits(gearA, gearB))                                                               \
            fail_msg("%s is %a but %s is %a", #a, (double)gearA, #b, (double)gearB);               \
    } while (0)

// At most `tolerance` apart, or equal (which infinities can be). NaN is near nothing.
#define assert_near(a, b, tolerance)                                                               \
    do {                                                                                           \
        const double gearA = (a), gearB = (b);                                                     \
        if (!isNear(gearA, gearB, (tolerance)))                                                    \
            fail_msg("%s is %.9g but %s is %.9g", #a, gearA, #b, gearB);                           \
    } while (0)

// Runs an array of tests as the result of main. The program's first argument picks tests by name,
// with * and ? as wildcards.
#define RUN_TESTS(tests, argc, argv)                                                               \
    (cmocka_set_test_filter((argc) > 1 ? (argv)[1] : NULL),                                        \
     cmocka_run_group_tests(tests, NULL, NULL))

#endif
