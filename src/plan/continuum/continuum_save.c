// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Saving and loading of potentials that stay in use for more than a step, in little-endian words.
// Those that are made anew in every step follow from the frame: of them nothing is kept.

#include "base/hash.h"
#include "geom/fixed.h"
#include "plan/continuum/continuum_plans.h"

#include <math.h>

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

// A whole number from `least` to `most`.
static thResult readNumber(thReader* from, int64_t least, int64_t most, int64_t* number)
{
    uint64_t word;
    TH_TRY(readWord(from, &word));
    *number = (int64_t)word;
    return *number >= least && *number <= most ? th_resultOk : th_resultDamaged;
}

static thResult readCount(thReader* from, int64_t most, int32_t* count)
{
    int64_t number;
    TH_TRY(readNumber(from, 0, most, &number));
    *count = (int32_t)number;
    return th_resultOk;
}

static thResult writeFloats(thWriter* to, const float* values, int32_t count)
{
    for (int32_t i = 0; i < count; ++i)
        TH_TRY(writeWord(to, thiFloatBits(values[i])));
    return th_resultOk;
}

// None is NaN.
static thResult readFloats(thReader* from, float* values, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        uint64_t word;
        TH_TRY(readWord(from, &word));
        values[i] = thiFloatFromBits((uint32_t)word);
        if (word > UINT32_MAX || values[i] != values[i])
            return th_resultDamaged;
    }
    return th_resultOk;
}

static thResult saveFloor(const thContinuumFloor* floor, thWriter* to)
{
    const thCrowdCells* cells = &floor->cells;
    const int64_t numbers[] = {floor->level,     floor->size,      floor->box.lowX, floor->box.lowY,
                               floor->box.highX, floor->box.highY, floor->low.x,    floor->low.y,
                               floor->columns,   floor->rows};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i)
        TH_TRY(writeWord(to, (uint64_t)numbers[i]));
    TH_TRY(writeWord(to, floor->walls));
    TH_TRY(writeFloats(to, cells->density, cells->count));
    TH_TRY(writeFloats(to, cells->flowX, cells->count));
    TH_TRY(writeFloats(to, cells->flowY, cells->count));
    return writeFloats(to, cells->discomfort, cells->count);
}

static int32_t indexOfFloor(const thContinuumPlans* plans, const thContinuumFloor* floor)
{
    int32_t index = 0;
    while (TH_ITEMS(plans->floors, thContinuumFloor*)[index] != floor)
        index += 1;
    return index;
}

static thResult savePlan(const thContinuumPlans* plans, const thContinuumPlan* plan, thWriter* to)
{
    const thPotential* potential = &plan->potential;
    TH_TRY(writeWord(to, (uint64_t)indexOfFloor(plans, plan->floor)));
    TH_TRY(writeWord(to, (uint64_t)plan->goal));
    TH_TRY(writeWord(to, plan->goalId));
    TH_TRY(writeWord(to, plan->shapes));
    TH_TRY(writeFloats(to, potential->cost, potential->count));
    TH_TRY(writeFloats(to, potential->left, potential->count));
    for (int32_t i = 0; i < potential->count; ++i)
        TH_TRY(writeWord(to, potential->via[i]));
    return th_resultOk;
}

thResult thiSaveContinuumPlans(const thContinuumPlans* plans, thWriter* to)
{
    const bool isKept = plans->def.refresh > 1 && plans->builtAt > 0;
    TH_TRY(writeWord(to, isKept ? plans->builtAt : 0));
    if (!isKept)
        return th_resultOk;
    TH_TRY(writeWord(to, (uint64_t)plans->floors.count));
    for (int32_t i = 0; i < plans->floors.count; ++i)
        TH_TRY(saveFloor(TH_ITEMS(plans->floors, thContinuumFloor*)[i], to));
    TH_TRY(writeWord(to, (uint64_t)plans->plans.count));
    for (int32_t i = 0; i < plans->plans.count; ++i)
        TH_TRY(savePlan(plans, TH_ITEMS(plans->plans, thContinuumPlan*)[i], to));
    return th_resultOk;
}

static thResult loadCells(thContinuumPlans* plans, thContinuumFloor* floor, thReader* from)
{
    thCrowdCells* cells = &floor->cells;
    TH_TRY(thiCrowdCellsCreate(&plans->memory, &floor->grid.nodes, &plans->def, cells));
    TH_TRY(readFloats(from, cells->density, cells->count));
    TH_TRY(readFloats(from, cells->flowX, cells->count));
    TH_TRY(readFloats(from, cells->flowY, cells->count));
    return readFloats(from, cells->discomfort, cells->count);
}

