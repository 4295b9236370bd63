// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Time for measuring. Nothing that decides a result may read it.

#ifndef THRONG_SRC_BASE_TIMER_H
#define THRONG_SRC_BASE_TIMER_H

#include <stdint.h>

// Nanoseconds since some moment in the past; never goes back.
int64_t thiNow(void);

// Nanoseconds of processor time this process has used, all threads together.
int64_t thiProcessTime(void);

#endif
