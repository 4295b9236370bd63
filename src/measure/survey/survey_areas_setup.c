// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "measure/survey/survey_areas.h"

#include <math.h>

// Where there is no room the ground ends so far from all areas and solids. [m]
#define OPEN_GROUND 1000.0

// Counter-clockwise and convex: everything is to the left of every side.
static bool isConvex(const thPlace* corners, int32_t count, double tolerance)
{
    for (int32_t i = 0; i < count; ++i)
        for (int32_t j = 0; j < count; ++j)
            if (thiTurn(corners[i], corners[(i + 1) % count], corners[j]) < -tolerance)
                return false;
    return true;
}

static double sizeOf(const thPlace* corners, int32_t count)
{
    double twice = 0.0;
    for (int32_t i = 2; i < count; ++i)
        twice += thiTurn(corners[0], corners[i - 1], corners[i]);
    return 0.5 * twice;
}

static void measureArea(thMeasuredArea* area)
{
    const thPlace* corners = area->corners.data;
    const int32_t count = area->corners.count;
    thPlace sum = {0.0, 0.0};
    for (int32_t i = 0; i < count; ++i)
        sum = (thPlace){sum.x + corners[i].x, sum.y + corners[i].y};
    area->size = sizeOf(corners, count);
    area->centre = (thPlace){sum.x / count, sum.y / count};
    for (int32_t i = 0; i < count; ++i) {
        const double dx = corners[i].x - area->centre.x, dy = corners[i].y - area->centre.y;
        area->radius = TH_MAX(area->radius, sqrt(dx * dx + dy * dy));
    }
}

static thResult setArea(thMeasuredArea* area, const thSurveyArea* def, thPlace origin)
{
    thPlace* corners = thiArrayAdd(&area->corners, def->pointCount);
    if (corners == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < def->pointCount; ++i)
        corners[i] = (thPlace){def->points[i].x - origin.x, def->points[i].y - origin.y};
    if (sizeOf(corners, def->pointCount) < 0.0)
        for (int32_t i = 0, j = def->pointCount - 1; i < j; ++i, --j) {
            const thPlace kept = corners[i];
            corners[i] = corners[j];
            corners[j] = kept;
        }
    measureArea(area);
    return th_resultOk;
}

static bool doCross(thPlace a, thPlace b, thPlace c, thPlace d)
{
    return thiTurn(a, b, c) * thiTurn(a, b, d) < 0.0 && thiTurn(c, d, a) * thiTurn(c, d, b) < 0.0;
}

static bool crossesItself(const thPlace* corners, int32_t count)
{
    for (int32_t i = 0; i < count; ++i)
        for (int32_t j = i + 2; j < count; ++j)
            if (doCross(corners[i], corners[i + 1], corners[j], corners[(j + 1) % count]))
                return true;
    return false;
}

static thResult checkArea(const thMeasuredArea* area, const char* name, thError* error)
{
    if (crossesItself(area->corners.data, area->corners.count))
        return thiFail(error, th_resultBadArgument, "%s crosses itself", name);
    if (!(area->size > 0.0))
        return thiFail(error, th_resultBadArgument, "%s has no size", name);
    // Corners on a straight side may be off by a rounding.
    const double tolerance = 1e-9 * area->radius * area->radius;
    if (!isConvex(area->corners.data, area->corners.count, tolerance))
        return thiFail(error, th_resultBadArgument, "%s is not convex", name);
    return th_resultOk;
}

static void widen(thPlace* low, thPlace* high, thPlace origin, const thPlace* points, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        low->x = TH_MIN(low->x, points[i].x - origin.x - OPEN_GROUND);
        low->y = TH_MIN(low->y, points[i].y - origin.y - OPEN_GROUND);
        high->x = TH_MAX(high->x, points[i].x - origin.x + OPEN_GROUND);
        high->y = TH_MAX(high->y, points[i].y - origin.y + OPEN_GROUND);
    }
}

static thResult buildGround(thGround* ground, const thSurvey* survey)
{
    const thSurveyDef* def = &survey->def;
    const thArray* walls = &survey->kept[th_keptWalls].shapes;
    const thRecordedShape* shapes = walls->data;
    thWalkableDef walkable = {.shapes = shapes,
                              .shapeCount = walls->count,
                              .level = ground->level,
                              .origin = ground->origin};
    for (int32_t i = 0; i < def->areaCount; ++i)
        if (def->areas[i].level == ground->level)
            widen(&walkable.openLow, &walkable.openHigh, ground->origin, def->areas[i].points,
                  def->areas[i].pointCount);
    for (int32_t i = 0; i < walls->count; ++i)
        if (shapes[i].level == ground->level && shapes[i].kind == th_shapeSolid)
            widen(&walkable.openLow, &walkable.openHigh, ground->origin, shapes[i].points,
                  shapes[i].pointCount);
    return thiBuildWalkable(&ground->walkable, &walkable);
}

