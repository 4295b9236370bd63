// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Points, shapes, nodes of roadmaps, drawn numbers and intervals of a scene file. What the world
// would refuse is told here, where the place in the file is known.

#include "geom/polygon.h"
#include "scene/read/scene_read.h"
#include "scene/scene_draw.h"
#include "throng/roadmap.h"
#include "throng/survey.h"

#include <float.h>
#include <math.h>
#include <string.h>

static bool readPlace(thSceneReader* reader, const thJson* value, double origin, double* to)
{
    thSceneKey range = {.min = -DBL_MAX, .max = DBL_MAX, .unit = "m; set 'origin' near the places"};
    if (reader->originKnown) {
        range.min = origin - THRONG_MAX_COORDINATE;
        range.max = origin + THRONG_MAX_COORDINATE;
    }
    return thiReadNumber(reader, value, &range, to);
}

static bool readPoint(thSceneReader* reader, const thJson* value, thCoord* point)
{
    if (value->kind != th_jsonArray || value->count != 2)
        return thiWrongType(reader, value, "a point [x, y]");
    const thCoord origin = reader->scene->origin;
    const bool good = readPlace(reader, value->first, origin.x, &point->x);
    return readPlace(reader, value->first->next, origin.y, &point->y) && good;
}

static bool isInWorld(const thSceneReader* reader, double x, double y)
{
    const thCoord origin = reader->scene->origin;
    return !reader->originKnown ||
           (x >= origin.x - THRONG_MAX_COORDINATE && x <= origin.x + THRONG_MAX_COORDINATE &&
            y >= origin.y - THRONG_MAX_COORDINATE && y <= origin.y + THRONG_MAX_COORDINATE);
}

void thiRequireInWorld(thSceneReader* reader, const thJson* object, double x, double y)
{
    char textX[TH_NUMBER_TEXT], textY[TH_NUMBER_TEXT];
    if (!isInWorld(reader, x, y))
        thiSceneError(reader, object,
                      "reaches to [%s, %s], expected at most %d m from the origin in x and y",
                      thiNumberText(x, textX), thiNumberText(y, textY), (int)THRONG_MAX_COORDINATE);
}

// How far the copies of a place are from their centre at most. [m]
static double reachOf(const thSceneRepeat* repeat, thCoord place)
{
    double most = 0.0;
    for (int32_t corner = 0; corner < 4; ++corner) {
        const int32_t column = corner % 2 * (repeat->columns - 1);
        const int32_t row = corner / 2 * (repeat->rows - 1);
        const double dx = place.x + column * repeat->step[0] - repeat->around.x;
        const double dy = place.y + row * repeat->step[1] - repeat->around.y;
        most = TH_MAX(most, dx * dx + dy * dy);
    }
    return sqrt(most);
}

