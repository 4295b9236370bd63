// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Charts: numbers over numbers, with axes, ticks and a legend.

#ifndef THRONG_APPS_CHART_H
#define THRONG_APPS_CHART_H

#include "draw/canvas.h"

#include <stdint.h>

typedef enum SeriesKind { seriesLine, seriesSteps, seriesPoints } SeriesKind;

// Looks from 0 on: colours, and when these are used up the same with other dashes. A curve to
// compare with looks like none of them.
enum { appReferenceLook = -1 };

typedef struct Series {
    SeriesKind kind;
    char* name; // for the legend
    int32_t look;
    double* x;
    double* y;
    int32_t count, capacity;
} Series;

typedef struct Chart {
    const char* title;
    const char* xLabel;
    const char* yLabel;
    double xLow, xHigh, yLow, yHigh; // the axes; those with low = high show all there is
    Series* series;
    int32_t count, capacity;
} Chart;

// One more series, empty. NULL when memory is out.
Series* appAddSeries(Chart* chart, SeriesKind kind, const char* name, int32_t look);
bool appAddValue(Series* series, double x, double y);

// Draws it to a file. False when that fails, which is said.
bool appDrawChart(const Chart* chart, const char* path, int32_t width);

void appFreeChart(Chart* chart);

#endif
