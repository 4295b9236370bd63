// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Cones of directions that lead to a body.

#ifndef THRONG_SRC_GEOM_TANGENTS_H
#define THRONG_SRC_GEOM_TANGENTS_H

#include "geom/vec2.h"

#include <math.h>

// Unit normals of the legs of a cone, into it.
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

#endif
