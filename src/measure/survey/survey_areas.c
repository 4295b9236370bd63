// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "measure/survey/survey_areas.h"

#include <math.h>

static double speedOf(const thSurveyFrame* frame, int32_t i)
{
    return sqrt(frame->vx[i] * frame->vx[i] + frame->vy[i] * frame->vy[i]);
}

// Of the border, upper and right sides belong to an area and the others do not, as if everybody
// stood a trifle lower and, by less, further left. So areas side by side count each person once.
static bool isInArea(const thMeasuredArea* area, thPlace place)
{
    const thPlace* corners = area->corners.data;
    for (int32_t i = 0; i < area->corners.count; ++i) {
        const thPlace a = corners[i], b = corners[(i + 1) % area->corners.count];
        const double side = thiTurn(a, b, place);
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

static thPlace placeOn(const thGround* ground, const thSurveyFrame* frame, int32_t i)
{
    return (thPlace){frame->x[i] - ground->origin.x, frame->y[i] - ground->origin.y};
}

static thResult countPeople(thSurvey* survey, thMeasuredArea* area, const thSurveyFrame* frame)
{
    const thGround* ground = &TH_ITEMS(survey->areasPart->grounds, thGround)[area->ground];
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
static thResult findSites(thSurvey* survey, thGround* ground, const thSurveyFrame* frame)
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

static double distanceTo(const thMeasuredArea* area, thPlace place)
{
    const double dx = place.x - area->centre.x, dy = place.y - area->centre.y;
    return sqrt(dx * dx + dy * dy);
}

// Somebody is within `least` of the centre, so within least + radius of every point of the area.
// Who is further than that from all of these has no part of it.
static void findReach(thMeasuredArea* area, const thGround* ground, double cutOff)
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
    thVoronoi* voronoi = &TH_ITEMS(areas->grounds, thGround)[groundIndex].voronoi;
    const thPlace place = TH_ITEMS(voronoi->sites, thVoronoiSite)[site].place;
    *any = false;
    for (int32_t i = 0; i < areas->areas.count; ++i) {
        thMeasuredArea* area = &TH_ITEMS(areas->areas, thMeasuredArea)[i];
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
        thMeasuredArea* area = &TH_ITEMS(areas->areas, thMeasuredArea)[i];
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
    thVoronoi* voronoi = &TH_ITEMS(areas->grounds, thGround)[groundIndex].voronoi;
    const thVoronoiSite site = TH_ITEMS(voronoi->sites, thVoronoiSite)[index];
    bool any;
    TH_TRY(findAreas(areas, groundIndex, index, &any));
    if (!any)
        return th_resultOk;
    TH_TRY(thiVoronoiCell(voronoi, index));
    areas->cellSize = 0.0;
    TH_TRY(thiVisitVoronoiParts(voronoi, index, addPart, areas));
    for (int32_t i = 0; i < areas->areas.count; ++i) {
        thMeasuredArea* area = &TH_ITEMS(areas->areas, thMeasuredArea)[i];
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

thResult thiSurveyAreasFrame(thSurvey* survey, const thSurveyFrame* frame)
{
    thSurveyAreas* areas = survey->areasPart;
    thGround* grounds = areas->grounds.data;
    for (int32_t i = 0; i < areas->areas.count; ++i)
        TH_TRY(countPeople(survey, &TH_ITEMS(areas->areas, thMeasuredArea)[i], frame));
    for (int32_t i = 0; i < areas->grounds.count; ++i)
        TH_TRY(findSites(survey, &grounds[i], frame));
    for (int32_t i = 0; i < areas->areas.count; ++i) {
        thMeasuredArea* area = &TH_ITEMS(areas->areas, thMeasuredArea)[i];
        findReach(area, &grounds[area->ground], survey->def.cutOff);
    }
    for (int32_t i = 0; i < areas->grounds.count; ++i)
        for (int32_t j = 0; j < grounds[i].voronoi.sites.count; ++j)
            TH_TRY(measureCell(survey, i, j, frame));
    return th_resultOk;
}

static void findMean(thMeasuredArea* area)
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

thResult thiSurveyAreasEnd(thSurvey* survey)
{
    for (int32_t i = 0; i < survey->areasPart->areas.count; ++i)
        findMean(&TH_ITEMS(survey->areasPart->areas, thMeasuredArea)[i]);
    return th_resultOk;
}

thAreaResult thSurvey_GetArea(const thSurvey* survey, int32_t index)
{
    TH_REQUIRE(survey != NULL && survey->ended, (thAreaResult){0});
    TH_REQUIRE(index >= 0 && index < survey->areasPart->areas.count, (thAreaResult){0});
    const thMeasuredArea* area = &TH_ITEMS(survey->areasPart->areas, thMeasuredArea)[index];
    return (thAreaResult){.frames = area->frames.data,
                          .frameCount = area->frames.count,
                          .size = area->size,
                          .mean = area->mean};
}
