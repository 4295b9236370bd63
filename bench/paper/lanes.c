// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Agents in each order, solved in each way: timed, and checked against each other.

#include "lanes.h"

#include "batch.h"

#include "base/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A prime: going on by as many comes to every agent.
#define FAR_STEP 7919

enum { combinations = th_laneWayCount * th_orderCount };

// Those with the most regions first, otherwise as they come.
static void orderByRegions(const thPaperAgent* agents, int32_t count, thPaperAgent* ordered)
{
    int32_t start[thPaperRegions + 2] = {0};
    for (int32_t i = 0; i < count; ++i)
        start[thPaperRegions - agents[i].problem.regionCount + 1] += 1;
    for (int32_t i = 1; i < thPaperRegions + 2; ++i)
        start[i] += start[i - 1];
    for (int32_t i = 0; i < count; ++i)
        ordered[start[thPaperRegions - agents[i].problem.regionCount]++] = agents[i];
}

void thiPaperOrder(const thPaperCrowd* crowd, thPaperOrder order, thPaperAgent* ordered)
{
    const int32_t count = crowd->count;
    switch (order) {
    case th_orderShuffled:
        for (int32_t i = 0; i < count; ++i)
            ordered[i] = crowd->agents[(int64_t)i * FAR_STEP % count];
        break;
    case th_orderInBatches:
        for (int32_t first = 0; first < count; first += TH_BATCH_ROWS)
            orderByRegions(crowd->agents + first,
                           count - first < TH_BATCH_ROWS ? count - first : TH_BATCH_ROWS,
                           ordered + first);
        break;
    case th_orderInCrowd:
        orderByRegions(crowd->agents, count, ordered);
        break;
    case th_orderAsTheyCome:
    case th_orderCount:
        memcpy(ordered, crowd->agents, (size_t)count * sizeof *ordered);
        break;
    }
}

static bool isPaper(thPaperLaneWay way)
{
    return way == th_lanesByRegion || way == th_lanesInTurn;
}

static void solve(thPaperBatch* b, thPaperLaneWay way, thSimd simd, thOutsideUse* use)
{
    static thOutsideFcn* const paper[th_simdCount] = TH_KERNEL_TABLE(thiNearestOutsidePaperLanes);
    static thOutsideFcn* const interval[th_simdCount] = TH_KERNEL_TABLE(thiNearestOutsideLanes);
    b->task.keepsLanes = way == th_lanesStay || way == th_lanesInTurn;
    b->task.use = use;
    (isPaper(way) ? paper : interval)[simd](&b->task);
}

static bool isRight(const thPaperBatch* b, thPaperLaneWay way)
{
    thBorderCrossing room[TH_REGION_SIDES * thPaperRegions + 2];
    for (int32_t i = 0; i < b->count; ++i) {
        const thOutsideProblem* problem = &b->agents[i].problem;
        thVec2 v;
        const thOutsideAnswer answer = isPaper(way) ? thiNearestOutsidePaper(problem, room, &v)
                                                    : thiNearestOutside(problem, &v);
        const thVec2 found = {b->x[i], b->y[i]};
        if (b->answers[i] != answer || memcmp(&found, &v, sizeof v) != 0)
            return false;
    }
    return true;
}

// What a way takes for all batches of a crowd, without laying them out. [ns]
static double timeWay(const thPaperCrowd* crowd, thPaperLaneWay way, thSimd simd, thPaperBatch* b)
{
    int64_t sum = 0;
    for (int32_t first = 0; first < crowd->count; first += TH_BATCH_ROWS) {
        thiPaperFillBatch(b, crowd, first);
        const int64_t start = thiNow();
        solve(b, way, simd, NULL);
        sum += thiNow() - start;
    }
    return (double)sum;
}

// Counts how lanes are used, and tells whether all answers are those of the plain way.
static bool checkWay(const thPaperCrowd* crowd, thPaperLaneWay way, thSimd simd, thPaperBatch* b,
                     thOutsideUse* use)
{
    for (int32_t first = 0; first < crowd->count; first += TH_BATCH_ROWS) {
        thiPaperFillBatch(b, crowd, first);
        solve(b, way, simd, use);
        if (!isRight(b, way))
            return false;
    }
    return true;
}

// All ways take turns on the crowd in each order, with another order of turns in each round; of
// each the least time counts. Each time goes through the whole crowd: of a single batch branch
// predictors would learn more than they know in a step.
static void measureAll(thPaperLanes* lanes, const thPaperCrowd ordered[th_orderCount],
                       thPaperBatch* b)
{
    for (int32_t round = 0; round < lanes->rounds; ++round)
        for (int32_t turn = 0; turn < combinations; ++turn) {
            const int32_t i = (turn * (2 * round + 1) + round) % combinations; // 2⁴: odd steps
            const int32_t way = i / th_orderCount, order = i % th_orderCount;
            const double time =
                timeWay(&ordered[order], (thPaperLaneWay)way, lanes->simd, b) / lanes->crowd->count;
            double* least = &lanes->times[way][order];
            *least = round == 0 || time < *least ? time : *least;
        }
    for (int32_t i = 0; i < combinations; ++i) {
        const int32_t way = i / th_orderCount, order = i % th_orderCount;
        if (!checkWay(&ordered[order], (thPaperLaneWay)way, lanes->simd, b,
                      &lanes->use[way][order]))
            lanes->wrong = true;
    }
}

thResult thiPaperMeasureLanes(thPaperLanes* lanes)
{
    const int32_t count = lanes->crowd->count;
    thPaperCrowd ordered[th_orderCount];
    thPaperBatch* b = thiPaperMakeBatch();
    bool enough = b != NULL;
    for (thPaperOrder i = th_orderShuffled; i < th_orderCount; ++i) {
        ordered[i] =
            (thPaperCrowd){.count = count, .agents = calloc((size_t)count, sizeof(thPaperAgent))};
        enough = enough && ordered[i].agents != NULL;
        if (enough)
            thiPaperOrder(lanes->crowd, i, ordered[i].agents);
    }
    if (enough)
        measureAll(lanes, ordered, b);
    for (int32_t i = 0; i < th_orderCount; ++i)
        thiPaperForget(&ordered[i]);
    thiPaperFreeBatch(b);
    return enough ? th_resultOk : th_resultNoMemory;
}

void thiPaperPrintLanes(const thPaperLanes* lanes)
{
    static const char* const ways[th_laneWayCount] = {
        "`interval`, lanes refilled", "`interval`, lanes stay", "`paper`, lanes by regions",
        "`paper`, lanes in turn"};
    static const char* const orders[th_orderCount] = {"shuffled", "as they come",
                                                      "ordered in batches", "ordered in crowd"};
    const double per = 100.0 / lanes->crowd->count, width = (double)thSimd_GetWidth(lanes->simd);
    printf("%-28s %-20s %7s %7s %8s %9s\n", "lanes", "agents", "rounds", "in use", "regions",
           "ns/agent");
    for (int32_t way = 0; way < th_laneWayCount; ++way)
        for (int32_t order = 0; order < th_orderCount; ++order) {
            const thOutsideUse* use = &lanes->use[way][order];
            printf("%-28s %-20s %7.0f %5.0f %% %8.0f %9.0f\n", ways[way], orders[order],
                   per * (double)use->rounds,
                   100.0 * (double)use->lanes / ((double)use->rounds * width),
                   per * (double)use->regions, lanes->times[way][order]);
        }
    printf("\n");
}
