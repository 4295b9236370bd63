// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Convex polygons in metres, counter-clockwise, from which half-planes are cut away.

#ifndef THRONG_SRC_MEASURE_CONVEX_H
#define THRONG_SRC_MEASURE_CONVEX_H

#include "base/array.h"
#include "throng/record.h"

typedef struct thConvex {
    thArray points; // thPlace; fewer than 3: empty
    thArray spare;  // where a cut writes
} thConvex;

thConvex thiConvex(thMemory* memory);
void thiConvexFree(thConvex* convex);

thResult thiSetConvex(thConvex* convex, const thPlace* points, int32_t count);

// Whether something of it is on the side of `through` to which `away` points.
bool thiConvexReaches(const thConvex* convex, thPlace through, thPlace away);

// Keeps what is not on the side of `through` to which `away` points.
thResult thiCutConvex(thConvex* convex, thPlace through, thPlace away);

// Keeps what is to the left of from → to, or on it.
thResult thiCutConvexAlong(thConvex* convex, thPlace from, thPlace to);

// Keeps what is inside another one, given by its corners counter-clockwise.
thResult thiCutConvexTo(thConvex* convex, const thPlace* corners, int32_t count);

double thiConvexArea(const thConvex* convex); // [m²]

// Distance of the farthest corner, squared. [m²; 0: empty]
double thiFarthestCorner(const thConvex* convex, thPlace from);

// Where it meets the horizontal line at y: from *x0 to *x1. False if nowhere.
bool thiConvexAtHeight(const thConvex* convex, double y, double* x0, double* x1);

#endif
