// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Points and segments: exact predicates in units (geom/fixed.h), and the nearest point of a
// segment. All predicates hold for any 32-bit coordinates. The nearest point is found in float
// among things that are near each other, and in double from positions, which is good to a small
// part of a unit everywhere in the world.

#ifndef THRONG_SRC_GEOM_SEGMENT_H
#define THRONG_SRC_GEOM_SEGMENT_H

#include "base/core.h"
#include "throng/math.h"

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

// The point of the segment a b nearest to the origin. A segment may be a point. [m]
thVec2 thiNearestOnSegment(thVec2 a, thVec2 b);

// From one point to another. [units]
typedef struct thOffset {
    double x, y;
} thOffset;

// From a point to the nearest point of a segment, of which the first end a is given relative to the
// point, and the other end relative to a. These are whole numbers. The result never leaves the
// segment's box, and its error is below 2^-16 units.
//
// Such numbers are exact in double, and rounding is monotone, so a share of at most 1 never leads
// past an end. There is no branch on which end is near: it is hard to predict.
static inline thOffset thiNearestOffset(double ax, double ay, double dx, double dy)
{
    const double along = -(ax * dx + ay * dy);
    const double lengthSq = dx * dx + dy * dy; // 0 or at least 1
    const double share = TH_MIN(TH_MAX(along, 0.0), lengthSq) / TH_MAX(lengthSq, 1.0);
    return (thOffset){ax + share * dx, ay + share * dy};
}

// The same from positions: from p to the nearest point of the segment a b.
static inline thOffset thiOffsetToSegment(thPoint p, thPoint a, thPoint b)
{
    return thiNearestOffset((double)a.x - p.x, (double)a.y - p.y, (double)b.x - a.x,
                            (double)b.y - a.y);
}

#endif
