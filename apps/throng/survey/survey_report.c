// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What a survey found: for people, as JSON, and as CSV files.

#include "survey/survey_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// The figures of a whole recording: one table for people, JSON and CSV.
typedef struct Figure {
    const char* key;   // of JSON and CSV
    const char* label; // for people
    const char* unit;
    size_t offset; // in thSurveyResult
    enum { figureWhole, figureNumber, figureShare, figureSpread } kind;
} Figure;

#define OF(member) .offset = offsetof(thSurveyResult, member)

// Ends with one without a key.
static const Figure figures[] = {
    {.key = "people", .label = "people", OF(people), .kind = figureWhole},
    {.key = "frames", .label = "frames", OF(frames), .kind = figureWhole},
    {.key = "duration", .label = "duration", .unit = "s", OF(duration), .kind = figureNumber},
    {.key = "most_at_once", .label = "most at once", OF(mostAtOnce), .kind = figureWhole},
    {.key = "mean_at_once", .label = "mean at once", OF(meanAtOnce), .kind = figureNumber},
    {.key = "speed", .label = "speed", .unit = "m/s", OF(speed), .kind = figureSpread},
    {.key = "nearest",
     .label = "nearest other person",
     .unit = "m",
     OF(nearest),
     .kind = figureSpread},
    {.key = "presence", .label = "time there", .unit = "s", OF(presence), .kind = figureSpread},
    {.key = "chord_ratio",
     .label = "way ÷ straight distance",
     .unit = "",
     OF(chordRatio),
     .kind = figureSpread},
    {.key = "path_ratio",
     .label = "way ÷ planned path",
     .unit = "",
     OF(pathRatio),
     .kind = figureSpread},
    {.key = "time_ratio",
     .label = "time ÷ planned time",
     .unit = "",
     OF(timeRatio),
     .kind = figureSpread},
    {.key = "effort", .label = "effort", .unit = "J/kg", OF(effort), .kind = figureSpread},
    {.key = "effort_ratio",
     .label = "effort ÷ least effort",
     .unit = "",
     OF(effortRatio),
     .kind = figureSpread},
    {.key = "turning", .label = "turning", .unit = "rad/s", OF(turning), .kind = figureSpread},
    {.key = "jerk", .label = "jerk", .unit = "m/s³", OF(jerk), .kind = figureSpread},
    {.key = "pairs_per_frame",
     .label = "colliding pairs in a frame",
     OF(pairsPerFrame),
     .kind = figureNumber},
    {.key = "contacts", .label = "contacts", OF(contacts), .kind = figureWhole},
    {.key = "contact_time",
     .label = "how long contacts last",
     .unit = "s",
     OF(contactTime),
     .kind = figureSpread},
    {.key = "contact_depth",
     .label = "depth ÷ sum of radii",
     .unit = "",
     OF(contactDepth),
     .kind = figureSpread},
    {.key = "max_wall_depth",
     .label = "deepest in a wall",
     .unit = "m",
     OF(maxWallDepth),
     .kind = figureNumber},
    {.key = "in_wall_share", .label = "time in walls", OF(inWallShare), .kind = figureShare},
    {.key = "stuck_share", .label = "stuck", OF(stuckShare), .kind = figureShare},
    {.key = "lane_order", .label = "lane order", OF(laneOrder), .kind = figureNumber},
    {.key = "angular_momentum",
     .label = "angular momentum",
     OF(angularMomentum),
     .kind = figureNumber},
    {.key = "group_dispersion",
     .label = "members from group centre",
     .unit = "m",
     OF(groupDispersion),
     .kind = figureNumber},
    {.key = "group_nearest",
     .label = "nearest of one's group",
     .unit = "m",
     OF(groupNearest),
     .kind = figureSpread},
    {.key = "group_abreast", .label = "of a group, abreast", OF(groupAbreast), .kind = figureShare},
    {.key = "group_file", .label = "of a group, in a file", OF(groupFile), .kind = figureShare},
    {.key = "group_departure",
     .label = "group leaves within",
     .unit = "s",
     OF(groupDeparture),
     .kind = figureSpread},
    {0},
};

static const void* valueOf(const thSurveyResult* result, const Figure* figure)
{
    return (const char*)result + figure->offset;
}

