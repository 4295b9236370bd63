// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A chart of how many have arrived or left, of one recording or of several.

#include "draw/charts/chart.h"
#include "draw/charts/charts.h"

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

// Adds a curve, and counts who has arrived.
static bool addCurve(Chart* chart, const Stays* stays, const char* name, int32_t* arrived,
                     int32_t* all)
{
    int32_t count, total;
    double* times = listTimes(stays, &count, &total);
    Series* series = times != NULL ? appAddSeries(chart, seriesSteps, name, chart->count) : NULL;
    bool good = series != NULL && appAddValue(series, stays->first, 0.0);
    for (int32_t i = 0; good && i < count; ++i)
        good = appAddValue(series, times[i], 100.0 * (i + 1) / total);
    good = good && appAddValue(series, stays->last, total > 0 ? 100.0 * count / total : 0.0);
    free(times);
    if (!good)
        appSay("no memory for the chart");
    *arrived += count;
    *all += total;
    chart->xLow = fmin(chart->xLow, stays->first);
    chart->xHigh = fmax(chart->xHigh, stays->last);
    return good;
}

// One of the recordings.
static ExitCode watch(const Reels* reels, int32_t index, const DrawDef* def, Chart* chart,
                      int32_t* arrived, int32_t* all)
{
    Stays stays = {.first = NAN};
    const PlayDef play = {def->from, def->to, def->quiet, seeFrame, &stays};
    const char* name = reels->count > 1 ? appLabelOf(reels, index) : "arrived or left";
    ExitCode code = appPlayRange(reels->items[index], &play);
    if (code == exitDone && isnan(stays.first))
        code = appSayNothing(reels->items[index]);
    else if (code == exitDone && !addCurve(chart, &stays, name, arrived, all))
        code = exitEnvironment;
    free(stays.items);
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
    appFormatReels(names, sizeof names, reels);
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
    ExitCode code = appOpenReels(&reels, reel, def->with);
    if (code == exitDone)
        code = drawAll(&reels, def->draw);
    appCloseReels(&reels);
    return code;
}
