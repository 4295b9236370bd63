// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Lines and polygons that are added part by part, from a file of any format; those that lie within
// others can be dropped.

#include "scene/walls/geometry.h"
#include "geom/polygon.h"
#include "scene/read/scene_keys.h"
#include "sim/ranges.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

thGeometry thiGeometry(thMemory* memory, thCoord origin, thError* error)
{
    return (thGeometry){.origin = origin,
                        .points = thiArray(memory, sizeof(thCoord)),
                        .parts = thiArray(memory, sizeof(thGeometryPart)),
                        .error = error};
}

void thiGeometryFree(thGeometry* geometry)
{
    thiArrayFree(&geometry->points);
    thiArrayFree(&geometry->parts);
}

thResult thiGeometryError(const thGeometry* geometry, int32_t line, int32_t column,
                          const char* format, ...)
{
    thError* error = geometry->error;
    *error = (thError){.code = th_resultSyntax, .line = line, .column = column};
    snprintf(error->file, sizeof error->file, "%s", geometry->path != NULL ? geometry->path : "");
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return error->code;
}

static thResult failNoMemory(const thGeometry* geometry)
{
    return thiFail(geometry->error, th_resultNoMemory, "no memory for the geometry");
}

static thGeometryPart* lastPart(const thGeometry* geometry)
{
    return &TH_ITEMS(geometry->parts, thGeometryPart)[geometry->parts.count - 1];
}

// Room for one more item; arrays grow by half, so that the cost is in proportion to their number.
static void* addItem(thArray* array)
{
    if (array->count == array->capacity &&
        thiArrayReserve(array, array->count + array->count / 2 + 64) != th_resultOk)
        return NULL;
    return thiArrayAdd(array, 1);
}

thResult thiBeginPart(thGeometry* geometry, thGeometryKind kind, int32_t line, int32_t column)
{
    thGeometryPart* part = addItem(&geometry->parts);
    if (part == NULL)
        return failNoMemory(geometry);
    *part = (thGeometryPart){
        .kind = kind, .first = geometry->points.count, .line = line, .column = column};
    return th_resultOk;
}

static bool isWithin(thCoord point, double reach)
{
    return fabs(point.x) <= reach && fabs(point.y) <= reach;
}

thResult thiAddPartPoint(thGeometry* geometry, thCoord point, int32_t line, int32_t column)
{
    const thCoord origin = geometry->origin;
    const thCoord moved = {point.x - origin.x, point.y - origin.y};
    if (geometry->isAnywhere && !isWithin(moved, TH_GEOMETRY_REACH))
        return thiGeometryError(geometry, line, column,
                                "(%.9g, %.9g) is too far away, expected at most %.0f m", point.x,
                                point.y, TH_GEOMETRY_REACH);
    if (!geometry->isAnywhere && !isWithin(moved, THRONG_MAX_COORDINATE))
        return thiGeometryError(geometry, line, column,
                                "(%.9g, %.9g) is more than %d m from the origin (%.9g, %.9g) in x "
                                "or y; set the scene's origin near it, such as [%.0f, %.0f]",
                                point.x, point.y, (int)THRONG_MAX_COORDINATE, origin.x, origin.y,
                                point.x, point.y);
    if (geometry->points.count >= TH_GEOMETRY_POINTS)
        return thiGeometryError(geometry, line, column, "the file has more than %d points",
                                TH_GEOMETRY_POINTS);
    thCoord* added = addItem(&geometry->points);
    if (added == NULL)
        return failNoMemory(geometry);
    *added = moved;
    return th_resultOk;
}

