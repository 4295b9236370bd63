// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Saving and loading of flow plans: how far each field is built, in little-endian words.

#include "plan/flow/flow_plans.h"

// What is owed of a field that is done: more than any has.
#define ALL_NODES (INT64_MAX / 2)

static thResult writeWord(thWriter* to, uint64_t word)
{
    uint8_t bytes[8];
    for (int32_t i = 0; i < 8; ++i)
        bytes[i] = (uint8_t)(word >> 8 * i);
    return thWriter_Write(to, bytes, sizeof bytes);
}

static thResult readWord(thReader* from, uint64_t* word)
{
    uint8_t bytes[8] = {0};
    TH_TRY(thReader_Read(from, bytes, sizeof bytes));
    *word = 0;
    for (int32_t i = 0; i < 8; ++i)
        *word |= (uint64_t)bytes[i] << 8 * i;
    return th_resultOk;
}

// A whole number from 0 to `most`.
static thResult readCount(thReader* from, int64_t most, int64_t* count)
{
    uint64_t word;
    TH_TRY(readWord(from, &word));
    if (word > (uint64_t)most)
        return th_resultDamaged;
    *count = (int64_t)word;
    return th_resultOk;
}

static int64_t nodesOf(const thFlowPlan* plan)
{
    if (plan->nodesOwed >= 0)
        return plan->nodesOwed;
    if (plan->field.grid == NULL)
        return -1;
    return plan->field.done ? ALL_NODES : plan->field.lengths.settled;
}

static int32_t floorOf(const thFlowPlans* plans, const thFlowPlan* plan)
{
    int32_t index = 0;
    while (TH_ITEMS(plans->floors, thFlowFloor*)[index] != plan->floor)
        index += 1;
    return index;
}

static int64_t nodesOfCrowd(const thFlowPlan* plan, int32_t which)
{
    const thSlowField* slow = &plan->slow[which];
    if (slow->lengths == NULL)
        return plan->crowdOwed[which].nodes;
    return slow->done ? ALL_NODES : slow->settled;
}

static thResult saveCounts(const thFlowPlan* plan, int32_t which, thWriter* to)
{
    const thSlowField* slow = &plan->slow[which];
    const thArray* owed = &plan->crowdOwed[which].counts;
    int64_t count = owed->count;
    for (int32_t i = 0; slow->lengths != NULL && i < thiBlockCount(slow); ++i)
        count += slow->counts[i] != 0;
    TH_TRY(writeWord(to, (uint64_t)count));
    for (int32_t i = 0; i < owed->count; ++i) {
        const thBlockCount item = TH_ITEMS(*owed, thBlockCount)[i];
        TH_TRY(writeWord(to, (uint64_t)(uint32_t)item.block << 32 | (uint32_t)item.count));
    }
    for (int32_t i = 0; slow->lengths != NULL && i < thiBlockCount(slow); ++i)
        if (slow->counts[i] != 0)
            TH_TRY(writeWord(to, (uint64_t)(uint32_t)i << 32 | (uint32_t)slow->counts[i]));
    return th_resultOk;
}

static thResult saveCrowd(const thFlowPlan* plan, int32_t which, thWriter* to)
{
    const int64_t nodes = nodesOfCrowd(plan, which);
    TH_TRY(writeWord(to, (uint64_t)(nodes + 1)));
    return nodes >= 0 ? saveCounts(plan, which, to) : th_resultOk;
}

thResult thiSaveFlowPlans(const thFlowPlans* plans, thWriter* to)
{
    TH_TRY(writeWord(to, (uint64_t)plans->sizes.width));
    TH_TRY(writeWord(to, (uint64_t)plans->sizes.largest));
    TH_TRY(writeWord(to, (uint64_t)plans->floors.count));
    for (int32_t i = 0; i < plans->floors.count; ++i) {
        const thFlowFloor* floor = TH_ITEMS(plans->floors, thFlowFloor*)[i];
        TH_TRY(writeWord(to, (uint64_t)floor->level));
        TH_TRY(writeWord(to, (uint64_t)floor->size));
        TH_TRY(writeWord(to, floor->walls));
        TH_TRY(writeWord(to, (uint64_t)TH_MAX(floor->rowsOwed, floor->grid.rowsDone)));
    }
    TH_TRY(writeWord(to, (uint64_t)plans->plans.count));
    for (int32_t i = 0; i < plans->plans.count; ++i) {
        const thFlowPlan* plan = TH_ITEMS(plans->plans, thFlowPlan*)[i];
        TH_TRY(writeWord(to, (uint64_t)floorOf(plans, plan)));
        TH_TRY(writeWord(to, (uint64_t)plan->goal));
        TH_TRY(writeWord(to, plan->shapes));
        TH_TRY(writeWord(to, (uint64_t)(nodesOf(plan) + 1)));
        TH_TRY(writeWord(to, plan->countedAt));
        TH_TRY(saveCrowd(plan, 0, to));
        TH_TRY(saveCrowd(plan, 1, to));
    }
    return th_resultOk;
}

