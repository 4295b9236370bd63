// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Which fields agents need and which have changed, and building them in pieces: so many nodes a
// step.

#include "plan/flow/flow_plans.h"

#include "plan/field/field_world.h"

#include <math.h>
#include <string.h>

// Steps from one field of a goal that moves to the next, at least.
#define REBUILD_EVERY 8

static thFlowFloor* floorAt(const thFlowPlans* plans, int32_t index)
{
    return TH_ITEMS(plans->floors, thFlowFloor*)[index];
}

static thFlowPlan* planAt(const thFlowPlans* plans, int32_t index)
{
    return TH_ITEMS(plans->plans, thFlowPlan*)[index];
}

thResult thiCreateFlowPlans(const thMethodHost* host, const thFlowDef* def, thFlowPlans** plans)
{
    thMemory memory;
    thiMemoryInit(&memory, &host->allocator, 0);
    *plans = thiAllocateZero(&memory, sizeof **plans);
    if (*plans == NULL)
        return th_resultNoMemory;
    thFlowPlans* self = *plans;
    thiMemoryInit(&self->memory, &host->allocator, 0);
    self->def = *def;
    self->profile = host->profile;
    self->simd = (thSimd)host->simd;
    self->sizes.width = 1;
    self->floors = thiArray(&self->memory, sizeof(thFlowFloor*));
    self->plans = thiArray(&self->memory, sizeof(thFlowPlan*));
    self->missing = thiArray(&self->memory, sizeof(thFlowKey));
    return th_resultOk;
}

thFlowPlan* thiCreateFlowPlan(thMemory* memory)
{
    thFlowPlan* plan = thiAllocateZero(memory, sizeof *plan);
    if (plan == NULL)
        return NULL;
    for (int32_t i = 0; i < 2; ++i) {
        plan->origins[i].nodes = -1;
        plan->origins[i].at.anchors = thiArray(memory, sizeof(thAnchor));
        plan->crowdOwed[i] = (thOwedCrowd){thiArray(memory, sizeof(thBlockCount)), -1};
    }
    return plan;
}

static void forgetCrowd(thFlowPlan* plan)
{
    for (int32_t i = 0; i < 2; ++i) {
        thiSlowFieldFree(&plan->slow[i]);
        thiArrayFree(&plan->crowdOwed[i].counts);
        plan->crowdOwed[i].nodes = -1;
    }
}

static void restartPlan(thFlowPlan* plan)
{
    forgetCrowd(plan);
    for (int32_t i = 0; i < 2; ++i) {
        thiFlowFieldFree(&plan->fields[i]);
        thiArrayFree(&plan->origins[i].at.anchors);
        plan->origins[i].nodes = -1;
    }
}

static void destroyPlan(thFlowPlans* plans, int32_t index)
{
    thFlowPlan* plan = planAt(plans, index);
    restartPlan(plan);
    thiRelease(&plans->memory, plan, sizeof *plan);
    thFlowPlan** items = plans->plans.data;
    const int32_t after = --plans->plans.count - index;
    memmove(&items[index], &items[index + 1], (size_t)after * sizeof *items);
}

static void destroyFloor(thFlowPlans* plans, int32_t index)
{
    thFlowFloor* floor = floorAt(plans, index);
    thiFieldGridFree(&floor->grid);
    thiRelease(&plans->memory, floor, sizeof *floor);
    thFlowFloor** items = plans->floors.data;
    const int32_t after = --plans->floors.count - index;
    memmove(&items[index], &items[index + 1], (size_t)after * sizeof *items);
}

void thiDestroyFlowPlans(thFlowPlans* plans)
{
    while (plans->plans.count > 0)
        destroyPlan(plans, plans->plans.count - 1);
    while (plans->floors.count > 0)
        destroyFloor(plans, plans->floors.count - 1);
    thiArrayFree(&plans->plans);
    thiArrayFree(&plans->floors);
    thiArrayFree(&plans->missing);
    thMemory memory;
    thiMemoryInit(&memory, &plans->memory.allocator, 0);
    thiRelease(&memory, plans, sizeof *plans);
}

// Keys.

static int32_t compareKeys(thFlowKey a, thFlowKey b)
{
    if (a.level != b.level)
        return a.level < b.level ? -1 : 1;
    if (a.size != b.size)
        return a.size < b.size ? -1 : 1;
    return a.goal < b.goal ? -1 : a.goal > b.goal;
}