static thResult loadFloor(thContinuumPlans* plans, thReader* from)
{
    enum { level, size, boxLowX, boxLowY, boxHighX, boxHighY, lowX, lowY, columns, rows, count };
    const int64_t far = TH_CONTINUUM_FAR;
    const int64_t largest = (int64_t)(TH_CONTINUUM_LARGEST / TH_CONTINUUM_SIZE);
    int64_t numbers[count];
    for (int32_t i = 0; i < count; ++i)
        TH_TRY(readNumber(from,
                          i < boxLowX || i >= columns ? 0
                          : i < lowX                  ? -far
                                                      : -INT32_MAX,
                          i < boxLowX || i >= lowX ? INT32_MAX : far, &numbers[i]));
    if (numbers[level] > UINT16_MAX || numbers[size] > largest ||
        numbers[boxLowX] > numbers[boxHighX] || numbers[boxLowY] > numbers[boxHighY] ||
        numbers[columns] > plans->def.cells || numbers[rows] > plans->def.cells ||
        numbers[columns] * numbers[rows] > plans->def.cells ||
        (numbers[columns] == 0) != (numbers[rows] == 0))
        return th_resultDamaged;
    thContinuumFloor* floor = thiAddContinuumFloor(plans, (int32_t)numbers[level]);
    if (floor == NULL)
        return th_resultNoMemory;
    floor->size = (int32_t)numbers[size];
    floor->box =
        (thFieldBox){numbers[boxLowX], numbers[boxLowY], numbers[boxHighX], numbers[boxHighY]};
    floor->low = (thPoint){(int32_t)numbers[lowX], (int32_t)numbers[lowY]};
    floor->columns = (int32_t)numbers[columns];
    floor->rows = (int32_t)numbers[rows];
    floor->grid.memory = &plans->memory;
    floor->grid.nodes = (thNodeGrid){.low = floor->low,
                                     .side = TH_MAX(thiUnits(plans->def.cell), 2),
                                     .columns = floor->columns,
                                     .rows = floor->rows};
    TH_TRY(readWord(from, &floor->walls));
    return floor->columns > 0 ? loadCells(plans, floor, from) : th_resultOk;
}

// The outermost nodes have no neighbours on all sides, and no path.
static bool isOutermost(const thNodeGrid* nodes, int32_t node)
{
    const int32_t column = node % nodes->columns, row = node / nodes->columns;
    return column == 0 || row == 0 || column == nodes->columns - 1 || row == nodes->rows - 1;
}

static thResult loadPotential(thContinuumPlans* plans, thContinuumPlan* plan, thReader* from)
{
    thPotential* potential = &plan->potential;
    TH_TRY(thiPotentialCreate(&plans->memory, &plan->floor->grid.nodes, potential));
    TH_TRY(readFloats(from, potential->cost, potential->count));
    TH_TRY(readFloats(from, potential->left, potential->count));
    for (int32_t i = 0; i < potential->count; ++i) {
        int64_t via;
        TH_TRY(readNumber(from, 0, 2 * th_isKnown - 1, &via));
        if (via != 0 && isOutermost(&plan->floor->grid.nodes, i))
            return th_resultDamaged;
        potential->via[i] = (uint8_t)via;
    }
    return th_resultOk;
}

static thResult loadPlan(thContinuumPlans* plans, thReader* from)
{
    int32_t floor, goal;
    TH_TRY(readCount(from, (int64_t)plans->floors.count - 1, &floor));
    TH_TRY(readCount(from, INT32_MAX, &goal));
    thContinuumPlan* plan =
        thiAddContinuumPlan(plans, TH_ITEMS(plans->floors, thContinuumFloor*)[floor], goal);
    if (plan == NULL)
        return th_resultNoMemory;
    TH_TRY(readWord(from, &plan->goalId));
    TH_TRY(readWord(from, &plan->shapes));
    return plan->floor->columns > 0 ? loadPotential(plans, plan, from) : th_resultOk;
}

thResult thiLoadContinuumPlans(thContinuumPlans* plans, thReader* from)
{
    int32_t count;
    TH_TRY(readWord(from, &plans->builtAt));
    if (plans->builtAt == 0)
        return th_resultOk;
    plans->isOwed = true;
    TH_TRY(readCount(from, plans->def.fields, &count));
    for (int32_t i = 0; i < count; ++i)
        TH_TRY(loadFloor(plans, from));
    TH_TRY(readCount(from, plans->floors.count > 0 ? plans->def.fields : 0, &count));
    for (int32_t i = 0; i < count; ++i)
        TH_TRY(loadPlan(plans, from));
    return th_resultOk;
}
