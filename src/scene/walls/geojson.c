// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Walls from GeoJSON. A text is a geometry, a Feature or a FeatureCollection; geometries are
// LineString, Polygon, their Multi… and GeometryCollection. Members that are not needed, such as
// `properties` and `crs`, are not looked at. Points are no walls, so Point and MultiPoint are
// errors.

#include "scene/walls/geometry.h"

#include <string.h>

static thResult failExpected(const thGeometry* geometry, const thJson* value, const char* expected)
{
    static const char* const kinds[] = {"null",   "true or false", "a number",
                                        "a text", "an array",      "an object"};
    char path[64];
    thiJsonPath(value, path, sizeof path);
    return thiGeometryError(geometry, value->line, value->column, "%s%sexpected %s, found %s", path,
                            path[0] != '\0' ? ": " : "", expected, kinds[value->kind]);
}

typedef thResult ItemFcn(thGeometry* geometry, const thJson* item);

static thResult readItems(thGeometry* geometry, const thJson* array, ItemFcn* readItem,
                          const char* expected)
{
    if (array->kind != th_jsonArray)
        return failExpected(geometry, array, expected);
    for (const thJson* item = array->first; item != NULL; item = item->next)
        TH_TRY(readItem(geometry, item));
    return th_resultOk;
}

// Heights and whatever else stands behind x and y are dropped.
static thResult readPosition(thGeometry* geometry, const thJson* position)
{
    if (position->kind != th_jsonArray || position->count < 2 ||
        position->first->kind != th_jsonNumber || position->first->next->kind != th_jsonNumber)
        return failExpected(geometry, position, "a position [x, y]");
    const thCoord point = {position->first->number, position->first->next->number};
    return thiAddPartPoint(geometry, point, position->line, position->column);
}

static thResult readPart(thGeometry* geometry, const thJson* positions, thGeometryKind kind)
{
    TH_TRY(thiBeginPart(geometry, kind, positions->line, positions->column));
    TH_TRY(readItems(geometry, positions, readPosition, "an array of positions [x, y]"));
    return thiEndPart(geometry);
}

// An array that is empty is a line that is empty.
static thResult readLine(thGeometry* geometry, const thJson* positions)
{
    if (positions->kind == th_jsonArray && positions->count == 0)
        return th_resultOk;
    return readPart(geometry, positions, th_geometryLine);
}

static thResult readPolygon(thGeometry* geometry, const thJson* rings)
{
    if (rings->kind != th_jsonArray)
        return failExpected(geometry, rings, "an array of rings");
    for (const thJson* ring = rings->first; ring != NULL; ring = ring->next)
        TH_TRY(readPart(geometry, ring, ring->index == 0 ? th_geometryOuter : th_geometryHole));
    return th_resultOk;
}

static thResult readLines(thGeometry* geometry, const thJson* lines)
{
    return readItems(geometry, lines, readLine, "an array of lines");
}

static thResult readPolygons(thGeometry* geometry, const thJson* polygons)
{
    return readItems(geometry, polygons, readPolygon, "an array of polygons");
}

static thResult readNoPoint(thGeometry* geometry, const thJson* coordinates)
{
    return thiGeometryError(geometry, coordinates->line, coordinates->column,
                            "points make no walls; expected lines or polygons");
}

static thResult readObject(thGeometry* geometry, const thJson* object);

// A feature may have no geometry.
static thResult readFeatureGeometry(thGeometry* geometry, const thJson* object)
{
    return object->kind == th_jsonNull ? th_resultOk : readObject(geometry, object);
}

static thResult readObjects(thGeometry* geometry, const thJson* objects)
{
    return readItems(geometry, objects, readObject, "an array");
}

static const struct {
    const char* name;
    const char* key; // of the member that holds what there is
    ItemFcn* read;
} types[] = {
    {"LineString", "coordinates", readLine},
    {"Polygon", "coordinates", readPolygon},
    {"MultiLineString", "coordinates", readLines},
    {"MultiPolygon", "coordinates", readPolygons},
    {"GeometryCollection", "geometries", readObjects},
    {"Feature", "geometry", readFeatureGeometry},
    {"FeatureCollection", "features", readObjects},
    {"Point", "coordinates", readNoPoint},
    {"MultiPoint", "coordinates", readNoPoint},
};

// Objects are not nested deeper than the JSON reader lets them.
static thResult readObject(thGeometry* geometry, const thJson* object)
{
    if (object->kind != th_jsonObject)
        return failExpected(geometry, object, "a GeoJSON object");
    const thJson* type = thiJsonMember(object, "type");
    if (type == NULL)
        return thiGeometryError(geometry, object->line, object->column, "'type' is missing");
    if (type->kind != th_jsonString)
        return failExpected(geometry, type, "the name of a GeoJSON type");
    for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i) {
        if (strcmp(type->text, types[i].name) != 0)
            continue;
        const thJson* member = thiJsonMember(object, types[i].key);
        if (member == NULL)
            return thiGeometryError(geometry, object->line, object->column, "'%s' is missing",
                                    types[i].key);
        return types[i].read(geometry, member);
    }
    return thiGeometryError(geometry, type->line, type->column,
                            "'%.32s' is no type of GeoJSON; expected LineString, Polygon, their "
                            "Multi…, GeometryCollection, Feature or FeatureCollection",
                            type->text);
}

// The first error is told.
static void keepFirst(void* context, const thError* error)
{
    thError* kept = context;
    if (kept->code != th_resultOk)
        return;
    kept->code = error->code;
    kept->line = error->line;
    kept->column = error->column;
    memcpy(kept->text, error->text, sizeof kept->text);
}

thResult thiReadGeoJson(const char* text, size_t size, thGeometry* geometry)
{
    thErrorSink sink = {.report = keepFirst, .context = geometry->error};
    thArena arena;
    thiArenaInit(&arena, geometry->points.memory);
    const thJson* root = thiReadJson(&arena, text, size, &thiJsonLimits, &sink);
    const thResult code =
        sink.count > 0 || root == NULL ? geometry->error->code : readObject(geometry, root);
    thiArenaFree(&arena);
    return code;
}
