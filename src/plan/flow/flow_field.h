// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Fields of the lengths of shortest paths to a goal, over a grid of nodes: from every node, the
// path to one goal. Built in pieces, by count.

#ifndef THRONG_SRC_PLAN_FLOW_FIELD_H
#define THRONG_SRC_PLAN_FLOW_FIELD_H

#include "plan/field/field_grid.h"
#include "plan/flow/eikonal.h"
#include "plan/flow/slow_field.h"

typedef struct thFlowField {
    const thFieldGrid* grid; // must outlive the field; NULL before it is begun
    thEikonal lengths;
    bool done;
    bool isFine;  // all that is in the way of the disc is wider than a square of nodes
    bool isTight; // the goal is nearer to walls than the disc can come: paths end as near as it can
    const char* whyNone; // what to say where no path leads to the goal
    int32_t sourceCount; // of anchors: the first ones are parts of the goal
} thFlowField;

// Where a field began before it was saved: the goal may be elsewhere since.
typedef struct thFlowSources {
    thArray anchors; // thAnchor
    bool isTight;
} thFlowSources;

// Begins the field of a goal (thFrame_CurrentGoal) over a grid that is done.
thResult thiFlowFieldBegin(thMemory* memory, const thFrame* frame, int32_t goal,
                           const thFieldGrid* grid, thFlowField* field);
// Begins it again where it began before.
thResult thiFlowFieldBeginAt(thMemory* memory, const thFrame* frame, int32_t goal,
                             const thFieldGrid* grid, const thFlowSources* sources,
                             thFlowField* field);
void thiFlowFieldFree(thFlowField* field);

// Settles nodes until `*count` are used up, and takes them off.
thResult thiFlowFieldMarch(thFlowField* field, int64_t* count);

// Where to go from a place.
typedef struct thFlowAim {
    bool found;
    bool isGoal; // it is the place of the goal to go to
    thPoint to;
    int32_t next; // the anchor that follows; −1 if none does
    double left;  // of the whole path [units]
} thFlowAim;

// Straight to the furthest place on the path that is in sight. Places without room for the disc are
// led to the best node that can be seen from there. Also while the field is built, where it is
// finished already. `quickly`: the nodes round a place in the open are believed.
thFlowAim thiFlowAimFrom(const thFlowField* field, thPoint p, bool quickly);

// The same where a crowd slows paths down (NULL: none does): another path if that costs less. What
// it aims at then is a place a little ahead.
thFlowAim thiFlowAimAmong(const thFlowField* field, const thSlowField* slow, thPoint p,
                          bool quickly);

// Goes on along a path: the next place after `at`, and what follows. False at its end.
bool thiFlowNext(const thFlowField* field, int32_t* next, thPoint* at);

// Draws the field, which must have nodes: contour lines, from which the path is equally long, and
// lines along which agents would go, evenly spread. `slow`: how a crowd slows them; NULL: it does
// not.
thResult thiSketchFlowField(const thFlowField* field, const thSlowField* slow, thSketch* to);

#endif
