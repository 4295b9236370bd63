// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "draw/debug/debug_marks.h"

#include "draw/debug/debug_badges.h"
#include "draw/debug/debug_sides.h"

#include <math.h>
#include <stdlib.h>

// How dark one forbidden area is, and all of them over each other.
#define SHADE 0.085
#define DARKEST 0.4

Color appCauseColor(thMarkCause cause)
{
    switch (cause) {
    case th_causeAgent:
        return appColorOf(0);
    case th_causeWall:
        return wallColor;
    case th_causeMover:
        return moverColor;
    default:
        return inkColor;
    }
}

bool appFindCosts(const thExplanationView* view, double* least, double* most)
{
    *least = INFINITY;
    *most = -INFINITY;
    for (int32_t i = 0; i < view->markCount; ++i) {
        const thMark* mark = &view->marks[i];
        if (mark->kind != th_markSample || isinf(mark->value))
            continue;
        *least = fmin(*least, mark->value);
        *most = fmax(*most, mark->value);
    }
    return *least <= *most;
}

// How near to a border the chosen velocity has to be to be on it. [m/s]
static double nearOf(const thExplanationView* view)
{
    return 1e-3 * fmax(view->maxSpeed, 1.0);
}

static bool isBeyond(const thExplanationView* view, const thMark* mark)
{
    const thVec2 point = mark->points[0], normal = mark->points[1];
    const double inside =
        normal.x * (view->chosen.x - point.x) + normal.y * (view->chosen.y - point.y);
    return inside <= nearOf(view);
}

static bool isBindingSide(const thExplanationView* view, const thMark* mark, int32_t index)
{
    if (mark->space != th_spaceVelocity)
        return false;
    if (mark->kind == th_markHalfPlane)
        return isBeyond(view, mark);
    const Side side = appSideOf(mark, index);
    return appDistanceToSide(&side, view->chosen) <= nearOf(view);
}

bool appIsBinding(const thExplanationView* view, const thMark* mark)
{
    bool isBinding = false;
    for (int32_t i = 0; i < appCountSides(mark) && !isBinding; ++i)
        isBinding = isBindingSide(view, mark, i);
    return isBinding;
}

int32_t appNeighborNumber(const thExplanationView* view, uint64_t key)
{
    for (int32_t i = 0; i < view->agentCount; ++i)
        if (view->agents[i].key == key)
            return i + 1;
    return 0;
}

static void setLine(const Panel* panel, const thMark* mark, double width)
{
    appSetColor(panel->canvas, appCauseColor(mark->cause), 1.0);
    cairo_set_line_width(panel->canvas->cairo, width * panel->unit);
}

static Square squareOf(const Panel* panel)
{
    return (Square){panel->middle.x, panel->middle.y, panel->reach};
}

// What a half-plane forbids, or a cone, as far as the panel shows it.
static void traceSided(const Panel* panel, const thMark* mark)
{
    cairo_t* cairo = panel->canvas->cairo;
    Corner* corners = malloc((8 + 2 * (size_t)appCountSides(mark)) * sizeof *corners);
    cairo_new_path(cairo);
    if (corners == NULL)
        return;
    const Square square = squareOf(panel);
    const int32_t count = appCutArea(mark, &square, corners);
    for (int32_t i = 0; i < count; ++i)
        cairo_line_to(cairo, appPanelX(panel, corners[i].x), appPanelY(panel, corners[i].y));
    if (count > 0)
        cairo_close_path(cairo);
    free(corners);
}

static bool hasArea(const thMark* mark)
{
    return mark->kind == th_markHalfPlane || mark->kind == th_markRegion ||
           mark->kind == th_markCone || mark->kind == th_markDisc;
}

static void traceArea(const Panel* panel, const thMark* mark)
{
    if (mark->kind == th_markRegion)
        appTracePoints(panel, mark->points, mark->pointCount, true);
    else if (mark->kind == th_markDisc)
        appTraceCircle(panel, mark->points[0], mark->radius);
    else
        traceSided(panel, mark);
}

static thMarkMeaning meaningOf(const thMark* mark)
{
    return mark->kind == th_markHalfPlane ? th_meansForbidden : mark->meaning;
}

// The area, or all around it.
static void traceSide(const Panel* panel, const thMark* mark, bool isOutside)
{
    cairo_t* cairo = panel->canvas->cairo;
    traceArea(panel, mark);
    if (isOutside)
        cairo_rectangle(cairo, panel->left, panel->top, panel->side, panel->side);
    cairo_set_fill_rule(cairo, CAIRO_FILL_RULE_EVEN_ODD);
}

static void shadeAreas(const Panel* panel, const thExplanationView* view, thMarkSpace space)
{
    int32_t count = 0;
    for (int32_t i = 0; i < view->markCount; ++i)
        count += view->marks[i].space == space && hasArea(&view->marks[i]);
    for (int32_t i = 0; i < view->markCount; ++i) {
        const thMark* mark = &view->marks[i];
        if (mark->space != space || !hasArea(mark))
            continue;
        const bool isShown = meaningOf(mark) == th_meansNothing;
        traceSide(panel, mark, meaningOf(mark) == th_meansLimit);
        appSetColor(panel->canvas, isShown ? appCauseColor(mark->cause) : wallColor,
                    fmin(SHADE, DARKEST / count));
        cairo_fill(panel->canvas->cairo);
    }
}

