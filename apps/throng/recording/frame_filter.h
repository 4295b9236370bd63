// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Parts of a recording: some of its time, some of its area, or at another rate.

#ifndef THRONG_APPS_FRAME_FILTER_H
#define THRONG_APPS_FRAME_FILTER_H

#include "recording/recording.h"

typedef struct FrameFilterDef {
    double rate; // positions are interpolated for frames at this rate [frames/s; 0: as they are]
    double from, to; // frames outside are left out [s; may be infinite]
    bool hasArea;    // people outside of `low` .. `high` are left out
    thPlace low, high;
} FrameFilterDef;

typedef struct FrameFilter FrameFilter;

// Reads what a recording has left. NULL when memory is out, which is said.
FrameFilter* appCreateFilter(Recording* recording, const FrameFilterDef* def);
void appFreeFilter(FrameFilter* filter); // NULL is allowed

// The next frame that is wanted, as appNextFrame; valid until the filter is next used. Whoever is
// in it is told of before, as everywhere, and shapes that changed in frames left out come with it.
Next appNextFiltered(FrameFilter* filter, thRecording* frame);

#endif
