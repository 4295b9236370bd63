// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "draw/debug/debug_picture.h"

#include "draw/debug/debug_notes.h"
#include "draw/debug/debug_space.h"

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

enum { closeUpFactor = 10 };

// Where several borders meet at the chosen velocity, what is around it is shown larger: in crowds
// little is allowed. False where that is not so.
static bool findCloseUp(const Panel* panel, const thExplanationView* view, Panel* part)
{
    int32_t binding = 0;
    for (int32_t i = 0; i < view->markCount; ++i)
        binding += appIsBinding(view, &view->marks[i]);
    if (binding < 2)
        return false;
    const double side = 0.34 * panel->side;
    *part = *panel;
    findCorner(panel, view, side, &part->left, &part->top);
    part->side = side;
    part->reach = side / panel->side * panel->reach / closeUpFactor;
    part->middle = view->chosen;
    part->cover = (Cover){part->left, part->top, side, 36 * panel->unit}; // its title
    return true;
}

static void drawCloseUp(const Panel* part, const thExplanationView* view)
{
    const double unit = part->unit;
    cairo_t* cairo = part->canvas->cairo;
    cairo_rectangle(cairo, part->left, part->top, part->side, part->side);
    appSetColor(part->canvas, paperColor, 1.0);
    cairo_fill(cairo);
    drawVelocities(part, view);
    appSetColor(part->canvas, inkColor, 1.0);
    cairo_set_line_width(cairo, unit);
    cairo_rectangle(cairo, part->left, part->top, part->side, part->side);
    cairo_stroke(cairo);
    char text[64];
    snprintf(text, sizeof text, "around the chosen, %d ×", closeUpFactor);
    cairo_rectangle(cairo, part->left, part->top, 180 * unit, 24 * unit);
    appSetColor(part->canvas, paperColor, 0.9);
    cairo_fill(cairo);
    appSetColor(part->canvas, inkColor, 1.0);
    appDrawText(part->canvas, part->left + 8 * unit, part->top + 17 * unit, 13 * unit, 0.0, text);
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
    const Panel panel = {.canvas = &canvas, .top = top, .side = side, .unit = unit};
    Panel place = panel, plane = panel;
    place.left = 60 * unit;
    place.reach = appFindPlaceReach(&view);
    plane.left = 860 * unit;
    plane.reach = findSpeedReach(&view);
    Panel closeUp = panel;
    const bool hasCloseUp = findCloseUp(&plane, &view, &closeUp);
    const double badge = 11 * unit, covered = closeUp.side + 2 * badge;
    if (hasCloseUp)
        plane.cover = (Cover){closeUp.left - badge, closeUp.top - badge, covered, covered};
    drawTitle(&canvas, &view, picture, unit);
    appDrawPlace(&place, world, &view);
    appDrawAxes(&place, "The place, relative to the agent; arrows show one second", "m");
    drawVelocities(&plane, &view);
    if (hasCloseUp)
        drawCloseUp(&closeUp, &view);
    appDrawAxes(&plane, "Velocities: grey ones are forbidden, green ones allowed by all", "m/s");
    appDrawNotes(&canvas, &view, notes, unit);
    return appEndCanvas(&canvas);
}
