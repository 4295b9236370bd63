// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The charts of recordings: counts, flow, arrivals, and the fundamental diagram.

#include "draw/draw.h"

#include "draw/chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Several recordings in one chart ---

typedef struct Reels {
    Reel** items;
    int32_t count;
    Reel* own; // all but the first
} Reels;

// The first one, which stays its owner's, and others by name, which are read as they say
// themselves.
static ExitCode openReels(Reels* reels, Reel* first, const TextList* others)
{
    static const SourceDef asItSays = {.live.until = INFINITY, .use.seed = -1};
    const size_t most = (size_t)others->count + 1;
    ExitCode code = exitDone;
    *reels = (Reels){.items = calloc(most, sizeof *reels->items),
                     .own = calloc(most, sizeof *reels->own)};
    if (reels->items == NULL || reels->own == NULL) {
        appSay("no memory");
        return exitEnvironment;
    }
    reels->items[reels->count++] = first;
    for (int32_t i = 0; code == exitDone && i < others->count; ++i) {
        code = appOpenReel(&reels->own[i], others->items[i], &asItSays);
        if (code == exitDone)
            reels->items[reels->count++] = &reels->own[i];
    }
    return code;
}

static void closeReels(Reels* reels)
{
    for (int32_t i = 1; i < reels->count; ++i)
        appCloseReel(reels->items[i]);
    free(reels->items);
    free(reels->own);
    *reels = (Reels){0};
}

// What to call one of them: its title, or its whole name where another has the same title.
static const char* labelOf(const Reels* reels, int32_t index)
{
    const Reel* reel = reels->items[index];
    for (int32_t i = 0; i < reels->count; ++i)
        if (i != index && strcmp(reels->items[i]->title, reel->title) == 0)
            return reel->name;
    return reel->title;
}

// "name", "name and name", "name and 2 others".
static void formatReels(char* text, size_t size, const Reels* reels)
{
    const char* first = reels->items[0]->title;
    if (reels->count == 1)
        snprintf(text, size, "%.150s", first);
    else if (reels->count == 2)
        snprintf(text, size, "%.75s and %.75s", first, reels->items[1]->title);
    else
        snprintf(text, size, "%.130s and %d others", first, (int)reels->count - 1);
}

// --- Arrivals ---

// When somebody was first at its goal, and last seen. [s; not a number: never]
typedef struct Presence {
    double arrived, seen;
} Presence;

typedef struct Presences {
    Presence* items; // by person
    int32_t count, capacity;
    double first, last; // frames [s]
} Presences;

static bool growPresences(Presences* presences, int32_t count)
{
    if (count > presences->capacity) {
        const int32_t capacity = count + count / 4;
        Presence* grown = realloc(presences->items, (size_t)capacity * sizeof *grown);
        if (grown == NULL)
            return false;
        presences->items = grown;
        presences->capacity = capacity;
    }
    for (; presences->count < count; ++presences->count)
        presences->items[presences->count] = (Presence){NAN, NAN};
    return true;
}

static bool seeFrame(void* context, const Player* player)
{
    Presences* presences = context;
    const double time = player->after.time;
    if (!growPresences(presences, player->recording->personCount))
        return false;
    presences->first = isnan(presences->first) ? time : presences->first;
    presences->last = time;
    for (int32_t i = 0; i < player->after.count; ++i) {
        const Sight* sight = &player->after.sights[i];
        if (sight->person < 0)
            continue;
        Presence* presence = &presences->items[sight->person];
        presence->seen = time;
        if (isnan(presence->arrived) && appIsAtGoal(player, sight))
            presence->arrived = time;
    }
    return true;
}

