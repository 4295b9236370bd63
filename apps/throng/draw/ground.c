// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "draw/ground.h"

#include <math.h>
#include <stdlib.h>

static size_t cellOf(const Grid* grid, int32_t column, int32_t row)
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
    const int64_t begin = (int64_t)fmin(fmax(first, 0.0), (double)most);
    const int64_t end = (int64_t)fmin(fmax(last, 0.0), (double)most);
    const int32_t row = (int32_t)(line / appSpots);
    const int shift = (int)(line % appSpots) * appSpots;
    for (int64_t at = begin; at < end;) {
        const int64_t column = at / appSpots;
        const int64_t stop = end < (column + 1) * appSpots ? end : (column + 1) * appSpots;
        const uint64_t run = (UINT64_C(1) << (stop - at)) - 1;
        const uint64_t bits = run << (shift + (int)(at % appSpots));
        uint64_t* cell = &ground->walkable[cellOf(&ground->grid, (int32_t)column, row)];
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
            int64_t* place = &ground->firstOfs[cellOf(grid, column, row)];
            if (isEntered)
                ground->edgesOf[--*place] = index;
            else
                *place += 1;
        }
    }
}

// Counts first; then each cell's place is where its edges end, and goes back with each entry.
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

static bool sumCrossed(Ground* ground)
{
    const int32_t columns = ground->grid.columns, rows = ground->grid.rows;
    const size_t wide = (size_t)columns + 1;
    int32_t* sums = calloc(wide * ((size_t)rows + 1), sizeof *sums);
    ground->crossedSum = sums;
    for (int32_t row = 0; sums != NULL && row < rows; ++row) {
        int32_t sum = 0;
        for (int32_t column = 0; column < columns; ++column) {
            sum += appIsCrossed(ground, column, row);
            sums[((size_t)row + 1) * wide + (size_t)column + 1] =
                sums[(size_t)row * wide + (size_t)column + 1] + sum;
        }
    }
    return sums != NULL;
}

bool appCreateGround(Ground* ground, const Grid* grid, const Scenery* scenery)
{
    *ground = (Ground){.grid = *grid};
    return collectEdges(ground, scenery) && findWalkable(ground, scenery) && enterEdges(ground) &&
           sumCrossed(ground);
}

void appFreeGround(Ground* ground)
{
    free(ground->edges);
    free(ground->walkable);
    free(ground->firstOfs);
    free(ground->edgesOf);
    free(ground->crossedSum);
    *ground = (Ground){0};
}

// --- Looking things up ---

bool appIsCrossed(const Ground* ground, int32_t column, int32_t row)
{
    const size_t cell = cellOf(&ground->grid, column, row);
    return ground->firstOfs[cell + 1] > ground->firstOfs[cell];
}

bool appIsNearEdge(const Ground* ground, int32_t lowColumn, int32_t lowRow, int32_t highColumn,
                   int32_t highRow)
{
    const size_t wide = (size_t)ground->grid.columns + 1;
    const int32_t* below = ground->crossedSum + (size_t)lowRow * wide;
    const int32_t* above = ground->crossedSum + ((size_t)highRow + 1) * wide;
    return above[highColumn + 1] - above[lowColumn] - below[highColumn + 1] + below[lowColumn] > 0;
}

double appWalkablePart(const Ground* ground, int32_t column, int32_t row)
{
    uint64_t bits = ground->walkable[cellOf(&ground->grid, column, row)];
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

thPlace appSpotOf(const Ground* ground, int32_t column, int32_t row)
{
    const double half = 0.5 * (appSpots - 1);
    const uint64_t bits = ground->walkable[cellOf(&ground->grid, column, row)];
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
