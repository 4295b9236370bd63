// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Draws the marks of an explanation, areas without end among them, and whom they are there for.

#include "draw/debug/debug_marks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// --- Areas without end ---

int32_t appCountSides(const thMark* mark)
{
    return mark->kind == th_markHalfPlane ? 1
           : mark->kind == th_markCone    ? mark->pointCount - 1
                                          : 0;
}

static Side sideFrom(thVec2 from, double dx, double dy, double low, double high)
{
    const double size = hypot(dx, dy), per = size > 0.0 ? 1.0 / size : 0.0;
    const bool isPoint = !(size > 0.0);
    return (Side){from.x,
                  from.y,
                  per * dx,
                  per * dy,
                  isPoint ? 0.0 : low * size,
                  isPoint ? 0.0 : high * size};
}

Side appSideOf(const thMark* mark, int32_t index)
{
    const thVec2* points = mark->points;
    if (mark->kind == th_markHalfPlane)
        return sideFrom(points[0], -(double)points[1].y, points[1].x, -INFINITY, INFINITY);
    if (index == 0) // comes from where the first direction points to
        return sideFrom(points[1], -(double)points[0].x, -(double)points[0].y, -INFINITY, 0.0);
    const thVec2 from = points[index], to = points[index + 1];
    if (index == mark->pointCount - 2)
        return sideFrom(from, to.x, to.y, 0.0, INFINITY);
    return sideFrom(from, (double)to.x - from.x, (double)to.y - from.y, 0.0, 1.0);
}

Corner appPlaceOnSide(const Side* side, double along)
{
    return (Corner){side->x + along * side->dx, side->y + along * side->dy};
}

// Where on the side's line a point is.
static double alongSide(const Side* side, double x, double y)
{
    return side->dx * (x - side->x) + side->dy * (y - side->y);
}

// How far to the left of it.
static double leftOfSide(const Side* side, double x, double y)
{
    return side->dx * (y - side->y) - side->dy * (x - side->x);
}

double appDistanceToSide(const Side* side, thVec2 point)
{
    const double along = fmin(fmax(alongSide(side, point.x, point.y), side->low), side->high);
    const Corner nearest = appPlaceOnSide(side, along);
    return hypot(point.x - nearest.x, point.y - nearest.y);
}

static bool hasLength(const Side* side)
{
    return side->low < side->high;
}

// By one coordinate, which is to be within `reach` of `middle`.
static void cutByBand(Side* side, double from, double step, double middle, double reach)
{
    if (step == 0.0) {
        if (!(fabs(from - middle) <= reach))
            side->high = side->low;
        return;
    }
    const double a = (middle - reach - from) / step, b = (middle + reach - from) / step;
    side->low = fmax(side->low, fmin(a, b));
    side->high = fmin(side->high, fmax(a, b));
}

bool appCutSide(Side* side, const Square* square)
{
    cutByBand(side, side->x, side->dx, square->x, square->reach);
    cutByBand(side, side->y, side->dy, square->y, square->reach);
    return hasLength(side);
}

// Shortens a side to what is in a disc. False if nothing is.
static bool cutSideByDisc(Side* side, Corner middle, double radius)
{
    const double along = alongSide(side, middle.x, middle.y);
    const double off = leftOfSide(side, middle.x, middle.y);
    if (!(fabs(off) < radius))
        return false;
    const double half = sqrt(radius * radius - off * off);
    side->low = fmax(side->low, along - half);
    side->high = fmin(side->high, along + half);
    return hasLength(side);
}

// What is left of a side of a convex polygon. Returns how many corners that has.
static int32_t cutPolygon(const Side* side, const Corner* from, int32_t count, Corner* to)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < count; ++i) {
        const Corner a = from[i], b = from[(i + 1) % count];
        const double here = leftOfSide(side, a.x, a.y), next = leftOfSide(side, b.x, b.y);
        if (here >= 0.0)
            to[kept++] = a;
        if ((here >= 0.0) != (next >= 0.0)) {
            const double share = here / (here - next);
            to[kept++] = (Corner){a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)};
        }
    }
    return kept;
}

