// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// People in areas: how many, how dense and how fast, plainly and by Voronoi cells.

#include "measure/survey/survey_internal.h"
#include "measure/voronoi.h"

#include <math.h>

// Where there is no room the ground ends so far from all areas and solids. [m]
#define OPEN_GROUND 1000.0

// A floor with areas on it. Places are relative to its origin.
typedef struct Ground {
    int32_t level;
    thPlace origin;
    thWalkable walkable;
    thVoronoi voronoi;
} Ground;

typedef struct Area {
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
} Area;

typedef struct thSurveyAreas {
    thArray grounds; // Ground; never moves
    thArray areas;   // Area
    thConvex part;
    double cellSize; // what was seen of the cell so far [m²]
} thSurveyAreas;

// Left of a → b is positive.
static double turn(thPlace a, thPlace b, thPlace c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// --- Setting up ------------------------------------------------------------------------------

// Counter-clockwise and convex: everything is to the left of every side.
static bool isConvex(const thPlace* corners, int32_t count, double tolerance)
{
    for (int32_t i = 0; i < count; ++i)
        for (int32_t j = 0; j < count; ++j)
            if (turn(corners[i], corners[(i + 1) % count], corners[j]) < -tolerance)
                return false;
    return true;
}

static double sizeOf(const thPlace* corners, int32_t count)
{
    double twice = 0.0;
    for (int32_t i = 2; i < count; ++i)
        twice += turn(corners[0], corners[i - 1], corners[i]);
    return 0.5 * twice;
}

static void measureArea(Area* area)
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

static thResult setArea(Area* area, const thSurveyArea* def, thPlace origin)
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
    return turn(a, b, c) * turn(a, b, d) < 0.0 && turn(c, d, a) * turn(c, d, b) < 0.0;
}

static bool crossesItself(const thPlace* corners, int32_t count)
{
    for (int32_t i = 0; i < count; ++i)
        for (int32_t j = i + 2; j < count; ++j)
            if (doCross(corners[i], corners[i + 1], corners[j], corners[(j + 1) % count]))
                return true;
    return false;
}

static thResult checkArea(const Area* area, const char* name, thError* error)
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

static thResult buildGround(Ground* ground, const thSurvey* survey)
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

