// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The steps of ClearPath's solver, each timed on all sides of a register. And variants of it that
// the library does not have.

#ifndef THRONG_BENCH_PAPER_TRIAL_H
#define THRONG_BENCH_PAPER_TRIAL_H

#include "velocity/outside_paper.h"

// Step 0 is what comes before those of the paper's table: who is free, and gathering the others.
enum { thPaperSteps = 6 };

typedef struct thPaperTrial {
    const thOutsideTask* task;
    // For points of all sides of a register, aligned to 64 bytes; thiPaperTrialRoom bytes.
    void* points;
    bool inPlace;                // points of step 3 stay in their lanes and are not packed
    int64_t times[thPaperSteps]; // added up [ns]
} thPaperTrial;

// How many lanes of the tests of step 3 have something to do, and how many there are.
typedef struct thPaperLaneUse {
    int64_t packedUsed, packedAll, inPlaceUsed, inPlaceAll;
} thPaperLaneUse;

typedef void thPaperTrialFcn(thPaperTrial* trial);
typedef void thPaperCountFcn(const thPaperTrial* trial, thPaperLaneUse* use);

TH_KERNEL_DECLARE(thiPaperTimeSteps, void, (thPaperTrial * trial));

// The same without picking lanes from registers: they are gathered from memory.
TH_KERNEL_DECLARE(thiPaperTimeGathers, void, (thPaperTrial * trial));

// The same without instructions that gather, too: each lane is loaded by itself.
TH_KERNEL_DECLARE(thiPaperTimeLoads, void, (thPaperTrial * trial));

TH_KERNEL_DECLARE(thiPaperCountLanes, void, (const thPaperTrial* trial, thPaperLaneUse* use));

size_t thiPaperTrialRoom(int32_t regionMax);

// The plain solver with x and y of a vector in one register: thiNearestOutsidePaper, with the same
// bits.
thOutsideAnswer thiNearestOutsideInPairs(const thOutsideProblem* problem, thBorderCrossing* room,
                                         thVec2* nearest);

#endif
