// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What a scene wants measured, for surveys.

#include "scene/read/scene_read.h"
#include "throng/math.h"
#include "throng/survey.h"

#include <math.h>

static thPlace placeOf(thCoord coord)
{
    return (thPlace){coord.x, coord.y};
}

int32_t thScene_GetLineCount(const thScene* scene)
{
    TH_REQUIRE(scene != NULL, 0);
    return thiLineCount(scene);
}

thSurveyLine thScene_GetLine(const thScene* scene, int32_t index)
{
    TH_REQUIRE(scene != NULL && index >= 0 && index < thiLineCount(scene), (thSurveyLine){0});
    const thSceneGauge* gauge = &scene->gauges[index];
    const thCoord* ends = gauge->shape.points.items;
    return (thSurveyLine){
        .name = gauge->name, .a = placeOf(ends[0]), .b = placeOf(ends[1]), .level = gauge->level};
}

int32_t thScene_GetAreaCount(const thScene* scene)
{
    TH_REQUIRE(scene != NULL, 0);
    return scene->gaugeCount - thiLineCount(scene);
}

static int32_t cornersOfBox(thCoord a, thCoord b, thPlace* corners)
{
    corners[0] = (thPlace){a.x, a.y};
    corners[1] = (thPlace){b.x, a.y};
    corners[2] = (thPlace){b.x, b.y};
    corners[3] = (thPlace){a.x, b.y};
    return 4;
}

// A polygon of the disc's area, which is what densities are shares of.
static int32_t cornersOfDisc(thCoord center, double radius, thPlace* corners)
{
    const float step = 0x1.921fb6p+2f / THRONG_AREA_CORNERS; // 2π ÷ corners
    float sine, cosine;
    thSinCos(step, &sine, &cosine);
    const double reach = radius * sqrt((double)step / (double)sine);
    for (int32_t i = 0; i < THRONG_AREA_CORNERS; ++i) {
        thSinCos(step * (float)i, &sine, &cosine);
        corners[i] = (thPlace){center.x + reach * (double)cosine, center.y + reach * (double)sine};
    }
    return THRONG_AREA_CORNERS;
}

thSurveyArea thScene_GetArea(const thScene* scene, int32_t index,
                             thPlace corners[THRONG_AREA_CORNERS])
{
    TH_REQUIRE(scene != NULL && corners != NULL && index >= 0 &&
                   index < scene->gaugeCount - thiLineCount(scene),
               (thSurveyArea){0});
    const thSceneGauge* gauge = &scene->gauges[thiLineCount(scene) + index];
    const thCoord* points = gauge->shape.points.items;
    thSurveyArea area = {.name = gauge->name, .points = corners, .level = gauge->level};
    if (gauge->shape.kind == th_shapeBox) {
        area.pointCount = cornersOfBox(points[0], points[1], corners);
    } else if (gauge->shape.kind == th_shapeDisc) {
        area.pointCount = cornersOfDisc(points[0], gauge->shape.radius, corners);
    } else {
        area.pointCount = gauge->shape.points.count;
        for (int32_t i = 0; i < area.pointCount; ++i)
            corners[i] = placeOf(points[i]);
    }
    return area;
}
