// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What several runs of a scene, each with a seed of its own, have in common and how they differ.

#include "app.h"
#include "run/run_result.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

// A figure of a run, by its key in the summary. What is NaN is left out of the statistics.
typedef struct Figure {
    const char* key;
    const char* name; // for people
    double (*get)(const RunResult* result);
    bool isRare; // not told to people where it is 0
} Figure;

static double getArrived(const RunResult* result)
{
    return (double)result->tally.arrived;
}

static double getLastArrival(const RunResult* result)
{
    return result->tally.arrived > 0 ? result->tally.lastArrival : NAN;
}

static double getMeanArrival(const RunResult* result)
{
    return result->tally.arrived > 0 ? result->tally.meanArrival : NAN;
}

static double getPathRatio(const RunResult* result)
{
    return result->tally.meanPathRatio > 0.0 ? result->tally.meanPathRatio : NAN;
}

static double getCollisions(const RunResult* result)
{
    return result->tally.collisionsPerStep;
}

static double getDepth(const RunResult* result)
{
    return result->tally.maxDepth;
}

static double getStuckShare(const RunResult* result)
{
    return result->tally.stuckShare;
}

static double getWallCrossings(const RunResult* result)
{
    return result->wallsChecked ? (double)result->tally.wallCrossings : NAN;
}

static double getTime(const RunResult* result)
{
    return result->time;
}

static double getDividedSteps(const RunResult* result)
{
    return (double)result->tally.dividedSteps;
}

static double getSubsteps(const RunResult* result)
{
    return (double)result->tally.substeps;
}

static double getAgentStep(const RunResult* result)
{
    return result->nsPerAgentStep;
}

static double getRealtimeFactor(const RunResult* result)
{
    return result->realtimeFactor;
}

static const Figure figures[] = {
    {"arrived", "arrived", getArrived, false},
    {"time_last_arrival", "last arrival [s]", getLastArrival, false},
    {"time_mean_arrival", "mean arrival [s]", getMeanArrival, false},
    {"sim_time", "time [s]", getTime, false},
    {"divided_steps", "divided steps", getDividedSteps, true},
    {"substeps", "substeps of these", getSubsteps, true},
    {"path_ratio_mean", "way / straight line", getPathRatio, false},
    {"pairs_per_step", "collisions in a step", getCollisions, false},
    {"max_depth", "deepest / radii", getDepth, false},
    {"stuck_share", "share of stuck", getStuckShare, false},
    {"wall_crossings", "walls crossed", getWallCrossings, false},
    {"ns_per_agent_step", "ns for agent and step", getAgentStep, false},
    {"realtime_factor", "times real time", getRealtimeFactor, false},
};

enum { figureCount = sizeof figures / sizeof figures[0] };

typedef struct Distribution {
    double mean, p95, spread; // spread: the standard deviation of single runs
} Distribution;

static int byValue(const void* left, const void* right)
{
    const double a = *(const double*)left, b = *(const double*)right;
    return a < b ? -1 : a > b;
}

// `values` are sorted. All NaN where there is nothing to tell.
static Distribution describe(double* values, int32_t count)
{
    if (count == 0)
        return (Distribution){NAN, NAN, NAN};
    double sum = 0.0, squares = 0.0;
    for (int32_t i = 0; i < count; ++i)
        sum += values[i];
    const double mean = sum / count;
    for (int32_t i = 0; i < count; ++i)
        squares += (values[i] - mean) * (values[i] - mean);
    qsort(values, (size_t)count, sizeof *values, byValue);
    const int32_t rank = (int32_t)ceil(0.95 * count) - 1;
    return (Distribution){mean, values[rank], count > 1 ? sqrt(squares / (count - 1)) : 0.0};
}

static Distribution describeFigure(const Figure* figure, const RunResult* results, int32_t count,
                                   double* scratch)
{
    int32_t known = 0;
    for (int32_t i = 0; i < count; ++i) {
        const double value = figure->get(&results[i]);
        if (!isnan(value))
            scratch[known++] = value;
    }
    return describe(scratch, known);
}

// --- Lines and areas --------------------------------------------------------------------------

static double getFlow(const thSurvey* survey, int32_t index)
{
    const thLineResult line = thSurvey_GetLine(survey, index);
    return line.crossingCount > 1 ? line.flow : NAN;
}

static double getDensity(const thSurvey* survey, int32_t index)
{
    return thSurvey_GetArea(survey, index).mean.density;
}

static double getSpeed(const thSurvey* survey, int32_t index)
{
    return thSurvey_GetArea(survey, index).mean.speed;
}

