// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Texts of walls that are read, told in short and cut off everywhere.

#include "scene/walls/geometry_gear.h"

#include "gear/allocators.h"

#include <stdio.h>
#include <stdlib.h>

static void tellParts(const thGeometry* geometry, char* told, size_t size)
{
    static const char* const kinds[] = {"line", "outer", "hole"};
    size_t length = 0;
    told[0] = '\0';
    for (int32_t i = 0; i < geometry->parts.count; ++i) {
        const thGeometryPart* part = &TH_ITEMS(geometry->parts, thGeometryPart)[i];
        length += (size_t)snprintf(told + length, size - length, "%s%s", i > 0 ? "; " : "",
                                   kinds[part->kind]);
        for (int32_t k = 0; k < part->count; ++k) {
            const thCoord point = TH_ITEMS(geometry->points, thCoord)[part->first + k];
            length +=
                (size_t)snprintf(told + length, size - length, " %.9g,%.9g", point.x, point.y);
        }
        assert_true(length < size);
    }
}

void assertAccepted(ReadFcn* read, const Accepted* cases, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        thMemory memory;
        thError error = {0};
        char told[4096];
        thiMemoryInit(&memory, NULL, 0);
        thGeometry geometry = thiGeometry(&memory, (thCoord){0.0, 0.0}, &error);
        if (read(cases[i].text, strlen(cases[i].text), &geometry) != th_resultOk)
            fail_msg("%s\nis refused: %d:%d: %s", cases[i].text, (int)error.line, (int)error.column,
                     error.text);
        tellParts(&geometry, told, sizeof told);
        assert_string_equal(told, cases[i].parts);
        thiGeometryFree(&geometry);
        assert_int_equal(memory.bytes, 0);
    }
}

void assertRejected(ReadFcn* read, const Rejected* cases, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        thMemory memory;
        thError error = {0};
        thiMemoryInit(&memory, NULL, 0);
        thGeometry geometry = thiGeometry(&memory, (thCoord){0.0, 0.0}, &error);
        const thResult code = read(cases[i].text, strlen(cases[i].text), &geometry);
        if (code != th_resultSyntax || error.code != code || error.line != cases[i].line ||
            error.column != cases[i].column || strstr(error.text, cases[i].says) == NULL)
            fail_msg("%s\ngives %d, %d:%d: %s\ninstead of %d:%d: %s", cases[i].text, (int)code,
                     (int)error.line, (int)error.column, error.text, (int)cases[i].line,
                     (int)cases[i].column, cases[i].says);
        thiGeometryFree(&geometry);
        assert_int_equal(memory.bytes, 0);
    }
}

typedef struct Truncated {
    ReadFcn* read;
    const char* text;
    size_t size;
} Truncated;

static thResult readTruncated(const thAllocator* allocator, void* context)
{
    const Truncated* truncated = context;
    thMemory memory;
    thError error = {0};
    thiMemoryInit(&memory, allocator, 0);
    thGeometry geometry = thiGeometry(&memory, (thCoord){0.0, 0.0}, &error);
    const thResult code = truncated->read(truncated->text, truncated->size, &geometry);
    thiGeometryFree(&geometry);
    return code == th_resultSyntax ? th_resultOk : code;
}

void assertTruncated(ReadFcn* read, const char* text)
{
    const size_t size = strlen(text);
    for (size_t length = 0; length <= size; ++length) {
        char* exact = malloc(length + 1); // a block of its own, so that sanitizers see its end
        assert_non_null(exact);
        memcpy(exact, text, length);
        Truncated truncated = {read, exact, length};
        thAllocator allocator = thDefaultAllocator();
        assert_int_equal(readTruncated(&allocator, &truncated), th_resultOk);
        if (length == size)
            failEachAllocation(readTruncated, &truncated);
        free(exact);
    }
}
