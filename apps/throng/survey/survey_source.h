// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Surveys of what a command looks at: where is measured, how, and what that finds.

#ifndef THRONG_APPS_SURVEY_SOURCE_H
#define THRONG_APPS_SURVEY_SOURCE_H

#include "recording/source.h"
#include "replay/tracks.h"

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
    Tracks* tracks;      // gather all that is measured [NULL: none do]
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

// --- Options of all commands that survey: rows for their tables ---

// `member` is a SurveyOptions in the struct `type` of the command's options.
#define APP_GAUGE_SCENE_OPTION(type, member)                                                       \
    {                                                                                              \
        .name = "scene", .kind = optionText, .offset = offsetof(type, member.scene),               \
        .value = "SCENE", .about = "lines and areas of this scene (default those of FILE)"         \
    }

#define APP_SURVEY_OPTIONS(type, member)                                                           \
    {.name = "window",                                                                             \
     .kind = optionWhole,                                                                          \
     .offset = offsetof(type, member.speedFrames),                                                 \
     .value = "N",                                                                                 \
     .about = "speeds are measured over N frames before and after\n"                               \
              "(default as many as make 0.3 s)",                                                   \
     .min = 1,                                                                                     \
     .max = 1000,                                                                                  \
     .heading = "how to measure"},                                                                 \
        {.name = "cut-off",                                                                        \
         .kind = optionNumber,                                                                     \
         .offset = offsetof(type, member.cutOff),                                                  \
         .value = "R",                                                                             \
         .about = "Voronoi cells end R metres from their person (default: they\n"                  \
                  "do not)",                                                                       \
         .min = 0,                                                                                 \
         .max = 1e6},                                                                              \
    {                                                                                              \
        .name = "radius", .kind = optionNumber, .offset = offsetof(type, member.radius),           \
        .value = "R",                                                                              \
        .about = "radius of people of whom none is recorded, in metres\n(default 0.2)",            \
        .min = 1e-3, .max = 100                                                                    \
    }

#endif
