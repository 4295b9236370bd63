// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Where to go straight from a place: the nearest point of a goal, or of a portal, that can be
// reached.

#ifndef THRONG_SRC_PLAN_ROUTE_AIM_H
#define THRONG_SRC_PLAN_ROUTE_AIM_H

#include "plan/route/route_graph.h"
#include "plan/route/route_near.h"
#include "plan/route/route_space.h"

// Places that paths bend at which begin or end between an arc and its node: they go round the rest
// of the arc, nearer to the wall than over the node. One to each side.
//
//                 ○ node
//          bend ●   ╲
//             ╱  · p  ● bend
//            ╱  ╭─╮    ╲
#define TH_BENDS 2
typedef struct thRouteBends {
    int32_t count;
    thPoint at[TH_BENDS];
} thRouteBends;

// The bends of p on a graph of corners; most places have none.
thRouteBends thiFindBends(const thRouteSpace* space, const thRouteGraph* graph,
                          const thRouteNear* near, thPoint p);

// The shortest of the paths over a bend between p and another place, which p does not see and which
// may be nearer to walls than the radius by `overlap`. False: there is none, as from most places.
// [units, m]
bool thiGoOverBend(const thRouteSpace* space, const thRouteBends* bends, thPoint p, thPoint to,
                   float overlap, thPoint* bend, double* length);

// A goal as planners of paths see it.
typedef struct thRouteGoal {
    const thFrame* frame;
    const thRouteSpace* space;
    const thGoalShape* shapes;
    int32_t shapeCount;
    const thCrowdMap* crowd; // on the path there; NULL: none
    thRouteBends bends;      // of a goal that is a point, if they are looked for
} thRouteGoal;

// Whether the goal is a single point, and which.
bool thiPointOfGoal(const thRouteGoal* goal, thPoint* point);

// Whether all shapes of the goal are points with less room round them than paths keep, so that the
// disc cannot come as far; and what is told then.
#define TH_TIGHT_GOAL "the goal is nearer to a wall than the body can come"
bool thiIsGoalTight(const thRouteGoal* goal);

// A number that differs between goals of different shape, with high probability.
uint32_t thiRouteGoalMark(const thRouteGoal* goal);

// A disc round each shape; `discs` has room for all.
void thiRouteGoalDiscs(const thRouteGoal* goal, thRouteDisc* discs);

// Why there is no path to any of a goal's shapes, for those who ask: it lies in an obstacle, or
// otherwise.
const char* thiWhyNoPath(const thFrame* frame, const thGoalShape* shapes, int32_t count,
                         int32_t level, const char* otherwise);

// Where to go from a place that sees the goal.
typedef struct thRouteAim {
    thPoint to;
    int32_t shape; // index
    bool nearest;  // it is the nearest point of that shape
    double length; // from where lengths are counted to the goal [units]
    double crowd;  // what the crowd adds to that
    double rest;   // of the length, where `to` is a bend: from there to the goal
} thRouteAim;

static inline double thiCostOfAim(const thRouteAim* aim)
{
    return aim->length + aim->crowd;
}

// The nearest point of the goal that can be reached straight from `place`, or of several shapes the
// one that costs least among a crowd; false if there is none.
// Lengths are counted from (x, y). Where the nearest point of an edge is hidden, or has no room for
// the disc, one with room on the same edge will do; points without room are the last resort.
bool thiAimAtGoal(const thRouteGoal* goal, thPoint place, double x, double y, float overlap,
                  thRouteAim* aim);

// Nodes that are portals: everybody crosses them where it suits him. The disc can walk along a
// portal from end to end, and what its node is joined to can be walked to straight from the node's
// place; so whoever sees a part of a portal gets through.
static inline bool thiIsPortal(const thRouteNode* node)
{
    return !thiSamePoint(node->a, node->b);
}

// Where to cross a portal on the path from p to `after`: as near to the straight line as both can
// be seen from there. If there is no such point, one from where to go along the portal to its
// place. False if p sees none.
bool thiAimAtPortal(const thRouteSpace* space, const thRouteNode* portal, thPoint p, thPoint after,
                    float overlap, thPoint* aim);

#endif
