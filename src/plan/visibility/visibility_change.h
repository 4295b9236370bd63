// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What of a former visibility graph stays when walls have changed. Whether two corners are joined
// depends on themselves and on the walls near the straight line between them. So of two corners
// that there were before, only those whose line passes an area where walls came or went are looked
// at.
//
//      ○───────────────○   stays
//          ┌ ─ ─ ─ ┐
//      ○───┼───────┼───○   looked at
//          └ ─ ─ ─ ┘

#ifndef THRONG_SRC_PLAN_VISIBILITY_CHANGE_H
#define THRONG_SRC_PLAN_VISIBILITY_CHANGE_H

#include "plan/route/route_near.h"

typedef struct thVisibilityChange {
    const thRouteGraph* former;
    thArray areas;  // thRouteBox: where walls changed, and as far round as they are in the way
    thArray origin; // int32_t, ascending: which of the former's each node is; −1 if all its pairs
                    // are looked at, because it is new or in an area
    bool isSmall;   // so that it is worth while to keep the rest
} thVisibilityChange;

thVisibilityChange thiVisibilityChange(thMemory* memory);
void thiVisibilityChangeFree(thVisibilityChange* change);

// Compares with what the graph, of which there are only nodes yet, is to be made of.
thResult thiFindVisibilityChange(thVisibilityChange* change, const thFormerGraph* former,
                                 const thRouteSpace* space, const thRouteGraph* graph);

// Whether the straight line from a to b passes an area. To be asked of the lower node's place
// first, because of rounding.
static inline bool thiPassesArea(thPoint a, thPoint b, const thRouteBox* area)
{
    if ((TH_MAX(a.x, b.x) < area->lowX) | (TH_MIN(a.x, b.x) > area->highX) |
        (TH_MAX(a.y, b.y) < area->lowY) | (TH_MIN(a.y, b.y) > area->highY))
        return false;
    const double dx = (double)b.x - a.x, dy = (double)b.y - a.y;
    const double middleX = 0.5 * (area->lowX + area->highX) - a.x;
    const double middleY = 0.5 * (area->lowY + area->highY) - a.y;
    const double side = dx * middleY - dy * middleX;
    const double reach = 0.5 * ((dx < 0.0 ? -dx : dx) * (area->highY - area->lowY) +
                                (dy < 0.0 ? -dy : dy) * (area->highX - area->lowX));
    return (side <= reach) & (side >= -reach);
}

// The first area that it passes; their number if none.
static inline int32_t thiFirstAreaPassed(const thVisibilityChange* change, thPoint a, thPoint b)
{
    int32_t i = 0;
    while (i < change->areas.count && !thiPassesArea(a, b, &TH_ITEMS(change->areas, thRouteBox)[i]))
        i += 1;
    return i;
}

// Adds the former's edges that stay to those that were found.
thResult thiKeepEdges(const thVisibilityChange* change, thRouteGraph* graph);

#endif
