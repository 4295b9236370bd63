// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Bytes are a map of cells: a whole text, or, if the first one is odd, only its cells, as wide as
// the second one says. What is read has rings whose area is that of the free cells; the rest is
// refused at a place of the text.

#include "fuzz/fuzz.h"
#include "gear/allocators.h"
#include "scene/walls/geometry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The text of a map with these cells: two bits of each byte are one.
static char* makeMap(const uint8_t* cells, size_t count, size_t width, size_t* size)
{
    const size_t height = count / width;
    char* text = malloc(64 + height * (width + 1));
    if (text == NULL)
        abort();
    int length = snprintf(text, 64, "type octile\nheight %zu\nwidth %zu\nmap\n", height, width);
    for (size_t y = 0; y < height; ++y) {
        for (size_t x = 0; x < width; ++x)
            text[length++] = (cells[y * width + x] & 2) != 0 ? '@' : '.';
        text[length++] = '\n';
    }
    *size = (size_t)length;
    return text;
}

static double areaOf(const thGeometry* geometry, const thGeometryPart* part)
{
    const thCoord* points = &TH_ITEMS(geometry->points, thCoord)[part->first];
    double area = 0.0;
    for (int32_t i = 0; i < part->count; ++i) {
        const thCoord a = points[i], b = points[(i + 1) % part->count];
        FUZZ_CHECK((a.x == b.x) != (a.y == b.y));
        area += a.x * (b.y - a.y);
    }
    return area;
}

static void checkRings(const thGeometry* geometry, const char* text, size_t size)
{
    const char* cells = strstr(text, "map");
    double area = 0.0, isFree = 0.0;
    for (int32_t i = 0; i < geometry->parts.count; ++i) {
        const thGeometryPart* part = &TH_ITEMS(geometry->parts, thGeometryPart)[i];
        FUZZ_CHECK(part->count >= 4 && part->line >= 5 && part->column >= 1);
        FUZZ_CHECK(part->kind == (i == 0 ? th_geometryOuter : part->kind));
        const double own = areaOf(geometry, part);
        FUZZ_CHECK(own > 0.0);
        area += part->kind == th_geometryOuter ? own : -own;
    }
    // Heads hold no dots nor letters of free cells behind "map".
    for (const char* at = cells; at != NULL && at < text + size; ++at)
        isFree += *at == '.' || *at == 'G' || *at == 'S';
    FUZZ_CHECK(area == isFree);
}

static void readMap(const char* text, size_t size, int64_t failAt)
{
    thTestAllocator test;
    testAllocatorInit(&test);
    test.failAt = failAt;
    const thAllocator allocator = testAllocator(&test);
    thMemory memory;
    thError error = {0};
    thiMemoryInit(&memory, &allocator, 0);
    thGeometry geometry = thiGeometry(&memory, (thCoord){0.0, 0.0}, &error);
    const thResult code = thiReadGridMap(text, size, &geometry);
    FUZZ_CHECK(code == error.code);
    if (code == th_resultOk)
        checkRings(&geometry, text, size);
    else if (code == th_resultNoMemory)
        FUZZ_CHECK(test.failures > 0);
    else
        FUZZ_CHECK(code == th_resultSyntax && error.line >= 1 && error.column >= 1 &&
                   error.text[0] != '\0');
    thiGeometryFree(&geometry);
    FUZZ_CHECK(memory.bytes == 0 && testAllocatorProblem(&test) == NULL);
    testAllocatorFree(&test);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (size < 3)
        return 0;
    const int64_t failAt = data[0] >> 5; // 0: none
    const size_t width = (size_t)(data[1] & 31) + 1;
    size_t length = size - 2;
    char* text = NULL;
    if ((data[0] & 1) != 0 && length >= width) {
        text = makeMap(data + 2, length, width, &length);
    } else {
        text = malloc(length + 1);
        if (text == NULL)
            abort();
        memcpy(text, data + 2, length);
        text[length] = '\0';
        // Zeros inside would end the text for strstr.
        for (size_t i = 0; i < length; ++i)
            text[i] = (char)(text[i] != '\0' ? text[i] : ' ');
    }
    readMap(text, length, failAt);
    free(text);
    return 0;
}