// After a load also what was built before.
static bool isBuilt(const thFlowPlan* plan)
{
    return plan->fields[0].done || plan->origins[0].nodes == TH_FLOW_ALL_NODES;
}

static thFlowKey keyOf(const thFlowPlan* plan)
{
    return (thFlowKey){plan->floor->level, plan->floor->size, plan->goal};
}

static int32_t sizeOf(const thFrame* frame, int32_t row)
{
    return (int32_t)ceilf(frame->radius[row] / TH_FLOW_SIZE);
}

// Sizes above the largest are those of agents that have come since the last step.
static int32_t largestOfClass(const thFlowSizes* sizes, int32_t size)
{
    const int32_t width = sizes->width, above = size - sizes->largest;
    return sizes->largest + (above > 0 ? above + width - 1 : above) / width * width;
}

bool thiFlowKey(const thFlowPlans* plans, const thFrame* frame, int32_t row, thFlowKey* key)
{
    *key = (thFlowKey){frame->level[row], largestOfClass(&plans->sizes, sizeOf(frame, row)),
                       thFrame_CurrentGoal(frame, row)};
    return key->goal >= 0;
}

thFlowPlan* thiFindFlowPlan(const thFlowPlans* plans, thFlowKey key)
{
    for (int32_t i = 0; i < plans->plans.count; ++i)
        if (compareKeys(keyOf(planAt(plans, i)), key) == 0)
            return planAt(plans, i);
    return NULL;
}

thFlowPlan* thiFindFlowPlanBySerial(const thFlowPlans* plans, uint32_t serial)
{
    for (int32_t i = 0; i < plans->plans.count && serial != 0; ++i)
        if (planAt(plans, i)->serial == serial)
            return planAt(plans, i);
    return NULL;
}

// What has changed. Numbers of revisions begin anew after a load, so contents are compared.

static void noticeWalls(thFlowPlans* plans, const thFrame* frame)
{
    if (plans->wallsRevision == frame->wallsRevision)
        return;
    plans->wallsRevision = frame->wallsRevision;
    for (int32_t i = 0; i < plans->floors.count; ++i) {
        thFlowFloor* floor = floorAt(plans, i);
        const uint64_t hash = thiHashWalls(frame->walls, floor->level);
        if (hash == floor->walls)
            continue;
        for (int32_t k = 0; k < plans->plans.count; ++k)
            if (planAt(plans, k)->floor == floor)
                restartPlan(planAt(plans, k));
        thiFieldGridFree(&floor->grid);
        floor->walls = hash;
        floor->rowsOwed = 0;
    }
}

// A plan that is only held is for a goal that may be gone.
static thResult noticeGoals(thFlowPlans* plans, const thFrame* frame)
{
    for (int32_t i = 0; i < plans->plans.count; ++i) {
        thFlowPlan* plan = planAt(plans, i);
        if (!plan->wanted || plan->goalsRevision == frame->goalsRevision)
            continue;
        TH_TRY(thiHashGoal(&plans->memory, frame, plan->goal, &plan->shapes));
        plan->goalsRevision = frame->goalsRevision;
        const uint64_t id = thFrame_GetGoalId(frame, plan->goal);
        if (id == plan->goalId)
            continue;
        restartPlan(plan);
        plan->goalId = id;
        plan->serial = ++plans->serial;
    }
    return th_resultOk;
}

// Who needs what.

// As many as could get a field are noted and one more, those with the lowest keys: the order of
// rows does not count.
static thResult noteMissing(thFlowPlans* plans, thFlowKey key)
{
    thFlowKey* keys = TH_ITEMS(plans->missing, thFlowKey);
    const int32_t most = plans->def.fields + 1;
    int32_t at = plans->missing.count;
    while (at > 0 && compareKeys(key, keys[at - 1]) < 0)
        at -= 1;
    if (at == most || (at > 0 && compareKeys(key, keys[at - 1]) == 0))
        return th_resultOk;
    if (plans->missing.count == most)
        plans->missing.count -= 1;
    if (thiArrayAdd(&plans->missing, 1) == NULL)
        return th_resultNoMemory;
    keys = TH_ITEMS(plans->missing, thFlowKey);
    memmove(&keys[at + 1], &keys[at], (size_t)(plans->missing.count - 1 - at) * sizeof *keys);
    keys[at] = key;
    return th_resultOk;
}

