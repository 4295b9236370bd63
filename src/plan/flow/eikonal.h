// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The eikonal equation |∇left| = 1 on a grid among walls: from every node how long the path to the
// goal is. Fast marching, factored at the goal and at every corner: each node keeps the anchor that
// its path goes straight to, a part of the goal or a place where paths bend round a corner.
//
// What is marched is which anchor that is; lengths follow from the anchors and are exact where
// these are in view. So nothing is differenced across walls, and errors neither grow with the
// length of a path nor start at corners.

#ifndef THRONG_SRC_PLAN_EIKONAL_H
#define THRONG_SRC_PLAN_EIKONAL_H

#include "geom/segment.h"
#include "plan/field/field_grid.h"
#include "plan/field/front.h"

#include <math.h>

// Where paths go straight to: all within `radius` of the segment a b, which may be a point.
typedef struct thAnchor {
    thPoint a, b;
    double radius; // [units]
    double left;   // from here to the goal [units]
    int32_t next;  // the anchor after it; −1 if this is the goal
    thPoint from;  // the place of that anchor which is nearest
    int32_t turn;  // of paths that come from there to go round it: 1 to the left, −1 to the right
} thAnchor;

// The place of an anchor nearest to p, and how far that is. Almost all anchors are points. [units]
double thiNearestOfShape(const thAnchor* anchor, thPoint p, thPoint* place);
static inline double thiNearestOfAnchor(const thAnchor* anchor, thPoint p, thPoint* place)
{
    if (!thiSamePoint(anchor->a, anchor->b) || anchor->radius > 0.0)
        return thiNearestOfShape(anchor, p, place);
    const double dx = (double)anchor->a.x - p.x, dy = (double)anchor->a.y - p.y;
    *place = anchor->a;
    return sqrt(dx * dx + dy * dy);
}

// Whether the leg between two places is clear.
typedef struct thLegCheck {
    bool (*isClear)(const void* context, thPoint from, thPoint to);
    const void* context;
} thLegCheck;

// One solution. While it is not done, nodes that have been reached but not settled have anchors
// below −1; afterwards nobody has.
typedef struct thEikonal {
    thMemory* memory;
    const thNodeGrid* grid;
    thLegCheck check;
    bool skipsNothing; // walls keep paths off at least as far as squares of nodes are wide
    float* left;       // of each node: length of its path [m]; infinite where none is known
    int32_t* anchor;   // of each node: its anchor; −1 where no path is known
    thArray anchors;   // thAnchor
    thArray heap;      // nodes that have been reached, the nearest first
    int64_t settled;   // nodes so far
} thEikonal;

// A solution without sources; th_resultNoMemory leaves nothing to free.
thResult thiEikonalCreate(thMemory* memory, const thNodeGrid* grid, thEikonal* field);
void thiEikonalFree(thEikonal* field);

// Adds a part of the goal. Nodes that see it within `reach` start from there; for sources outside
// the grid, the nodes at its border. [units]
thResult thiEikonalAddSource(thEikonal* field, const thAnchor* source, double reach);

// Settles up to `count` more nodes, nearest first. What comes out does not depend on how the work
// is cut. Done when none is left.
thResult thiEikonalMarch(thEikonal* field, int64_t count, bool* done);

// Where paths from p bend that lead over a settled node to its anchor, if p sees the node and not
// that: the path is clear from p to there, and from there to the anchor.
thPoint thiFindCorner(const thEikonal* field, thLegCheck check, int32_t node, thPoint p);

static inline const thAnchor* thiAnchorAt(const thEikonal* field, int32_t index)
{
    return &TH_ITEMS(field->anchors, thAnchor)[index];
}

static inline bool thiIsSettled(const thEikonal* field, int32_t node)
{
    return field->anchor[node] >= 0;
}

#endif
