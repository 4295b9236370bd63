// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What two_nearest.c and two_nearest_repair.c ask of their kernels in two_nearest_wide.c.

#ifndef THRONG_SRC_GEOM_TWO_NEAREST_KERNEL_H
#define THRONG_SRC_GEOM_TWO_NEAREST_KERNEL_H

#include "geom/two_nearest.h"
#include "simd/dispatch.h"

// A tile is split into 16 squares, and each of these into 16 leaves. [pixels]
#define TH_NEAR_PARTS 16
#define TH_NEAR_TILE 128
#define TH_NEAR_SQUARE 32
#define TH_NEAR_LEAF_WIDTH 16
#define TH_NEAR_LEAF_HEIGHT 4

// From a point to the next of its site; d is 0 for discs.
typedef struct thNearEdge {
    float ax, ay, by;
    float dx, dy;
    float inverse; // 1 / |d|²; 0 for points
} thNearEdge;

typedef struct thNearTask {
    const thSite* sites;
    const thNearEdge* edges; // by point
    const float* sizes;      // of a site: its box's diagonal and its radius [m]
    const int32_t* all;      // 0, 1, 2 …
    int32_t siteCount, obstacleCount;
    int32_t tilesAcross;
    float squareReach, leafReach; // from the middle to the furthest pixel's centre [m]
    thTwoNearest field;
} thNearTask;

// Of a worker.
typedef struct thNearScratch {
    float* distances; // by site or edge, and lane
    int32_t* lists;   // TH_NEAR_PARTS times all sites
    int32_t* leaves;  // TH_NEAR_PARTS times all sites, as the kernel writes them
} thNearScratch;

TH_KERNEL_DECLARE(thiTwoNearestTile, void,
                  (const thNearTask* task, int32_t tile, const thNearScratch* scratch));

// Pixels of a row of labels that have at most one neighbour of their own label, of those whose x is
// even or odd as `first` is. Below and above are NULL outside the raster. `found` has room for
// width + TH_MAX_WIDTH; returns how many.
TH_KERNEL_DECLARE(thiThinPixels, int32_t,
                  (const int32_t* row, const int32_t* below, const int32_t* above, int32_t width,
                   int32_t first, int32_t* found));

#endif
