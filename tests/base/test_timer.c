// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The clock never goes back.

#include "base/machine.h"
#include "gear/gear.h"

static void testNeverGoesBack(void** state)
{
    (void)state;
    int64_t now = thiNow(), used = thiProcessTime();
    const int64_t start = now, startUsed = used;
    // Ends because clocks move: ten milliseconds of wall clock, and some processor time.
    while (now - start < 10000000 || used == startUsed) {
        const int64_t nextNow = thiNow(), nextUsed = thiProcessTime();
        assert_true(nextNow >= now && nextUsed >= used);
        now = nextNow;
        used = nextUsed;
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testNeverGoesBack)};
    return RUN_TESTS(tests, argc, argv);
}
