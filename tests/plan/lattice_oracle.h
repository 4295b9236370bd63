// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Shortest paths of a point on a map of square cells, in whole numbers and the plain way: all
// corners of blocked cells, all pairs that see each other.

#ifndef THRONG_TESTS_PLAN_LATTICE_ORACLE_H
#define THRONG_TESTS_PLAN_LATTICE_ORACLE_H

#include "plan/grid_map.h"

typedef struct Lattice Lattice;

// `slips`: a path along a line of the lattice may pass the point where two blocked cells meet in a
// corner, from below one to above the other. It should not; but some programs that count as exact
// let it.
Lattice* makeLattice(const GridMap* map, bool slips);
void freeLattice(Lattice* lattice);

// The length of the shortest path between the centres of two cells. [cells; infinite if none]
double latticeLength(const Lattice* lattice, int32_t startX, int32_t startY, int32_t goalX,
                     int32_t goalY);

#endif
