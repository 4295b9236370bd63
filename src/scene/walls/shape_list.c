// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Shapes of recordings from the files that scenes read walls from.

#include "base/machine.h"
#include "scene/walls/geometry.h"
#include "throng/shapes.h"

#include <math.h>

struct thShapeList {
    thMemory memory;
    thArray points; // thPlace
    thArray shapes; // thRecordedShape
};

thShapeListDef thDefaultShapeListDef(void)
{
    return (thShapeListDef){.size = sizeof(thShapeListDef), .allocator = thDefaultAllocator()};
}

static thRecordedShapeKind kindOf(thGeometryKind kind)
{
    switch (kind) {
    case th_geometryOuter:
        return th_shapeRoom;
    case th_geometryHole:
        return th_shapeSolid;
    default:
        return th_shapeWall;
    }
}

static thResult takeParts(thShapeList* list, const thGeometry* geometry)
{
    const int32_t pointCount = geometry->points.count, count = geometry->parts.count;
    thPlace* points = thiArrayAdd(&list->points, pointCount);
    thRecordedShape* shapes = thiArrayAdd(&list->shapes, count);
    if (count > 0 && (points == NULL || shapes == NULL))
        return thiFail(geometry->error, th_resultNoMemory, "no memory for the geometry");
    for (int32_t i = 0; i < pointCount; ++i) {
        const thCoord point = TH_ITEMS(geometry->points, thCoord)[i];
        points[i] = (thPlace){point.x, point.y};
    }
    for (int32_t i = 0; i < count; ++i) {
        const thGeometryPart* part = &TH_ITEMS(geometry->parts, thGeometryPart)[i];
        shapes[i] = (thRecordedShape){
            .kind = kindOf(part->kind), .points = &points[part->first], .pointCount = part->count};
    }
    return th_resultOk;
}

// The middle of all polygons in whole metres, if they are not within the world as they are. False:
// they are too far apart to be within it at all.
static bool findMiddle(const thGeometry* geometry, thCoord* middle)
{
    const double most = THRONG_MAX_COORDINATE;
    thCoord low = {INFINITY, INFINITY}, high = {-INFINITY, -INFINITY};
    for (int32_t i = 0; i < geometry->parts.count; ++i) {
        const thGeometryPart* part = &TH_ITEMS(geometry->parts, thGeometryPart)[i];
        for (int32_t k = 0; k < part->count && part->kind != th_geometryLine; ++k) {
            const thCoord p = TH_ITEMS(geometry->points, thCoord)[part->first + k];
            low = (thCoord){TH_MIN(low.x, p.x), TH_MIN(low.y, p.y)};
            high = (thCoord){TH_MAX(high.x, p.x), TH_MAX(high.y, p.y)};
        }
    }
    const bool isWithin = low.x >= -most && low.y >= -most && high.x <= most && high.y <= most;
    *middle = isWithin ? (thCoord){0.0, 0.0}
                       : (thCoord){floor(0.5 * (low.x + high.x)), floor(0.5 * (low.y + high.y))};
    return high.x - middle->x <= most && high.y - middle->y <= most;
}

static void movePolygons(const thGeometry* geometry, double x, double y)
{
    for (int32_t i = 0; i < geometry->parts.count; ++i) {
        const thGeometryPart* part = &TH_ITEMS(geometry->parts, thGeometryPart)[i];
        for (int32_t k = 0; k < part->count && part->kind != th_geometryLine; ++k) {
            thCoord* p = &TH_ITEMS(geometry->points, thCoord)[part->first + k];
            *p = (thCoord){p->x + x, p->y + y};
        }
    }
}

// Polygons that touch or overlap are one room, as in scenes.
static thResult joinPolygons(thGeometry* geometry)
{
    thCoord middle;
    if (geometry->areApart || !findMiddle(geometry, &middle))
        return th_resultOk;
    movePolygons(geometry, -middle.x, -middle.y);
    const thResult code = thiJoinPolygons(geometry, false);
    movePolygons(geometry, middle.x, middle.y);
    return code;
}

static thResult readInto(thShapeList* list, const thShapeListDef* def, thError* error)
{
    thGeometry geometry = thiGeometry(&list->memory, (thCoord){0.0, 0.0}, error);
    geometry.isAnywhere = true;
    thResult code = def->text != NULL ? thiReadWkt(def->text, def->textSize, &geometry)
                                      : thiReadGeometryFile(def->path, &geometry);
    if (code == th_resultOk)
        code = joinPolygons(&geometry);
    if (code == th_resultOk)
        code = takeParts(list, &geometry);
    thiGeometryFree(&geometry);
    return code;
}

thResult thReadShapes(const thShapeListDef* given, thShapeList** list, thError* error)
{
    thShapeListDef def = thDefaultShapeListDef();
    thError ownError = {0};
    TH_REQUIRE(list != NULL, th_resultBadArgument);
    *list = NULL;
    TH_REQUIRE(thiReadDef(&def, given, sizeof def, sizeof def), th_resultBadArgument);
    TH_REQUIRE(def.path != NULL || def.text != NULL, th_resultBadArgument);
    // The struct itself is not in the account, which is part of it.
    thMemory outside;
    thiMemoryInit(&outside, &def.allocator, 0);
    thShapeList* made = thiAllocateZero(&outside, sizeof *made);
    if (made == NULL)
        return thiFail(error, th_resultNoMemory, "no memory for the geometry");
    thiMemoryInit(&made->memory, &def.allocator, 0);
    made->points = thiArray(&made->memory, sizeof(thPlace));
    made->shapes = thiArray(&made->memory, sizeof(thRecordedShape));
    const thFpEnvironment hostEnvironment = thiFpEnter();
    const thResult code = readInto(made, &def, &ownError);
    thiFpRestore(hostEnvironment);
    if (code == th_resultOk) {
        *list = made;
        return code;
    }
    thDestroyShapeList(made);
    if (error != NULL)
        *error = ownError;
    return code;
}

void thDestroyShapeList(thShapeList* list)
{
    if (list == NULL)
        return;
    thiArrayFree(&list->points);
    thiArrayFree(&list->shapes);
    thMemory outside;
    thiMemoryInit(&outside, &list->memory.allocator, 0);
    thiRelease(&outside, list, sizeof *list);
}

const thRecordedShape* thShapeList_GetShapes(const thShapeList* list, int32_t* count)
{
    TH_REQUIRE(list != NULL && count != NULL, NULL);
    *count = list->shapes.count;
    return TH_ITEMS(list->shapes, thRecordedShape);
}
