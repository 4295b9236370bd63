// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How far a recording reaches, in space and time, and which floors it has: what must be known
// before the first stroke.

#ifndef THRONG_APPS_EXTENT_H
#define THRONG_APPS_EXTENT_H

#include "draw/map.h"
#include "draw/play.h"
#include "options.h"

typedef struct Extent {
    Bounds bounds;      // of the shapes and people of the floor [m]
    double first, last; // times of frames in the range asked for [s; first > last: none]
    int64_t frameCount; // in that range
    double shortestGap; // between two frames [s; infinite: none]
    double lastSeen;    // time of the last frame with somebody on the floor [s; < first: none]
    int32_t mostPeople; // on the floor at once
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
