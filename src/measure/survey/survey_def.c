// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Checks the definition of a survey, and copies all that it points to.

#include "measure/survey/survey_internal.h"
#include "sim/ranges.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Frames in a second: beyond these times and speeds would not be numbers.
#define LEAST_RATE 1e-6
#define MOST_RATE 1e6

thSurveyDef thDefaultSurveyDef(void)
{
    return (thSurveyDef){.size = sizeof(thSurveyDef),
                         .radius = 0.2f,
                         .cutOffCorners = 12,
                         .figures = 1,
                         .allocator = thDefaultAllocator()};
}

static bool arePlaces(const thPlace* points, int32_t count)
{
    for (int32_t i = 0; i < count; ++i)
        if (!thiIsSurveyed(points[i].x) || !thiIsSurveyed(points[i].y))
            return false;
    return true;
}

static int32_t leastCorners(thRecordedShapeKind kind)
{
    switch (kind) {
    case th_shapeSolid:
    case th_shapeRoom:
        return 3;
    case th_shapeWall:
        return 2;
    default:
        return 1;
    }
}

static thResult checkShape(const thRecordedShape* shape, int32_t index, thError* error)
{
    if ((int32_t)shape->kind < 0 || shape->kind >= th_shapeKindCount)
        return thiFail(error, th_resultBadArgument, "shape %d is of no known kind", index);
    if (shape->points == NULL || shape->pointCount < leastCorners(shape->kind))
        return thiFail(error, th_resultBadArgument,
                       "shape %d has %d points; at least %d are needed", index, shape->pointCount,
                       leastCorners(shape->kind));
    if (!arePlaces(shape->points, shape->pointCount))
        return thiFail(error, th_resultBadArgument,
                       "shape %d has a point that is no number or beyond %g m", index,
                       TH_SURVEY_REACH);
    if (!thiIsLevel(shape->level))
        return thiFail(error, th_resultBadArgument, "shape %d is on floor %d; expected 0 .. 65535",
                       index, shape->level);
    return th_resultOk;
}

const char* thiNameGauge(thGaugeName* buffer, const char* kind, const char* name, int32_t index)
{
    if (name != NULL && name[0] != '\0')
        snprintf(buffer->text, sizeof buffer->text, "%s '%.80s'", kind, name);
    else
        snprintf(buffer->text, sizeof buffer->text, "%s %d", kind, index);
    return buffer->text;
}

static thResult checkLine(const thSurveyLine* line, int32_t index, thError* error)
{
    const thPlace ends[2] = {line->a, line->b};
    thGaugeName buffer;
    const char* name = thiNameGauge(&buffer, "line", line->name, index);
    if (!arePlaces(ends, 2))
        return thiFail(error, th_resultBadArgument,
                       "%s has an end that is no number or beyond %g m", name, TH_SURVEY_REACH);
    if (line->a.x == line->b.x && line->a.y == line->b.y)
        return thiFail(error, th_resultBadArgument, "%s has no length", name);
    if (!thiIsLevel(line->level))
        return thiFail(error, th_resultBadArgument, "%s is on floor %d; expected 0 .. 65535", name,
                       line->level);
    return th_resultOk;
}

static thResult checkArea(const thSurveyArea* area, int32_t index, thError* error)
{
    thGaugeName buffer;
    const char* name = thiNameGauge(&buffer, "area", area->name, index);
    if (area->points == NULL || area->pointCount < 3 || area->pointCount > THRONG_AREA_CORNERS)
        return thiFail(error, th_resultBadArgument, "%s has %d corners; expected 3 .. %d", name,
                       area->pointCount, THRONG_AREA_CORNERS);
    if (!arePlaces(area->points, area->pointCount))
        return thiFail(error, th_resultBadArgument,
                       "%s has a corner that is no number or beyond %g m", name, TH_SURVEY_REACH);
    if (!thiIsLevel(area->level))
        return thiFail(error, th_resultBadArgument, "%s is on floor %d; expected 0 .. 65535", name,
                       area->level);
    return th_resultOk;
}

static thResult checkNumbers(const thSurveyDef* def, thError* error)
{
    if (!(def->rate >= LEAST_RATE && def->rate <= MOST_RATE))
        return thiFail(error, th_resultBadArgument,
                       "the rate is %g frames in a second; expected more than 0, from %g to %g",
                       def->rate, LEAST_RATE, MOST_RATE);
    if (def->speedFrames < 0 || def->speedFrames > 1000)
        return thiFail(error, th_resultBadArgument,
                       "speeds are to be measured over %d frames; expected 0 .. 1000",
                       def->speedFrames);
    if (!(def->radius > 0.0f) || def->radius > TH_SURVEY_RADIUS)
        return thiFail(error, th_resultBadArgument,
                       "the radius is %g m; expected more than 0, at most %g", (double)def->radius,
                       (double)TH_SURVEY_RADIUS);
    if (!(def->cutOff >= 0.0) || !thiIsSurveyed(def->cutOff))
        return thiFail(error, th_resultBadArgument, "the cut-off is %g m; expected 0 or more",
                       def->cutOff);
    if (def->figures != 0 && def->figures != 1)
        return thiFail(error, th_resultBadArgument, "figures is %d; expected 0 or 1", def->figures);
    if (def->cutOffCorners < 8 || def->cutOffCorners > 256)
        return thiFail(error, th_resultBadArgument, "the cut-off has %d corners; expected 8 .. 256",
                       def->cutOffCorners);
    return th_resultOk;
}

