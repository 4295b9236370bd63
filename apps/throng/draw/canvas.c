// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A page that becomes a picture file or a frame of a film, its colours, and ticks of axes.

#include "draw/canvas.h"

#include "output.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Colours ---

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

// --- Pages ---

bool appIsPictureName(const char* path)
{
    return appHasSuffix(path, ".png") || appHasSuffix(path, ".svg") || appHasSuffix(path, ".pdf");
}

static cairo_status_t takeBytes(void* context, const unsigned char* data, unsigned int size)
{
    Bytes* bytes = context;
    if (bytes->size + size > bytes->capacity) {
        const size_t capacity = 2 * (bytes->size + size);
        unsigned char* grown = realloc(bytes->data, capacity);
        if (grown == NULL)
            return CAIRO_STATUS_NO_MEMORY;
        bytes->data = grown;
        bytes->capacity = capacity;
    }
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
    return CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t* createSurface(Canvas* canvas)
{
    if (canvas->path != NULL && appHasSuffix(canvas->path, ".svg"))
        return cairo_svg_surface_create_for_stream(takeBytes, &canvas->bytes, canvas->width,
                                                   canvas->height);
    if (canvas->path != NULL && appHasSuffix(canvas->path, ".pdf")) {
        cairo_surface_t* page = cairo_pdf_surface_create_for_stream(takeBytes, &canvas->bytes,
                                                                    canvas->width, canvas->height);
        // The same picture is the same file, whenever it is drawn.
        cairo_pdf_surface_set_metadata(page, CAIRO_PDF_METADATA_CREATE_DATE, NULL);
        return page;
    }
    return cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)canvas->width, (int)canvas->height);
}

static void sayStatus(const Canvas* canvas, cairo_status_t status)
{
    if (canvas->path != NULL)
        appSay("cannot write '%s': %s", canvas->path, cairo_status_to_string(status));
    else
        appSay("cannot draw: %s", cairo_status_to_string(status));
}

bool appBeginCanvas(Canvas* canvas, const char* path, double width, double height)
{
    *canvas = (Canvas){.path = path, .width = ceil(width), .height = ceil(height)};
    canvas->surface = createSurface(canvas);
    canvas->cairo = cairo_create(canvas->surface);
    const cairo_status_t status = cairo_status(canvas->cairo);
    if (status != CAIRO_STATUS_SUCCESS) {
        sayStatus(canvas, status);
        appDropCanvas(canvas);
        return false;
    }
    cairo_set_line_join(canvas->cairo, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_cap(canvas->cairo, CAIRO_LINE_CAP_ROUND);
    cairo_select_font_face(canvas->cairo, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                           CAIRO_FONT_WEIGHT_NORMAL);
    appPaintPaper(canvas);
    return true;
}

void appDropCanvas(Canvas* canvas)
{
    if (canvas->cairo == NULL)
        return;
    cairo_destroy(canvas->cairo);
    cairo_surface_destroy(canvas->surface);
    free(canvas->bytes.data);
    *canvas = (Canvas){0};
}

// The bytes are complete when the surface is finished.
static cairo_status_t complete(Canvas* canvas)
{
    cairo_status_t status = cairo_status(canvas->cairo);
    if (status == CAIRO_STATUS_SUCCESS && appHasSuffix(canvas->path, ".png"))
        status = cairo_surface_write_to_png_stream(canvas->surface, takeBytes, &canvas->bytes);
    cairo_surface_finish(canvas->surface);
    return status != CAIRO_STATUS_SUCCESS ? status : cairo_surface_status(canvas->surface);
}

bool appEndCanvas(Canvas* canvas)
{
    const cairo_status_t status = complete(canvas);
    bool good = status == CAIRO_STATUS_SUCCESS;
    if (good)
        good = appReplaceFile(canvas->path, canvas->bytes.data, canvas->bytes.size);
    else
        sayStatus(canvas, status);
    appDropCanvas(canvas);
    return good;
}

void appPaintPaper(const Canvas* canvas)
{
    appSetColor(canvas, paperColor, 1.0);
    cairo_paint(canvas->cairo);
}

void appSetColor(const Canvas* canvas, Color color, double alpha)
{
    cairo_set_source_rgba(canvas->cairo, color.red, color.green, color.blue, alpha);
}

double appTextWidth(const Canvas* canvas, double size, const char* text)
{
    cairo_text_extents_t extents;
    cairo_set_font_size(canvas->cairo, size);
    cairo_text_extents(canvas->cairo, text, &extents);
    return extents.x_advance;
}

void appDrawText(const Canvas* canvas, double x, double y, double size, double anchor,
                 const char* text)
{
    cairo_move_to(canvas->cairo, x - anchor * appTextWidth(canvas, size, text), y);
    cairo_show_text(canvas->cairo, text);
    cairo_new_path(canvas->cairo);
}

void appDrawUpwards(const Canvas* canvas, double x, double y, double size, double anchor,
                    const char* text)
{
    cairo_save(canvas->cairo);
    cairo_translate(canvas->cairo, x, y);
    cairo_rotate(canvas->cairo, -1.5707963267948966);
    appDrawText(canvas, 0, 0, size, anchor, text);
    cairo_restore(canvas->cairo);
}

double appFitText(const Canvas* canvas, double size, double room, const char* text)
{
    const double width = appTextWidth(canvas, size, text);
    return width > room && width > 0 ? size * fmax(room, 1.0) / width : size;
}

// --- Ticks ---

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