// Whether an agent has a way to go; if so, what it needs.
static bool asks(const thFlowPlans* plans, const thFrame* frame, int32_t row, thFlowKey* key)
{
    return frame->profile[row] == plans->profile && (frame->flags[row] & th_agentAlive) != 0 &&
           (frame->flags[row] & th_agentExternal) == 0 && thiFlowKey(plans, frame, row, key);
}

static thResult askAround(thFlowPlans* plans, const thFrame* frame)
{
    thFlowPlan* last = NULL;
    plans->missing.count = 0;
    for (int32_t i = 0; i < plans->plans.count; ++i)
        planAt(plans, i)->wanted = planAt(plans, i)->needed = false;
    for (int32_t row = 0; row < frame->count; ++row) {
        thFlowKey key;
        if (!asks(plans, frame, row, &key))
            continue;
        if (last == NULL || compareKeys(keyOf(last), key) != 0)
            last = thiFindFlowPlan(plans, key);
        if (last != NULL) {
            last->wanted = true;
            last->needed = last->needed || !thiIsAtFieldGoal(frame, row);
        } else if (!thiIsAtFieldGoal(frame, row))
            TH_TRY(noteMissing(plans, key));
    }
    return th_resultOk;
}

static int32_t countNeeded(const thFlowPlans* plans)
{
    int32_t count = 0;
    for (int32_t i = 0; i < plans->plans.count; ++i)
        count += planAt(plans, i)->needed;
    return count;
}

// Whether all who need a field could have one if sizes shared them so. `missing` is written over.
static thResult wouldFit(thFlowPlans* plans, const thFrame* frame, thFlowSizes sizes, bool* fits)
{
    const thFlowSizes before = plans->sizes;
    thResult code = th_resultOk;
    plans->sizes = sizes;
    plans->missing.count = 0;
    for (int32_t row = 0; row < frame->count && plans->missing.count <= plans->def.fields; ++row) {
        thFlowKey key;
        if (code == th_resultOk && asks(plans, frame, row, &key) && !thiIsAtFieldGoal(frame, row))
            code = noteMissing(plans, key);
    }
    plans->sizes = before;
    *fits = plans->missing.count <= plans->def.fields;
    return code;
}

static void findSizes(const thFlowPlans* plans, const thFrame* frame, int32_t* least, int32_t* most)
{
    *least = TH_FLOW_ALL_SIZES;
    *most = 0;
    for (int32_t row = 0; row < frame->count; ++row) {
        thFlowKey key;
        const int32_t size = sizeOf(frame, row);
        if ((size < *least || size > *most) && asks(plans, frame, row, &key)) {
            *least = TH_MIN(*least, size);
            *most = TH_MAX(*most, size);
        }
    }
}

// Classes become twice as wide until there are enough fields for all. Where there are too many
// goals for that they stay as they are.
static thResult widenSizes(thFlowPlans* plans, const thFrame* frame)
{
    int32_t least, most;
    bool fits;
    findSizes(plans, frame, &least, &most);
    if (least >= most)
        return th_resultOk;
    thFlowSizes wider = {TH_FLOW_ALL_SIZES, most};
    TH_TRY(wouldFit(plans, frame, wider, &fits));
    if (fits) {
        wider.width = plans->sizes.width;
        do {
            wider.width *= 2;
            TH_TRY(wouldFit(plans, frame, wider, &fits));
        } while (!fits);
        plans->sizes = wider;
    }
    return askAround(plans, frame);
}

// Nobody is planned for as larger than the largest, so classes end there. Without anybody there are
// none.
static void noticeSizes(thFlowPlans* plans, const thFrame* frame)
{
    int32_t least, most;
    if (plans->sizes.width == 1)
        return;
    findSizes(plans, frame, &least, &most);
    plans->sizes.largest = TH_MAX(plans->sizes.largest, most);
    if (least > most)
        plans->sizes.width = 1;
}

