// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Round numbers along an axis.

#ifndef THRONG_APPS_TICKS_H
#define THRONG_APPS_TICKS_H

#include <stddef.h>
#include <stdint.h>

typedef struct Ticks {
    double first, step;
    int32_t count;
    int decimals; // that tell neighbours apart
} Ticks;

// 1, 2 or 5 times a power of ten, not greater than `value`. [value > 0]
double appRoundDown(double value);

// At most `most` multiples of 1, 2 or 5 times a power of ten from `low` to `high`. [low < high,
// most at least 2]
Ticks appFindTicks(double low, double high, int32_t most);

double appTickAt(const Ticks* ticks, int32_t index);
void appFormatTick(const Ticks* ticks, int32_t index, char* text, size_t size);

#endif
