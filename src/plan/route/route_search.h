// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The shortest path from a place to a goal by A*. Which nodes the place and the goal can be reached
// from is asked only of those that matter.

#ifndef THRONG_SRC_PLAN_ROUTE_SEARCH_H
#define THRONG_SRC_PLAN_ROUTE_SEARCH_H

#include "plan/route/route_near.h"

// How long a path on a graph is at least, from the distances of all nodes from a few landmarks
// (Goldberg and Harrelson 2005): nobody is nearer to the end of his path than the difference of
// what both are from a landmark. On street grids, where the straight distance says little, searches
// then look at few nodes beside the path.
#define TH_LANDMARKS 8

typedef struct thRouteLandmarks {
    thArray distances; // double: TH_LANDMARKS of each node, infinite where there is no path [units]
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

typedef struct thRouteQuery {
    const thRouteGraph* graph;
    const thRouteNear* near;
    double x, y;                   // where the path begins [units]
    double beside;                 // how far that may be within outlines, see thiIsTaut [units]
    const thRouteHorizon* horizon; // of that place; NULL: not known
    thRouteLeft left;              // discs round the goal
    // Nodes where the path can begin, and how far they are. NULL: where `begins` says so.
    const thRouteSeed* starts;
    int32_t startCount;
    // That gives the length of the path to there, if it is not straight.
    bool (*begins)(void* context, int32_t node, double* length);
    // Nodes where it can end, and what is left then. NULL: where `ends` says so. [units]
    const thRouteSeed* stops;
    int32_t stopCount;
    bool (*ends)(void* context, int32_t node, thRouteSeed* stop);
    const thCrowdMap* crowd;           // NULL: none
    const thRouteLandmarks* landmarks; // used with stops; NULL: there are none
    void* context;
    double limit; // only paths that cost less than this are looked for [units]
    bool anyBend; // the graph's turns are not looked at
} thRouteQuery;

typedef struct thRouteFound {
    int32_t count;  // number of nodes, 0: there is no path; all of them, also if they did not fit
    double length;  // of the whole path [units]
    double cost;    // that and what the crowd adds
    int32_t last;   // the node where it leaves the graph
    int32_t effort; // about as many legs were looked at
} thRouteFound;

// Memory for a search. [bytes]
size_t thiRouteSearchSize(const thRouteGraph* graph, const thRouteNear* near);

// Writes the first `capacity` nodes of the path that costs least. Of paths of equal cost the one
// over lower nodes is found, as far as the graph decides.
thRouteFound thiFindRoute(const thRouteQuery* query, void* memory, int32_t* nodes,
                          int32_t capacity);

#endif
