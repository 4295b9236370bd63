// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Which potentials agents need, what has changed, and making all of them anew. First the grid if it
// has to be another one, then the crowd and what it costs to go through it, then each potential.

#include "plan/continuum/continuum_plans.h"

#include "geom/fixed.h"
#include "plan/field/field_world.h"
#include "plan/route/route_aim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Grids grow and shrink by so many cells.
#define BOX_CELLS 16

// Paths end at nodes within so many sides of the goal; where none of these has room, within so many
// of the place next to it.
#define SEED_SIDES 1.5
#define NEARBY_SIDES 2.0

// Rows of nodes that a worker takes at once.
#define ROWS_AT_ONCE 16

static thContinuumFloor* floorAt(const thContinuumPlans* plans, int32_t index)
{
    return TH_ITEMS(plans->floors, thContinuumFloor*)[index];
}

static thContinuumPlan* planAt(const thContinuumPlans* plans, int32_t index)
{
    return TH_ITEMS(plans->plans, thContinuumPlan*)[index];
}

// Creating and freeing.

thResult thiCreateContinuumPlans(const thMethodHost* host, const thContinuumDef* def,
                                 thContinuumPlans** plans)
{
    thMemory memory;
    thiMemoryInit(&memory, &host->allocator, 0);
    *plans = thiAllocateZero(&memory, sizeof **plans);
    if (*plans == NULL)
        return th_resultNoMemory;
    thContinuumPlans* self = *plans;
    thiMemoryInit(&self->memory, &host->allocator, 0);
    self->def = *def;
    self->profile = host->profile;
    self->simd = (thSimd)host->simd;
    self->free = thiFreeDensity(def);
    self->floors = thiArray(&self->memory, sizeof(thContinuumFloor*));
    self->plans = thiArray(&self->memory, sizeof(thContinuumPlan*));
    self->wanted = thiArray(&self->memory, sizeof(thContinuumKey));
    return th_resultOk;
}

thContinuumFloor* thiAddContinuumFloor(thContinuumPlans* plans, int32_t level)
{
    if (thiArrayReserve(&plans->floors, plans->floors.count + 1) != th_resultOk)
        return NULL;
    thContinuumFloor* floor = thiAllocateZero(&plans->memory, sizeof *floor);
    if (floor == NULL)
        return NULL;
    floor->level = level;
    *(thContinuumFloor**)thiArrayAdd(&plans->floors, 1) = floor;
    return floor;
}

thContinuumPlan* thiAddContinuumPlan(thContinuumPlans* plans, thContinuumFloor* floor, int32_t goal)
{
    if (thiArrayReserve(&plans->plans, plans->plans.count + 1) != th_resultOk)
        return NULL;
    thContinuumPlan* plan = thiAllocateZero(&plans->memory, sizeof *plan);
    if (plan == NULL)
        return NULL;
    plan->floor = floor;
    plan->goal = goal;
    plan->parts = thiArray(&plans->memory, sizeof(thGoalShape));
    plan->seeds = thiArray(&plans->memory, sizeof(thPotentialSeed));
    *(thContinuumPlan**)thiArrayAdd(&plans->plans, 1) = plan;
    return plan;
}

static void removeAt(thArray* pointers, int32_t index)
{
    void** items = pointers->data;
    const int32_t after = --pointers->count - index;
    memmove(&items[index], &items[index + 1], (size_t)after * sizeof *items);
}

static void destroyPlan(thContinuumPlans* plans, int32_t index)
{
    thContinuumPlan* plan = planAt(plans, index);
    thiPotentialFree(&plan->potential);
    thiArrayFree(&plan->parts);
    thiArrayFree(&plan->seeds);
    thiRelease(&plans->memory, plan, sizeof *plan);
    removeAt(&plans->plans, index);
}

// What is of the size of the grid, on this floor and in the potentials over it.
static void freeGrid(thContinuumPlans* plans, thContinuumFloor* floor)
{
    for (int32_t i = 0; i < plans->plans.count; ++i)
        if (planAt(plans, i)->floor == floor) {
            thiPotentialFree(&planAt(plans, i)->potential);
            thiArrayFree(&planAt(plans, i)->seeds);
        }
    const size_t count = (size_t)floor->cells.count;
    thiRelease(&plans->memory, floor->costs, th_faceCount * count * sizeof(float));
    floor->costs = NULL;
    thiCrowdCellsFree(&floor->cells);
    thiFieldGridFree(&floor->grid);
}

