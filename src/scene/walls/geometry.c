// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Lines and polygons that are added part by part, from a file of any format, and polygons put
// together.

#include "scene/walls/geometry.h"
#include "geom/areas.h"
#include "geom/polygon.h"
#include "scene/read/scene_keys.h"
#include "sim/ranges.h"
#include "throng/math.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

thGeometry thiGeometry(thMemory* memory, thCoord origin, thError* error)
{
    return (thGeometry){.origin = origin,
                        .degrees = {NAN, NAN},
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

// Metres from a place on the earth, along its parallel and its meridian, as if these were straight:
// an ellipsoid (WGS 84) of which the radii of curvature are taken there.
static thCoord metresFrom(thCoord place, thCoord point)
{
    const double perDegree = 0x1.1df46a2529d39p-6, a = 6378137.0, eSquare = 0.00669437999014;
    float sine, cosine;
    thSinCos((float)(place.y * perDegree), &sine, &cosine);
    const double root = sqrt(1.0 - eSquare * ((double)sine * (double)sine));
    const double across = a / root, along = a * (1.0 - eSquare) / (root * root * root);
    double east = point.x - place.x; // the shorter way round
    east += east > 180.0 ? -360.0 : east < -180.0 ? 360.0 : 0.0;
    return (thCoord){east * perDegree * across * (double)cosine,
                     (point.y - place.y) * perDegree * along};
}

thResult thiAddPartPoint(thGeometry* geometry, thCoord point, int32_t line, int32_t column)
{
    const thCoord origin = geometry->origin;
    if (!isnan(geometry->degrees.x)) {
        if (fabs(point.x) > 180.0 || fabs(point.y) > 90.0)
            return thiGeometryError(geometry, line, column,
                                    "(%.9g, %.9g) is no longitude and latitude in degrees", point.x,
                                    point.y);
        point = metresFrom(geometry->degrees, point);
    }
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

// Polygons that touch, overlap or lie in each other.

// Boxes that are so near meet. [m]
#define NEAR_BOX 0.002

// A polygon with its holes, and what it belongs to.
typedef struct Polygon {
    int32_t first, end; // of its parts
    double low[2], high[2];
    int32_t group; // the first of those whose boxes meet
} Polygon;

// Walks through the polygons; the parts between are lines.
static int32_t nextPolygon(const thGeometry* geometry, int32_t part, Polygon* polygon)
{
    const thGeometryPart* parts = TH_ITEMS(geometry->parts, thGeometryPart);
    const int32_t count = geometry->parts.count;
    while (part < count && parts[part].kind != th_geometryOuter)
        part += 1;
    if (part == count)
        return -1;
    const thCoord* points = &TH_ITEMS(geometry->points, thCoord)[parts[part].first];
    *polygon = (Polygon){
        .first = part, .low = {points[0].x, points[0].y}, .high = {points[0].x, points[0].y}};
    for (int32_t i = 1; i < parts[part].count; ++i) {
        polygon->low[0] = TH_MIN(polygon->low[0], points[i].x);
        polygon->low[1] = TH_MIN(polygon->low[1], points[i].y);
        polygon->high[0] = TH_MAX(polygon->high[0], points[i].x);
        polygon->high[1] = TH_MAX(polygon->high[1], points[i].y);
    }
    for (part += 1; part < count && parts[part].kind == th_geometryHole;)
        part += 1;
    polygon->end = part;
    return part;
}

static thResult findPolygons(const thGeometry* geometry, thArray* polygons)
{
    Polygon found;
    for (int32_t part = 0; (part = nextPolygon(geometry, part, &found)) >= 0;) {
        found.group = polygons->count;
        Polygon* polygon = addItem(polygons);
        if (polygon == NULL)
            return th_resultNoMemory;
        *polygon = found;
    }
    return th_resultOk;
}

static int32_t groupOf(Polygon* polygons, int32_t i)
{
    while (polygons[i].group != i)
        i = polygons[i].group = polygons[polygons[i].group].group;
    return i;
}

typedef struct WestEnd {
    double x;
    int32_t polygon;
} WestEnd;

static int compareWestEnds(const void* left, const void* right)
{
    const WestEnd* a = left;
    const WestEnd* b = right;
    return a->x != b->x ? (a->x > b->x) - (a->x < b->x)
                        : (a->polygon > b->polygon) - (a->polygon < b->polygon);
}

// Puts polygons whose boxes meet into one group. Returns whether any do.
static bool groupPolygons(thArray* array, WestEnd* sorted)
{
    Polygon* polygons = TH_ITEMS(*array, Polygon);
    const int32_t count = array->count;
    bool isAny = false;
    for (int32_t i = 0; i < count; ++i)
        sorted[i] = (WestEnd){polygons[i].low[0], i};
    qsort(sorted, (size_t)count, sizeof *sorted, compareWestEnds);
    for (int32_t i = 0; i < count; ++i) {
        const Polygon* a = &polygons[sorted[i].polygon];
        for (int32_t k = i + 1; k < count && sorted[k].x <= a->high[0] + NEAR_BOX; ++k) {
            const Polygon* b = &polygons[sorted[k].polygon];
            if (b->low[1] > a->high[1] + NEAR_BOX || a->low[1] > b->high[1] + NEAR_BOX)
                continue;
            const int32_t one = groupOf(polygons, sorted[i].polygon);
            const int32_t other = groupOf(polygons, sorted[k].polygon);
            polygons[TH_MAX(one, other)].group = TH_MIN(one, other);
            isAny |= one != other;
        }
    }
    return isAny;
}

// What polygons are rewritten with.
typedef struct Rewriter {
    thGeometry* geometry;
    thAreas* areas;
    thArray cleaned; // thPoint: a ring
    thArray rings;   // thAreaRing
    thArray corners; // thPoint
    thArray parts;   // thGeometryPart: that replace those there are
} Rewriter;

// th_resultBadArgument: a ring is none, which will be told when it is built.
static thResult addPolygon(Rewriter* rewriter, const Polygon* polygon)
{
    const thGeometry* geometry = rewriter->geometry;
    for (int32_t i = polygon->first; i < polygon->end; ++i) {
        const thGeometryPart* part = &TH_ITEMS(geometry->parts, thGeometryPart)[i];
        thArray floats = thiArray(geometry->points.memory, sizeof(thVec2));
        thVec2* points = thiArrayAdd(&floats, part->count);
        for (int32_t k = 0; k < part->count && points != NULL; ++k) {
            const thCoord at = TH_ITEMS(geometry->points, thCoord)[part->first + k];
            points[k] = (thVec2){(float)at.x, (float)at.y};
        }
        rewriter->cleaned.count = 0;
        thResult code = points != NULL
                            ? thiCleanOutline(points, part->count,
                                              part->kind == th_geometryHole ? th_obstacleRoom
                                                                            : th_obstacleSolid,
                                              &rewriter->cleaned)
                            : th_resultNoMemory;
        if (code == th_resultOk)
            code = thiAddArea(rewriter->areas, TH_ITEMS(rewriter->cleaned, thPoint),
                              rewriter->cleaned.count);
        thiArrayFree(&floats);
        TH_TRY(code);
    }
    return th_resultOk;
}

// Adds what the areas come to; it is told as if it stood where a polygon stands.
static thResult takeRings(Rewriter* rewriter, const Polygon* polygon, bool areSolid)
{
    thGeometry* geometry = rewriter->geometry;
    rewriter->rings.count = rewriter->corners.count = 0;
    TH_TRY(thiOutlineAreas(rewriter->areas, areSolid, &rewriter->rings, &rewriter->corners));
    const thGeometryPart at = TH_ITEMS(geometry->parts, thGeometryPart)[polygon->first];
    for (int32_t i = 0; i < rewriter->rings.count; ++i) {
        const thAreaRing* ring = &TH_ITEMS(rewriter->rings, thAreaRing)[i];
        thGeometryPart* part = addItem(&rewriter->parts);
        TH_TRY(
            thiArrayReserveAmply(&geometry->points, (int64_t)geometry->points.count + ring->count));
        if (part == NULL)
            return th_resultNoMemory;
        *part =
            (thGeometryPart){.kind = ring->isRoom || areSolid ? th_geometryOuter : th_geometryHole,
                             .first = geometry->points.count,
                             .count = ring->count,
                             .line = at.line,
                             .column = at.column};
        thCoord* points = thiArrayAdd(&geometry->points, ring->count);
        for (int32_t k = 0; k < ring->count; ++k) {
            const thPoint corner = TH_ITEMS(rewriter->corners, thPoint)[ring->first + k];
            points[k] = (thCoord){(double)corner.x / THRONG_UNITS_PER_METRE,
                                  (double)corner.y / THRONG_UNITS_PER_METRE};
        }
    }
    return th_resultOk;
}

static thResult keepParts(Rewriter* rewriter, int32_t first, int32_t end)
{
    for (int32_t i = first; i < end; ++i) {
        thGeometryPart* part = addItem(&rewriter->parts);
        if (part == NULL)
            return th_resultNoMemory;
        *part = TH_ITEMS(rewriter->geometry->parts, thGeometryPart)[i];
    }
    return th_resultOk;
}

// Some polygons together; one that is alone stays as it is, unless it is solid round something.
static thResult rewriteGroup(Rewriter* rewriter, const Polygon* polygons, int32_t count,
                             bool areSolid)
{
    const thGeometry* geometry = rewriter->geometry;
    const bool hasHoles = polygons[0].end > polygons[0].first + 1;
    if (count == 1 && !(areSolid && hasHoles))
        return keepParts(rewriter, polygons[0].first, polygons[0].end);
    thResult code = thiCreateAreas(geometry->points.memory, &rewriter->areas);
    for (int32_t i = 0; i < count && code == th_resultOk; ++i)
        code = addPolygon(rewriter, &polygons[i]);
    if (code == th_resultOk)
        code = takeRings(rewriter, &polygons[0], areSolid);
    thiDestroyAreas(rewriter->areas);
    if (code == th_resultBadArgument) { // they are told when they are built
        for (int32_t i = 0; i < count; ++i)
            TH_TRY(keepParts(rewriter, polygons[i].first, polygons[i].end));
        return th_resultOk;
    }
    const thGeometryPart* part = &TH_ITEMS(geometry->parts, thGeometryPart)[polygons[0].first];
    return code == th_resultFull
               ? thiGeometryError(geometry, part->line, part->column,
                                  "this polygon and others cross too often to be put together")
               : code;
}

static int comparePolygons(const void* left, const void* right)
{
    const Polygon* a = left;
    const Polygon* b = right;
    return a->group != b->group ? (a->group > b->group) - (a->group < b->group)
                                : (a->first > b->first) - (a->first < b->first);
}

// Lines come first, then polygons group by group.
static thResult rewriteAll(Rewriter* rewriter, const thArray* array, bool areSolid)
{
    thGeometry* geometry = rewriter->geometry;
    const Polygon* polygons = TH_ITEMS(*array, Polygon);
    for (int32_t i = 0; i < geometry->parts.count; ++i)
        if (TH_ITEMS(geometry->parts, thGeometryPart)[i].kind == th_geometryLine)
            TH_TRY(keepParts(rewriter, i, i + 1));
    for (int32_t i = 0, count; i < array->count; i += count) {
        for (count = 1; i + count < array->count && polygons[i + count].group == polygons[i].group;)
            count += 1;
        TH_TRY(rewriteGroup(rewriter, &polygons[i], count, areSolid));
    }
    const thArray parts = geometry->parts;
    geometry->parts = rewriter->parts;
    rewriter->parts = parts;
    return th_resultOk;
}

// Whether there is something to be rewritten. Solids overlap as they like: each is a group.
static thResult findGroups(thArray* polygons, bool areSolid, bool* isAny)
{
    Polygon* items = TH_ITEMS(*polygons, Polygon);
    *isAny = false;
    for (int32_t i = 0; i < polygons->count && areSolid; ++i)
        *isAny |= items[i].end > items[i].first + 1;
    if (areSolid || polygons->count < 2)
        return th_resultOk;
    const size_t size = (size_t)polygons->count * sizeof(WestEnd);
    WestEnd* sorted = thiAllocate(polygons->memory, size);
    if (sorted == NULL)
        return th_resultNoMemory;
    *isAny = groupPolygons(polygons, sorted);
    thiRelease(polygons->memory, sorted, size);
    for (int32_t i = 0; i < polygons->count; ++i)
        items[i].group = groupOf(items, i);
    qsort(items, (size_t)polygons->count, sizeof *items, comparePolygons);
    return th_resultOk;
}

thResult thiJoinPolygons(thGeometry* geometry, bool areSolid)
{
    thMemory* memory = geometry->points.memory;
    thArray polygons = thiArray(memory, sizeof(Polygon));
    Rewriter rewriter = {.geometry = geometry,
                         .cleaned = thiArray(memory, sizeof(thPoint)),
                         .rings = thiArray(memory, sizeof(thAreaRing)),
                         .corners = thiArray(memory, sizeof(thPoint)),
                         .parts = thiArray(memory, sizeof(thGeometryPart))};
    bool isAny = false;
    thResult code = findPolygons(geometry, &polygons);
    if (code == th_resultOk)
        code = findGroups(&polygons, areSolid, &isAny);
    if (code == th_resultOk && isAny)
        code = rewriteAll(&rewriter, &polygons, areSolid);
    geometry->areApart |= code == th_resultOk && !areSolid;
    thiArrayFree(&polygons);
    thiArrayFree(&rewriter.cleaned);
    thiArrayFree(&rewriter.rings);
    thiArrayFree(&rewriter.corners);
    thiArrayFree(&rewriter.parts);
    return code == th_resultNoMemory ? failNoMemory(geometry) : code;
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
    if (isMap && !isnan(geometry->degrees.x))
        return thiFail(geometry->error, th_resultSyntax,
                       "a map of cells is not in degrees; leave 'degrees' out");
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