thResult thiSurveyAreasWalls(thSurvey* survey)
{
    thSurveyAreas* areas = survey->areasPart;
    for (int32_t i = 0; i < areas->grounds.count; ++i) {
        thGround* ground = &TH_ITEMS(areas->grounds, thGround)[i];
        thiWalkableFree(&ground->walkable);
        ground->walkable = thiWalkable(&survey->memory);
        TH_TRY(buildGround(ground, survey));
    }
    return th_resultOk;
}

// The ground of a level: known or new. The array has room for it.
static thResult findGround(thSurvey* survey, thSurveyAreas* areas, const thSurveyArea* def,
                           int32_t* index)
{
    thGround* grounds = areas->grounds.data;
    for (int32_t i = 0; i < areas->grounds.count; ++i)
        if (grounds[i].level == def->level) {
            *index = i;
            return th_resultOk;
        }
    thGround* ground = thiArrayAdd(&areas->grounds, 1);
    *ground = (thGround){.level = def->level,
                         .origin = def->points[0],
                         .walkable = thiWalkable(&survey->memory),
                         .voronoi = thiVoronoi(&survey->memory, &ground->walkable)};
    *index = areas->grounds.count - 1;
    if (survey->def.cutOff > 0.0)
        TH_TRY(thiCutOffCells(&ground->voronoi, survey->def.cutOff, survey->def.cutOffCorners));
    return buildGround(ground, survey);
}

static thResult setAreas(thSurvey* survey, thSurveyAreas* areas, thError* error)
{
    const thSurveyDef* def = &survey->def;
    TH_TRY(thiArrayReserve(&areas->grounds, TH_MAX(def->areaCount, 1)));
    TH_TRY(thiArrayReserve(&areas->areas, TH_MAX(def->areaCount, 1)));
    for (int32_t i = 0; i < def->areaCount; ++i) {
        thMeasuredArea* area = thiArrayAdd(&areas->areas, 1);
        *area = (thMeasuredArea){.corners = thiArray(&survey->memory, sizeof(thPlace)),
                                 .frames = thiArray(&survey->memory, sizeof(thAreaFrame))};
        TH_TRY(findGround(survey, areas, &def->areas[i], &area->ground));
        const thGround* ground = &TH_ITEMS(areas->grounds, thGround)[area->ground];
        TH_TRY(setArea(area, &def->areas[i], ground->origin));
        thGaugeName name;
        TH_TRY(checkArea(area, thiNameGauge(&name, "area", def->areas[i].name, i), error));
    }
    return th_resultOk;
}

thResult thiCreateSurveyAreas(thSurvey* survey, thSurveyAreas** result, thError* error)
{
    thSurveyAreas* areas = thiAllocate(&survey->memory, sizeof *areas);
    *result = areas;
    if (areas == NULL)
        return th_resultNoMemory;
    *areas = (thSurveyAreas){.grounds = thiArray(&survey->memory, sizeof(thGround)),
                             .areas = thiArray(&survey->memory, sizeof(thMeasuredArea)),
                             .part = thiConvex(&survey->memory)};
    return setAreas(survey, areas, error);
}

void thiDestroySurveyAreas(thSurvey* survey, thSurveyAreas* areas)
{
    if (areas == NULL)
        return;
    for (int32_t i = 0; i < areas->grounds.count; ++i) {
        thiWalkableFree(&TH_ITEMS(areas->grounds, thGround)[i].walkable);
        thiVoronoiFree(&TH_ITEMS(areas->grounds, thGround)[i].voronoi);
    }
    for (int32_t i = 0; i < areas->areas.count; ++i) {
        thiArrayFree(&TH_ITEMS(areas->areas, thMeasuredArea)[i].corners);
        thiArrayFree(&TH_ITEMS(areas->areas, thMeasuredArea)[i].frames);
    }
    thiArrayFree(&areas->grounds);
    thiArrayFree(&areas->areas);
    thiConvexFree(&areas->part);
    thiRelease(&survey->memory, areas, sizeof *areas);
}
