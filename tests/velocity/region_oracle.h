// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Random regions, and the nearest point outside of them by trying every point it could be, in
// double.

#ifndef THRONG_TESTS_AVOID_REGION_ORACLE_H
#define THRONG_TESTS_AVOID_REGION_ORACLE_H

#include "gear/property.h"
#include "velocity/outside_regions.h"

#define REGIONS 24

// What the tolerance of regions may do to distances: two borders cross in another place, seen from
// one or from the other of them. [m/s]
#define ALIKE 4.0e-5

typedef struct RegionSet {
    thRegion regions[REGIONS];
    thOutsideProblem problem;
} RegionSet;

typedef enum RegionKind {
    region_plain,   // neighbours and walls in general position
    region_crowd,   // near each other, many overlap
    region_lattice, // multiples of 1/4: parallel borders, common corners
    region_pile,    // equal ones, or nearly
    region_kindCount,
    region_soon // by itself: met within a short step, so discs are many times as large as limits
} RegionKind;

// Up to `size` neighbours and some walls. With `round`, some regions are.
void drawRegions(thGenerator* g, RegionKind kind, int32_t size, bool round, RegionSet* set);

// The cone of a disc of radius `both` at p that is met within `horizon`, cut off by a line or
// round: what velocities relative to it lead there.
thRegion coneOf(thVec2 p, float both, thVec2 apex, float share, float horizon, bool round);

// Columns of a task for the kernels.
#define TASK_LANES 64
#define TASK_REGIONS (REGIONS + 8)
typedef struct TaskColumns {
    float sides[3][TH_REGION_SIDES * TASK_REGIONS * TASK_LANES], lanes[13][TASK_LANES];
    uint8_t answers[TASK_LANES];
} TaskColumns;

thOutsideTask makeOutsideTask(TaskColumns* columns, int32_t lanes, int32_t regionMax, void* room);

// Whether a kernel gives the answers of the plain way, both with lanes that move and with lanes
// that stay, and looks at as many sides each time. [looks: −1 at first; simd: of the kernel]
typedef bool AnswersAgreeFcn(const thOutsideTask* task, int32_t count, const char* name);
bool kernelAgrees(thOutsideFcn* kernel, thSimd simd, thOutsideTask* task, int32_t count,
                  AnswersAgreeFcn* answersAgree, int64_t* looks);

// How many answers of each kind there were; there must be enough of each.
typedef struct AnswerCounts {
    int64_t asked, seen[3];
} AnswerCounts;
void assertAllSeen(const AnswerCounts* counts);

// One of the kinds, or each time another one. [kind: region_kindCount for that]
RegionKind drawKind(thGenerator* g, uint32_t kind);

// How deep in the deepest region, at least 0, and in none of the discs by how much.
double depthIn(const thOutsideProblem* problem, double x, double y);
double beyondDiscs(const thOutsideProblem* problem, double x, double y);

// How far the wanted point is from the nearest allowed one, when regions are larger and discs
// smaller by `grow`. Infinite when nothing is allowed.
double oracleDistance(const thOutsideProblem* problem, double grow);

#endif
