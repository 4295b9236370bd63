// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The clocks of POSIX, and the floating-point environment by each machine's control register.

#define _POSIX_C_SOURCE 200809L

#include "base/machine.h"

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

#if defined(__SSE2__)
#include <xmmintrin.h>

// All six exceptions masked, everything else zero.
#define IEEE_CONTROL 0x1f80u

thFpEnvironment thiFpEnter(void)
{
    const thFpEnvironment before = {_mm_getcsr()};
    _mm_setcsr(IEEE_CONTROL);
    return before;
}

void thiFpRestore(thFpEnvironment before)
{
    _mm_setcsr((unsigned)before.control);
}

#elif defined(__aarch64__)

thFpEnvironment thiFpEnter(void)
{
    thFpEnvironment before;
    __asm__ volatile("mrs %0, fpcr" : "=r"(before.control));
    __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)0));
    return before;
}

void thiFpRestore(thFpEnvironment before)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(before.control));
}

#elif defined(__wasm__)

// WebAssembly has one environment, the right one.
thFpEnvironment thiFpEnter(void)
{
    return (thFpEnvironment){0};
}

void thiFpRestore(thFpEnvironment before)
{
    (void)before;
}

#else
#include <fenv.h>

thFpEnvironment thiFpEnter(void)
{
    const thFpEnvironment before = {(uint64_t)fegetround()};
    fesetround(FE_TONEAREST);
    return before;
}

void thiFpRestore(thFpEnvironment before)
{
    fesetround((int)before.control);
}
#endif
