// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Searches for the nearest agents of an agent, in the order (distance², key). Distance² is computed
// in float from exact differences: (float)(difference in units) · 2⁻¹⁶, squared and added.
//
// thiNearest is the definition: plain, for every filter, any k and any crowd. The kernel
// thiNearestRows finds the same lists for many rows at once where nothing special is asked, and
// says which rows it could not settle.

#ifndef THRONG_SRC_SPACE_NEAREST_H
#define THRONG_SRC_SPACE_NEAREST_H

#include "simd/dispatch.h"
#include "space/grid.h"
#include "space/walls.h"

#define TH_MAX_NEIGHBORS 32

// Of large bodies, at most this many of the nearest are listed.
#define TH_MAX_LARGE 16

// What agents of one profile sense.
typedef struct thSight {
    uint32_t needs;        // thMethodNeeds of the profile's methods
    int32_t neighborCount; // 0 .. TH_MAX_NEIGHBORS
    float neighborRadius;  // m
    int32_t wallCount;
    float wallRadius;  // m
    float fieldOfView; // rad; 2π or more sees all round
    bool needsSight;
} thSight;

typedef struct thNearAgent {
    float order; // distance² between centres [m²]; for large bodies the gap [m]
    int32_t row;
    uint64_t key;
} thNearAgent;

// Where to search, and for whom.
typedef struct thNearestQuery {
    const thFrame* frame;
    const thGrid* grid;
    const thWallGrid* walls;
    const thSight* sight;
    int32_t row;
} thNearestQuery;

// The nearest small bodies, at most sight->neighborCount. Returns how many.
int32_t thiNearest(const thNearestQuery* query, thNearAgent* out);

// All small bodies within the radius of sight, sorted. Writes at most `capacity` of them (not the
// nearest, if there are more) and returns how many there are.
int32_t thiEverybody(const thNearestQuery* query, thNearAgent* out, int32_t capacity);

// The nearest large bodies by gap, at most TH_MAX_LARGE. Returns how many.
int32_t thiNearestLarge(const thNearestQuery* query, thNearAgent* out);

// A stretch of rows for the kernel, all of small bodies.
typedef struct thNearestTask {
    const thFrame* frame;
    const thGrid* grid;
    int32_t begin, end;
    int32_t count;         // neighbours wanted, at most TH_KERNEL_NEIGHBORS
    const float* radiusSq; // by row − begin, m², padded by TH_MAX_WIDTH
    int32_t* lists;        // [k · stride + row − begin], padded by TH_MAX_WIDTH
    int32_t* counts;       // by row − begin, padded; −1: not settled, use thiNearest
    int32_t stride;
} thNearestTask;

#define TH_KERNEL_NEIGHBORS 16

// Candidates the kernel can tell apart; and their numbers, 0 and up, to be loaded into all lanes.
#define TH_BLOCK_CANDIDATES 512
extern const int32_t thiNumbers[TH_BLOCK_CANDIDATES];

typedef void thNearestRowsFcn(const thNearestTask* task);
TH_KERNEL_DECLARE(thiNearestRows, void, (const thNearestTask* task));

#endif
