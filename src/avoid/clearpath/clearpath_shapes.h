// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Agents of method `clearpath` that are convex polygons.

#ifndef THRONG_SRC_AVOID_CLEARPATH_SHAPES_H
#define THRONG_SRC_AVOID_CLEARPATH_SHAPES_H

#include "avoid/clearpath/clearpath_regions.h"
#include "throng/method.h"
#include "velocity/wall_columns.h"

// A polygon, or a disc.
typedef struct thClearpathBody {
    const thBodyShape* shape; // NULL: a disc
    float heading;            // of a polygon
    float radius;             // of a disc
} thClearpathBody;

// How an agent stands to another one at p, one of them a polygon at least. [isFirst: as of
// thClearpathOther]
thClearance thiClearpathPair(const thClearpathBody* own, const thClearpathBody* other, thVec2 p,
                             bool isFirst);

// How a polygon stands to a segment with a thickness.
thClearance thiClearpathShapeAtWall(const thClearpathBody* own, thVec2 a, thVec2 b, float radius);

// Those of a batch, as [k · lanes + lane]; NULL for discs. Both are NULL when all are discs.
typedef struct thClearpathClearances {
    const thClearance* const* pairs; // of neighbours
    const thClearance* const* edges; // of walls
} thClearpathClearances;

// In the batch's scratch memory. False when that is out.
bool thiClearpathLayOutShapes(const thBatch* batch, const thWallColumns* walls,
                              thClearpathClearances* clearances);

#endif