static thResult changeWalls(thSurvey* survey)
{
    thSurveyAreas* areas = survey->areasPart;
    for (int32_t i = 0; i < areas->grounds.count; ++i) {
        Ground* ground = &TH_ITEMS(areas->grounds, Ground)[i];
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
    Ground* grounds = areas->grounds.data;
    for (int32_t i = 0; i < areas->grounds.count; ++i)
        if (grounds[i].level == def->level) {
            *index = i;
            return th_resultOk;
        }
    Ground* ground = thiArrayAdd(&areas->grounds, 1);
    *ground = (Ground){.level = def->level,
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
        Area* area = thiArrayAdd(&areas->areas, 1);
        *area = (Area){.corners = thiArray(&survey->memory, sizeof(thPlace)),
                       .frames = thiArray(&survey->memory, sizeof(thAreaFrame))};
        TH_TRY(findGround(survey, areas, &def->areas[i], &area->ground));
        const Ground* ground = &TH_ITEMS(areas->grounds, Ground)[area->ground];
        TH_TRY(setArea(area, &def->areas[i], ground->origin));
        thGaugeName name;
        TH_TRY(checkArea(area, thiNameGauge(&name, "area", def->areas[i].name, i), error));
    }
    return th_resultOk;
}

static thResult createAreas(thSurvey* survey, thError* error)
{
    thSurveyAreas* areas = survey->areasPart = thiAllocate(&survey->memory, sizeof *areas);
    if (areas == NULL)
        return th_resultNoMemory;
    *areas = (thSurveyAreas){.grounds = thiArray(&survey->memory, sizeof(Ground)),
                             .areas = thiArray(&survey->memory, sizeof(Area)),
                             .part = thiConvex(&survey->memory)};
    return setAreas(survey, areas, error);
}

static void destroyAreas(thSurvey* survey)
{
    thSurveyAreas* areas = survey->areasPart;
    if (areas == NULL)
        return;
    for (int32_t i = 0; i < areas->grounds.count; ++i) {
        thiWalkableFree(&TH_ITEMS(areas->grounds, Ground)[i].walkable);
        thiVoronoiFree(&TH_ITEMS(areas->grounds, Ground)[i].voronoi);
    }
    for (int32_t i = 0; i < areas->areas.count; ++i) {
        thiArrayFree(&TH_ITEMS(areas->areas, Area)[i].corners);
        thiArrayFree(&TH_ITEMS(areas->areas, Area)[i].frames);
    }
    thiArrayFree(&areas->grounds);
    thiArrayFree(&areas->areas);
    thiConvexFree(&areas->part);
    thiRelease(&survey->memory, areas, sizeof *areas);
}

// --- Frames ----------------------------------------------------------------------------------

static double speedOf(const thSurveyFrame* frame, int32_t i)
{
    return sqrt(frame->vx[i] * frame->vx[i] + frame->vy[i] * frame->vy[i]);
}

// Of the border, upper and right sides belong to an area and the others do not, as if everybody
// stood a trifle lower and, by less, further left. So areas side by side count each person once.
static bool isInArea(const Area* area, thPlace place)
{
    const thPlace* corners = area->corners.data;
    for (int32_t i = 0; i < area->corners.count; ++i) {
        const thPlace a = corners[i], b = corners[(i + 1) % area->corners.count];
        const double side = turn(a, b, place);
        const bool belongs = b.x < a.x || (!(b.x > a.x) && b.y >= a.y);
        if (side < 0.0 || (!(side > 0.0) && !belongs))
            return false;
    }
    return true;
}

static int32_t levelOf(const thSurvey* survey, int32_t person)
{
    return TH_ITEMS(survey->persons, thSurveyPerson)[person].about.level;
}

static thPlace placeOn(const Ground* ground, const thSurveyFrame* frame, int32_t i)
{
    return (thPlace){frame->x[i] - ground->origin.x, frame->y[i] - ground->origin.y};
}

static thResult countPeople(thSurvey* survey, Area* area, const thSurveyFrame* frame)
{
    const Ground* ground = &TH_ITEMS(survey->areasPart->grounds, Ground)[area->ground];
    thAreaFrame* now = thiArrayAdd(&area->frames, 1);
    if (now == NULL)
        return th_resultNoMemory;
    *now = (thAreaFrame){.frame = frame->number};
    for (int32_t i = 0; i < frame->count; ++i) {
        if (levelOf(survey, frame->person[i]) != ground->level ||
            !isInArea(area, placeOn(ground, frame, i)))
            continue;
        now->people += 1;
        now->speed += speedOf(frame, i);
    }
    now->density = now->people / area->size;
    now->speed = now->people > 0 ? now->speed / now->people : 0.0;
    return th_resultOk;
}

// Everybody who stands where one may walk.
static thResult findSites(thSurvey* survey, Ground* ground, const thSurveyFrame* frame)
{
    ground->voronoi.sites.count = 0;
    for (int32_t i = 0; i < frame->count; ++i) {
        if (levelOf(survey, frame->person[i]) != ground->level)
            continue;
        const thPlace place = placeOn(ground, frame, i);
        const int32_t trapezoid = thiFindTrapezoid(&ground->walkable, place);
        if (trapezoid < 0)
            continue;
        thVoronoiSite* site = thiArrayAdd(&ground->voronoi.sites, 1);
        if (site == NULL)
            return th_resultNoMemory;
        *site = (thVoronoiSite){place, trapezoid, i};
    }
    thiPlantVoronoi(&ground->voronoi);
    return th_resultOk;
}

static double distanceTo(const Area* area, thPlace place)
{
    const double dx = place.x - area->centre.x, dy = place.y - area->centre.y;
    return sqrt(dx * dx + dy * dy);
}

// Somebody is within `least` of the centre, so within least + radius of every point of the area.
// Who is further than that from all of these has no part of it.
static void findReach(Area* area, const Ground* ground, double cutOff)
{
    const thVoronoiSite* sites = ground->voronoi.sites.data;
    double least = INFINITY;
    for (int32_t i = 0; i < ground->voronoi.sites.count; ++i)
        least = TH_MIN(least, distanceTo(area, sites[i].place));
    area->reach = least + 2.0 * area->radius;
    if (cutOff > 0.0)
        area->reach = TH_MIN(area->reach, cutOff + area->radius);
}

// Which areas the cell of a site may have a part in.
static thResult findAreas(thSurveyAreas* areas, int32_t groundIndex, int32_t site, bool* any)
{
    thVoronoi* voronoi = &TH_ITEMS(areas->grounds, Ground)[groundIndex].voronoi;
    const thPlace place = TH_ITEMS(voronoi->sites, thVoronoiSite)[site].place;
    *any = false;
    for (int32_t i = 0; i < areas->areas.count; ++i) {
        Area* area = &TH_ITEMS(areas->areas, Area)[i];
        area->covered = 0.0;
        area->met = area->ground == groundIndex && distanceTo(area, place) <= area->reach;
        if (area->met && !isInArea(area, place))
            TH_TRY(thiVoronoiCellMeets(voronoi, site, area->corners.data, area->corners.count,
                                       &area->met));
        *any = *any || area->met;
    }
    return th_resultOk;
}

static thResult addPart(void* context, const thConvex* part)
{
    thSurveyAreas* areas = context;
    areas->cellSize += thiConvexArea(part);
    for (int32_t i = 0; i < areas->areas.count; ++i) {
        Area* area = &TH_ITEMS(areas->areas, Area)[i];
        if (!area->met)
            continue;
        TH_TRY(thiSetConvex(&areas->part, part->points.data, part->points.count));
        TH_TRY(thiCutConvexTo(&areas->part, area->corners.data, area->corners.count));
        area->covered += thiConvexArea(&areas->part);
    }
    return th_resultOk;
}

static thResult measureCell(thSurvey* survey, int32_t groundIndex, int32_t index,
                            const thSurveyFrame* frame)
{
    thSurveyAreas* areas = survey->areasPart;
    thVoronoi* voronoi = &TH_ITEMS(areas->grounds, Ground)[groundIndex].voronoi;
    const thVoronoiSite site = TH_ITEMS(voronoi->sites, thVoronoiSite)[index];
    bool any;
    TH_TRY(findAreas(areas, groundIndex, index, &any));
    if (!any)
        return th_resultOk;
    TH_TRY(thiVoronoiCell(voronoi, index));
    areas->cellSize = 0.0;
    TH_TRY(thiVisitVoronoiParts(voronoi, index, addPart, areas));
    for (int32_t i = 0; i < areas->areas.count; ++i) {
        Area* area = &TH_ITEMS(areas->areas, Area)[i];
        if (!area->met || !(area->covered > 0.0))
            continue;
        thAreaFrame* now = &TH_ITEMS(area->frames, thAreaFrame)[area->frames.count - 1];
        // People in one place share a cell in equal parts.
        now->voronoiDensity += area->covered / areas->cellSize / area->size;
        now->voronoiSpeed +=
            speedOf(frame, site.person) * area->covered / voronoi->sharers / area->size;
    }
    return th_resultOk;
}

static thResult showFrame(thSurvey* survey, const thSurveyFrame* frame)
{
    thSurveyAreas* areas = survey->areasPart;
    Ground* grounds = areas->grounds.data;
    for (int32_t i = 0; i < areas->areas.count; ++i)
        TH_TRY(countPeople(survey, &TH_ITEMS(areas->areas, Area)[i], frame));
    for (int32_t i = 0; i < areas->grounds.count; ++i)
        TH_TRY(findSites(survey, &grounds[i], frame));
    for (int32_t i = 0; i < areas->areas.count; ++i) {
        Area* area = &TH_ITEMS(areas->areas, Area)[i];
        findReach(area, &grounds[area->ground], survey->def.cutOff);
    }
    for (int32_t i = 0; i < areas->grounds.count; ++i)
        for (int32_t j = 0; j < grounds[i].voronoi.sites.count; ++j)
            TH_TRY(measureCell(survey, i, j, frame));
    return th_resultOk;
}

static void findMean(Area* area)
{
    const thAreaFrame* frames = area->frames.data;
    thAreaFrame mean = {0};
    int64_t people = 0;
    for (int32_t i = 0; i < area->frames.count; ++i) {
        if (frames[i].people == 0)
            continue;
        mean.frame += 1;
        people += frames[i].people;
        mean.density += frames[i].density;
        mean.speed += frames[i].speed;
        mean.voronoiDensity += frames[i].voronoiDensity;
        mean.voronoiSpeed += frames[i].voronoiSpeed;
    }
    const uint64_t count = (uint64_t)mean.frame;
    mean.people = count > 0 ? (int32_t)((double)people / (double)count + 0.5) : 0;
    mean.density = thiShareOf(mean.density, count);
    mean.speed = thiShareOf(mean.speed, count);
    mean.voronoiDensity = thiShareOf(mean.voronoiDensity, count);
    mean.voronoiSpeed = thiShareOf(mean.voronoiSpeed, count);
    area->mean = mean;
}

static thResult endAreas(thSurvey* survey)
{
    for (int32_t i = 0; i < survey->areasPart->areas.count; ++i)
        findMean(&TH_ITEMS(survey->areasPart->areas, Area)[i]);
    return th_resultOk;
}

const thSurveyPart thiAreasPart = {.create = createAreas,
                                   .destroy = destroyAreas,
                                   .changeWalls = changeWalls,
                                   .showFrame = showFrame,
                                   .end = endAreas};

thAreaResult thSurvey_GetArea(const thSurvey* survey, int32_t index)
{
    TH_REQUIRE(survey != NULL && survey->ended, (thAreaResult){0});
    TH_REQUIRE(index >= 0 && index < survey->areasPart->areas.count, (thAreaResult){0});
    const Area* area = &TH_ITEMS(survey->areasPart->areas, Area)[index];
    return (thAreaResult){.frames = area->frames.data,
                          .frameCount = area->frames.count,
                          .size = area->size,
                          .mean = area->mean};
}
