// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Where a wall is as an agent sees it.

#ifndef THRONG_SRC_SPACE_WALL_ENDS_H
#define THRONG_SRC_SPACE_WALL_ENDS_H

#include "geom/fixed.h"
#include "throng/method.h"

typedef struct thWallEnds {
    thVec2 a, b; // relative to the agent [m]
} thWallEnds;

static inline thWallEnds thiWallEnds(const thFrame* frame, int32_t row, int32_t wall)
{
    const thWalls* walls = frame->walls;
    const int32_t x = frame->px[row], y = frame->py[row];
    return (thWallEnds){
        {thiMetresBetween(x, walls->ax[wall]), thiMetresBetween(y, walls->ay[wall])},
        {thiMetresBetween(x, walls->bx[wall]), thiMetresBetween(y, walls->by[wall])}};
}

#endif
