// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Charts of what a survey measured at lines and in areas.

#include "chart.h"
#include "charts.h"
#include "ticks.h"

#include <math.h>
#include <stdio.h>

// What was measured, and what becomes of it.
typedef struct Surveyed {
    thSurvey* survey;
    Gauges gauges;
    double rate;
    double first, last; // of the crossings, at least 1 s [s]
    Chart chart;
    char title[256], label[96];
} Surveyed;

// Fills the chart; false when memory is out.
typedef bool FillFcn(Surveyed* surveyed);

static void noteTimes(Surveyed* surveyed, const DrawDef* def)
{
    surveyed->first = isfinite(def->from) ? def->from : 0.0;
    surveyed->last = surveyed->first + 1.0;
    for (int32_t i = 0; i < surveyed->gauges.lineCount; ++i) {
        const thLineResult line = thSurvey_GetLine(surveyed->survey, i);
        if (line.crossingCount == 0)
            continue;
        surveyed->first = fmin(surveyed->first, line.crossings[0].time);
        surveyed->last = fmax(surveyed->last, line.crossings[line.crossingCount - 1].time);
    }
}

static bool fillCounts(Surveyed* surveyed)
{
    Chart* chart = &surveyed->chart;
    chart->xLabel = "time t [s]";
    chart->yLabel = "people who have crossed N(t)";
    for (int32_t i = 0; i < surveyed->gauges.lineCount; ++i) {
        const thLineResult line = thSurvey_GetLine(surveyed->survey, i);
        Series* series =
            appAddSeries(chart, seriesSteps, surveyed->gauges.lines[i].name, appColorOf(i));
        if (series == NULL || !appAddValue(series, surveyed->first, 0.0))
            return false;
        for (int32_t k = 0; k < line.crossingCount; ++k)
            if (!appAddValue(series, line.crossings[k].time, k + 1.0))
                return false;
        if (!appAddValue(series, surveyed->last, line.crossingCount))
            return false;
    }
    return true;
}

// How many crossed in a time.
static int32_t countWithin(const thLineResult* line, double from, double to)
{
    int32_t count = 0;
    for (int32_t i = 0; i < line->crossingCount && line->crossings[i].time < to; ++i)
        count += line->crossings[i].time >= from;
    return count;
}

static bool fillFlow(Surveyed* surveyed)
{
    enum { points = 240 };
    Chart* chart = &surveyed->chart;
    const double span = surveyed->last - surveyed->first;
    const double window = appRoundDown(span / 8);
    snprintf(surveyed->label, sizeof surveyed->label, "flow J, mean over %g s [1/s]", window);
    chart->xLabel = "time t [s]";
    chart->yLabel = surveyed->label;
    for (int32_t i = 0; i < surveyed->gauges.lineCount; ++i) {
        const thLineResult line = thSurvey_GetLine(surveyed->survey, i);
        Series* series =
            appAddSeries(chart, seriesLine, surveyed->gauges.lines[i].name, appColorOf(i));
        for (int32_t k = 0; k <= points; ++k) {
            const double time = surveyed->first + span * k / points;
            const double from = fmax(time - 0.5 * window, surveyed->first);
            const double to = fmin(time + 0.5 * window, surveyed->last);
            if (series == NULL ||
                !appAddValue(series, time, countWithin(&line, from, to) / (to - from)))
                return false;
        }
    }
    return true;
}

// U. Weidmann, Transporttechnik der Fussgänger (1993): speed at a density. [m/s]
static double weidmannSpeed(double density)
{
    return 1.34 * (1.0 - exp(-1.913 * (1.0 / density - 1.0 / 5.4)));
}

static bool fillDiagram(Surveyed* surveyed)
{
    enum { points = 120 };
    Chart* chart = &surveyed->chart;
    chart->xLabel = "density ρ [1/m²]";
    chart->yLabel = "speed v [m/s]";
    for (int32_t i = 0; i < surveyed->gauges.areaCount; ++i) {
        const thAreaResult area = thSurvey_GetArea(surveyed->survey, i);
        Series* series =
            appAddSeries(chart, seriesPoints, surveyed->gauges.areas[i].name, appColorOf(i));
        if (series == NULL)
            return false;
        for (int32_t k = 0; k < area.frameCount; ++k)
            if (area.frames[k].voronoiDensity > 0.0 &&
                !appAddValue(series, area.frames[k].voronoiDensity, area.frames[k].voronoiSpeed))
                return false;
    }
    Series* curve = appAddSeries(chart, seriesDashes, "Weidmann 1993", inkColor);
    for (int32_t k = 1; curve != NULL && k <= points; ++k)
        if (!appAddValue(curve, 5.4 * k / points, weidmannSpeed(5.4 * k / points)))
            return false;
    return curve != NULL;
}

static ExitCode survey(Reel* reel, const SurveyOptions* options, bool atLines, Surveyed* surveyed)
{
    ExitCode code = appReadGauges(options, reel->source.scene, &surveyed->gauges);
    if (code != exitDone)
        return code;
    if ((atLines ? surveyed->gauges.lineCount : surveyed->gauges.areaCount) == 0) {
        appSay("there is no %s to measure %s: give one with --%s, or in the scene's 'measure'",
               atLines ? "line" : "area", atLines ? "at" : "in", atLines ? "line" : "area");
        return exitUsage;
    }
    return appSurveySource(&reel->source, options, &surveyed->gauges, &surveyed->survey);
}

static ExitCode drawSurvey(Reel* reel, const DrawDef* def, const SurveyOptions* options,
                           bool atLines, FillFcn* fill, const char* what)
{
    Surveyed surveyed = {0};
    SurveyOptions own = *options;
    own.from = def->from;
    own.to = def->to;
    own.label = reel->title;
    own.quiet = def->quiet;
    ExitCode code = survey(reel, &own, atLines, &surveyed);
    if (code == exitDone) {
        noteTimes(&surveyed, def);
        snprintf(surveyed.title, sizeof surveyed.title, "%.150s: %s", reel->title, what);
        surveyed.chart.title = surveyed.title;
        if (!fill(&surveyed)) {
            appSay("no memory for the chart");
            code = exitEnvironment;
        } else if (!appDrawChart(&surveyed.chart, def->output, def->width)) {
            code = exitEnvironment;
        }
    }
    if (code == exitDone && !def->quiet)
        printf("%s: %s\n", def->output, surveyed.title);
    appFreeChart(&surveyed.chart);
    thDestroySurvey(surveyed.survey);
    appFreeGauges(&surveyed.gauges);
    return code;
}

ExitCode appDrawCounts(Reel* reel, const DrawDef* def, const SurveyOptions* options)
{
    return drawSurvey(reel, def, options, true, fillCounts, "people across each line");
}

ExitCode appDrawFlow(Reel* reel, const DrawDef* def, const SurveyOptions* options)
{
    return drawSurvey(reel, def, options, true, fillFlow, "flow across each line");
}

ExitCode appDrawDiagram(Reel* reel, const DrawDef* def, const SurveyOptions* options)
{
    return drawSurvey(reel, def, options, false, fillDiagram, "fundamental diagram");
}
