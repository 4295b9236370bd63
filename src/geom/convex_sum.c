// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "geom/convex_sum.h"

#include "base/core.h"

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
static int32_t lowestOf(const thConvexBody* body)
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
    int32_t a = lowestOf(&mirrored), b = lowestOf(other);
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
