// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How many people to a square metre of ground, in square cells.

#ifndef THRONG_APPS_DENSITY_MAP_H
#define THRONG_APPS_DENSITY_MAP_H

#include "draw/map.h"

// --- Ground ---

// The ground below square cells: what of them can be walked on, and which walls pass through them.

// Square cells over a place, row by row.
typedef struct Grid {
    thPlace low; // corner of the first cell [m]
    double cell; // edge [m]
    int32_t columns, rows;
} Grid;

// A cell is looked at in so many places a side.
enum { appSpots = 8, appAllSpots = appSpots * appSpots };

// A piece of a wall, or of the outline of a room or solid. [m]
typedef struct GroundEdge {
    thPlace a, b;
} GroundEdge;

typedef struct Ground {
    Grid grid;
    GroundEdge* edges;
    int32_t edgeCount;
    uint64_t* walkable;  // by cell: a bit for each of its spots
    int64_t* firstOfs;   // by cell, and one more: where its edges begin in the list
    int32_t* edgesOf;    // the edges that touch each cell
    int32_t* crossedSum; // how many cells that edges touch are left of and below each corner
} Ground;

// --- Density ---

enum { appMostCells = 8000000 };

typedef struct DensityMap {
    Ground ground;   // with the grid of all arrays
    float* values;   // by cell: sums, then means [1/m²]
    float* parts;    // by cell: how much of it can be walked on [0 .. 1]
    int32_t* fineOf; // by cell: which of the cells with edges it is [-1: none]
    int32_t fineCount;
    float* fine; // sums of each spot of cells with edges, where a cell has more than one side
} DensityMap;

// The edge of cells for a place of that size; more than appMostCells are never needed. [m]
double appChooseCell(const Bounds* bounds);
double appCountCells(const Bounds* bounds, double cell);

// Cells over the bounds, all 0. False when memory is out.
bool appCreateDensity(DensityMap* map, const Bounds* bounds, double cell, const Scenery* scenery);
void appFreeDensity(DensityMap* map);

// Somebody is in a cell; places outside count in no cell.
void appCountPlace(DensityMap* map, thPlace place);

// From counts of so many frames to means. One of the next two ends it.
void appScaleDensity(DensityMap* map, double frames);

// People in cells, to the square metre that can be walked on; of that at least a quarter of a cell,
// so that heads that lean into a corner make no peak.
void appEndCounts(DensityMap* map);

// Spreads everybody over a Gaussian: over that ground of the map that can be reached in a straight
// line, so that everybody counts as one. Who stands in a wall is spread from the nearest ground;
// where there is none near, over everything. [deviation: m] False when memory is out.
bool appSmoothDensity(DensityMap* map, double deviation);

// The density of a cell; where there is no ground, that of the ground around it.
double appDensityAt(const DensityMap* map, int32_t column, int32_t row);
double appGreatestDensity(const DensityMap* map);

#endif
