// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A page to draw on: a picture that becomes a file, or a frame of a film. What fails is said.

#ifndef THRONG_APPS_CANVAS_H
#define THRONG_APPS_CANVAS_H

#include "app.h"
#include "draw/palette.h"

#include <cairo.h>
#include <stddef.h>

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

// Whether a name ends so, in whatever case.
bool appHasSuffix(const char* path, const char* suffix);

// Whether a file can be written there; nothing changes.
bool appCanWrite(const char* path);

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

#endif
