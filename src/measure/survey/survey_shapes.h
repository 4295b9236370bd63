// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The shapes of a recording that a survey keeps: how far goals are, how deep discs are in walls.
//
// Shapes that move are not looked at.

#ifndef THRONG_SRC_MEASURE_SURVEY_SHAPES_H
#define THRONG_SRC_MEASURE_SURVEY_SHAPES_H

#include "base/memory.h"
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

// Solids, rooms and thin walls, for many questions: outlines in a grid of cells for each floor.
typedef struct thSurveyWalls thSurveyWalls;

// Solids, rooms and walls are looked at, other shapes are not. The shapes must outlive it.
thResult thiCreateSurveyWalls(thMemory* memory, const thRecordedShape* shapes, int32_t count,
                              thSurveyWalls** walls);
void thiDestroySurveyWalls(thMemory* memory, thSurveyWalls* walls);

// How deep the disc is in a wall: its radius less the distance of its centre from the nearest
// outline, or plus it when the centre is in a solid or in no room of a floor that has some. 0: it
// touches nothing. [m]
double thiWallDepth(const thSurveyWalls* walls, int32_t level, double x, double y, double radius);

#endif
