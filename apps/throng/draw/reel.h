// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What is to be drawn: a recording, or a scene whose run is watched. Both can be seen again from
// the beginning, as often as it takes; runs of a scene are the same each time.

#ifndef THRONG_APPS_REEL_H
#define THRONG_APPS_REEL_H

#include "../recording/source.h"

typedef struct Reel {
    const char* name; // a file of either kind, or the name of a scene
    SourceDef def;
    Source source;
    char* title; // the name of the scene or of the file, without folder and suffix
} Reel;

// Opens it at its beginning. The name and what the definition points to must outlive it. What fails
// is said; nothing is then to be closed.
ExitCode appOpenReel(Reel* reel, const char* name, const SourceDef* def);

// Goes back to the beginning.
ExitCode appRewindReel(Reel* reel);

void appCloseReel(Reel* reel);

#endif
