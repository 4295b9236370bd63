// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The people of a frame by place: sorted into square cells by floor, row of cells, cell.
//
// Only cells with somebody in them exist, so that it does not matter how far people are apart.

#ifndef THRONG_SRC_MEASURE_SURVEY_GRID_H
#define THRONG_SRC_MEASURE_SURVEY_GRID_H

#include "base/memory.h"

// A key to sort by, and what it belongs to.
typedef struct thKeyed {
    uint64_t key;
    int64_t index;
} thKeyed;

// Sorts by the low `bits` of keys, beyond which there must be none; equal ones stay in their order.
// `scratch` has room for `count`.
void thiSortKeyed(thKeyed* items, thKeyed* scratch, int32_t count, int32_t bits);

// Empty rows of cells between floors, and about the grid: cells beside a cell are never those of
// another floor, or none.
#define TH_GRID_MARGIN 1

// People from one place in the order of cells to another.
typedef struct thGridRange {
    int32_t begin, end;
} thGridRange;

typedef struct thSurveyGrid {
    double cell;       // length of a cell's edge [m]; at least 1 m and twice the largest radius
    double perMetre;   // cells in a metre
    double spread;     // edges are that long because people are far apart [m]
    double lowX, lowY; // the low corner of the first cell [m]
    uint64_t rows;     // of a floor
    uint64_t cols;
    int32_t colBits; // a cell's key is row << colBits | column
    int32_t count;   // people
    int32_t cellCount;
    double mostRadius; // of these people [m]
    int32_t* order;    // whom of the frame each one is, in the order of cells
    double* x;         // in that order too [m]
    double* y;         // [m]
    double* radius;    // [m]
    uint64_t* cells;   // keys of cells, ascending; after the last one UINT64_MAX
    int32_t* starts;   // of each cell the first one in `order`; after the last cell `count`
    // Where each cell begins, also of cells with nobody; NULL when there are far more of these.
    int32_t* table;
    thArray columns[7]; // where these live
    thArray keyed;      // thKeyed, twice as many as people
} thSurveyGrid;

thSurveyGrid thiSurveyGrid(thMemory* memory);
void thiSurveyGridFree(thSurveyGrid* grid);

struct thSurveyPerson;
struct thSurveyFrame;
thResult thiSurveyGridBuild(thSurveyGrid* grid, const struct thSurveyPerson* persons,
                            const struct thSurveyFrame* frame);

// Which of `count` cells in a line; places beyond the grid belong to the empty cells at its ends.
static inline uint64_t thiGridCell(double offset, double perMetre, uint64_t count)
{
    const double cell = offset * perMetre + TH_GRID_MARGIN, last = (double)(int64_t)(count - 1);
    const double notLow = cell > 0.0 ? cell : 0.0; // in this form without branches
    return (uint64_t)(int64_t)(notLow < last ? notLow : last);
}

// The row of a floor that holds y, counted from the floor's first one.
static inline uint64_t thiGridRow(const thSurveyGrid* grid, double y)
{
    return thiGridCell(y - grid->lowY, grid->perMetre, grid->rows);
}

static inline uint64_t thiGridColumn(const thSurveyGrid* grid, double x)
{
    return thiGridCell(x - grid->lowX, grid->perMetre, grid->cols);
}

static inline uint64_t thiGridKey(const thSurveyGrid* grid, uint64_t row, uint64_t column)
{
    return row << grid->colBits | column;
}

// The first of the cells low .. high − 1 whose key is not less; high if there is none.
int32_t thiGridFind(const thSurveyGrid* grid, uint64_t key, int32_t low, int32_t high);

// The people in some columns of a row.
static inline thGridRange thiGridRange(const thSurveyGrid* grid, uint64_t row, uint64_t fromColumn,
                                       uint64_t toColumn)
{
    if (grid->table != NULL) {
        const int32_t* starts = grid->table + row * grid->cols;
        return (thGridRange){starts[fromColumn], starts[toColumn + 1]};
    }
    const int32_t first = thiGridFind(grid, thiGridKey(grid, row, fromColumn), 0, grid->cellCount);
    const int32_t end =
        thiGridFind(grid, thiGridKey(grid, row, toColumn) + 1, first, grid->cellCount);
    return (thGridRange){grid->starts[first], grid->starts[end]};
}

#endif
