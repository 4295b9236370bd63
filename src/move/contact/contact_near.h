// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Which cells need a look. Most pairs of a crowd are far apart at their targets, and a register of
// agents at once is told so. No cell with an overlapping pair is left out; which others are named
// may depend on the width: whoever looks at them finds nothing.

#ifndef THRONG_SRC_MOVE_CONTACT_NEAR_H
#define THRONG_SRC_MOVE_CONTACT_NEAR_H

#include "move/contact/contact_internal.h"
#include "simd/dispatch.h"

typedef struct thNearTask {
    thContactCell* cells; // of some of them, `north` is set
    const thContactLayer* layer;
    const int32_t* cell; // columns of entries
    const int32_t *x, *y;
    const float* radius;
    int32_t begin, end; // cells of the layer
    int32_t north;      // of the first of them
    int32_t* near;      // room for all of them
} thNearTask;

// Writes the cells with pairs that may overlap at, or on the way to, their targets, and returns how
// many there are.
typedef int32_t thFindNearFcn(const thNearTask* task);
TH_KERNEL_DECLARE(thiFindNear, int32_t, (const thNearTask* task));

#endif
