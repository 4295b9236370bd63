// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

/// @file
/// Bodies that are no discs: convex polygons that turn with an agent's heading.

#ifndef THRONG_BODY_SHAPE_H
#define THRONG_BODY_SHAPE_H

#include "throng/math.h"

/// Corners of a shape at most.
#define THRONG_SHAPE_CORNERS 8

/// A convex polygon round an agent's position, which is inside. Made by `thMakeBodyShape`.
typedef struct thBodyShape {
    /// Number of corners. [3 .. THRONG_SHAPE_CORNERS; 0: no shape, the body is a disc]
    int32_t count;
    /// Corners, counter-clockwise, with +x ahead. [m]
    thVec2 corners[THRONG_SHAPE_CORNERS];
} thBodyShape;

/// Makes a shape of points in any order: their convex hull, in multiples of 2⁻¹⁶ m. Refused, with a
/// reason in `error`, which may be NULL: fewer than 3 points, points on one line, a hull of more
/// than THRONG_SHAPE_CORNERS corners, the position not inside. [m, −100 .. 100 in x and y]
THRONG_API thResult thMakeBodyShape(const thVec2* points, int32_t count, thBodyShape* shape,
                                    thError* error);

#endif