static void destroyFloor(thContinuumPlans* plans, int32_t index)
{
    thContinuumFloor* floor = floorAt(plans, index);
    freeGrid(plans, floor);
    thiRelease(&plans->memory, floor, sizeof *floor);
    removeAt(&plans->floors, index);
}

void thiDestroyContinuumPlans(thContinuumPlans* plans)
{
    while (plans->plans.count > 0)
        destroyPlan(plans, plans->plans.count - 1);
    while (plans->floors.count > 0)
        destroyFloor(plans, plans->floors.count - 1);
    thiArrayFree(&plans->plans);
    thiArrayFree(&plans->floors);
    thiArrayFree(&plans->wanted);
    thMemory memory;
    thiMemoryInit(&memory, &plans->memory.allocator, 0);
    thiRelease(&memory, plans, sizeof *plans);
}

// Who needs what.

static int32_t compareKeys(thContinuumKey a, thContinuumKey b)
{
    if (a.level != b.level)
        return a.level < b.level ? -1 : 1;
    return a.goal < b.goal ? -1 : a.goal > b.goal;
}

static thContinuumKey keyOf(const thContinuumPlan* plan)
{
    return (thContinuumKey){plan->floor->level, plan->goal};
}

bool thiContinuumKey(const thFrame* frame, int32_t row, thContinuumKey* key)
{
    *key = (thContinuumKey){frame->level[row], thFrame_CurrentGoal(frame, row)};
    return key->goal >= 0;
}

static thContinuumPlan* findPlan(const thContinuumPlans* plans, thContinuumKey key)
{
    for (int32_t i = 0; i < plans->plans.count; ++i)
        if (compareKeys(keyOf(planAt(plans, i)), key) == 0)
            return planAt(plans, i);
    return NULL;
}

const thContinuumPlan* thiFindContinuumPlan(const thContinuumPlans* plans, const thFrame* frame,
                                            thContinuumKey key)
{
    const thContinuumPlan* plan = findPlan(plans, key);
    return plan != NULL && plan->goalId == thFrame_GetGoalId(frame, key.goal) ? plan : NULL;
}

// Whether an agent has a way to go.
static bool asks(const thContinuumPlans* plans, const thFrame* frame, int32_t row,
                 thContinuumKey* key)
{
    return frame->profile[row] == plans->profile && (frame->flags[row] & th_agentAlive) != 0 &&
           (frame->flags[row] & th_agentExternal) == 0 && thiContinuumKey(frame, row, key);
}

// Keys are kept sorted, as many as may be and one more: the order of rows does not count.
static thResult noteWanted(thContinuumPlans* plans, thContinuumKey key)
{
    thContinuumKey* keys = TH_ITEMS(plans->wanted, thContinuumKey);
    const int32_t most = plans->def.fields + 1;
    int32_t at = plans->wanted.count;
    while (at > 0 && compareKeys(key, keys[at - 1]) < 0)
        at -= 1;
    if (at == most || (at > 0 && compareKeys(key, keys[at - 1]) == 0))
        return th_resultOk;
    if (plans->wanted.count == most)
        plans->wanted.count -= 1;
    if (thiArrayAdd(&plans->wanted, 1) == NULL)
        return th_resultNoMemory;
    keys = TH_ITEMS(plans->wanted, thContinuumKey);
    memmove(&keys[at + 1], &keys[at], (size_t)(plans->wanted.count - 1 - at) * sizeof *keys);
    keys[at] = key;
    return th_resultOk;
}

static thResult askAround(thContinuumPlans* plans, const thFrame* frame)
{
    thContinuumKey last = {-1, -1};
    plans->wanted.count = 0;
    for (int32_t row = 0; row < frame->count; ++row) {
        thContinuumKey key;
        if (!asks(plans, frame, row, &key) || compareKeys(key, last) == 0 ||
            thiIsAtFieldGoal(frame, row))
            continue;
        TH_TRY(noteWanted(plans, key));
        last = key;
    }
    plans->isShort = plans->wanted.count > plans->def.fields;
    plans->wanted.count = TH_MIN(plans->wanted.count, plans->def.fields);
    return th_resultOk;
}

// What has changed.

