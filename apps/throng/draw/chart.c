// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Draws charts: axes that suit the numbers, ticks, curves that can be told apart, and a legend.

#include "draw/chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Numbers ---

Series* appAddSeries(Chart* chart, SeriesKind kind, const char* name, int32_t look)
{
    if (chart->count == chart->capacity) {
        const int32_t capacity = chart->capacity > 0 ? 2 * chart->capacity : 8;
        Series* grown = realloc(chart->series, (size_t)capacity * sizeof *grown);
        if (grown == NULL)
            return NULL;
        chart->series = grown;
        chart->capacity = capacity;
    }
    Series* series = &chart->series[chart->count];
    *series = (Series){.kind = kind, .name = strdup(name), .look = look};
    chart->count += series->name != NULL;
    return series->name != NULL ? series : NULL;
}

bool appAddValue(Series* series, double x, double y)
{
    if (series->count == series->capacity) {
        const int32_t capacity = series->capacity > 0 ? 2 * series->capacity : 64;
        double* xs = realloc(series->x, (size_t)capacity * sizeof *xs);
        if (xs != NULL)
            series->x = xs;
        double* ys = realloc(series->y, (size_t)capacity * sizeof *ys);
        if (ys != NULL)
            series->y = ys;
        if (xs == NULL || ys == NULL)
            return false;
        series->capacity = capacity;
    }
    series->x[series->count] = x;
    series->y[series->count] = y;
    series->count += 1;
    return true;
}

void appFreeChart(Chart* chart)
{
    for (int32_t i = 0; i < chart->count; ++i) {
        free(chart->series[i].name);
        free(chart->series[i].x);
        free(chart->series[i].y);
    }
    free(chart->series);
    *chart = (Chart){0};
}

// --- Drawing ---

// An axis: values and where they are on the page.
typedef struct Axis {
    double low, high;
    double from, to; // [pixels]
    Ticks ticks;
} Axis;

typedef struct Sheet {
    const Chart* chart;
    const Canvas* canvas;
    double size; // of text [pixels]
    Axis x, y;
} Sheet;

enum { mostLegendRows = 4 };

static double placeOf(const Axis* axis, double value)
{
    return axis->from + (axis->to - axis->from) * (value - axis->low) / (axis->high - axis->low);
}

// The ends of an axis: as given, or from 0 (or less) to a little more than the greatest value.
static void setEnds(Axis* axis, const Chart* chart, bool isX)
{
    axis->low = isX ? chart->xLow : chart->yLow;
    axis->high = isX ? chart->xHigh : chart->yHigh;
    if (axis->low < axis->high)
        return;
    double least = 0.0, most = 0.0;
    for (int32_t i = 0; i < chart->count; ++i) {
        const Series* series = &chart->series[i];
        for (int32_t k = 0; k < series->count; ++k) {
            least = fmin(least, isX ? series->x[k] : series->y[k]);
            most = fmax(most, isX ? series->x[k] : series->y[k]);
        }
    }
    axis->low = least;
    axis->high = most > least ? most + 0.04 * (most - least) : least + 1.0;
}

// --- Looks ---

static Color colorOf(const Series* series)
{
    return series->look == appReferenceLook ? inkColor : appColorOf(series->look);
}

// How often all colours were used before.
static int32_t roundOf(const Series* series)
{
    return series->look == appReferenceLook ? 1 : series->look / appColorCount;
}

static void setDashes(const Sheet* sheet, const Series* series)
{
    enum { patterns = 4, most = 4 };
    // Lengths of strokes and gaps by the size of text; caps make strokes longer and gaps shorter.
    static const double lengths[patterns][most] = {
        {0}, {0.45, 0.45}, {0.01, 0.4}, {0.9, 0.4, 0.01, 0.4}};
    static const int counts[patterns] = {0, 2, 2, 4};
    const int32_t pattern = roundOf(series) % patterns;
    double dashes[most];
    for (int i = 0; i < most; ++i)
        dashes[i] = lengths[pattern][i] * sheet->size;
    cairo_set_dash(sheet->canvas->cairo, dashes, counts[pattern], 0);
}

// A dot of the path, full or, when the colours are used up, hollow.
static void paintDot(const Sheet* sheet, const Series* series, double alpha)
{
    appSetColor(sheet->canvas, colorOf(series), alpha);
    cairo_set_line_width(sheet->canvas->cairo, 0.08 * sheet->size);
    if (roundOf(series) % 2 == 0)
        cairo_fill(sheet->canvas->cairo);
    else
        cairo_stroke(sheet->canvas->cairo);
}

