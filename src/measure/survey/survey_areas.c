// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// People in areas: how many, how dense and how fast, plainly and by Voronoi cells.

#include "measure/survey/survey_internal.h"
#include "measure/voronoi.h"

#include <math.h>

// Where there is no room the ground ends so far from all areas and solids. [m]
#define OPEN_GROUND 1000.0

// An area is covered by patches of at least this size. [m]
#define LEAST_PATCH 1.0
#define MOST_PATCHES_A_SIDE 8

// More than roundings make of a distance. [m]
#define SLACK 1e-6

// Cells that a worker finds at a time.
#define CELLS_GRAIN 8

// A floor with areas on it. Places are relative to its origin.
typedef struct Ground {
    int32_t level;
    thPlace origin;
    thWalkable walkable;
    thVoronoi voronoi;
} Ground;

// Something within a radius about a centre, and in this frame: cells of people further from the
// centre than `reach` have no part in it.
typedef struct Disc {
    thPlace centre;
    double radius; // [m]
    double reach;  // squared [m²]
} Disc;

typedef struct Area {
    int32_t ground;
    thArray corners;   // thPlace, counter-clockwise
    thPlace low, high; // of the corners
    double size;       // [m²]
    Disc disc;         // all of it
    thArray patches;   // Disc: these cover it
    thArray frames;    // thAreaFrame
    thAreaFrame mean;
} Area;

// Somebody whose cell may have a part in an area, and what was found of it.
typedef struct Owner {
    thVoronoiSite site;
    double cellSize; // [m²]
    int32_t sharers;
    int32_t worker; // in whose covers are:
    int32_t firstCover, coverCount;
} Owner;

// What a cell has of an area.
typedef struct Cover {
    int32_t area;
    double size; // [m²]
} Cover;

typedef struct Worker {
    _Alignas(TH_ALIGNMENT) thVoronoiCell cell;
    thConvex part;
    thArray covers; // Cover
    thResult code;
} Worker;

typedef struct thSurveyAreas {
    thArray grounds; // Ground; never moves
    thArray areas;   // Area
    thArray workers; // Worker
    int32_t ground;  // that is measured now
    thArray owners;  // Owner: of that ground and frame
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
    area->disc.centre = (thPlace){sum.x / count, sum.y / count};
    area->low = area->high = corners[0];
    for (int32_t i = 0; i < count; ++i) {
        const double dx = corners[i].x - area->disc.centre.x;
        const double dy = corners[i].y - area->disc.centre.y;
        area->disc.radius = TH_MAX(area->disc.radius, sqrt(dx * dx + dy * dy));
        area->low = (thPlace){TH_MIN(area->low.x, corners[i].x), TH_MIN(area->low.y, corners[i].y)};
        area->high =
            (thPlace){TH_MAX(area->high.x, corners[i].x), TH_MAX(area->high.y, corners[i].y)};
    }
}

static int32_t patchesAlong(double length)
{
    return (int32_t)TH_MIN(length / LEAST_PATCH + 1.0, MOST_PATCHES_A_SIDE);
}

