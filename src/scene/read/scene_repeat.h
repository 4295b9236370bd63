// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What stands in a scene again and again: in columns and rows, and all of these round a centre.

#ifndef THRONG_SRC_SCENE_SCENE_REPEAT_H
#define THRONG_SRC_SCENE_SCENE_REPEAT_H

#include "scene/scene_model.h"

// Copies of one thing at most, the first included.
#define TH_SCENE_COPIES 1000000

// Where a copy lies: moved from where it is described, then turned round a centre.
typedef struct thCopy {
    thCoord moved, center;
    double cosine, sine;
    bool isTurned;
} thCopy;

// How many there are with the first, which is where it is described.
static inline int32_t thiCopyCount(const thSceneRepeat* repeat)
{
    return repeat->columns * repeat->rows * repeat->count;
}

// One of them, by number: column by column, row by row, turn by turn.
thCopy thiCopyOf(const thSceneRepeat* repeat, int32_t number);

// Where a place of the first is in a copy.
thCoord thiInCopy(const thCopy* copy, thCoord place);

#endif
