// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The problems of some agents of a crowd, as the library lays them out for its kernels.

#ifndef THRONG_BENCH_PAPER_BATCH_H
#define THRONG_BENCH_PAPER_BATCH_H

#include "crowd.h"

#include "space/sense.h"
#include "velocity/outside_paper.h"

enum { thPaperSides = TH_REGION_SIDES * thPaperRegions * TH_BATCH_ROWS };

typedef struct thPaperBatch {
    _Alignas(64) float sides[3][thPaperSides];
    _Alignas(64) float columns[11][TH_BATCH_ROWS];
    float x[TH_BATCH_ROWS], y[TH_BATCH_ROWS]; // answers
    uint8_t answers[TH_BATCH_ROWS];
    int32_t count;
    const thPaperAgent* agents;
    thOutsideTask task;
    void* room;   // of the task, for both kernels
    void* points; // of a thPaperTrial
} thPaperBatch;

// NULL: memory is out.
thPaperBatch* thiPaperMakeBatch(void);

// The batch that begins with an agent.
void thiPaperFillBatch(thPaperBatch* batch, const thPaperCrowd* crowd, int32_t first);

void thiPaperFreeBatch(thPaperBatch* batch);

#endif