// Labels stand in a column as wide as the longest one; "÷" takes two bytes and one column.
static void printLabel(const char* label)
{
    int columns = 0;
    for (const char* at = label; *at != '\0'; ++at)
        columns += (*at & 0xC0) != 0x80;
    printf("%s%*s", label, 27 - columns, "");
}

static void printSpread(const Figure* figure, const thSpread* spread)
{
    FigureText mean, p10, median, p90, greatest;
    if (spread->count == 0) {
        puts("       -");
        return;
    }
    printf("%8s %8s %8s %8s %8s  %s\n", appFormatFigure(&mean, spread->mean),
           appFormatFigure(&p10, spread->p10), appFormatFigure(&median, spread->median),
           appFormatFigure(&p90, spread->p90), appFormatFigure(&greatest, spread->greatest),
           figure->unit);
}

static void printNumber(const Figure* figure, double value)
{
    FigureText text;
    if (isnan(value))
        puts("       -");
    else if (figure->kind == figureShare)
        printf("%8.3g %%\n", 100.0 * value);
    else
        printf("%8s  %s\n", appFormatFigure(&text, value),
               figure->unit != NULL ? figure->unit : "");
}

static void printFigures(const thSurveyResult* result)
{
    bool headed = false;
    for (const Figure* figure = figures; figure->key != NULL; ++figure) {
        const void* value = valueOf(result, figure);
        if (figure->kind == figureSpread && !headed)
            printf("%27s%8s %8s %8s %8s %8s\n", "", "mean", "10 %", "median", "90 %", "most");
        headed = headed || figure->kind == figureSpread;
        printLabel(figure->label);
        if (figure->kind == figureWhole)
            printf("%8" PRIu64 "\n", *(const uint64_t*)value);
        else if (figure->kind == figureSpread)
            printSpread(figure, value);
        else
            printNumber(figure, *(const double*)value);
    }
}

static void printLine(const char* name, const thLineResult* line)
{
    FigureText flow, steady, specific, gap;
    printf("line        %s: %d people", name, (int)line->crossingCount);
    if (line->crossingCount > 1)
        printf(", %s 1/s (%s 1/s the middle 80 %%), %s 1/(m s), gaps of %s s on average",
               appFormatFigure(&flow, line->flow), appFormatFigure(&steady, line->steadyFlow),
               appFormatFigure(&specific, line->specificFlow),
               appFormatFigure(&gap, line->timeGap.mean));
    putchar('\n');
}

static void printArea(const char* name, const thAreaResult* area)
{
    FigureText density, speed, voronoi, voronoiSpeed;
    if (area->mean.frame == 0) {
        printf("area        %s: nobody was in it\n", name);
        return;
    }
    printf("area        %s: %s 1/m² at %s m/s on average, Voronoi %s 1/m² at %s m/s\n", name,
           appFormatFigure(&density, area->mean.density), appFormatFigure(&speed, area->mean.speed),
           appFormatFigure(&voronoi, area->mean.voronoiDensity),
           appFormatFigure(&voronoiSpeed, area->mean.voronoiSpeed));
}

void appPrintGauges(const thSurvey* survey, const Gauges* gauges)
{
    for (int32_t i = 0; i < gauges->lineCount; ++i) {
        const thLineResult line = thSurvey_GetLine(survey, i);
        printLine(gauges->lines[i].name, &line);
    }
    for (int32_t i = 0; i < gauges->areaCount; ++i) {
        const thAreaResult area = thSurvey_GetArea(survey, i);
        printArea(gauges->areas[i].name, &area);
    }
}

void appPrintAssumedRadius(double radius)
{
    FigureText text;
    printLabel("radius");
    printf("%8s  m assumed: none is recorded\n", appFormatFigure(&text, radius));
}

void appPrintSurvey(const thSurvey* survey, const Gauges* gauges)
{
    const thSurveyResult result = thSurvey_GetResult(survey);
    printFigures(&result);
    appPrintGauges(survey, gauges);
}