// Rectangles, each within its disc.
static thResult cover(Area* area)
{
    const double width = area->high.x - area->low.x, height = area->high.y - area->low.y;
    const int32_t columns = patchesAlong(width), rows = patchesAlong(height);
    const thPlace half = {0.5 * width / columns, 0.5 * height / rows};
    Disc* patch = thiArrayAdd(&area->patches, columns * rows);
    if (patch == NULL)
        return th_resultNoMemory;
    for (int32_t row = 0; row < rows; ++row)
        for (int32_t column = 0; column < columns; ++column)
            *patch++ = (Disc){.centre = {area->low.x + (2 * column + 1) * half.x,
                                         area->low.y + (2 * row + 1) * half.y},
                              .radius = sqrt(half.x * half.x + half.y * half.y)};
    return th_resultOk;
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
    return cover(area);
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
    const double tolerance = 1e-9 * area->disc.radius * area->disc.radius;
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
                       .patches = thiArray(&survey->memory, sizeof(Disc)),
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
                             .workers = thiArray(&survey->memory, sizeof(Worker)),
                             .owners = thiArray(&survey->memory, sizeof(Owner))};
    const thTasks* tasks = survey->def.tasks;
    const int32_t workerCount = tasks != NULL ? thTasks_GetWorkerCount(tasks) : 1;
    Worker* workers = thiArrayAdd(&areas->workers, workerCount);
    if (workers == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < workerCount; ++i)
        workers[i] = (Worker){.cell = thiVoronoiCell(&survey->memory),
                              .part = thiConvex(&survey->memory),
                              .covers = thiArray(&survey->memory, sizeof(Cover))};
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
        thiArrayFree(&TH_ITEMS(areas->areas, Area)[i].patches);
        thiArrayFree(&TH_ITEMS(areas->areas, Area)[i].frames);
    }
    for (int32_t i = 0; i < areas->workers.count; ++i) {
        Worker* worker = &TH_ITEMS(areas->workers, Worker)[i];
        thiVoronoiCellFree(&worker->cell);
        thiConvexFree(&worker->part);
        thiArrayFree(&worker->covers);
    }
    thiArrayFree(&areas->grounds);
    thiArrayFree(&areas->areas);
    thiArrayFree(&areas->workers);
    thiArrayFree(&areas->owners);
    thiRelease(&survey->memory, areas, sizeof *areas);
}

// --- Frames ----------------------------------------------------------------------------------

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

static thPlace placeOn(const Ground* ground, const thSurveyFrame* frame, int32_t i)
{
    return (thPlace){frame->x[i] - ground->origin.x, frame->y[i] - ground->origin.y};
}

static thResult countPeople(thSurvey* survey, Area* area, const thSurveyFrame* frame)
{
    const Ground* ground = &TH_ITEMS(survey->areasPart->grounds, Ground)[area->ground];
    const thPlace low = {area->low.x + ground->origin.x - SLACK,
                         area->low.y + ground->origin.y - SLACK};
    const thPlace high = {area->high.x + ground->origin.x + SLACK,
                          area->high.y + ground->origin.y + SLACK};
    thAreaFrame* now = thiArrayAdd(&area->frames, 1);
    if (now == NULL)
        return th_resultNoMemory;
    *now = (thAreaFrame){.frame = frame->number};
    for (int32_t i = 0; i < frame->count; ++i) {
        const double x = frame->x[i], y = frame->y[i];
        if (!((x >= low.x) & (x <= high.x) & (y >= low.y) & (y <= high.y)))
            continue;
        if (thiLevelOf(survey, frame->person[i]) != ground->level ||
            !isInArea(area, placeOn(ground, frame, i)))
            continue;
        now->people += 1;
        now->speed += thiWindowSpeed(frame->window, i);
    }
    now->density = now->people / area->size;
    now->speed = now->people > 0 ? now->speed / now->people : 0.0;
    return th_resultOk;
}

// Everybody on the floor. Only near areas it is asked who stands where one may walk.
static thResult findSites(thSurvey* survey, Ground* ground, const thSurveyFrame* frame)
{
    thArray* sites = &ground->voronoi.sites;
    sites->count = 0;
    thVoronoiSite* site = thiArrayAdd(sites, frame->count);
    if (site == NULL)
        return th_resultNoMemory;
    int32_t count = 0;
    for (int32_t i = 0; i < frame->count; ++i)
        if (thiLevelOf(survey, frame->person[i]) == ground->level)
            site[count++] = (thVoronoiSite){placeOn(ground, frame, i), i, TH_NOT_LOOKED_UP};
    sites->count = count;
    return thiSortVoronoi(&ground->voronoi);
}

static bool isWithinReach(const Disc* disc, thPlace place)
{
    const double dx = place.x - disc->centre.x, dy = place.y - disc->centre.y;
    return dx * dx + dy * dy <= disc->reach;
}

