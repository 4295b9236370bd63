// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How well kernels use their lanes, by the order of agents and by what is done about slow ones.
// Slow are agents that have more to look at than others.

#ifndef THRONG_BENCH_PAPER_LANES_H
#define THRONG_BENCH_PAPER_LANES_H

#include "crowd.h"

typedef enum thPaperOrder {
    th_orderShuffled, // no agent beside its neighbours
    th_orderAsTheyCome,
    th_orderInBatches, // by their number of regions, the most first, within each batch
    th_orderInCrowd,   // the same for all of them
    th_orderCount
} thPaperOrder;

typedef enum thPaperLaneWay {
    th_lanesRefilled, // solver `interval`: others take the places of lanes that have finished
    th_lanesStay,     // lanes stay where they are
    th_lanesByRegion, // solver `paper`: lanes that are not free are ordered by regions
    th_lanesInTurn,   // they are taken as they come
    th_laneWayCount
} thPaperLaneWay;

typedef struct thPaperLanes {
    const thPaperCrowd* crowd;
    thSimd simd;
    int32_t rounds;
    double times[th_laneWayCount][th_orderCount]; // without ordering agents [ns for each]
    thOutsideUse use[th_laneWayCount][th_orderCount];
    bool wrong; // somebody got another velocity than the plain way finds
} thPaperLanes;

// Fills in the rest.
thResult thiPaperMeasureLanes(thPaperLanes* lanes);

void thiPaperPrintLanes(const thPaperLanes* lanes);

// Agents in some order; `ordered` has room for as many.
void thiPaperOrder(const thPaperCrowd* crowd, thPaperOrder order, thPaperAgent* ordered);

#endif
