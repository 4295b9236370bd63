// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Outlines of obstacles and goals: cleaning, and questions about clean ones.

#ifndef THRONG_SRC_GEOM_POLYGON_H
#define THRONG_SRC_GEOM_POLYGON_H

#include "base/memory.h"
#include "geom/fixed.h"
#include "geom/segment.h"
#include "throng/world.h"

// Cleans an outline and adds its corners, as thPoint, to `corners`.
//
// A wall stays open: a point that repeats the one before goes, and so does one that a straight run
// passes through; a wall that folds back onto itself stays so. All other kinds are closed polygons:
// no point is repeated, no three neighbours are on one line (spikes go), and no edge touches
// another but its two neighbours at their common corner. Solid is to the left of every edge: rooms
// run clockwise, all others counter-clockwise.
//
// th_resultBadArgument for points outside the world, for polygons of no area or whose edges cross
// or touch, and for walls of no length; `corners` is then as it was, as with th_resultNoMemory.
thResult thiCleanOutline(const thVec2* points, int32_t count, thObstacleKind kind,
                         thArray* corners);

// The functions below take clean closed outlines, in either direction.

bool thiIsConvex(const thPoint* corners, int32_t count);

// 1 if p is inside, 0 if on the boundary, −1 if outside.
int32_t thiPolygonSide(const thPoint* corners, int32_t count, thPoint p);

// From p to the nearest point of a shape; zero if p is in it or on its boundary. [m]
static inline thVec2 thiToPoint(thPoint p, thPoint point)
{
    return (thVec2){thiMetresBetween(p.x, point.x), thiMetresBetween(p.y, point.y)};
}

thVec2 thiToDisc(thPoint p, thPoint centre, float radius);
thVec2 thiToSegment(thPoint p, thPoint a, thPoint b);
thVec2 thiToPolygon(thPoint p, const thPoint* corners, int32_t count);

#endif
