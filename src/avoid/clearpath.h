// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `clearpath`: what it works on.

#ifndef THRONG_SRC_AVOID_CLEARPATH_H
#define THRONG_SRC_AVOID_CLEARPATH_H

#include "avoid/clearpath_shapes.h"
#include "base/arena.h"
#include "simd/dispatch.h"
#include "throng/method.h"

// Who has a smaller share leaves everything to the other.
#define TH_CLEARPATH_LEAST_SHARE 0.01f

// Agents in lanes; two-dimensional arrays are [k · lanes + lane].
typedef struct thClearpathTask {
    const thClearpathDef* def;
    float dt;
    thSimd simd;
    int32_t count, lanes; // lanes past `count` are not looked at
    const float *vx, *vy, *radius, *maxSpeed, *maxAccel, *guideX, *guideY;
    const int32_t* row;
    int32_t neighborMax;
    const int32_t* neighborCount;
    const float *nx, *ny, *nvx, *nvy, *nradius, *nshare;
    const int32_t* nrow;
    thWallColumns walls;
    thClearpathClearances clearances; // of polygons
    float *outVx, *outVy;
    uint8_t* status;
    float* interval; // of the batch; NULL: nobody asks
} thClearpathTask;

// A task for a batch, in its scratch memory. False when that is out.
bool thiClearpathMakeTask(const thBatch* batch, const thClearpathDef* def, thSimd simd,
                          thClearpathTask* task);

// How much memory, aligned to 64 bytes, it takes to solve a task of so many lanes, neighbours and
// walls.
size_t thiClearpathRoom(int32_t lanes, int32_t neighborMax, int32_t wallMax);

// Chooses velocities, whatever it takes.
void thiClearpathSolveAll(const thClearpathTask* task, void* room);

// What is tried for an agent: how often the horizon was halved, and how many of the furthest
// neighbours are left out. Once all of them are, it aims at what the nearest alone left. Who keeps
// a side leans to it from the second try on.
typedef struct thClearpathTry {
    int32_t lane, halvings, dropped;
    bool leans;
    thVec2 aim;
} thClearpathTry;

// The problem of a try. Its regions go to `regions`, which has room for two of each neighbour and
// one of each wall. `causes` says whose each is, if it is not NULL: a neighbour by its number, a
// wall as −1 minus its number.
thOutsideProblem thiClearpathProblem(const thClearpathTask* task, const thClearpathTry* attempt,
                                     thRegion* regions, int32_t* causes);

// The cones of all neighbours at first, in mode 2 with straight caps, as regions 0 to
// neighborMax − 1 of a task with the same lanes: the bits of thiClearpathCone. Those of lanes past
// `count` forbid nothing. Neighbours who overlap are left to the caller: they are listed as
// [k · lanes + lane] in `overlaps`, which has room for all; returns how many.
typedef int32_t thClearpathConesFcn(const thClearpathTask* task, const thOutsideTask* outside,
                                    int32_t* overlaps);
TH_KERNEL_DECLARE(thiClearpathCones, int32_t,
                  (const thClearpathTask* task, const thOutsideTask* outside, int32_t* overlaps));

// The first problems of all agents in that mode, lane by lane; regions of walls come after those of
// neighbours.
void thiClearpathLayOut(const thClearpathTask* task, const thClearpathTry* first,
                        const thOutsideTask* outside, int32_t* overlaps);

// Half-planes x v.x + y v.y >= o: of walls, then of neighbours.
typedef struct thClearpathLineColumns {
    float *x, *y, *o;
} thClearpathLineColumns;

// One half-plane for each wall and neighbour, with the shortest horizon, at [k · stride + to].
void thiClearpathLines(const thClearpathTask* task, int32_t lane, int32_t to, int32_t stride,
                       const thClearpathLineColumns* lines);

thClearpathOwn thiClearpathOwnOf(const thClearpathTask* task, int32_t lane);

// The velocity it wants; and the same a little to the side that it keeps to, so that of two equally
// good ones that is nearer.
thVec2 thiClearpathWanted(const thClearpathTask* task, int32_t lane);
thVec2 thiClearpathLeaning(const thClearpathTask* task, int32_t lane);

// Whether it overlaps others by more than contacts leave.
bool thiClearpathIsDeep(const thClearpathTask* task, int32_t lane);

// By how much regions are made smaller. [m/s]
float thiClearpathTolerance(const thClearpathTask* task, int32_t lane);

float thiClearpathHorizon(float horizon, int32_t halvings);

// Shows regions and limits of an agent, and what came of it: `explain` of the method.
thExplainFcn thiClearpathExplain;

extern const thMethod thiClearpathMethod;

#endif
