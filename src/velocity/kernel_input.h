// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What methods that work by kernels feed these with: walls as columns, single agents, and the
// instruction set.

#ifndef THRONG_SRC_VELOCITY_KERNEL_INPUT_H
#define THRONG_SRC_VELOCITY_KERNEL_INPUT_H

#include "simd/dispatch.h"
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

// Calls for one agent without a world: what they are given is checked, and laid out as a batch of
// one lane.

// The most neighbours, and the most walls.
#define TH_SINGLE_MOST 64

// Squares of squares of larger numbers are not finite.
#define TH_SINGLE_LARGEST 1.0e6f

typedef struct thSingleColumns {
    float nx[TH_SINGLE_MOST], ny[TH_SINGLE_MOST], nvx[TH_SINGLE_MOST], nvy[TH_SINGLE_MOST];
    float nradius[TH_SINGLE_MOST], nshare[TH_SINGLE_MOST];
    int32_t nrow[TH_SINGLE_MOST]; // the agent itself is row 0
    float ax[TH_SINGLE_MOST], ay[TH_SINGLE_MOST], bx[TH_SINGLE_MOST], by[TH_SINGLE_MOST];
    float wvx[TH_SINGLE_MOST], wvy[TH_SINGLE_MOST], wradius[TH_SINGLE_MOST];
} thSingleColumns;

// Each of these is false if a number is not finite, out of range or too large.
bool thiIsSingleSelf(thVec2 velocity, thVec2 wanted, float radius, float maxSpeed, float maxAccel);
bool thiTakeSingleNeighbor(thSingleColumns* columns, int32_t i, thVec2 position, thVec2 velocity,
                           float radius, float share);
bool thiTakeSingleWall(thSingleColumns* columns, int32_t i, thVec2 a, thVec2 b, thVec2 velocity,
                       float radius);

// Whether a method's own check accepts its parameters; if not, the assert hook hears why.
bool thiAreSingleParams(const void* params, thResult (*validate)(const void*, thError*));

#endif
