// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How many people to a square metre of ground: counted in cells, or each spread as a Gaussian.

#include "draw/density_map.h"

#include <math.h>
#include <stdlib.h>

// --- Ground ---

static size_t gridCellOf(const Grid* grid, int32_t column, int32_t row)
{
    return (size_t)row * (size_t)grid->columns + (size_t)column;
}

static bool isObstacle(const Scenery* scenery, const thRecordedShape* shape)
{
    return shape->level == scenery->level &&
           (shape->kind == th_shapeSolid || shape->kind == th_shapeRoom ||
            shape->kind == th_shapeWall);
}

static bool collectEdges(Ground* ground, const Scenery* scenery)
{
    size_t most = 1;
    for (int32_t i = 0; i < scenery->shapeCount; ++i)
        most += (size_t)scenery->shapes[i].pointCount;
    ground->edges = malloc(most * sizeof *ground->edges);
    for (int32_t i = 0; ground->edges != NULL && i < scenery->shapeCount; ++i) {
        const thRecordedShape* shape = &scenery->shapes[i];
        if (!isObstacle(scenery, shape))
            continue;
        for (int32_t k = shape->kind == th_shapeWall ? 1 : 0; k < shape->pointCount; ++k)
            ground->edges[ground->edgeCount++] = (GroundEdge){
                shape->points[k > 0 ? k - 1 : shape->pointCount - 1], shape->points[k]};
    }
    return ground->edges != NULL;
}

// --- What can be walked on ---

static int compareNumbers(const void* a, const void* b)
{
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// Where a horizontal line meets the outline, from left to right.
static int32_t crossOutline(const thRecordedShape* shape, double y, double* crossings)
{
    int32_t count = 0;
    for (int32_t i = 0, k = shape->pointCount - 1; i < shape->pointCount; k = i++) {
        const thPlace a = shape->points[k], b = shape->points[i];
        if ((a.y > y) != (b.y > y))
            crossings[count++] = a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x);
    }
    qsort(crossings, (size_t)count, sizeof *crossings, compareNumbers);
    return count;
}

// Spots of one line across all cells, from the first up to the last.
static void setSpots(Ground* ground, int64_t line, double first, double last, bool isFree)
{
    const int64_t most = (int64_t)ground->grid.columns * appSpots;
    const int64_t beginSpreading = (int64_t)fmin(fmax(first, 0.0), (double)most);
    const int64_t endSpreading = (int64_t)fmin(fmax(last, 0.0), (double)most);
    const int32_t row = (int32_t)(line / appSpots);
    const int shift = (int)(line % appSpots) * appSpots;
    for (int64_t at = beginSpreading; at < endSpreading;) {
        const int64_t column = at / appSpots;
        const int64_t stop =
            endSpreading < (column + 1) * appSpots ? endSpreading : (column + 1) * appSpots;
        const uint64_t run = (UINT64_C(1) << (stop - at)) - 1;
        const uint64_t bits = run << (shift + (int)(at % appSpots));
        uint64_t* cell = &ground->walkable[gridCellOf(&ground->grid, (int32_t)column, row)];
        *cell = isFree ? *cell | bits : *cell & ~bits;
        at = stop;
    }
}

static void fillShape(Ground* ground, const thRecordedShape* shape, bool isFree, double* crossings)
{
    const Grid* grid = &ground->grid;
    const double spot = grid->cell / appSpots, lines = (double)grid->rows * appSpots;
    double low = INFINITY, high = -INFINITY;
    for (int32_t i = 0; i < shape->pointCount; ++i) {
        low = fmin(low, (shape->points[i].y - grid->low.y) / spot);
        high = fmax(high, (shape->points[i].y - grid->low.y) / spot);
    }
    const int64_t first = (int64_t)fmin(fmax(floor(low), 0.0), lines);
    const int64_t last = (int64_t)fmin(fmax(ceil(high), 0.0), lines);
    for (int64_t line = first; line < last; ++line) {
        const double y = grid->low.y + ((double)line + 0.5) * spot;
        const int32_t count = crossOutline(shape, y, crossings);
        for (int32_t i = 0; i + 1 < count; i += 2)
            setSpots(ground, line, ceil((crossings[i] - grid->low.x) / spot - 0.5),
                     ceil((crossings[i + 1] - grid->low.x) / spot - 0.5), isFree);
    }
}

static bool hasRoom(const Scenery* scenery)
{
    for (int32_t i = 0; i < scenery->shapeCount; ++i)
        if (scenery->shapes[i].kind == th_shapeRoom && scenery->shapes[i].level == scenery->level)
            return true;
    return false;
}

