// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Shapes of recordings from the files that scenes read walls from.

#include "base/machine.h"
#include "scene/walls/geometry.h"
#include "throng/shapes.h"

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

static thResult readInto(thShapeList* list, const thShapeListDef* def, thError* error)
{
    thGeometry geometry = thiGeometry(&list->memory, (thCoord){0.0, 0.0}, error);
    geometry.isAnywhere = true;
    thResult code = def->text != NULL ? thiReadWkt(def->text, def->textSize, &geometry)
                                      : thiReadGeometryFile(def->path, &geometry);
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
