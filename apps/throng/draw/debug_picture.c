// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "debug_picture.h"

#include "debug_notes.h"
#include "debug_space.h"

#include <math.h>
#include <stdio.h>

static double speedOf(thVec2 velocity)
{
    return hypot(velocity.x, velocity.y);
}

// All that matters in the plane of velocities: the limits, and the velocities themselves.
static double findSpeedReach(const thExplanationView* view)
{
    double reach = fmax(fmax(speedOf(view->current), speedOf(view->wanted)),
                        fmax(speedOf(view->adapted), speedOf(view->chosen)));
    for (int32_t i = 0; i < view->markCount; ++i) {
        const thMark* mark = &view->marks[i];
        if (mark->space != th_spaceVelocity)
            continue;
        if (mark->kind == th_markDisc && mark->meaning == th_meansLimit)
            reach = fmax(reach, speedOf(mark->points[0]) + mark->radius);
        if (mark->kind == th_markSample || mark->kind == th_markPoint)
            reach = fmax(reach, speedOf(mark->points[0]));
    }
    reach = fmax(reach, view->maxSpeed);
    return reach > 0.0 ? 1.12 * reach : 1.0;
}

static void drawZero(const Panel* panel)
{
    cairo_t* cairo = panel->canvas->cairo;
    appSetColor(panel->canvas, solidColor, 1.0);
    cairo_set_line_width(cairo, panel->unit);
    cairo_move_to(cairo, panel->left, appPanelY(panel, 0));
    cairo_line_to(cairo, panel->left + panel->side, appPanelY(panel, 0));
    cairo_move_to(cairo, appPanelX(panel, 0), panel->top);
    cairo_line_to(cairo, appPanelX(panel, 0), panel->top + panel->side);
    cairo_stroke(cairo);
}

static bool isSame(thVec2 a, thVec2 b)
{
    return a.x == b.x && a.y == b.y;
}

static void drawVelocities(const Panel* panel, const thExplanationView* view)
{
    const thVec2 zero = {0.0f, 0.0f};
    appEnterPanel(panel);
    appPaintAllowed(panel, view);
    drawZero(panel);
    appDrawMarks(panel, view, th_spaceVelocity);
    appDrawArrow(panel, zero, view->current, debugCurrentColor, 2.0);
    if (!isSame(view->wanted, view->adapted))
        appDrawArrow(panel, zero, view->wanted, debugWantedColor, 2.0);
    appDrawArrow(panel, zero, view->adapted,
                 isSame(view->wanted, view->adapted) ? debugWantedColor : debugAdaptedColor, 2.0);
    appDrawArrow(panel, zero, view->chosen, debugChosenColor, 3.2);
    appLeavePanel(panel);
}

// The corner of a panel where a part of it is least missed: far from the velocities.
static void findCorner(const Panel* panel, const thExplanationView* view, double side, double* left,
                       double* top)
{
    double best = -1.0;
    for (int32_t i = 0; i < 4; ++i) {
        const double x = panel->left + (i % 2 == 0 ? 0.0 : panel->side - side);
        const double y = panel->top + (i / 2 == 0 ? 0.0 : panel->side - side);
        double space = INFINITY;
        const thVec2 velocities[4] = {view->current, view->wanted, view->adapted, view->chosen};
        for (int32_t k = 0; k < 4; ++k)
            space = fmin(space, hypot(appPanelX(panel, velocities[k].x) - x - 0.5 * side,
                                      appPanelY(panel, velocities[k].y) - y - 0.5 * side));
        if (space > best) {
            best = space;
            *left = x;
            *top = y;
        }
    }
}

// Where several half-planes meet at the chosen velocity, what is around it is shown larger: in
// crowds little is allowed.
static void drawCloseUp(const Panel* panel, const thExplanationView* view)
{
    int32_t binding = 0;
    for (int32_t i = 0; i < view->markCount; ++i)
        binding += appIsBinding(view, &view->marks[i]);
    if (binding < 2)
        return;
    enum { factor = 10 };
    const double side = 0.34 * panel->side;
    Panel part = *panel;
    findCorner(panel, view, side, &part.left, &part.top);
    part.side = side;
    part.reach = side / panel->side * panel->reach / factor;
    part.middle = view->chosen;
    part.head = 36 * panel->unit;
    cairo_t* cairo = panel->canvas->cairo;
    cairo_rectangle(cairo, part.left, part.top, side, side);
    appSetColor(panel->canvas, paperColor, 1.0);
    cairo_fill(cairo);
    drawVelocities(&part, view);
    appSetColor(panel->canvas, inkColor, 1.0);
    cairo_set_line_width(cairo, panel->unit);
    cairo_rectangle(cairo, part.left, part.top, side, side);
    cairo_stroke(cairo);
    char text[64];
    snprintf(text, sizeof text, "around the chosen, %d ×", factor);
    cairo_rectangle(cairo, part.left, part.top, 180 * panel->unit, 24 * panel->unit);
    appSetColor(panel->canvas, paperColor, 0.9);
    cairo_fill(cairo);
    appSetColor(panel->canvas, inkColor, 1.0);
    appDrawText(panel->canvas, part.left + 8 * panel->unit, part.top + 17 * panel->unit,
                13 * panel->unit, 0.0, text);
}

static void drawTitle(const Canvas* canvas, const thExplanationView* view,
                      const DebugPicture* picture, double unit)
{
    char text[900];
    snprintf(text, sizeof text, "%.150s   t = %.1f s   agent %llu at %.2f, %.2f m", picture->title,
             picture->time, (unsigned long long)view->key, picture->place.x, picture->place.y);
    const double room = canvas->width - 90 * unit;
    appSetColor(canvas, inkColor, 1.0);
    appDrawText(canvas, 60 * unit, 42 * unit, appFitText(canvas, 21 * unit, room, text), 0.0, text);
}

bool appDrawDebugged(const thWorld* world, const thExplanation* explanation,
                     const DebugPicture* picture)
{
    const thExplanationView view = thExplanation_GetView(explanation);
    const double unit = picture->width / 1600.0, side = 700 * unit, top = 100 * unit;
    const double notes = top + side + 70 * unit;
    Canvas canvas;
    if (!appBeginCanvas(&canvas, picture->path, picture->width,
                        notes + appNotesHeight(&view, unit)))
        return false;
    const thVec2 zero = {0.0f, 0.0f};
    const Panel place = {&canvas, 60 * unit, top, side, unit, appFindPlaceReach(&view), zero, 0.0};
    const Panel plane = {&canvas, 860 * unit, top, side, unit, findSpeedReach(&view), zero, 0.0};
    drawTitle(&canvas, &view, picture, unit);
    appDrawPlace(&place, world, &view);
    appDrawAxes(&place, "The place, relative to the agent; arrows show one second", "m");
    drawVelocities(&plane, &view);
    drawCloseUp(&plane, &view);
    appDrawAxes(&plane, "Velocities: grey ones are forbidden, green ones allowed by all", "m/s");
    appDrawNotes(&canvas, &view, notes, unit);
    return appEndCanvas(&canvas);
}
