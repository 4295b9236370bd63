// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "measure/survey/survey_shapes.h"

#include "measure/survey/survey_walls.h"

#include <math.h>
#include <string.h>

thShapeSet thiShapeSet(thMemory* memory)
{
    return (thShapeSet){.shapes = thiArray(memory, sizeof(thRecordedShape)),
                        .points = thiArray(memory, sizeof(thPlace))};
}

void thiShapeSetFree(thShapeSet* set)
{
    thiArrayFree(&set->shapes);
    thiArrayFree(&set->points);
}

static bool isKept(thKeptKind kind, thRecordedShapeKind shape)
{
    return kind == th_keptWalls ? shape <= th_shapeWall : shape >= th_shapeGoalPoint;
}

// Once all points are there: they may have moved.
static void linkPoints(thShapeSet* set)
{
    const thPlace* at = set->points.data;
    for (int32_t i = 0; i < set->shapes.count; ++i) {
        thRecordedShape* shape = &TH_ITEMS(set->shapes, thRecordedShape)[i];
        shape->points = at;
        at += shape->pointCount;
    }
}

thResult thiKeepShapes(thShapeSet* set, thKeptKind kind, const thRecordedShape* shapes,
                       int32_t count)
{
    set->shapes.count = set->points.count = 0;
    for (int32_t i = 0; i < count; ++i) {
        if (!isKept(kind, shapes[i].kind))
            continue;
        thRecordedShape* shape = thiArrayAdd(&set->shapes, 1);
        thPlace* points = thiArrayAdd(&set->points, shapes[i].pointCount);
        if (shape == NULL || points == NULL)
            return th_resultNoMemory;
        *shape = shapes[i];
        memcpy(points, shapes[i].points, (size_t)shapes[i].pointCount * sizeof *points);
    }
    linkPoints(set);
    return th_resultOk;
}

static bool isSame(const thRecordedShape* a, const thRecordedShape* b)
{
    return a->kind == b->kind && a->level == b->level && a->pointCount == b->pointCount &&
           !(a->radius < b->radius) && !(a->radius > b->radius) &&
           memcmp(a->points, b->points, (size_t)a->pointCount * sizeof *a->points) == 0;
}

bool thiAreShapesKept(const thShapeSet* set, thKeptKind kind, const thRecordedShape* shapes,
                      int32_t count)
{
    int32_t at = 0;
    for (int32_t i = 0; i < count; ++i) {
        if (!isKept(kind, shapes[i].kind))
            continue;
        if (at == set->shapes.count ||
            !isSame(&TH_ITEMS(set->shapes, thRecordedShape)[at], &shapes[i]))
            return false;
        at += 1;
    }
    return at == set->shapes.count;
}

static double outlineDistance(const thRecordedShape* goal, double x, double y)
{
    double least = INFINITY;
    for (int32_t i = 0, before = goal->pointCount - 1; i < goal->pointCount; before = i++) {
        const thPlace a = goal->points[before], b = goal->points[i];
        const thWallSegment side = {a.x, a.y, b.x, b.y, 0};
        least = TH_MIN(least, thiSegmentReachSq(&side, x, y));
    }
    return sqrt(least);
}

double thiGoalDistance(const thRecordedShape* goal, double x, double y)
{
    if (goal->kind == th_shapeGoalPolygon && thiIsInsideShape(goal, x, y))
        return 0.0;
    const double distance = outlineDistance(goal, x, y);
    return goal->kind == th_shapeGoalDisc ? TH_MAX(distance - (double)goal->radius, 0.0) : distance;
}
