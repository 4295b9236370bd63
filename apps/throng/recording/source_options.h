// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Options of all commands that read recordings or run scenes: rows for their tables.

#ifndef THRONG_APPS_SOURCE_OPTIONS_H
#define THRONG_APPS_SOURCE_OPTIONS_H

#include "recording/source.h"

// `member` is a RecordingDef in the struct `type` of the command's options.
#define APP_RECORDING_OPTIONS(type, member)                                                        \
    {.heading = "how a recording is read that does not say so itself",                             \
     .name = "rate",                                                                               \
     .kind = optionNumber,                                                                         \
     .offset = offsetof(type, member.rate),                                                        \
     .value = "N",                                                                                 \
     .about = "its frames in a second",                                                            \
     .min = 1e-6,                                                                                  \
     .max = 1e6},                                                                                  \
        {.name = "unit",                                                                           \
         .kind = optionText,                                                                       \
         .offset = offsetof(type, member.unit),                                                    \
         .value = "U",                                                                             \
         .about = "what text counts in: m or cm"},                                                 \
    {                                                                                              \
        .name = "geometry", .kind = optionText, .offset = offsetof(type, member.geometry),         \
        .value = "FILE", .about = "walls: .wkt, .geojson, or .xml of JuPedSim or the ETH data"     \
    }

// `member` is a SceneUse.
#define APP_SCENE_OPTIONS(type, member)                                                            \
    {.heading = "how a scene is run",                                                              \
     .name = "avoid",                                                                              \
     .kind = optionText,                                                                           \
     .offset = offsetof(type, member.methods[th_methodAvoid]),                                     \
     .value = "METHOD",                                                                            \
     .about = "avoidance of every profile, instead of its own"},                                   \
        {.name = "plan",                                                                           \
         .kind = optionText,                                                                       \
         .offset = offsetof(type, member.methods[th_methodPlan]),                                  \
         .value = "METHOD",                                                                        \
         .about = "planner of every profile, instead of its own"},                                 \
        {.name = "set",                                                                            \
         .kind = optionTexts,                                                                      \
         .offset = offsetof(type, member.changes),                                                 \
         .value = "PATH=VALUE",                                                                    \
         .about = "change it before, as in 'throng run'; may be repeated"},                        \
    {                                                                                              \
        .name = "seed", .kind = optionWhole, .offset = offsetof(type, member.seed), .value = "N",  \
        .about = "seed of its random numbers (default its own)", .min = 0,                         \
        .max = 9007199254740991.0                                                                  \
    }

#endif
