// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "recording/shape_builder.h"

#include <stdlib.h>
#include <string.h>

bool appBeginShape(ShapeBuilder* builder, thRecordedShapeKind kind)
{
    if (builder->count == builder->capacity) {
        const int32_t capacity = builder->capacity > 0 ? 2 * builder->capacity : 64;
        thRecordedShape* shapes = realloc(builder->shapes, (size_t)capacity * sizeof *shapes);
        if (shapes == NULL)
            return false;
        builder->shapes = shapes;
        builder->capacity = capacity;
    }
    builder->shapes[builder->count++] = (thRecordedShape){.kind = kind};
    return true;
}

bool appAddPoint(ShapeBuilder* builder, double x, double y)
{
    if (builder->pointCount == builder->pointCapacity) {
        const int32_t capacity = builder->pointCapacity > 0 ? 2 * builder->pointCapacity : 256;
        thPlace* points = realloc(builder->points, (size_t)capacity * sizeof *points);
        if (points == NULL)
            return false;
        builder->points = points;
        builder->pointCapacity = capacity;
    }
    builder->points[builder->pointCount++] = (thPlace){x, y};
    builder->shapes[builder->count - 1].pointCount += 1;
    return true;
}

void appFinishShapes(ShapeBuilder* builder)
{
    const thPlace* at = builder->points;
    for (int32_t i = 0; i < builder->count; ++i) {
        builder->shapes[i].points = at;
        at += builder->shapes[i].pointCount;
    }
}

void appFreeShapes(ShapeBuilder* builder)
{
    free(builder->shapes);
    free(builder->points);
    *builder = (ShapeBuilder){0};
}

thRecordedShape* appCopyShapes(const thRecordedShape* shapes, int32_t count)
{
    size_t points = 0;
    for (int32_t i = 0; i < count; ++i)
        points += (size_t)shapes[i].pointCount;
    thRecordedShape* copies = malloc((size_t)count * sizeof *copies + points * sizeof(thPlace) + 1);
    if (copies == NULL)
        return NULL;
    thPlace* at = (thPlace*)(void*)(copies + count);
    for (int32_t i = 0; i < count; ++i) {
        copies[i] = shapes[i];
        copies[i].points = at;
        memcpy(at, shapes[i].points, (size_t)shapes[i].pointCount * sizeof *at);
        at += shapes[i].pointCount;
    }
    return copies;
}
