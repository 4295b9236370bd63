// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How far one can see at most, by direction: a quick answer to most questions about what is hidden.
// What it says is hidden is so, for discs of any size; what it does not may be hidden all the same.

#ifndef THRONG_SRC_PLAN_ROUTE_HORIZON_H
#define THRONG_SRC_PLAN_ROUTE_HORIZON_H

#include "plan/route/route_space.h"

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
