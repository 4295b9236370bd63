// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What commands look at when they take FILE: a recording, or a scene that is run meanwhile.

#ifndef THRONG_APPS_SOURCE_H
#define THRONG_APPS_SOURCE_H

#include "app.h"
#include "recording/recording.h"

#include <throng/record.h>

// --- Frames of runs ---

// What recordings of runs have in common: which steps are frames, and the head.

// Every so many steps is a frame; frame k is the state after k · every steps.
typedef struct FrameRate {
    double rate; // [frames/s]
    int64_t every;
} FrameRate;

// About ten frames a second, and one for each step where steps are longer than that.
FrameRate appUsualRate(double step);

// The rate that was asked for by --fps. False, and it says which would do, where a frame would fall
// between two steps.
bool appExactRate(double step, double rate, FrameRate* frames);

// The head of a recording of that scene. `*text` is to be freed after its last use; NULL, and it is
// said, when memory is out.
thRecordHead appMakeHead(const thScene* scene, double rate, char** text);

// --- Sources ---

// How a run is watched.
typedef struct LiveDef {
    double rate;  // [frames/s; 0: every step]
    double until; // [s; infinite: to the scene's end]
} LiveDef;

// A run as a recording: reading a frame steps it. The run and its scene must outlive it.
Recording* appOpenLive(const thScene* scene, thRun* run, const LiveDef* def, ExitCode* code);

// How a scene is run.
typedef struct SceneUse {
    TextList changes;                        // as in --set
    int64_t seed;                            // [-1: the scene's]
    const char* methods[th_methodKindCount]; // of every profile [NULL: its own]
} SceneUse;

typedef struct SourceDef {
    RecordingDef recording; // how a file is read
    LiveDef live;           // how a run is watched
    SceneUse use;
} SourceDef;

typedef struct Source {
    thScene* scene; // NULL of a recording that brings none
    thRun* run;     // NULL of a recording
    Recording* recording;
} Source;

// Opens a file of either kind, or a scene by name. What fails is said; the source is then empty.
ExitCode appOpenSource(const char* name, const SourceDef* def, Source* source);
void appCloseSource(Source* source);

// --- Options of all commands that read recordings or run scenes: rows for their tables ---

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
        .name = "geometry", .kind = optionInput, .offset = offsetof(type, member.geometry),        \
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
