// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Bytes are a text: WKT, or GeoJSON if the first one is odd. What is read keeps the promises of
// geometry.h, also when polygons are put together; the rest is refused at a place of the text.

#include "fuzz/fuzz.h"
#include "gear/allocators.h"
#include "scene/walls/geometry.h"

#include <math.h>
#include <string.h>

static int32_t countLines(const uint8_t* text, size_t size)
{
    int32_t lines = 1;
    for (size_t i = 0; i < size; ++i)
        lines += text[i] == '\n' || text[i] == '\r';
    return lines;
}

static void checkParts(const thGeometry* geometry, int32_t lines)
{
    int32_t next = 0;
    for (int32_t i = 0; i < geometry->parts.count; ++i) {
        const thGeometryPart* part = &TH_ITEMS(geometry->parts, thGeometryPart)[i];
        FUZZ_CHECK(part->first == next);
        FUZZ_CHECK(part->count >= (part->kind == th_geometryLine ? 2 : 3));
        FUZZ_CHECK(part->kind != th_geometryHole ||
                   (i > 0 && part[-1].kind != th_geometryLine)); // behind its outer ring
        FUZZ_CHECK(part->line >= 1 && part->line <= lines && part->column >= 1);
        next += part->count;
    }
    FUZZ_CHECK(next == geometry->points.count);
    for (int32_t i = 0; i < geometry->points.count; ++i) {
        const thCoord point = TH_ITEMS(geometry->points, thCoord)[i];
        FUZZ_CHECK(fabs(point.x) <= 30000.0 && fabs(point.y) <= 30000.0);
    }
}

static void checkJoined(thGeometry* geometry, bool areSolid, const thTestAllocator* test)
{
    const thResult code = thiJoinPolygons(geometry, areSolid);
    FUZZ_CHECK(code == th_resultOk || code == th_resultSyntax ||
               (code == th_resultNoMemory && test->failures > 0));
    for (int32_t i = 0; i < geometry->parts.count; ++i) {
        const thGeometryPart* part = &TH_ITEMS(geometry->parts, thGeometryPart)[i];
        FUZZ_CHECK(part->count >= (part->kind == th_geometryLine ? 2 : 3));
        FUZZ_CHECK(part->first >= 0 && part->first + part->count <= geometry->points.count);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (size < 1)
        return 0;
    const int32_t lines = countLines(data + 1, size - 1);
    thTestAllocator test;
    testAllocatorInit(&test);
    test.failAt = data[0] >> 4; // 0: none
    const thAllocator allocator = testAllocator(&test);
    thMemory memory;
    thError error = {0};
    thiMemoryInit(&memory, &allocator, 0);
    thGeometry geometry = thiGeometry(&memory, (thCoord){0.0, 0.0}, &error);
    const thResult code = ((data[0] & 1) != 0 ? thiReadGeoJson : thiReadWkt)((const char*)data + 1,
                                                                             size - 1, &geometry);
    FUZZ_CHECK(code == error.code);
    if (code == th_resultOk) {
        checkParts(&geometry, lines);
        checkJoined(&geometry, (data[0] & 2) != 0, &test);
    } else if (code == th_resultNoMemory) {
        FUZZ_CHECK(test.failures > 0);
    } else {
        FUZZ_CHECK(code == th_resultSyntax || code == th_resultFull);
        FUZZ_CHECK(error.line >= 1 && error.line <= lines && error.column >= 1);
        FUZZ_CHECK(memchr(error.text, '\0', sizeof error.text) != NULL && error.text[0] != '\0');
    }
    thiGeometryFree(&geometry);
    FUZZ_CHECK(memory.bytes == 0 && testAllocatorProblem(&test) == NULL);
    testAllocatorFree(&test);
    return 0;
}
