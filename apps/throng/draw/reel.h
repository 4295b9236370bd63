// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What is to be drawn: a recording or a run that can be seen again, played, and how far it reaches.

#ifndef THRONG_APPS_REEL_H
#define THRONG_APPS_REEL_H

#include "app.h"
#include "draw/doors.h"
#include "draw/map.h"
#include "draw/player.h"
#include "options.h"
#include "recording/source.h"

// --- Reels ---

// What is to be drawn: a recording, or a scene whose run is watched. Both can be seen again from
// the beginning, as often as it takes; runs of a scene are the same each time.

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

// --- Playing ---

// Plays reels for the user: with progress, until Ctrl-C.

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

// --- Extents ---

// How far a recording reaches, in space and time, and which floors it has: what must be known
// before the first stroke.

typedef struct Extent {
    Bounds bounds;      // of the shapes and people of the floor [m]
    double first, last; // times of frames in the range asked for [s; first > last: none]
    int64_t frameCount; // in that range
    double shortestGap; // between two frames [s; infinite: none]
    double lastSeen;    // time of the last frame with somebody on the floor [s; < first: none]
    int32_t mostPeople; // on the floor at once
    bool hasGroups;     // somebody on the floor is in a group
    double fastest;     // a round speed that few exceed [m/s]
    double greatest;    // speed of all [m/s]
    double speedSum, speedSquares, speedCount;
    int32_t levels[appMostLevels]; // ascending
    int32_t levelCount;            // also those beyond the last
} Extent;

Extent appNoExtent(void);

// Takes note of a frame of the recording, of its shapes and floors.
void appExtend(Extent* extent, const Player* player, const Moment* moment, int32_t level);
// To be called when all frames are noted.
void appEndExtent(Extent* extent);

// exitUsage, and says which floors there are, if that one is not there; as appSayNothing if there
// is nothing on it.
ExitCode appCheckExtent(const Reel* reel, const Extent* extent, int32_t level);

// Plays all frames from `from` to `to`, then rewinds the reel. Fails when there is nothing to draw.
ExitCode appFindExtent(Reel* reel, double from, double to, int32_t level, bool quiet,
                       Extent* extent);

// exitUsage, and says that --at lies outside of the frames there are. [s]
ExitCode appSayOutside(const Reel* reel, double at, double first, double last);

// exitEnvironment, and says that there is nothing to draw.
ExitCode appSayNothing(const Reel* reel);

#endif
