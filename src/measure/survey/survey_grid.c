// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Sorts the people of a frame into cells, by the digits of the cells' keys.

#include "measure/survey/survey_grid.h"

#include "measure/survey/survey_internal.h"

#include <string.h>

#define DIGIT_BITS 11
#define DIGITS (1 << DIGIT_BITS)
// Keys of more bits would not leave room for the ones beside them.
#define MOST_BITS 60
// Cells are never smaller. [m]
#define LEAST_EDGE 1.0

// One pass: by one digit, from one place to the other.
static void sortByDigit(const thKeyed* from, thKeyed* to, int32_t count, int32_t shift)
{
    int32_t start[DIGITS] = {0};
    for (int32_t i = 0; i < count; ++i)
        start[from[i].key >> shift & (DIGITS - 1)] += 1;
    int32_t sum = 0;
    for (int32_t digit = 0; digit < DIGITS; ++digit) {
        const int32_t here = start[digit];
        start[digit] = sum;
        sum += here;
    }
    for (int32_t i = 0; i < count; ++i)
        to[start[from[i].key >> shift & (DIGITS - 1)]++] = from[i];
}

// Few items: no pass over all digits is worth it.
static void sortFew(thKeyed* items, int32_t count)
{
    for (int32_t i = 1; i < count; ++i) {
        const thKeyed item = items[i];
        int32_t at = i;
        for (; at > 0 && items[at - 1].key > item.key; --at)
            items[at] = items[at - 1];
        items[at] = item;
    }
}

void thiSortKeyed(thKeyed* items, thKeyed* scratch, int32_t count, int32_t bits)
{
    if (count <= 32) {
        sortFew(items, count);
        return;
    }
    thKeyed* from = items;
    thKeyed* to = scratch;
    for (int32_t shift = 0; shift < bits; shift += DIGIT_BITS) {
        sortByDigit(from, to, count, shift);
        thKeyed* swap = from;
        from = to;
        to = swap;
    }
    if (from != items)
        memcpy(items, from, (size_t)count * sizeof *items);
}

static const int32_t columnSizes[] = {sizeof(int32_t), sizeof(double),   sizeof(double),
                                      sizeof(double),  sizeof(uint64_t), sizeof(int32_t),
                                      sizeof(int32_t)};
enum { columnCount = sizeof columnSizes / sizeof columnSizes[0] };

thSurveyGrid thiSurveyGrid(thMemory* memory)
{
    thSurveyGrid grid = {.spread = LEAST_EDGE, .keyed = thiArray(memory, sizeof(thKeyed))};
    for (int32_t i = 0; i < columnCount; ++i)
        grid.columns[i] = thiArray(memory, columnSizes[i]);
    return grid;
}

void thiSurveyGridFree(thSurveyGrid* grid)
{
    for (int32_t i = 0; i < columnCount; ++i)
        thiArrayFree(&grid->columns[i]);
    thiArrayFree(&grid->keyed);
}

static thResult reserve(thSurveyGrid* grid, int32_t count)
{
    if (count > INT32_MAX / 4)
        return th_resultNoMemory;
    for (int32_t i = 0; i < columnCount; ++i)
        if (count + 1 > grid->columns[i].capacity)
            TH_TRY(thiArrayReserve(&grid->columns[i], count + count / 4 + 1));
    if (2 * count > grid->keyed.capacity)
        TH_TRY(thiArrayReserve(&grid->keyed, 2 * (count + count / 4)));
    grid->order = grid->columns[0].data;
    grid->x = grid->columns[1].data;
    grid->y = grid->columns[2].data;
    grid->radius = grid->columns[3].data;
    grid->cells = grid->columns[4].data;
    grid->starts = grid->columns[5].data;
    return th_resultOk;
}

typedef struct Extent {
    double lowX, lowY, highX, highY;
    int32_t highLevel;
    double mostRadius;
} Extent;

static Extent extentOf(const thSurveyPerson* persons, const thSurveyFrame* frame)
{
    Extent extent = {frame->x[0], frame->y[0], frame->x[0], frame->y[0], 0, 0.0};
    for (int32_t i = 0; i < frame->count; ++i) {
        const thRecordedPerson* about = &persons[frame->person[i]].about;
        extent.lowX = TH_MIN(extent.lowX, frame->x[i]);
        extent.lowY = TH_MIN(extent.lowY, frame->y[i]);
        extent.highX = TH_MAX(extent.highX, frame->x[i]);
        extent.highY = TH_MAX(extent.highY, frame->y[i]);
        extent.highLevel = TH_MAX(extent.highLevel, about->level);
        extent.mostRadius = TH_MAX(extent.mostRadius, (double)about->radius);
    }
    return extent;
}

// How many bits a number below `end` needs.
static int32_t bitsFor(uint64_t end)
{
    int32_t bits = 0;
    while (end - 1 > 0 && (end - 1) >> bits > 0)
        ++bits;
    return bits;
}

