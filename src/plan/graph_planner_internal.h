// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#ifndef THRONG_SRC_PLAN_GRAPH_PLANNER_INTERNAL_H
#define THRONG_SRC_PLAN_GRAPH_PLANNER_INTERNAL_H

#include "plan/graph_planner.h"
#include "plan/route_goal.h"
#include "plan/route_search.h"

#include <stdatomic.h>

// Radii are rounded up to multiples of this. [m]
#define TH_ROUTE_CLASS 0x1p-6f

// Agents with a goal that get a tree.
#define TH_SHARES_FROM 4

// What an agent heads for.
enum { th_aimNothing, th_aimNode, th_aimNearest, th_aimPoint, th_aimNowhere };

// Where agents of one class of radii can go on one floor.
typedef struct thRouteField {
    int32_t radiusClass, level;
    uint32_t mark; // of what it was made of
    thRouteSpace* space;
    thRouteGraph graph;
    thRouteNear near;
    thRouteLandmarks landmarks;
} thRouteField;

// The shortest ways of a field to one goal.
typedef struct thGoalTree {
    int32_t radiusClass, level, goal;
    uint32_t goalMark;
    int32_t users; // agents that head there now
    bool planted, ready;
    int32_t regrow; // after a restore: 1 + the nodes that are settled at once
    thRouteTree tree;
    thArray ofBoxes; // double: the least distance of each box of the field
} thGoalTree;

// What agents count while they plan, for the next step.
typedef struct thRouteCounts {
    _Atomic int64_t asked;  // agents that wait for their turn
    _Atomic int64_t served; // agents that planned
    _Atomic int64_t effort; // and what it took: places and nodes looked at
} thRouteCounts;

// Agents by where they head for.
typedef struct thRouteNeed {
    int32_t radiusClass, level, goal;
    int32_t users;
} thRouteNeed;

struct thGraphPlanner {
    thMemory memory;
    thGraphPlannerDef def;
    int32_t profile;
    uint64_t wallsRevision, goalsRevision; // of the frame, as last seen; 0: not yet
    uint32_t otherMark;                    // as it was given last
    uint32_t mark;                         // of all that fields are made of
    thArray fields;                        // thRouteField, in the order (class, level)
    thArray formerFields;                  // those of before a change, until there are new ones
    thArray trees;                         // thGoalTree, in the order (class, level, goal)
    thArray needs;                         // thRouteNeed of this step, in order
    thArray needTable;                     // int32_t: 1 + index of a need, by hash; 0 is none
    thRouteCounts* counts;
    double meanEffort; // of one plan
    int32_t turns;     // who asks is served in one of so many steps
    bool mustAsk;      // nobody plans without having asked in the step before
};

// The field or tree, NULL if there is none.
thRouteField* thiFindRouteField(const thGraphPlanner* planner, int32_t radiusClass, int32_t level);
thGoalTree* thiFindGoalTree(const thGraphPlanner* planner, int32_t radiusClass, int32_t level,
                            int32_t goal);

// Makes, grows and drops trees, after the needs of a step were counted and fields made.
thResult thiTendGoalTrees(thGraphPlanner* planner, const thFrame* frame, const thTasks* tasks);
void thiFreeGoalTree(thGoalTree* tree);

// The first of a sorted array's items that is not before (class, level, goal). Items begin with
// these three numbers, those of fields with the first two.
int32_t thiPlaceByKey(const thArray* items, int32_t keys, const int32_t* key);

// Makes room for an item at a place of an array, and moves the later ones up.
void* thiInsertItem(thArray* array, int32_t place);

int32_t thiRouteClass(float radius);

// A number that changes when a field is made of something else; differs between fields.
static inline uint32_t thiMarkOfField(const thGraphPlanner* planner, int32_t radiusClass,
                                      int32_t level)
{
    return planner->mark + 2654435761u * (uint32_t)level + 40503u * (uint32_t)radiusClass;
}

// The shapes of a goal; few need no memory.
#define TH_SHAPES 8
typedef struct thShapeRoom {
    thGoalShape few[TH_SHAPES];
    thGoalShape* many;
    size_t size;
} thShapeRoom;

// False when memory is out. The shapes are to be freed in any case.
bool thiLookUpGoal(thMemory* memory, const thFrame* frame, const thRouteSpace* space, int32_t goal,
                   thShapeRoom* room, thRouteGoal* result);
void thiFreeShapes(thMemory* memory, thShapeRoom* room);

// Where ways that stay on the graph leave it for one shape of the goal.
typedef struct thRouteEnd {
    thRouteDisc disc; // round the shape
    double within;    // nodes as near as this, if they see it [units]
} thRouteEnd;

// Finds that for each shape. `memory` is as much as a walk needs.
void thiFindRouteEnds(const thRouteField* field, const thRouteGoal* goal, double stays,
                      void* memory, thRouteEnd* ends);
// Whether a node is one of these, and what is left from there. [units]
bool thiIsRouteEnd(const thRouteField* field, const thRouteGoal* goal, const thRouteEnd* ends,
                   int32_t node, double* left);

#endif
