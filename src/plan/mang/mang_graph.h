// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The multi-agent navigation graph (Sud and others, 2008), read off the two nearest sites of every
// pixel. For each agent it has the Voronoi diagram of everybody else.
//
// Between two pixels is a crack. It is red where their nearest sites differ, and black where an
// agent is the nearest of both and the second-nearest differ. Vertices are where other than two
// cracks meet; edges are the chains of cracks between them. The diagram without agent i is then the
// red edges that do not bound its region, and the black edges within it.

#ifndef THRONG_SRC_PLAN_MANG_GRAPH_H
#define THRONG_SRC_PLAN_MANG_GRAPH_H

#include "geom/two_nearest.h"

#include <math.h>

typedef struct thMangVertex {
    thVec2 place; // a corner of pixels [m]
    bool isRed;   // a red edge ends here
    bool isSeam;  // there was none: where a closed edge begins
} thMangVertex;

typedef struct thMangEdge {
    int32_t ends[2];      // vertices; the same one where it is closed
    int32_t governors[2]; // sites that are as near, ascending: the nearest of red edges, the
                          // second-nearest of black ones
    int32_t owner;        // of a black edge the agent's site that is nearer; −1: it is red
    int32_t first, count; // of its points, the middles of its cracks, from one end to the other
    float length;         // of the line over them [m]
    float clearance;      // least distance from all sites but the owner, at its pixels [m]
    float without[2];     // the same for a governor of a red edge itself, see thiMangClearance
} thMangEdge;

// Sites are numbered with obstacles first, then agents.
typedef struct thMangGraph {
    int32_t siteCount, obstacleCount;
    thArray vertices, edges; // thMangVertex, thMangEdge
    thArray points;          // thVec2 [m]
    // Of all others the first of each vertex, agent or site, and one more; then numbers, ascending.
    thArray edgeStarts, edgesOf;             // of a vertex; a closed edge twice
    thArray ownEdgeStarts, ownEdges;         // of an agent: black edges
    thArray ownVertexStarts, ownVertices;    // of an agent: where black edges only meet
    thArray borderStarts, borderVertices;    // of a site: red vertices about its region
    thArray corners, rowStarts, ways, loops; // while it is made
} thMangGraph;

thMangGraph thiMangGraph(thMemory* memory);
void thiMangGraphFree(thMangGraph* graph);

// Makes it of the nearest sites of pixels, of which there are `siteCount`. Vertices and edges come
// in an order that the fields alone decide. Without memory the graph is empty.
thResult thiMakeMangGraph(thMangGraph* graph, const thTwoNearest* fields, int32_t siteCount,
                          int32_t obstacleCount, const thTasks* tasks);

// An edge's least distance from everybody but an agent; −infinity where the edge is no part of the
// diagram without it. Pixels make a short piece of the border of an agent's own region a part of
// that: where the nearest site of the one side is not the second-nearest of the other one.
static inline float thiMangClearance(const thMangEdge* edge, int32_t agent)
{
    if (edge->owner >= 0)
        return edge->owner == agent ? edge->clearance : -INFINITY;
    for (int32_t i = 0; i < 2; ++i)
        if (edge->governors[i] == agent)
            return edge->without[i];
    return edge->clearance;
}

#endif
