// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A page to draw on, its colours, and round numbers along axes.

#ifndef THRONG_APPS_CANVAS_H
#define THRONG_APPS_CANVAS_H

#include "app.h"

#include <cairo.h>
#include <stddef.h>
#include <stdint.h>

// --- Colours ---

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

// --- Pages ---

// They become picture files, or frames of films. What fails is said.

// What a file is going to consist of.
typedef struct Bytes {
    unsigned char* data;
    size_t size, capacity;
} Bytes;

typedef struct Canvas {
    cairo_t* cairo;
    cairo_surface_t* surface;
    double width, height; // [pixels or points]
    const char* path;     // NULL: it becomes no file
    Bytes bytes;
} Canvas;

// Whether the suffix is .png, .svg or .pdf.
bool appIsPictureName(const char* path);

// A blank page that is to become a file; `path` must outlive it. Without a path: an image in
// memory, 4 bytes for a pixel.
bool appBeginCanvas(Canvas* canvas, const char* path, double width, double height);

// Writes the file, and frees. A file that is there is replaced as a whole or not at all.
bool appEndCanvas(Canvas* canvas);

// Frees; nothing is written.
void appDropCanvas(Canvas* canvas);

void appPaintPaper(const Canvas* canvas);
void appSetColor(const Canvas* canvas, Color color, double alpha);

double appTextWidth(const Canvas* canvas, double size, const char* text);

// `anchor` is the share of the text that is left of x: 0 left-aligned, 0.5 centred, 1
// right-aligned.
void appDrawText(const Canvas* canvas, double x, double y, double size, double anchor,
                 const char* text);

// The same, upwards; `anchor` of it is below y.
void appDrawUpwards(const Canvas* canvas, double x, double y, double size, double anchor,
                    const char* text);

// The greatest size up to `size` at which a text is no wider than `room`.
double appFitText(const Canvas* canvas, double size, double room, const char* text);

// --- Ticks ---

// Round numbers along an axis.

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