void appPaintAllowed(const Panel* panel, const thExplanationView* view)
{
    cairo_t* cairo = panel->canvas->cairo;
    bool isAnyForbidden = false;
    cairo_save(cairo);
    for (int32_t i = 0; i < view->markCount; ++i) {
        const thMark* mark = &view->marks[i];
        if (mark->space != th_spaceVelocity || !hasArea(mark) || meaningOf(mark) == th_meansNothing)
            continue;
        isAnyForbidden = true;
        traceSide(panel, mark, meaningOf(mark) == th_meansForbidden);
        cairo_clip(cairo);
    }
    appSetColor(panel->canvas, debugAllowedColor, 1.0);
    if (isAnyForbidden)
        cairo_paint(cairo);
    cairo_restore(cairo);
}

// Sides that bind, or those that do not.
static void traceSides(const Panel* panel, const thExplanationView* view, const thMark* mark,
                       bool isBinding)
{
    cairo_t* cairo = panel->canvas->cairo;
    const Square square = squareOf(panel);
    cairo_new_path(cairo);
    for (int32_t i = 0; i < appCountSides(mark); ++i) {
        Side side = appSideOf(mark, i);
        if (isBindingSide(view, mark, i) != isBinding || !appCutSide(&side, &square))
            continue;
        const Corner a = appPlaceOnSide(&side, side.low), b = appPlaceOnSide(&side, side.high);
        cairo_move_to(cairo, appPanelX(panel, a.x), appPanelY(panel, a.y));
        cairo_line_to(cairo, appPanelX(panel, b.x), appPanelY(panel, b.y));
    }
}

static void drawBorder(const Panel* panel, const thExplanationView* view, const thMark* mark)
{
    cairo_t* cairo = panel->canvas->cairo;
    const double dash[2] = {6 * panel->unit, 5 * panel->unit};
    cairo_save(cairo);
    if (mark->meaning == th_meansLimit)
        cairo_set_dash(cairo, dash, 2, 0);
    if (appCountSides(mark) == 0)
        traceArea(panel, mark);
    else
        traceSides(panel, view, mark, false);
    setLine(panel, mark, 1.1);
    cairo_stroke(cairo);
    traceSides(panel, view, mark, true);
    setLine(panel, mark, 2.6);
    cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND); // around corners
    cairo_stroke(cairo);
    cairo_restore(cairo);
}

static void drawSample(const Panel* panel, const thMark* mark, double least, double most)
{
    appTraceCircle(panel, mark->points[0], 2.6 * panel->unit * panel->reach / (0.5 * panel->side));
    const double share = most > least ? (mark->value - least) / (most - least) : 0.0;
    if (isinf(mark->value))
        appSetColor(panel->canvas, solidColor, 1.0);
    else
        appSetColor(panel->canvas, appShade(share), 1.0);
    cairo_fill_preserve(panel->canvas->cairo);
    appSetColor(panel->canvas, inkColor, 0.5);
    cairo_set_line_width(panel->canvas->cairo, 0.5 * panel->unit);
    cairo_stroke(panel->canvas->cairo);
}

// What planners point at is a diamond, what others do a cross.
static void drawPoint(const Panel* panel, const thMark* mark)
{
    cairo_t* cairo = panel->canvas->cairo;
    const double x = appPanelX(panel, mark->points[0].x), y = appPanelY(panel, mark->points[0].y);
    const double size = 5 * panel->unit;
    cairo_new_path(cairo);
    if (mark->by == th_methodPlan) {
        cairo_move_to(cairo, x - 1.2 * size, y);
        cairo_line_to(cairo, x, y - 1.2 * size);
        cairo_line_to(cairo, x + 1.2 * size, y);
        cairo_line_to(cairo, x, y + 1.2 * size);
        cairo_close_path(cairo);
    } else {
        cairo_move_to(cairo, x - size, y - size);
        cairo_line_to(cairo, x + size, y + size);
        cairo_move_to(cairo, x - size, y + size);
        cairo_line_to(cairo, x + size, y - size);
    }
    setLine(panel, mark, 1.8);
    cairo_stroke(cairo);
}

static void drawLine(const Panel* panel, const thExplanationView* view, const thMark* mark,
                     double least, double most)
{
    switch (mark->kind) {
    case th_markSample:
        drawSample(panel, mark, least, most);
        break;
    case th_markArrow:
        appDrawArrow(panel, mark->points[0], mark->points[1], appCauseColor(mark->cause), 1.4);
        break;
    case th_markPath:
        appTracePoints(panel, mark->points, mark->pointCount, false);
        setLine(panel, mark, 1.6);
        cairo_stroke(panel->canvas->cairo);
        break;
    case th_markPoint:
        drawPoint(panel, mark);
        break;
    case th_markText:
        break;
    default:
        drawBorder(panel, view, mark);
    }
}

// Areas lie below lines.
void appDrawMarks(const Panel* panel, const thExplanationView* view, thMarkSpace space)
{
    double least, most;
    appFindCosts(view, &least, &most);
    shadeAreas(panel, view, space);
    for (int32_t i = 0; i < view->markCount; ++i)
        if (view->marks[i].space == space)
            drawLine(panel, view, &view->marks[i], least, most);
    if (space == th_spaceVelocity)
        appDrawBadges(panel, view);
}
