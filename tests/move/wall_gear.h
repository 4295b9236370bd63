// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What tests among walls share: units, and a grid of walls for each test.

#ifndef THRONG_TESTS_MOVE_WALL_GEAR_H
#define THRONG_TESTS_MOVE_WALL_GEAR_H

#include "geom/segment.h"
#include "space/walls.h"

#define METRE THRONG_UNITS_PER_METRE
#define PI 3.14159265358979

// The memory and the grid of the test that runs.
extern thMemory testMemory;
extern thWallGrid* grid;

// For cmocka_unit_test_setup_teardown. The second fails if memory is left.
int setUp(void** state);
int tearDown(void** state);

// Puts these walls into the grid, in place of those before.
void buildWalls(const thWallSegment* segments, int32_t count);

// A point, from metres.
thPoint at(double x, double y);

#endif
