// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The colours of pictures.

#ifndef THRONG_APPS_PALETTE_H
#define THRONG_APPS_PALETTE_H

#include <stdint.h>

typedef struct Color {
    double red, green, blue; // [0 .. 1]
} Color;

static const Color paperColor = {0.985, 0.980, 0.970};
static const Color solidColor = {0.80, 0.79, 0.77};
static const Color wallColor = {0.22, 0.23, 0.26};
static const Color inkColor = {0.25, 0.26, 0.29};
static const Color moverColor = {0.45, 0.38, 0.30};
static const Color doorColor = {0.78, 0.16, 0.40};
static const Color gridColor = {0.86, 0.855, 0.845};

// Colours that also those tell apart who do not see red or green; over again after the last.
enum { appColorCount = 8 };
Color appColorOf(int32_t index);

// A colour of the circle of hues. [0 .. 1]
Color appHue(double turn);

// A quantity as a colour, from pale yellow to dark blue: evenly darker, so that it can be read
// without seeing hues, and on paper in grey. [0 .. 1]
Color appShade(double share);

// Towards white, and towards black. [0 .. 1]
Color appLighten(Color color, double share);
Color appDarken(Color color, double share);

#endif