// --- Legend ---

static double entryWidth(const Sheet* sheet, const Series* series)
{
    return appTextWidth(sheet->canvas, sheet->size, series->name) + 4.5 * sheet->size;
}

static void drawSample(const Sheet* sheet, const Series* series, double x, double y)
{
    cairo_t* cairo = sheet->canvas->cairo;
    const double size = sheet->size;
    if (series->kind == seriesPoints) {
        cairo_arc(cairo, x + size, y - 0.35 * size, 0.35 * size, 0, 6.283185307179586);
        paintDot(sheet, series, 1.0);
        return;
    }
    appSetColor(sheet->canvas, colorOf(series), 1.0);
    setDashes(sheet, series);
    cairo_set_line_width(cairo, 0.16 * size);
    cairo_move_to(cairo, x, y - 0.35 * size);
    cairo_line_to(cairo, x + 2 * size, y - 0.35 * size);
    cairo_stroke(cairo);
    cairo_set_dash(cairo, NULL, 0, 0);
}

// Rows of names below `top`; returns where they end.
static double drawLegend(const Sheet* sheet, double left, double right, double top)
{
    const double row = 1.7 * sheet->size;
    double x = left, y = top + sheet->size;
    for (int32_t i = 0; i < sheet->chart->count; ++i) {
        const Series* series = &sheet->chart->series[i];
        const double width = entryWidth(sheet, series);
        if (x > left && x + width > right) {
            x = left;
            y += row;
        }
        if (y > top + mostLegendRows * row) {
            appSetColor(sheet->canvas, inkColor, 1.0);
            appDrawText(sheet->canvas, right, y - row, sheet->size, 1, "...");
            return y - row + 0.7 * sheet->size;
        }
        drawSample(sheet, series, x, y);
        appSetColor(sheet->canvas, inkColor, 1.0);
        appDrawText(
            sheet->canvas, x + 2.6 * sheet->size, y,
            appFitText(sheet->canvas, sheet->size, right - x - 2.6 * sheet->size, series->name), 0,
            series->name);
        x += width;
    }
    return y + 0.7 * sheet->size;
}

// --- Axes ---

static double widestLabel(const Sheet* sheet, const Ticks* ticks)
{
    double widest = 0.0;
    for (int32_t i = 0; i < ticks->count; ++i) {
        char text[32];
        appFormatTick(ticks, i, text, sizeof text);
        widest = fmax(widest, appTextWidth(sheet->canvas, sheet->size, text));
    }
    return widest;
}

static void drawGridLine(const Sheet* sheet, double x0, double y0, double x1, double y1)
{
    cairo_t* cairo = sheet->canvas->cairo;
    appSetColor(sheet->canvas, gridColor, 1.0);
    cairo_set_line_width(cairo, fmax(1.0, sheet->canvas->width / 1600));
    cairo_move_to(cairo, x0, y0);
    cairo_line_to(cairo, x1, y1);
    cairo_stroke(cairo);
}

static void drawAxes(const Sheet* sheet)
{
    char text[32];
    const Canvas* canvas = sheet->canvas;
    const Axis *x = &sheet->x, *y = &sheet->y;
    const double size = sheet->size;
    for (int32_t i = 0; i < x->ticks.count; ++i) {
        const double at = placeOf(x, appTickAt(&x->ticks, i));
        drawGridLine(sheet, at, y->from, at, y->to);
        appFormatTick(&x->ticks, i, text, sizeof text);
        appSetColor(canvas, inkColor, 1.0);
        appDrawText(canvas, at, y->from + 1.5 * size, size, 0.5, text);
    }
    for (int32_t i = 0; i < y->ticks.count; ++i) {
        const double at = placeOf(y, appTickAt(&y->ticks, i));
        drawGridLine(sheet, x->from, at, x->to, at);
        appFormatTick(&y->ticks, i, text, sizeof text);
        appSetColor(canvas, inkColor, 1.0);
        appDrawText(canvas, x->from - 0.6 * size, at + 0.36 * size, size, 1, text);
    }
    cairo_set_line_width(canvas->cairo, fmax(1.0, canvas->width / 1000));
    cairo_move_to(canvas->cairo, x->from, y->to);
    cairo_line_to(canvas->cairo, x->from, y->from);
    cairo_line_to(canvas->cairo, x->to, y->from);
    cairo_stroke(canvas->cairo);
    appDrawText(canvas, 0.5 * (x->from + x->to), y->from + 3.3 * size, size, 0.5,
                sheet->chart->xLabel);
    const double room = y->from - y->to;
    appDrawUpwards(canvas, 2.1 * size, 0.5 * (y->from + y->to),
                   appFitText(canvas, size, room, sheet->chart->yLabel), 0.5, sheet->chart->yLabel);
}