static bool haveWallsChanged(thContinuumPlans* plans, const thFrame* frame)
{
    bool haveChanged = false;
    if (plans->wallsRevision == frame->wallsRevision)
        return false;
    plans->wallsRevision = frame->wallsRevision;
    for (int32_t i = 0; i < plans->floors.count; ++i)
        haveChanged = haveChanged || floorAt(plans, i)->walls !=
                                         thiHashWalls(frame->walls, floorAt(plans, i)->level);
    return haveChanged;
}

// Whether a goal is wanted that has no potential, or one that has moved or gone, wanted or not.
static thResult haveGoalsChanged(thContinuumPlans* plans, const thFrame* frame, bool* haveChanged)
{
    *haveChanged = false;
    for (int32_t i = 0; i < plans->wanted.count && !*haveChanged; ++i)
        *haveChanged =
            thiFindContinuumPlan(plans, frame, TH_ITEMS(plans->wanted, thContinuumKey)[i]) == NULL;
    if (plans->goalsRevision == frame->goalsRevision)
        return th_resultOk;
    for (int32_t i = 0; i < plans->plans.count && !*haveChanged; ++i) {
        const thContinuumPlan* plan = planAt(plans, i);
        uint64_t shapes = plan->shapes;
        *haveChanged = thFrame_GetGoalId(frame, plan->goal) != plan->goalId;
        if (!*haveChanged)
            TH_TRY(thiHashGoal(&plans->memory, frame, plan->goal, &shapes));
        *haveChanged = *haveChanged || shapes != plan->shapes;
    }
    plans->goalsRevision = frame->goalsRevision;
    return th_resultOk;
}

// Making all anew: which floors and potentials there are.

static bool isWanted(const thContinuumPlans* plans, const thContinuumPlan* plan)
{
    for (int32_t i = 0; i < plans->wanted.count; ++i)
        if (compareKeys(TH_ITEMS(plans->wanted, thContinuumKey)[i], keyOf(plan)) == 0)
            return true;
    return false;
}

static bool isUsed(const thContinuumPlans* plans, const thContinuumFloor* floor)
{
    for (int32_t i = 0; i < plans->wanted.count; ++i)
        if (TH_ITEMS(plans->wanted, thContinuumKey)[i].level == floor->level)
            return true;
    return false;
}

static thResult admit(thContinuumPlans* plans, thContinuumKey key)
{
    thContinuumFloor* floor = NULL;
    for (int32_t i = 0; i < plans->floors.count; ++i)
        floor = floorAt(plans, i)->level == key.level ? floorAt(plans, i) : floor;
    if (floor == NULL)
        floor = thiAddContinuumFloor(plans, key.level);
    if (floor == NULL || thiAddContinuumPlan(plans, floor, key.goal) == NULL)
        return th_resultNoMemory;
    thContinuumPlan** items = TH_ITEMS(plans->plans, thContinuumPlan*);
    for (int32_t at = plans->plans.count - 1;
         at > 0 && compareKeys(keyOf(items[at]), keyOf(items[at - 1])) < 0; --at) {
        thContinuumPlan* moved = items[at];
        items[at] = items[at - 1];
        items[at - 1] = moved;
    }
    return th_resultOk;
}

static thResult choosePlans(thContinuumPlans* plans)
{
    for (int32_t i = plans->plans.count - 1; i >= 0; --i)
        if (!isWanted(plans, planAt(plans, i)) || !isUsed(plans, planAt(plans, i)->floor))
            destroyPlan(plans, i);
    for (int32_t i = plans->floors.count - 1; i >= 0; --i)
        if (!isUsed(plans, floorAt(plans, i)))
            destroyFloor(plans, i);
    for (int32_t i = 0; i < plans->wanted.count; ++i) {
        const thContinuumKey key = TH_ITEMS(plans->wanted, thContinuumKey)[i];
        if (findPlan(plans, key) == NULL)
            TH_TRY(admit(plans, key));
    }
    return th_resultOk;
}

