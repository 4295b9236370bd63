// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How long a way on a graph is at least, from the distances of all nodes from a few landmarks
// (Goldberg and Harrelson 2005): nobody is nearer to the end of his way than the difference of what
// both are from a landmark. On street grids, where the straight distance says little, searches then
// look at few nodes beside the way.

#ifndef THRONG_SRC_PLAN_ROUTE_LANDMARKS_H
#define THRONG_SRC_PLAN_ROUTE_LANDMARKS_H

#include "plan/route/route_graph.h"

#define TH_LANDMARKS 8

typedef struct thRouteLandmarks {
    thArray distances; // double: TH_LANDMARKS of each node, infinite where there is no way [units]
} thRouteLandmarks;

thRouteLandmarks thiRouteLandmarks(thMemory* memory);
void thiRouteLandmarksFree(thRouteLandmarks* landmarks);

// Chooses landmarks far apart in what is likely the largest part of the graph that hangs together.
// Graphs that are small, or so large that it takes long, have none.
thResult thiFindLandmarks(thRouteLandmarks* landmarks, const thRouteGraph* graph);

// What the stops of a search are from the landmarks.
typedef struct thRouteStops {
    double ahead[TH_LANDMARKS];  // the least of distance and what is left from there
    double behind[TH_LANDMARKS]; // the most of distance less that
} thRouteStops;

thRouteStops thiLandmarksOfStops(const thRouteLandmarks* landmarks, const thRouteSeed* stops,
                                 int32_t stopCount);

// What is left from a node to the nearest stop, at least; infinite if none can be reached. [units]
double thiLandmarksLeft(const thRouteLandmarks* landmarks, const thRouteStops* stops, int32_t node);

#endif
