// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "draw/canvas.h"

#include "output.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

bool appHasSuffix(const char* path, const char* suffix)
{
    const size_t length = strlen(path), end = strlen(suffix);
    return length > end && strcasecmp(path + length - end, suffix) == 0;
}

bool appIsPictureName(const char* path)
{
    return appHasSuffix(path, ".png") || appHasSuffix(path, ".svg") || appHasSuffix(path, ".pdf");
}

bool appCanWrite(const char* path)
{
    const size_t size = strlen(path) + sizeof ".part";
    char* part = malloc(size);
    if (part == NULL) {
        appSay("cannot write '%s': no memory", path);
        return false;
    }
    snprintf(part, size, "%s.part", path);
    const int file = open(part, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file >= 0) {
        close(file);
        unlink(part);
    } else {
        appSayCannot("write", path);
    }
    free(part);
    return file >= 0;
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
    if (canvas->path != NULL && appHasSuffix(canvas->path, ".pdf"))
        return cairo_pdf_surface_create_for_stream(takeBytes, &canvas->bytes, canvas->width,
                                                   canvas->height);
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
