// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Maps of square cells as MovingAI's benchmarks have them:
//
//     type octile
//     height 3
//     width 4
//     map
//     @@@@
//     @..T
//     @@@@
//
// `.`, `G` and `S` are free; `@`, `O`, `T` and `W` are blocked, and so is everything outside. A
// cell is 1 m wide; column x of row y is the square from (x, y) to (x + 1, y + 1), so that y grows
// from the first row to the last.

#ifndef THRONG_SRC_SCENE_GRID_MAP_H
#define THRONG_SRC_SCENE_GRID_MAP_H

#include "scene/walls/geometry.h"

// Cells of a map at most.
#define TH_GRID_CELLS (1 << 24)

// Blocked cells become rings: what is free is inside of outer rings, which do not overlap, and
// outside of holes, which are all solid. What was added before an error may stay.
thResult thiReadGridMap(const char* text, size_t size, thGeometry* geometry);

#endif
