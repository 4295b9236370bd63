// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A million bodies, one to a square metre, are placed in seconds. A crowd of a hundred thousand
// that does not fit is refused as soon.

#include "base/machine.h"
#include "scene/run/placement_gear.h"

// Places bodies, which must end like that. Returns the seconds it took.
static double placeFor(Ground* ground, thResult expected)
{
    const int64_t start = thiProcessTime();
    assert_int_equal(placeOnGround(ground), expected);
    return 1e-9 * (double)(thiProcessTime() - start);
}

static void testMillion(void** state)
{
    (void)state;
    Ground ground;
    openBox(&ground, 1000.0, 1000000, 0.25f, 0.1f, true);
    const double seconds = placeFor(&ground, th_resultOk);
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
    const double seconds = placeFor(&ground, th_resultFull);
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