int32_t appCutArea(const thMark* mark, const Square* square, Corner* corners)
{
    const double left = square->x - square->reach, right = square->x + square->reach;
    const double bottom = square->y - square->reach, top = square->y + square->reach;
    const int32_t sides = appCountSides(mark);
    Corner* spare = corners + 4 + sides; // every side adds a corner at most
    corners[0] = (Corner){left, bottom};
    corners[1] = (Corner){right, bottom};
    corners[2] = (Corner){right, top};
    corners[3] = (Corner){left, top};
    int32_t count = 4;
    for (int32_t i = 0; i < sides; ++i) {
        const Side side = appSideOf(mark, i);
        if (!hasLength(&side))
            continue;
        count = cutPolygon(&side, corners, count, spare);
        for (int32_t k = 0; k < count; ++k)
            corners[k] = spare[k];
    }
    return count;
}

// --- Badges ---

// The numbers of neighbours on the borders of what is there for them.

enum { mostPlaces = 65 };

// Places that badges have been put to. None is to cover the chosen velocity, which is the first.
typedef struct Badges {
    thVec2 places[mostPlaces];
    int32_t count;
} Badges;

static double spaceAround(const Badges* badges, thVec2 place)
{
    double least = INFINITY;
    for (int32_t i = 0; i < badges->count; ++i)
        least = fmin(least, hypot(place.x - badges->places[i].x, place.y - badges->places[i].y));
    return least;
}

// A place for a badge: its space, which counts as far as badges need it, and how far it is from the
// chosen velocity, around which most borders meet.
typedef struct Spot {
    thVec2 place;
    double space, away;
} Spot;

static bool isBetter(const Spot* spot, const Spot* than)
{
    return spot->space > than->space || (spot->space == than->space && spot->away > than->away);
}

// Looks at places on a part of a border from its ends inwards.
static void lookAlong(const Panel* panel, const Side* side, const Badges* badges, Spot* best)
{
    const double enough = 21 * panel->unit * panel->reach / (0.5 * panel->side);
    for (int32_t i = 0; i < 12; ++i) {
        const double inward = 0.06 * (i / 2) * (side->high - side->low);
        const Corner at =
            appPlaceOnSide(side, i % 2 == 0 ? side->high - inward : side->low + inward);
        const thVec2 here = {(float)at.x, (float)at.y}, chosen = badges->places[0];
        const Spot spot = {here, fmin(spaceAround(badges, here), enough),
                           hypot(here.x - chosen.x, here.y - chosen.y)};
        if (isBetter(&spot, best) && !appIsCovered(panel, here))
            *best = spot;
    }
}

// A place on the border of a mark, far out, where no other badge is. False when the border is
// outside of the panel, or too near to its sides.
static bool findPlace(const Panel* panel, const thMark* mark, const Badges* badges, thVec2* place)
{
    const double badge = 11 * panel->unit / (0.5 * panel->side);
    const double radius = fmin(0.95, 1 - badge) * panel->reach;
    Spot best = {.space = -1};
    for (int32_t i = 0; i < appCountSides(mark); ++i) {
        Side side = appSideOf(mark, i);
        if (cutSideByDisc(&side, (Corner){panel->middle.x, panel->middle.y}, radius))
            lookAlong(panel, &side, badges, &best);
    }
    *place = best.place;
    return best.space >= 0;
}

static void drawBadges(const Panel* panel, const thExplanationView* view)
{
    Badges badges = {.places = {view->chosen}, .count = 1};
    for (int32_t i = 0; i < view->markCount && badges.count < mostPlaces; ++i) {
        const thMark* mark = &view->marks[i];
        const bool isShown = mark->cause == th_causeAgent && mark->space == th_spaceVelocity;
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

// --- Marks ---

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
        drawBadges(panel, view);
}
