// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Plays reels for the user: with progress, until Ctrl-C.

#ifndef THRONG_APPS_PLAY_H
#define THRONG_APPS_PLAY_H

#include "app.h"
#include "draw/player.h"
#include "draw/reel.h"

// Plays up to a time or to the end of the recording. What was asked for ends at `end`. [s]
// exitFailed when interrupted.
ExitCode appPlayTo(Player* player, double time, double end, Progress* progress);

// Every frame in a range of time, once.
typedef struct PlayDef {
    double from, to; // [s; may be infinite]
    bool quiet;
    bool (*see)(void* context, const Player* player); // its `after`; false: no memory
    void* context;
} PlayDef;

ExitCode appPlayRange(Reel* reel, const PlayDef* def);

#endif
