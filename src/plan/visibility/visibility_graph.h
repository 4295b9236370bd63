// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The reduced visibility graph of the static walls of one floor, grown by a radius. Nodes are where
// a shortest path can bend, edges where it can run.
//
// A path bends only at corners that stand out into free space, and an edge is worth keeping only if
// it is taut at both ends: if it touches the corner and does not run into it when prolonged. Every
// other edge is longer than a path round.
//
//          edge ───────────○───  taut: goes by            edge ──○  not taut: runs in
//                     ┌────┘                                ┌────┘
//                     │                                     │

#ifndef THRONG_SRC_PLAN_VISIBILITY_GRAPH_H
#define THRONG_SRC_PLAN_VISIBILITY_GRAPH_H

#include "plan/route/route_graph.h"
#include "plan/route/route_space.h"
#include "throng/tasks.h"

// A place where paths can bend.
typedef struct thRouteCorner {
    thRouteNode node;
    thRouteTurn turn;
} thRouteCorner;

// Adds the corners of a floor, as thRouteCorner: a node for each quarter of a turn that paths can
// take round it, the circumscribed polygon of the arc at the radius, and smaller parts where that
// has no room. Corners in solid, and those without room for the disc, are left out.
thResult thiFindCorners(const thFrame* frame, int32_t level, const thRouteSpace* space,
                        thArray* corners);

// Replaces the graph, with the corners as its nodes. The space is one of the same floor. Depends on
// the walls alone, not on the number of workers, and not on a former graph: that one, where given,
// only makes it faster if few walls have changed.
thResult thiBuildVisibilityGraph(const thFrame* frame, int32_t level, const thRouteSpace* space,
                                 const thTasks* tasks, const thFormerGraph* former,
                                 thRouteGraph* graph);

#endif
