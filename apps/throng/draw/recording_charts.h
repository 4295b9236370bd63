// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The charts that can be drawn of a recording.

#ifndef THRONG_APPS_RECORDING_CHARTS_H
#define THRONG_APPS_RECORDING_CHARTS_H

#include "draw/draw.h"
#include "survey/survey_source.h"

typedef struct ChartDef {
    const DrawDef* draw;
    const SurveyOptions* survey; // where is measured, and how; from and to are those of `draw`
    const TextList* with;        // recordings and scenes that are shown in the same chart
} ChartDef;

ExitCode appDrawCounts(Reel* reel, const ChartDef* def);
ExitCode appDrawFlow(Reel* reel, const ChartDef* def);
ExitCode appDrawDiagram(Reel* reel, const ChartDef* def);
ExitCode appDrawArrivals(Reel* reel, const ChartDef* def);

#endif
