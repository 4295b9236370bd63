// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The part of a survey that measures in areas, from inside: survey_areas_setup.c creates it,
// survey_areas.c shows it frames.

#ifndef THRONG_SRC_MEASURE_SURVEY_AREAS_H
#define THRONG_SRC_MEASURE_SURVEY_AREAS_H

#include "measure/survey/survey_internal.h"
#include "measure/voronoi.h"

// A floor with areas on it. Places are relative to its origin.
typedef struct thGround {
    int32_t level;
    thPlace origin;
    thWalkable walkable;
    thVoronoi voronoi;
} thGround;

typedef struct thMeasuredArea {
    int32_t ground;
    thArray corners; // thPlace, counter-clockwise
    double size;     // [m²]
    thPlace centre;
    double radius;  // of all of it, about the centre
    thArray frames; // thAreaFrame
    // In this frame: cells of people further from the centre than this do not reach the area.
    double reach;
    bool met;       // by the cell that is looked at
    double covered; // by that cell [m²]
    thAreaFrame mean;
} thMeasuredArea;

struct thSurveyAreas {
    thArray grounds; // thGround; never moves
    thArray areas;   // thMeasuredArea
    thConvex part;
    double cellSize; // what was seen of the cell so far [m²]
};

// Left of a → b is positive.
static inline double thiTurn(thPlace a, thPlace b, thPlace c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

#endif