// What has been learnt of a goal is of no use for another.
static thResult lookAtGoal(thContinuumPlans* plans, const thFrame* frame, thContinuumPlan* plan)
{
    uint64_t shapes;
    const uint64_t id = thFrame_GetGoalId(frame, plan->goal);
    TH_TRY(thiHashGoal(&plans->memory, frame, plan->goal, &shapes));
    if (plan->goalId == id && plan->shapes == shapes && plan->parts.count > 0)
        return th_resultOk;
    plan->parts.count = plan->seeds.count = 0;
    const int32_t count = thFrame_GetGoalShapes(frame, plan->goal, NULL, 0);
    thGoalShape* parts = thiArrayAdd(&plan->parts, count);
    if (count > 0 && parts == NULL)
        return th_resultNoMemory;
    (void)thFrame_GetGoalShapes(frame, plan->goal, parts, count);
    plan->goalId = id;
    plan->shapes = shapes;
    return th_resultOk;
}

// The grid of a floor: walls, all who have a way to go, and where they want to get.

static int64_t blockBelow(int64_t place, int64_t block)
{
    return (place / block - (place % block < 0)) * block;
}

static thFieldBox boxOf(const thContinuumPlans* plans, const thFrame* frame,
                        const thContinuumFloor* floor, int32_t side, int32_t* size)
{
    thFieldBox box = TH_EMPTY_BOX;
    *size = 0;
    for (int32_t row = 0; row < frame->count; ++row) {
        thContinuumKey key;
        if (frame->level[row] != floor->level || !asks(plans, frame, row, &key))
            continue;
        thiBoxAdd(&box, frame->px[row], frame->py[row]);
        *size = TH_MAX(*size, (int32_t)ceilf(frame->radius[row] / TH_CONTINUUM_SIZE));
    }
    for (int32_t i = 0; i < plans->plans.count; ++i) {
        const thContinuumPlan* plan = planAt(plans, i);
        for (int32_t k = 0; plan->floor == floor && k < plan->parts.count; ++k) {
            const thGoalShape* part = &TH_ITEMS(plan->parts, thGoalShape)[k];
            for (int32_t point = 0; point < part->count; ++point) {
                int32_t x = 0, y = 0;
                thFrame_GetShapePoint(frame, part, point, &x, &y);
                thiBoxAdd(&box, x, y); // who goes to a disc gets to its rim on this side
            }
        }
    }
    // In whole blocks, so that it is not another one in every step; and one more on each side, for
    // those who go round the crowd.
    const int64_t block = (int64_t)BOX_CELLS * side, most = TH_CONTINUUM_FAR;
    return (thFieldBox){.lowX = TH_MAX(blockBelow(box.lowX, block) - block, -most),
                        .lowY = TH_MAX(blockBelow(box.lowY, block) - block, -most),
                        .highX = TH_MIN(blockBelow(box.highX, block) + 2 * block, most),
                        .highY = TH_MIN(blockBelow(box.highY, block) + 2 * block, most)};
}

static thResult buildGrid(thContinuumPlans* plans, const thFrame* frame, thContinuumFloor* floor)
{
    int64_t all = INT64_MAX;
    TH_TRY(thiFieldGridBegin(&plans->memory, frame, floor->level,
                             (float)floor->size * TH_CONTINUUM_SIZE, plans->def.cell,
                             plans->def.cells, &floor->box, &floor->grid));
    thiSetRouteSimd(floor->grid.space, plans->simd);
    thiFieldGridBuild(&floor->grid, frame, floor->level, &all);
    floor->columns = floor->grid.nodes.columns;
    floor->rows = floor->grid.nodes.rows;
    floor->low = floor->grid.nodes.low;
    return th_resultOk;
}

static thResult fitGrid(thContinuumPlans* plans, const thFrame* frame, thContinuumFloor* floor)
{
    int32_t size;
    const int32_t side = TH_MAX(thiUnits(plans->def.cell), 2);
    const thFieldBox box = boxOf(plans, frame, floor, side, &size);
    const uint64_t walls = thiHashWalls(frame->walls, floor->level);
    const bool isSame = size == floor->size && walls == floor->walls &&
                        box.lowX == floor->box.lowX && box.lowY == floor->box.lowY &&
                        box.highX == floor->box.highX && box.highY == floor->box.highY;
    if (!isSame || floor->grid.space == NULL) {
        freeGrid(plans, floor);
        floor->size = size;
        floor->walls = walls;
        floor->box = box;
        TH_TRY(buildGrid(plans, frame, floor));
    }
    if (floor->grid.tooLarge)
        return th_resultOk;
    if (floor->cells.count == 0)
        TH_TRY(thiCrowdCellsCreate(&plans->memory, &floor->grid.nodes, &plans->def, &floor->cells));
    if (floor->costs == NULL)
        floor->costs =
            thiAllocate(&plans->memory, th_faceCount * (size_t)floor->cells.count * sizeof(float));
    return floor->costs != NULL ? th_resultOk : th_resultNoMemory;
}

