// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How many people to a square metre of ground, in square cells.

#ifndef THRONG_APPS_DENSITY_MAP_H
#define THRONG_APPS_DENSITY_MAP_H

#include "draw/ground.h"

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

// Spreads everybody over a Gaussian: over that ground of the map to which a straight way leads, so
// that everybody counts as one. Who stands in a wall is spread from the nearest ground; where there
// is none near, over everything. [deviation: m] False when memory is out.
bool appSmoothDensity(DensityMap* map, double deviation);

// The density of a cell; where there is no ground, that of the ground around it.
double appDensityAt(const DensityMap* map, int32_t column, int32_t row);
double appGreatestDensity(const DensityMap* map);

#endif
