// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The pictures and charts that can be drawn, and what one can choose about them. What fails is
// said.

#ifndef THRONG_APPS_DRAW_H
#define THRONG_APPS_DRAW_H

#include "draw/reel.h"
#include "survey/survey_source.h"

// What the colour of a person tells. The last: the group if somebody who is shown is in one, else
// the goal.
typedef enum Colouring {
    colourByGoal,
    colourByAgent,
    colourByGroup,
    colourBySpeed,
    colourByGroupOrGoal
} Colouring;

typedef struct DrawDef {
    const char* output; // where the picture goes
    double at;          // the time to show [s; infinite: the end]
    double from, to;    // the time to show [s; infinite: the beginning, the end]
    double trails;      // how long they are [s]
    int32_t width;      // [pixels or points]
    int32_t level;
    Colouring colouring;
    double cell;     // edge of the cells of a density map [m; 0: chosen by size]
    double smooth;   // standard deviation of a person's Gaussian; 0: counts in cells [m]
    int32_t moments; // of a time-lapse
    double fps;      // of a film
    double speed;    // of a film: times real time
    bool quiet;
} DrawDef;

ExitCode appDrawFrame(Reel* reel, const DrawDef* def);
ExitCode appDrawPaths(Reel* reel, const DrawDef* def);
ExitCode appDrawDensity(Reel* reel, const DrawDef* def);
ExitCode appDrawLapse(Reel* reel, const DrawDef* def);
// Whether the suffix is .mp4 or .gif.
bool appIsFilmName(const char* path);
ExitCode appDrawFilm(Reel* reel, const DrawDef* def);

// Runs a scene to the time to show and draws what that agent plans with then. What fails is said.
ExitCode appDrawPlan(Reel* reel, const DrawDef* def, const char* text);

// Charts of a recording.
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
