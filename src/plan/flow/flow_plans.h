// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The fields that the agents of a profile share, and the grids under them: which there are, and how
// far they are built.

#ifndef THRONG_SRC_PLAN_FLOW_PLANS_H
#define THRONG_SRC_PLAN_FLOW_PLANS_H

#include "plan/flow/flow_field.h"
#include "throng/flow.h"

// Bodies are planned for as if they were a multiple of this in radius. [m]
#define TH_FLOW_SIZE 0x1p-6f

// More than there are sizes.
#define TH_FLOW_ALL_SIZES (1 << 14)

// Where there would be more fields than allowed, sizes next to each other share the field of the
// largest of them.
typedef struct thFlowSizes {
    int32_t width;   // how many sizes share one: a power of two
    int32_t largest; // where the last of these classes ends; no matter if they have one size each
} thFlowSizes;

// Owed of a field that is done: more than any has.
#define TH_FLOW_ALL_NODES (INT64_MAX / 2)

// What a field is for.
typedef struct thFlowKey {
    int32_t level;
    int32_t size; // the largest of those that share it: radius in TH_FLOW_SIZE, rounded up
    int32_t goal; // slot
} thFlowKey;

typedef struct thFlowFloor {
    int32_t level, size;
    uint64_t walls; // hash of what the grid is built from
    thFieldGrid grid;
    int32_t rowsOwed; // that were done before the state was saved
} thFlowFloor;

// A slow field that was there before the state was saved.
typedef struct thOwedCrowd {
    thArray counts; // thBlockCount, of blocks with agents
    int64_t nodes;  // that were settled; −1: there was none
} thOwedCrowd;

typedef struct thBlockCount {
    int32_t block, count;
} thBlockCount;

// How a field came about, which is enough to build it again.
typedef struct thFlowOrigin {
    uint64_t shapes;  // hash of the goal as it was when the field was begun
    int64_t nodes;    // owed: settled before the state was saved, or a step failed; −1: none
    thFlowSources at; // owed: where it was begun
} thFlowOrigin;

typedef struct thFlowPlan {
    uint32_t serial; // no other plan has the same
    thFlowFloor* floor;
    int32_t goal;
    uint64_t goalId;         // another goal may come into its slot
    uint64_t shapes;         // hash of the goal as it is
    uint64_t goalsRevision;  // of the frame when that was found; 0 after a load
    bool wanted;             // somebody has this goal
    bool needed;             // and is not there yet
    _Atomic uint64_t heldAt; // 1 + the step in which somebody last went by it, or waited for it,
                             // who has another goal by now
    uint64_t begunAt;        // the step in which the latest field was begun
    thFlowField fields[2];   // the one in use, and while the goal has moved, the next
    thFlowOrigin origins[2];
    thSlowField slow[2]; // how the crowd slows: the one in use, and the next while it is built
    thOwedCrowd crowdOwed[2];
    uint64_t countedAt; // the step in which the crowd was last counted
} thFlowPlan;

// What of a step is prepared already: one that failed is prepared again.
typedef struct thFlowPrepared {
    uint64_t step;   // 1 + its number; 0: none
    int64_t nodes;   // that may still be worked on
    bool isCounting; // the crowd is counted for all who are due
    bool isDone;
} thFlowPrepared;

typedef struct thFlowPlans {
    thMemory memory;
    thFlowDef def;
    int32_t profile;
    thSimd simd;
    thFlowSizes sizes;
    uint32_t serial;        // of the plan that was made last
    uint64_t wallsRevision; // of the last step; 0 after a load
    thArray floors;         // thFlowFloor*
    thArray plans;          // thFlowPlan*, in the order in which they are built
    thArray missing;        // thFlowKey, sorted: for whom there is no plan yet
    thFlowPrepared prepared;
} thFlowPlans;

thResult thiCreateFlowPlans(const thMethodHost* host, const thFlowDef* def, thFlowPlans** plans);
void thiDestroyFlowPlans(thFlowPlans* plans);

// Once a step: where walls have changed fields are begun anew; where a goal has moved another field
// is built, while the former is in use; what nobody needs any more is dropped, who needs a field
// gets one if there is room, and fields grow. Where room is short, sizes share fields, and who has
// arrived gives up its own.
thResult thiPrepareFlowPlans(thFlowPlans* plans, const thFrame* frame);

// What an agent needs; false if it has no goal.
bool thiFlowKey(const thFlowPlans* plans, const thFrame* frame, int32_t row, thFlowKey* key);

// NULL if there is none.
thFlowPlan* thiFindFlowPlan(const thFlowPlans* plans, thFlowKey key);
// The same by serial number. [0: none]
thFlowPlan* thiFindFlowPlanBySerial(const thFlowPlans* plans, uint32_t serial);

// Without a field yet; NULL when memory is out.
thFlowPlan* thiCreateFlowPlan(thMemory* memory);

#endif
