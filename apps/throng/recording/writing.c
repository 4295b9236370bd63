// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What writers of other people's formats share: numbers, and the area.

#include "recording/writing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char* appFormatNumber(NumberText* buffer, double value)
{
    for (int digits = 15; digits <= 17; ++digits) {
        snprintf(buffer->text, sizeof buffer->text, "%.*g", digits, value);
        if (strtod(buffer->text, NULL) == value)
            break;
    }
    return buffer->text;
}

void appAddToBounds(WrittenBounds* bounds, const double* x, const double* y, int32_t count)
{
    if (count > 0 && !bounds->isThere)
        *bounds = (WrittenBounds){.low = {x[0], y[0]}, .high = {x[0], y[0]}, .isThere = true};
    for (int32_t i = 0; i < count; ++i) {
        bounds->low.x = x[i] < bounds->low.x ? x[i] : bounds->low.x;
        bounds->low.y = y[i] < bounds->low.y ? y[i] : bounds->low.y;
        bounds->high.x = x[i] > bounds->high.x ? x[i] : bounds->high.x;
        bounds->high.y = y[i] > bounds->high.y ? y[i] : bounds->high.y;
    }
}

// --- The walkable area ---

// The walkable area as well-known text: a polygon for each room, or for the bounds of everything
// where there is no room, with the solids that stand in it as holes. Thin walls have no area, and
// what moves is no part of the place: both are left out.

static const double margin = 1.0; // around the bounds of everything [m]

static bool isInside(const thRecordedShape* ring, thPlace point)
{
    bool inside = false;
    for (int32_t i = 0; i < ring->pointCount; ++i) {
        const thPlace a = ring->points[i], b = ring->points[(i + 1) % ring->pointCount];
        if ((a.y > point.y) != (b.y > point.y) &&
            point.x < a.x + (b.x - a.x) * (point.y - a.y) / (b.y - a.y))
            inside = !inside;
    }
    return inside;
}

// Corners and centres of edges are looked at: some of them may lie on the wall of the room.
static bool standsIn(const thRecordedShape* room, const thRecordedShape* solid)
{
    if (solid->level != room->level)
        return false;
    for (int32_t i = 0; i < solid->pointCount; ++i) {
        const thPlace a = solid->points[i], b = solid->points[(i + 1) % solid->pointCount];
        const thPlace centre = {0.5 * (a.x + b.x), 0.5 * (a.y + b.y)};
        if (isInside(room, a) || isInside(room, centre))
            return true;
    }
    return false;
}

static void writeRing(FILE* stream, const thRecordedShape* ring)
{
    NumberText x, y;
    fputc('(', stream);
    for (int32_t i = 0; i <= ring->pointCount; ++i) {
        const thPlace point = ring->points[i % ring->pointCount];
        fprintf(stream, "%s%s %s", i > 0 ? ", " : "", appFormatNumber(&x, point.x),
                appFormatNumber(&y, point.y));
    }
    fputc(')', stream);
}

static void writePolygon(FILE* stream, const thRecordedShape* room, const thRecordedShape* shapes,
                         int32_t count)
{
    fputc('(', stream);
    writeRing(stream, room);
    for (int32_t i = 0; i < count; ++i) {
        if (shapes[i].kind != th_shapeSolid || !standsIn(room, &shapes[i]))
            continue;
        fputs(", ", stream);
        writeRing(stream, &shapes[i]);
    }
    fputc(')', stream);
}

static void writeRooms(FILE* stream, const thRecordedShape* shapes, int32_t count, int32_t rooms)
{
    bool isFirst = true;
    fputs(rooms > 1 ? "MULTIPOLYGON (" : "POLYGON ", stream);
    for (int32_t i = 0; i < count; ++i) {
        if (shapes[i].kind != th_shapeRoom)
            continue;
        fputs(isFirst ? "" : ", ", stream);
        writePolygon(stream, &shapes[i], shapes, count);
        isFirst = false;
    }
    fputs(rooms > 1 ? ")" : "", stream);
}

// Of several floors the lowest that has something solid is told.
static void writeBounds(FILE* stream, const thRecordedShape* shapes, int32_t count)
{
    WrittenBounds bounds = {0};
    int32_t level = INT32_MAX;
    for (int32_t i = 0; i < count; ++i) {
        if (shapes[i].kind == th_shapeSolid && shapes[i].level < level)
            level = shapes[i].level;
        for (int32_t k = 0; k < shapes[i].pointCount; ++k)
            appAddToBounds(&bounds, &shapes[i].points[k].x, &shapes[i].points[k].y, 1);
    }
    if (!bounds.isThere) {
        fputs("POLYGON EMPTY", stream);
        return;
    }
    const thPlace low = {bounds.low.x - margin, bounds.low.y - margin};
    const thPlace high = {bounds.high.x + margin, bounds.high.y + margin};
    const thPlace corners[] = {low, {high.x, low.y}, high, {low.x, high.y}};
    const thRecordedShape room = {
        .kind = th_shapeRoom, .level = level, .points = corners, .pointCount = 4};
    fputs("POLYGON ", stream);
    writePolygon(stream, &room, shapes, count);
}

char* appWriteWalkable(const thRecordedShape* shapes, int32_t shapeCount)
{
    char* text = NULL;
    size_t size = 0;
    int32_t rooms = 0;
    FILE* stream = open_memstream(&text, &size);
    if (stream == NULL)
        return NULL;
    for (int32_t i = 0; i < shapeCount; ++i)
        rooms += shapes[i].kind == th_shapeRoom;
    if (rooms > 0)
        writeRooms(stream, shapes, shapeCount, rooms);
    else
        writeBounds(stream, shapes, shapeCount);
    const bool good = !ferror(stream);
    if (fclose(stream) == 0 && good)
        return text;
    free(text);
    return NULL;
}

char* appDescribeWalkable(const char* path, const thRecordedShape* shapes, int32_t count,
                          const WrittenBounds* bounds)
{
    // Where people were is one more shape, within which there is nothing.
    const thPlace corners[] = {bounds->low, bounds->high};
    thRecordedShape* all = malloc(((size_t)count + 1) * sizeof *all);
    char* text = NULL;
    if (all != NULL) {
        for (int32_t i = 0; i < count; ++i)
            all[i] = shapes[i];
        all[count] = (thRecordedShape){
            .kind = th_shapeGoalPolygon, .points = corners, .pointCount = bounds->isThere ? 2 : 0};
        text = appWriteWalkable(all, count + 1);
    }
    if (text == NULL)
        appSay("cannot write '%s': no memory", path);
    free(all);
    return text;
}
