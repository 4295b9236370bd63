// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Directions are numbered along the diamond |x| + |y| = 1, which needs no trigonometry. A part of
// them that a single wall covers ends at that wall.

#include "plan/route/route_horizon.h"

#include <math.h>

#define QUARTER (TH_HORIZON_PARTS / 4)
#define MAX_RINGS 8 // of cells that are looked at
#define FEW_OPEN 48 // parts in which far walls may be in sight
#define MARGIN 4.0  // for rounding [units]

// From 0 to TH_HORIZON_PARTS, counter-clockwise from the x axis.
static double directionOf(double x, double y)
{
    const double size = fabs(x) + fabs(y);
    if (size == 0.0)
        return 0.0;
    const double share = y / size; // −1 .. 1
    const double turn = x >= 0.0 ? share : 2.0 - share;
    return (turn < 0.0 ? turn + 4.0 : turn) * QUARTER;
}

// The square of how far the line through a wall is in the direction with a whole number.
static double distanceSqAlong(double side, double wallX, double wallY, int32_t number)
{
    const double turn = (double)(number % TH_HORIZON_PARTS) / QUARTER;
    const double x = turn < 2.0 ? 1.0 - turn : turn - 3.0;
    const double y = turn < 1.0 ? turn : turn < 3.0 ? 2.0 - turn : turn - 4.0;
    const double bottom = x * wallY - y * wallX;
    if (bottom <= 0.0)
        return INFINITY; // rounding: it does not cover that direction after all
    const double share = side / bottom;
    return share * share * (x * x + y * y);
}

static void coverBy(void* context, thPoint a, thPoint b)
{
    thRouteHorizon* horizon = context;
    double ax = a.x - horizon->x, ay = a.y - horizon->y;
    double bx = b.x - horizon->x, by = b.y - horizon->y;
    double side = ax * by - ay * bx;
    if (side == 0.0)
        return;
    if (side < 0.0) { // from a to b counter-clockwise
        const double x = ax, y = ay;
        ax = bx;
        ay = by;
        bx = x;
        by = y;
        side = -side;
    }
    const double from = directionOf(ax, ay);
    double to = directionOf(bx, by);
    to = to < from ? to + TH_HORIZON_PARTS : to;
    const int32_t first = (int32_t)from + 1, last = (int32_t)to;
    if (first >= last)
        return;
    const double wallX = bx - ax, wallY = by - ay;
    double before = distanceSqAlong(side, wallX, wallY, first);
    for (int32_t i = first; i < last; ++i) {
        const double after = distanceSqAlong(side, wallX, wallY, i + 1);
        double* limitSq = &horizon->limitSq[i % TH_HORIZON_PARTS];
        const double furthest = TH_MAX(before, after);
        *limitSq = TH_MIN(*limitSq, furthest);
        before = after;
    }
}

static bool isInSight(void* context, double lowX, double lowY, double highX, double highY)
{
    return !thiIsBoxBeyond(context, lowX, lowY, highX, highY);
}

// Parts in which one may see further than to a distance.
static int32_t countOpen(const thRouteHorizon* horizon, double distance)
{
    int32_t count = 0;
    for (int32_t i = 0; i < TH_HORIZON_PARTS; ++i)
        count += horizon->limitSq[i] > distance * distance;
    return count;
}

void thiLookAround(const thRouteSpace* space, thPoint p, thRouteHorizon* horizon)
{
    horizon->x = p.x;
    horizon->y = p.y;
    for (int32_t i = 0; i < TH_HORIZON_PARTS; ++i)
        horizon->limitSq[i] = INFINITY;
    const thRingVisitor visitor = {horizon, isInSight, coverBy};
    // Rings become larger and hide less. Where little is open it is not worth while to go on.
    const double side = thiRouteCellSide(space);
    for (int32_t ring = 0; ring < MAX_RINGS; ++ring)
        if (countOpen(horizon, (ring - 1) * side) <= FEW_OPEN ||
            !thiVisitRing(space, p, ring, &visitor))
            break;
    for (int32_t i = 0; i < TH_HORIZON_PARTS; ++i) {
        const double limit = sqrt(horizon->limitSq[i]) + MARGIN;
        horizon->limitSq[i] = limit * limit;
    }
}

bool thiIsBeyond(const thRouteHorizon* horizon, double x, double y)
{
    const double dx = x - horizon->x, dy = y - horizon->y;
    const int32_t part = (int32_t)directionOf(dx, dy) % TH_HORIZON_PARTS;
    return dx * dx + dy * dy > horizon->limitSq[part];
}

bool thiIsBoxBeyond(const thRouteHorizon* horizon, double lowX, double lowY, double highX,
                    double highY)
{
    const double left = lowX - horizon->x, right = highX - horizon->x;
    const double low = lowY - horizon->y, high = highY - horizon->y;
    const double dx = TH_MAX(TH_MAX(left, -right), 0.0), dy = TH_MAX(TH_MAX(low, -high), 0.0);
    if (dx == 0.0 && dy == 0.0)
        return false;
    const thBoxRim rim = thiRimOfBox(left, low, right, high);
    const int32_t first = (int32_t)directionOf(rim.firstX, rim.firstY);
    int32_t last = (int32_t)directionOf(rim.lastX, rim.lastY);
    last = last < first ? last + TH_HORIZON_PARTS : last;
    const double distanceSq = dx * dx + dy * dy;
    for (int32_t i = first; i <= last; ++i)
        if (distanceSq <= horizon->limitSq[i % TH_HORIZON_PARTS])
            return false;
    return true;
}