static thResult findFloor(thFlowPlans* plans, const thFrame* frame, thFlowKey key,
                          thFlowFloor** found)
{
    for (int32_t i = 0; i < plans->floors.count; ++i) {
        *found = floorAt(plans, i);
        if ((*found)->level == key.level && (*found)->size == key.size)
            return th_resultOk;
    }
    TH_TRY(thiArrayReserve(&plans->floors, plans->floors.count + 1));
    thFlowFloor* floor = thiAllocateZero(&plans->memory, sizeof *floor);
    if (floor == NULL)
        return th_resultNoMemory;
    floor->level = key.level;
    floor->size = key.size;
    floor->walls = thiHashWalls(frame->walls, key.level);
    *(thFlowFloor**)thiArrayAdd(&plans->floors, 1) = floor;
    *found = floor;
    return th_resultOk;
}

static thResult addPlan(thFlowPlans* plans, const thFrame* frame, thFlowKey key)
{
    thFlowFloor* floor;
    uint64_t shapes;
    TH_TRY(findFloor(plans, frame, key, &floor));
    TH_TRY(thiHashGoal(&plans->memory, frame, key.goal, &shapes));
    TH_TRY(thiArrayReserve(&plans->plans, plans->plans.count + 1));
    thFlowPlan* plan = thiCreateFlowPlan(&plans->memory);
    if (plan == NULL)
        return th_resultNoMemory;
    plan->serial = ++plans->serial;
    plan->floor = floor;
    plan->goal = key.goal;
    plan->goalId = thFrame_GetGoalId(frame, key.goal);
    plan->shapes = shapes;
    plan->goalsRevision = frame->goalsRevision;
    plan->wanted = true;
    *(thFlowPlan**)thiArrayAdd(&plans->plans, 1) = plan;
    return th_resultOk;
}

// Whether in the step before somebody who has another goal by now went by a plan, or waited for it.
static bool isHeld(const thFlowPlan* plan, uint64_t step)
{
    return plan->heldAt >= step && plan->heldAt > 0;
}

// Whether there are plans over a grid, or going to be.
static bool isUsed(const thFlowPlans* plans, const thFlowFloor* floor)
{
    for (int32_t i = 0; i < plans->plans.count; ++i)
        if (planAt(plans, i)->floor == floor)
            return true;
    for (int32_t i = 0; i < plans->missing.count; ++i) {
        const thFlowKey* key = &TH_ITEMS(plans->missing, thFlowKey)[i];
        if (key->level == floor->level && key->size == floor->size)
            return true;
    }
    return false;
}

// What nobody has as a goal is dropped, unless it is held. If others wait for room, what only those
// have who are there is dropped too, and what is held and done.
static void dropUnwanted(thFlowPlans* plans, uint64_t step)
{
    int32_t wanted = 0;
    for (int32_t i = 0; i < plans->plans.count; ++i)
        wanted += planAt(plans, i)->wanted || isHeld(planAt(plans, i), step);
    const bool isShort = wanted + plans->missing.count > plans->def.fields;
    for (int32_t i = plans->plans.count - 1; i >= 0; --i) {
        const thFlowPlan* plan = planAt(plans, i);
        const bool held = isHeld(plan, step);
        if (!(isShort ? plan->needed || (held && !isBuilt(plan)) : plan->wanted || held))
            destroyPlan(plans, i);
    }
    for (int32_t i = plans->floors.count - 1; i >= 0; --i)
        if (!isUsed(plans, floorAt(plans, i)))
            destroyFloor(plans, i);
}

static thResult admitMissing(thFlowPlans* plans, const thFrame* frame)
{
    for (int32_t i = 0; i < plans->missing.count && plans->plans.count < plans->def.fields; ++i)
        TH_TRY(addPlan(plans, frame, TH_ITEMS(plans->missing, thFlowKey)[i]));
    return th_resultOk;
}

// Building flow plans in pieces: grids, fields over them, and how the crowd slows the paths.

static thResult buildFloor(thFlowPlans* plans, const thFrame* frame, thFlowFloor* floor,
                           int64_t* count)
{
    if (floor->grid.space == NULL) {
        TH_TRY(thiFieldGridBegin(&plans->memory, frame, floor->level,
                                 (float)floor->size * TH_FLOW_SIZE, plans->def.cell,
                                 plans->def.cells, &TH_EMPTY_BOX, &floor->grid));
        thiSetRouteSimd(floor->grid.space, plans->simd);
    }
    thiFieldGridBuild(&floor->grid, frame, floor->level, count);
    return th_resultOk;
}

