// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How the crowd is counted: in rounds. A new one begins when all trees have come up with the last,
// so that there are never trees of more than two.

#include "plan/graph/graph_planner_internal.h"

const thCrowdMap* thiFindCrowd(const thGraphPlanner* planner, uint32_t round, int32_t level)
{
    const thArray* crowds = &planner->crowds[round & 1];
    for (int32_t i = 0; i < crowds->count; ++i)
        if (TH_ITEMS(*crowds, thCrowdMap)[i].level == level)
            return &TH_ITEMS(*crowds, thCrowdMap)[i];
    return NULL;
}

void thiFreeCrowds(thGraphPlanner* planner, uint32_t round)
{
    thArray* crowds = &planner->crowds[round & 1];
    for (int32_t i = 0; i < crowds->count; ++i)
        thiCrowdMapFree(&TH_ITEMS(*crowds, thCrowdMap)[i]);
    crowds->count = 0;
}

static bool isDue(const thGraphPlanner* planner, const thFrame* frame)
{
    if (planner->round > 0 && frame->step - planner->countedAt < (uint64_t)planner->def.refresh)
        return false;
    for (int32_t i = 0; i < planner->trees.count; ++i) {
        const thTreeGrowth* now = &TH_ITEMS(planner->trees, thGoalTree)[i].now;
        const bool isBehind = !now->ready || now->round != planner->round;
        if ((now->planted || now->regrow > 0) && isBehind)
            return false;
    }
    return true;
}

static thResult countFloors(thGraphPlanner* planner, const thFrame* frame)
{
    thArray* crowds = &planner->crowds[planner->round & 1];
    for (int32_t i = 0; i < planner->fields.count; ++i) {
        const int32_t level = TH_ITEMS(planner->fields, thRouteField)[i].level;
        if (thiFindCrowd(planner, planner->round, level) != NULL)
            continue;
        thCrowdMap* map = thiArrayAdd(crowds, 1);
        if (map == NULL)
            return th_resultNoMemory;
        TH_TRY(thiCountCrowd(&planner->memory, frame, level, planner->def.crowding, map));
    }
    return th_resultOk;
}

thResult thiTendCrowd(thGraphPlanner* planner, const thFrame* frame)
{
    if (planner->def.crowding == 0.0f || !isDue(planner, frame))
        return th_resultOk;
    planner->round += 1;
    planner->countedAt = frame->step;
    thiFreeCrowds(planner, planner->round);
    return countFloors(planner, frame);
}