static int compareTimes(const void* a, const void* b)
{
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// The times at which people arrived or left, ascending; `*total` is how many people there were.
static double* listTimes(const Presences* presences, int32_t* count, int32_t* total)
{
    double* times = malloc(((size_t)presences->count + 1) * sizeof *times);
    *count = *total = 0;
    for (int32_t i = 0; times != NULL && i < presences->count; ++i) {
        const Presence* presence = &presences->items[i];
        *total += !isnan(presence->seen);
        if (!isnan(presence->arrived))
            times[(*count)++] = presence->arrived;
        else if (presence->seen < presences->last)
            times[(*count)++] = presence->seen;
    }
    if (times != NULL)
        qsort(times, (size_t)*count, sizeof *times, compareTimes);
    return times;
}

// Adds a curve, and counts who has arrived.
static bool addCurve(Chart* chart, const Presences* presences, const char* name, int32_t* arrived,
                     int32_t* all)
{
    int32_t count, total;
    double* times = listTimes(presences, &count, &total);
    Series* series = times != NULL ? appAddSeries(chart, seriesSteps, name, chart->count) : NULL;
    bool good = series != NULL && appAddValue(series, presences->first, 0.0);
    for (int32_t i = 0; good && i < count; ++i)
        good = appAddValue(series, times[i], 100.0 * (i + 1) / total);
    good = good && appAddValue(series, presences->last, total > 0 ? 100.0 * count / total : 0.0);
    free(times);
    if (!good)
        appSay("no memory for the chart");
    *arrived += count;
    *all += total;
    chart->xLow = fmin(chart->xLow, presences->first);
    chart->xHigh = fmax(chart->xHigh, presences->last);
    return good;
}

// One of the recordings.
static ExitCode watch(const Reels* reels, int32_t index, const DrawDef* def, Chart* chart,
                      int32_t* arrived, int32_t* all)
{
    Presences presences = {.first = NAN};
    const PlayDef play = {def->from, def->to, def->quiet, seeFrame, &presences};
    const char* name = reels->count > 1 ? labelOf(reels, index) : "arrived or left";
    ExitCode code = appPlayRange(reels->items[index], &play);
    if (code == exitDone && isnan(presences.first))
        code = appSayNothing(reels->items[index]);
    else if (code == exitDone && !addCurve(chart, &presences, name, arrived, all))
        code = exitEnvironment;
    free(presences.items);
    return code;
}

static ExitCode drawAll(const Reels* reels, const DrawDef* def)
{
    char names[200], title[600];
    int32_t arrived = 0, all = 0;
    Chart chart = {.title = title,
                   .xLabel = "time t [s]",
                   .yLabel = "share of all people [%]",
                   .xLow = INFINITY,
                   .xHigh = -INFINITY,
                   .yHigh = 100.0};
    ExitCode code = exitDone;
    for (int32_t i = 0; code == exitDone && i < reels->count; ++i)
        code = watch(reels, i, def, &chart, &arrived, &all);
    formatReels(names, sizeof names, reels);
    snprintf(title, sizeof title, "%s: %d of %d have arrived or left by t = %.1f s", names,
             (int)arrived, (int)all, chart.xHigh);
    if (code == exitDone && !appDrawChart(&chart, def->output, def->width))
        code = exitEnvironment;
    if (code == exitDone && !def->quiet)
        printf("%s: %s\n", def->output, title);
    appFreeChart(&chart);
    return code;
}

ExitCode appDrawArrivals(Reel* reel, const ChartDef* def)
{
    Reels reels;
    ExitCode code = openReels(&reels, reel, def->with);
    if (code == exitDone)
        code = drawAll(&reels, def->draw);
    closeReels(&reels);
    return code;
}

// --- Surveys ---

// What was measured in a recording.
typedef struct Surveyed {
    thSurvey* survey;
    Gauges gauges;
    double first, last; // of the time that is shown [s]
} Surveyed;

// What becomes of it.
typedef struct Sheets {
    const ChartDef* def;
    Reels reels;
    Surveyed* all;      // of each reel
    double first, last; // of all of them, at least 1 s [s]
    Chart chart;
    char title[256], label[96];
} Sheets;

// Fills the chart; false when memory is out.
typedef bool FillFcn(Sheets* sheets);

// From the first person on, or from when one wants, to the end.
static void noteTimes(Surveyed* surveyed, const Source* source, const DrawDef* def)
{
    const double rate = source->recording->head.rate;
    double first = INFINITY;
    double last = source->run != NULL ? thRun_GetTime(source->run) : source->recording->endTime;
    for (int32_t i = 0; i < thSurvey_GetPersonCount(surveyed->survey); ++i) {
        const thPersonResult person = thSurvey_GetPerson(surveyed->survey, i);
        first = fmin(first, (double)person.first / rate);
        last = fmax(last, (double)person.last / rate);
    }
    surveyed->first = isfinite(def->from) ? def->from : isfinite(first) ? first : 0.0;
    surveyed->last = fmax(fmin(last, def->to), surveyed->first);
}

// A series for a line or an area, with another look than all before. NULL when memory is out.
static Series* addSeries(Sheets* sheets, SeriesKind kind, int32_t reel, const char* name)
{
    char text[256];
    const char* label = labelOf(&sheets->reels, reel);
    snprintf(text, sizeof text, "%.120s: %.120s", label, name);
    return appAddSeries(&sheets->chart, kind, sheets->reels.count > 1 ? text : name,
                        sheets->chart.count);
}

// --- Lines, over time ---

typedef bool AddLineFcn(Sheets* sheets, const Surveyed* surveyed, const thLineResult* line,
                        Series* series);

static bool fillLines(Sheets* sheets, SeriesKind kind, AddLineFcn* add)
{
    sheets->chart.xLabel = "time t [s]";
    sheets->chart.xLow = sheets->first;
    sheets->chart.xHigh = sheets->last;
    for (int32_t i = 0; i < sheets->reels.count; ++i) {
        const Surveyed* surveyed = &sheets->all[i];
        for (int32_t k = 0; k < surveyed->gauges.lineCount; ++k) {
            const thLineResult line = thSurvey_GetLine(surveyed->survey, k);
            Series* series = addSeries(sheets, kind, i, surveyed->gauges.lines[k].name);
            if (series == NULL || !add(sheets, surveyed, &line, series))
                return false;
        }
    }
    return true;
}

static bool addCounts(Sheets* sheets, const Surveyed* surveyed, const thLineResult* line,
                      Series* series)
{
    (void)sheets;
    bool good = appAddValue(series, surveyed->first, 0.0);
    for (int32_t i = 0; good && i < line->crossingCount; ++i)
        good = appAddValue(series, line->crossings[i].time, i + 1.0);
    return good && appAddValue(series, surveyed->last, line->crossingCount);
}

static bool fillCounts(Sheets* sheets)
{
    sheets->chart.yLabel = "people who have crossed N(t)";
    return fillLines(sheets, seriesSteps, addCounts);
}

// How many crossed in a time.
static int32_t countWithin(const thLineResult* line, double from, double to)
{
    int32_t count = 0;
    for (int32_t i = 0; i < line->crossingCount && line->crossings[i].time < to; ++i)
        count += line->crossings[i].time >= from;
    return count;
}

// One for all curves, so that they can be compared. [s]
static double windowOf(const Sheets* sheets)
{
    return appRoundDown((sheets->last - sheets->first) / 8);
}

// Only where all of the window lies in the recording: elsewhere nobody knows who crossed.
static bool addFlow(Sheets* sheets, const Surveyed* surveyed, const thLineResult* line,
                    Series* series)
{
    enum { points = 240 };
    const double window = windowOf(sheets), half = 0.5 * window;
    const double first = surveyed->first + half, last = surveyed->last - half;
    for (int32_t k = 0; first <= last && k <= points; ++k) {
        const double time = first + (last - first) * k / points;
        // At the very end crossings count too.
        const double to = k < points ? time + half : INFINITY;
        if (!appAddValue(series, time, countWithin(line, time - half, to) / window))
            return false;
    }
    return true;
}

static bool fillFlow(Sheets* sheets)
{
    snprintf(sheets->label, sizeof sheets->label, "flow J, mean from t − %g s to t + %g s [1/s]",
             0.5 * windowOf(sheets), 0.5 * windowOf(sheets));
    sheets->chart.yLabel = sheets->label;
    return fillLines(sheets, seriesLine, addFlow);
}

// --- Areas ---

// U. Weidmann, Transporttechnik der Fussgänger (1993): speed at a density. [m/s]
static double weidmannSpeed(double density)
{
    return 1.34 * (1.0 - exp(-1.913 * (1.0 / density - 1.0 / 5.4)));
}

// Of frames with somebody in the area: else it is those outside whose cells reach into it.
static bool addArea(const thAreaResult* area, Series* series)
{
    for (int32_t i = 0; i < area->frameCount; ++i) {
        const thAreaFrame* frame = &area->frames[i];
        if (frame->people > 0 && frame->voronoiDensity > 0.0 &&
            !appAddValue(series, frame->voronoiDensity, frame->voronoiSpeed))
            return false;
    }
    return true;
}

static bool fillDiagram(Sheets* sheets)
{
    enum { points = 120 };
    Chart* chart = &sheets->chart;
    chart->xLabel = "density ρ [1/m²]";
    chart->yLabel = "speed v [m/s]";
    for (int32_t i = 0; i < sheets->reels.count; ++i) {
        const Surveyed* surveyed = &sheets->all[i];
        for (int32_t k = 0; k < surveyed->gauges.areaCount; ++k) {
            const thAreaResult area = thSurvey_GetArea(surveyed->survey, k);
            Series* series = addSeries(sheets, seriesPoints, i, surveyed->gauges.areas[k].name);
            if (series == NULL || !addArea(&area, series))
                return false;
        }
    }
    Series* curve = appAddSeries(chart, seriesLine, "Weidmann 1993", appReferenceLook);
    for (int32_t k = 1; curve != NULL && k <= points; ++k)
        if (!appAddValue(curve, 5.4 * k / points, weidmannSpeed(5.4 * k / points)))
            return false;
    return curve != NULL;
}

// --- All charts ---

static ExitCode surveyReel(const Sheets* sheets, int32_t index, bool atLines)
{
    const DrawDef* draw = sheets->def->draw;
    Reel* reel = sheets->reels.items[index];
    Surveyed* surveyed = &sheets->all[index];
    SurveyOptions options = *sheets->def->survey;
    options.from = draw->from;
    options.to = draw->to;
    options.label = reel->title;
    options.quiet = draw->quiet;
    ExitCode code = appReadGauges(&options, reel->source.scene, &surveyed->gauges);
    if (code != exitDone)
        return code;
    if ((atLines ? surveyed->gauges.lineCount : surveyed->gauges.areaCount) == 0) {
        appSay("there is no %s to measure %s in '%s': give one with --%s, or in the 'measure' of "
               "the scene or of another one that --scene names",
               atLines ? "line" : "area", atLines ? "at" : "in", reel->name,
               atLines ? "line" : "area");
        return exitUsage;
    }
    code = appSurveySource(&reel->source, &options, &surveyed->gauges, &surveyed->survey);
    if (code == exitDone)
        noteTimes(surveyed, &reel->source, draw);
    return code;
}

static ExitCode surveyAll(Sheets* sheets, bool atLines)
{
    ExitCode code = exitDone;
    sheets->all = calloc((size_t)sheets->reels.count, sizeof *sheets->all);
    if (sheets->all == NULL) {
        appSay("no memory");
        return exitEnvironment;
    }
    sheets->first = INFINITY;
    sheets->last = -INFINITY;
    for (int32_t i = 0; code == exitDone && i < sheets->reels.count; ++i) {
        code = surveyReel(sheets, i, atLines);
        sheets->first = fmin(sheets->first, sheets->all[i].first);
        sheets->last = fmax(sheets->last, sheets->all[i].last);
    }
    sheets->last = fmax(sheets->last, sheets->first + 1.0);
    return code;
}

static ExitCode drawSheets(Sheets* sheets, FillFcn* fill, const char* what)
{
    char names[200];
    const DrawDef* draw = sheets->def->draw;
    formatReels(names, sizeof names, &sheets->reels);
    snprintf(sheets->title, sizeof sheets->title, "%s: %s", names, what);
    sheets->chart.title = sheets->title;
    if (!fill(sheets)) {
        appSay("no memory for the chart");
        return exitEnvironment;
    }
    if (!appDrawChart(&sheets->chart, draw->output, draw->width))
        return exitEnvironment;
    if (!draw->quiet)
        printf("%s: %s\n", draw->output, sheets->title);
    return exitDone;
}

static void freeSheets(Sheets* sheets)
{
    appFreeChart(&sheets->chart);
    for (int32_t i = 0; sheets->all != NULL && i < sheets->reels.count; ++i) {
        thDestroySurvey(sheets->all[i].survey);
        appFreeGauges(&sheets->all[i].gauges);
    }
    free(sheets->all);
    closeReels(&sheets->reels);
}

static ExitCode drawSurvey(Reel* reel, const ChartDef* def, bool atLines, FillFcn* fill,
                           const char* what)
{
    Sheets sheets = {.def = def};
    ExitCode code = openReels(&sheets.reels, reel, def->with);
    if (code == exitDone)
        code = surveyAll(&sheets, atLines);
    if (code == exitDone)
        code = drawSheets(&sheets, fill, what);
    freeSheets(&sheets);
    return code;
}

ExitCode appDrawCounts(Reel* reel, const ChartDef* def)
{
    return drawSurvey(reel, def, true, fillCounts, "people across each line");
}

ExitCode appDrawFlow(Reel* reel, const ChartDef* def)
{
    return drawSurvey(reel, def, true, fillFlow, "flow across each line");
}

ExitCode appDrawDiagram(Reel* reel, const ChartDef* def)
{
    return drawSurvey(reel, def, false, fillDiagram, "fundamental diagram");
}