static void writeSpread(JsonOut* out, const char* key, const thSpread* spread)
{
    if (spread->count == 0) {
        appJsonNull(out, key);
        return;
    }
    appJsonBegin(out, key, '{', false);
    appJsonWhole(out, "count", (int64_t)spread->count);
    appJsonNumber(out, "mean", spread->mean);
    appJsonNumber(out, "deviation", spread->deviation);
    appJsonNumber(out, "least", spread->least);
    appJsonNumber(out, "p01", spread->p01);
    appJsonNumber(out, "p05", spread->p05);
    appJsonNumber(out, "p10", spread->p10);
    appJsonNumber(out, "median", spread->median);
    appJsonNumber(out, "p90", spread->p90);
    appJsonNumber(out, "p95", spread->p95);
    appJsonNumber(out, "p99", spread->p99);
    appJsonNumber(out, "greatest", spread->greatest);
    appJsonEnd(out, '}');
}

static void writeLine(JsonOut* out, const char* name, const thLineResult* line)
{
    appJsonBegin(out, name, '{', true);
    appJsonWhole(out, "people", line->crossingCount);
    appJsonWhole(out, "crossings", (int64_t)line->allCrossings);
    appJsonNumber(out, "flow", line->flow);
    appJsonNumber(out, "steady_flow", line->steadyFlow);
    appJsonNumber(out, "specific_flow", line->specificFlow);
    writeSpread(out, "time_gap", &line->timeGap);
    appJsonEnd(out, '}');
}

static void writeArea(JsonOut* out, const char* name, const thAreaResult* area)
{
    appJsonBegin(out, name, '{', true);
    appJsonNumber(out, "size", area->size);
    appJsonNumber(out, "density", area->mean.density);
    appJsonNumber(out, "speed", area->mean.speed);
    appJsonNumber(out, "voronoi_density", area->mean.voronoiDensity);
    appJsonNumber(out, "voronoi_speed", area->mean.voronoiSpeed);
    appJsonEnd(out, '}');
}

void appWriteGauges(JsonOut* out, const thSurvey* survey, const Gauges* gauges)
{
    appJsonBegin(out, "lines", '{', true);
    for (int32_t i = 0; i < gauges->lineCount; ++i) {
        const thLineResult line = thSurvey_GetLine(survey, i);
        writeLine(out, gauges->lines[i].name, &line);
    }
    appJsonEnd(out, '}');
    appJsonBegin(out, "areas", '{', true);
    for (int32_t i = 0; i < gauges->areaCount; ++i) {
        const thAreaResult area = thSurvey_GetArea(survey, i);
        writeArea(out, gauges->areas[i].name, &area);
    }
    appJsonEnd(out, '}');
}

void appWriteSurvey(JsonOut* out, const thSurvey* survey, const Gauges* gauges)
{
    const thSurveyResult result = thSurvey_GetResult(survey);
    for (const Figure* figure = figures; figure->key != NULL; ++figure) {
        const void* value = valueOf(&result, figure);
        if (figure->kind == figureWhole)
            appJsonWhole(out, figure->key, (int64_t) * (const uint64_t*)value);
        else if (figure->kind == figureSpread)
            writeSpread(out, figure->key, value);
        else
            appJsonNumber(out, figure->key, *(const double*)value);
    }
    appWriteGauges(out, survey, gauges);
}

// --- CSV ---

// A survey as CSV files, one for each kind of thing, with a line of names at the head.

static void putSpread(OutFile* file, const char* key, const char* unit, const thSpread* s)
{
    appPutCsv(file, "%s,%s,%" PRIu64, key, unit, s->count);
    if (s->count > 0)
        appPutCsv(file, ",%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", s->mean,
                  s->deviation, s->least, s->p01, s->p05, s->p10, s->median, s->p90, s->p95, s->p99,
                  s->greatest);
    else
        appPutCsv(file, ",,,,,,,,,,,\n");
}

static void putSingle(OutFile* file, const char* key, const char* unit, double value)
{
    appPutCsv(file, "%s,%s,,", key, unit);
    appPutCsvNumber(file, value);
    appPutCsv(file, ",,,,,,,,,,\n");
}

static void putFigures(OutFile* file, const thSurvey* survey)
{
    const thSurveyResult result = thSurvey_GetResult(survey);
    appPutCsv(file,
              "figure,unit,count,mean,deviation,least,p01,p05,p10,median,p90,p95,p99,greatest\n");
    for (const Figure* figure = figures; figure->key != NULL; ++figure) {
        const void* value = (const char*)&result + figure->offset;
        const char* unit = figure->unit != NULL ? figure->unit : "";
        if (figure->kind == figureSpread)
            putSpread(file, figure->key, unit, value);
        else if (figure->kind == figureWhole)
            appPutCsv(file, "%s,%s,,%" PRIu64 ",,,,,,,,,,\n", figure->key, unit,
                      *(const uint64_t*)value);
        else
            putSingle(file, figure->key, unit, *(const double*)value);
    }
}

