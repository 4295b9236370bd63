// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The bodies of agents, with a shape or without, and how those with one turn to where they go.

#ifndef THRONG_SRC_SIM_TURNING_H
#define THRONG_SRC_SIM_TURNING_H

#include "geom/body_shape.h"
#include "sim/world_internal.h"

// How far the furthest corner of a shape is. [m]
float thiShapeReach(const thBodyShape* shape);

// The body of an agent about its position: its shape turned by its heading, or its disc.
thConvexBody thiBodyAt(const thWorld* world, const thRows* rows, int32_t row);

// How far it reaches, however it turns. [m]
float thiBodyReach(const thWorld* world, const thRows* rows, int32_t row);

// The same of the largest shape there is; 0 without shapes. [m]
float thiLongestShape(const thWorld* world);

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

// Gives agents with a shape the headings in `before` back.
void thiKeepHeadings(const thWorld* world, int32_t begin, int32_t end, const float* before);

// Turns agents with a shape, where they are at the end of the step. Needs the drift; targets are
// not needed any more.
void thiTurnShapes(thWorld* world, float dt);

#endif
