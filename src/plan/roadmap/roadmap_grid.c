// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Square cells: one is free if the disc can stand at its centre, and joined to a neighbour if the
// disc can walk to that one's centre straight. Diagonals also need the two cells beside them, and
// the ways round by these: nobody cuts corners.

#include "plan/roadmap/roadmap_graph.h"

#include <string.h>

#define GRAIN 4 // rows

typedef struct Marking {
    const thRoadmapBuild* build;
    thRoadmapCells cells;
    uint8_t* marks;
} Marking;

static void markNodes(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    const Marking* marking = context;
    const thRoadmapCells* cells = &marking->cells;
    for (int32_t cell = begin * cells->columns; cell < end * cells->columns; ++cell)
        if (thiIsClearPlace(marking->build->space, thiCellCentre(cells, cell), 0.0f))
            marking->marks[cell] |= th_cellNode;
}

static bool canWalk(const Marking* marking, int32_t from, int32_t to)
{
    return (marking->marks[from] & th_cellNode) != 0 && (marking->marks[to] & th_cellNode) != 0 &&
           thiIsClearWay(marking->build->space, thiCellCentre(&marking->cells, from),
                         thiCellCentre(&marking->cells, to), 0.0f);
}

// Each row writes its own marks, and reads only which cells are nodes.
static void markStraight(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    const Marking* marking = context;
    const int32_t columns = marking->cells.columns;
    for (int32_t row = begin; row < end; ++row)
        for (int32_t column = 0; column < columns; ++column) {
            const int32_t cell = row * columns + column;
            int32_t ways = 0;
            if (column + 1 < columns && canWalk(marking, cell, cell + 1))
                ways |= th_cellEast;
            if (row + 1 < marking->cells.rows && canWalk(marking, cell, cell + columns))
                ways |= th_cellNorth;
            marking->marks[cell] = (uint8_t)(marking->marks[cell] | ways);
        }
}

static bool has(const Marking* marking, int32_t cell, int32_t way)
{
    return (marking->marks[cell] & way) != 0;
}

// Both ways round the square whose lower left cell is given are open.
static bool isOpenSquare(const Marking* marking, int32_t cell)
{
    const int32_t columns = marking->cells.columns;
    return has(marking, cell, th_cellEast) && has(marking, cell, th_cellNorth) &&
           has(marking, cell + 1, th_cellNorth) && has(marking, cell + columns, th_cellEast);
}

static void markDiagonals(const Marking* marking)
{
    const int32_t columns = marking->cells.columns;
    for (int32_t row = 0; row + 1 < marking->cells.rows; ++row)
        for (int32_t column = 0; column + 1 < columns; ++column) {
            const int32_t cell = row * columns + column;
            if (!isOpenSquare(marking, cell))
                continue;
            if (canWalk(marking, cell, cell + columns + 1))
                marking->marks[cell] |= th_cellNorthEast;
            if (canWalk(marking, cell + 1, cell + columns))
                marking->marks[cell + 1] |= th_cellNorthWest;
        }
}

thResult thiMakeGridRoadmap(const thRoadmapBuild* build)
{
    Marking marking = {.build = build, .cells = thiRoadmapCells(build)};
    const int32_t count = thiCellCount(&marking.cells);
    if (count == 0)
        return thiRouteGraphConnect(build->graph, NULL, 0);
    marking.marks = thiAllocateZero(build->memory, (size_t)count);
    if (marking.marks == NULL)
        return th_resultNoMemory;
    thTasks_ParallelFor(build->tasks, marking.cells.rows, GRAIN, markNodes, &marking);
    thTasks_ParallelFor(build->tasks, marking.cells.rows, GRAIN, markStraight, &marking);
    if (build->map->neighbors == 8)
        markDiagonals(&marking);
    const thResult code = thiConnectCells(build, &marking.cells, marking.marks);
    thiRelease(build->memory, marking.marks, (size_t)count);
    return code;
}