static bool isList(const void* items, int32_t count, int32_t most)
{
    return count >= 0 && count <= most && (items != NULL || count == 0);
}

thResult thiCheckShapes(const thRecordedShape* shapes, int32_t count, thError* error)
{
    if (!isList(shapes, count, INT32_MAX))
        return thiFail(error, th_resultBadArgument, "there are %d shapes", count);
    for (int32_t i = 0; i < count; ++i)
        TH_TRY(checkShape(&shapes[i], i, error));
    return th_resultOk;
}

thResult thiCheckSurveyDef(const thSurveyDef* def, thError* error)
{
    TH_TRY(checkNumbers(def, error));
    TH_TRY(thiCheckShapes(def->shapes, def->shapeCount, error));
    if (!isList(def->lines, def->lineCount, THRONG_MOST_GAUGES))
        return thiFail(error, th_resultBadArgument, "there are %d lines; expected 0 .. %d",
                       def->lineCount, THRONG_MOST_GAUGES);
    if (!isList(def->areas, def->areaCount, THRONG_MOST_GAUGES))
        return thiFail(error, th_resultBadArgument, "there are %d areas; expected 0 .. %d",
                       def->areaCount, THRONG_MOST_GAUGES);
    for (int32_t i = 0; i < def->lineCount; ++i)
        TH_TRY(checkLine(&def->lines[i], i, error));
    for (int32_t i = 0; i < def->areaCount; ++i)
        TH_TRY(checkArea(&def->areas[i], i, error));
    return th_resultOk;
}

static void* copyBytes(thSurvey* survey, const void* from, size_t size)
{
    void* to = thiArenaAllocate(&survey->copies, size);
    if (to != NULL)
        memcpy(to, from, size);
    return to;
}

static const char* copyName(thSurvey* survey, const char* name)
{
    const char* text = name != NULL ? name : "";
    return copyBytes(survey, text, strlen(text) + 1);
}

static const thPlace* copyPlaces(thSurvey* survey, const thPlace* points, int32_t count)
{
    return copyBytes(survey, points, (size_t)count * sizeof *points);
}

static thResult copyShapes(thSurvey* survey, const thSurveyDef* def)
{
    for (int32_t kind = 0; kind < th_keptKindCount; ++kind)
        TH_TRY(thiKeepShapes(&survey->kept[kind], (thKeptKind)kind, def->shapes, def->shapeCount));
    survey->def.shapes = NULL;
    survey->def.shapeCount = 0;
    return th_resultOk;
}

static thResult copyLines(thSurvey* survey, const thSurveyDef* def)
{
    if (def->lineCount == 0)
        return th_resultOk;
    thSurveyLine* lines = copyBytes(survey, def->lines, (size_t)def->lineCount * sizeof *lines);
    if (lines == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < def->lineCount; ++i)
        if ((lines[i].name = copyName(survey, lines[i].name)) == NULL)
            return th_resultNoMemory;
    survey->def.lines = lines;
    return th_resultOk;
}

static thResult copyAreas(thSurvey* survey, const thSurveyDef* def)
{
    if (def->areaCount == 0)
        return th_resultOk;
    thSurveyArea* areas = copyBytes(survey, def->areas, (size_t)def->areaCount * sizeof *areas);
    if (areas == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < def->areaCount; ++i) {
        areas[i].name = copyName(survey, areas[i].name);
        areas[i].points = copyPlaces(survey, areas[i].points, areas[i].pointCount);
        if (areas[i].name == NULL || areas[i].points == NULL)
            return th_resultNoMemory;
    }
    survey->def.areas = areas;
    return th_resultOk;
}

// A window of 0.3 s, as measurements of real people commonly have.
static int32_t usualFrames(double rate)
{
    const double frames = floor(0.3 * rate + 0.5);
    return frames < 1.0 ? 1 : frames > 1000.0 ? 1000 : (int32_t)frames;
}

thResult thiCopySurveyDef(thSurvey* survey, const thSurveyDef* def)
{
    survey->def = *def;
    if (def->speedFrames == 0)
        survey->def.speedFrames = usualFrames(def->rate);
    TH_TRY(copyShapes(survey, def));
    TH_TRY(copyLines(survey, def));
    return copyAreas(survey, def);
}
