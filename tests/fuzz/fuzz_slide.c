// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Bytes are walls and moves of a disc among them: scale, place of the origin, radius, number of
// walls, then walls and targets, two bytes a point. Coordinates are whole steps of a lattice of
// units, millimetres or metres, so that coincidences are common. Each leg is judged by an oracle.

#include "fuzz/fuzz.h"
#include "geom/fixed.h"
#include "move/slide.h"
#include "move/wall_oracle.h"

#define MAX_WALLS 40

typedef struct Input {
    const uint8_t* bytes;
    size_t size;
    int32_t step;
    thPoint origin;
} Input;

static uint8_t readByte(Input* input)
{
    if (input->size == 0)
        return 0;
    input->size -= 1;
    return *input->bytes++;
}

static thPoint readPoint(Input* input)
{
    const int32_t x = (int8_t)readByte(input), y = (int8_t)readByte(input);
    const int64_t farX = input->origin.x + (int64_t)x * input->step;
    const int64_t farY = input->origin.y + (int64_t)y * input->step;
    return (thPoint){(int32_t)TH_MIN(TH_MAX(farX, -TH_MAX_UNITS), TH_MAX_UNITS),
                     (int32_t)TH_MIN(TH_MAX(farY, -TH_MAX_UNITS), TH_MAX_UNITS)};
}

static int32_t readWalls(Input* input, thWallSegment* segments)
{
    const int32_t count = readByte(input) % (MAX_WALLS + 1);
    for (int32_t i = 0; i < count; ++i) {
        const thPoint a = readPoint(input), b = readPoint(input);
        segments[i] = (thWallSegment){
            .ax = a.x, .ay = a.y, .bx = b.x, .by = b.y, .oneSided = (uint8_t)(i % 2)};
    }
    return count;
}

static void walk(const thWallGrid* grid, Input* input, float radius)
{
    const thWalls* walls = thiWallGridWalls(grid);
    long double distance[MAX_WALLS * 64]; // long walls are cut
    FUZZ_CHECK(walls->count <= MAX_WALLS * 64);
    thPoint p = readPoint(input);
    oracleMeasure(walls, p, distance);
    while (input->size > 0) {
        thPoint path[TH_MAX_LEGS];
        const int32_t count = thiSlidePath(grid, 0, p, readPoint(input), radius, path);
        FUZZ_CHECK(count >= 1 && count <= TH_MAX_LEGS);
        for (int32_t i = 0; i < count; ++i) {
            FUZZ_CHECK(oracleJudge(walls, 0, p, path[i], radius, distance) == NULL);
            p = path[i];
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static const int32_t steps[] = {1, 66, 6554, 65536, 700000, 15000000};
    static const float radii[] = {0.0f, 0.001f, 0.05f, 0.25f, 0.5f, 3.0f};
    if (size < 4)
        return 0;
    const int32_t middle = (data[1] % 3 - 1) * 20000 * THRONG_UNITS_PER_METRE;
    Input input = {data + 3, size - 3, steps[data[0] % 6], {middle, -middle}};
    const float radius = radii[data[2] % 6];
    thMemory memory;
    thiMemoryInit(&memory, NULL, 0);
    thWallGrid* grid;
    FUZZ_CHECK(thiCreateWallGrid(&memory, &grid) == th_resultOk);
    thWallSegment segments[MAX_WALLS];
    const int32_t count = readWalls(&input, segments);
    FUZZ_CHECK(thiWallGridBuild(grid, segments, count) == th_resultOk);
    walk(grid, &input, radius);
    thiDestroyWallGrid(grid);
    FUZZ_CHECK(memory.bytes == 0);
    return 0;
}
