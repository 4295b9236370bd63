// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What the kernels of jams share: what agents want and get by lane, and who may be in a jam.

#ifndef THRONG_SRC_SIM_JAM_LANES_H
#define THRONG_SRC_SIM_JAM_LANES_H

#include "sim/jam/jams.h"
#include "simd/dispatch.h"
#include "space/sense.h"

#define TH_JAM_SLOW 0.2f       // who wants less than this stands because it wants to [m/s]
#define TH_JAM_BACKWARDS 0.25f // share of the wanted velocity that counts as turning back
#define TH_JAM_MEETS 0.3f      // gap within which somebody is met [m]
#define TH_JAM_NEARBY 0.5f     // gap within which others matter at all [m]

// The turn of those who are not held up.
#define TH_JAM_ASIDE 0.01f // [rad]
#define TH_JAM_ASIDE_SINE 0.00999983333f
#define TH_JAM_ASIDE_COSINE 0.999950000f

// By lane.
typedef struct thJamLanes {
    float goalX[TH_BATCH_ROWS], goalY[TH_BATCH_ROWS];  // unit vector; zero: it wants to stand
    float gets[TH_BATCH_ROWS];                         // share of the wanted velocity [−1 .. 1]
    float progress[TH_BATCH_ROWS];                     // the same, over a time
    float heldUp[TH_BATCH_ROWS];                       // 0 free .. 1 held up
    int32_t meetsMover[TH_BATCH_ROWS];                 // a mover is in its way
    int32_t told[TH_BATCH_ROWS], own[TH_BATCH_ROWS];   // what it showed last, the second word; kept
    int32_t flags[TH_BATCH_ROWS], goal[TH_BATCH_ROWS]; // of the frame
    // Those who may be in a jam: full registers by their first lane, with a bit for each lane that
    // is; and of others the lanes, ascending, the last repeated until registers are full.
    int32_t full[TH_BATCH_ROWS];
    uint32_t fullBits[TH_BATCH_ROWS];
    int32_t fullCount;
    int32_t single[TH_BATCH_ROWS + TH_MAX_WIDTH];
    int32_t singleCount;
    bool someOverlook; // somebody shuffles, or stands where it keeps its place
} thJamLanes;

typedef struct thJamTask {
    const thJams* jams;
    const thProfileDef* def;
    const thBatch* batch;
    thJamLanes* lanes;
    void* scratch; // thiJamScratch() bytes, aligned for lanes
    thJamCounts* counts;
} thJamTask;

// Most bytes of a neighbour, and of a wall, that a kernel keeps for a register of agents; besides
// it lists the neighbours who are near.
#define TH_JAM_OTHER_BYTES ((size_t)TH_MAX_WIDTH * 4 * 9)
#define TH_JAM_WALL_BYTES ((size_t)TH_MAX_WIDTH * 4 * 6)
static inline size_t thiJamScratch(const thBatch* batch)
{
    return (size_t)batch->neighborMax * (TH_JAM_OTHER_BYTES + sizeof(int32_t)) +
           (size_t)batch->wallMax * TH_JAM_WALL_BYTES;
}

typedef void thJamFcn(const thJamTask* task);
// Who is in no jam gets what it wants, a little aside; the others are listed.
TH_KERNEL_DECLARE(thiJudgeJams, void, (const thJamTask* task));
// The rules, for those who are listed.
TH_KERNEL_DECLARE(thiUnjamLanes, void, (const thJamTask* task));
// Those whom avoidance does not see are put away. Needs jams and batch.
TH_KERNEL_DECLARE(thiOverlookLanes, void, (const thJamTask* task));

#endif
