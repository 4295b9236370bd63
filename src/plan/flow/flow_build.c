// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Building flow plans in pieces: grids, fields over them, and how the crowd slows the ways.

#include "plan/flow/flow_plans.h"

static thFlowPlan* planAt(const thFlowPlans* plans, int32_t index)
{
    return TH_ITEMS(plans->plans, thFlowPlan*)[index];
}

thFlowPlan* thiCreateFlowPlan(thMemory* memory)
{
    thFlowPlan* plan = thiAllocateZero(memory, sizeof *plan);
    if (plan == NULL)
        return NULL;
    plan->nodesOwed = -1;
    for (int32_t i = 0; i < 2; ++i)
        plan->crowdOwed[i] = (thOwedCrowd){thiArray(memory, sizeof(thBlockCount)), -1};
    return plan;
}

void thiRestartFlowPlan(thFlowPlan* plan)
{
    for (int32_t i = 0; i < 2; ++i) {
        thiSlowFieldFree(&plan->slow[i]);
        thiArrayFree(&plan->crowdOwed[i].counts);
        plan->crowdOwed[i].nodes = -1;
    }
    thiFlowFieldFree(&plan->field);
    plan->nodesOwed = -1;
}

void thiDestroyFlowPlan(thMemory* memory, thFlowPlan* plan)
{
    thiRestartFlowPlan(plan);
    thiRelease(memory, plan, sizeof *plan);
}

static thResult buildFloor(thFlowPlans* plans, const thFrame* frame, thFlowFloor* floor,
                           int64_t* count)
{
    if (floor->grid.space == NULL)
        TH_TRY(thiFlowGridBegin(&plans->memory, frame, floor->level,
                                (float)floor->size * TH_FLOW_SIZE, plans->def.cell,
                                plans->def.cells, &floor->grid));
    thiFlowGridBuild(&floor->grid, frame, floor->level, count);
    return th_resultOk;
}

static thResult buildPlan(thFlowPlans* plans, const thFrame* frame, thFlowPlan* plan,
                          int64_t* count)
{
    if (!thiIsFlowGridDone(&plan->floor->grid))
        TH_TRY(buildFloor(plans, frame, plan->floor, count));
    if (*count <= 0 || plan->field.done || !thiIsFlowGridDone(&plan->floor->grid))
        return th_resultOk;
    if (plan->field.grid == NULL)
        TH_TRY(
            thiFlowFieldBegin(&plans->memory, frame, plan->goal, &plan->floor->grid, &plan->field));
    return thiFlowFieldMarch(&plan->field, count);
}

static thResult beginCrowd(thFlowPlans* plans, thFlowPlan* plan, int32_t which)
{
    return thiSlowFieldBegin(&plans->memory, &plan->field.ways, plans->def.crowding,
                             &plan->slow[which]);
}

static thResult countCrowd(thFlowPlans* plans, const thFrame* frame, thFlowPlan* plan)
{
    TH_TRY(beginCrowd(plans, plan, 1));
    for (int32_t row = 0; row < frame->count; ++row)
        if (frame->level[row] == plan->floor->level && (frame->flags[row] & th_agentAlive) != 0)
            thiSlowFieldCount(&plan->slow[1], (thPoint){frame->px[row], frame->py[row]});
    plan->countedAt = frame->step;
    return th_resultOk;
}

static bool isDue(const thFlowPlans* plans, const thFlowPlan* plan, uint64_t step)
{
    return plan->field.done && plan->floor->grid.nodes.open != NULL &&
           (plan->slow[0].ways == NULL || step - plan->countedAt >= (uint64_t)plans->def.refresh);
}

// The crowd is counted for all who are due when nobody's field is being built, so that all have
// their turn.
static thResult countCrowds(thFlowPlans* plans, const thFrame* frame)
{
    for (int32_t i = 0; i < plans->plans.count; ++i)
        if (planAt(plans, i)->slow[1].ways != NULL)
            return th_resultOk;
    for (int32_t i = 0; i < plans->plans.count; ++i)
        if (isDue(plans, planAt(plans, i), frame->step))
            TH_TRY(countCrowd(plans, frame, planAt(plans, i)));
    return th_resultOk;
}

static thResult spreadCrowd(thFlowPlan* plan, int64_t* count)
{
    TH_TRY(thiSlowFieldMarch(&plan->slow[1], count));
    if (!plan->slow[1].done)
        return th_resultOk;
    thiSlowFieldFree(&plan->slow[0]);
    plan->slow[0] = plan->slow[1];
    plan->slow[1] = (thSlowField){0};
    return th_resultOk;
}

static thResult repayCrowd(thFlowPlans* plans, thFlowPlan* plan, int32_t which)
{
    thOwedCrowd* owed = &plan->crowdOwed[which];
    if (owed->nodes < 0 || !plan->field.done)
        return th_resultOk;
    TH_TRY(beginCrowd(plans, plan, which));
    thSlowField* slow = &plan->slow[which];
    for (int32_t i = 0; i < owed->counts.count; ++i) {
        const thBlockCount* item = &TH_ITEMS(owed->counts, thBlockCount)[i];
        if (item->block < thiBlockCount(slow))
            slow->counts[item->block] = item->count;
    }
    int64_t count = owed->nodes;
    thiArrayFree(&owed->counts);
    owed->nodes = -1;
    return count > 0 ? thiSlowFieldMarch(slow, &count) : th_resultOk;
}

// After a load: as much as had been done.
static thResult repay(thFlowPlans* plans, const thFrame* frame)
{
    for (int32_t i = 0; i < plans->floors.count; ++i) {
        thFlowFloor* floor = TH_ITEMS(plans->floors, thFlowFloor*)[i];
        if (floor->rowsOwed == 0)
            continue;
        int64_t count = 0;
        TH_TRY(buildFloor(plans, frame, floor, &count));
        count = (int64_t)floor->rowsOwed * floor->grid.nodes.columns;
        TH_TRY(buildFloor(plans, frame, floor, &count));
        floor->rowsOwed = 0;
    }
    for (int32_t i = 0; i < plans->plans.count; ++i) {
        thFlowPlan* plan = planAt(plans, i);
        int64_t count = plan->nodesOwed;
        if (count >= 0)
            TH_TRY(buildPlan(plans, frame, plan, &count));
        plan->nodesOwed = -1;
        TH_TRY(repayCrowd(plans, plan, 0));
        TH_TRY(repayCrowd(plans, plan, 1));
    }
    return th_resultOk;
}

thResult thiBuildFlowPlans(thFlowPlans* plans, const thFrame* frame)
{
    int64_t count = plans->def.rate;
    TH_TRY(repay(plans, frame));
    for (int32_t i = 0; i < plans->plans.count && count > 0; ++i)
        TH_TRY(buildPlan(plans, frame, planAt(plans, i), &count));
    if (plans->def.crowding == 0.0f)
        return th_resultOk;
    TH_TRY(countCrowds(plans, frame));
    for (int32_t i = 0; i < plans->plans.count && count > 0; ++i)
        if (planAt(plans, i)->slow[1].ways != NULL)
            TH_TRY(spreadCrowd(planAt(plans, i), &count));
    return th_resultOk;
}
