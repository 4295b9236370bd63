// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Solvers and their steps on a crowd, measured by turns.

#ifndef THRONG_BENCH_PAPER_SURVEY_H
#define THRONG_BENCH_PAPER_SURVEY_H

#include "crowd.h"
#include "trial.h"

// Ways to find the velocities of a crowd.
typedef enum thPaperWay {
    th_wayPlain,       // thiNearestOutsidePaper
    th_wayPairs,       // x and y in one register
    th_wayLanes,       // the kernel of the library
    th_wayStepsScalar, // step by step, in one lane
    th_waySteps,       // step by step, packed
    th_wayInPlace,     // step by step, not packed
    th_wayGathers,     // step by step, packed, with gathers instead of picking
    th_wayLoads,       // step by step, packed, with neither
    th_wayInterval,    // the other solver's kernel
    th_wayCount
} thPaperWay;

typedef struct thPaperSurvey {
    const thPaperCrowd* crowd;
    thSimd simd;
    int32_t rounds;
    double times[th_wayCount];               // [ns for each agent]
    double steps[th_wayCount][thPaperSteps]; // of those that go step by step
    thPaperLaneUse use;
    int32_t freeCount;
    bool wrong; // a way found other velocities than the plain one
} thPaperSurvey;

// Fills in the rest.
thResult thiPaperMeasure(thPaperSurvey* survey);

// What each agent takes the plain way. [ns]
void thiPaperTimeAgents(const thPaperCrowd* crowd, int32_t rounds, double* costs);

void thiPaperPrint(const thPaperSurvey* survey);

#endif
