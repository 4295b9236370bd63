// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "density_map.h"

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

bool appCreateDensity(DensityMap* map, const Bounds* bounds, double cell)
{
    *map = (DensityMap){.low = bounds->low,
                        .cell = cell,
                        .columns = (int32_t)countAlong(bounds->low.x, bounds->high.x, cell),
                        .rows = (int32_t)countAlong(bounds->low.y, bounds->high.y, cell)};
    map->values = calloc((size_t)map->columns * (size_t)map->rows, sizeof *map->values);
    return map->values != NULL;
}

void appFreeDensity(DensityMap* map)
{
    free(map->values);
    *map = (DensityMap){0};
}

void appCountPlace(DensityMap* map, thPlace place)
{
    const double column = floor((place.x - map->low.x) / map->cell);
    const double row = floor((place.y - map->low.y) / map->cell);
    if (column >= 0 && column < map->columns && row >= 0 && row < map->rows)
        map->values[(size_t)row * (size_t)map->columns + (size_t)column] += 1.0f;
}

void appScaleDensity(DensityMap* map, double frames)
{
    const float factor = (float)(1.0 / (map->cell * map->cell * fmax(frames, 1.0)));
    for (size_t i = 0; i < (size_t)map->columns * (size_t)map->rows; ++i)
        map->values[i] *= factor;
}

// Half of the kernel, so that the whole of it sums up to 1.
static float* createKernel(double deviation, int32_t* reach)
{
    *reach = (int32_t)ceil(3.0 * deviation);
    float* kernel = malloc(((size_t)*reach + 1) * sizeof *kernel);
    double sum = 0.0;
    for (int32_t i = 0; kernel != NULL && i <= *reach; ++i) {
        const double value = exp(-0.5 * (i / deviation) * (i / deviation));
        kernel[i] = (float)value;
        sum += i == 0 ? value : 2.0 * value;
    }
    for (int32_t i = 0; kernel != NULL && i <= *reach; ++i)
        kernel[i] = (float)((double)kernel[i] / sum);
    return kernel;
}

static int32_t clamp(int32_t index, int32_t count)
{
    return index < 0 ? 0 : index >= count ? count - 1 : index;
}

// One row or column, whose values lie `stride` apart.
static void spreadLine(float* values, int32_t count, size_t stride, const float* kernel,
                       int32_t reach, float* line)
{
    for (int32_t i = 0; i < count; ++i)
        line[i] = 0.0f;
    for (int32_t i = 0; i < count; ++i) {
        const float value = values[(size_t)i * stride];
        for (int32_t k = -reach; value > 0.0f && k <= reach; ++k)
            line[clamp(i + k, count)] += value * kernel[abs(k)];
    }
    for (int32_t i = 0; i < count; ++i)
        values[(size_t)i * stride] = line[i];
}

bool appSmoothDensity(DensityMap* map, double deviation)
{
    int32_t reach;
    const int32_t longest = map->columns > map->rows ? map->columns : map->rows;
    float* kernel = createKernel(deviation / map->cell, &reach);
    float* line = malloc((size_t)longest * sizeof *line);
    const bool good = kernel != NULL && line != NULL;
    for (int32_t row = 0; good && row < map->rows; ++row)
        spreadLine(map->values + (size_t)row * (size_t)map->columns, map->columns, 1, kernel, reach,
                   line);
    for (int32_t column = 0; good && column < map->columns; ++column)
        spreadLine(map->values + column, map->rows, (size_t)map->columns, kernel, reach, line);
    free(kernel);
    free(line);
    return good;
}

double appGreatestDensity(const DensityMap* map)
{
    float greatest = 0.0f;
    for (size_t i = 0; i < (size_t)map->columns * (size_t)map->rows; ++i)
        greatest = fmaxf(greatest, map->values[i]);
    return (double)greatest;
}