// Somebody is within `least` of the centre, so within least + radius of every point of the disc.
// Who is further than that from all of these has no part of it.
static void findReach(Disc* disc, thVoronoi* voronoi, double cutOff)
{
    double reach = thiNearestVoronoiSite(voronoi, disc->centre) + 2.0 * disc->radius;
    if (cutOff > 0.0)
        reach = TH_MIN(reach, cutOff + disc->radius);
    disc->reach = (reach + SLACK) * (reach + SLACK);
}

static void findReaches(Area* area, thVoronoi* voronoi, double cutOff)
{
    Disc* patches = area->patches.data;
    findReach(&area->disc, voronoi, cutOff);
    for (int32_t i = 0; i < area->patches.count; ++i)
        findReach(&patches[i], voronoi, cutOff);
}

static bool reachesPatch(const Area* area, thPlace place)
{
    const Disc* patches = area->patches.data;
    for (int32_t i = 0; i < area->patches.count; ++i)
        if (isWithinReach(&patches[i], place))
            return true;
    return false;
}

// Whether cells of people within low and high may have a part in an area.
static bool isWanted(void* context, thPlace low, thPlace high)
{
    const thSurveyAreas* areas = context;
    for (int32_t i = 0; i < areas->areas.count; ++i) {
        const Area* area = &TH_ITEMS(areas->areas, Area)[i];
        const thPlace centre = area->disc.centre;
        const thPlace nearest = {TH_MIN(TH_MAX(centre.x, low.x), high.x),
                                 TH_MIN(TH_MAX(centre.y, low.y), high.y)};
        if (area->ground == areas->ground && isWithinReach(&area->disc, nearest))
            return true;
    }
    return false;
}

// Whether the cell of somebody may have a part in an area.
static bool mayReach(const Area* area, thPlace place)
{
    return isWithinReach(&area->disc, place) &&
           (isInArea(area, place) || reachesPatch(area, place));
}

static thResult addOwner(void* context, const thVoronoiSite* site)
{
    thSurveyAreas* areas = context;
    for (int32_t i = 0; i < areas->areas.count; ++i) {
        const Area* area = &TH_ITEMS(areas->areas, Area)[i];
        if (area->ground != areas->ground || !mayReach(area, site->place))
            continue;
        Owner* owner = thiArrayAdd(&areas->owners, 1);
        if (owner == NULL)
            return th_resultNoMemory;
        *owner = (Owner){.site = *site};
        return th_resultOk;
    }
    return th_resultOk;
}

// Begins to cover the areas that the cell of somebody has a part in.
static thResult findCovers(const thSurveyAreas* areas, Worker* worker, Owner* owner)
{
    const thVoronoi* voronoi = &TH_ITEMS(areas->grounds, Ground)[areas->ground].voronoi;
    owner->firstCover = worker->covers.count;
    for (int32_t i = 0; i < areas->areas.count; ++i) {
        const Area* area = &TH_ITEMS(areas->areas, Area)[i];
        if (area->ground != areas->ground || !mayReach(area, owner->site.place))
            continue;
        bool meets = true;
        if (!isInArea(area, owner->site.place))
            TH_TRY(thiVoronoiCellMeets(voronoi, &owner->site, area->corners.data,
                                       area->corners.count, &worker->cell, &meets));
        if (!meets)
            continue;
        Cover* cover = thiArrayAdd(&worker->covers, 1);
        if (cover == NULL)
            return th_resultNoMemory;
        *cover = (Cover){.area = i};
        owner->coverCount += 1;
    }
    return th_resultOk;
}

typedef struct Look {
    const thSurveyAreas* areas;
    Worker* worker;
    Owner* owner;
} Look;

static thResult addPart(void* context, const thConvex* part)
{
    const Look* look = context;
    look->owner->cellSize += thiConvexArea(part);
    for (int32_t i = 0; i < look->owner->coverCount; ++i) {
        Cover* cover = &TH_ITEMS(look->worker->covers, Cover)[look->owner->firstCover + i];
        const thArray* corners = &TH_ITEMS(look->areas->areas, Area)[cover->area].corners;
        TH_TRY(thiSetConvex(&look->worker->part, part->points.data, part->points.count));
        TH_TRY(thiCutConvexTo(&look->worker->part, corners->data, corners->count));
        cover->size += thiConvexArea(&look->worker->part);
    }
    return th_resultOk;
}

