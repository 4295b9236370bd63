// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How crowds pass corners of walls: side by side. The shortest paths of all lead over the same
// point, so who is held up by people between it and the corner keeps its distance from the wall
// instead, as far as the way is wide enough there and beyond.

#ifndef THRONG_SRC_PLAN_GRAPH_PLANNER_CORNER_H
#define THRONG_SRC_PLAN_GRAPH_PLANNER_CORNER_H

#include "plan/graph/graph_planner_search.h"

// Notes in the walker's state how wide the corner of a node can be passed, when it begins to head
// for it, or looks again. Ends of walls and narrow ways are passed in one file.
void thiOpenCorner(thRouteWalker* walker, int32_t node, thPoint place);

// Where an agent goes that heads for a node at `to`, relative to it. [m]
thVec2 thiPassCorner(const thBatch* batch, int32_t lane, const thRouteState* state, thVec2 to);

// Whether it stays in its lane until it is round the corner, because others press it and a way as
// wide goes on there. Otherwise it turns as soon as it sees what comes next.
bool thiKeepsLane(const thRouteSpace* space, const thBatch* batch, int32_t lane,
                  const thRouteState* state);

#endif
