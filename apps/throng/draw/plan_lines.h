// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The lines of a sketch of a plan on a map, layer by layer.

#ifndef THRONG_APPS_PLAN_LINES_H
#define THRONG_APPS_PLAN_LINES_H

#include "draw/map.h"

#include <throng/sketch.h>

// A sketch in the coordinates of the map.
typedef struct PlanLines {
    const thSketchView* view;
    double originX, originY; // of the world [m]
    double longest;          // way that is left anywhere [m]
    double every;            // from one contour line to the next [m; infinite: there are none]
    int32_t counts[th_sketchLayerCount];
    bool countsCrowd; // directions do, while lengths are those of ways without anybody
} PlanLines;

PlanLines appCountPlanLines(const thSketchView* view, double originX, double originY);
thPlace appPlanPlace(const PlanLines* lines, thSketchPoint point);

// The shade of no way left is not as pale as paper.
#define appGoalShade 0.22

// What lies below walls, and what lies above them. Within the map.
void appDrawPlanLines(const Map* map, const PlanLines* lines);
void appDrawPlanWay(const Map* map, const PlanLines* lines);

// What the lines are, from x on in a row of the page; y is where letters stand.
void appDrawPlanLegend(const Canvas* canvas, const PlanLines* lines, double x, double y,
                       double size);

#endif
