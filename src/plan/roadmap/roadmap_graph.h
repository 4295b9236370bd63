// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// From a roadmap as it was described to the graph of one floor and one class of radii: nodes where
// the disc can stand, edges where it can walk straight. Graphs depend on walls, radius and seed
// alone, not on the number of workers.

#ifndef THRONG_SRC_PLAN_ROADMAP_GRAPH_H
#define THRONG_SRC_PLAN_ROADMAP_GRAPH_H

#include "plan/route/route_graph.h"
#include "plan/route/route_space.h"
#include "throng/method.h"
#include "throng/tasks.h"

// What a graph is made from and into.
typedef struct thRoadmapBuild {
    const thRoadmap* map;
    const thFrame* frame;
    const thRouteSpace* space; // of the roadmap's floor
    const thTasks* tasks;
    thRouteGraph* graph; // empty
    thMemory* memory;    // the graph's
} thRoadmapBuild;

thResult thiMakeRoadmapGraph(const thRoadmapBuild* build);

// Parts of it: one for each kind.
thResult thiMakeGivenRoadmap(const thRoadmapBuild* build);
thResult thiMakeGridRoadmap(const thRoadmapBuild* build);
thResult thiMakeRandomRoadmap(const thRoadmapBuild* build);
thResult thiMakeMedialRoadmap(const thRoadmapBuild* build);

// Adds a node that is a place. Room for it must be there.
void thiAddRoadmapPlace(thRouteGraph* graph, thPoint place);

// The box that a rule works in: its own, or that of the floor's walls. False if there is none.
bool thiRoadmapBox(const thRoadmapBuild* build, thPoint* low, thPoint* high);

// Square cells in rows, from low x and y on.
typedef struct thRoadmapCells {
    thPoint low;           // the centre of the first one [units]
    int32_t side;          // [units]
    int32_t columns, rows; // 0: no cells
} thRoadmapCells;

// The cells of a rule: none without a box, or if they would be more than allowed.
thRoadmapCells thiRoadmapCells(const thRoadmapBuild* build);

static inline int32_t thiCellCount(const thRoadmapCells* cells)
{
    return cells->columns * cells->rows;
}

static inline thPoint thiCellCentre(const thRoadmapCells* cells, int32_t cell)
{
    // In 64 bits: a box may be wider than 32 bits of units.
    const int64_t column = cell % cells->columns, row = cell / cells->columns;
    return (thPoint){(int32_t)(cells->low.x + column * cells->side),
                     (int32_t)(cells->low.y + row * cells->side)};
}

// Ways from a cell to its neighbours; the other four are those of other cells.
enum {
    th_cellNode = 1 << 0, // it is a node itself
    th_cellEast = 1 << 1,
    th_cellNorth = 1 << 2,
    th_cellNorthEast = 1 << 3,
    th_cellNorthWest = 1 << 4,
};

// Makes nodes and edges from the marks of all cells. Marks of ways lead to nodes.
thResult thiConnectCells(const thRoadmapBuild* build, const thRoadmapCells* cells,
                         const uint8_t* marks);

#endif
