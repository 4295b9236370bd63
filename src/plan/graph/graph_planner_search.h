// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The search of one agent for a route over nodes, and what it knows while it looks round.

#ifndef THRONG_SRC_PLAN_GRAPH_PLANNER_SEARCH_H
#define THRONG_SRC_PLAN_GRAPH_PLANNER_SEARCH_H

#include "plan/graph/graph_planner_internal.h"

// Where paths that stay on the graph leave it for one shape of the goal.
typedef struct thRouteEnd {
    thRouteDisc disc; // round the shape
    double within;    // nodes as near as this, if they see it [units]
} thRouteEnd;

// Finds that for each shape. `memory` is as much as a walk needs.
void thiFindRouteEnds(const thRouteFloor* floor, const thRouteGoal* goal, double leavesWithin,
                      void* memory, thRouteEnd* ends);
// Whether a node is one of these, and what is left from there: infinite if not.
bool thiIsRouteEnd(const thRouteFloor* floor, const thRouteGoal* goal, const thRouteEnd* ends,
                   int32_t node, thRouteSeed* end);

// A batch that is being solved. Memory for searches comes when the first agent needs it.
typedef struct thRouteSolver {
    const thGraphPlanner* planner;
    const thBatch* batch;
    void* memory;
    size_t memorySize;
    int64_t asked[2], served[2], effort[2], lost; // as in thRouteCounts
} thRouteSolver;

// An agent that looks round.
typedef struct thRouteWalker {
    thRouteSolver* solver;
    thRouteState* state;
    const thRouteFloor* floor;
    const thGoalTree* tree; // NULL: it searches for itself
    thRouteGoal goal;
    thShapeRoom room;
    thCrowdMap others; // the crowd without it, if there is one
    thPoint place;
    thRouteBends bends; // of that place, while it plans
    float overlap;      // for paths that begin where it is [m]
    double limit;       // only paths that cost less are looked for [units]
    bool anyBend;       // paths need not be taut at nodes
    int32_t first;      // of paths that stay on the graph: the node where they begin
    thRouteEnd* ends;   // and where they end
    bool seesAny;       // it sees a node
    int32_t effort;
    thRouteHorizon horizon; // while it plans
} thRouteWalker;

// Whether the agent can go straight to a node, and where: a portal is crossed where it suits.
bool thiSeesNode(thRouteWalker* walker, int32_t index, thPoint* place);

// The same where paths may go over a bend, if the node is not in sight; `length` is then what that
// is. [units]
bool thiSeesOverBend(const thRouteWalker* walker, int32_t index, thPoint* bend, double* length);

// Whether the path over a node could be the shortest: it is taut there.
bool thiIsTautOver(const thRouteWalker* walker, int32_t node);

// The first node of the cheapest route that costs less than the limit, which becomes the agent's;
// −1 if there is none. Also its length, if there is no tree. [units]
int32_t thiFindOverNodes(thRouteWalker* walker, double limit, double* length);

#endif