static thResult endRing(thGeometry* geometry, thGeometryPart* part)
{
    if (part->count < 4)
        return thiGeometryError(geometry, part->line, part->column,
                                "a ring needs at least 4 points, the last being the first again; "
                                "this one has %d",
                                (int)part->count);
    const thCoord* points = &TH_ITEMS(geometry->points, thCoord)[part->first];
    const thCoord first = points[0], last = points[part->count - 1], origin = geometry->origin;
    if (first.x != last.x || first.y != last.y)
        return thiGeometryError(geometry, part->line, part->column,
                                "the ring is not closed: it begins at (%.9g, %.9g) and ends at "
                                "(%.9g, %.9g)",
                                first.x + origin.x, first.y + origin.y, last.x + origin.x,
                                last.y + origin.y);
    part->count -= 1;
    geometry->points.count -= 1;
    if (part->count > TH_SCENE_CORNERS)
        return thiGeometryError(geometry, part->line, part->column,
                                "the ring has %d corners, expected at most %d", (int)part->count,
                                TH_SCENE_CORNERS);
    return th_resultOk;
}

thResult thiEndPart(thGeometry* geometry)
{
    thGeometryPart* part = lastPart(geometry);
    part->count = geometry->points.count - part->first;
    if (part->kind != th_geometryLine)
        return endRing(geometry, part);
    if (part->count < 2)
        return thiGeometryError(geometry, part->line, part->column,
                                "a line needs at least 2 points, this one has %d",
                                (int)part->count);
    return th_resultOk;
}

// Polygons within polygons.

// Pairs of edges that are compared at most, for all polygons of a file together.
#define MOST_PAIRS 100000000

typedef struct Rings {
    const thGeometryPart* parts;
    int32_t count;
    const thPoint* points;
    int64_t pairs; // that were compared
} Rings;

// Where the part after a polygon, with its holes, is.
static int32_t endOfPolygon(const Rings* rings, int32_t outer)
{
    int32_t end = outer + 1;
    while (end < rings->count && rings->parts[end].kind == th_geometryHole)
        end += 1;
    return end;
}

static bool isInside(const Rings* rings, thPoint p, const thGeometryPart* ring)
{
    return thiPolygonSide(&rings->points[ring->first], ring->count, p) > 0;
}

static bool doTouch(const Rings* rings, const thGeometryPart* a, const thGeometryPart* b)
{
    const thPoint *pa = &rings->points[a->first], *pb = &rings->points[b->first];
    for (int32_t i = 0; i < a->count; ++i)
        for (int32_t k = 0; k < b->count; ++k)
            if (thiSegmentsTouch(pa[i], pa[(i + 1) % a->count], pb[k], pb[(k + 1) % b->count]))
                return true;
    return false;
}

// Rings that do not touch lie apart, or one in the other: one corner tells which.
static bool isNested(Rings* rings, int32_t inner, int32_t outer)
{
    const thGeometryPart* part = &rings->parts[inner];
    const thPoint corner = rings->points[part->first];
    const int32_t end = endOfPolygon(rings, outer);
    if (!isInside(rings, corner, &rings->parts[outer]))
        return false;
    for (int32_t i = outer; i < end; ++i) {
        const thGeometryPart* other = &rings->parts[i];
        rings->pairs += (int64_t)part->count * other->count;
        if (rings->pairs > MOST_PAIRS || doTouch(rings, part, other))
            return false;
        const bool isHole = i > outer;
        if (isHole &&
            (isInside(rings, corner, other) || isInside(rings, rings->points[other->first], part)))
            return false;
    }
    return true;
}

static bool isInAnother(Rings* rings, int32_t inner)
{
    for (int32_t i = 0; i < rings->count; ++i)
        if (i != inner && rings->parts[i].kind == th_geometryOuter && isNested(rings, inner, i))
            return true;
    return false;
}

// Marks the parts that are kept; polygons that lie in each other in turn do so in one that is kept.
static void markKept(Rings* rings, uint8_t* kept)
{
    for (int32_t i = 0; i < rings->count;) {
        const bool isOuter = rings->parts[i].kind == th_geometryOuter;
        const int32_t end = isOuter ? endOfPolygon(rings, i) : i + 1;
        const bool isKept = !isOuter || !isInAnother(rings, i);
        for (; i < end; ++i)
            kept[i] = isKept;
    }
}

