// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Everybody as a Gaussian. Far from walls rows are spread, then columns. Near walls each spot where
// people were is spread by itself, over the cells that it has a straight way to.

#include "draw/density_map.h"

#include <math.h>
#include <stdlib.h>

typedef struct Spreading {
    DensityMap* map;
    float* kernel; // half of it: of distances in cells up to `reach`, not scaled
    int32_t reach;
    float* near;    // by cell: what people near walls come to [1/m²]
    thPlace* spots; // of each cell with edges: where it is aimed at [m]
    float* weights; // of the cells of a window
    int32_t* seen;  // by edge: the last source that it was looked at for
    int32_t* edges; // of the window
    int32_t sourceCount;
} Spreading;

// The cells that a source may reach, both ends included.
typedef struct Window {
    int32_t left, right, low, high;
} Window;

static bool begin(Spreading* spreading, DensityMap* map, double deviation)
{
    const size_t edges = (size_t)map->ground.edgeCount + 1;
    const Grid* grid = &map->ground.grid;
    const int32_t longest = grid->columns > grid->rows ? grid->columns : grid->rows;
    const int32_t reach = (int32_t)fmin(ceil(3.0 * deviation / grid->cell), longest);
    const size_t wide = 2 * (size_t)reach + 1;
    *spreading = (Spreading){
        .map = map,
        .reach = reach,
        .kernel = malloc(((size_t)reach + 1) * sizeof *spreading->kernel),
        .near = calloc((size_t)grid->columns * (size_t)grid->rows, sizeof *spreading->near),
        .spots = malloc(((size_t)map->fineCount + 1) * sizeof *spreading->spots),
        .weights = malloc(wide * wide * sizeof *spreading->weights),
        .seen = calloc(edges, sizeof *spreading->seen),
        .edges = malloc(edges * sizeof *spreading->edges)};
    for (int32_t i = 0; spreading->kernel != NULL && i <= reach; ++i) {
        const double far = i * grid->cell / deviation;
        spreading->kernel[i] = (float)exp(-0.5 * far * far);
    }
    return spreading->kernel != NULL && spreading->near != NULL && spreading->spots != NULL &&
           spreading->weights != NULL && spreading->seen != NULL && spreading->edges != NULL;
}

static void end(Spreading* spreading)
{
    free(spreading->kernel);
    free(spreading->near);
    free(spreading->spots);
    free(spreading->weights);
    free(spreading->seen);
    free(spreading->edges);
}

static size_t cellOf(const DensityMap* map, int32_t column, int32_t row)
{
    return (size_t)row * (size_t)map->ground.grid.columns + (size_t)column;
}

// --- Near walls ---

static Window windowOf(const Spreading* spreading, int32_t column, int32_t row)
{
    const Grid* grid = &spreading->map->ground.grid;
    const int32_t reach = spreading->reach;
    return (Window){column > reach ? column - reach : 0,
                    column + reach < grid->columns ? column + reach : grid->columns - 1,
                    row > reach ? row - reach : 0,
                    row + reach < grid->rows ? row + reach : grid->rows - 1};
}

static thPlace aimAt(const Spreading* spreading, int32_t column, int32_t row)
{
    const DensityMap* map = spreading->map;
    const Grid* grid = &map->ground.grid;
    const int32_t fine = map->fineOf[cellOf(map, column, row)];
    return fine >= 0 ? spreading->spots[fine]
                     : (thPlace){grid->low.x + (column + 0.5) * grid->cell,
                                 grid->low.y + (row + 0.5) * grid->cell};
}

// The edges of all cells of a window, each once.
static int32_t gatherEdges(Spreading* spreading, const Window* window)
{
    const Ground* ground = &spreading->map->ground;
    int32_t count = 0;
    spreading->sourceCount += 1;
    for (int32_t row = window->low; row <= window->high; ++row) {
        // The lists of neighbours follow each other.
        const int64_t first = ground->firstOfs[cellOf(spreading->map, window->left, row)];
        const int64_t last = ground->firstOfs[cellOf(spreading->map, window->right, row) + 1];
        for (int64_t i = first; i < last; ++i) {
            const int32_t edge = ground->edgesOf[i];
            if (spreading->seen[edge] == spreading->sourceCount)
                continue;
            spreading->seen[edge] = spreading->sourceCount;
            spreading->edges[count++] = edge;
        }
    }
    return count;
}

