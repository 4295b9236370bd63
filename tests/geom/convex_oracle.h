// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Convex bodies in double, compared side by side: no sums, no hulls.

#ifndef THRONG_TESTS_GEOM_CONVEX_ORACLE_H
#define THRONG_TESTS_GEOM_CONVEX_ORACLE_H

#include "gear/property.h"
#include "geom/body_shape.h"

// The distance of two bodies, the second moved by (x, y); negative: how far one must move at least
// until they are apart.
double bodyGap(const thConvexBody* a, const thConvexBody* b, double x, double y);

// The least of these gaps until a time, while the first moves with (wx, wy) and the second, at
// (x, y), stands.
double leastGap(const thConvexBody* a, const thConvexBody* b, double x, double y, double wx,
                double wy, double time);

// A shape of at most 8 corners, within so far of the position; boxes are frequent. [m]
thBodyShape drawBodyShape(thGenerator* g, float reach);

// A shape that is turned, or a disc.
thConvexBody drawConvexBody(thGenerator* g, float reach);

#endif
