// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The frames that speeds are measured over, with what was told with them.
//
// Some were shown to the parts of a survey already, then comes the one to be shown next, and those
// after it that its speeds need.

#ifndef THRONG_SRC_MEASURE_SURVEY_WINDOW_H
#define THRONG_SRC_MEASURE_SURVEY_WINDOW_H

#include "base/memory.h"
#include "measure/survey/survey_shapes.h"

typedef struct thWindowFrame {
    int64_t number;
    int32_t count;
    thArray id;     // uint32_t, ascending
    thArray before; // int32_t: where each is in the frame before; −1: not there
    thArray person; // int32_t: index of each; of those not in the frame before filled by who knows
    thArray fresh;  // int32_t: of those who are in a frame for the first time; filled likewise
    thArray x, y;   // double
    thArray since;  // int64_t: see thSurveyFrame
    thArray told;   // thRecordedPerson: becomes true with this frame; filled by who knows it
    thShapeSet kept[th_keptKindCount]; // become true with this frame where they are news
} thWindowFrame;

typedef struct thWindow {
    thMemory* memory;
    thWindowFrame* frames; // a ring
    int32_t capacity;      // of the ring
    int32_t first;         // place in the ring of the oldest frame
    int32_t count;
    int32_t next;  // of the frames from the oldest on, the one to be shown next
    int64_t reach; // speeds are measured over so many frames before and after
    int64_t pause; // frames without a record that end all tracks
    double rate;
    thArray vx, vy; // double: of the frame to be shown next
} thWindow;

thResult thiWindowInit(thWindow* window, thMemory* memory, double rate, int32_t reach);
void thiWindowFree(thWindow* window);

// The i-th frame, from the oldest on.
thWindowFrame* thiWindowFrameAt(const thWindow* window, int32_t index);

// The one before the next, which was shown last. NULL: there is none.
const thWindowFrame* thiWindowFrameBefore(const thWindow* window);

// Where the i-th of a frame is.
thPlace thiWindowPlace(const thWindowFrame* frame, int32_t i);

// Takes in a frame, whose number must be greater than that of the newest. There must be none ready.
thResult thiWindowPush(thWindow* window, const thRecordedFrame* frame);

// Whether all is known that the next frame's speeds need. `ended`: no further frames come.
bool thiWindowIsReady(const thWindow* window, bool ended);

// Measures the velocities of everybody in the next frame into vx, vy.
thResult thiWindowMeasure(thWindow* window);

// The speed of one of them. [m/s]
double thiWindowSpeed(const thWindow* window, int32_t i);

// The next frame was shown.
void thiWindowAdvance(thWindow* window);

#endif
