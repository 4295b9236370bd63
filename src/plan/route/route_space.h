// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Where a disc of one radius can go among the static walls of one floor. Planners build one for
// each class of radii and each floor, whenever walls change; queries write nothing and may come
// from many threads. Everything is decided from whole numbers, in double where it must be.

#ifndef THRONG_SRC_PLAN_ROUTE_SPACE_H
#define THRONG_SRC_PLAN_ROUTE_SPACE_H

#include "base/memory.h"
#include "geom/segment.h"
#include "throng/method.h"
#include "throng/simd.h"

typedef struct thRouteSpace thRouteSpace;

// Corners and paths of plans keep this much more than the radius from walls, and agents on their
// path may be this much nearer: so that what rounds differently in motion does not block a plan.
// [m]
#define TH_ROUTE_SLACK 0x1p-10f

// `radius` 0 is a point: its paths may not touch walls, so that it never slips through where two
// obstacles meet in a corner. The frame must stay as it is while the space is built; the space does
// not refer to it afterwards. [m]
thResult thiCreateRouteSpace(thMemory* memory, const thFrame* frame, int32_t level, float radius,
                             thRouteSpace** space);
void thiDestroyRouteSpace(thRouteSpace* space); // NULL is allowed

// The instruction set that it is searched with, if not the best there is. Answers do not depend on
// it.
void thiSetRouteSimd(thRouteSpace* space, thSimd simd);

float thiRouteRadius(const thRouteSpace* space);

// The walls it was made of.
typedef struct thRouteWall {
    thPoint a, b;
} thRouteWall;
const thRouteWall* thiRouteWalls(const thRouteSpace* space, int32_t* count);

// Legs and places are asked about for a disc that may overlap walls by so much: the walls may be
// nearer than its radius by `overlap`. [m, at least −TH_ROUTE_SLACK]

// Whether the disc can stand at p: not in solid, and no wall too near.
bool thiIsClearPlace(const thRouteSpace* space, thPoint p, float overlap);

// Whether the disc, which stands clear at a, can go straight to b.
bool thiIsClearLeg(const thRouteSpace* space, thPoint a, thPoint b, float overlap);

// Whether a single wall hides all of a box, which p is outside of. Where several walls do so
// together the answer is no. [units]
bool thiIsHiddenByOne(const thRouteSpace* space, thPoint p, double lowX, double lowY, double highX,
                      double highY);

// How far the disc overlaps walls at p: 0 where it is clear, at most the radius. It says nothing
// about solid. [m]
float thiOverlapAt(const thRouteSpace* space, thPoint p);

// How far one can see at most, by direction: a quick answer to most questions about what is hidden.
// What it says is hidden is so, for discs of any size; what it does not may be hidden all the same.
#define TH_HORIZON_PARTS 256

typedef struct thRouteHorizon {
    double x, y;                      // where one stands [units]
    double limitSq[TH_HORIZON_PARTS]; // what is further in this part of all directions is hidden
} thRouteHorizon;

void thiLookAround(const thRouteSpace* space, thPoint p, thRouteHorizon* horizon);

// Whether a place, or all of a box, is hidden. [units]
bool thiIsBeyond(const thRouteHorizon* horizon, double x, double y);
bool thiIsBoxBeyond(const thRouteHorizon* horizon, double lowX, double lowY, double highX,
                    double highY);

// The corners of a box at the rim as seen from the origin, which is outside: the first and the
// last, counter-clockwise.
typedef struct thBoxRim {
    double firstX, firstY, lastX, lastY;
} thBoxRim;
static inline thBoxRim thiRimOfBox(double left, double low, double right, double high)
{
    return (thBoxRim){low > 0.0    ? right
                      : high < 0.0 ? left
                      : left > 0.0 ? left
                                   : right,
                      left > 0.0    ? low
                      : right < 0.0 ? high
                      : low > 0.0   ? low
                                    : high,
                      low > 0.0    ? left
                      : high < 0.0 ? right
                      : left > 0.0 ? left
                                   : right,
                      left > 0.0    ? high
                      : right < 0.0 ? low
                      : low > 0.0   ? low
                                    : high};
}

#endif
