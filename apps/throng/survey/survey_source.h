// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Surveys of what a command looks at.

#ifndef THRONG_APPS_SURVEY_SOURCE_H
#define THRONG_APPS_SURVEY_SOURCE_H

#include "recording/source.h"

#include <throng/survey.h>

// What the command line says about it.
typedef struct SurveyOptions {
    TextList lines;      // NAME=X1,Y1,X2,Y2
    TextList areas;      // NAME=X1,Y1,X2,Y2,… : two corners of a box, or all of a convex polygon
    const char* scene;   // whose lines and areas count; NULL: the source's own
    double from, to;     // [s]
    double radius;       // of people of whom none is known [m; 0: the usual one]
    double cutOff;       // of Voronoi cells [m; 0: none]
    int64_t speedFrames; // [0: as many as make 0.3 s]
    const char* label;   // stands before the progress
    bool quiet;
} SurveyOptions;

// Where is measured: what the survey was told. Names and corners live as long as this.
typedef struct Gauges {
    thSurveyLine* lines;
    int32_t lineCount;
    thSurveyArea* areas;
    thPlace (*corners)[THRONG_AREA_CORNERS]; // of each area
    int32_t areaCount;
    char** names;   // that were given on the command line
    thScene* scene; // of the option
} Gauges;

// Lines and areas of the options, and of their scene, else of `own`, which may be NULL.
ExitCode appReadGauges(const SurveyOptions* options, const thScene* own, Gauges* gauges);
void appFreeGauges(Gauges* gauges);

// Reads a source to its end and surveys it. `*survey` is NULL when that fails, which is said.
ExitCode appSurveySource(Source* source, const SurveyOptions* options, const Gauges* gauges,
                         thSurvey** survey);

#endif
