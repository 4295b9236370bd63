// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "draw/ticks.h"

#include <math.h>
#include <stdio.h>

double appRoundDown(double value)
{
    const double power = pow(10, floor(log10(value)));
    const double rest = value / power;
    return power * (rest >= 5 ? 5 : rest >= 2 ? 2 : 1);
}

// The next greater of the steps 1, 2, 5, 10 ...
static double nextStep(double step)
{
    return appRoundDown(step * 2.6);
}

Ticks appFindTicks(double low, double high, int32_t most)
{
    const double slack = 1e-9; // of a step: ends of the axis are ticks too
    double step = appRoundDown((high - low) / most);
    double first, last;
    for (;; step = nextStep(step)) {
        first = ceil(low / step - slack);
        last = floor(high / step + slack);
        if (last - first < most)
            break;
    }
    const double decimals = fmax(-floor(log10(step) + slack), 0.0);
    return (Ticks){first * step, step, (int32_t)fmax(last - first + 1, 0.0), (int)decimals};
}

double appTickAt(const Ticks* ticks, int32_t index)
{
    const double value = ticks->first + index * ticks->step;
    return fabs(value) < 0.5 * ticks->step ? 0.0 : value; // no -0
}

void appFormatTick(const Ticks* ticks, int32_t index, char* text, size_t size)
{
    snprintf(text, size, "%.*f", ticks->decimals, appTickAt(ticks, index));
}
