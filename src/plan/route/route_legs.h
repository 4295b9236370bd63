// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Straight legs among the walls of a route space: which walls may be in the way, found in lanes,
// and which of them are.

#ifndef THRONG_SRC_PLAN_ROUTE_LEGS_H
#define THRONG_SRC_PLAN_ROUTE_LEGS_H

#include "plan/route/route_space.h"
#include "simd/dispatch.h"
#include "space/wall_cells.h"

// The walls of a space by cell. Each cell lists those near it, one list after the other. Columns
// are padded by TH_MAX_WIDTH.
typedef struct thLegWalls {
    const thBand* band;
    int32_t shift;
    const int32_t* start; // of each cell's list
    const int32_t *ax, *ay, *bx, *by;
} thLegWalls;

static inline thRouteWall thiListedWall(const thLegWalls* walls, int32_t item)
{
    return (thRouteWall){{walls->ax[item], walls->ay[item]}, {walls->bx[item], walls->by[item]}};
}

// A leg, and how near to it walls may be.
//
// Lanes compute in halves of units, whose differences fit into 32 bits, and in float: what they
// leave aside is further away than that by more than they may be wrong. [units / 2]
typedef struct thLeg {
    thPoint a, b;
    double least; // distance [units]
    float dx, dy;
    float beside; // × length: what is further from the line, or behind the leg, is not in the way
    float beyond; // × length: what is further along the line is not either
} thLeg;

// Whether a wall is in the way.
bool thiBlocksLeg(const thLeg* leg, thRouteWall wall);

// Kernel: whether no wall in the lists of the cells that the leg touches is in the way. `box`: the
// cells that its box touches.
typedef bool thIsLegClearFcn(const thLegWalls* walls, const thLeg* leg, const thCellBox* box);
TH_KERNEL_DECLARE(thiIsLegClear, bool,
                  (const thLegWalls* walls, const thLeg* leg, const thCellBox* box));

#endif
