// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#ifndef THRONG_SRC_PLAN_GRAPH_PLANNER_WALKER_H
#define THRONG_SRC_PLAN_GRAPH_PLANNER_WALKER_H

#include "plan/graph/graph_planner_internal.h"

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
    const thRouteField* field;
    const thGoalTree* tree; // NULL: it searches for itself
    thRouteGoal goal;
    thShapeRoom room;
    thCrowdMap others; // the crowd without it, if there is one
    thPoint place;
    float ease;       // for ways that begin where it is [m]
    double limit;     // only ways that cost less are looked for [units]
    bool anyBend;     // ways may bend away from corners
    int32_t first;    // of ways that stay on the graph: the node where they begin
    thRouteEnd* ends; // and where they end
    bool seesAny;     // it sees a node
    int32_t effort;
    thRouteHorizon horizon; // while it plans
} thRouteWalker;

// False when memory is out, or there is no field for it yet. The walker's shapes are to be freed in
// any case.
bool thiOpenWalker(thRouteSolver* solver, int32_t lane, int32_t goal, thRouteWalker* walker);

// Goes on to later points of the way that are in sight. False: the way is to be planned anew, as it
// is for one without a way if it tries `again`. A `brief` look sees only whether the agent can go
// on, as far as it matters soon.
bool thiLookOnWay(thRouteWalker* walker, bool again, bool brief);

// Plans the way from where the agent is.
void thiPlanWay(thRouteWalker* walker, uint32_t goalMark);

// Looks for a way that is clearly better than the one it is on, among the crowd as it was counted
// last.
void thiImproveWay(thRouteWalker* walker);

#endif
