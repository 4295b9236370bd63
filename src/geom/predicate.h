// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Exact answers about points in units (geom/fixed.h). All of them hold for any 32-bit coordinates.

#ifndef THRONG_SRC_GEOM_PREDICATE_H
#define THRONG_SRC_GEOM_PREDICATE_H

#include "base/core.h"

// A point in units.
typedef struct thPoint {
    int32_t x, y;
} thPoint;

static inline bool thiSamePoint(thPoint a, thPoint b)
{
    return a.x == b.x && a.y == b.y;
}

// 1 if p is to the left of the line from a to b, −1 if to the right, 0 if on it or if a is b.
int32_t thiOrientation(thPoint a, thPoint b, thPoint p);

// Whether p lies on the segment a b, ends included. The segment may be a point.
bool thiPointOnSegment(thPoint p, thPoint a, thPoint b);

// Whether the segments a b and c d have a point in common: they cross, touch or overlap. Either may
// be a point.
bool thiSegmentsTouch(thPoint a, thPoint b, thPoint c, thPoint d);

// A number that is not negative: top / bottom. With a bottom of 0 it is more than any other.
typedef struct thFraction {
    uint64_t top, bottom;
} thFraction;

// −1, 0 or 1: the first fraction is smaller, the same or larger.
int32_t thiCompareFractions(thFraction a, thFraction b);

#endif
