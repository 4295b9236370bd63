// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A square with axes that shows a part of a plane, and shapes in it.

#include "draw/debug/debug_panel.h"

#include <math.h>

#define TAU 6.283185307179586

double appPanelX(const Panel* panel, double x)
{
    return panel->left + 0.5 * panel->side * (1 + (x - panel->middle.x) / panel->reach);
}

double appPanelY(const Panel* panel, double y)
{
    return panel->top + 0.5 * panel->side * (1 - (y - panel->middle.y) / panel->reach);
}

// A length in pixels.
static double panelLength(const Panel* panel, double length)
{
    return 0.5 * panel->side * length / panel->reach;
}

bool appIsCovered(const Panel* panel, thVec2 place)
{
    const Cover* cover = &panel->cover;
    const double x = appPanelX(panel, place.x) - cover->left;
    const double y = appPanelY(panel, place.y) - cover->top;
    return x >= 0.0 && x < cover->width && y >= 0.0 && y < cover->height;
}

void appEnterPanel(const Panel* panel)
{
    cairo_save(panel->canvas->cairo);
    cairo_rectangle(panel->canvas->cairo, panel->left, panel->top, panel->side, panel->side);
    cairo_clip(panel->canvas->cairo);
}

void appLeavePanel(const Panel* panel)
{
    cairo_restore(panel->canvas->cairo);
}

static void drawTick(const Panel* panel, const Ticks* ticks, int32_t index)
{
    cairo_t* cairo = panel->canvas->cairo;
    const double at = appTickAt(ticks, index), bottom = panel->top + panel->side;
    const double size = 13 * panel->unit, length = 5 * panel->unit;
    const double x = appPanelX(panel, at), y = appPanelY(panel, at);
    char text[32];
    appFormatTick(ticks, index, text, sizeof text);
    appSetColor(panel->canvas, inkColor, 1.0);
    cairo_set_line_width(cairo, panel->unit);
    cairo_move_to(cairo, x, bottom);
    cairo_line_to(cairo, x, bottom + length);
    cairo_move_to(cairo, panel->left, y);
    cairo_line_to(cairo, panel->left - length, y);
    cairo_stroke(cairo);
    appDrawText(panel->canvas, x, bottom + length + 1.1 * size, size, 0.5, text);
    appDrawText(panel->canvas, panel->left - 1.6 * length, y + 0.36 * size, size, 1.0, text);
}

void appDrawAxes(const Panel* panel, const char* title, const char* axis)
{
    cairo_t* cairo = panel->canvas->cairo;
    appSetColor(panel->canvas, inkColor, 1.0);
    cairo_set_line_width(cairo, panel->unit);
    cairo_rectangle(cairo, panel->left, panel->top, panel->side, panel->side);
    cairo_stroke(cairo);
    const Ticks ticks = appFindTicks(-panel->reach, panel->reach, 9);
    for (int32_t i = 0; i < ticks.count; ++i)
        drawTick(panel, &ticks, i);
    const double size = 14 * panel->unit;
    appSetColor(panel->canvas, inkColor, 1.0);
    appDrawText(panel->canvas, panel->left, panel->top - 0.7 * size, 1.15 * size, 0.0, title);
    appDrawText(panel->canvas, panel->left + panel->side, panel->top + panel->side + 2.6 * size,
                size, 1.0, axis);
}

void appTracePoints(const Panel* panel, const thVec2* points, int32_t count, bool isClosed)
{
    cairo_t* cairo = panel->canvas->cairo;
    cairo_new_path(cairo);
    for (int32_t i = 0; i < count; ++i)
        cairo_line_to(cairo, appPanelX(panel, points[i].x), appPanelY(panel, points[i].y));
    if (isClosed)
        cairo_close_path(cairo);
}

void appTraceCircle(const Panel* panel, thVec2 center, double radius)
{
    cairo_new_path(panel->canvas->cairo);
    cairo_arc(panel->canvas->cairo, appPanelX(panel, center.x), appPanelY(panel, center.y),
              panelLength(panel, radius), 0, TAU);
}

void appDrawArrow(const Panel* panel, thVec2 from, thVec2 to, Color color, double width)
{
    cairo_t* cairo = panel->canvas->cairo;
    const double x0 = appPanelX(panel, from.x), y0 = appPanelY(panel, from.y);
    const double x1 = appPanelX(panel, to.x), y1 = appPanelY(panel, to.y);
    const double length = hypot(x1 - x0, y1 - y0);
    const double head = fmin(5.0 * width * panel->unit, 0.6 * length);
    appSetColor(panel->canvas, color, 1.0);
    cairo_new_path(cairo);
    if (length < 1.5 * width * panel->unit) {
        cairo_arc(cairo, x1, y1, 1.5 * width * panel->unit, 0, TAU);
        cairo_fill(cairo);
        return;
    }
    const double ux = (x1 - x0) / length, uy = (y1 - y0) / length;
    cairo_set_line_width(cairo, width * panel->unit);
    cairo_move_to(cairo, x0, y0);
    cairo_line_to(cairo, x1 - 0.8 * head * ux, y1 - 0.8 * head * uy);
    cairo_stroke(cairo);
    cairo_move_to(cairo, x1, y1);
    cairo_line_to(cairo, x1 - head * ux - 0.45 * head * uy, y1 - head * uy + 0.45 * head * ux);
    cairo_line_to(cairo, x1 - head * ux + 0.45 * head * uy, y1 - head * uy - 0.45 * head * ux);
    cairo_close_path(cairo);
    cairo_fill(cairo);
}

void appDrawBadge(const Panel* panel, thVec2 at, Color color, const char* text)
{
    cairo_t* cairo = panel->canvas->cairo;
    const double x = appPanelX(panel, at.x), y = appPanelY(panel, at.y), size = 11 * panel->unit;
    cairo_new_path(cairo);
    cairo_arc(cairo, x, y, 0.85 * size, 0, TAU);
    appSetColor(panel->canvas, paperColor, 0.95);
    cairo_fill_preserve(cairo);
    appSetColor(panel->canvas, color, 1.0);
    cairo_set_line_width(cairo, panel->unit);
    cairo_stroke(cairo);
    appDrawText(panel->canvas, x, y + 0.36 * size, size, 0.5, text);
}
