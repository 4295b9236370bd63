// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "draw/debug/debug_sides.h"

#include <math.h>

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

bool appCutSideByDisc(Side* side, Corner middle, double radius)
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