static void putPeople(OutFile* file, double rate, const thSurvey* survey)
{
    appPutCsv(file,
              "id,first [s],last [s],length [m],speed [m/s],effort [J/kg],path ratio,time ratio\n");
    for (int32_t i = 0; i < thSurvey_GetPersonCount(survey); ++i) {
        const thPersonResult person = thSurvey_GetPerson(survey, i);
        appPutCsv(file, "%" PRIu32 ",%.9g,%.9g,%.9g,%.9g,%.9g", person.id,
                  (double)person.first / rate, (double)person.last / rate, person.length,
                  person.speed, person.effort);
        appPutCsv(file, ",");
        appPutCsvNumber(file, person.pathRatio > 0.0 ? person.pathRatio : (double)NAN);
        appPutCsv(file, ",");
        appPutCsvNumber(file, person.timeRatio > 0.0 ? person.timeRatio : (double)NAN);
        appPutCsv(file, "\n");
    }
}

static void putLines(OutFile* file, const thSurvey* survey, const Gauges* gauges)
{
    appPutCsv(file, "line,people,time [s],frame,id,direction,speed [m/s]\n");
    for (int32_t i = 0; i < gauges->lineCount; ++i) {
        const thLineResult line = thSurvey_GetLine(survey, i);
        for (int32_t k = 0; k < line.crossingCount; ++k) {
            const thCrossing* crossing = &line.crossings[k];
            appPutCsvName(file, gauges->lines[i].name);
            appPutCsv(file, ",%d,%.9g,%" PRId64 ",%" PRIu32 ",%d,%.9g\n", (int)k + 1,
                      crossing->time, crossing->frame, crossing->id, (int)crossing->direction,
                      crossing->speed);
        }
    }
}

static void putAreas(OutFile* file, double rate, const thSurvey* survey, const Gauges* gauges)
{
    appPutCsv(file, "area,frame,time [s],people,density [1/m²],speed [m/s],Voronoi density [1/m²],"
                    "Voronoi speed [m/s]\n");
    for (int32_t i = 0; i < gauges->areaCount; ++i) {
        const thAreaResult area = thSurvey_GetArea(survey, i);
        for (int32_t k = 0; k < area.frameCount; ++k) {
            const thAreaFrame* frame = &area.frames[k];
            appPutCsvName(file, gauges->areas[i].name);
            appPutCsv(file, ",%" PRId64 ",%.9g,%d,%.9g,%.9g,%.9g,%.9g\n", frame->frame,
                      (double)frame->frame / rate, (int)frame->people, frame->density, frame->speed,
                      frame->voronoiDensity, frame->voronoiSpeed);
        }
    }
}

// In the order of the files.
const char* const appSurveyCsvEndings[surveyCsvCount + 1] = {
    "-figures.csv", "-people.csv",        "-lines.csv",   "-areas.csv",
    "-against.csv", "-displacements.csv", "-diagram.csv", NULL};

static bool openCsv(SurveyCsv* csv, int kind, const char* prefix)
{
    const size_t size = strlen(prefix) + strlen(appSurveyCsvEndings[kind]) + 1;
    csv->paths[kind] = malloc(size);
    if (csv->paths[kind] == NULL) {
        appSay("no memory");
        return false;
    }
    snprintf(csv->paths[kind], size, "%s%s", prefix, appSurveyCsvEndings[kind]);
    return appOpenOut(&csv->files[kind], csv->paths[kind]);
}

bool appOpenSurveyCsv(SurveyCsv* csv, const char* prefix, const Gauges* gauges, bool isAgainst)
{
    const bool isWanted[surveyCsvCount] = {
        true, true, gauges->lineCount > 0, gauges->areaCount > 0, isAgainst, isAgainst, isAgainst};
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

bool appCloseSurveyCsv(SurveyCsv* csv, bool isGood)
{
    bool good = isGood;
    for (int kind = 0; kind < surveyCsvCount; ++kind) {
        good = appCloseOut(&csv->files[kind], isGood) && good;
        free(csv->paths[kind]);
    }
    *csv = (SurveyCsv){0};
    return good;
}
