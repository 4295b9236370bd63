// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "draw/density_map.h"

#include <math.h>
#include <stdlib.h>

double appChooseCell(const Bounds* bounds)
{
    const double finest = 0.1, most = 600;
    const double spread = fmax(bounds->high.x - bounds->low.x, bounds->high.y - bounds->low.y);
    return fmax(finest, spread / most);
}

static double countAlong(double low, double high, double cell)
{
    return fmax(ceil((high - low) / cell), 1.0);
}

double appCountCells(const Bounds* bounds, double cell)
{
    return countAlong(bounds->low.x, bounds->high.x, cell) *
           countAlong(bounds->low.y, bounds->high.y, cell);
}

static size_t cellOf(const DensityMap* map, int32_t column, int32_t row)
{
    return (size_t)row * (size_t)map->ground.grid.columns + (size_t)column;
}

static size_t countAll(const DensityMap* map)
{
    return (size_t)map->ground.grid.columns * (size_t)map->ground.grid.rows;
}

// Takes from the ground what is asked for again and again.
static bool lookAtGround(DensityMap* map)
{
    const Grid* grid = &map->ground.grid;
    for (int32_t row = 0; row < grid->rows; ++row) {
        for (int32_t column = 0; column < grid->columns; ++column) {
            const size_t cell = cellOf(map, column, row);
            map->parts[cell] = (float)appWalkablePart(&map->ground, column, row);
            map->fineOf[cell] = appIsCrossed(&map->ground, column, row) ? map->fineCount++ : -1;
        }
    }
    map->fine = calloc((size_t)map->fineCount * appAllSpots + 1, sizeof *map->fine);
    return map->fine != NULL;
}

bool appCreateDensity(DensityMap* map, const Bounds* bounds, double cell, const Scenery* scenery)
{
    const Grid grid = {.low = bounds->low,
                       .cell = cell,
                       .columns = (int32_t)countAlong(bounds->low.x, bounds->high.x, cell),
                       .rows = (int32_t)countAlong(bounds->low.y, bounds->high.y, cell)};
    const size_t cells = (size_t)grid.columns * (size_t)grid.rows;
    *map = (DensityMap){.values = calloc(cells, sizeof *map->values),
                        .parts = malloc(cells * sizeof *map->parts),
                        .fineOf = malloc(cells * sizeof *map->fineOf)};
    return map->values != NULL && map->parts != NULL && map->fineOf != NULL &&
           appCreateGround(&map->ground, &grid, scenery) && lookAtGround(map);
}

void appFreeDensity(DensityMap* map)
{
    appFreeGround(&map->ground);
    free(map->values);
    free(map->parts);
    free(map->fineOf);
    free(map->fine);
    *map = (DensityMap){0};
}

void appCountPlace(DensityMap* map, thPlace place)
{
    const Grid* grid = &map->ground.grid;
    const double x = (place.x - grid->low.x) / grid->cell, column = floor(x);
    const double y = (place.y - grid->low.y) / grid->cell, row = floor(y);
    if (!(column >= 0 && column < grid->columns && row >= 0 && row < grid->rows))
        return;
    const size_t cell = cellOf(map, (int32_t)column, (int32_t)row);
    if (map->fineOf[cell] < 0) {
        map->values[cell] += 1.0f;
        return;
    }
    const size_t spot =
        (size_t)((y - row) * appSpots) * appSpots + (size_t)((x - column) * appSpots);
    map->fine[(size_t)map->fineOf[cell] * appAllSpots + spot] += 1.0f;
}

void appScaleDensity(DensityMap* map, double frames)
{
    const double cell = map->ground.grid.cell;
    const float factor = (float)(1.0 / (cell * cell * fmax(frames, 1.0)));
    for (size_t i = 0; i < countAll(map); ++i)
        map->values[i] *= factor;
    for (size_t i = 0; i < (size_t)map->fineCount * appAllSpots; ++i)
        map->fine[i] *= factor;
}

void appEndCounts(DensityMap* map)
{
    for (size_t i = 0; i < countAll(map); ++i) {
        for (size_t k = 0; map->fineOf[i] >= 0 && k < appAllSpots; ++k)
            map->values[i] += map->fine[(size_t)map->fineOf[i] * appAllSpots + k];
        if (map->parts[i] > 0.0f)
            map->values[i] /= fmaxf(map->parts[i], 0.25f);
    }
}

double appDensityAt(const DensityMap* map, int32_t column, int32_t row)
{
    const Grid* grid = &map->ground.grid;
    const size_t cell = cellOf(map, column, row);
    if (map->parts[cell] > 0.0f)
        return (double)map->values[cell];
    double sum = 0.0, count = 0.0;
    for (int32_t y = row > 0 ? row - 1 : 0; y <= row + 1 && y < grid->rows; ++y)
        for (int32_t x = column > 0 ? column - 1 : 0; x <= column + 1 && x < grid->columns; ++x)
            if (map->parts[cellOf(map, x, y)] > 0.0f) {
                sum += (double)map->values[cellOf(map, x, y)];
                count += 1.0;
            }
    return count > 0.0 ? sum / count : (double)map->values[cell];
}

double appGreatestDensity(const DensityMap* map)
{
    float greatest = 0.0f;
    for (size_t i = 0; i < countAll(map); ++i)
        if (map->parts[i] > 0.0f)
            greatest = fmaxf(greatest, map->values[i]);
    return (double)greatest;
}