void thiRequireCopiesInWorld(thSceneReader* reader, const thJson* object,
                             const thSceneRepeat* repeat, const thCoord* places, int32_t count)
{
    const int32_t errors = reader->sink.count;
    const thCoord origin = reader->scene->origin, around = repeat->around;
    for (int32_t i = 0; i < count && reader->sink.count == errors; ++i) {
        const double reach = reachOf(repeat, places[i]);
        if (repeat->count > 1)
            thiRequireInWorld(reader, object, around.x + (around.x < origin.x ? -reach : reach),
                              around.y + (around.y < origin.y ? -reach : reach));
        else
            thiRequireInWorld(reader, object, places[i].x + (repeat->columns - 1) * repeat->step[0],
                              places[i].y + (repeat->rows - 1) * repeat->step[1]);
    }
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
        good = readPoint(reader, item, &items[item->index]) && good;
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

// One point or several.
static bool readPlaces(thSceneReader* reader, const thJson* value, thCoords* points)
{
    if (value->kind != th_jsonArray)
        return thiWrongType(reader, value, "a point [x, y] or an array of points");
    if (isList(value))
        return readPoints(reader, value, 1, points);
    thCoord* item = thiSceneAllocate(reader, 1, sizeof *item);
    *points = (thCoords){.items = item, .count = item != NULL};
    return item != NULL && readPoint(reader, value, item);
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

// Two points or more that are not all the same.
static bool readPath(thSceneReader* reader, const thJson* value, thCoords* points)
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
static bool readRelative(thSceneReader* reader, const thJson* value, const thSceneKey* range,
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

// A convex polygon, relative to something.
static bool readCorners(thSceneReader* reader, const thJson* value, const thSceneKey* range,
                        thCoords* corners)
{
    return readRelative(reader, value, range, corners) &&
           checkPolygon(reader, value, *corners, (thCoord){0.0, 0.0}, true);
}

// Points whose hull is the shape of bodies.
static bool readBody(thSceneReader* reader, const thJson* value, const thSceneKey* range,
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

static bool readSegment(thSceneReader* reader, const thJson* value, thCoord ends[2])
{
    if (value->kind != th_jsonArray || value->count != 2)
        return thiWrongType(reader, value, "two points [[x, y], [x, y]]");
    const bool good = readPoint(reader, value->first, &ends[0]);
    return readPoint(reader, value->first->next, &ends[1]) && good &&
           checkLength(reader, value, (thCoords){.items = ends, .count = 2});
}

// Two corners, which must differ in x and in y as far as the world can tell.
static bool readBox(thSceneReader* reader, const thJson* value, thCoord corners[2])
{
    if (value->kind != th_jsonArray || value->count != 2)
        return thiWrongType(reader, value, "two points [[x, y], [x, y]]");
    const bool good = readPoint(reader, value->first, &corners[0]);
    if (!readPoint(reader, value->first->next, &corners[1]) || !good)
        return false;
    if (!reader->originKnown)
        return true;
    const thCoord origin = reader->scene->origin;
    const thPoint a = pointAt((thCoords){corners, 2}, 0, origin);
    const thPoint b = pointAt((thCoords){corners, 2}, 1, origin);
    return (a.x != b.x && a.y != b.y) || thiSceneError(reader, value, "has no area");
}

static bool readShape(thSceneReader* reader, const thJson* value, thShapeKind kind, thShape* shape)
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
    return (isPoint                   ? readPoint
            : kind == th_shapeSegment ? readSegment
                                      : readBox)(reader, value, points);
}

// Nodes and edges of roadmaps.

static bool isPair(const thJson* value)
{
    return value->kind == th_jsonArray && value->count == 2;
}

// A point counts as a portal without width. Where something is wrong in a segment, what is good
// tells that it is one.
static bool readNode(thSceneReader* reader, const thJson* value, thCoord ends[2])
{
    if (value->kind != th_jsonArray || value->count != 2)
        return thiWrongType(reader, value, "a point [x, y] or a segment [[x, y], [x, y]]");
    if (isPair(value->first) || isPair(value->first->next))
        return readSegment(reader, value, ends);
    const bool good = readPoint(reader, value, &ends[0]);
    ends[1] = ends[0];
    return good;
}

// Points and segments: two points for each.
static bool readNodes(thSceneReader* reader, const thJson* value, thCoords* nodes)
{
    if (value->kind != th_jsonArray)
        return thiWrongType(reader, value, "an array of points and segments");
    if (value->count < 1 || value->count > THRONG_ROADMAP_NODES)
        return thiSceneError(reader, value, "has %d nodes, expected 1 .. %d", (int)value->count,
                             THRONG_ROADMAP_NODES);
    thCoord* ends = thiSceneAllocate(reader, 2 * (int64_t)value->count, sizeof *ends);
    if (ends == NULL)
        return false;
    bool good = true;
    for (const thJson* item = value->first; item != NULL; item = item->next)
        good = readNode(reader, item, &ends[2 * item->index]) && good;
    *nodes = (thCoords){.items = ends, .count = 2 * value->count};
    return good;
}

static bool readPair(thSceneReader* reader, const thJson* value, int32_t pair[2])
{
    static const char expected[] = "two numbers of nodes [a, b]";
    const thSceneKey number = {.min = 0, .max = THRONG_ROADMAP_NODES - 1};
    double ends[2];
    if (!thiReadNumbers(reader, value, &number, expected, ends))
        return false;
    if (ends[0] != floor(ends[0]) || ends[1] != floor(ends[1]))
        return thiSceneError(reader, value, "expected whole numbers of nodes");
    pair[0] = (int32_t)ends[0];
    pair[1] = (int32_t)ends[1];
    return true;
}

// Pairs of whole numbers: a pointer and how many pairs.
static bool readPairs(thSceneReader* reader, const thJson* value, void* target)
{
    if (value->kind != th_jsonArray)
        return thiWrongType(reader, value, "an array of [a, b]");
    if (value->count == 0)
        return thiSceneError(reader, value, "needs at least 1 pair, has 0");
    int32_t* pairs = thiSceneAllocate(reader, 2 * (int64_t)value->count, sizeof *pairs);
    if (pairs == NULL)
        return false;
    bool good = true;
    for (const thJson* item = value->first; item != NULL; item = item->next)
        good = readPair(reader, item, &pairs[2 * item->index]) && good;
    memcpy(target, &pairs, sizeof pairs);
    memcpy((char*)target + sizeof pairs, &value->count, sizeof value->count);
    return good;
}

// Numbers that are drawn for each agent, and intervals of time.

// The smallest deviation; what cannot be 0 is not below it either.
#define LEAST_DEVIATION 1e-6

// Rows of a table at most.
#define MOST_ROWS 1000

static bool readUniform(thSceneReader* reader, const thJson* value, const thSceneKey* range,
                        thDraw* draw)
{
    double ends[2];
    if (!thiReadNumbers(reader, value, range, "two numbers [from, to]", ends))
        return false;
    draw->a = ends[0];
    draw->b = ends[1];
    return ends[0] <= ends[1] || thiSceneError(reader, value, "ends below where it begins");
}

// [mean, deviation], or [scale, shape].
static bool readTwo(thSceneReader* reader, const thJson* value, const thSceneKey* range,
                    thDraw* draw)
{
    const bool isWeibull = draw->kind == th_drawWeibull;
    if (value->kind != th_jsonArray || value->count != 2)
        return thiWrongType(reader, value,
                            isWeibull ? "two numbers [scale, shape]"
                                      : "two numbers [mean, deviation]");
    thSceneKey firsts = *range, seconds = *range;
    if (draw->kind != th_drawNormal)
        firsts.min = TH_MAX(range->min, LEAST_DEVIATION);
    seconds.min = LEAST_DEVIATION;
    seconds.max = range->max - range->min;
    if (isWeibull) {
        seconds.min = 0.1;
        seconds.max = 100.0;
        seconds.unit = "";
    }
    const bool good = thiReadNumber(reader, value->first, &firsts, &draw->a);
    return thiReadNumber(reader, value->first->next, &seconds, &draw->b) && good;
}

// A row [number, share] of a table, after another one.
static bool readRow(thSceneReader* reader, const thJson* row, const thSceneKey* range,
                    thCoord* read)
{
    const thSceneKey shares = {.name = "share", .kind = th_keyNumber, .max = 1.0, .unit = ""};
    *read = (thCoord){NAN, NAN}; // nothing is below
    if (row->kind != th_jsonArray || row->count != 2)
        return thiWrongType(reader, row, "a number and the share of all that is not above it");
    bool good = thiReadNumber(reader, row->first, range, &read->x);
    good = thiReadNumber(reader, row->first->next, &shares, &read->y) && good;
    if (!good)
        *read = (thCoord){NAN, NAN};
    if (good && row->index > 0 && (read->x < read[-1].x || read->y < read[-1].y))
        return thiSceneError(reader, row, "is below the row before");
    if (good && row->index == 0 && read->y != 0.0)
        return thiSceneError(reader, row, "expected the first share to be 0");
    if (good && row->next == NULL && read->y != 1.0)
        return thiSceneError(reader, row, "expected the last share to be 1");
    return good;
}

static bool readTable(thSceneReader* reader, const thJson* value, const thSceneKey* range,
                      thDraw* draw)
{
    if (value->kind != th_jsonArray || value->count < 2 || value->count > MOST_ROWS)
        return thiWrongType(reader, value, "an array of 2 to 1000 rows [number, share]");
    thCoord* rows = thiSceneAllocate(reader, value->count, sizeof *rows);
    if (rows == NULL)
        return false;
    bool good = true;
    for (const thJson* row = value->first; row != NULL; row = row->next)
        good = readRow(reader, row, range, &rows[row->index]) && good;
    draw->table = (thCoords){rows, value->count};
    return good && (rows[0].x < rows[value->count - 1].x ||
                    thiSceneError(reader, value, "has only one number; write it without a table"));
}

// `good`: the distribution is.
static bool readBounds(thSceneReader* reader, const thMembers* members, const thSceneKey* range,
                       const thJson* value, thDraw* draw, bool good)
{
    const thJson* min = members->of[thiFindKey(&thiDrawTable, "min")];
    const thJson* max = members->of[thiFindKey(&thiDrawTable, "max")];
    if (good)
        thiDefaultDrawRange(draw, range->min, range->max, &draw->min, &draw->max);
    if (min != NULL)
        good = thiReadNumber(reader, min, range, &draw->min) && good;
    if (max != NULL)
        good = thiReadNumber(reader, max, range, &draw->max) && good;
    if (!good)
        return false;
    const double middle = thiDrawMean(draw);
    char mean[TH_NUMBER_TEXT], least[TH_NUMBER_TEXT], most[TH_NUMBER_TEXT];
    thiNumberText(middle, mean);
    thiNumberText(draw->min, least);
    thiNumberText(draw->max, most);
    if (draw->min >= draw->max && (min != NULL || max != NULL))
        return thiSceneError(reader, value->parent, "min %s is not below max %s", least, most);
    // Far from the mean nearly every draw would be made again.
    if (middle < draw->min || middle > draw->max)
        return thiSceneError(reader, value, "the mean %s is not between min %s and max %s", mean,
                             least, most);
    return true;
}

static bool readDraw(thSceneReader* reader, const thJson* value, const thSceneKey* range,
                     thDraw* draw)
{
    *draw = (thDraw){.kind = th_drawFixed};
    if (value->kind == th_jsonNumber)
        return thiReadNumber(reader, value, range, &draw->a);
    if (value->kind != th_jsonObject)
        return thiWrongType(reader, value,
                            "a number, or an object with uniform, normal, lognormal, gamma, "
                            "weibull or table");
    thMembers members;
    const bool good = thiReadMembers(reader, &thiDrawTable, value, &members);
    for (thDrawKind kind = th_drawUniform; kind <= th_drawTable; ++kind) {
        const thJson* member = members.of[thiFindKey(&thiDrawTable, thiDrawName(kind))];
        if (member == NULL)
            continue;
        draw->kind = kind;
        const bool isRead = (kind == th_drawUniform ? readUniform
                             : kind == th_drawTable ? readTable
                                                    : readTwo)(reader, member, range, draw);
        return readBounds(reader, &members, range, member, draw, isRead) && good;
    }
    return false;
}

static bool readIntervals(thSceneReader* reader, const thJson* value, const thSceneKey* range,
                          void* target)
{
    if (value->kind != th_jsonArray)
        return thiWrongType(reader, value, "an array of intervals [from, to]");
    double* ends = thiSceneAllocate(reader, value->count, 2 * sizeof *ends);
    if (ends == NULL)
        return false;
    bool good = true;
    const double* before = NULL; // the last interval, if it was good
    for (const thJson* item = value->first; item != NULL; item = item->next) {
        double* interval = &ends[2 * (size_t)item->index];
        bool fine = thiReadNumbers(reader, item, range, "an interval [from, to]", interval);
        if (fine && interval[0] >= interval[1])
            fine = thiSceneError(reader, item, "expected [from, to] with from before to");
        else if (fine && before != NULL && interval[0] <= before[1])
            fine = thiSceneError(reader, item, "begins before the one before it is over");
        before = fine ? interval : NULL;
        good = good && fine;
    }
    memcpy(target, &ends, sizeof ends);
    memcpy((char*)target + sizeof ends, &value->count, sizeof value->count);
    return good;
}

bool thiReadShapeKind(thSceneReader* reader, const thSceneKey* key, const thJson* value,
                      void* target)
{
    switch (key->kind) {
    case th_keyDraw:
        return readDraw(reader, value, key, target);
    case th_keyPoint:
        return readPoint(reader, value, target);
    case th_keyPlaces:
        return readPlaces(reader, value, target);
    case th_keyPath:
        return readPath(reader, value, target);
    case th_keyCorners:
        return readCorners(reader, value, key, target);
    case th_keyBody:
        return readBody(reader, value, key, target);
    case th_keySegment:
        return readSegment(reader, value, target);
    case th_keyIntervals:
        return readIntervals(reader, value, key, target);
    case th_keyNodes:
        return readNodes(reader, value, target);
    case th_keyPairs:
        return readPairs(reader, value, target);
    default:
        return readShape(reader, value, (thShapeKind)(key->kind - th_keyShapePoint), target);
    }
}
