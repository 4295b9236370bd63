// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The state of a graph planner, for the files that it is made of: floors, trees, needs and counts.

#ifndef THRONG_SRC_PLAN_GRAPH_PLANNER_INTERNAL_H
#define THRONG_SRC_PLAN_GRAPH_PLANNER_INTERNAL_H

#include "plan/graph/graph_planner.h"
#include "plan/route/route_aim.h"
#include "plan/route/route_search.h"

#include <stdatomic.h>

// Radii are rounded up to multiples of this. [m]
#define TH_ROUTE_CLASS 0x1p-6f
#define TH_ROUTE_CLASSES (1 << 24) // more than any radius has

// Agents with a goal that get a tree.
#define TH_SHARES_FROM 4

// What an agent heads for: a node, the nearest point of a shape, another point on the path there, a
// goal that is that point, or a place beside it from where its path begins.
enum {
    th_aimNothing,
    th_aimNode,
    th_aimNearest,
    th_aimPoint,
    th_aimGoal,
    th_aimNowhere,
    th_aimBeside
};

// Where agents of one class of radii can go on one floor.
typedef struct thRouteFloor {
    int32_t radiusClass, level;
    uint32_t mark;       // of what it was made of
    thRouteSpace* space; // NULL: it is to be made
    thRouteGraph graph;
    thRouteNear near;
    thRouteLandmarks landmarks;
} thRouteFloor;

// A tree of shortest paths, as far as it has grown.
typedef struct thTreeGrowth {
    bool planted, ready;
    int32_t regrow;    // after a restore: 1 + the nodes that are settled at once
    uint32_t round;    // of counting the crowd that its costs are from
    uint32_t goalMark; // of the goal's shape when it was planted
    thArray seeds;     // thRouteSeed: where it was planted
    thRouteTree tree;
    thArray ofBoxes; // double: the least distance of each box of the floor
} thTreeGrowth;

// The shortest paths of a floor to one goal.
typedef struct thGoalTree {
    int32_t radiusClass, level, goal;
    uint64_t goalId;    // another goal may come into the slot
    uint32_t goalMark;  // of the goal's shape as it is
    int32_t users;      // agents that head there now
    uint64_t plantedAt; // the step in which one was planted last
    thTreeGrowth now;   // what agents go by
    thTreeGrowth next;  // the same for the crowd as it was counted since, and for a goal that has
                        // moved; empty if neither was
} thGoalTree;

// What agents count while they plan, for the next step.
typedef struct thRouteCounts {
    _Atomic int64_t asked[2];  // agents that wait for their turn: with a tree, and without
    _Atomic int64_t served[2]; // agents that planned
    _Atomic int64_t effort[2]; // and what it took: places and nodes looked at
    _Atomic int64_t lost;      // agents for whom there is no floor
} thRouteCounts;

// Agents by where they head for.
typedef struct thRouteNeed {
    int32_t radiusClass, level, goal;
    int32_t users;
} thRouteNeed;

// What of a step is prepared already: one that failed is prepared again.
typedef struct thPrepared {
    uint64_t step;  // 1 + its number; 0: none
    bool hasAsked;  // what the agents of the step before counted is known
    bool mustCount; // it is to be counted who heads where
    bool hasCrowd;  // the crowd was counted, or need not be
    bool isDone;
    int32_t nodes; // that trees may still grow
} thPrepared;

