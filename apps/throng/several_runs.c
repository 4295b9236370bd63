// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What several runs of a scene, each with a seed of its own, have in common and how they differ.

#include "app.h"
#include "run_result.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

// A figure of a run, by its key in the summary. What is NaN is left out of the statistics.
typedef struct Figure {
    const char* key;
    const char* name; // for people
    double (*get)(const RunResult* result);
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

static double getAgentStep(const RunResult* result)
{
    return result->nsPerAgentStep;
}

static double getRealtimeFactor(const RunResult* result)
{
    return result->realtimeFactor;
}

static const Figure figures[] = {
    {"arrived", "arrived", getArrived},
    {"time_last_arrival", "last arrival [s]", getLastArrival},
    {"time_mean_arrival", "mean arrival [s]", getMeanArrival},
    {"sim_time", "time [s]", getTime},
    {"path_ratio_mean", "way / straight line", getPathRatio},
    {"pairs_per_step", "collisions in a step", getCollisions},
    {"max_depth", "deepest / radii", getDepth},
    {"stuck_share", "share of stuck", getStuckShare},
    {"wall_crossings", "walls crossed", getWallCrossings},
    {"ns_per_agent_step", "ns for agent and step", getAgentStep},
    {"realtime_factor", "times real time", getRealtimeFactor},
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

void appPrintResults(const RunResult* results, int32_t count, double* scratch)
{
    printf("%s: %d runs, seeds %" PRIu64 " to %" PRIu64 "\n\n", results[0].scene, (int)count,
           results[0].seed, results[count - 1].seed);
    printf("%-22s  %10s  %10s  %10s\n", "", "mean", "95th perc.", "spread");
    for (int i = 0; i < figureCount; ++i) {
        const Distribution found = describeFigure(&figures[i], results, count, scratch);
        FigureText mean, p95, spread;
        if (!isnan(found.mean))
            printf("%-22s  %10s  %10s  %10s\n", figures[i].name, appFormatFigure(&mean, found.mean),
                   appFormatFigure(&p95, found.p95), appFormatFigure(&spread, found.spread));
    }
}

void appWriteStatistics(JsonOut* out, const RunResult* results, int32_t count, double* scratch)
{
    appJsonBegin(out, "statistics", '{', true);
    for (int i = 0; i < figureCount; ++i) {
        const Distribution found = describeFigure(&figures[i], results, count, scratch);
        appJsonBegin(out, figures[i].key, '{', false);
        appJsonNumber(out, "mean", found.mean);
        appJsonNumber(out, "p95", found.p95);
        appJsonNumber(out, "spread", found.spread);
        appJsonEnd(out, '}');
    }
    appJsonEnd(out, '}');
}
