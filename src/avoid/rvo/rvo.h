// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `rvo`: sampled reciprocal velocity obstacles; its kernels and what they work on.

#ifndef THRONG_SRC_AVOID_RVO_H
#define THRONG_SRC_AVOID_RVO_H

#include "base/memory.h"
#include "simd/dispatch.h"
#include "throng/method.h"
#include "throng/rvo.h"

// Velocity obstacles of discs: neighbours, ends of walls, moving discs. With u = v − apex, a
// collision is ahead at v if p · u > 0 and R² |u|² >= (p × u)², and its rate, one over the time
// until then, is scale · (p · u + √(R² |u|² − (p × u)²)).
//
// Arrays are [k · lanes + lane]; entries past a lane's count are zeros, which obstruct nothing.
typedef struct thRvoDiscs {
    int32_t most;
    int32_t* count; // by lane
    float *px, *py, *apexX, *apexY;
    float* radiusSq;
    float* scale; // 1 / (share · (|p|² − R²)); of those who overlap: share · (R² − |p|²)
    float* share; // of those who overlap only
} thRvoDiscs;

// Velocity obstacles of the sides of walls. With u = v − velocity, and n the unit normal towards
// the wall, a collision is ahead if n · u > 0 and the wall is met between its ends: (e · u) gap +
// foot (n · u) is within 0 and |e|² (n · u). Its rate is (n · u) / gap.
typedef struct thRvoSides {
    int32_t most;
    int32_t* count; // by lane
    float *nx, *ny, *ex, *ey, *vx, *vy;
    float *gap, *perGap;
    float* foot; // where the agent stands along the wall, times |e|
    float* lengthSq;
} thRvoSides;

// Agents in lanes. `lanes` is a multiple of TH_MAX_WIDTH.
typedef struct thRvoTask {
    int32_t count, lanes;
    int32_t samples, refinements, refinementSamples;
    bool even, earlyOut;
    float weight;
    float leastRate; // 1 / cutoff: lower rates cost nothing
    // A velocity v costs effort · |v − target|, and more where collisions are ahead.
    float *targetX, *targetY, *effort;
    // Samples that are not drawn: the wanted velocity, and the agent's own.
    float *wantedX, *wantedY, *ownX, *ownY;
    // Others are in a disc, and in a second one that is at least as large.
    float *discX, *discY, *discRadius, *limitX, *limitY, *limitRadius;
    int32_t *streamLow, *streamHigh;
    thRvoDiscs discs;    // those who are apart
    thRvoDiscs overlaps; // those who are not
    thRvoSides sides;
    float *outVx, *outVy;
    uint8_t* status;
    int32_t* chosen; // the sample's number
} thRvoTask;

// Chooses velocities with one agent in each lane.
typedef void thRvoFcn(const thRvoTask* task);
TH_KERNEL_DECLARE(thiRvoFlat, void, (const thRvoTask* task));

// The same with a sample in each lane, one agent after the other.
TH_KERNEL_DECLARE(thiRvoNested, void, (const thRvoTask* task));

// The samples of one lane, in their order, and what they cost: `samples` of them, then those of the
// refinements. Where the wanted velocity is free, that is chosen whatever others cost.
void thiRvoTell_scalar(const thRvoTask* task, int32_t lane, thVec2* velocity, float* cost);

static inline int32_t thiRvoSampleCount(const thRvoTask* task)
{
    return task->samples + task->refinements * task->refinementSamples;
}

// A task for a batch, in its scratch memory; what is chosen goes to the batch. False when memory is
// out.
bool thiRvoMakeTask(const thBatch* batch, const thRvoDef* def, thRvoTask* task);

#endif
