// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Points and shapes of a scene file. What the world would refuse is told here, where the place in
// the file is known.

#include "geom/polygon.h"
#include "scene/read/scene_read.h"
#include "throng/survey.h"

#include <float.h>

static bool readPlace(thSceneReader* reader, const thJson* value, double origin, double* to)
{
    thField range = {.min = -DBL_MAX, .max = DBL_MAX, .unit = "m; set 'origin' near the places"};
    if (reader->originKnown) {
        range.min = origin - THRONG_MAX_COORDINATE;
        range.max = origin + THRONG_MAX_COORDINATE;
    }
    return thiReadNumber(reader, value, &range, to);
}

bool thiReadPoint(thSceneReader* reader, const thJson* value, thCoord* point)
{
    if (value->kind != th_jsonArray || value->count != 2)
        return thiWrongType(reader, value, "a point [x, y]");
    const thCoord origin = reader->scene->origin;
    const bool good = readPlace(reader, value->first, origin.x, &point->x);
    return readPlace(reader, value->first->next, origin.y, &point->y) && good;
}

// Room for the points of an array that has enough of them.
static thCoord* allocatePoints(thSceneReader* reader, const thJson* value, int32_t least,
                               thCoords* points)
{
    if (value->kind != th_jsonArray) {
        thiWrongType(reader, value, "an array of points [x, y]");
        return NULL;
    }
    if (value->count < least) {
        thiSceneError(reader, value, "needs at least %d point%s, has %d", (int)least,
                      least > 1 ? "s" : "", (int)value->count);
        return NULL;
    }
    thCoord* items = thiSceneAllocate(reader, value->count, sizeof *items);
    *points = (thCoords){.items = items, .count = items != NULL ? value->count : 0};
    return items;
}

static bool readPoints(thSceneReader* reader, const thJson* value, int32_t least, thCoords* points)
{
    thCoord* items = allocatePoints(reader, value, least, points);
    bool good = items != NULL;
    for (const thJson* item = value->first; item != NULL && items != NULL; item = item->next)
        good = thiReadPoint(reader, item, &items[item->index]) && good;
    return good;
}

// `[[1, 2]]` is a list, `[1, 2]` a point. Where something is wrong in it, what is good decides.
static bool isList(const thJson* value)
{
    bool hasNumber = false;
    for (const thJson* item = value->first; item != NULL; item = item->next) {
        if (item->kind == th_jsonArray && item->count == 2)
            return true;
        hasNumber = hasNumber || item->kind == th_jsonNumber;
    }
    return !hasNumber;
}

bool thiReadPlaces(thSceneReader* reader, const thJson* value, thCoords* points)
{
    if (value->kind != th_jsonArray)
        return thiWrongType(reader, value, "a point [x, y] or an array of points");
    if (isList(value))
        return readPoints(reader, value, 1, points);
    thCoord* item = thiSceneAllocate(reader, 1, sizeof *item);
    *points = (thCoords){.items = item, .count = item != NULL};
    return item != NULL && thiReadPoint(reader, value, item);
}

// Cleans the points as the world would. `corners` is empty when they make no outline.
static bool cleanPoints(thSceneReader* reader, thCoords points, thCoord origin, thObstacleKind kind,
                        thArray* corners)
{
    thMemory* memory = &reader->scene->memory;
    const size_t size = (size_t)points.count * sizeof(thVec2);
    thVec2* metres = thiAllocate(memory, size);
    *corners = thiArray(memory, sizeof(thPoint));
    thResult code = th_resultNoMemory;
    if (metres != NULL) {
        for (int32_t i = 0; i < points.count; ++i)
            metres[i] = (thVec2){(float)(points.items[i].x - origin.x),
                                 (float)(points.items[i].y - origin.y)};
        code = thiCleanOutline(metres, points.count, kind, corners);
        thiRelease(memory, metres, size);
    }
    reader->noMemory = reader->noMemory || code == th_resultNoMemory;
    return code != th_resultNoMemory;
}

static bool checkLength(thSceneReader* reader, const thJson* value, thCoords points)
{
    thArray corners;
    if (!reader->originKnown)
        return true;
    bool good = cleanPoints(reader, points, reader->scene->origin, th_obstacleWall, &corners);
    if (good && corners.count == 0)
        good = thiSceneError(reader, value, "has no length: all points are the same");
    thiArrayFree(&corners);
    return good;
}

bool thiReadPath(thSceneReader* reader, const thJson* value, thCoords* points)
{
    return readPoints(reader, value, 2, points) && checkLength(reader, value, *points);
}

// To name the edges of a large polygon that cross takes long.
#define MOST_COMPARED 2000

static thPoint pointAt(thCoords points, int32_t i, thCoord origin)
{
    const thCoord point = points.items[i < points.count ? i : i - points.count];
    return (thPoint){thiUnits((float)(point.x - origin.x)), thiUnits((float)(point.y - origin.y))};
}

// The first two edges that cross or touch, but for those that have a corner in common: they may be
// neighbours, where a corner is repeated. An edge has the number of the corner it begins at.
static bool findClash(thCoords points, thCoord origin, int32_t* first, int32_t* second)
{
    const int32_t count = points.count <= MOST_COMPARED ? points.count : 0;
    for (int32_t i = 0; i < count; ++i) {
        const thPoint a = pointAt(points, i, origin), b = pointAt(points, i + 1, origin);
        for (int32_t k = i + 1; k < count; ++k) {
            const thPoint c = pointAt(points, k, origin), d = pointAt(points, k + 1, origin);
            if (thiSamePoint(a, c) || thiSamePoint(a, d) || thiSamePoint(b, c) ||
                thiSamePoint(b, d) || !thiSegmentsTouch(a, b, c, d))
                continue;
            *first = i;
            *second = k;
            return true;
        }
    }
    return false;
}

