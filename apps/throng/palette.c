// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "palette.h"

#include <math.h>

Color appColorOf(int32_t index)
{
    static const Color colors[] = {
        {0.00, 0.45, 0.70}, {0.84, 0.37, 0.00}, {0.00, 0.62, 0.45}, {0.80, 0.47, 0.65},
        {0.90, 0.62, 0.00}, {0.34, 0.71, 0.91}, {0.55, 0.34, 0.29}, {0.42, 0.36, 0.70},
    };
    const int32_t count = (int32_t)(sizeof colors / sizeof colors[0]);
    return colors[((index % count) + count) % count];
}

// Hues at nearly the same lightness, made of three shifted cosines.
Color appHue(double turn)
{
    const double tau = 6.283185307179586;
    return (Color){0.52 + 0.36 * cos(tau * turn), 0.48 + 0.26 * cos(tau * (turn - 0.36)),
                   0.52 + 0.36 * cos(tau * (turn - 0.66))};
}

Color appLighten(Color color, double share)
{
    return (Color){color.red + (1 - color.red) * share, color.green + (1 - color.green) * share,
                   color.blue + (1 - color.blue) * share};
}