// Frees a field that is to be built again, from where it began to as many nodes; −1: not at all.
static void oweField(thFlowPlan* plan, int32_t which, int64_t nodes)
{
    thFlowField* field = &plan->fields[which];
    thFlowOrigin* origin = &plan->origins[which];
    origin->nodes = nodes;
    if (nodes >= 0) { // there may be no memory to copy where it began
        thiArrayFree(&origin->at.anchors);
        origin->at = (thFlowSources){field->lengths.anchors, field->isTight};
        origin->at.anchors.count = field->sourceCount;
        field->lengths.anchors = thiArray(origin->at.anchors.memory, sizeof(thAnchor));
    }
    thiFlowFieldFree(field);
}

// The field in use or the next, over a grid that is done.
static thResult buildField(thFlowPlans* plans, const thFrame* frame, thFlowPlan* plan,
                           int32_t which, int64_t* count)
{
    thFlowField* field = &plan->fields[which];
    const bool isBegun = field->grid != NULL;
    const uint64_t begunAt = plan->begunAt;
    if (!isBegun) {
        TH_TRY(thiFlowFieldBegin(&plans->memory, frame, plan->goal, &plan->floor->grid, field));
        plan->origins[which].shapes = plan->shapes;
        plan->begunAt = frame->step;
    }
    const int64_t before = field->lengths.settled;
    const thResult code = thiFlowFieldMarch(field, count);
    if (code != th_resultOk) { // in the middle of a node: as far as before it is built once more
        oweField(plan, which, isBegun ? before : -1);
        plan->begunAt = begunAt;
    }
    return code;
}

static thResult buildPlan(thFlowPlans* plans, const thFrame* frame, thFlowPlan* plan,
                          int64_t* count)
{
    // One that is only held is finished if it was begun.
    if (!plan->wanted && plan->fields[0].grid == NULL)
        return th_resultOk;
    if (!thiIsFieldGridDone(&plan->floor->grid))
        TH_TRY(buildFloor(plans, frame, plan->floor, count));
    if (*count <= 0 || plan->fields[0].done || !thiIsFieldGridDone(&plan->floor->grid))
        return th_resultOk;
    return buildField(plans, frame, plan, 0, count);
}

// Whether another field is built, or to be begun, because the goal has moved. Not too soon after
// the one before.
static bool isBehind(const thFlowPlan* plan, uint64_t step)
{
    return plan->wanted && plan->fields[0].done &&
           (plan->fields[1].grid != NULL ||
            (plan->origins[0].shapes != plan->shapes && step - plan->begunAt >= REBUILD_EVERY));
}

static thResult followGoal(thFlowPlans* plans, const thFrame* frame, thFlowPlan* plan,
                           int64_t* count)
{
    TH_TRY(buildField(plans, frame, plan, 1, count));
    if (!plan->fields[1].done)
        return th_resultOk;
    forgetCrowd(plan); // it was counted over the nodes of the former
    thiFlowFieldFree(&plan->fields[0]);
    plan->fields[0] = plan->fields[1];
    plan->fields[1] = (thFlowField){0};
    plan->origins[0].shapes = plan->origins[1].shapes;
    return th_resultOk;
}

// Goals may move in every step: each in turn is the first to get what is left, for two steps, of
// which in one crowds come after it.
static thResult followGoals(thFlowPlans* plans, const thFrame* frame, int64_t* count)
{
    const uint64_t planCount = (uint64_t)plans->plans.count;
    for (uint64_t i = 0; i < planCount; ++i) {
        thFlowPlan* plan = planAt(plans, (int32_t)((frame->step / 2 + i) % planCount));
        if (*count > 0 && isBehind(plan, frame->step))
            TH_TRY(followGoal(plans, frame, plan, count));
    }
    return th_resultOk;
}

