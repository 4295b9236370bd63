// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What commands look at when they take FILE: a recording, or a scene that is run meanwhile.

#ifndef THRONG_APPS_SOURCE_H
#define THRONG_APPS_SOURCE_H

#include "recording/recording.h"

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

#endif
