// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Goals as planners of ways see them: which point of a goal to go to from a place, and how far it
// is at least.

#ifndef THRONG_SRC_PLAN_ROUTE_GOAL_H
#define THRONG_SRC_PLAN_ROUTE_GOAL_H

#include "plan/route/route_near.h"
#include "plan/route/route_space.h"

typedef struct thRouteGoal {
    const thFrame* frame;
    const thRouteSpace* space;
    const thGoalShape* shapes;
    int32_t shapeCount;
    const thCrowdMap* crowd; // on the way there; NULL: none
} thRouteGoal;

// A number that differs between goals of different shape, with high probability.
uint32_t thiRouteGoalMark(const thRouteGoal* goal);

// A disc round each shape; `discs` has room for all.
void thiRouteGoalDiscs(const thRouteGoal* goal, thRouteDisc* discs);

// Why there is no way to any of a goal's shapes, for those who ask: it lies in an obstacle, or
// otherwise.
const char* thiWhyNoWay(const thFrame* frame, const thGoalShape* shapes, int32_t count,
                        int32_t level, const char* otherwise);

// Where to go from a place that sees the goal.
typedef struct thRouteAim {
    thPoint to;
    int32_t shape; // index
    bool nearest;  // it is the nearest point of that shape
    double length; // from where lengths are counted [units]
    double crowd;  // what the crowd adds to that
} thRouteAim;

static inline double thiCostOfAim(const thRouteAim* aim)
{
    return aim->length + aim->crowd;
}

// The nearest point of the goal that can be reached straight from `place`, or of several shapes the
// one that costs least among a crowd; false if there is none.
// Lengths are counted from (x, y). Where the nearest point of an edge is hidden, or has no room for
// the disc, one with room on the same edge will do; points without room are the last resort.
bool thiAimAtGoal(const thRouteGoal* goal, thPoint place, double x, double y, float ease,
                  thRouteAim* aim);

#endif