static thResult beginCrowd(thFlowPlans* plans, thFlowPlan* plan, int32_t which)
{
    return thiSlowFieldBegin(&plans->memory, &plan->fields[0].lengths, plans->def.crowding,
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
    return plan->fields[0].done && plan->floor->grid.nodes.open != NULL &&
           (plan->slow[0].lengths == NULL ||
            step - plan->countedAt >= (uint64_t)plans->def.refresh);
}

// The crowd is counted for all who are due when nobody's field is being built, so that all have
// their turn.
static thResult countCrowds(thFlowPlans* plans, const thFrame* frame)
{
    for (int32_t i = 0; i < plans->plans.count && !plans->prepared.isCounting; ++i)
        if (planAt(plans, i)->slow[1].lengths != NULL)
            return th_resultOk;
    plans->prepared.isCounting = true;
    for (int32_t i = 0; i < plans->plans.count; ++i)
        if (planAt(plans, i)->slow[1].lengths == NULL &&
            isDue(plans, planAt(plans, i), frame->step))
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

static thResult spreadCrowds(thFlowPlans* plans, const thFrame* frame, int64_t* count)
{
    TH_TRY(countCrowds(plans, frame));
    for (int32_t i = 0; i < plans->plans.count; ++i)
        if (*count > 0 && planAt(plans, i)->slow[1].lengths != NULL)
            TH_TRY(spreadCrowd(planAt(plans, i), count));
    return th_resultOk;
}

static thResult repayCrowd(thFlowPlans* plans, thFlowPlan* plan, int32_t which)
{
    thOwedCrowd* owed = &plan->crowdOwed[which];
    if (owed->nodes < 0 || !plan->fields[0].done)
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

static thResult repayField(thFlowPlans* plans, const thFrame* frame, thFlowPlan* plan,
                           int32_t which)
{
    thFlowOrigin* origin = &plan->origins[which];
    thFlowField* field = &plan->fields[which];
    int64_t count = origin->nodes;
    if (count < 0 || !thiIsFieldGridDone(&plan->floor->grid))
        return th_resultOk;
    TH_TRY(thiFlowFieldBeginAt(&plans->memory, frame, plan->goal, &plan->floor->grid, &origin->at,
                               field));
    const thResult code = count > 0 ? thiFlowFieldMarch(field, &count) : th_resultOk;
    if (code != th_resultOk) {
        thiFlowFieldFree(field); // all of it is still owed
        return code;
    }
    thiArrayFree(&origin->at.anchors);
    origin->nodes = -1;
    return th_resultOk;
}

// After a load, or a step that failed: as much as had been done.
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
        TH_TRY(repayField(plans, frame, plan, 0));
        TH_TRY(repayField(plans, frame, plan, 1));
        TH_TRY(repayCrowd(plans, plan, 0));
        TH_TRY(repayCrowd(plans, plan, 1));
    }
    return th_resultOk;
}

// As much as a step allows. One that failed is prepared again, and has what it left.
static thResult buildPlans(thFlowPlans* plans, const thFrame* frame)
{
    int64_t* count = &plans->prepared.nodes;
    for (int32_t i = 0; i < plans->plans.count; ++i)
        if (*count > 0)
            TH_TRY(buildPlan(plans, frame, planAt(plans, i), count));
    // Crowds and goals that move may each take all that is left, so they take turns.
    const bool crowdsFirst = frame->step % 2 == 0;
    if (!crowdsFirst)
        TH_TRY(followGoals(plans, frame, count));
    if (plans->def.crowding > 0.0f)
        TH_TRY(spreadCrowds(plans, frame, count));
    return crowdsFirst ? followGoals(plans, frame, count) : th_resultOk;
}

thResult thiPrepareFlowPlans(thFlowPlans* plans, const thFrame* frame)
{
    noticeWalls(plans, frame);
    noticeSizes(plans, frame);
    TH_TRY(askAround(plans, frame));
    if (countNeeded(plans) + plans->missing.count > plans->def.fields)
        TH_TRY(widenSizes(plans, frame));
    dropUnwanted(plans, frame->step);
    TH_TRY(noticeGoals(plans, frame));
    TH_TRY(admitMissing(plans, frame));
    if (plans->prepared.step != frame->step + 1)
        plans->prepared = (thFlowPrepared){.step = frame->step + 1, .nodes = plans->def.rate};
    TH_TRY(repay(plans, frame));
    if (!plans->prepared.isDone)
        TH_TRY(buildPlans(plans, frame));
    plans->prepared.isDone = true;
    return th_resultOk;
}
