// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The step as the list of its stages (thWorld_Step), what it works with, and stages for those who
// need a part: explanations rehearse a step.

#ifndef THRONG_SRC_SIM_STEP_H
#define THRONG_SRC_SIM_STEP_H

#include "base/hash.h"
#include "base/memory.h"
#include "sim/jam/jams.h"
#include "throng/world.h"

// What one worker writes during a step.
typedef struct thWorker {
    thArena scratch;
    thArray events; // thEvent
    int64_t stageTime[th_stageCount];
    float fastestSq; // of the agents it moved [m²/s²]
    float interval;  // how long velocities are good for [s]
    thJamCounts jams;
    bool outOfMemory;
} thWorker;

// What a step writes by row, until the next sort: columns of the rows that were sorted, which
// nobody needs any more.
typedef struct thStepOutput {
    float *vx, *vy;   // chosen
    float* remaining; // length of the path that is left, as planners say [m]
    uint8_t* status;
    uint8_t* answer;
    uint8_t* squeezed; // by movers, in this step
} thStepOutput;

// Two words for each row that are needed only by the sort of agents, and lent to the stages that
// follow until the next one: its order, and a column of the rows that were sorted. Each stage has
// them for itself, one after the other, under its own name.
typedef union thRowScratch {
    struct {
        int32_t *x, *y; // where agents will be at the end of the step, in units
    } target;
    struct {
        float *wanted, *taken; // of agents with a shape, when they are there [rad]
    } heading;
} thRowScratch;

// What a divided step goes back to if it fails: see undo.h.
typedef struct thBefore {
    thArray states; // methods' bytes of all agents, see undo.c; items as large as the largest
    thArray kept;   // bool: which of those are there
    thArray agents; // by slot
    thArray movers; // in their order
} thBefore;

// Who sees what stages have made.
typedef struct thStageWatch {
    const thTrace* trace;     // NULL: nobody
    thTrace hashes;           // the trace that thWorld_WatchStages sets
    thStageHashFcn* tellHash; // what it tells, and with which context
    void* context;
} thStageWatch;

// Agents into cells; rows change places.
thResult thiSortAgents(thWorld* world);

// The frame that methods see.
thFrame thiMakeFrame(const thWorld* world, float dt);

#endif