static void fillRows(void* context, int32_t begin, int32_t end, int32_t worker)
{
    thContinuumFloor* floor = context;
    (void)worker;
    thiFillCosts(&floor->cells, begin, end, floor->costs);
}

// Where paths end: nodes near to the goal from which one can go straight there.

static bool seesPart(const thContinuumPlan* plan, const thFrame* frame, const thGoalShape* part,
                     thPoint p, double reach, float overlap, float* left)
{
    thPoint place;
    thFrame_NearestShapePoint(frame, part, p.x, p.y, &place.x, &place.y);
    const double dx = (double)place.x - p.x, dy = (double)place.y - p.y;
    const double far = sqrt(dx * dx + dy * dy);
    *left = (float)(far / THRONG_UNITS_PER_METRE);
    return far <= reach && thiIsClearLeg(plan->floor->grid.space, p, place, overlap);
}

static int32_t clampedIndex(double place, int32_t low, int32_t side, int32_t count)
{
    return (int32_t)TH_MIN(TH_MAX(floor((place - low) / side), 1.0), count - 2.0);
}

static thResult seedPart(thContinuumPlan* plan, const thFrame* frame, const thGoalShape* part,
                         double reach, float overlap)
{
    const thNodeGrid* nodes = &plan->floor->grid.nodes;
    thFieldBox box = TH_EMPTY_BOX;
    for (int32_t i = 0; i < part->count; ++i) {
        int32_t x = 0, y = 0;
        thFrame_GetShapePoint(frame, part, i, &x, &y);
        thiBoxAdd(&box, x, y);
    }
    const double far =
        reach + (part->kind == th_goalDisc ? (double)part->radius : 0.0) * THRONG_UNITS_PER_METRE;
    const int32_t left =
        clampedIndex((double)box.lowX - far, nodes->low.x, nodes->side, nodes->columns);
    const int32_t right =
        clampedIndex((double)box.highX + far, nodes->low.x, nodes->side, nodes->columns);
    const int32_t top =
        clampedIndex((double)box.highY + far, nodes->low.y, nodes->side, nodes->rows);
    for (int32_t row = clampedIndex((double)box.lowY - far, nodes->low.y, nodes->side, nodes->rows);
         row <= top; ++row)
        for (int32_t column = left; column <= right; ++column) {
            const int32_t node = row * nodes->columns + column;
            float length;
            if ((nodes->open[node] & th_openNode) == 0 ||
                !seesPart(plan, frame, part, thiNodePlace(nodes, node), reach, overlap, &length))
                continue;
            thPotentialSeed* seed = thiArrayAdd(&plan->seeds, 1);
            if (seed == NULL)
                return th_resultNoMemory;
            *seed = (thPotentialSeed){node, length};
        }
    return th_resultOk;
}

// A node that is near to two parts is there twice: the march takes the nearer.
static thResult seedParts(thContinuumPlan* plan, const thFrame* frame)
{
    const thFieldGrid* grid = &plan->floor->grid;
    const thGoalShape* parts = TH_ITEMS(plan->parts, thGoalShape);
    const float radius = thiRouteRadius(grid->space);
    plan->seeds.count = 0;
    plan->isTight = false;
    for (int32_t i = 0; i < plan->parts.count; ++i)
        TH_TRY(seedPart(plan, frame, &parts[i], SEED_SIDES * grid->nodes.side, 0.0f));
    plan->whyNone = thiWhyNoPath(frame, parts, plan->parts.count, grid->level,
                                 "no way leads from here to the goal that is wide enough");
    if (plan->seeds.count > 0)
        return th_resultOk;
    plan->isTight = true;
    const double reach = (double)radius * THRONG_UNITS_PER_METRE + NEARBY_SIDES * grid->nodes.side;
    for (int32_t i = 0; i < plan->parts.count; ++i)
        TH_TRY(seedPart(plan, frame, &parts[i], reach, radius));
    return th_resultOk;
}

