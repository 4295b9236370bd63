// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Bytes are an outline to be cleaned: its kind, how coordinates are written, and the points. They
// are whole steps of a lattice, so that coincidences are common, or the bits of floats.

#include "fuzz/fuzz.h"
#include "gear/allocators.h"
#include "geom/fixed.h"
#include "geom/polygon.h"

#include <string.h>

#define MAX_POINTS 256

static float readCoordinate(const uint8_t* bytes, uint8_t form)
{
    float value;
    switch (form % 4) {
    case 0:
        return (float)(bytes[0] % 8);
    case 1:
        return (float)(int8_t)bytes[0] * 0x1p-16f; // units
    case 2:
        return (float)(int8_t)bytes[0] * 234.375f; // up to the edge of the world
    default:
        memcpy(&value, bytes, sizeof value);
        return value;
    }
}

static int32_t readPoints(const uint8_t* data, size_t size, uint8_t form, thVec2* points)
{
    const size_t width = form % 4 == 3 ? 4 : 1;
    int32_t count = 0;
    for (; size >= 2 * width && count < MAX_POINTS; data += 2 * width, size -= 2 * width)
        points[count++] = (thVec2){readCoordinate(data, form), readCoordinate(data + width, form)};
    return count;
}

static void checkClosed(const thPoint* corners, int32_t count, bool clockwise)
{
    FUZZ_CHECK(count >= 3);
    int32_t lowest = 0;
    for (int32_t i = 0; i < count; ++i) {
        const thPoint a = corners[i], b = corners[(i + 1) % count];
        FUZZ_CHECK(thiOrientation(a, b, corners[(i + 2) % count]) != 0);
        for (int32_t k = i + 2; k < count; ++k)
            FUZZ_CHECK((k + 1) % count == i ||
                       !thiSegmentsTouch(a, b, corners[k], corners[(k + 1) % count]));
        if (a.y < corners[lowest].y || (a.y == corners[lowest].y && a.x > corners[lowest].x))
            lowest = i;
    }
    // At the bottom the inside is above.
    const int32_t turn = thiOrientation(corners[(lowest + count - 1) % count], corners[lowest],
                                        corners[(lowest + 1) % count]);
    FUZZ_CHECK(turn == (clockwise ? -1 : 1));
    // A point of the boundary is in it, a point outside the box is not.
    FUZZ_CHECK(thiPolygonSide(corners, count, corners[0]) == 0);
    FUZZ_CHECK(thiPolygonSide(corners, count, (thPoint){corners[lowest].x, INT32_MIN}) == -1);
    (void)thiIsConvex(corners, count);
}

static void checkOpen(const thPoint* corners, int32_t count)
{
    FUZZ_CHECK(count >= 2);
    for (int32_t i = 0; i + 1 < count; ++i)
        FUZZ_CHECK(!thiSamePoint(corners[i], corners[i + 1]));
    for (int32_t i = 0; i + 2 < count; ++i)
        FUZZ_CHECK(!thiPointOnSegment(corners[i + 1], corners[i], corners[i + 2]));
}

// Cleaning what is clean changes nothing. Floats cannot say all units far from the origin; outlines
// with such corners are left out.
static void checkIdempotent(const thArray* corners, thObstacleKind kind)
{
    thVec2 points[MAX_POINTS];
    const thPoint* items = TH_ITEMS(*corners, thPoint);
    for (int32_t i = 0; i < corners->count; ++i) {
        points[i] = (thVec2){thiMetres(items[i].x), thiMetres(items[i].y)};
        if (thiUnits(points[i].x) != items[i].x || thiUnits(points[i].y) != items[i].y)
            return;
    }
    thArray again = thiArray(corners->memory, sizeof(thPoint));
    FUZZ_CHECK(thiCleanOutline(points, corners->count, kind, &again) == th_resultOk);
    FUZZ_CHECK(again.count == corners->count);
    FUZZ_CHECK(memcmp(again.data, items, (size_t)again.count * sizeof *items) == 0);
    thiArrayFree(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (size < 2)
        return 0;
    thVec2 points[MAX_POINTS];
    const int32_t count = readPoints(data + 2, size - 2, data[1], points);
    const thObstacleKind kinds[] = {th_obstacleSolid, th_obstacleRoom, th_obstacleWall};
    const thObstacleKind kind = kinds[data[0] % 3];
    thTestAllocator test;
    testAllocatorInit(&test);
    const thAllocator allocator = testAllocator(&test);
    thMemory memory;
    thiMemoryInit(&memory, &allocator, 0);
    test.failAt = data[0] >> 6; // 0: none
    thArray corners = thiArray(&memory, sizeof(thPoint));
    const thResult result = thiCleanOutline(points, count, kind, &corners);
    test.failAt = 0;
    if (result != th_resultOk) {
        FUZZ_CHECK(corners.count == 0);
        FUZZ_CHECK(result == th_resultBadArgument || test.failures > 0);
    } else {
        if (kind == th_obstacleWall)
            checkOpen(TH_ITEMS(corners, thPoint), corners.count);
        else
            checkClosed(TH_ITEMS(corners, thPoint), corners.count, kind == th_obstacleRoom);
        checkIdempotent(&corners, kind);
    }
    thiArrayFree(&corners);
    FUZZ_CHECK(memory.bytes == 0 && testAllocatorProblem(&test) == NULL);
    testAllocatorFree(&test);
    return 0;
}
