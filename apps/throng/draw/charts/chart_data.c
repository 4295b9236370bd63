// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "draw/charts/chart.h"

#include <stdlib.h>
#include <string.h>

Series* appAddSeries(Chart* chart, SeriesKind kind, const char* name, int32_t look)
{
    if (chart->count == chart->capacity) {
        const int32_t capacity = chart->capacity > 0 ? 2 * chart->capacity : 8;
        Series* grown = realloc(chart->series, (size_t)capacity * sizeof *grown);
        if (grown == NULL)
            return NULL;
        chart->series = grown;
        chart->capacity = capacity;
    }
    Series* series = &chart->series[chart->count];
    *series = (Series){.kind = kind, .name = strdup(name), .look = look};
    chart->count += series->name != NULL;
    return series->name != NULL ? series : NULL;
}

bool appAddValue(Series* series, double x, double y)
{
    if (series->count == series->capacity) {
        const int32_t capacity = series->capacity > 0 ? 2 * series->capacity : 64;
        double* xs = realloc(series->x, (size_t)capacity * sizeof *xs);
        if (xs != NULL)
            series->x = xs;
        double* ys = realloc(series->y, (size_t)capacity * sizeof *ys);
        if (ys != NULL)
            series->y = ys;
        if (xs == NULL || ys == NULL)
            return false;
        series->capacity = capacity;
    }
    series->x[series->count] = x;
    series->y[series->count] = y;
    series->count += 1;
    return true;
}

void appFreeChart(Chart* chart)
{
    for (int32_t i = 0; i < chart->count; ++i) {
        free(chart->series[i].name);
        free(chart->series[i].x);
        free(chart->series[i].y);
    }
    free(chart->series);
    *chart = (Chart){0};
}
