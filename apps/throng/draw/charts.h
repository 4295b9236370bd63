// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The charts that can be drawn of a recording.

#ifndef THRONG_APPS_CHARTS_H
#define THRONG_APPS_CHARTS_H

#include "../survey/survey_source.h"
#include "draw.h"

// Where is measured; from and to are those of `def`.
ExitCode appDrawCounts(Reel* reel, const DrawDef* def, const SurveyOptions* options);
ExitCode appDrawFlow(Reel* reel, const DrawDef* def, const SurveyOptions* options);
ExitCode appDrawDiagram(Reel* reel, const DrawDef* def, const SurveyOptions* options);

ExitCode appDrawArrivals(Reel* reel, const DrawDef* def);

#endif
