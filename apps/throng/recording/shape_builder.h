// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Shapes that are put together point by point.

#ifndef THRONG_APPS_SHAPE_BUILDER_H
#define THRONG_APPS_SHAPE_BUILDER_H

#include "recording/recording.h"

typedef struct ShapeBuilder {
    thRecordedShape* shapes; // their points are set by appFinishShapes
    int32_t count, capacity;
    thPlace* points;
    int32_t pointCount, pointCapacity;
} ShapeBuilder;

// False when memory is out, which is not said.
bool appBeginShape(ShapeBuilder* builder, thRecordedShapeKind kind);
bool appAddPoint(ShapeBuilder* builder, double x, double y); // to the last shape
void appFinishShapes(ShapeBuilder* builder);
void appFreeShapes(ShapeBuilder* builder);

// Copies of shapes with their points in one block, to be freed; NULL when memory is out.
thRecordedShape* appCopyShapes(const thRecordedShape* shapes, int32_t count);

// Reads JuPedSim's `geometry` or the map of the ETH data set. What fails is said, with the line.
ExitCode appReadShapesXml(ShapeBuilder* builder, const char* path);

#endif
