// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The grid: sorts agents into cells and finds the rows of a range of cells. Nothing that is
// computed from a grid may depend on its cells: they follow density and change from step to step.
//
// Small and large bodies have a map of cells each. A map lies over the bounding box of its agents,
// floor above floor; agents outside belong to the nearest cell, so border cells reach to infinity.
// Cells of one grid row follow each other in memory, and so do their agents:
//
//     grid row = map's first row + floor index · rows of a floor + cell row
//     rows of cells c0 .. c1 of a grid row  =  [start(c0), start(c1 + 1))
//
// Cells are higher than wide: a search looks at the rows of cells above and below its own, and at
// as many cells to the left and right as make up the same distance. Narrow ones waste less there.
//
// A dense map has a table of all cells; where that would be too large, each grid row has a sorted
// list of its occupied cells instead. Cells with too many agents get a tree (cell_tree.h).

#ifndef THRONG_SRC_SPACE_GRID_H
#define THRONG_SRC_SPACE_GRID_H

#include "base/memory.h"
#include "space/cell_tree.h"
#include "space/rows.h"
#include "throng/simd.h"
#include "throng/tasks.h"

// Height of a cell in widths, where memory allows so many grid rows.
#define TH_CELL_ASPECT 4

// A cell with more agents than this has a tree.
#define TH_CROWDED 64

typedef struct thCellMap {
    int32_t minX, minY;           // units
    uint32_t width, height;       // of a cell, units
    uint32_t perWidth, perHeight; // floor(2^32 / width), floor(2^32 / height)
    int32_t aside;                // cells side by side that are at least as wide as one is high
    int32_t columns;
    int32_t rowsPerLevel;
    int32_t firstGridRow;
    bool dense;
    int64_t firstCell;  // dense: of its first grid row in cellStart; columns + 1 entries a grid row
    int32_t agentCount; // rows sorted into it
} thCellMap;

typedef enum thSizeClass { th_sizeSmall, th_sizeLarge, th_sizeClassCount } thSizeClass;

typedef struct thGridWorker thGridWorker;

typedef struct thGrid {
    thMemory* memory;
    thCellMap maps[th_sizeClassCount];
    thArray levels;       // uint16_t, ascending: the floors in use
    int32_t gridRowCount; // of both maps
    int32_t sortedCount;  // rows that were sorted; rows from here on were appended since
    int32_t smallCount;   // the first of them are small bodies
    bool surveyed;
    thArray bucketStart; // int32_t per grid row + 1: its first row
    thArray cellStart;   // int32_t: dense tables
    thArray cellColumn;  // int32_t by row: occupied cells of sparse maps, from bucketStart on
    thArray cellFirst;   // int32_t by row: the first row of each of them
    thArray cellCount;   // int32_t per grid row: how many occupied cells a sparse one has
    thArray chunkCounts; // int32_t: chunks × grid rows
    int32_t* order;      // by row: old row of each new one; lent to others between sorts
    int32_t capacity;
    thArray workers; // thGridWorker
    thCellTrees trees;
    float maxRadius;  // of all bodies
    bool plainLayers; // everybody takes notice of everybody
    bool uniform;     // everybody has the same radius and gives way alike
    bool someHold;    // somebody holds its place
} thGrid;

thResult thiGridInit(thGrid* grid, thMemory* memory, int32_t workerCount);
void thiGridFree(thGrid* grid);

size_t thiGridBytes(const thGrid* grid);

// Room for sorting that many rows.
thResult thiGridReserve(thGrid* grid, int32_t capacity);

// Sorts the living rows of `from` into `to`, which has room for them, and remembers the cells.
// Allocates only while the world's extent, density or crowding changes; th_resultNoMemory leaves
// `from` as it was and the grid without rows.
thResult thiGridSort(thGrid* grid, const thRows* from, thRows* to, thSimd simd,
                     const thTasks* tasks);

// Calls `visit` for row ranges that together hold every row of `level` that stood within a box when
// the grid was sorted (and others); rows added since are not among them. [units, bounds included]
typedef void thRowRangeFcn(void* context, int32_t begin, int32_t end);
void thiGridVisit(const thGrid* grid, int32_t level, int32_t lowX, int32_t lowY, int32_t highX,
                  int32_t highY, thRowRangeFcn* visit, void* context);

static inline int32_t thiGridSortedCount(const thGrid* grid)
{
    return grid->sortedCount;
}

// Cell of a coordinate along one axis; what lies outside belongs to the first or the last one.
static inline int32_t thiCellAlong(int32_t low, int32_t at, uint32_t size, uint32_t inverse,
                                   int32_t limit)
{
    if (at <= low)
        return 0;
    const uint32_t offset = (uint32_t)at - (uint32_t)low; // up to 60 km: more than INT32_MAX
    uint32_t cell = (uint32_t)((uint64_t)offset * inverse >> 32);
    if (offset - cell * size >= size)
        cell += 1; // the inverse is rounded down: one too few at most
    return cell >= (uint32_t)limit ? limit - 1 : (int32_t)cell;
}

static inline int32_t thiCellColumn(const thCellMap* map, int32_t x)
{
    return thiCellAlong(map->minX, x, map->width, map->perWidth, map->columns);
}

// Within a floor.
static inline int32_t thiCellRow(const thCellMap* map, int32_t y)
{
    return thiCellAlong(map->minY, y, map->height, map->perHeight, map->rowsPerLevel);
}

// Index of a floor, -1 if nobody is on it.
int32_t thiLevelIndex(const thGrid* grid, int32_t level);

// The rows of cells `first` to `last` of a grid row.
void thiGridRun(const thGrid* grid, const thCellMap* map, int32_t gridRow, int32_t first,
                int32_t last, int32_t* begin, int32_t* end);

// The grid row a sorted row stands in.
int32_t thiGridRowOf(const thGrid* grid, int32_t row);

#endif
