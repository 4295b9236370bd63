// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Walls and moving obstacles of a batch as segments with a velocity and a thickness, relative to
// each agent: what methods that reason about velocities work on.

#ifndef THRONG_SRC_AVOID_WALL_COLUMNS_H
#define THRONG_SRC_AVOID_WALL_COLUMNS_H

#include "throng/method.h"

#include <stdbool.h>

// Arrays are [k · lanes + lane], zeros past a lane's count. An agent's walls come first, then for
// each mover one entry of no length if it is a disc, otherwise one for each edge.
typedef struct thWallColumns {
    int32_t most;
    int32_t* count; // by lane
    float *ax, *ay, *bx, *by, *vx, *vy, *radius;
} thWallColumns;

// In the batch's scratch memory. False when that is out.
bool thiLayOutWalls(const thBatch* batch, thWallColumns* walls);

#endif
