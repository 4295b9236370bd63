// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Shapes of agents, as hulls of the points that somebody gave, and how two of them stand to each
// other. Points are rounded to units first, so that what is a corner is decided exactly, and a hull
// is its own hull.

#include "geom/body_shape.h"

#include "geom/fixed.h"
#include "geom/segment.h"

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
static thPoint lowestPoint(const thVec2* points, int32_t count)
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
    const thPoint first = lowestPoint(points, count);
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

// Nearer than this part of its size, the origin is not told from the border.
#define TOUCHING 0x1p-20f

// Ways out whose lengths differ by less than this part of the size are equally short.
#define SAME_DEPTH 0x1p-17f

// Of ways out to both sides of the middle, the one to the right of it.
#define SIDE_BIAS 0x1p-6f

thConvexBody thiTurnShape(const thBodyShape* shape, float heading)
{
    thConvexBody body = {.count = shape->count};
    float sine, cosine;
    thSinCos(heading, &sine, &cosine);
    for (int32_t i = 0; i < shape->count; ++i) {
        const thVec2 c = shape->corners[i];
        body.corners[i] = (thVec2){cosine * c.x - sine * c.y, sine * c.x + cosine * c.y};
    }
    return body;
}

// The lowest corner, of these the leftmost: from there on, edges are sorted by their angle.
static int32_t lowestCorner(const thConvexBody* body)
{
    int32_t lowest = 0;
    for (int32_t i = 1; i < body->count; ++i) {
        const thVec2 c = body->corners[i], best = body->corners[lowest];
        if (c.y < best.y || (c.y == best.y && c.x < best.x))
            lowest = i;
    }
    return lowest;
}

static int32_t after(const thConvexBody* body, int32_t i)
{
    return i + 1 < body->count ? i + 1 : 0;
}

static thVec2 edgeAt(const thConvexBody* body, int32_t i)
{
    return thiSubtract(body->corners[after(body, i)], body->corners[i]);
}

thConvexBody thiConvexSum(const thConvexBody* own, const thConvexBody* other, thVec2 p)
{
    TH_ASSERT(own->count >= 1 && other->count >= 1 && own->count + other->count <= TH_SUM_CORNERS);
    thConvexBody mirrored = {.count = own->count};
    for (int32_t i = 0; i < own->count; ++i)
        mirrored.corners[i] = thiNegate(own->corners[i]);
    thConvexBody sum = {.radius = own->radius + other->radius};
    int32_t a = lowestCorner(&mirrored), b = lowestCorner(other);
    // A body of one corner has no edges.
    int32_t leftA = mirrored.count > 1 ? mirrored.count : 0;
    int32_t leftB = other->count > 1 ? other->count : 0;
    do {
        const thVec2 corner = thiAddScaled(mirrored.corners[a], 1.0f, other->corners[b]);
        sum.corners[sum.count++] = thiAddScaled(p, 1.0f, corner);
        const float turn = leftA == 0   ? -1.0f
                           : leftB == 0 ? 1.0f
                                        : thiDet(edgeAt(&mirrored, a), edgeAt(other, b));
        if (turn >= 0.0f && leftA > 0) {
            a = after(&mirrored, a);
            leftA -= 1;
        }
        if (turn <= 0.0f && leftB > 0) {
            b = after(other, b);
            leftB -= 1;
        }
    } while (leftA > 0 || leftB > 0);
    return sum;
}

static float sizeOf(const thConvexBody* body)
{
    float size = body->radius;
    for (int32_t i = 0; i < body->count; ++i) {
        const float x = fabsf(body->corners[i].x), y = fabsf(body->corners[i].y);
        size = TH_MAX(size, TH_MAX(x, y));
    }
    return size;
}

// An edge as the origin sees it.
typedef struct Edge {
    float length, height; // how far the origin is beyond it; negative: inside of it
    float along;          // where on it the origin projects to
    thVec2 in;            // of length 1, into the body
} Edge;

static Edge lookAtEdge(const thConvexBody* body, int32_t i)
{
    const thVec2 e = edgeAt(body, i), a = body->corners[i];
    const float length = sqrtf(thiDot(e, e)), per = length > 0.0f ? 1.0f / length : 0.0f;
    const thVec2 in = thiScale(per, thiLeftOf(e));
    return (Edge){length, thiDot(in, a), -per * thiDot(e, a), in};
}

// How far the origin is beyond the border; negative: inside.
static float greatestHeight(const thConvexBody* body)
{
    float greatest = -INFINITY;
    for (int32_t i = 0; i < body->count; ++i) {
        const Edge edge = lookAtEdge(body, i);
        greatest = edge.length > 0.0f ? TH_MAX(greatest, edge.height) : greatest;
    }
    return greatest;
}

// The normal of an edge that the origin is at least that far beyond: of these the one that points
// most along `middle`.
static thVec2 normalAt(const thConvexBody* body, float leastHeight, thVec2 middle)
{
    const thVec2 preferred = thiAddScaled(middle, SIDE_BIAS, thiLeftOf(middle));
    thVec2 best = {1.0f, 0.0f};
    float most = -INFINITY;
    for (int32_t i = 0; i < body->count; ++i) {
        const Edge edge = lookAtEdge(body, i);
        const float along = thiDot(edge.in, preferred);
        if (edge.length > 0.0f && edge.height >= leastHeight && along > most) {
            best = edge.in;
            most = along;
        }
    }
    return best;
}

// Of the polygon alone, when the origin is outside.
static thClearance nearestOf(const thConvexBody* body)
{
    thClearance nearest = {.distance = INFINITY};
    for (int32_t i = 0; i < body->count; ++i) {
        const Edge edge = lookAtEdge(body, i);
        const thVec2 a = body->corners[i];
        const float toCorner = sqrtf(thiDot(a, a));
        if (toCorner < nearest.distance && toCorner > 0.0f)
            nearest = (thClearance){.distance = toCorner, .towards = thiScale(1.0f / toCorner, a)};
        if (edge.along > 0.0f && edge.along < edge.length && edge.height > 0.0f &&
            edge.height < nearest.distance)
            nearest = (thClearance){.distance = edge.height, .towards = edge.in};
    }
    return nearest;
}

thClearance thiClearanceOf(const thConvexBody* body, thVec2 middle)
{
    const float size = sizeOf(body), height = greatestHeight(body);
    thClearance found;
    if (height <= TOUCHING * size)
        found = (thClearance){.distance = height,
                              .towards = normalAt(body, height - SAME_DEPTH * size, middle)};
    else
        found = nearestOf(body);
    found.distance -= body->radius;
    if (found.distance <= TOUCHING * size) {
        found.distance = TH_MIN(found.distance, 0.0f);
        return found;
    }
    found.tangents = thiTangentsTo(body->corners[0], body->radius);
    for (int32_t i = 1; i < body->count; ++i)
        found.tangents =
            thiOuterTangents(found.tangents, thiTangentsTo(body->corners[i], body->radius));
    return found;
}
