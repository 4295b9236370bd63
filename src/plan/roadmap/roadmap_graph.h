// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// From a roadmap as it was described to the graph of one floor and one class of radii. Nodes are
// where the disc can stand, edges where it can walk straight. Graphs depend on walls, radius and
// seed alone, not on the number of workers.

#ifndef THRONG_SRC_PLAN_ROADMAP_GRAPH_H
#define THRONG_SRC_PLAN_ROADMAP_GRAPH_H

#include "plan/route/route_graph.h"
#include "plan/route/route_space.h"
#include "throng/method.h"
#include "throng/tasks.h"

// What a graph is made from and into.
typedef struct thRoadmapBuild {
    const thRoadmap* map;
    const thFrame* frame;
    const thRouteSpace* space; // of the roadmap's floor
    const thTasks* tasks;
    thRouteGraph* graph; // empty
    thMemory* memory;    // the graph's
} thRoadmapBuild;

thResult thiMakeRoadmapGraph(const thRoadmapBuild* build);

// Parts of it: those that are made of cells.
thResult thiMakeGridRoadmap(const thRoadmapBuild* build);
thResult thiMakeMedialRoadmap(const thRoadmapBuild* build);

// The box that a rule works in: its own, or that of the floor's walls. False if there is none.
bool thiRoadmapBox(const thRoadmapBuild* build, thPoint* low, thPoint* high);

// Adds a node that is a place. Room for it must be there.
static inline void thiAddRoadmapPlace(thRouteGraph* graph, thPoint place)
{
    TH_ASSERT(graph->nodes.count < graph->nodes.capacity);
    thRouteNode* node = &TH_ITEMS(graph->nodes, thRouteNode)[graph->nodes.count++];
    *node = (thRouteNode){.place = place, .x = place.x, .y = place.y, .a = place, .b = place};
}

#endif
