// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `clearpath`: tasks of a batch, what is tried for each agent, and the kernels that lay it
// out.

#ifndef THRONG_SRC_AVOID_CLEARPATH_H
#define THRONG_SRC_AVOID_CLEARPATH_H

#include "avoid/clearpath/clearpath_regions.h"
#include "base/memory.h"
#include "simd/dispatch.h"
#include "throng/method.h"
#include "velocity/kernel_input.h"

// Who has a smaller share leaves everything to the other.
#define TH_CLEARPATH_LEAST_SHARE 0.01f

// Regions are smaller by so much of the speed limit: rounding is not to decide where borders meet.
#define TH_CLEARPATH_TOLERANCE 1.0e-5f

// Two overlap by more than contacts leave, as a part of both radii.
#define TH_CLEARPATH_DEEP 0.99f

// What a task came to.
typedef struct thClearpathWork {
    thOutsideUse use;
    int64_t tries, plainRegions; // regions, and whole tries, that no kernel laid out
} thClearpathWork;

// What is tried for an agent: how often the horizon was halved, and how many of the furthest
// neighbours are left out. Once all of them are, it aims at what the nearest alone left. Who keeps
// a side leans to it from the second try on.
typedef struct thClearpathTry {
    int32_t lane, halvings, dropped;
    bool leans;
    thVec2 aim;
} thClearpathTry;

// How an agent came by its velocity.
typedef struct thClearpathEnd {
    thClearpathTry last;
    bool isHopeless; // that left nothing either
} thClearpathEnd;

// How polygons of a batch stand to others, as [k · lanes + lane]; NULL for discs. Both are NULL
// when all are discs.
typedef struct thClearpathClearances {
    const thClearance* const* pairs; // of neighbours
    const thClearance* const* edges; // of walls
} thClearpathClearances;

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
    float* interval;       // of the batch; NULL: nobody asks
    bool keepsLanes;       // as of a thOutsideTask
    thClearpathWork* work; // is added to; NULL: nobody asks
    thClearpathEnd* ends;  // by lane; NULL: nobody asks
} thClearpathTask;

// A task for a batch, in its scratch memory. False when that is out.
bool thiClearpathMakeTask(const thBatch* batch, const thClearpathDef* def, thSimd simd,
                          thClearpathTask* task);

// How much memory, aligned to 64 bytes, it takes to solve a task of so many lanes, neighbours and
// walls.
size_t thiClearpathRoom(int32_t lanes, int32_t neighborMax, int32_t wallMax);

// Chooses velocities, whatever it takes.
void thiClearpathSolveAll(const thClearpathTask* task, void* room);

// The problem of a try. Its regions go to `regions`, which has room for two of each neighbour and
// one of each wall. `causes` says whose each is, if it is not NULL: a neighbour by its number, a
// wall as −1 minus its number.
thOutsideProblem thiClearpathProblem(const thClearpathTask* task, const thClearpathTry* attempt,
                                     thRegion* regions, int32_t* causes);

// The problems of a round in lanes, in mode 2 with straight caps, when limits hold at once. Regions
// of walls come after those of neighbours.
typedef struct thClearpathLayout {
    thOutsideTask outside;
    float *capBase, *capAhead; // caps of cones are at base + 2^halvings · ahead; by neighbour
    int32_t* isDeep;           // whether the agent overlaps others by more than contacts leave
    int32_t* overlaps;         // room for all neighbours and a register
} thClearpathLayout;

// The cones of all neighbours at first, as regions 0 to neighborMax − 1: the bits of
// thiClearpathCone. Those of lanes past `count` forbid nothing. Neighbours who overlap and do not
// part along centres are left to the caller: they are listed as [k · lanes + lane] in `overlaps`;
// returns how many.
typedef int32_t thClearpathConesFcn(const thClearpathTask* task, const thClearpathLayout* layout);
TH_KERNEL_DECLARE(thiClearpathCones, int32_t,
                  (const thClearpathTask* task, const thClearpathLayout* layout));

// Wanted velocities, and limits. Lanes past `count` want nothing.
typedef void thClearpathLimitsFcn(const thClearpathTask* task, const thOutsideTask* outside);
TH_KERNEL_DECLARE(thiClearpathLimits, void,
                  (const thClearpathTask* task, const thOutsideTask* outside));

// Moves problems to other lanes, all at once: lane i gets that of lane source[i] >= i, which grow,
// with caps of so many halvings. Copies of them, with one halving more each, come after that. Lanes
// past all of them get one that forbids nothing.
typedef struct thClearpathMove {
    const int32_t* source;
    int32_t count, copies, lanes; // of the new ones
    int32_t neighborMax, halvings;
} thClearpathMove;
typedef void thClearpathMoveFcn(const thClearpathLayout* layout, const thClearpathMove* move);
TH_KERNEL_DECLARE(thiClearpathMoveLanes, void,
                  (const thClearpathLayout* layout, const thClearpathMove* move));

// The first problems of all agents, lane by lane. Returns how many regions no kernel made.
int32_t thiClearpathLayOut(const thClearpathTask* task, const thClearpathLayout* layout);

// Those of some of them again, with a shorter horizon. `tries` belong to the lanes of `move`, whose
// number becomes that of the layout. Returns as much.
int32_t thiClearpathLayOutAgain(const thClearpathTask* task, const thClearpathTry* tries,
                                const thClearpathMove* move, thClearpathLayout* layout);

// Half-planes x v.x + y v.y >= o.
typedef struct thClearpathLineColumns {
    float *x, *y, *o;
} thClearpathLineColumns;

// One half-plane for each wall, with the shortest horizon, at [k · stride + to].
void thiClearpathWallLines(const thClearpathTask* task, int32_t lane, int32_t to, int32_t stride,
                           const thClearpathLineColumns* lines);

// One for each neighbour of some lanes of the task, `stride` of them; all are discs.
typedef void thClearpathFacesFcn(const thClearpathTask* task, const int32_t* lanes, int32_t stride,
                                 const thClearpathLineColumns* lines);
TH_KERNEL_DECLARE(thiClearpathFaces, void,
                  (const thClearpathTask* task, const int32_t* lanes, int32_t stride,
                   const thClearpathLineColumns* lines));

// Those of polygons, instead of the discs they were taken for.
void thiClearpathShapeLines(const thClearpathTask* task, int32_t lane, int32_t to, int32_t stride,
                            const thClearpathLineColumns* lines);

// What those forbid whom an agent overlaps.
thClearpathOverlap thiClearpathOverlapRule(const thClearpathDef* def);

thClearpathOwn thiClearpathOwnOf(const thClearpathTask* task, int32_t lane);

// The velocity it wants; and the same a little to the side that it keeps to, so that of two equally
// good ones that is nearer.
thVec2 thiClearpathWanted(const thClearpathTask* task, int32_t lane);
thVec2 thiClearpathLeaning(const thClearpathTask* task, int32_t lane);

// How many neighbours it gives way to: others forbid nothing, and none is left out for them.
int32_t thiClearpathCounted(const thClearpathTask* task, int32_t lane);

// Whether it overlaps others by more than contacts leave.
bool thiClearpathIsDeep(const thClearpathTask* task, int32_t lane);

// By how much regions are made smaller. [m/s]
float thiClearpathTolerance(const thClearpathTask* task, int32_t lane);

float thiClearpathHorizon(float horizon, int32_t halvings);

// Shows regions and limits of an agent, and what came of it: `explain` of the method.
thExplainFcn thiClearpathExplain;

#endif
