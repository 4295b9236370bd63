// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Shapes of agents that are no discs, and how two convex bodies stand to each other. Two convex
// bodies touch where one, shrunk to its position, is in the sum of the other and of itself
// reflected (Minkowski). So what there is to know about how they stand to each other is how the
// origin stands to that sum.

#ifndef THRONG_SRC_GEOM_BODY_SHAPE_H
#define THRONG_SRC_GEOM_BODY_SHAPE_H

#include "base/core.h"
#include "geom/vec2.h"
#include "throng/body_shape.h"

#include <math.h>

// Whether it is as thMakeBodyShape makes shapes.
bool thiIsBodyShape(const thBodyShape* shape);

#define TH_SUM_CORNERS (2 * THRONG_SHAPE_CORNERS)

// All within a radius of a convex polygon, whose corners run counter-clockwise. A disc has one
// corner, a segment two.
typedef struct thConvexBody {
    int32_t count;
    thVec2 corners[TH_SUM_CORNERS];
    float radius;
} thConvexBody;

// A shape as it stands: turned by a heading, about the origin. [rad]
thConvexBody thiTurnShape(const thBodyShape* shape, float heading);

// What `other`, whose own origin is at p, and `own` reflected add up to. Both together have at most
// TH_SUM_CORNERS corners.
thConvexBody thiConvexSum(const thConvexBody* own, const thConvexBody* other, thVec2 p);

// The cone of directions that lead to a body: unit normals of its legs, into it.
typedef struct thTangents {
    thVec2 right, left;
} thTangents;

// Of the tangents from the origin to a disc that it is not in.
static inline thTangents thiTangentsTo(thVec2 p, float radius)
{
    const float distanceSq = thiDot(p, p), restSq = distanceSq - radius * radius;
    const float leg = restSq > 0.0f ? sqrtf(restSq) : 0.0f, per = 1.0f / distanceSq;
    return (thTangents){{per * (p.x * radius - p.y * leg), per * (p.x * leg + p.y * radius)},
                        {per * (p.x * radius + p.y * leg), per * (p.y * radius - p.x * leg)}};
}

// The outer ones of two cones that are within one half-plane together.
static inline thTangents thiOuterTangents(thTangents a, thTangents b)
{
    return (thTangents){thiDet(a.right, b.right) < 0.0f ? b.right : a.right,
                        thiDet(a.left, b.left) > 0.0f ? b.left : a.left};
}

// How the origin stands to a body.
typedef struct thClearance {
    float distance;      // to it; 0 or less: how deep it is inside
    thVec2 towards;      // of length 1: to the nearest point, or against the shortest way out
    thTangents tangents; // to it, where the origin is outside
} thClearance;

// Of a body with at least 3 corners. Of ways out that are equally short, the one that leads most
// against `middle` is taken: what one body finds is then the opposite of what the other does.
thClearance thiClearanceOf(const thConvexBody* body, thVec2 middle);

#endif
