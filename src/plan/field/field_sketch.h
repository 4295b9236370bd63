// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Fields drawn as stream lines and as contour lines, whatever they are made of.

#ifndef THRONG_SRC_PLAN_FIELD_SKETCH_H
#define THRONG_SRC_PLAN_FIELD_SKETCH_H

#include "plan/field/field_grid.h"
#include "throng/sketch.h"

// A field as those see it who draw it. The grid must have nodes.
typedef struct thFieldLines {
    const thNodeGrid* nodes;
    const thRouteSpace* space;
    const void* field;
    float (*leftAt)(const void* field, int32_t node); // [m; infinite: none is known]
    // Whether there is a path from a place, and how long it is. [units]
    bool (*begin)(const void* field, thPoint p, double* left);
    // Where to go from a place, straight; the place itself at the end of the path.
    thPoint (*follow)(const void* field, thPoint p);
} thFieldLines;

// Lines from which the path is equally long.
void thiSketchContours(const thFieldLines* lines, thSketch* to);

// Lines along which agents would go, evenly spread.
thResult thiSketchStreams(const thFieldLines* lines, thMemory* memory, thSketch* to);

#endif
