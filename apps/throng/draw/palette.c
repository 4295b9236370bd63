// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "draw/palette.h"

#include <math.h>

Color appColorOf(int32_t index)
{
    static const Color colors[appColorCount] = {
        {0.00, 0.45, 0.70}, {0.84, 0.37, 0.00}, {0.00, 0.62, 0.45}, {0.80, 0.47, 0.65},
        {0.90, 0.62, 0.00}, {0.34, 0.71, 0.91}, {0.55, 0.34, 0.29}, {0.42, 0.36, 0.70},
    };
    return colors[((index % appColorCount) + appColorCount) % appColorCount];
}

// Hues at nearly the same lightness, made of three shifted cosines.
Color appHue(double turn)
{
    const double tau = 6.283185307179586;
    return (Color){0.52 + 0.36 * cos(tau * turn), 0.48 + 0.26 * cos(tau * (turn - 0.36)),
                   0.52 + 0.36 * cos(tau * (turn - 0.66))};
}

// The curve by which screens turn numbers into light, the other way round.
static double encode(double light)
{
    const double bounded = fmin(fmax(light, 0.0), 1.0);
    return bounded <= 0.0031308 ? 12.92 * bounded : 1.055 * pow(bounded, 1 / 2.4) - 0.055;
}

// A colour of the space OKLab, in which equal distances look equal.
static Color fromLab(double lightness, double a, double b)
{
    const double l = pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
    const double m = pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
    const double s = pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
    return (Color){encode(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
                   encode(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
                   encode(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

Color appShade(double share)
{
    // Hues on the way, at equal distances: yellow, green, blue, dark blue.
    static const double hues[][2] = {
        {-0.018, 0.085}, {-0.078, 0.080}, {-0.078, 0.002}, {-0.045, -0.095}, {0.010, -0.120}};
    enum { spans = sizeof hues / sizeof hues[0] - 1 };
    const double at = fmin(fmax(share, 0.0), 1.0) * spans;
    const int span = at < spans ? (int)at : spans - 1;
    const double rest = at - span;
    return fromLab(0.955 - 0.66 * at / spans,
                   hues[span][0] + rest * (hues[span + 1][0] - hues[span][0]),
                   hues[span][1] + rest * (hues[span + 1][1] - hues[span][1]));
}

Color appLighten(Color color, double share)
{
    return (Color){color.red + (1 - color.red) * share, color.green + (1 - color.green) * share,
                   color.blue + (1 - color.blue) * share};
}

Color appDarken(Color color, double share)
{
    return (Color){color.red * (1 - share), color.green * (1 - share), color.blue * (1 - share)};
}
