// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A chart of how many have arrived or left.

#include "chart.h"
#include "charts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// When somebody was first at its goal, and last seen. [s; not a number: never]
typedef struct Stay {
    double arrived, seen;
} Stay;

typedef struct Stays {
    Stay* items; // by person
    int32_t count, capacity;
    double first, last; // frames [s]
} Stays;

static bool growStays(Stays* stays, int32_t count)
{
    if (count > stays->capacity) {
        const int32_t capacity = count + count / 4;
        Stay* grown = realloc(stays->items, (size_t)capacity * sizeof *grown);
        if (grown == NULL)
            return false;
        stays->items = grown;
        stays->capacity = capacity;
    }
    for (; stays->count < count; ++stays->count)
        stays->items[stays->count] = (Stay){NAN, NAN};
    return true;
}

static bool seeFrame(void* context, const Player* player)
{
    Stays* stays = context;
    const double time = player->after.time;
    if (!growStays(stays, player->recording->personCount))
        return false;
    stays->first = isnan(stays->first) ? time : stays->first;
    stays->last = time;
    for (int32_t i = 0; i < player->after.count; ++i) {
        const Sight* sight = &player->after.sights[i];
        if (sight->person < 0)
            continue;
        Stay* stay = &stays->items[sight->person];
        stay->seen = time;
        if (isnan(stay->arrived) && appIsAtGoal(player, sight))
            stay->arrived = time;
    }
    return true;
}

static int compareTimes(const void* a, const void* b)
{
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// The times at which people arrived or left, ascending; `*total` is how many people there were.
static double* listTimes(const Stays* stays, int32_t* count, int32_t* total)
{
    double* times = malloc(((size_t)stays->count + 1) * sizeof *times);
    *count = *total = 0;
    for (int32_t i = 0; times != NULL && i < stays->count; ++i) {
        const Stay* stay = &stays->items[i];
        *total += !isnan(stay->seen);
        if (!isnan(stay->arrived))
            times[(*count)++] = stay->arrived;
        else if (stay->seen < stays->last)
            times[(*count)++] = stay->seen;
    }
    if (times != NULL)
        qsort(times, (size_t)*count, sizeof *times, compareTimes);
    return times;
}

static bool fill(Chart* chart, const Stays* stays, const double* times, int32_t count,
                 int32_t total)
{
    Series* series = appAddSeries(chart, seriesSteps, "arrived or left", appColorOf(0));
    bool good = series != NULL && appAddValue(series, stays->first, 0.0);
    for (int32_t i = 0; good && i < count; ++i)
        good = appAddValue(series, times[i], 100.0 * (i + 1) / total);
    return good && appAddValue(series, stays->last, total > 0 ? 100.0 * count / total : 0.0);
}

static ExitCode drawStays(const Reel* reel, const DrawDef* def, const Stays* stays)
{
    char title[256];
    int32_t count = 0, total = 0;
    double* times = listTimes(stays, &count, &total);
    snprintf(title, sizeof title, "%.150s: %d of %d have arrived or left by t = %.1f s",
             reel->title, (int)count, (int)total, stays->last);
    Chart chart = {.title = title,
                   .xLabel = "time t [s]",
                   .yLabel = "share of all people [%]",
                   .yHigh = 100.0};
    bool good = times != NULL && fill(&chart, stays, times, count, total);
    if (!good)
        appSay("no memory for the chart");
    good = good && appDrawChart(&chart, def->output, def->width);
    if (good && !def->quiet)
        printf("%s: %s\n", def->output, title);
    appFreeChart(&chart);
    free(times);
    return good ? exitDone : exitEnvironment;
}

ExitCode appDrawArrivals(Reel* reel, const DrawDef* def)
{
    Stays stays = {.first = NAN};
    const PlayDef play = {def->from, def->to, def->quiet, seeFrame, &stays};
    ExitCode code = appPlayRange(reel, &play);
    if (code == exitDone)
        code = isnan(stays.first) ? appSayNothing(reel) : drawStays(reel, def, &stays);
    free(stays.items);
    return code;
}
