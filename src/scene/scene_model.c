// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What a scene says of itself: its figures, profiles and floors, and what is to be measured.

#include "scene/scene_model.h"
#include "throng/math.h"
#include "throng/survey.h"

#include <math.h>

// Agents of a source that are counted at most.
#define MOST_COMING INT64_C(9000000000000000)

// Agent n of a source appears at begin + n / rate, before the end. [−1: no limit]
static int64_t comingOf(const thScenePlace* source)
{
    const double due = ceil((source->end - source->begin) * source->rate - 1e-6);
    if (!(due < (double)MOST_COMING))
        return source->count;
    return source->count < 0 ? (int64_t)due : TH_MIN(source->count, (int64_t)due);
}

thSceneInfo thScene_GetInfo(const thScene* scene)
{
    TH_REQUIRE(scene != NULL, (thSceneInfo){0});
    thSceneInfo info = {.name = scene->name,
                        .about = scene->about,
                        .step = scene->step,
                        .endTime = scene->endAt,
                        .endSteps = scene->endSteps,
                        .endsArrived = scene->endArrived,
                        .seed = scene->seed,
                        .originX = scene->origin.x,
                        .originY = scene->origin.y,
                        .profileCount = scene->profileCount};
    for (int32_t i = 0; i < scene->goalCount; ++i)
        info.goalCount += scene->goals[i].name != NULL;
    bool hasLimit = true;
    for (int32_t i = 0; i < scene->agentsCount; ++i) {
        const thScenePlace* place = &scene->agents[i].place;
        const int32_t copies = thiCopyCount(&scene->agents[i].repeat);
        const bool isLater = thiComesLater(&scene->agents[i]);
        const int64_t coming = !isLater                        ? 0
                               : place->kind == th_placeSource ? comingOf(place)
                                                               : place->count;
        info.agents += isLater ? 0 : place->count * copies;
        info.comingAgents += TH_MIN(TH_MAX(coming, 0), MOST_COMING / copies) * copies;
        hasLimit = hasLimit && coming >= 0;
    }
    if (!hasLimit)
        info.comingAgents = -1;
    return info;
}

// Profiles.

const char* thScene_GetMethod(const thScene* scene, int32_t profile, thMethodKind kind)
{
    TH_REQUIRE(scene != NULL, NULL);
    if (profile < 0 || profile >= scene->profileCount || kind < 0 || kind >= th_methodKindCount)
        return NULL;
    return scene->profiles[profile].methods[kind].name;
}

const char* thScene_GetWallFile(const thScene* scene, int32_t index)
{
    TH_REQUIRE(scene != NULL && index >= 0, NULL);
    for (int32_t i = 0; i < scene->wallCount; ++i)
        if (scene->walls[i].kind == th_wallFile && index-- == 0)
            return scene->walls[i].file;
    return NULL;
}

int32_t thScene_IsProfileUsed(const thScene* scene, int32_t profile)
{
    TH_REQUIRE(scene != NULL, 0);
    for (int32_t i = 0; i < scene->agentsCount; ++i)
        if (scene->agents[i].profile == profile)
            return 1;
    return 0;
}

thResult thScene_GetBody(const thScene* scene, int32_t entry, thBodyShape* shape)
{
    TH_REQUIRE(scene != NULL && shape != NULL, th_resultBadArgument);
    *shape = (thBodyShape){0};
    TH_REQUIRE(entry >= 0 && entry < scene->agentsCount, th_resultBadArgument);
    *shape = scene->profiles[scene->agents[entry].profile].body.shape;
    return th_resultOk;
}

// Floors.

// One bit for each floor that there can be.
typedef struct Levels {
    uint32_t bits[65536 / 32];
} Levels;

static void addLevel(Levels* levels, int32_t level)
{
    levels->bits[level / 32] |= UINT32_C(1) << (level % 32);
}

int32_t thScene_GetLevels(const thScene* scene, int32_t* levels, int32_t capacity)
{
    TH_REQUIRE(scene != NULL && (levels != NULL || capacity == 0), 0);
    Levels used = {{0}};
    for (int32_t i = 0; i < scene->wallCount; ++i)
        addLevel(&used, scene->walls[i].level);
    for (int32_t i = 0; i < scene->doorCount; ++i)
        addLevel(&used, scene->doors[i].level);
    for (int32_t i = 0; i < scene->moverCount; ++i)
        addLevel(&used, scene->movers[i].level);
    for (int32_t i = 0; i < scene->agentsCount; ++i)
        addLevel(&used, scene->agents[i].level);
    if (scene->wallCount + scene->doorCount + scene->moverCount + scene->agentsCount == 0)
        addLevel(&used, 0);
    int32_t count = 0;
    for (int32_t level = 0; level < 65536; ++level) {
        if ((used.bits[level / 32] >> (level % 32) & 1) == 0)
            continue;
        if (count < capacity)
            levels[count] = level;
        count += 1;
    }
    return count;
}

// What is measured.

int32_t thiLineCount(const thScene* scene)
{
    int32_t count = 0;
    while (count < scene->gaugeCount && scene->gauges[count].isLine)
        ++count;
    return count;
}

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
