// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What methods that work by kernels feed these with: all that agents of a batch avoid as columns,
// the same of a single agent, and the instruction set.

#ifndef THRONG_SRC_VELOCITY_KERNEL_INPUT_H
#define THRONG_SRC_VELOCITY_KERNEL_INPUT_H

#include "simd/dispatch.h"
#include "throng/avoid.h"
#include "throng/method.h"
#include "throng/simd.h"

#include <stdbool.h>
#include <stdint.h>

// What profiles share: how to work, and where the memory came from.
typedef struct thKernelHost {
    thAllocator allocator;
    thSimd simd;
} thKernelHost;

// `create` and `destroy` of such methods.
thResult thiCreateKernelHost(const thMethodHost* host, const void* params, void** shared);
void thiDestroyKernelHost(void* shared);

// Walls and moving obstacles of a batch as segments with a velocity and a thickness, relative to
// each agent: what methods that reason about velocities work on.
//
// Arrays are [k · lanes + lane], zeros past a lane's count. An agent's walls come first, then for
// each mover one entry of no length if it is a disc, otherwise one for each edge.
typedef struct thWallColumns {
    int32_t most;
    int32_t* count; // by lane
    float *ax, *ay, *bx, *by, *vx, *vy, *radius;
} thWallColumns;

// In the batch's scratch memory. False when that is out.
bool thiLayOutWalls(const thBatch* batch, thSimd simd, thWallColumns* walls);

// Kernel: the ends of static walls as columns, zeros past a lane's count; `walls` has room for at
// least as many entries a lane as the batch has walls.
typedef void thWallEndsFcn(const thBatch* batch, const thWallColumns* walls);
TH_KERNEL_DECLARE(thiLayOutWallEnds, void, (const thBatch* batch, const thWallColumns* walls));

// Agents in lanes with all that they avoid: what kernels of avoidance work on, and where they
// answer. Two-dimensional arrays are [k · lanes + lane]; entries past a lane's count are not looked
// at. `lanes` is a multiple of TH_MAX_WIDTH, or any number for the scalar kernel.
typedef struct thSurroundings {
    int32_t lanes;
    float dt;
    const float *vx, *vy, *radius, *maxSpeed, *maxAccel, *guideX, *guideY;
    const int32_t* row; // for those who stand on one point: the lower row goes to the left
    int32_t neighborMax;
    const int32_t* neighborCount;
    const float *nx, *ny, *nvx, *nvy, *nradius, *nshare;
    const int32_t* nrow;
    int32_t wallMax;
    const int32_t* wallCount;
    const float *ax, *ay, *bx, *by, *wvx, *wvy, *wradius;
    float *outVx, *outVy;
    uint8_t* status;
} thSurroundings;

// Those of a batch, with its walls laid out in its scratch memory. False when that is out.
bool thiSurround(const thBatch* batch, thSimd simd, thSurroundings* around);

// Those of one agent without a world: a batch of one lane.
typedef struct thSingle {
    thSurroundings around; // points to what follows, and to the agent as it was given
    float nx[THRONG_AVOID_MOST], ny[THRONG_AVOID_MOST];
    float nvx[THRONG_AVOID_MOST], nvy[THRONG_AVOID_MOST];
    float nradius[THRONG_AVOID_MOST], nshare[THRONG_AVOID_MOST];
    int32_t nrow[THRONG_AVOID_MOST], row; // the agent itself is row 0
    float ax[THRONG_AVOID_MOST], ay[THRONG_AVOID_MOST], bx[THRONG_AVOID_MOST];
    float by[THRONG_AVOID_MOST], wvx[THRONG_AVOID_MOST], wvy[THRONG_AVOID_MOST];
    float wradius[THRONG_AVOID_MOST];
    int32_t neighborCount, wallCount;
    thVec2 answer; // the caller's may be the agent's own velocity
    uint8_t status;
} thSingle;

// Squares of squares of larger numbers are not finite.
#define TH_SINGLE_LARGEST 1.0e6f

// Fills `single` with what the agent sees. th_resultBadArgument, after the assert hook has heard
// why, if a number is not finite, out of range or too large, or the method's own check refuses its
// parameters.
thResult thiTakeSingle(thSingle* single, const void* params,
                       thResult (*validate)(const void*, thError*), float dt,
                       const thAvoidSelf* self, const thAvoidNeighbor* neighbors,
                       int32_t neighborCount, const thAvoidWall* walls, int32_t wallCount);

#endif