// Without memory there are none.
static thResult seedPlan(thContinuumPlan* plan, const thFrame* frame)
{
    const thResult result = seedParts(plan, frame);
    if (result != th_resultOk)
        plan->seeds.count = 0;
    return result;
}

static thResult fitPlan(thContinuumPlans* plans, const thFrame* frame, thContinuumPlan* plan)
{
    if (plan->floor->grid.tooLarge)
        return th_resultOk;
    if (plan->potential.count == 0)
        TH_TRY(thiPotentialCreate(&plans->memory, &plan->floor->grid.nodes, &plan->potential));
    return plan->seeds.count == 0 ? seedPlan(plan, frame) : th_resultOk;
}

static void solvePlans(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const thContinuumPlans* plans = context;
    (void)worker;
    for (int32_t i = begin; i < end; ++i) {
        thContinuumPlan* plan = planAt(plans, i);
        plan->solved = th_resultOk;
        if (plan->potential.count > 0)
            plan->solved =
                thiPotentialSolve(&plan->potential, plan->floor->costs, thiLeastCost(&plans->def),
                                  TH_ITEMS(plan->seeds, thPotentialSeed), plan->seeds.count);
    }
}

static thResult makeAnew(thContinuumPlans* plans, const thFrame* frame, const thTasks* tasks)
{
    plans->builtAt = 0; // until all is done
    plans->isOwed = false;
    TH_TRY(choosePlans(plans));
    for (int32_t i = 0; i < plans->plans.count; ++i)
        TH_TRY(lookAtGoal(plans, frame, planAt(plans, i)));
    for (int32_t i = 0; i < plans->floors.count; ++i) {
        thContinuumFloor* floor = floorAt(plans, i);
        TH_TRY(fitGrid(plans, frame, floor));
        if (floor->grid.tooLarge)
            continue;
        thiCrowdCellsFill(&floor->cells, frame, floor->level);
        // The outermost nodes are never open.
        thTasks_ParallelFor(tasks, floor->rows, ROWS_AT_ONCE, fillRows, floor);
    }
    for (int32_t i = 0; i < plans->plans.count; ++i)
        TH_TRY(fitPlan(plans, frame, planAt(plans, i)));
    thTasks_ParallelFor(tasks, plans->plans.count, 1, solvePlans, plans);
    for (int32_t i = 0; i < plans->plans.count; ++i)
        TH_TRY(planAt(plans, i)->solved);
    plans->builtAt = frame->step + 1;
    return th_resultOk;
}

// After a load: what is not saved because it follows from the walls and goals, if these are still
// the same. Else all is made anew.
static thResult repay(thContinuumPlans* plans, const thFrame* frame, const thTasks* tasks)
{
    for (int32_t i = 0; i < plans->floors.count; ++i) {
        thContinuumFloor* floor = floorAt(plans, i);
        const int32_t columns = floor->columns, rows = floor->rows;
        const thPoint low = floor->low;
        if (floor->grid.space == NULL)
            TH_TRY(buildGrid(plans, frame, floor));
        if (floor->columns != columns || floor->rows != rows || floor->low.x != low.x ||
            floor->low.y != low.y) {
            freeGrid(plans, floor);
            return makeAnew(plans, frame, tasks);
        }
    }
    for (int32_t i = 0; i < plans->plans.count; ++i) {
        thContinuumPlan* plan = planAt(plans, i);
        TH_TRY(lookAtGoal(plans, frame, plan));
        if (!plan->floor->grid.tooLarge && plan->seeds.count == 0)
            TH_TRY(seedPlan(plan, frame));
    }
    plans->isOwed = false;
    return th_resultOk;
}

thResult thiPrepareContinuumPlans(thContinuumPlans* plans, const thFrame* frame,
                                  const thTasks* tasks)
{
    bool haveChanged;
    TH_TRY(askAround(plans, frame));
    TH_TRY(haveGoalsChanged(plans, frame, &haveChanged));
    // A step that is repeated may have another crowd.
    if (haveWallsChanged(plans, frame) || haveChanged || plans->builtAt == 0 ||
        plans->def.refresh == 1 || frame->step + 1 - plans->builtAt >= (uint64_t)plans->def.refresh)
        return makeAnew(plans, frame, tasks);
    return plans->isOwed ? repay(plans, frame, tasks) : th_resultOk;
}
