// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A square with axes that shows a part of a plane, and shapes in it. Lengths of the plane are
// metres or metres a second; widths of lines are pixels.

#ifndef THRONG_APPS_DEBUG_PANEL_H
#define THRONG_APPS_DEBUG_PANEL_H

#include "draw/canvas.h"

#include <stdbool.h>
#include <throng/math.h>

// A part of the picture that something else is drawn over. [pixels]
typedef struct Cover {
    double left, top, width, height;
} Cover;

typedef struct Panel {
    const Canvas* canvas;
    double left, top, side; // [pixels]
    double unit;            // width of fine lines [pixels]
    double reach;           // how far the sides are from the middle
    thVec2 middle;
    Cover cover; // no badge is put there
} Panel;

double appPanelX(const Panel* panel, double x);
double appPanelY(const Panel* panel, double y);

bool appIsCovered(const Panel* panel, thVec2 place);

// What is drawn between these two does not leave the panel.
void appEnterPanel(const Panel* panel);
void appLeavePanel(const Panel* panel);

// Frame, numbers, and what they are.
void appDrawAxes(const Panel* panel, const char* title, const char* axis);

void appTracePoints(const Panel* panel, const thVec2* points, int32_t count, bool isClosed);
void appTraceCircle(const Panel* panel, thVec2 center, double radius);

// An arrow from one point to another; a dot if they are hardly apart.
void appDrawArrow(const Panel* panel, thVec2 from, thVec2 to, Color color, double width);

// A short text in a disc.
void appDrawBadge(const Panel* panel, thVec2 at, Color color, const char* text);

#endif
