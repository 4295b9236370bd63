// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What one agent sees, drawn at random: ordinary crowds, and all that breaks geometry.

#ifndef THRONG_TESTS_AVOID_ORCA_SETS_H
#define THRONG_TESTS_AVOID_ORCA_SETS_H

#include "gear/property.h"
#include "throng/orca.h"
#include "velocity/kernel_input.h"

#define SET_NEIGHBORS 16
#define SET_WALLS 8

// The arguments of thOrca_Solve.
typedef struct OrcaSet {
    thOrcaDef def;
    float dt;
    thAvoidSelf self;
    thAvoidNeighbor neighbors[SET_NEIGHBORS];
    int32_t neighborCount;
    thAvoidWall walls[SET_WALLS];
    int32_t wallCount;
} OrcaSet;

typedef enum SetKind {
    set_plain,      // general position, not crowded
    set_crowd,      // near, many of them overlapping, walls about
    set_lattice,    // multiples of 1/4: touching, parallel, head-on, collinear
    set_copies,     // the same neighbour or wall again and again, and its mirror image
    set_pieces,     // a straight wall in pieces, or the edges of a moving box
    set_coincident, // on one point, or nearly
    set_extremes,   // zeros and limits in every field
    set_kindCount
} SetKind;

extern const char* const setKindNames[set_kindCount];

// At most `size` neighbours.
void drawSet(thGenerator* g, SetKind kind, int32_t size, OrcaSet* set);

thResult solveSet(const OrcaSet* set, thVec2* velocity, thOrcaStatus* status);

// Sets as columns, one in each lane, as kernels of avoidance get them.
enum { SET_LANES = 64 };
typedef struct SetColumns {
    int32_t row[SET_LANES], neighborCount[SET_LANES], wallCount[SET_LANES];
    float vx[SET_LANES], vy[SET_LANES], radius[SET_LANES], maxSpeed[SET_LANES], maxAccel[SET_LANES];
    float guideX[SET_LANES], guideY[SET_LANES];
    float nx[SET_NEIGHBORS * SET_LANES], ny[SET_NEIGHBORS * SET_LANES];
    float nvx[SET_NEIGHBORS * SET_LANES], nvy[SET_NEIGHBORS * SET_LANES];
    float nradius[SET_NEIGHBORS * SET_LANES], nshare[SET_NEIGHBORS * SET_LANES];
    int32_t nrow[SET_NEIGHBORS * SET_LANES];
    float ax[SET_WALLS * SET_LANES], ay[SET_WALLS * SET_LANES], bx[SET_WALLS * SET_LANES];
    float by[SET_WALLS * SET_LANES], wvx[SET_WALLS * SET_LANES], wvy[SET_WALLS * SET_LANES];
    float wradius[SET_WALLS * SET_LANES];
    float outVx[SET_LANES], outVy[SET_LANES];
    uint8_t status[SET_LANES];
    thSurroundings around; // points to these; `dt` is that of the first set
} SetColumns;

// Lays out `lanes` sets. What no lane may look at is filled with numbers of all kinds.
void layOutSets(thGenerator* g, const OrcaSet* sets, int32_t lanes, SetColumns* columns);

// As C, for reports.
void printSet(const OrcaSet* set);

#endif
