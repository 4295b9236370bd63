// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The potentials that the agents of a profile share, and the crowd they are made from: which there
// are, and when they are made anew.

#ifndef THRONG_SRC_PLAN_CONTINUUM_PLANS_H
#define THRONG_SRC_PLAN_CONTINUUM_PLANS_H

#include "plan/continuum/potential.h"

// Bodies are planned for as if they were a multiple of this in radius. [m]
#define TH_CONTINUUM_SIZE 0x1p-6f
// The largest body that paths are found for. [m]
#define TH_CONTINUUM_LARGEST 101.0f

// How far grids may reach, somewhat beyond the world, so that their nodes have coordinates. [units]
#define TH_CONTINUUM_FAR (TH_MAX_UNITS + 1900 * THRONG_UNITS_PER_METRE)

typedef struct thContinuumKey {
    int32_t level;
    int32_t goal; // slot
} thContinuumKey;

// A floor on which somebody has a way to go.
typedef struct thContinuumFloor {
    int32_t level;
    int32_t size;   // of the largest body: radius in TH_CONTINUUM_SIZE, rounded up
    uint64_t walls; // hash of what the grid is built from
    thFieldBox box; // that the grid covers besides walls
    thFieldGrid grid;
    thCrowdCells cells;
    float* costs;          // of each node, th_faceCount
    int32_t columns, rows; // of the grid, also before it is built again after a load
    thPoint low;
} thContinuumFloor;

typedef struct thContinuumPlan {
    thContinuumFloor* floor;
    int32_t goal;
    uint64_t goalId;     // another goal may come into its slot
    uint64_t shapes;     // hash of the goal as it was when the potential was solved
    bool isTight;        // the goal is nearer to walls than bodies can come: paths end near it
    const char* whyNone; // what to say where no path leads to the goal
    thArray parts;       // thGoalShape
    thArray seeds;       // thPotentialSeed
    thPotential potential;
    thResult solved; // how the last march ended
} thContinuumPlan;

typedef struct thContinuumPlans {
    thMemory memory;
    thContinuumDef def;
    int32_t profile;
    thSimd simd;
    float free;             // thiFreeDensity
    uint64_t builtAt;       // 1 + the step in which all was made anew; 0: nothing is
    bool isOwed;            // grids are to be built again after a load
    uint64_t wallsRevision; // of the last step; 0 after a load
    uint64_t goalsRevision;
    thArray floors; // thContinuumFloor*
    thArray plans;  // thContinuumPlan*, sorted by key
    thArray wanted; // thContinuumKey, sorted
    bool isShort;   // more are wanted than there may be
} thContinuumPlans;

thResult thiCreateContinuumPlans(const thMethodHost* host, const thContinuumDef* def,
                                 thContinuumPlans** plans);
void thiDestroyContinuumPlans(thContinuumPlans* plans);

// Once a step. All is made anew when it is time, and when walls or goals have changed or somebody
// has a goal for which there is no potential.
thResult thiPrepareContinuumPlans(thContinuumPlans* plans, const thFrame* frame,
                                  const thTasks* tasks);

// What an agent needs; false if it has no goal.
bool thiContinuumKey(const thFrame* frame, int32_t row, thContinuumKey* key);

// NULL if there is none, or it is for another goal that was in the same slot.
const thContinuumPlan* thiFindContinuumPlan(const thContinuumPlans* plans, const thFrame* frame,
                                            thContinuumKey key);

thResult thiSaveContinuumPlans(const thContinuumPlans* plans, thWriter* to);
thResult thiLoadContinuumPlans(thContinuumPlans* plans, thReader* from);

// Of the parts above and of loading: what is made in one place and freed in another.
thContinuumFloor* thiAddContinuumFloor(thContinuumPlans* plans, int32_t level);
thContinuumPlan* thiAddContinuumPlan(thContinuumPlans* plans, thContinuumFloor* floor,
                                     int32_t goal);

#endif