// Lays cells of an edge over the extent; returns how many bits their keys have.
static int32_t layCells(thSurveyGrid* grid, const Extent* extent, double edge)
{
    grid->cell = edge;
    grid->perMetre = 1.0 / edge;
    grid->lowX = extent->lowX;
    grid->lowY = extent->lowY;
    grid->cols = (uint64_t)((extent->highX - extent->lowX) / edge) + 1 + 2 * TH_GRID_MARGIN;
    grid->rows = (uint64_t)((extent->highY - extent->lowY) / edge) + 1 + 2 * TH_GRID_MARGIN;
    grid->colBits = bitsFor(grid->cols);
    return grid->colBits + bitsFor(grid->rows * (uint64_t)(extent->highLevel + 1));
}

static void sortPeople(thSurveyGrid* grid, const thSurveyPerson* persons,
                       const thSurveyFrame* frame, int32_t bits)
{
    thKeyed* keyed = grid->keyed.data;
    for (int32_t i = 0; i < frame->count; ++i) {
        const uint64_t level = (uint64_t)persons[frame->person[i]].about.level;
        const uint64_t row = level * grid->rows + thiGridRow(grid, frame->y[i]);
        keyed[i] = (thKeyed){thiGridKey(grid, row, thiGridColumn(grid, frame->x[i])), i};
    }
    thiSortKeyed(keyed, keyed + frame->count, frame->count, bits);
}

static void listCells(thSurveyGrid* grid, const thSurveyPerson* persons, const thSurveyFrame* frame)
{
    const thKeyed* keyed = grid->keyed.data;
    grid->cellCount = 0;
    for (int32_t i = 0; i < frame->count; ++i) {
        const int32_t who = (int32_t)keyed[i].index;
        grid->order[i] = who;
        grid->x[i] = frame->x[who];
        grid->y[i] = frame->y[who];
        grid->radius[i] = (double)persons[frame->person[who]].about.radius;
        if (i == 0 || keyed[i].key != keyed[i - 1].key) {
            grid->cells[grid->cellCount] = keyed[i].key;
            grid->starts[grid->cellCount++] = i;
        }
    }
    grid->cells[grid->cellCount] = UINT64_MAX;
    grid->starts[grid->cellCount] = frame->count;
}

// A table of all cells, where there are not far more of them than people.
static thResult fillTable(thSurveyGrid* grid, uint64_t rowCount)
{
    grid->table = NULL;
    const uint64_t most = 4 * (uint64_t)grid->count + 1024;
    if (rowCount > most || rowCount * grid->cols > most)
        return th_resultOk;
    const int32_t size = (int32_t)(rowCount * grid->cols);
    thArray* column = &grid->columns[columnCount - 1];
    if (size >= column->capacity)
        TH_TRY(thiArrayReserve(column, size + size / 4 + 1));
    grid->table = column->data;
    int32_t at = 0;
    for (int32_t cell = 0; cell < grid->cellCount; ++cell) {
        const uint64_t key = grid->cells[cell];
        const uint64_t along = key & ((UINT64_C(1) << grid->colBits) - 1);
        const int32_t place = (int32_t)((key >> grid->colBits) * grid->cols + along);
        while (at <= place)
            grid->table[at++] = grid->starts[cell];
    }
    while (at <= size)
        grid->table[at++] = grid->count;
    return th_resultOk;
}

// Crowds change little from frame to frame: what edge suits one suits the next.
static void adaptSpread(thSurveyGrid* grid)
{
    if (grid->count < 64)
        return;
    if (grid->cellCount > grid->count / 4 * 3)
        grid->spread = grid->cell * 2.0;
    else if (grid->cellCount < grid->count / 8)
        grid->spread = TH_MAX(grid->spread / 2.0, LEAST_EDGE);
}

thResult thiSurveyGridBuild(thSurveyGrid* grid, const thSurveyPerson* persons,
                            const thSurveyFrame* frame)
{
    TH_TRY(reserve(grid, frame->count));
    grid->count = frame->count;
    grid->cellCount = 0;
    grid->cells[0] = UINT64_MAX;
    grid->starts[0] = 0;
    grid->table = NULL;
    if (frame->count == 0)
        return th_resultOk;
    const Extent extent = extentOf(persons, frame);
    grid->mostRadius = extent.mostRadius;
    // A little more than twice the radius: where a place is put may be off by a rounding.
    double edge = TH_MAX(grid->spread, 2.01 * extent.mostRadius);
    int32_t bits;
    while ((bits = layCells(grid, &extent, edge)) > MOST_BITS)
        edge *= 2.0;
    sortPeople(grid, persons, frame, bits);
    listCells(grid, persons, frame);
    TH_TRY(fillTable(grid, grid->rows * (uint64_t)(extent.highLevel + 1)));
    adaptSpread(grid);
    return th_resultOk;
}

int32_t thiGridFind(const thSurveyGrid* grid, uint64_t key, int32_t low, int32_t high)
{
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (grid->cells[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
