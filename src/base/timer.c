// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Reads the clocks of POSIX.

#define _POSIX_C_SOURCE 200809L

#include "base/timer.h"

#include <time.h>

static int64_t readClock(clockid_t clock)
{
    struct timespec time;
    if (clock_gettime(clock, &time) != 0)
        return 0;
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int64_t thiNow(void)
{
    return readClock(CLOCK_MONOTONIC);
}

int64_t thiProcessTime(void)
{
#if defined(CLOCK_PROCESS_CPUTIME_ID)
    return readClock(CLOCK_PROCESS_CPUTIME_ID);
#else
    return readClock(CLOCK_MONOTONIC);
#endif
}
