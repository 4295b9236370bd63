// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Corners along a street are often exactly on one line, and each of them sees all others. An edge
// past the next corner of its line is of no use if a way over that one is as long.
//
//      ○────○────○────○    three edges, not six

#ifndef THRONG_SRC_PLAN_VISIBILITY_LINES_H
#define THRONG_SRC_PLAN_VISIBILITY_LINES_H

#include "plan/route/route_graph.h"

// The next nodes along the axes, as lengths are counted: others are hardly ever on one line.
typedef struct thNextOnLine {
    int32_t left, right, below, above; // −1: there is none
} thNextOnLine;

typedef struct thRouteLines {
    thArray next; // thNextOnLine of each node
} thRouteLines;

thRouteLines thiRouteLines(thMemory* memory);
void thiRouteLinesFree(thRouteLines* lines);
thResult thiFindLines(thRouteLines* lines, const thRouteGraph* graph);

// The node next to the first on a line to the second, between both; −1 if there is none.
int32_t thiNodeBetween(const thRouteLines* lines, const thRouteGraph* graph, int32_t from,
                       int32_t to);

#endif