static bool tellNoPolygon(thSceneReader* reader, const thJson* value, thCoords points,
                          thCoord origin)
{
    int32_t first, second;
    if (findClash(points, origin, &first, &second))
        return thiSceneError(reader, value,
                             "the edges that begin at its corners %d and %d cross or touch",
                             (int)first, (int)second);
    return thiSceneError(reader, value, "has no area, or its edges cross or touch");
}

static bool checkPolygon(thSceneReader* reader, const thJson* value, thCoords points,
                         thCoord origin, bool mustBeConvex)
{
    thArray corners;
    if (points.count > TH_SCENE_CORNERS)
        return thiSceneError(reader, value, "has %d corners, expected at most %d",
                             (int)points.count, TH_SCENE_CORNERS);
    bool good = cleanPoints(reader, points, origin, th_obstacleSolid, &corners);
    if (good && corners.count == 0)
        good = tellNoPolygon(reader, value, points, origin);
    else if (good && mustBeConvex && !thiIsConvex(TH_ITEMS(corners, thPoint), corners.count))
        good = thiSceneError(reader, value, "is not convex");
    thiArrayFree(&corners);
    return good;
}

bool thiCheckArea(thSceneReader* reader, const thJson* value, const thShape* shape)
{
    if (shape->kind != th_shapePolygon)
        return true;
    if (shape->points.count > THRONG_AREA_CORNERS)
        return thiSceneError(reader, value, "has %d corners, expected at most %d",
                             (int)shape->points.count, THRONG_AREA_CORNERS);
    return !reader->originKnown ||
           checkPolygon(reader, value, shape->points, reader->scene->origin, true);
}

// At least 3 points, relative to something.
static bool readRelative(thSceneReader* reader, const thJson* value, const thField* range,
                         thCoords* points)
{
    thCoord* items = allocatePoints(reader, value, 3, points);
    bool good = items != NULL;
    for (const thJson* item = value->first; item != NULL && items != NULL; item = item->next) {
        double pair[2] = {0.0, 0.0};
        good = thiReadNumbers(reader, item, range, "a point [x, y]", pair) && good;
        items[item->index] = (thCoord){pair[0], pair[1]};
    }
    return good;
}

bool thiReadCorners(thSceneReader* reader, const thJson* value, const thField* range,
                    thCoords* corners)
{
    return readRelative(reader, value, range, corners) &&
           checkPolygon(reader, value, *corners, (thCoord){0.0, 0.0}, true);
}

bool thiReadBody(thSceneReader* reader, const thJson* value, const thField* range,
                 thSceneBody* body)
{
    const bool isDisc = value->kind == th_jsonArray && value->count == 0;
    if (isDisc)
        return true;
    if (!readRelative(reader, value, range, &body->points))
        return false;
    thVec2* points = thiSceneAllocate(reader, body->points.count, sizeof *points);
    if (points == NULL)
        return false;
    for (int32_t i = 0; i < body->points.count; ++i)
        points[i] = (thVec2){(float)body->points.items[i].x, (float)body->points.items[i].y};
    thError error = {0};
    return thMakeBodyShape(points, body->points.count, &body->shape, &error) == th_resultOk ||
           thiSceneError(reader, value, "%s", error.text);
}

bool thiReadSegment(thSceneReader* reader, const thJson* value, thCoord ends[2])
{
    if (value->kind != th_jsonArray || value->count != 2)
        return thiWrongType(reader, value, "two points [[x, y], [x, y]]");
    const bool good = thiReadPoint(reader, value->first, &ends[0]);
    return thiReadPoint(reader, value->first->next, &ends[1]) && good &&
           checkLength(reader, value, (thCoords){.items = ends, .count = 2});
}

// Two corners, which must differ in x and in y as far as the world can tell.
static bool readBox(thSceneReader* reader, const thJson* value, thCoord corners[2])
{
    if (value->kind != th_jsonArray || value->count != 2)
        return thiWrongType(reader, value, "two points [[x, y], [x, y]]");
    const bool good = thiReadPoint(reader, value->first, &corners[0]);
    if (!thiReadPoint(reader, value->first->next, &corners[1]) || !good)
        return false;
    if (!reader->originKnown)
        return true;
    const thCoord origin = reader->scene->origin;
    const thPoint a = pointAt((thCoords){corners, 2}, 0, origin);
    const thPoint b = pointAt((thCoords){corners, 2}, 1, origin);
    return (a.x != b.x && a.y != b.y) || thiSceneError(reader, value, "has no area");
}

bool thiReadShape(thSceneReader* reader, const thJson* value, thShapeKind kind, thShape* shape)
{
    shape->kind = kind;
    if (kind == th_shapePolygon)
        return readPoints(reader, value, 3, &shape->points) &&
               (!reader->originKnown ||
                checkPolygon(reader, value, shape->points, reader->scene->origin, false));
    thCoord* points = thiSceneAllocate(reader, 2, sizeof *points);
    if (points == NULL)
        return false;
    const bool isPoint = kind == th_shapePoint || kind == th_shapeDisc;
    shape->points = (thCoords){.items = points, .count = isPoint ? 1 : 2};
    return (isPoint                   ? thiReadPoint
            : kind == th_shapeSegment ? thiReadSegment
                                      : readBox)(reader, value, points);
}