thResult thiDropNestedPolygons(thGeometry* geometry)
{
    thMemory* memory = geometry->points.memory;
    thGeometryPart* parts = TH_ITEMS(geometry->parts, thGeometryPart);
    const int32_t count = geometry->parts.count, pointCount = geometry->points.count;
    const size_t pointSize = (size_t)TH_MAX(pointCount, 1) * sizeof(thPoint);
    const size_t keptSize = (size_t)TH_MAX(count, 1);
    thPoint* points = thiAllocate(memory, pointSize);
    uint8_t* kept = thiAllocate(memory, keptSize);
    const bool hasRoom = points != NULL && kept != NULL;
    if (hasRoom) {
        for (int32_t i = 0; i < pointCount; ++i) {
            const thCoord at = TH_ITEMS(geometry->points, thCoord)[i];
            points[i] = thiPointOf((thVec2){(float)at.x, (float)at.y});
        }
        markKept(&(Rings){.parts = parts, .count = count, .points = points}, kept);
        geometry->parts.count = 0;
        for (int32_t i = 0; i < count; ++i)
            if (kept[i])
                parts[geometry->parts.count++] = parts[i];
    }
    thiRelease(memory, points, pointSize);
    thiRelease(memory, kept, keptSize);
    return hasRoom ? th_resultOk : th_resultNoMemory;
}

// Files.

// In upper or lower case.
static bool hasSuffix(const char* path, const char* suffix)
{
    const size_t length = strlen(path), suffixLength = strlen(suffix);
    if (length < suffixLength)
        return false;
    for (size_t i = 0; i < suffixLength; ++i) {
        const char c = path[length - suffixLength + i];
        if (c != suffix[i] && (c < 'A' || c > 'Z' || c - 'A' + 'a' != suffix[i]))
            return false;
    }
    return true;
}

// Reads until the end, or a little more than is allowed.
static thResult readBytes(FILE* file, thArray* text)
{
    enum { chunk = 65536 };
    while ((size_t)text->count <= TH_GEOMETRY_BYTES) {
        if (text->capacity - text->count < chunk)
            TH_TRY(thiArrayReserve(text, text->count + text->count / 2 + chunk));
        char* bytes = thiArrayAdd(text, chunk);
        const size_t size = fread(bytes, 1, chunk, file);
        text->count -= chunk - (int32_t)size;
        if (ferror(file))
            return th_resultFile;
        if (size < chunk)
            break;
    }
    return th_resultOk;
}

static thResult readText(const char* path, const thGeometry* geometry, thArray* text)
{
    errno = 0;
    FILE* file = fopen(path, "rb");
    const thResult code = file != NULL ? readBytes(file, text) : th_resultFile;
    const char* reason = errno != 0 ? strerror(errno) : "unknown reason";
    if (file != NULL)
        fclose(file);
    if (code == th_resultFile)
        return thiFail(geometry->error, code, "cannot read the file: %s", reason);
    if (code == th_resultNoMemory)
        return failNoMemory(geometry);
    if ((size_t)text->count > TH_GEOMETRY_BYTES)
        return thiFail(geometry->error, th_resultSyntax, "the file has more than %zu bytes",
                       TH_GEOMETRY_BYTES);
    return th_resultOk;
}

static thResult readByFormat(const char* path, thGeometry* geometry, thArray* text)
{
    const bool isWkt = hasSuffix(path, ".wkt"), isMap = hasSuffix(path, ".map");
    if (!isWkt && !isMap && !hasSuffix(path, ".json") && !hasSuffix(path, ".geojson"))
        return thiFail(geometry->error, th_resultSyntax,
                       "the format is told by the suffix, expected .wkt, .geojson, .json or .map");
    TH_TRY(readText(path, geometry, text));
    return (isWkt   ? thiReadWkt
            : isMap ? thiReadGridMap
                    : thiReadGeoJson)(text->data, (size_t)text->count, geometry);
}

thResult thiReadGeometryFile(const char* path, thGeometry* geometry)
{
    thArray text = thiArray(geometry->points.memory, 1);
    geometry->path = path;
    *geometry->error = (thError){0};
    snprintf(geometry->error->file, sizeof geometry->error->file, "%s", path);
    const thResult code = readByFormat(path, geometry, &text);
    thiArrayFree(&text);
    return code;
}
