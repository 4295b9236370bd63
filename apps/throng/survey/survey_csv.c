// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A survey as CSV files, one for each kind of thing, with a line of names at the head.

#include "../out_file.h"
#include "survey_report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

typedef struct Csv {
    OutFile file;
    char* path;
    double rate; // frames in a second
} Csv;

static bool openCsv(Csv* csv, const char* prefix, const char* what)
{
    const size_t size = strlen(prefix) + strlen(what) + sizeof "-.csv";
    csv->path = malloc(size);
    if (csv->path == NULL) {
        appSay("no memory");
        return false;
    }
    snprintf(csv->path, size, "%s-%s.csv", prefix, what);
    return appOpenOut(&csv->file, csv->path);
}

static bool closeCsv(Csv* csv)
{
    const bool good = appCloseOut(&csv->file);
    free(csv->path);
    csv->path = NULL;
    return good;
}

__attribute__((format(printf, 2, 3))) static void put(Csv* csv, const char* format, ...)
{
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    appWriteOut(&csv->file, line, (size_t)length < sizeof line ? (size_t)length : sizeof line - 1);
}

// A name as a field: in quotes if it holds what would end it.
static void putName(Csv* csv, const char* name)
{
    if (strpbrk(name, ",\"\n\r") == NULL) {
        appWriteOut(&csv->file, name, strlen(name));
        return;
    }
    put(csv, "\"");
    for (const char* at = name; *at != '\0'; ++at) {
        appWriteOut(&csv->file, at, 1);
        if (*at == '"')
            put(csv, "\"");
    }
    put(csv, "\"");
}

static void putSpread(Csv* csv, const char* key, const char* unit, const thSpread* s)
{
    put(csv, "%s,%s,%" PRIu64, key, unit, s->count);
    if (s->count > 0)
        put(csv, ",%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", s->mean, s->deviation,
            s->least, s->p01, s->p05, s->p10, s->median, s->p90, s->p95, s->p99, s->greatest);
    else
        put(csv, ",,,,,,,,,,,\n");
}

static void putFigures(Csv* csv, const thSurvey* survey)
{
    const thSurveyResult result = thSurvey_GetResult(survey);
    put(csv, "figure,unit,count,mean,deviation,least,p01,p05,p10,median,p90,p95,p99,greatest\n");
    for (const Figure* figure = appFigures; figure->key != NULL; ++figure) {
        const void* value = (const char*)&result + figure->offset;
        const char* unit = figure->unit != NULL ? figure->unit : "";
        if (figure->kind == figureSpread)
            putSpread(csv, figure->key, unit, value);
        else if (figure->kind == figureWhole)
            put(csv, "%s,%s,,%" PRIu64 ",,,,,,,,,,\n", figure->key, unit, *(const uint64_t*)value);
        else
            put(csv, "%s,%s,,%.9g,,,,,,,,,,\n", figure->key, unit, *(const double*)value);
    }
}

static void putPeople(Csv* csv, const thSurvey* survey)
{
    put(csv, "id,first [s],last [s],length [m],speed [m/s],effort [J/kg],path ratio,time ratio\n");
    for (int32_t i = 0; i < thSurvey_GetPersonCount(survey); ++i) {
        const thPersonResult person = thSurvey_GetPerson(survey, i);
        put(csv, "%" PRIu32 ",%.9g,%.9g,%.9g,%.9g,%.9g", person.id,
            (double)person.first / csv->rate, (double)person.last / csv->rate, person.length,
            person.speed, person.effort);
        if (person.pathRatio > 0.0)
            put(csv, ",%.9g", person.pathRatio);
        else
            put(csv, ",");
        if (person.timeRatio > 0.0)
            put(csv, ",%.9g\n", person.timeRatio);
        else
            put(csv, ",\n");
    }
}

static void putLines(Csv* csv, const thSurvey* survey, const Gauges* gauges)
{
    put(csv, "line,people,time [s],frame,id,direction,speed [m/s]\n");
    for (int32_t i = 0; i < gauges->lineCount; ++i) {
        const thLineResult line = thSurvey_GetLine(survey, i);
        for (int32_t k = 0; k < line.crossingCount; ++k) {
            const thCrossing* crossing = &line.crossings[k];
            putName(csv, gauges->lines[i].name);
            put(csv, ",%d,%.9g,%" PRId64 ",%" PRIu32 ",%d,%.9g\n", (int)k + 1, crossing->time,
                crossing->frame, crossing->id, (int)crossing->direction, crossing->speed);
        }
    }
}

static void putAreas(Csv* csv, const thSurvey* survey, const Gauges* gauges)
{
    put(csv, "area,frame,time [s],people,density [1/m²],speed [m/s],Voronoi density [1/m²],"
             "Voronoi speed [m/s]\n");
    for (int32_t i = 0; i < gauges->areaCount; ++i) {
        const thAreaResult area = thSurvey_GetArea(survey, i);
        for (int32_t k = 0; k < area.frameCount; ++k) {
            const thAreaFrame* frame = &area.frames[k];
            putName(csv, gauges->areas[i].name);
            put(csv, ",%" PRId64 ",%.9g,%d,%.9g,%.9g,%.9g,%.9g\n", frame->frame,
                (double)frame->frame / csv->rate, (int)frame->people, frame->density, frame->speed,
                frame->voronoiDensity, frame->voronoiSpeed);
        }
    }
}

bool appWriteSurveyCsv(const char* prefix, double rate, const thSurvey* survey,
                       const Gauges* gauges)
{
    Csv csv = {.rate = rate};
    bool good = openCsv(&csv, prefix, "figures");
    if (good)
        putFigures(&csv, survey);
    good = closeCsv(&csv) && good && openCsv(&csv, prefix, "people");
    if (good)
        putPeople(&csv, survey);
    good = closeCsv(&csv) && good;
    if (good && gauges->lineCount > 0 && (good = openCsv(&csv, prefix, "lines")))
        putLines(&csv, survey, gauges);
    good = closeCsv(&csv) && good;
    if (good && gauges->areaCount > 0 && (good = openCsv(&csv, prefix, "areas")))
        putAreas(&csv, survey, gauges);
    return closeCsv(&csv) && good;
}
