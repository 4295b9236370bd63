// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Two convex bodies touch where one, shrunk to its position, is in the sum of the other and of
// itself reflected (Minkowski). So what there is to know about how they stand to each other is how
// the origin stands to that sum.

#ifndef THRONG_SRC_GEOM_CONVEX_SUM_H
#define THRONG_SRC_GEOM_CONVEX_SUM_H

#include "geom/tangents.h"
#include "throng/body_shape.h"

#include <stdbool.h>

// body_shape.c. Whether it is as thMakeBodyShape makes shapes.
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
