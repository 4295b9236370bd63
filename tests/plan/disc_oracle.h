// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Shortest paths of a disc among walls the plain way: circles round all ends of walls become
// regular polygons, and all of their vertices are tried in all pairs. With polygons outside of the
// circles and no leg nearer to a wall than the radius, a path that can be walked; with polygons
// inside, and legs as near as their sides, a length that no path is below. Everything is in metres.

#ifndef THRONG_TESTS_PLAN_DISC_ORACLE_H
#define THRONG_TESTS_PLAN_DISC_ORACLE_H

#include "throng/math.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct DiscWall {
    double ax, ay, bx, by;
} DiscWall;

// How far a leg is from the nearest wall; 0 if it crosses one. `a` and `b` may be the same.
double distanceOfLeg(const DiscWall* walls, int32_t count, double ax, double ay, double bx,
                     double by);

typedef struct DiscOracle DiscOracle;

typedef enum DiscBound { lowerBound, upperBound } DiscBound;

DiscOracle* makeDiscOracle(const DiscWall* walls, int32_t count, double radius, DiscBound bound);
void freeDiscOracle(DiscOracle* oracle);

// A shortest path: infinite if there is none.
typedef struct DiscPath {
    double length;
    int32_t corners; // ends of walls that it goes round
} DiscPath;

// Between two places where the disc has room.
DiscPath findDiscPath(const DiscOracle* oracle, thVec2 from, thVec2 to);

#endif
