// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Building grids of nodes among walls, row by row.

#include "plan/field/field_grid.h"

#include "geom/fixed.h"

#include <math.h>

// Nodes on each side of the walls' box, the closed one at the border included. Outside there is
// nothing to walk round.
#define MARGIN_NODES 3

// Rows whose walls are looked for at once.
#define BLOCK_ROWS 8

// A node from which a wall is so near that it must be looked at; only while rows are built.
#define NEAR_WALL (1u << 7)

bool thiIsInGrid(const thNodeGrid* grid, thPoint p)
{
    const double x = ((double)p.x - grid->low.x) / grid->side;
    const double y = ((double)p.y - grid->low.y) / grid->side;
    return x >= 1.0 && y >= 1.0 && x <= grid->columns - 2.0 && y <= grid->rows - 2.0;
}

static thFieldBox boxOfWalls(const thWalls* walls, int32_t level)
{
    thFieldBox box = TH_EMPTY_BOX;
    for (int32_t i = 0; i < walls->count; ++i) {
        if (walls->level[i] != level)
            continue;
        thiBoxAdd(&box, walls->ax[i], walls->ay[i]);
        thiBoxAdd(&box, walls->bx[i], walls->by[i]);
    }
    return box;
}

static int64_t floorDivide(int64_t value, int64_t by)
{
    return value / by - (value % by < 0);
}

// Nodes are at odd multiples of half a side, so that walls at multiples of the side, which maps
// made of squares have, run between them. Returns how many there are.
static int64_t layOut(thNodeGrid* nodes, const thFieldBox* box, double clearance)
{
    const int64_t side = nodes->side;
    const int64_t margin = MARGIN_NODES + (int64_t)ceil(clearance / (double)side);
    const int64_t column = floorDivide(box->lowX, side) - margin;
    const int64_t row = floorDivide(box->lowY, side) - margin;
    const int64_t columns = floorDivide(box->highX, side) + margin - column + 1;
    const int64_t rows = floorDivide(box->highY, side) + margin - row + 1;
    nodes->low = (thPoint){(int32_t)(column * side + side / 2), (int32_t)(row * side + side / 2)};
    nodes->columns = (int32_t)columns;
    nodes->rows = (int32_t)rows;
    return columns * rows;
}

thResult thiFieldGridBegin(thMemory* memory, const thFrame* frame, int32_t level, float radius,
                           float cell, int32_t limit, const thFieldBox* given, thFieldGrid* grid)
{
    *grid = (thFieldGrid){
        .memory = memory, .level = level, .nodes = {.side = TH_MAX(thiUnits(cell), 2)}};
    thFieldBox box = boxOfWalls(frame->walls, level);
    box.lowX = TH_MIN(box.lowX, given->lowX);
    box.lowY = TH_MIN(box.lowY, given->lowY);
    box.highX = TH_MAX(box.highX, given->highX);
    box.highY = TH_MAX(box.highY, given->highY);
    thNodeGrid* nodes = &grid->nodes;
    TH_TRY(thiCreateRouteSpace(memory, frame, level, radius + TH_ROUTE_SLACK, &grid->space));
    if (box.lowX > box.highX)
        return th_resultOk;
    grid->needed = layOut(nodes, &box, (double)radius * THRONG_UNITS_PER_METRE);
    grid->tooLarge = grid->needed > limit;
    if (grid->tooLarge) {
        nodes->columns = nodes->rows = 0;
        return th_resultOk;
    }
    nodes->open = thiAllocateZero(memory, (size_t)thiNodeCount(nodes));
    if (nodes->open == NULL) {
        thiFieldGridFree(grid);
        return th_resultNoMemory;
    }
    return th_resultOk;
}

void thiFieldGridFree(thFieldGrid* grid)
{
    if (grid->memory == NULL)
        return;
    thiDestroyRouteSpace(grid->space);
    thiRelease(grid->memory, grid->nodes.open, (size_t)thiNodeCount(&grid->nodes));
    *grid = (thFieldGrid){0};
}

// A wall's part near a row of nodes, as a range of x.
static void wallNearRow(const thWalls* walls, int32_t i, double y, double reach, double* from,
                        double* to)
{
    double ax = walls->ax[i], bx = walls->bx[i];
    const double ay = walls->ay[i], by = walls->by[i];
    if (ay != by) {
        const double slope = (bx - ax) / (by - ay);
        const double low = TH_MIN(TH_MAX(y - reach, TH_MIN(ay, by)), TH_MAX(ay, by));
        const double high = TH_MIN(TH_MAX(y + reach, TH_MIN(ay, by)), TH_MAX(ay, by));
        bx = ax + (high - ay) * slope;
        ax += (low - ay) * slope;
    }
    *from = TH_MIN(ax, bx) - reach;
    *to = TH_MAX(ax, bx) + reach;
}

