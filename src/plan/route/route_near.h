// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The nodes of a graph by place: a binary tree of boxes, of which each holds all places of its
// nodes. It gives nodes in the order of a lower bound of the path over them, so that a search looks
// at few of many.

#ifndef THRONG_SRC_PLAN_ROUTE_NEAR_H
#define THRONG_SRC_PLAN_ROUTE_NEAR_H

#include "plan/route/route_graph.h"
#include "plan/route/route_space.h"

typedef struct thRouteBox {
    double lowX, lowY, highX, highY;
} thRouteBox;

typedef struct thRouteNear {
    thArray order;  // int32_t: nodes, those of a box side by side
    thArray boxes;  // thRouteBox: box k holds boxes 2k + 1 and 2k + 2
    int32_t leaves; // number of boxes that hold nodes: the last ones
} thRouteNear;

// The nodes of the box: `order` from `begin` to `end` − 1. Only the boxes that hold no others have
// any.
typedef struct thRouteRange {
    int32_t begin, end;
} thRouteRange;
thRouteRange thiNodesOfBox(const thRouteNear* near, int32_t box);

bool thiIsBoxHidden(const thRouteNear* near, int32_t box, const thRouteHorizon* horizon);

thRouteNear thiRouteNear(thMemory* memory);
void thiRouteNearFree(thRouteNear* near);
thResult thiRouteNearBuild(thRouteNear* near, const thRouteGraph* graph);

// A part of a goal: all of it is within `reach` of a point. [units]
typedef struct thRouteDisc {
    double x, y, reach;
} thRouteDisc;

// What is left from a node to the goal, at least: as known from a tree, or the straight distance to
// the nearest of several discs. Without either it is 0: then the nearest nodes come first.
typedef struct thRouteLeft {
    const double* ofNodes; // NULL: discs
    const double* ofBoxes; // the least of all nodes of a box
    const thRouteDisc* discs;
    int32_t discCount;
} thRouteLeft;

double thiRouteLeftOf(const thRouteLeft* left, const thRouteGraph* graph, int32_t node);

// The least of a box, for each; `ofBoxes` has room for as many as there are boxes.
void thiRouteNearLeast(const thRouteNear* near, const double* ofNodes, double* ofBoxes);

// Nodes in the order (distance from a place + what is left, node), without those that a horizon
// hides.
typedef struct thRouteWalk {
    const thRouteNear* near;
    const thRouteGraph* graph;
    thRouteLeft left;
    const thRouteHorizon* horizon; // to be set after the beginning; NULL: nothing is hidden
    double x, y;
    struct thRouteStop {
        double bound;
        int32_t item; // a box, or −1 − node
    } * heap;
    int32_t count;
} thRouteWalk;

// Memory for the walk's heap. [bytes]
size_t thiRouteWalkSize(const thRouteNear* near);
thRouteWalk thiBeginRouteWalk(const thRouteNear* near, const thRouteGraph* graph,
                              const thRouteLeft* left, double x, double y, void* memory);

// A lower bound of all that is to come, infinite at the end.
double thiRouteWalkBound(const thRouteWalk* walk);
// The next node, −1 if its bound is not below `limit`.
int32_t thiRouteWalkNext(thRouteWalk* walk, double limit, double* bound);

#endif
