// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How many people to a square metre, in square cells.

#ifndef THRONG_APPS_DENSITY_MAP_H
#define THRONG_APPS_DENSITY_MAP_H

#include "map.h"

enum { appMostCells = 8000000 };

typedef struct DensityMap {
    thPlace low; // corner of the first cell [m]
    double cell; // edge [m]
    int32_t columns, rows;
    float* values; // row by row: sums, then means [1/m²]
} DensityMap;

// The edge of cells for a place of that size; more than appMostCells are never needed. [m]
double appChooseCell(const Bounds* bounds);
double appCountCells(const Bounds* bounds, double cell);

// Cells over the bounds, all 0. False when memory is out.
bool appCreateDensity(DensityMap* map, const Bounds* bounds, double cell);
void appFreeDensity(DensityMap* map);

// Somebody is in a cell; places outside count in no cell.
void appCountPlace(DensityMap* map, thPlace place);

// From counts of so many frames to the mean density.
void appScaleDensity(DensityMap* map, double frames);

// Spreads everybody over a Gaussian. Nobody is lost: what would fall outside stays at the border.
// [deviation: m] False when memory is out.
bool appSmoothDensity(DensityMap* map, double deviation);

double appGreatestDensity(const DensityMap* map);

#endif