static thResult loadFloor(thFlowPlans* plans, thReader* from)
{
    int64_t level, size, rows;
    uint64_t walls;
    TH_TRY(readCount(from, UINT16_MAX, &level));
    TH_TRY(readCount(from, INT16_MAX, &size));
    TH_TRY(readWord(from, &walls));
    TH_TRY(readCount(from, INT32_MAX, &rows));
    thFlowFloor* floor = thiAllocateZero(&plans->memory, sizeof *floor);
    if (floor == NULL)
        return th_resultNoMemory;
    floor->level = (int32_t)level;
    floor->size = (int32_t)size;
    floor->walls = walls;
    floor->rowsOwed = (int32_t)rows;
    *(thFlowFloor**)thiArrayAdd(&plans->floors, 1) = floor;
    return th_resultOk;
}

static thResult loadCrowd(thOwedCrowd* owed, thReader* from)
{
    int64_t nodes, count;
    TH_TRY(readCount(from, ALL_NODES + 1, &nodes));
    owed->nodes = nodes - 1;
    if (owed->nodes < 0)
        return th_resultOk;
    TH_TRY(readCount(from, INT32_MAX, &count));
    // One after the other: a number that lies ends with the bytes.
    for (int64_t i = 0; i < count; ++i) {
        uint64_t word;
        TH_TRY(readWord(from, &word));
        const thBlockCount item = {(int32_t)(word >> 32), (int32_t)(uint32_t)word};
        thBlockCount* added = thiArrayAdd(&owed->counts, 1);
        if (added == NULL)
            return th_resultNoMemory;
        if (item.block < 0 || item.count <= 0)
            return th_resultDamaged;
        *added = item;
    }
    return th_resultOk;
}

static thResult loadPlan(thFlowPlans* plans, thReader* from)
{
    int64_t floor, goal, nodes;
    thFlowPlan* plan = thiCreateFlowPlan(&plans->memory);
    if (plan == NULL)
        return th_resultNoMemory;
    *(thFlowPlan**)thiArrayAdd(&plans->plans, 1) = plan;
    TH_TRY(readCount(from, (int64_t)plans->floors.count - 1, &floor));
    TH_TRY(readCount(from, INT32_MAX, &goal));
    TH_TRY(readWord(from, &plan->shapes));
    TH_TRY(readCount(from, ALL_NODES + 1, &nodes));
    TH_TRY(readWord(from, &plan->countedAt));
    plan->floor = TH_ITEMS(plans->floors, thFlowFloor*)[floor];
    plan->goal = (int32_t)goal;
    plan->nodesOwed = nodes - 1;
    TH_TRY(loadCrowd(&plan->crowdOwed[0], from));
    return loadCrowd(&plan->crowdOwed[1], from);
}

thResult thiLoadFlowPlans(thFlowPlans* plans, thReader* from)
{
    int64_t count, width, largest;
    TH_TRY(readCount(from, TH_FLOW_ALL_SIZES, &width));
    TH_TRY(readCount(from, TH_FLOW_ALL_SIZES, &largest));
    if (width == 0 || (width & (width - 1)) != 0)
        return th_resultDamaged;
    plans->sizes = (thFlowSizes){(int32_t)width, (int32_t)largest};
    TH_TRY(readCount(from, plans->def.fields, &count));
    TH_TRY(thiArrayReserve(&plans->floors, (int32_t)count));
    for (int64_t i = 0; i < count; ++i)
        TH_TRY(loadFloor(plans, from));
    TH_TRY(readCount(from, plans->floors.count > 0 ? plans->def.fields : 0, &count));
    TH_TRY(thiArrayReserve(&plans->plans, (int32_t)count));
    for (int64_t i = 0; i < count; ++i)
        TH_TRY(loadPlan(plans, from));
    return th_resultOk;
}
