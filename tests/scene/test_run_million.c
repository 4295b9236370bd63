// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A million bodies, one to a square metre, are placed in seconds; and a crowd of a hundred
// thousand that does not fit is refused as soon.

#include "base/timer.h"
#include "scene/placement_gear.h"

static double secondsOf(int64_t nanoseconds)
{
    return 1e-9 * (double)nanoseconds;
}

static void testMillion(void** state)
{
    (void)state;
    Ground ground;
    openBox(&ground, 1000.0, 1000000, 0.25f, 0.1f, true);
    const int64_t start = thiProcessTime();
    assert_int_equal(placeOnGround(&ground), th_resultOk);
    const double seconds = secondsOf(thiProcessTime() - start);
    print_message("a million in %.2f s\n", seconds);
    assert_true(seconds < 60.0); // sanitizers and a busy machine included
    for (int32_t i = 0; i < ground.placing.count; ++i)
        assert_true(thiHasRoom(&ground.bodies, ground.bodies.items[i], i, ground.placing.gap));
    closeGround(&ground);
}

static void testTooMany(void** state)
{
    (void)state;
    Ground ground;
    openBox(&ground, 100.0, 100000, 0.25f, 0.0f, true);
    const int64_t start = thiProcessTime();
    assert_int_equal(placeOnGround(&ground), th_resultFull);
    const double seconds = secondsOf(thiProcessTime() - start);
    print_message("refused in %.2f s: %d of %d\n", seconds, (int)ground.figures.placed,
                  (int)ground.placing.count);
    assert_true(seconds < 30.0);
    closeGround(&ground);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testMillion),
        cmocka_unit_test(testTooMany),
    };
    return RUN_TESTS(tests, argc, argv);
}
