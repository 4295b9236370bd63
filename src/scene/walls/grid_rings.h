// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The outlines of blocked cells, as rings that never touch themselves.

#ifndef THRONG_SRC_SCENE_GRID_RINGS_H
#define THRONG_SRC_SCENE_GRID_RINGS_H

#include "scene/walls/geometry.h"

#define TH_CELL_BLOCKED 1

typedef struct thGridCells {
    int32_t width, height; // with a rim one cell wide all round, which is blocked
    uint8_t* cells;        // row by row: TH_CELL_BLOCKED, or 0
    int32_t firstLine;     // of the file, in which the first row inside of the rim stands
} thGridCells;

// Adds the rings. Needs at least one cell that is free. `cells` is changed on the way.
thResult thiAddGridRings(thGridCells* grid, thGeometry* geometry);

#endif