static thResult measureCell(const thSurveyAreas* areas, Worker* worker, Owner* owner)
{
    const thVoronoi* voronoi = &TH_ITEMS(areas->grounds, Ground)[areas->ground].voronoi;
    Look look = {areas, worker, owner};
    TH_TRY(findCovers(areas, worker, owner));
    if (owner->coverCount == 0)
        return th_resultOk;
    TH_TRY(thiFindVoronoiCell(voronoi, &owner->site, &worker->cell));
    owner->sharers = worker->cell.sharers;
    return thiVisitVoronoiParts(voronoi, &owner->site, &worker->cell, addPart, &look);
}

static void measureRange(void* context, int32_t begin, int32_t end, int32_t workerIndex)
{
    const thSurveyAreas* areas = context;
    Worker* worker = &TH_ITEMS(areas->workers, Worker)[workerIndex];
    for (int32_t i = begin; i < end && worker->code == th_resultOk; ++i) {
        Owner* owner = &TH_ITEMS(areas->owners, Owner)[i];
        owner->worker = workerIndex;
        worker->code = measureCell(areas, worker, owner);
    }
}

static thResult measureCells(thSurvey* survey)
{
    thSurveyAreas* areas = survey->areasPart;
    Worker* workers = areas->workers.data;
    for (int32_t i = 0; i < areas->workers.count; ++i)
        workers[i].covers.count = 0;
    if (survey->def.tasks != NULL)
        thTasks_ParallelFor(survey->def.tasks, areas->owners.count, CELLS_GRAIN, measureRange,
                            areas);
    else
        measureRange(areas, 0, areas->owners.count, 0);
    for (int32_t i = 0; i < areas->workers.count; ++i)
        TH_TRY(workers[i].code);
    return th_resultOk;
}

static void addOwnerToMeans(thSurveyAreas* areas, const Owner* owner, const thWindow* window)
{
    const Cover* covers = TH_ITEMS(areas->workers, Worker)[owner->worker].covers.data;
    for (int32_t i = 0; i < owner->coverCount; ++i) {
        const Cover cover = covers[owner->firstCover + i];
        Area* area = &TH_ITEMS(areas->areas, Area)[cover.area];
        thAreaFrame* now = &TH_ITEMS(area->frames, thAreaFrame)[area->frames.count - 1];
        if (!(cover.size > 0.0))
            continue;
        // People in one place share a cell in equal parts.
        now->voronoiDensity += cover.size / owner->cellSize / area->size;
        now->voronoiSpeed +=
            thiWindowSpeed(window, owner->site.person) * cover.size / owner->sharers / area->size;
    }
}

static thResult measureGround(thSurvey* survey, const thSurveyFrame* frame)
{
    thSurveyAreas* areas = survey->areasPart;
    Ground* ground = &TH_ITEMS(areas->grounds, Ground)[areas->ground];
    TH_TRY(findSites(survey, ground, frame));
    for (int32_t i = 0; i < areas->areas.count; ++i) {
        Area* area = &TH_ITEMS(areas->areas, Area)[i];
        if (area->ground == areas->ground)
            findReaches(area, &ground->voronoi, survey->def.cutOff);
    }
    areas->owners.count = 0;
    TH_TRY(thiVisitVoronoiSites(&ground->voronoi, isWanted, addOwner, areas));
    TH_TRY(measureCells(survey));
    for (int32_t i = 0; i < areas->owners.count; ++i)
        addOwnerToMeans(areas, &TH_ITEMS(areas->owners, Owner)[i], frame->window);
    return th_resultOk;
}

static thResult showFrame(thSurvey* survey, const thSurveyFrame* frame)
{
    thSurveyAreas* areas = survey->areasPart;
    for (int32_t i = 0; i < areas->areas.count; ++i)
        TH_TRY(countPeople(survey, &TH_ITEMS(areas->areas, Area)[i], frame));
    for (areas->ground = 0; areas->ground < areas->grounds.count; ++areas->ground)
        TH_TRY(measureGround(survey, frame));
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
