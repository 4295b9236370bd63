// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A survey as CSV files, one for each kind of thing, with a line of names at the head.

#include "survey/survey_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 2, 3))) static void put(OutFile* file, const char* format, ...)
{
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    appWriteOut(file, line, (size_t)length < sizeof line ? (size_t)length : sizeof line - 1);
}

// Nothing where there is no such figure.
static void putNumber(OutFile* file, double number)
{
    if (!isnan(number))
        put(file, "%.9g", number);
}

// A name as a field: in quotes if it holds what would end it.
static void putName(OutFile* file, const char* name)
{
    if (strpbrk(name, ",\"\n\r") == NULL) {
        appWriteOut(file, name, strlen(name));
        return;
    }
    put(file, "\"");
    for (const char* at = name; *at != '\0'; ++at) {
        appWriteOut(file, at, 1);
        if (*at == '"')
            put(file, "\"");
    }
    put(file, "\"");
}

static void putSpread(OutFile* file, const char* key, const char* unit, const thSpread* s)
{
    put(file, "%s,%s,%" PRIu64, key, unit, s->count);
    if (s->count > 0)
        put(file, ",%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", s->mean,
            s->deviation, s->least, s->p01, s->p05, s->p10, s->median, s->p90, s->p95, s->p99,
            s->greatest);
    else
        put(file, ",,,,,,,,,,,\n");
}

static void putSingle(OutFile* file, const char* key, const char* unit, double value)
{
    put(file, "%s,%s,,", key, unit);
    putNumber(file, value);
    put(file, ",,,,,,,,,,\n");
}

static void putFigures(OutFile* file, const thSurvey* survey)
{
    const thSurveyResult result = thSurvey_GetResult(survey);
    put(file, "figure,unit,count,mean,deviation,least,p01,p05,p10,median,p90,p95,p99,greatest\n");
    for (const Figure* figure = appFigures; figure->key != NULL; ++figure) {
        const void* value = (const char*)&result + figure->offset;
        const char* unit = figure->unit != NULL ? figure->unit : "";
        if (figure->kind == figureSpread)
            putSpread(file, figure->key, unit, value);
        else if (figure->kind == figureWhole)
            put(file, "%s,%s,,%" PRIu64 ",,,,,,,,,,\n", figure->key, unit, *(const uint64_t*)value);
        else
            putSingle(file, figure->key, unit, *(const double*)value);
    }
}

static void putPeople(OutFile* file, double rate, const thSurvey* survey)
{
    put(file, "id,first [s],last [s],length [m],speed [m/s],effort [J/kg],path ratio,time ratio\n");
    for (int32_t i = 0; i < thSurvey_GetPersonCount(survey); ++i) {
        const thPersonResult person = thSurvey_GetPerson(survey, i);
        put(file, "%" PRIu32 ",%.9g,%.9g,%.9g,%.9g,%.9g", person.id, (double)person.first / rate,
            (double)person.last / rate, person.length, person.speed, person.effort);
        put(file, ",");
        putNumber(file, person.pathRatio > 0.0 ? person.pathRatio : (double)NAN);
        put(file, ",");
        putNumber(file, person.timeRatio > 0.0 ? person.timeRatio : (double)NAN);
        put(file, "\n");
    }
}

static void putLines(OutFile* file, const thSurvey* survey, const Gauges* gauges)
{
    put(file, "line,people,time [s],frame,id,direction,speed [m/s]\n");
    for (int32_t i = 0; i < gauges->lineCount; ++i) {
        const thLineResult line = thSurvey_GetLine(survey, i);
        for (int32_t k = 0; k < line.crossingCount; ++k) {
            const thCrossing* crossing = &line.crossings[k];
            putName(file, gauges->lines[i].name);
            put(file, ",%d,%.9g,%" PRId64 ",%" PRIu32 ",%d,%.9g\n", (int)k + 1, crossing->time,
                crossing->frame, crossing->id, (int)crossing->direction, crossing->speed);
        }
    }
}

static void putAreas(OutFile* file, double rate, const thSurvey* survey, const Gauges* gauges)
{
    put(file, "area,frame,time [s],people,density [1/m²],speed [m/s],Voronoi density [1/m²],"
              "Voronoi speed [m/s]\n");
    for (int32_t i = 0; i < gauges->areaCount; ++i) {
        const thAreaResult area = thSurvey_GetArea(survey, i);
        for (int32_t k = 0; k < area.frameCount; ++k) {
            const thAreaFrame* frame = &area.frames[k];
            putName(file, gauges->areas[i].name);
            put(file, ",%" PRId64 ",%.9g,%d,%.9g,%.9g,%.9g,%.9g\n", frame->frame,
                (double)frame->frame / rate, (int)frame->people, frame->density, frame->speed,
                frame->voronoiDensity, frame->voronoiSpeed);
        }
    }
}

// In the order of the files.
static const char* const kinds[surveyCsvCount] = {"figures", "people", "lines", "areas"};

static bool openCsv(SurveyCsv* csv, int kind, const char* prefix)
{
    const size_t size = strlen(prefix) + strlen(kinds[kind]) + sizeof "-.csv";
    csv->paths[kind] = malloc(size);
    if (csv->paths[kind] == NULL) {
        appSay("no memory");
        return false;
    }
    snprintf(csv->paths[kind], size, "%s-%s.csv", prefix, kinds[kind]);
    return appOpenOut(&csv->files[kind], csv->paths[kind]);
}

bool appOpenSurveyCsv(SurveyCsv* csv, const char* prefix, const Gauges* gauges)
{
    const bool isWanted[surveyCsvCount] = {true, true, gauges->lineCount > 0,
                                           gauges->areaCount > 0};
    for (int kind = 0; kind < surveyCsvCount; ++kind)
        if (isWanted[kind] && !openCsv(csv, kind, prefix))
            return false;
    return true;
}

void appWriteSurveyCsv(SurveyCsv* csv, double rate, const thSurvey* survey, const Gauges* gauges)
{
    putFigures(&csv->files[0], survey);
    putPeople(&csv->files[1], rate, survey);
    if (gauges->lineCount > 0)
        putLines(&csv->files[2], survey, gauges);
    if (gauges->areaCount > 0)
        putAreas(&csv->files[3], rate, survey, gauges);
}

bool appCloseSurveyCsv(SurveyCsv* csv)
{
    bool good = true;
    for (int kind = 0; kind < surveyCsvCount; ++kind) {
        good = appCloseOut(&csv->files[kind]) && good;
        free(csv->paths[kind]);
    }
    *csv = (SurveyCsv){0};
    return good;
}