static double cross(thPlace a, thPlace b)
{
    return a.x * b.y - a.y * b.x;
}

static thPlace from(thPlace origin, thPlace place)
{
    return (thPlace){place.x - origin.x, place.y - origin.y};
}

// Cells behind an edge, seen from the source, get nothing.
static void castShadow(Spreading* spreading, const Window* window, thPlace source,
                       const GroundEdge* edge)
{
    const thPlace a = from(source, edge->a), b = from(source, edge->b);
    const thPlace along = from(a, b);
    const double side = -cross(along, a); // of the source, which is now the origin
    float* weight = spreading->weights;
    for (int32_t row = window->low; row <= window->high; ++row) {
        for (int32_t column = window->left; column <= window->right; ++column, ++weight) {
            if (*weight == 0.0f)
                continue;
            const thPlace to = from(source, aimAt(spreading, column, row));
            if (side * cross(along, from(a, to)) < 0.0 && cross(a, to) * cross(b, to) <= 0.0)
                *weight = 0.0f;
        }
    }
}

static void weigh(Spreading* spreading, const Window* window, int32_t column, int32_t row)
{
    float* weight = spreading->weights;
    for (int32_t y = window->low; y <= window->high; ++y)
        for (int32_t x = window->left; x <= window->right; ++x, ++weight)
            *weight = spreading->map->parts[cellOf(spreading->map, x, y)] > 0.0f
                          ? spreading->kernel[abs(x - column)] * spreading->kernel[abs(y - row)]
                          : 0.0f;
}

// False: nothing of the window can be reached.
static bool spreadFrom(Spreading* spreading, int32_t column, int32_t row, thPlace source,
                       float value)
{
    const DensityMap* map = spreading->map;
    const Window window = windowOf(spreading, column, row);
    const int32_t wide = window.right - window.left + 1;
    const int32_t count = gatherEdges(spreading, &window);
    double sum = 0.0;
    weigh(spreading, &window, column, row);
    for (int32_t i = 0; i < count; ++i)
        castShadow(spreading, &window, source, &map->ground.edges[spreading->edges[i]]);
    for (int pass = 0; pass < 2; ++pass) {
        const float* weight = spreading->weights;
        for (int32_t y = window.low; y <= window.high; ++y, weight += wide) {
            const size_t cell = cellOf(map, window.left, y);
            for (int32_t i = 0; pass == 0 && i < wide; ++i)
                sum += (double)(weight[i] * map->parts[cell + (size_t)i]);
            for (int32_t i = 0; pass == 1 && i < wide; ++i)
                spreading->near[cell + (size_t)i] += (float)((double)(value * weight[i]) / sum);
        }
        if (!(sum > 0.0))
            return false;
    }
    return true;
}

// The nearest cell with ground, for those who stand in walls.
static bool findGround(const Spreading* spreading, thPlace place, int32_t* column, int32_t* row)
{
    const Window window = windowOf(spreading, *column, *row);
    double nearest = INFINITY;
    for (int32_t y = window.low; y <= window.high; ++y) {
        for (int32_t x = window.left; x <= window.right; ++x) {
            const thPlace to = from(place, aimAt(spreading, x, y));
            const double far = to.x * to.x + to.y * to.y;
            if (spreading->map->parts[cellOf(spreading->map, x, y)] > 0.0f && far < nearest) {
                nearest = far;
                *column = x;
                *row = y;
            }
        }
    }
    return isfinite(nearest);
}

static bool spreadPlace(Spreading* spreading, int32_t column, int32_t row, thPlace place,
                        bool isFree, float value)
{
    if (isFree)
        return spreadFrom(spreading, column, row, place, value);
    return findGround(spreading, place, &column, &row) &&
           spreadFrom(spreading, column, row, aimAt(spreading, column, row), value);
}

