// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What every source file may use: assertions, passing errors on, and conditions at compile time.
// Without these conditions results would differ between machines.

#ifndef THRONG_SRC_BASE_CORE_H
#define THRONG_SRC_BASE_CORE_H

#include "throng/base.h"

#include <float.h>
#include <stdarg.h>
#include <stdbool.h>

#if defined(__FAST_MATH__)
#error "throng gives the same bits everywhere; it cannot be built with -ffast-math"
#endif
_Static_assert(FLT_EVAL_METHOD == 0, "float expressions must be evaluated in float");
_Static_assert(sizeof(float) == 4 && FLT_MANT_DIG == 24, "float must be IEEE binary32");
_Static_assert(sizeof(double) == 8 && DBL_MANT_DIG == 53, "double must be IEEE binary64");

#if defined(__GNUC__)
#define TH_PRINTF(formatIndex, firstIndex) __attribute__((format(printf, formatIndex, firstIndex)))
#else
#define TH_PRINTF(formatIndex, firstIndex)
#endif

#define TH_MIN(a, b) ((a) < (b) ? (a) : (b))
// A place behind a pointer, which may be NULL if there is nothing behind it: C does not define NULL
// + 0.
#define TH_BEHIND(pointer, offset) ((pointer) != NULL ? (pointer) + (offset) : NULL)

#define TH_MAX(a, b) ((a) > (b) ? (a) : (b))

// Tells the host's assertion hook; returns so that the caller can return harmlessly.
void thiAssertFailed(const char* condition, const char* file, int32_t line);

// A message to the host's log hook. Costs nothing when there is none.
void thiLog(thLogLevel level, const char* format, ...) TH_PRINTF(2, 3);

// Internal invariants: checked in builds with THRONG_VALIDATE, free otherwise.
#if THRONG_VALIDATE
#define TH_ASSERT(condition)                                                                       \
    do {                                                                                           \
        if (!(condition))                                                                          \
            thiAssertFailed(#condition, __FILE__, __LINE__);                                       \
    } while (0)
#else
#define TH_ASSERT(condition) ((void)sizeof(condition))
#endif

// Preconditions of public functions: checked in every build, then the call returns `value`.
#define TH_REQUIRE(condition, value)                                                               \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            thiAssertFailed(#condition, __FILE__, __LINE__);                                       \
            return value;                                                                          \
        }                                                                                          \
    } while (0)

// The same for functions that return nothing.
#define TH_REQUIRE_VOID(condition) TH_REQUIRE(condition, )

// Passes a failure on to the caller.
#define TH_TRY(expression)                                                                         \
    do {                                                                                           \
        const thResult tryResult = (expression);                                                   \
        if (tryResult != th_resultOk)                                                              \
            return tryResult;                                                                      \
    } while (0)

// Fills an error (if there is one to fill) and returns its code, so that `return thiFail(…)` works.
thResult thiFail(thError* error, thResult code, const char* format, ...) TH_PRINTF(3, 4);

// Copies a caller's def, whose first field is its size in bytes, over defaults. Sizes between the
// first published one and ours are accepted: a binary built against older headers keeps running,
// and the fields it does not know stay at their defaults. False for NULL and any other size.
bool thiReadDef(void* full, const void* given, uint32_t firstSize, uint32_t fullSize);

#endif
