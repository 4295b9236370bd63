// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What is to be drawn: a recording, or a scene whose run is watched. Both can be seen again from
// the beginning, as often as it takes; runs of a scene are the same each time.

#ifndef THRONG_APPS_REEL_H
#define THRONG_APPS_REEL_H

#include "draw/doors.h"
#include "recording/source.h"

typedef struct Reel {
    const char* name; // a file of either kind, or the name of a scene
    SourceDef def;
    Source source;
    Doors doors; // as far as it was seen; what was seen stays known when it is seen again
    char* title; // the name of the scene or of the file, without folder and suffix; of files that
                 // all have one name, the folder's
} Reel;

// Opens it at its beginning. The name and what the definition points to must outlive it. What fails
// is said; nothing is then to be closed.
ExitCode appOpenReel(Reel* reel, const char* name, const SourceDef* def);

// Goes back to the beginning.
ExitCode appRewindReel(Reel* reel);

void appCloseReel(Reel* reel);

// Several, to be shown in one chart.
typedef struct Reels {
    Reel** items;
    int32_t count;
    Reel* own; // all but the first
} Reels;

// The first one, which stays its owner's, and others by name, which are read as they say
// themselves.
ExitCode appOpenReels(Reels* reels, Reel* first, const TextList* others);
void appCloseReels(Reels* reels);

// What to call one of them: its title, or its whole name where another has the same title.
const char* appLabelOf(const Reels* reels, int32_t index);

// "name", "name and name", "name and 2 others".
void appFormatReels(char* text, size_t size, const Reels* reels);

#endif
