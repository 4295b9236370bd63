// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What one agent sees, drawn at random: ordinary crowds, and all that breaks geometry.

#ifndef THRONG_TESTS_AVOID_ORCA_SETS_H
#define THRONG_TESTS_AVOID_ORCA_SETS_H

#include "gear/property.h"
#include "throng/orca.h"

#define SET_NEIGHBORS 16
#define SET_WALLS 8

// The arguments of thOrca_Solve.
typedef struct OrcaSet {
    thOrcaDef def;
    float dt;
    thOrcaSelf self;
    thOrcaNeighbor neighbors[SET_NEIGHBORS];
    int32_t neighborCount;
    thOrcaWall walls[SET_WALLS];
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

// As C, for reports.
void printSet(const OrcaSet* set);

#endif