// --- Data ---

static void drawPoints(const Sheet* sheet, const Series* series)
{
    // The more there are, the smaller and the clearer.
    const double many = fmin(series->count / 200.0, 1.0);
    const double radius = sheet->canvas->width * (0.0038 - 0.0014 * many);
    for (int32_t i = 0; i < series->count; ++i) {
        cairo_arc(sheet->canvas->cairo, placeOf(&sheet->x, series->x[i]),
                  placeOf(&sheet->y, series->y[i]), radius, 0, 6.283185307179586);
        paintDot(sheet, series, 0.85 - 0.5 * many);
    }
}

static void drawLine(const Sheet* sheet, const Series* series)
{
    cairo_t* cairo = sheet->canvas->cairo;
    cairo_new_path(cairo);
    for (int32_t i = 0; i < series->count; ++i) {
        const double x = placeOf(&sheet->x, series->x[i]), y = placeOf(&sheet->y, series->y[i]);
        if (series->kind == seriesSteps && i > 0)
            cairo_line_to(cairo, x, placeOf(&sheet->y, series->y[i - 1]));
        cairo_line_to(cairo, x, y);
    }
    setDashes(sheet, series);
    cairo_set_line_width(cairo, sheet->canvas->width / 640);
    appSetColor(sheet->canvas, colorOf(series), 1.0);
    cairo_stroke(cairo);
    cairo_set_dash(cairo, NULL, 0, 0);
}

static void drawData(const Sheet* sheet)
{
    cairo_t* cairo = sheet->canvas->cairo;
    const double slack = sheet->canvas->width / 300; // lines along an axis are shown in full width
    cairo_save(cairo);
    cairo_rectangle(cairo, sheet->x.from - slack, sheet->y.to - slack,
                    sheet->x.to - sheet->x.from + 2 * slack,
                    sheet->y.from - sheet->y.to + 2 * slack);
    cairo_clip(cairo);
    for (int32_t i = 0; i < sheet->chart->count; ++i) {
        if (sheet->chart->series[i].kind == seriesPoints)
            drawPoints(sheet, &sheet->chart->series[i]);
        else
            drawLine(sheet, &sheet->chart->series[i]);
    }
    cairo_restore(cairo);
}

static void drawSheet(Sheet* sheet)
{
    const Canvas* canvas = sheet->canvas;
    const double size = sheet->size, right = canvas->width - 1.8 * size;
    setEnds(&sheet->x, sheet->chart, true);
    setEnds(&sheet->y, sheet->chart, false);
    sheet->y.ticks = appFindTicks(sheet->y.low, sheet->y.high, 8);
    const double left = 3.6 * size + widestLabel(sheet, &sheet->y.ticks);
    appSetColor(canvas, inkColor, 1.0);
    appDrawText(canvas, left, 2.6 * size,
                appFitText(canvas, 1.25 * size, right - left, sheet->chart->title), 0,
                sheet->chart->title);
    const double top = drawLegend(sheet, left, right, 3.6 * size);
    sheet->x.from = left;
    sheet->x.to = right;
    sheet->y.from = canvas->height - 4.4 * size;
    sheet->y.to = fmin(top + 0.8 * size, 0.8 * sheet->y.from);
    sheet->x.ticks = appFindTicks(sheet->x.low, sheet->x.high, 11);
    drawAxes(sheet);
    drawData(sheet);
}

bool appDrawChart(const Chart* chart, const char* path, int32_t width)
{
    Canvas canvas;
    if (!appBeginCanvas(&canvas, path, width, 0.62 * width))
        return false;
    Sheet sheet = {.chart = chart, .canvas = &canvas, .size = 0.0165 * width};
    drawSheet(&sheet);
    return appEndCanvas(&canvas);
}
