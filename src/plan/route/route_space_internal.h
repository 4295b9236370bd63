// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#ifndef THRONG_SRC_PLAN_ROUTE_SPACE_INTERNAL_H
#define THRONG_SRC_PLAN_ROUTE_SPACE_INTERNAL_H

#include "base/array.h"
#include "plan/route/route_space.h"
#include "space/wall_cells.h"

#include <math.h>

struct thRouteSpace {
    thMemory* memory;
    float radius;
    thBand band; // the walls' box, grown by the radius
    int32_t shift;
    thArray walls;     // thRouteWall
    thArray edges;     // thWallEdges of each wall
    thArray cellStart; // int32_t: where each cell's list begins; the last two are the end of all
    thArray lists;     // thRouteWall, so that a list is read in one go
    thArray indices;   // int32_t, which wall each item of the lists is
    thArray around;    // thWallEdges of each cell whose list is empty: the winding numbers there
};

// How many edges of solids and of rooms run along a wall, less those that run back.
typedef struct thWallEdges {
    int32_t solids, rooms;
} thWallEdges;

// The column or row of a place, or the nearest there is.
static inline int32_t thiCellAlong(double place, int32_t low, int32_t count, int32_t shift)
{
    const int64_t cell = (int64_t)floor(place - low) >> shift;
    return (int32_t)TH_MIN(TH_MAX(cell, 0), count - 1);
}

// Finds what is round the cells without walls, after the lists were filled.
thResult thiFindRouteSolid(thRouteSpace* space);
// Whether a point off the walls is in solid, as thiIsInSolid says.
bool thiIsInRouteSolid(const thRouteSpace* space, thPoint p);

#endif