// What is in a room, or anywhere if there is none; then not what is in a solid.
static bool findWalkable(Ground* ground, const Scenery* scenery)
{
    const size_t cells = (size_t)ground->grid.columns * (size_t)ground->grid.rows;
    const bool isOpen = !hasRoom(scenery);
    double* crossings = malloc(((size_t)ground->edgeCount + 1) * sizeof *crossings);
    ground->walkable = malloc(cells * sizeof *ground->walkable);
    const bool good = crossings != NULL && ground->walkable != NULL;
    for (size_t i = 0; good && i < cells; ++i)
        ground->walkable[i] = isOpen ? UINT64_MAX : 0;
    for (int pass = 0; pass < 2; ++pass) {
        const thRecordedShapeKind kind = pass == 0 ? th_shapeRoom : th_shapeSolid;
        for (int32_t i = 0; good && i < scenery->shapeCount; ++i)
            if (scenery->shapes[i].kind == kind && scenery->shapes[i].level == scenery->level)
                fillShape(ground, &scenery->shapes[i], pass == 0, crossings);
    }
    free(crossings);
    return good;
}

// --- Which edges touch which cells ---

typedef struct Columns {
    int32_t first, last; // first > last: none
} Columns;

static int32_t clampIndex(double index, int32_t count)
{
    return (int32_t)fmin(fmax(floor(index), 0.0), count - 1.0);
}

// Those cells of a row that an edge touches, and a hair beyond.
static Columns touchRow(const Grid* grid, const GroundEdge* edge, int32_t row)
{
    const double hair = 1e-6 * grid->cell;
    const double low = grid->low.y + row * grid->cell - hair;
    const double high = low + grid->cell + 2 * hair;
    const thPlace a = edge->a.y <= edge->b.y ? edge->a : edge->b;
    const thPlace b = edge->a.y <= edge->b.y ? edge->b : edge->a;
    if (b.y < low || a.y > high)
        return (Columns){1, 0};
    const double tall = b.y - a.y;
    const double from = tall > 0.0 ? fmax((low - a.y) / tall, 0.0) : 0.0;
    const double to = tall > 0.0 ? fmin((high - a.y) / tall, 1.0) : 1.0;
    const double x0 = a.x + from * (b.x - a.x), x1 = a.x + to * (b.x - a.x);
    const double left = (fmin(x0, x1) - hair - grid->low.x) / grid->cell;
    const double right = (fmax(x0, x1) + hair - grid->low.x) / grid->cell;
    if (right < 0.0 || left >= grid->columns)
        return (Columns){1, 0};
    return (Columns){clampIndex(left, grid->columns), clampIndex(right, grid->columns)};
}

// Calls up every cell that an edge touches: counts it, or with a list enters the edge there.
static void visitCells(Ground* ground, int32_t index, bool isEntered)
{
    const Grid* grid = &ground->grid;
    const GroundEdge* edge = &ground->edges[index];
    const double low = (fmin(edge->a.y, edge->b.y) - grid->low.y) / grid->cell;
    const double high = (fmax(edge->a.y, edge->b.y) - grid->low.y) / grid->cell;
    const int32_t first = clampIndex(low - 1, grid->rows), last = clampIndex(high + 1, grid->rows);
    for (int32_t row = first; row <= last; ++row) {
        const Columns touched = touchRow(grid, edge, row);
        for (int32_t column = touched.first; column <= touched.last; ++column) {
            int64_t* place = &ground->firstOfs[gridCellOf(grid, column, row)];
            if (isEntered)
                ground->edgesOf[--*place] = index;
            else
                *place += 1;
        }
    }
}

// Counts first; then each cell's place is where its edges end, and goes back with each
// entry.
static bool enterEdges(Ground* ground)
{
    const size_t cells = (size_t)ground->grid.columns * (size_t)ground->grid.rows;
    ground->firstOfs = calloc(cells + 1, sizeof *ground->firstOfs);
    if (ground->firstOfs == NULL)
        return false;
    for (int32_t i = 0; i < ground->edgeCount; ++i)
        visitCells(ground, i, false);
    int64_t sum = 0;
    for (size_t i = 0; i <= cells; ++i) {
        sum += ground->firstOfs[i];
        ground->firstOfs[i] = sum;
    }
    ground->edgesOf = malloc(((size_t)sum + 1) * sizeof *ground->edgesOf);
    for (int32_t i = 0; ground->edgesOf != NULL && i < ground->edgeCount; ++i)
        visitCells(ground, i, true);
    return ground->edgesOf != NULL;
}

// Whether an edge touches a cell.
static bool isCrossed(const Ground* ground, int32_t column, int32_t row)
{
    const size_t cell = gridCellOf(&ground->grid, column, row);
    return ground->firstOfs[cell + 1] > ground->firstOfs[cell];
}

static bool sumCrossed(Ground* ground)
{
    const int32_t columns = ground->grid.columns, rows = ground->grid.rows;
    const size_t wide = (size_t)columns + 1;
    int32_t* sums = calloc(wide * ((size_t)rows + 1), sizeof *sums);
    ground->crossedSum = sums;
    for (int32_t row = 0; sums != NULL && row < rows; ++row) {
        int32_t sum = 0;
        for (int32_t column = 0; column < columns; ++column) {
            sum += isCrossed(ground, column, row);
            sums[((size_t)row + 1) * wide + (size_t)column + 1] =
                sums[(size_t)row * wide + (size_t)column + 1] + sum;
        }
    }
    return sums != NULL;
}

