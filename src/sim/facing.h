// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Which way agents that have a shape want to face.

#ifndef THRONG_SRC_SIM_FACING_H
#define THRONG_SRC_SIM_FACING_H

#include "geom/body_shape.h"
#include "sim/world_internal.h"

// Walls in reach that are looked at, the nearest first.
#define TH_MOST_WALLS 64

typedef struct thWallBodies {
    int32_t count;
    thConvexBody items[TH_MOST_WALLS]; // segments, relative to the place
} thWallBodies;

// The walls within a distance of a place. [m]
void thiFindWallBodies(const thWorld* world, int32_t level, thPoint at, float distance,
                       thWallBodies* found);

// How far bodies are from each other, the second at p; negative: how deep they are inside. [m]
float thiGapBetween(const thConvexBody* own, const thConvexBody* other, thVec2 p);

typedef struct thFacing {
    float heading; // that it wants [rad]
    float pace;    // so fast may its corners be while it turns there [m/s]
} thFacing;

// Of an agent that has a shape.
thFacing thiWantedFacing(const thWorld* world, int32_t row);

#endif