// Columns or rows between two coordinates, in `count` of them.
static int32_t indexFrom(double place, int32_t low, int32_t side, int32_t count)
{
    return (int32_t)TH_MIN(TH_MAX(ceil((place - low) / side), 0.0), (double)count);
}

static void markWall(thNodeGrid* nodes, const thWalls* walls, int32_t i, double reach,
                     int32_t rowBegin, int32_t rowEnd)
{
    const double low = TH_MIN(walls->ay[i], walls->by[i]) - reach;
    const double high = TH_MAX(walls->ay[i], walls->by[i]) + reach;
    rowBegin = TH_MAX(rowBegin, indexFrom(low, nodes->low.y, nodes->side, nodes->rows));
    rowEnd = TH_MIN(rowEnd, indexFrom(high, nodes->low.y, nodes->side, nodes->rows));
    for (int32_t row = rowBegin; row < rowEnd; ++row) {
        double from, to;
        wallNearRow(walls, i, nodes->low.y + (double)row * nodes->side, reach, &from, &to);
        const int32_t end = indexFrom(to, nodes->low.x, nodes->side, nodes->columns);
        uint8_t* open = &nodes->open[row * nodes->columns];
        for (int32_t c = indexFrom(from, nodes->low.x, nodes->side, nodes->columns); c < end; ++c)
            open[c] |= NEAR_WALL;
    }
}

static void join(const thFieldGrid* grid, int32_t node, int32_t other, uint8_t bit, uint8_t back)
{
    uint8_t* open = grid->nodes.open;
    if ((open[node] & open[other] & th_openNode) == 0)
        return;
    if (((open[node] | open[other]) & NEAR_WALL) != 0 &&
        !thiIsClearLeg(grid->space, thiNodePlace(&grid->nodes, node),
                       thiNodePlace(&grid->nodes, other), 0.0f))
        return;
    open[node] |= bit;
    open[other] |= back;
}

// Between nodes that are not near a wall there is none, so both are in solid or both are not.
static void openRow(const thFieldGrid* grid, int32_t row)
{
    const thNodeGrid* nodes = &grid->nodes;
    uint8_t* open = nodes->open;
    if (row == 0 || row == nodes->rows - 1)
        return;
    for (int32_t column = 1; column < nodes->columns - 1; ++column) {
        const int32_t node = row * nodes->columns + column;
        const bool known = column > 1 && ((open[node] | open[node - 1]) & NEAR_WALL) == 0;
        const bool isOpen = known ? (open[node - 1] & th_openNode) != 0
                                  : thiIsClearPlace(grid->space, thiNodePlace(nodes, node), 0.0f);
        open[node] |= isOpen ? th_openNode : 0;
        join(grid, node, node - 1, th_openWest, th_openEast);
        join(grid, node, node - nodes->columns, th_openSouth, th_openNorth);
    }
}

static void clearMarks(thNodeGrid* nodes, int32_t row)
{
    for (int32_t i = row * nodes->columns; i < (row + 1) * nodes->columns; ++i)
        nodes->open[i] &= (uint8_t)~NEAR_WALL;
}

// Rows come in blocks, so that how the work is cut changes nothing.
void thiFieldGridBuild(thFieldGrid* grid, const thFrame* frame, int32_t level, int64_t* count)
{
    thNodeGrid* nodes = &grid->nodes;
    const thWalls* walls = frame->walls;
    const double reach =
        (double)thiRouteRadius(grid->space) * THRONG_UNITS_PER_METRE + (double)nodes->side;
    while (*count > 0 && grid->rowsDone < nodes->rows) {
        const int32_t begin = grid->rowsDone, end = TH_MIN(begin + BLOCK_ROWS, nodes->rows);
        for (int32_t i = 0; i < walls->count; ++i)
            if (walls->level[i] == level)
                markWall(nodes, walls, i, reach, begin, end);
        for (int32_t row = begin; row < end; ++row) {
            openRow(grid, row);
            if (row > 0)
                clearMarks(nodes, row - 1);
        }
        if (end == nodes->rows)
            clearMarks(nodes, end - 1);
        grid->rowsDone = end;
        *count -= (int64_t)(end - begin) * nodes->columns;
    }
}

const char* thiWhyTooLarge(const thTooLarge* sizes, int32_t count, int64_t needed)
{
    for (int32_t i = 0; i < count; ++i)
        if (needed <= sizes[i].count)
            return sizes[i].why;
    return sizes[count - 1].why;
}
