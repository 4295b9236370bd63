// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What the kernel of jams finds by lane: what agents want and get, and who may be in a jam.

#ifndef THRONG_SRC_SIM_JAM_LANES_H
#define THRONG_SRC_SIM_JAM_LANES_H

#include "sim/jam/jams.h"
#include "simd/dispatch.h"
#include "space/sense.h"

#define TH_JAM_SLOW 0.2f       // who wants less than this stands because it wants to [m/s]
#define TH_JAM_BACKWARDS 0.25f // share of the wanted velocity that counts as turning back

// By lane.
typedef struct thJamLanes {
    float goalX[TH_BATCH_ROWS], goalY[TH_BATCH_ROWS]; // unit vector; zero: it wants to stand
    float gets[TH_BATCH_ROWS];                        // share of the wanted velocity [−1 .. 1]
    float progress[TH_BATCH_ROWS];                    // the same, over a time
    float heldUp[TH_BATCH_ROWS];                      // 0 free .. 1 held up
    int32_t isCalm[TH_BATCH_ROWS];                    // not in a jam, unless it is stirred
    int32_t isStirred[TH_BATCH_ROWS];                 // a neighbour shows something that matters
    // What one in no jam shows, and keeps.
    int32_t shown[TH_BATCH_ROWS][2], own[TH_BATCH_ROWS];
} thJamLanes;

typedef struct thJamTask {
    const thBatch* batch;
    const thJamShown* shown; // of the last step, by row
    const thJamOwn* own;
    float weight;   // of this step in progress
    float slowness; // share of the wanted velocity below which one is held up
    thJamLanes* lanes;
} thJamTask;

typedef void thJudgeLanesFcn(const thJamTask* task);
TH_KERNEL_DECLARE(thiJudgeLanes, void, (const thJamTask* task));

#endif
