// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "debug_marks.h"

#include <math.h>
#include <stdio.h>
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

bool appIsBinding(const thExplanationView* view, const thMark* mark)
{
    if (mark->kind != th_markHalfPlane || mark->space != th_spaceVelocity)
        return false;
    const thVec2 point = mark->points[0], normal = mark->points[1];
    const double inside =
        normal.x * (view->chosen.x - point.x) + normal.y * (view->chosen.y - point.y);
    return inside <= 1e-3 * fmax(view->maxSpeed, 1.0);
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

// How far the border of a half-plane is from the middle of the panel, into what it allows.
static double offsetOf(const Panel* panel, const thMark* mark)
{
    const thVec2 point = mark->points[0], normal = mark->points[1];
    return (double)normal.x * (point.x - panel->middle.x) +
           (double)normal.y * (point.y - panel->middle.y);
}

// The point of the border that is so far along it from where it is nearest to the middle.
static thVec2 pointAlong(const Panel* panel, const thMark* mark, double along)
{
    const thVec2 normal = mark->points[1];
    const double offset = offsetOf(panel, mark);
    return (thVec2){(float)(panel->middle.x + offset * normal.x + along * normal.y),
                    (float)(panel->middle.y + offset * normal.y - along * normal.x)};
}

// The border of a half-plane, or the part of what it forbids that may be in the panel.
static void traceHalfPlane(const Panel* panel, const thMark* mark, bool isArea)
{
    const thVec2 normal = mark->points[1];
    const double length = 4 * panel->reach + fabs(offsetOf(panel, mark));
    const float back = (float)length;
    const thVec2 a = pointAlong(panel, mark, length), b = pointAlong(panel, mark, -length);
    const thVec2 corners[4] = {a,
                               b,
                               {b.x - back * normal.x, b.y - back * normal.y},
                               {a.x - back * normal.x, a.y - back * normal.y}};
    appTracePoints(panel, corners, isArea ? 4 : 2, isArea);
}

// The border of a cone, with its ends far away.
static void traceCone(const Panel* panel, const thMark* mark, bool isClosed)
{
    thVec2* points = malloc((size_t)mark->pointCount * sizeof *points);
    if (points == NULL) {
        cairo_new_path(panel->canvas->cairo);
        return;
    }
    const int32_t last = mark->pointCount - 1;
    for (int32_t i = 0; i <= last; ++i)
        points[i] = mark->points[i];
    const int32_t ends[2] = {0, last}, beside[2] = {1, last - 1};
    for (int32_t i = 0; i < 2; ++i) {
        const thVec2 direction = mark->points[ends[i]], from = mark->points[beside[i]];
        const float size = hypotf(direction.x, direction.y);
        const float length = (float)(8 * panel->reach) / (size > 0 ? size : 1);
        points[ends[i]] = (thVec2){from.x + length * direction.x, from.y + length * direction.y};
    }
    appTracePoints(panel, points, mark->pointCount, isClosed);
    free(points);
}

static bool hasArea(const thMark* mark)
{
    return mark->kind == th_markHalfPlane || mark->kind == th_markRegion ||
           mark->kind == th_markCone || mark->kind == th_markDisc;
}

static void traceArea(const Panel* panel, const thMark* mark)
{
    if (mark->kind == th_markHalfPlane)
        traceHalfPlane(panel, mark, true);
    else if (mark->kind == th_markRegion)
        appTracePoints(panel, mark->points, mark->pointCount, true);
    else if (mark->kind == th_markCone)
        traceCone(panel, mark, true);
    else
        appTraceCircle(panel, mark->points[0], mark->radius);
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

static void drawBorder(const Panel* panel, const thExplanationView* view, const thMark* mark)
{
    cairo_t* cairo = panel->canvas->cairo;
    const bool isThick = appIsBinding(view, mark);
    if (mark->kind == th_markHalfPlane)
        traceHalfPlane(panel, mark, false);
    else if (mark->kind == th_markCone)
        traceCone(panel, mark, false);
    else
        traceArea(panel, mark);
    setLine(panel, mark, isThick ? 2.6 : 1.1);
    const double dash[2] = {6 * panel->unit, 5 * panel->unit};
    if (mark->meaning == th_meansLimit)
        cairo_set_dash(cairo, dash, 2, 0);
    cairo_stroke(cairo);
    cairo_set_dash(cairo, NULL, 0, 0);
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

// Places that badges have been put to.
typedef struct Badges {
    thVec2 places[64];
    int32_t count;
} Badges;

static double spaceAround(const Badges* badges, thVec2 place)
{
    double least = INFINITY;
    for (int32_t i = 0; i < badges->count; ++i)
        least = fmin(least, hypot(place.x - badges->places[i].x, place.y - badges->places[i].y));
    return least;
}

// A place on the border of a half-plane, far out, where no other badge is. False when the border
// is outside of the panel, or too near to its sides.
static bool findPlace(const Panel* panel, const thMark* mark, const Badges* badges, thVec2* place)
{
    const double badge = 11 * panel->unit / (0.5 * panel->side);
    const double offset = offsetOf(panel, mark), radius = fmin(0.95, 1 - badge) * panel->reach;
    if (fabs(offset) >= radius)
        return false;
    const double half = sqrt(radius * radius - offset * offset);
    double best = -1;
    for (int32_t i = 0; i < 12; ++i) {
        const double along = half * (i % 2 == 0 ? 1 : -1) * (1 - 0.12 * (i / 2));
        const thVec2 here = pointAlong(panel, mark, along);
        const double space =
            fmin(spaceAround(badges, here), 21 * panel->unit * panel->reach / (0.5 * panel->side));
        if (space > best && appPanelY(panel, here.y) >= panel->top + panel->head) {
            best = space;
            *place = here;
        }
    }
    return best >= 0;
}

static void drawBadges(const Panel* panel, const thExplanationView* view)
{
    Badges badges = {.count = 0};
    for (int32_t i = 0; i < view->markCount && badges.count < 64; ++i) {
        const thMark* mark = &view->marks[i];
        const bool isShown = mark->kind == th_markHalfPlane && mark->cause == th_causeAgent &&
                             mark->space == th_spaceVelocity;
        const int32_t number = isShown ? appNeighborNumber(view, mark->whose) : 0;
        thVec2 place;
        if (number == 0 || !findPlace(panel, mark, &badges, &place))
            continue;
        char text[16];
        snprintf(text, sizeof text, "%d", (int)number);
        appDrawBadge(panel, place, appCauseColor(mark->cause), text);
        badges.places[badges.count++] = place;
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
        drawBadges(panel, view);
}
