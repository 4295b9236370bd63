// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The memory and the grid of walls of the test that runs.

#include "move/wall_gear.h"

#include "gear/gear.h"

thMemory testMemory;
thWallGrid* grid;

int setUp(void** state)
{
    (void)state;
    thiMemoryInit(&testMemory, NULL, 0);
    return thiCreateWallGrid(&testMemory, &grid) == th_resultOk ? 0 : -1;
}

int tearDown(void** state)
{
    (void)state;
    thiDestroyWallGrid(grid);
    return testMemory.bytes == 0 ? 0 : -1;
}

void buildWalls(const thWallSegment* segments, int32_t count)
{
    assert_int_equal(thiWallGridBuild(grid, segments, count), th_resultOk);
}

thPoint at(double x, double y)
{
    return (thPoint){(int32_t)lround(x * METRE), (int32_t)lround(y * METRE)};
}
