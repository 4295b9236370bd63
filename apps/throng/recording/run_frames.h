// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What recordings of runs have in common: which steps are frames, and the head.

#ifndef THRONG_APPS_RUN_FRAMES_H
#define THRONG_APPS_RUN_FRAMES_H

#include "app.h"

#include <throng/record.h>

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

#endif
