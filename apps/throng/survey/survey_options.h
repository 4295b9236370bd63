// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Options of all commands that survey recordings: rows for their tables.

#ifndef THRONG_APPS_SURVEY_OPTIONS_H
#define THRONG_APPS_SURVEY_OPTIONS_H

#include "survey/survey_source.h"

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
