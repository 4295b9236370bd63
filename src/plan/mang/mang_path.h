// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The path of one agent over the multi-agent navigation graph, by the diagram of everybody else,
// and the place on it to go to first, which is nobody else's.

#ifndef THRONG_SRC_PLAN_MANG_PATH_H
#define THRONG_SRC_PLAN_MANG_PATH_H

#include "plan/mang/mang_graph.h"

// Who wants where. Places are in the raster's metres.
typedef struct thMangQuery {
    int32_t agent;       // its site
    thVec2 place, goal;  // goals beyond the raster are in the region of its nearest pixel
    float radius;        // of the agent [m]
    float margin;        // edges keep this distance beyond the radius [m, >= 0]
    float comfort;       // a way of less distance beyond the radius costs more: as many times [m]
    float inward;        // goals on the way stay so far within the own region, or half an edge;
                         // 0: they may be on its border, where others may have the same [m]
    bool straightToNext; // to goals in a neighbour's region, if they are in sight
} thMangQuery;

typedef enum thMangWay {
    th_mangStraight, // the goal is in the own region, or in sight in the next one
    th_mangOverGraph,
    th_mangNoGraph, // there is no black edge that it could go to
    th_mangNoWay    // the graph does not lead to the goal, or only through gaps too narrow
} thMangWay;

typedef struct thMangPath {
    thMangWay way;
    thVec2 next;             // where to go now; the goal, if there is no way over the graph
    double cost;             // of all of it [m]; infinite if there is no way
    int32_t count;           // of vertices of the graph; 0 unless the way is over it
    const int32_t* vertices; // in order
    const int32_t* edges;    // on which it comes to each vertex; −1: not on one
    int32_t pointCount;      // at least 2
    const thVec2* points;    // from the place to the goal [m]
} thMangPath;

// Finds the cheapest path. Of equal ones it takes what depends on the graph alone. The path's lists
// come from the arena, as does scratch memory.
thResult thiFindMangPath(const thMangGraph* graph, const thTwoNearest* fields,
                         const thMangQuery* query, thArena* arena, thMangPath* path);

// What a metre costs at a distance from everybody else; infinite where it is too near.
double thiMangCostAt(const thMangQuery* query, float pixel, float clearance);

// The least distance from everybody but the agent along a line, and from the other agent whose
// region it leads to; −1 if that counts as well. By pixels. [m]
float thiMangClearanceAlong(const thTwoNearest* fields, int32_t agent, int32_t other, thVec2 from,
                            thVec2 to);

#endif
