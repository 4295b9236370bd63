// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "measure/walkable.h"

#include <math.h>
#include <string.h>

#define MAX_CELLS_A_SIDE 256

static thPlace lowOf(const thTrapezoid* trapezoid)
{
    return (thPlace){TH_MIN(trapezoid->left0, trapezoid->left1), trapezoid->y0};
}

static thPlace highOf(const thTrapezoid* trapezoid)
{
    return (thPlace){TH_MAX(trapezoid->right0, trapezoid->right1), trapezoid->y1};
}

static void findBounds(thWalkable* walkable)
{
    const thTrapezoid* trapezoids = walkable->trapezoids.data;
    for (int32_t i = 0; i < walkable->trapezoids.count; ++i) {
        const thPlace low = lowOf(&trapezoids[i]), high = highOf(&trapezoids[i]);
        walkable->low.x = i == 0 ? low.x : TH_MIN(walkable->low.x, low.x);
        walkable->low.y = i == 0 ? low.y : TH_MIN(walkable->low.y, low.y);
        walkable->high.x = i == 0 ? high.x : TH_MAX(walkable->high.x, high.x);
        walkable->high.y = i == 0 ? high.y : TH_MAX(walkable->high.y, high.y);
    }
}

static int32_t cellOf(double value, double low, double high, int32_t count)
{
    if (!(value > low))
        return 0;
    return value < high ? (int32_t)((value - low) / (high - low) * count) : count - 1;
}

// Calls for each cell that a trapezoid touches: counts it, or puts the trapezoid there.
static void visitCells(const thWalkable* walkable, int32_t index, int32_t* counts, int32_t* items)
{
    const thTrapezoid* trapezoid = &TH_ITEMS(walkable->trapezoids, thTrapezoid)[index];
    const thPlace low = lowOf(trapezoid), high = highOf(trapezoid);
    const thPlace from = walkable->low, to = walkable->high;
    const int32_t column0 = cellOf(low.x - TH_WALKABLE_GRAIN, from.x, to.x, walkable->columns);
    const int32_t column1 = cellOf(high.x + TH_WALKABLE_GRAIN, from.x, to.x, walkable->columns);
    const int32_t row0 = cellOf(low.y - TH_WALKABLE_GRAIN, from.y, to.y, walkable->rows);
    const int32_t row1 = cellOf(high.y + TH_WALKABLE_GRAIN, from.y, to.y, walkable->rows);
    for (int32_t row = row0; row <= row1; ++row)
        for (int32_t column = column0; column <= column1; ++column) {
            int32_t* count = &counts[row * walkable->columns + column];
            if (items != NULL)
                items[*count] = index;
            *count += 1;
        }
}

thResult thiIndexWalkable(thWalkable* walkable)
{
    findBounds(walkable);
    const int32_t side = (int32_t)sqrt((double)walkable->trapezoids.count) + 1;
    walkable->columns = TH_MIN(side, MAX_CELLS_A_SIDE);
    walkable->rows = walkable->columns;
    const int32_t cells = walkable->columns * walkable->rows;
    int32_t* starts = thiArrayAdd(&walkable->cellStarts, cells + 1);
    if (starts == NULL)
        return th_resultNoMemory;
    // Counted one further, so that filling leaves starts where they belong.
    memset(starts, 0, (size_t)(cells + 1) * sizeof *starts);
    for (int32_t i = 0; i < walkable->trapezoids.count; ++i)
        visitCells(walkable, i, starts, NULL);
    int32_t sum = 0;
    for (int32_t i = 0; i <= cells; ++i) {
        const int32_t count = starts[i];
        starts[i] = sum;
        sum += count;
    }
    int32_t* items = thiArrayAdd(&walkable->cellItems, sum);
    if (items == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < walkable->trapezoids.count; ++i)
        visitCells(walkable, i, starts, items);
    memmove(starts + 1, starts, (size_t)cells * sizeof *starts);
    starts[0] = 0;
    return th_resultOk;
}

// How far a place is outside, by the side it is furthest from. [m; 0: inside]
static double distanceFrom(const thTrapezoid* trapezoid, thPlace place)
{
    const double height = trapezoid->y1 - trapezoid->y0;
    const double up = TH_MIN(TH_MAX((place.y - trapezoid->y0) / height, 0.0), 1.0);
    const double left = trapezoid->left0 + (trapezoid->left1 - trapezoid->left0) * up;
    const double right = trapezoid->right0 + (trapezoid->right1 - trapezoid->right0) * up;
    const double dx = TH_MAX(TH_MAX(left - place.x, place.x - right), 0.0);
    const double dy = TH_MAX(TH_MAX(trapezoid->y0 - place.y, place.y - trapezoid->y1), 0.0);
    return TH_MAX(dx, dy);
}

int32_t thiFindTrapezoid(const thWalkable* walkable, thPlace place)
{
    if (walkable->trapezoids.count == 0)
        return -1;
    const int32_t column = cellOf(place.x, walkable->low.x, walkable->high.x, walkable->columns);
    const int32_t row = cellOf(place.y, walkable->low.y, walkable->high.y, walkable->rows);
    const int32_t* start =
        TH_ITEMS(walkable->cellStarts, int32_t) + row * walkable->columns + column;
    double least = TH_WALKABLE_GRAIN;
    int32_t found = -1;
    for (int32_t i = start[0]; i < start[1] && least > 0.0; ++i) {
        const int32_t index = TH_ITEMS(walkable->cellItems, int32_t)[i];
        const double distance =
            distanceFrom(&TH_ITEMS(walkable->trapezoids, thTrapezoid)[index], place);
        if (distance < least || (distance <= least && found < 0)) {
            least = distance;
            found = index;
        }
    }
    return found;
}