// Of the walls, rooms and solids of a floor that do not move. False when memory is out.
static bool createGround(Ground* ground, const Grid* grid, const Scenery* scenery)
{
    *ground = (Ground){.grid = *grid};
    return collectEdges(ground, scenery) && findWalkable(ground, scenery) && enterEdges(ground) &&
           sumCrossed(ground);
}

static void freeGround(Ground* ground)
{
    free(ground->edges);
    free(ground->walkable);
    free(ground->firstOfs);
    free(ground->edgesOf);
    free(ground->crossedSum);
    *ground = (Ground){0};
}

// --- Looking things up ---

// Whether an edge touches any of the cells from low to high, both included.
static bool isNearEdge(const Ground* ground, int32_t lowColumn, int32_t lowRow, int32_t highColumn,
                       int32_t highRow)
{
    const size_t wide = (size_t)ground->grid.columns + 1;
    const int32_t* below = ground->crossedSum + (size_t)lowRow * wide;
    const int32_t* above = ground->crossedSum + ((size_t)highRow + 1) * wide;
    return above[highColumn + 1] - above[lowColumn] - below[highColumn + 1] + below[lowColumn] > 0;
}

// How much of a cell can be walked on. [0 .. 1]
static double walkablePart(const Ground* ground, int32_t column, int32_t row)
{
    uint64_t bits = ground->walkable[gridCellOf(&ground->grid, column, row)];
    int32_t count = bits == UINT64_MAX ? appAllSpots : 0;
    for (; count < appAllSpots && bits != 0; bits &= bits - 1)
        count += 1;
    return (double)count / appAllSpots;
}

static thPlace placeOfSpot(const Grid* grid, int32_t column, int32_t row, double x, double y)
{
    return (thPlace){grid->low.x + (column + (x + 0.5) / appSpots) * grid->cell,
                     grid->low.y + (row + (y + 0.5) / appSpots) * grid->cell};
}

// A place in a cell that can be walked on, as near to the middle of such places as there is. The
// middle of the cell if there is none, or no edge.
static thPlace spotOf(const Ground* ground, int32_t column, int32_t row)
{
    const double half = 0.5 * (appSpots - 1);
    const uint64_t bits = ground->walkable[gridCellOf(&ground->grid, column, row)];
    double x = 0.0, y = 0.0, count = 0.0;
    for (int i = 0; i < appAllSpots; ++i) {
        const double isFree = bits >> i & 1 ? 1.0 : 0.0;
        x += isFree * (i % appSpots);
        y += isFree * (i / appSpots);
        count += isFree;
    }
    if (count == 0.0 || count == appAllSpots)
        return placeOfSpot(&ground->grid, column, row, half, half);
    double nearest = INFINITY;
    int best = 0;
    for (int i = 0; i < appAllSpots; ++i) {
        const double far = hypot(i % appSpots - x / count, i / appSpots - y / count);
        if ((bits >> i & 1) != 0 && far < nearest) {
            nearest = far;
            best = i;
        }
    }
    return placeOfSpot(&ground->grid, column, row, best % appSpots, best / appSpots);
}

// --- Counts ---

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
    return gridCellOf(&map->ground.grid, column, row);
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
            map->parts[cell] = (float)walkablePart(&map->ground, column, row);
            map->fineOf[cell] = isCrossed(&map->ground, column, row) ? map->fineCount++ : -1;
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
           createGround(&map->ground, &grid, scenery) && lookAtGround(map);
}

void appFreeDensity(DensityMap* map)
{
    freeGround(&map->ground);
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

// --- Gaussians ---

// Everybody as a Gaussian. Far from walls rows are spread, then columns. Near walls each spot where
// people were is spread by itself, over the cells that it reaches in a straight line.

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

static bool beginSpreading(Spreading* spreading, DensityMap* map, double deviation)
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

static void endSpreading(Spreading* spreading)
{
    free(spreading->kernel);
    free(spreading->near);
    free(spreading->spots);
    free(spreading->weights);
    free(spreading->seen);
    free(spreading->edges);
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
             isNearEdge(&map->ground, window.left, window.low, window.right, window.high) &&
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
                    spotOf(&map->ground, column, row);
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
    bool good = beginSpreading(&spreading, map, deviation);
    if (good && map->ground.edgeCount > 0)
        spreadNearWalls(&spreading);
    good = good && spreadOpen(&spreading);
    const size_t cells = (size_t)map->ground.grid.columns * (size_t)map->ground.grid.rows;
    for (size_t i = 0; good && i < cells; ++i)
        map->values[i] += spreading.near[i];
    endSpreading(&spreading);
    return good;
}