struct thGraphPlanner {
    thMemory memory;
    thGraphPlannerDef def;
    int32_t profile;
    thSimd simd;
    uint64_t wallsRevision, goalsRevision; // of the frame, as last seen; 0: not yet
    bool sameGoals;                        // no goal came or went since the step before
    uint32_t otherMark;                    // as it was given last
    uint32_t mark;                         // of all that floors are made of
    thArray floors;                        // thRouteFloor, in the order (class, level)
    thArray formerFloors;                  // those of before a change, until there are new ones
    thArray trees;                         // thGoalTree, in the order (class, level, goal)
    thArray needs;                         // thRouteNeed of this step, in order
    thArray needTable;                     // int32_t: 1 + index of a need, by hash; 0 is none
    thArray spares;                        // thTreeGrowth: memory of trees that went
    thArray seeds, ends, walk;             // while a tree is planted
    int64_t agents;                        // that have a goal, as counted last
    int32_t rows;                          // of the frame then
    int64_t searchers;                     // that waited in the step before, without a tree
    uint32_t round;                        // of counting the crowd; 0: it was not counted yet
    uint64_t countedAt;                    // the step of that
    thArray crowds[2];                     // thCrowdMap of floors: of even and of odd rounds
    thRouteCounts* counts;
    double meanEffort[2]; // of one plan, with a tree and without; 0: not known
    int32_t turns;        // who asks is served in one of so many steps
    bool mustAsk;         // nobody plans without having asked in the step before
    thPrepared prepared;
};

// Whether there is a floor, made or still to be made, and adding one.
bool thiHasRouteFloor(const thGraphPlanner* planner, int32_t radiusClass, int32_t level);
thResult thiAddRouteFloor(thGraphPlanner* planner, int32_t radiusClass, int32_t level);
// The floor or tree, NULL if there is none.
thRouteFloor* thiFindRouteFloor(const thGraphPlanner* planner, int32_t radiusClass, int32_t level);
thGoalTree* thiFindGoalTree(const thGraphPlanner* planner, int32_t radiusClass, int32_t level,
                            int32_t goal);

// Trees that nobody needs go, and goals that several agents head for get one. After needs were
// counted.
thResult thiChooseGoalTrees(thGraphPlanner* planner, const thFrame* frame);
// Notices goals that have moved, or others in their slots.
thResult thiCheckTreeGoals(thGraphPlanner* planner, const thFrame* frame);
// Grows trees by about as many nodes, which are taken off, when floors are made; those that were
// restored to where they were before.
thResult thiGrowGoalTrees(thGraphPlanner* planner, const thFrame* frame, const thTasks* tasks,
                          int32_t* budget);
// Back to one that is not planted.
void thiResetGoalTree(thGoalTree* tree);
void thiFreeGoalTree(thGoalTree* tree);
void thiFreeSpareTrees(thGraphPlanner* planner);
thGoalTree thiGoalTree(thMemory* memory, int32_t radiusClass, int32_t level, int32_t goal);

// The crowd of a floor as it was counted in a round; NULL: it was not.
const thCrowdMap* thiFindCrowd(const thGraphPlanner* planner, uint32_t round, int32_t level);

// Makes room for an item at its place in a sorted array. Items begin with their keys: class, level
// and goal, those of floors only with the first two.
void* thiInsertByKey(thArray* items, int32_t keys, const int32_t* key);

int32_t thiRouteClass(float radius);

// How far an agent may overlap walls as a disc of its class: it is smaller, and rounding has slack.
// [m]
static inline float thiAllowedOverlap(const thRouteFloor* floor, float radius)
{
    return thiRouteRadius(floor->space) - radius + TH_ROUTE_SLACK;
}

// A number that changes when a floor is made of something else; differs between floors.
static inline uint32_t thiMarkOfFloor(const thGraphPlanner* planner, int32_t radiusClass,
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

// A goal without a crowd. False when memory is out. The shapes are to be freed in any case.
bool thiLookUpGoal(thMemory* memory, const thFrame* frame, const thRouteSpace* space, int32_t goal,
                   thShapeRoom* room, thRouteGoal* result);
void thiFreeShapes(thMemory* memory, thShapeRoom* room);

// Looks for the bends of a goal that is a point.
static inline void thiFindGoalBends(const thRouteFloor* floor, thRouteGoal* goal)
{
    thPoint point;
    if (thiPointOfGoal(goal, &point))
        goal->bends = thiFindBends(floor->space, &floor->graph, &floor->near, point);
}

#endif
