// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Counts agents that pass static walls, and how deep their bodies are in them. It shares no code
// with what moves them: it looks at every wall, with arithmetic of its own.

#ifndef THRONG_SRC_MEASURE_WALL_CHECK_H
#define THRONG_SRC_MEASURE_WALL_CHECK_H

#include "geom/body_shape.h"
#include "throng/method.h"

typedef struct thWallCheck {
    int64_t crossings; // centres that met a wall as they moved
    double maxDepth;   // deepest body in a wall [m]
} thWallCheck;

// What one agent has moved in one step. Adds to `check`.
void thiCheckWalls(thWallCheck* check, const thWalls* walls, int32_t level, int32_t fromX,
                   int32_t fromY, int32_t toX, int32_t toY, float radius);

// How deep a polygon about a place is in walls: so far it would have to go to be off one of them.
// Adds to `check`.
void thiCheckShape(thWallCheck* check, const thWalls* walls, int32_t level, int32_t x, int32_t y,
                   const thConvexBody* body);

#endif