// What cannot be spread stays, and is spread like those far from walls.
static void spreadSpots(Spreading* spreading, int32_t column, int32_t row)
{
    DensityMap* map = spreading->map;
    const Grid* grid = &map->ground.grid;
    const size_t cell = cellOf(map, column, row);
    const float* fine = map->fine + (size_t)map->fineOf[cell] * appAllSpots;
    for (int i = 0; i < appAllSpots; ++i) {
        const double x = column + (i % appSpots + 0.5) / appSpots;
        const double y = row + (i / appSpots + 0.5) / appSpots;
        const thPlace place = {grid->low.x + x * grid->cell, grid->low.y + y * grid->cell};
        const bool isFree = (map->ground.walkable[cell] >> i & 1) != 0;
        if (fine[i] > 0.0f && !spreadPlace(spreading, column, row, place, isFree, fine[i]))
            map->values[cell] += fine[i];
    }
}

static void spreadCell(Spreading* spreading, int32_t column, int32_t row)
{
    DensityMap* map = spreading->map;
    const size_t cell = cellOf(map, column, row);
    const Window window = windowOf(spreading, column, row);
    if (map->fineOf[cell] >= 0)
        spreadSpots(spreading, column, row);
    else if (map->values[cell] > 0.0f &&
             appIsNearEdge(&map->ground, window.left, window.low, window.right, window.high) &&
             spreadPlace(spreading, column, row, aimAt(spreading, column, row),
                         map->parts[cell] > 0.0f, map->values[cell]))
        map->values[cell] = 0.0f;
}

static void spreadNearWalls(Spreading* spreading)
{
    const DensityMap* map = spreading->map;
    const Grid* grid = &map->ground.grid;
    for (int32_t row = 0; row < grid->rows; ++row)
        for (int32_t column = 0; column < grid->columns; ++column)
            if (map->fineOf[cellOf(map, column, row)] >= 0)
                spreading->spots[map->fineOf[cellOf(map, column, row)]] =
                    appSpotOf(&map->ground, column, row);
    for (int32_t row = 0; row < grid->rows; ++row)
        for (int32_t column = 0; column < grid->columns; ++column)
            spreadCell(spreading, column, row);
}

// --- Far from them ---

// One row or column, whose values lie `stride` apart. Nothing leaves it.
static void spreadLine(const Spreading* spreading, float* values, int32_t count, size_t stride,
                       float* line)
{
    for (int32_t i = 0; i < count; ++i)
        line[i] = 0.0f;
    for (int32_t i = 0; i < count; ++i) {
        const float value = values[(size_t)i * stride];
        const int32_t first = i > spreading->reach ? i - spreading->reach : 0;
        const int32_t last = i + spreading->reach < count ? i + spreading->reach : count - 1;
        double sum = 0.0;
        for (int32_t k = first; value > 0.0f && k <= last; ++k)
            sum += (double)spreading->kernel[abs(k - i)];
        const float share = (float)((double)value / fmax(sum, 1.0));
        for (int32_t k = first; value > 0.0f && k <= last; ++k)
            line[k] += share * spreading->kernel[abs(k - i)];
    }
    for (int32_t i = 0; i < count; ++i)
        values[(size_t)i * stride] = line[i];
}

static bool spreadOpen(Spreading* spreading)
{
    const Grid* grid = &spreading->map->ground.grid;
    const int32_t longest = grid->columns > grid->rows ? grid->columns : grid->rows;
    float* values = spreading->map->values;
    float* line = malloc((size_t)longest * sizeof *line);
    const bool good = line != NULL;
    for (int32_t row = 0; good && row < grid->rows; ++row)
        spreadLine(spreading, values + cellOf(spreading->map, 0, row), grid->columns, 1, line);
    for (int32_t column = 0; good && column < grid->columns; ++column)
        spreadLine(spreading, values + column, grid->rows, (size_t)grid->columns, line);
    free(line);
    return good;
}

bool appSmoothDensity(DensityMap* map, double deviation)
{
    Spreading spreading;
    bool good = begin(&spreading, map, deviation);
    if (good && map->ground.edgeCount > 0)
        spreadNearWalls(&spreading);
    good = good && spreadOpen(&spreading);
    const size_t cells = (size_t)map->ground.grid.columns * (size_t)map->ground.grid.rows;
    for (size_t i = 0; good && i < cells; ++i)
        map->values[i] += spreading.near[i];
    end(&spreading);
    return good;
}
