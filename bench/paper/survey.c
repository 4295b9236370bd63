// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Measuring solvers: all take turns on each batch, and of each the least time counts. So what slows
// the machine down hits all of them.

#include "survey.h"

#include "batch.h"

#include "base/machine.h"

#include <string.h>

size_t thiPaperTrialRoom(int32_t regionMax)
{
    const size_t sides = TH_REGION_SIDES * (size_t)regionMax;
    return sides * 3 * (sides + 2) * TH_MAX_WIDTH * sizeof(float);
}

typedef thOutsideAnswer PlainFcn(const thOutsideProblem* problem, thBorderCrossing* room,
                                 thVec2* nearest);

static void solvePlain(thPaperBatch* b, PlainFcn* solve)
{
    thBorderCrossing room[TH_REGION_SIDES * thPaperRegions + 2];
    for (int32_t i = 0; i < b->count; ++i) {
        thVec2 v;
        b->answers[i] = (uint8_t)solve(&b->agents[i].problem, room, &v);
        b->x[i] = v.x;
        b->y[i] = v.y;
    }
}

// Goes step by step, and keeps the least time of each.
static void solveInSteps(thPaperBatch* b, thPaperTrialFcn* solve, bool inPlace, double* least)
{
    thPaperTrial trial = {.task = &b->task, .points = b->points, .inPlace = inPlace};
    solve(&trial);
    for (int32_t i = 0; i < thPaperSteps; ++i)
        if (least[i] == 0.0 || (double)trial.times[i] < least[i])
            least[i] = (double)trial.times[i];
}

static void solveBatch(thPaperBatch* b, thPaperWay way, thSimd simd, double* steps)
{
    static thOutsideFcn* const lanes[th_simdCount] = TH_KERNEL_TABLE(thiNearestOutsidePaperLanes);
    static thOutsideFcn* const interval[th_simdCount] = TH_KERNEL_TABLE(thiNearestOutsideLanes);
    static thPaperTrialFcn* const timed[th_simdCount] = TH_KERNEL_TABLE(thiPaperTimeSteps);
    static thPaperTrialFcn* const gathers[th_simdCount] = TH_KERNEL_TABLE(thiPaperTimeGathers);
    static thPaperTrialFcn* const loads[th_simdCount] = TH_KERNEL_TABLE(thiPaperTimeLoads);
    switch (way) {
    case th_wayPlain:
        solvePlain(b, thiNearestOutsidePaper);
        break;
    case th_wayPairs:
        solvePlain(b, thiNearestOutsideInPairs);
        break;
    case th_wayLanes:
        lanes[simd](&b->task);
        break;
    case th_wayStepsScalar: // one lane has nothing to pack
        solveInSteps(b, timed[th_simdScalar], true, steps);
        break;
    case th_waySteps:
        solveInSteps(b, timed[simd], false, steps);
        break;
    case th_wayInPlace:
        solveInSteps(b, timed[simd], true, steps);
        break;
    case th_wayGathers:
        solveInSteps(b, gathers[simd], false, steps);
        break;
    case th_wayLoads:
        solveInSteps(b, loads[simd], false, steps);
        break;
    case th_wayInterval:
        interval[simd](&b->task);
        break;
    case th_wayCount:
        break;
    }
}

// What the plain way found, to hold the others against.
typedef struct Truth {
    float x[TH_BATCH_ROWS], y[TH_BATCH_ROWS];
    uint8_t answers[TH_BATCH_ROWS];
} Truth;

static bool isSame(const thPaperBatch* b, const Truth* truth)
{
    const size_t count = (size_t)b->count;
    return memcmp(b->x, truth->x, count * sizeof(float)) == 0 &&
           memcmp(b->y, truth->y, count * sizeof(float)) == 0 &&
           memcmp(b->answers, truth->answers, count) == 0;
}

// Which way has the next turn. Caches and branches remember the one before, so that is another one
// in each round.
static thPaperWay wayAt(int32_t round, int32_t turn)
{
    static const int32_t strides[] = {1, 2, 4, 5, 7, 8};
    _Static_assert(th_wayCount == 9, "strides have no factor in common with the number of ways");
    return (thPaperWay)((turn * strides[round % 6] + round) % th_wayCount);
}

static void measureBatch(thPaperSurvey* survey, thPaperBatch* b)
{
    double times[th_wayCount] = {0.0}, steps[th_wayCount][thPaperSteps] = {{0.0}};
    Truth truth;
    solvePlain(b, thiNearestOutsidePaper);
    memcpy(truth.x, b->x, sizeof truth.x);
    memcpy(truth.y, b->y, sizeof truth.y);
    memcpy(truth.answers, b->answers, sizeof truth.answers);
    for (int32_t round = 0; round < survey->rounds; ++round)
        for (int32_t turn = 0; turn < th_wayCount; ++turn) {
            const thPaperWay way = wayAt(round, turn);
            const int64_t start = thiNow();
            solveBatch(b, way, survey->simd, steps[way]);
            const double time = (double)(thiNow() - start);
            times[way] = round == 0 || time < times[way] ? time : times[way];
            if (way != th_wayInterval && !isSame(b, &truth))
                survey->wrong = true;
        }
    for (thPaperWay way = th_wayPlain; way < th_wayCount; ++way) {
        survey->times[way] += times[way];
        for (int32_t i = 0; i < thPaperSteps; ++i)
            survey->steps[way][i] += steps[way][i];
    }
}

static void measureAll(thPaperSurvey* survey, thPaperBatch* b)
{
    static thPaperCountFcn* const count[th_simdCount] = TH_KERNEL_TABLE(thiPaperCountLanes);
    const thPaperCrowd* crowd = survey->crowd;
    for (int32_t first = 0; first < crowd->count; first += TH_BATCH_ROWS) {
        thiPaperFillBatch(b, crowd, first);
        measureBatch(survey, b);
        count[survey->simd](&(thPaperTrial){.task = &b->task}, &survey->use);
    }
    for (thPaperWay way = th_wayPlain; way < th_wayCount; ++way) {
        survey->times[way] /= crowd->count;
        for (int32_t i = 0; i < thPaperSteps; ++i)
            survey->steps[way][i] /= crowd->count;
    }
    for (int32_t i = 0; i < crowd->count; ++i)
        survey->freeCount += crowd->agents[i].isFree;
}

thResult thiPaperMeasure(thPaperSurvey* survey)
{
    thPaperBatch* b = thiPaperMakeBatch();
    if (b == NULL)
        return th_resultNoMemory;
    measureAll(survey, b);
    thiPaperFreeBatch(b);
    return th_resultOk;
}

void thiPaperTimeAgents(const thPaperCrowd* crowd, int32_t rounds, double* costs)
{
    thBorderCrossing room[TH_REGION_SIDES * thPaperRegions + 2];
    for (int32_t round = 0; round < rounds; ++round)
        for (int32_t i = 0; i < crowd->count; ++i) {
            thVec2 v;
            const int64_t start = thiNow();
            thiNearestOutsidePaper(&crowd->agents[i].problem, room, &v);
            const double time = (double)(thiNow() - start);
            costs[i] = round == 0 || time < costs[i] ? time : costs[i];
        }
}
