// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How deep discs are in the walls of a recording: outlines in a grid of cells for each floor.

#ifndef THRONG_SRC_MEASURE_SURVEY_WALLS_H
#define THRONG_SRC_MEASURE_SURVEY_WALLS_H

#include "base/array.h"
#include "throng/record.h"

#include <math.h>

typedef struct thWallSegment {
    double ax, ay, bx, by;
    int32_t shape;
} thWallSegment;

enum { th_cellInSolid = 1, th_cellInRoom = 2 };

// All outlines of one floor.
typedef struct thWallFloor {
    int32_t level;
    bool hasRooms;
    double lowX, lowY, edge;
    int32_t cols, rows;
    thArray segments; // thWallSegment
    thArray starts;   // int32_t: of each cell the first one in `items`, and their end
    thArray items;    // int32_t: segments, by cell
    thArray inside;   // uint8_t: of each cell, what it is in that has no outline in it
} thWallFloor;

typedef struct thSurveyWalls {
    const thRecordedShape* shapes;
    thArray floors; // thWallFloor, by level
} thSurveyWalls;

static inline int32_t thiWallCell(double offset, double edge, int32_t count)
{
    const double cell = floor(offset / edge);
    return cell < 0.0 ? 0 : cell > count - 1 ? count - 1 : (int32_t)cell;
}

// The cells that hold a place, or are nearest to it.
static inline int32_t thiWallColumn(const thWallFloor* on, double x)
{
    return thiWallCell(x - on->lowX, on->edge, on->cols);
}

static inline int32_t thiWallRow(const thWallFloor* on, double y)
{
    return thiWallCell(y - on->lowY, on->edge, on->rows);
}

// Square of the distance of a place from the nearest point of a segment. [m²]
double thiSegmentReachSq(const thWallSegment* segment, double x, double y);

// Whether a place is inside a closed polygon.
bool thiIsInsideShape(const thRecordedShape* shape, double x, double y);

// Solids, rooms and walls are looked at, other shapes are not. The shapes must outlive it.
thResult thiCreateSurveyWalls(thMemory* memory, const thRecordedShape* shapes, int32_t count,
                              thSurveyWalls** walls);
void thiDestroySurveyWalls(thMemory* memory, thSurveyWalls* walls);

// How deep the disc is in a wall: its radius less the distance of its centre from the nearest
// outline, or plus it when the centre is in a solid or in no room of a floor that has some. 0: it
// touches nothing. [m]
double thiWallDepth(const thSurveyWalls* walls, int32_t level, double x, double y, double radius);

#endif
