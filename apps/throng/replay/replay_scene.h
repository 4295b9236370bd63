// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Scenes of recordings: everybody appears when and where it did and wants to get where it got.

#ifndef THRONG_APPS_REPLAY_SCENE_H
#define THRONG_APPS_REPLAY_SCENE_H

#include "recording/recording.h"
#include "replay/tracks.h"

typedef struct ReplayDef {
    const char* path; // of the scene
    double rate;      // of the frames that the tracks are made of [frames/s]
    bool withoutPauses;
    bool quiet;                    // only what is wrong is said
    const thRecordedShape* shapes; // at the beginning
    int32_t shapeCount;
} ReplayDef;

// Writes the scene. Of people whose tracks have one point only there are none in it. The recording
// was read to its end: it tells who people are.
ExitCode appWriteReplay(const Recording* recording, const Tracks* tracks, const ReplayDef* def);

#endif