// A figure of a line or area, by its key in the summary. What is NaN is left out here too.
typedef struct GaugeFigure {
    const char* key;
    const char* unit;
    bool isOfLines;
    double (*get)(const thSurvey* survey, int32_t index);
} GaugeFigure;

static const GaugeFigure gaugeFigures[] = {
    {"flow", "1/s", true, getFlow},
    {"density", "1/m²", false, getDensity},
    {"speed", "m/s", false, getSpeed},
};

enum { gaugeFigureCount = sizeof gaugeFigures / sizeof gaugeFigures[0] };

// `index` is that of the line or area.
static Distribution describeGauge(const GaugeFigure* figure, int32_t index,
                                  const RunResult* results, int32_t count, double* scratch)
{
    int32_t known = 0;
    for (int32_t i = 0; i < count; ++i) {
        const double value =
            results[i].survey != NULL ? figure->get(results[i].survey, index) : NAN;
        if (!isnan(value))
            scratch[known++] = value;
    }
    return describe(scratch, known);
}

// --- For people -------------------------------------------------------------------------------

// Nothing where nothing is known. Letters beyond ASCII take several bytes and one column.
static void printRow(const char* name, Distribution found)
{
    FigureText mean, p95, spread;
    int columns = 0;
    if (isnan(found.mean))
        return;
    for (const char* at = name; *at != '\0'; ++at)
        columns += (*at & 0xC0) != 0x80;
    printf("%s%*s  %10s  %10s  %10s\n", name, columns < 22 ? 22 - columns : 0, "",
           appFormatFigure(&mean, found.mean), appFormatFigure(&p95, found.p95),
           appFormatFigure(&spread, found.spread));
}

static void printGauges(const RunResult* results, int32_t count, bool areLines, double* scratch)
{
    const Gauges* gauges = results[0].gauges;
    for (int32_t i = 0; i < (areLines ? gauges->lineCount : gauges->areaCount); ++i) {
        const char* gauge = areLines ? gauges->lines[i].name : gauges->areas[i].name;
        for (int k = 0; k < gaugeFigureCount; ++k) {
            const GaugeFigure* figure = &gaugeFigures[k];
            char name[128];
            snprintf(name, sizeof name, "%.60s: %s [%s]", gauge, figure->key, figure->unit);
            if (figure->isOfLines == areLines)
                printRow(name, describeGauge(figure, i, results, count, scratch));
        }
    }
}

void appPrintResults(const RunResult* results, int32_t count, double* scratch)
{
    printf("%s: %d runs, seeds %" PRIu64 " to %" PRIu64 "\n\n", results[0].scene, (int)count,
           results[0].seed, results[count - 1].seed);
    printf("%-22s  %10s  %10s  %10s\n", "", "mean", "95th perc.", "spread");
    for (int i = 0; i < figureCount; ++i) {
        const Distribution found = describeFigure(&figures[i], results, count, scratch);
        if (!figures[i].isRare || found.mean > 0.0)
            printRow(figures[i].name, found);
    }
    printGauges(results, count, true, scratch);
    printGauges(results, count, false, scratch);
}

// --- For machines -----------------------------------------------------------------------------

static void writeDistribution(JsonOut* out, const char* key, Distribution found)
{
    appJsonBegin(out, key, '{', false);
    appJsonNumber(out, "mean", found.mean);
    appJsonNumber(out, "p95", found.p95);
    appJsonNumber(out, "spread", found.spread);
    appJsonEnd(out, '}');
}

static void writeGauges(JsonOut* out, const RunResult* results, int32_t count, bool areLines,
                        double* scratch)
{
    const Gauges* gauges = results[0].gauges;
    appJsonBegin(out, areLines ? "lines" : "areas", '{', true);
    for (int32_t i = 0; i < (areLines ? gauges->lineCount : gauges->areaCount); ++i) {
        appJsonBegin(out, areLines ? gauges->lines[i].name : gauges->areas[i].name, '{', true);
        for (int k = 0; k < gaugeFigureCount; ++k)
            if (gaugeFigures[k].isOfLines == areLines)
                writeDistribution(out, gaugeFigures[k].key,
                                  describeGauge(&gaugeFigures[k], i, results, count, scratch));
        appJsonEnd(out, '}');
    }
    appJsonEnd(out, '}');
}

void appWriteStatistics(JsonOut* out, const RunResult* results, int32_t count, double* scratch)
{
    appJsonBegin(out, "statistics", '{', true);
    for (int i = 0; i < figureCount; ++i)
        writeDistribution(out, figures[i].key,
                          describeFigure(&figures[i], results, count, scratch));
    if (results[0].survey != NULL) {
        writeGauges(out, results, count, true, scratch);
        writeGauges(out, results, count, false, scratch);
    }
    appJsonEnd(out, '}');
}
