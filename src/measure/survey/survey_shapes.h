// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The shapes of a recording that a survey keeps: those that stand, and goals. Shapes that move are
// not looked at.

#ifndef THRONG_SRC_MEASURE_SURVEY_SHAPES_H
#define THRONG_SRC_MEASURE_SURVEY_SHAPES_H

#include "base/array.h"
#include "throng/record.h"

typedef enum thKeptKind {
    th_keptWalls = 0, // solids, rooms and thin walls
    th_keptGoals = 1,
    th_keptKindCount = 2,
} thKeptKind;

// Copies of all shapes of one of these kinds, in their order.
typedef struct thShapeSet {
    thArray shapes; // thRecordedShape; their corners are in `points`
    thArray points; // thPlace
    bool isNews;    // of a frame that waits: shapes are these from there on
} thShapeSet;

thShapeSet thiShapeSet(thMemory* memory);
void thiShapeSetFree(thShapeSet* set);

// Of the given shapes those of that kind become the set.
thResult thiKeepShapes(thShapeSet* set, thKeptKind kind, const thRecordedShape* shapes,
                       int32_t count);

// Whether that would change nothing.
bool thiAreShapesKept(const thShapeSet* set, thKeptKind kind, const thRecordedShape* shapes,
                      int32_t count);

// How far a place is from the nearest point of a goal; 0 inside. [m]
double thiGoalDistance(const thRecordedShape* goal, double x, double y);

#endif
