// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The senses: the nearest agents, walls and moving obstacles of the agents of a tile, gathered into
// batches for methods.

#ifndef THRONG_SRC_SPACE_SENSE_H
#define THRONG_SRC_SPACE_SENSE_H

#include "base/memory.h"
#include "space/nearest.h"
#include "throng/simd.h"

// Rows that are sensed together, and the most that one batch holds.
#define TH_TILE_ROWS 256
#define TH_BATCH_ROWS 128

// Where neighbours are put who are not there, along x and y: further than anyone is seen. [m]
#define TH_INERT_DISTANCE 1.0e6f

typedef struct thSense {
    const thFrame* frame;
    const thGrid* grid;
    const thWallGrid* walls;
    const thSight* const* sights; // by profile slot; NULL: nobody of it is asked about
    float wallSlop;               // added to the reach of a step's motion [m]
    float* wallSq; // by row: squares of distances from the nearest wall; below 0: none is within
                   // that; NULL: nobody asks [m²]
    thSimd simd;
} thSense;

// The neighbours of a tile's rows as the kernel found them.
typedef struct thTileSense {
    int32_t begin, end;
    int32_t stride;
    int32_t* lists;  // [k · stride + row − begin]
    int32_t* counts; // by row − begin; −1: what is asked is not for the kernel, see thiNearest
} thTileSense;

// Finds the neighbours of a tile's rows, as far as what is asked is for the kernel. False when
// memory is out.
bool thiSenseTile(const thSense* sense, int32_t begin, int32_t end, thArena* scratch,
                  thTileSense* tile);

// The rows of the agents that one of the tile senses, as in its batch, but not of sights that see
// everybody. Returns how many; `rows` has room for TH_MAX_NEIGHBORS + TH_MAX_LARGE.
int32_t thiSensedRows(const thSense* sense, const thTileSense* tile, int32_t row, int32_t* rows);

// Fills a batch with rows of the tile that share one profile: at most TH_BATCH_ROWS, ascending. All
// arrays are allocated from `scratch`, outputs included; but where `like` is given, a batch of the
// same rows, the two differ only in what is sensed. False when memory is out.
bool thiSenseBatch(const thSense* sense, const thTileSense* tile, const int32_t* rows,
                   int32_t count, thArena* scratch, const thBatch* like, thBatch* batch);

// Fills the neighbour columns of a batch from lists of rows, one agent per lane.
typedef struct thGatherTask {
    const thFrame* frame;
    int32_t lanes, neighborMax;
    bool uniform;            // all rows have the same radius and give way alike
    bool someHold;           // some hold their places, and give no way
    const int32_t* row;      // by lane
    const int32_t* count;    // by lane
    const thTileSense* tile; // whose lists are laid out in `nrow` first; NULL: they are there
    int32_t* nrow;           // [k · lanes + lane]; past a lane's count any valid row
    float *nx, *ny, *nvx, *nvy, *nradius, *nshare;
} thGatherTask;

// The nearest walls of up to TH_MAX_WIDTH agents of one sight: all of those within their reach, and
// of the others the nearest `count` within their limit, as far as they are among the nearest
// TH_NEAR_WALLS.
#define TH_NEAR_WALLS 12
#define TH_WALL_GROUP 8
typedef struct thNearWallsTask {
    const thWalls* walls;
    const int32_t* segments; // to be looked at, ascending
    int32_t segmentCount;
    int32_t count;
    // By lane, TH_MAX_WIDTH of each. [units, m²]
    const int32_t *px, *py;
    const float *limitSq, *reachSq;
    float* nearestSq; // as thSense.wallSq
    int32_t* counts;  // −1: not known
    int32_t* lists;   // [k · TH_MAX_WIDTH + lane]; −1 past a lane's count
    // Room for `segmentCount` segments, and for TH_WALL_GROUP more: which of them are near one of
    // the lanes, and how far they are.
    int32_t* near;
    float* distancesSq;
} thNearWallsTask;

typedef void thNearWallsFcn(const thNearWallsTask* task);
TH_KERNEL_DECLARE(thiNearWalls, void, (const thNearWallsTask* task));

typedef void thGatherNeighborsFcn(const thGatherTask* task);
TH_KERNEL_DECLARE(thiGatherNeighbors, void, (const thGatherTask* task));

#endif
