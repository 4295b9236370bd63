// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What planners over graphs share: graphs, trees of shortest paths, and agents that are led along
// them. Planners differ in how a graph is made; one is made for each floor and class of radii that
// agents need.
//
//     prepare   who heads where? ─▶ graphs ─▶ goals of several agents get a tree of shortest paths
//     solve     steer to the target; now and then look whether a later point is in sight, or the
//               target is not: then plan, from the tree or by a search of one's own
//
// Work is counted, never timed. Trees grow by so many nodes a step; who needs a plan may have to
// wait for its turn, which follows from its key, the step, and how many asked in the step before.

#ifndef THRONG_SRC_PLAN_GRAPH_PLANNER_H
#define THRONG_SRC_PLAN_GRAPH_PLANNER_H

#include "plan/route/route_graph.h"
#include "plan/route/route_space.h"
#include "throng/method.h"

typedef struct thGraphPlanner thGraphPlanner;

// Makes the graph of a floor for discs of the space's radius, into an empty one. The former graph,
// NULL if there is none, may save work but must not change the result.
typedef thResult thMakeGraphFcn(const void* params, const thFrame* frame, int32_t level,
                                const thRouteSpace* space, const thTasks* tasks,
                                const thFormerGraph* former, thRouteGraph* graph);

// How one is created.
typedef struct thGraphPlannerDef {
    thMakeGraphFcn* makeGraph;
    const void* params;  // of the method: handed on, and must live as long as the planner
    int32_t lookEvery;   // steps from one look to the next, at least 1
    int32_t maxTrees;    // for goals beyond, agents search for themselves
    float crowding;      // what a metre of path costs more for each agent in a square metre [m²]
    int32_t refresh;     // steps after which the crowd is counted anew, at least 1
    double leavesWithin; // paths begin at the nearest node in sight, and end at nodes as near to
                         // the goal as this, or the nearest; 0: anywhere [units]
    const char* noPath;  // the reason where the graph leads nowhere
} thGraphPlannerDef;

// What an agent waits for.
typedef enum thAsked {
    th_askedNothing,
    th_askedPath,  // it has none
    th_askedBetter // the crowd was counted anew
} thAsked;

// An agent's own bytes. What is needed in every step comes first.
#define TH_ROUTE_NODES 49
typedef struct thRouteState {
    int32_t goal;              // slot + 1; 0: it has no path
    int32_t list, index;       // that is the agent's goal, or this one of its list of goals
    uint32_t mark;             // of what the path was found in
    int32_t targetX, targetY;  // where it goes now [units]
    float rest;                // from there to the goal [m]
    int32_t shape;             // of the goal, as a slot: where the path leads
    uint8_t aim;               // what it heads for
    uint8_t asked;             // it waits for its turn: a thAsked
    uint8_t nodeCount, nodeAt; // of `nodes`, and the one it heads for
    uint8_t isCut;             // its own route goes on after these nodes
    uint8_t round;    // of counting the crowd, its lowest bits: when it looked for a better path
    uint8_t isFormer; // the path leads to the goal it had before: gone on until it has another
    uint8_t hurries;  // it got goal after goal while it waited: it does not wait for trees
    uint8_t isTight;  // the goal is nearer to walls than it can come
    // The corner of walls that it heads for, if openBy is not 0: how the wall on its side goes away
    // from the corner, and where it is open, as unit vectors in 1/127; how far, in 1/32 m.
    int8_t wallX, wallY, openX, openY;
    uint8_t openBy;
    uint8_t unused[2];
    uint32_t goalMark; // of the goal's shape
    int32_t node;      // it heads for; from beside it: after that, −1 for the goal
    int32_t last;      // of a route of its own: where it leaves the graph
    // Of a route of its own. Of one along a tree the first is the node where it began: there are
    // one node and none to come. None at all: it goes straight.
    int32_t nodes[TH_ROUTE_NODES];
} thRouteState;
_Static_assert(sizeof(thRouteState) == 256, "no padding: it is saved and hashed as it is");

thResult thiCreateGraphPlanner(const thMethodHost* host, const thGraphPlannerDef* def,
                               thGraphPlanner** planner);
void thiDestroyGraphPlanner(thGraphPlanner* planner);

// For the functions of a method whose agents' bytes are a thRouteState. `otherMark` is a number
// that differs when what graphs are made of, beside walls, has become different; it depends on that
// alone, so that it is the same after a restore.
thResult thiPrepareGraphPlanner(thGraphPlanner* planner, const thFrame* frame, const thTasks* tasks,
                                uint32_t otherMark);
void thiSolveOnGraph(const thGraphPlanner* planner, const thBatch* batch);
thResult thiSaveGraphPlanner(const thGraphPlanner* planner, thWriter* to);
thResult thiLoadGraphPlanner(thGraphPlanner* planner, thReader* from);
void thiTellGraphPath(const thGraphPlanner* planner, const thFrame* frame, int32_t row,
                      const thRouteState* state, thPathOut* out);
thResult thiSketchGraph(const thGraphPlanner* planner, const thFrame* frame, int32_t row,
                        thSketch* to);

#endif
