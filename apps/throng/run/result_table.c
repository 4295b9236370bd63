// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Results for people: a table of one run, and statistics of several with seeds of their own.

#include "run/run.h"

#include "app.h"
#include "survey/survey_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- One run ---

// What the planner says of those without a complete path, in the order of thPlanAnswer.
static const char* const whatOneHas[] = {"", "gets nearer only", "has no way yet", "has no way"};
static const char* const whatSeveralHave[] = {"", "get nearer only", "have no way yet",
                                              "have no way"};

// For people: nothing if everybody has arrived.
static void printStragglers(const RunResult* result)
{
    if (result->underway == 0)
        return;
    printf("underway    %d:", (int)result->underway);
    for (int i = 0; i < result->underway && i < shownStragglers; ++i) {
        const Straggler* straggler = &result->stragglers[i];
        printf("%s key %" PRIu64 " (agents[%d]) at (%.1f, %.1f)", i > 0 ? "," : "", straggler->key,
               (int)straggler->entry, straggler->x, straggler->y);
    }
    puts(result->underway > shownStragglers ? ", ..." : "");
    for (int i = 0; i < result->reasonCount; ++i) {
        const Reason* reason = &result->reasons[i];
        printf("            %d %s: %s\n", (int)reason->count,
               (reason->count == 1 ? whatOneHas : whatSeveralHave)[reason->answer], reason->why);
    }
}

// Bodies touch walls that they are less deep in. [m]
#define LEAST_WALL_DEPTH 0.01

static void printAgents(const RunResult* result)
{
    const thTallyResult* tally = &result->tally;
    printf("agents      %" PRIu64 "\n", tally->agents);
    if (result->waiting > 0)
        printf("unplaced    %" PRId64 ", whom sources found no free place for\n", result->waiting);
    printf("arrived     %" PRIu64, tally->arrived);
    // Of those who all start at 0 both are the same, up to rounding; so it is told as one.
    const bool startAtOnce = fabs(tally->meanArrival - tally->meanTravel) < 1e-3;
    const double travel = startAtOnce ? tally->meanArrival : tally->meanTravel;
    if (tally->arrived > 0)
        printf(", on average at %.1f s after %.1f s, the last at %.1f s", tally->meanArrival,
               travel, tally->lastArrival);
    putchar('\n');
    printStragglers(result);
    if (tally->stuck > 0)
        printf("stuck       %" PRIu64 "\n", tally->stuck);
}

// When doors shut that were to; not those on time that nobody noticed.
static void printDoors(const RunResult* result)
{
    const char* head = "doors";
    for (int32_t i = 0; i < result->closingCount; ++i) {
        const thDoorClosing* closing = &result->closings[i];
        const bool isLate = closing->shut != closing->due;
        if (!isLate && closing->pushed == 0)
            continue;
        printf("%-11s ", head);
        head = "";
        if (closing->name != NULL)
            printf("'%s'", closing->name);
        else
            printf("doors[%d]", (int)closing->door);
        printf(" was to shut at %.1f s", closing->due);
        if (closing->shut < 0.0)
            printf(" and has not");
        else if (isLate)
            printf(" and did at %.1f s", closing->shut);
        if (isLate)
            printf(": somebody stood in it; %" PRId64 " went through late", closing->late);
        if (closing->pushed > 0)
            printf(" and pushed %" PRId64 " aside", closing->pushed);
        putchar('\n');
    }
}

static void printCollisions(const thTallyResult* tally)
{
    FigureText pairs;
    if (tally->collisionsPerStep <= 0.0) {
        puts("collisions  none");
        return;
    }
    printf("collisions  %s pairs in a step, %s%" PRIu64 " different ones, up to %.1f %% deep\n",
           appFormatFigure(&pairs, tally->collisionsPerStep),
           tally->uniqueIsLeast ? "at least " : "", tally->uniqueCollisions,
           100.0 * tally->maxDepth);
}

static void printWalls(const RunResult* result)
{
    if (!result->wallsChecked)
        return;
    if (result->tally.wallCrossings == 0)
        printf("walls       never crossed");
    else
        printf("walls       crossed %" PRIu64 " times", result->tally.wallCrossings);
    if (result->tally.maxWallDepth > LEAST_WALL_DEPTH)
        printf(", bodies up to %.2f m deep in one", result->tally.maxWallDepth);
    putchar('\n');
}

static void printSpeed(const RunResult* result)
{
    FigureText agentStep, factor, median, p95;
    if (result->timedSteps == 0) {
        const bool hadEnded = result->steps > 0 && !result->interrupted;
        printf("speed       no step was made%s\n", hadEnded ? ": the run had already ended" : "");
        return;
    }
    printf("speed       %s ns for a step of an agent, %s times real time\n",
           appFormatFigure(&agentStep, result->nsPerAgentStep),
           appFormatFigure(&factor, result->realtimeFactor));
    printf("            %s ms for a step (median), %s ms (95th percentile); threads %d, %s\n",
           appFormatFigure(&median, result->msMedian), appFormatFigure(&p95, result->msP95),
           (int)result->threads, thSimd_GetName(result->simd));
}

static void printRecord(const RunResult* result)
{
    static const char* const units[] = {"bytes", "kB", "MB", "GB", "TB"};
    double size = (double)result->recordBytes;
    int unit = 0;
    for (; size >= 999.5 && unit < 4; ++unit)
        size /= 1000.0;
    FigureText figure;
    printf("recording   %s, %" PRId64 " frames, %s %s%s\n", result->record, result->recordFrames,
           appFormatFigure(&figure, size), units[unit],
           result->recordFailed    ? "; not complete"
           : result->recordIsEmpty ? "; nobody was in it"
                                   : "");
}

void appPrintResult(const RunResult* result)
{
    printf("scene       %s\n", result->scene);
    printAgents(result);
    printDoors(result);
    printf("time        %.1f s in %" PRIu64 " steps of %g s\n", result->time, result->steps,
           result->stepLength);
    if (result->tally.dividedSteps > 0)
        printf("substeps    %" PRIu64 ", of %" PRIu64 " %s divided\n", result->tally.substeps,
               result->tally.dividedSteps,
               result->tally.dividedSteps == 1 ? "step that was" : "steps that were");
    printCollisions(&result->tally);
    if (result->tally.squeezedAgents > 0)
        printf("squeezed    %" PRIu64 " agents by moving obstacles\n",
               result->tally.squeezedAgents);
    printWalls(result);
    printSpeed(result);
    if (result->survey != NULL)
        appPrintGauges(result->survey, result->gauges);
    if (result->record != NULL)
        printRecord(result);
    printf("state hash  %016" PRIx64 "\n", result->hash);
}

// --- Several runs ---

// What several runs of a scene, each with a seed of its own, have in common and how they differ.

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
static Distribution distributionOf(double* values, int32_t count)
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
    return distributionOf(scratch, known);
}

// --- Lines and areas ---

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
    return distributionOf(scratch, known);
}

// --- For people ---

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

// --- For machines ---

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
