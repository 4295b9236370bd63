// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Shapes of agents: hulls of the points that somebody gave. Points are rounded to units first, so
// that what is a corner is decided exactly, and a hull is its own hull.

#include "geom/convex_sum.h"
#include "geom/fixed.h"
#include "geom/predicate.h"

#include <string.h>

// How far corners may be from the position. [m]
#define REACH 100.0f

static bool isNear(float x)
{
    return x >= -REACH && x <= REACH;
}

static thPoint pointOf(thVec2 point)
{
    return (thPoint){thiUnits(point.x), thiUnits(point.y)};
}

static int64_t distanceSq(thPoint a, thPoint b)
{
    const int64_t x = (int64_t)b.x - a.x, y = (int64_t)b.y - a.y;
    return x * x + y * y;
}

// The lowest, of these the leftmost: a corner of the hull.
static thPoint lowestOf(const thVec2* points, int32_t count)
{
    thPoint lowest = pointOf(points[0]);
    for (int32_t i = 1; i < count; ++i) {
        const thPoint point = pointOf(points[i]);
        if (point.y < lowest.y || (point.y == lowest.y && point.x < lowest.x))
            lowest = point;
    }
    return lowest;
}

// The corner that follows `from` counter-clockwise: nobody is to the right of the way to it. Of
// points on one line the furthest.
static thPoint cornerAfter(thPoint from, const thVec2* points, int32_t count)
{
    thPoint best = from;
    for (int32_t i = 0; i < count; ++i) {
        const thPoint point = pointOf(points[i]);
        const int32_t side = thiOrientation(from, best, point);
        if (side < 0 || (side == 0 && distanceSq(from, point) > distanceSq(from, best)))
            best = point;
    }
    return best;
}

// Its corners, as far as there is room for them. Returns how many were found; one more than there
// is room for means that there are more.
static int32_t findHull(const thVec2* points, int32_t count, thPoint hull[THRONG_SHAPE_CORNERS])
{
    const thPoint first = lowestOf(points, count);
    thPoint corner = first;
    int32_t found = 0;
    do {
        if (found == THRONG_SHAPE_CORNERS)
            return found + 1;
        hull[found++] = corner;
        corner = cornerAfter(corner, points, count);
    } while (!thiSamePoint(corner, first));
    return found;
}

static bool hasInside(const thPoint* hull, int32_t count, thPoint p)
{
    for (int32_t i = 0; i < count; ++i)
        if (thiOrientation(hull[i], hull[i + 1 < count ? i + 1 : 0], p) <= 0)
            return false;
    return true;
}

thResult thMakeBodyShape(const thVec2* points, int32_t count, thBodyShape* shape, thError* error)
{
    TH_REQUIRE(shape != NULL && (points != NULL || count <= 0), th_resultBadArgument);
    *shape = (thBodyShape){0};
    if (count < 3)
        return thiFail(error, th_resultBadArgument, "the shape has %d points, expected at least 3",
                       (int)count);
    for (int32_t i = 0; i < count; ++i)
        if (!isNear(points[i].x) || !isNear(points[i].y))
            return thiFail(error, th_resultBadArgument,
                           "point %d of the shape is (%g, %g), expected -%g .. %g m in x and y",
                           (int)i, (double)points[i].x, (double)points[i].y, (double)REACH,
                           (double)REACH);
    thPoint hull[THRONG_SHAPE_CORNERS];
    const int32_t found = findHull(points, count, hull);
    if (found > THRONG_SHAPE_CORNERS)
        return thiFail(
            error, th_resultBadArgument,
            "the convex hull of the shape has more corners than %d, the most there may be",
            THRONG_SHAPE_CORNERS);
    if (found < 3)
        return thiFail(error, th_resultBadArgument,
                       "the points of the shape are on one line, expected some area");
    if (!hasInside(hull, found, (thPoint){0, 0}))
        return thiFail(error, th_resultBadArgument,
                       "the agent's position, (0, 0), is not inside of the shape");
    shape->count = found;
    for (int32_t i = 0; i < found; ++i)
        shape->corners[i] = (thVec2){thiMetres(hull[i].x), thiMetres(hull[i].y)};
    return th_resultOk;
}

bool thiIsBodyShape(const thBodyShape* shape)
{
    thBodyShape again;
    return shape->count >= 3 && shape->count <= THRONG_SHAPE_CORNERS &&
           thMakeBodyShape(shape->corners, shape->count, &again, NULL) == th_resultOk &&
           again.count == shape->count &&
           memcmp(again.corners, shape->corners, (size_t)again.count * sizeof again.corners[0]) ==
               0;
}
