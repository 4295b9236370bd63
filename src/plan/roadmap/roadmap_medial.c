// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The medial axis, from samples in cells. Each sample finds its nearest wall; where the points of
// walls that two neighbours are nearest to lie apart, the axis runs between them, and both are
// nodes. From one side of a convex wall such points are no further apart than the samples, so the
// axis shows between different walls and in concave corners only. The axis leaves a square of
// samples as it entered it, between two of them, and all four are neighbours: so nodes along it are
// joined wherever the disc has room.

#include "plan/roadmap/roadmap_graph.h"

#include "geom/segment.h"

#include <math.h>
#include <string.h>

#define GRAIN 4   // rows
#define APART 1.5 // sides of a cell
#define ROUNDS 16 // of sweeps at most; where walls are plain two are enough
#define NONE (-1)

typedef struct Sampling {
    const thRoadmapBuild* build;
    thRoadmapCells cells;
    int32_t* wall; // of each sample: the nearest one
    float* away;   // of each sample: how far that is [units²]
    uint8_t* marks;
} Sampling;

static thOffset toWall(const Sampling* sampling, int32_t cell, int32_t wall)
{
    const thWalls* walls = sampling->build->frame->walls;
    return thiOffsetToSegment(thiCellCentre(&sampling->cells, cell),
                              (thPoint){walls->ax[wall], walls->ay[wall]},
                              (thPoint){walls->bx[wall], walls->by[wall]});
}

// Takes a wall if it is nearer; of equally near ones the lower.
static bool offer(Sampling* sampling, int32_t cell, int32_t wall)
{
    if (wall == NONE || wall == sampling->wall[cell])
        return false;
    const thOffset to = toWall(sampling, cell, wall);
    const float away = (float)(to.x * to.x + to.y * to.y);
    const int32_t known = sampling->wall[cell];
    if (known != NONE &&
        (away > sampling->away[cell] || (away == sampling->away[cell] && wall > known)))
        return false;
    sampling->wall[cell] = wall;
    sampling->away[cell] = away;
    return true;
}

static int32_t clamped(double place, int32_t count)
{
    return place <= 0.0 ? 0 : place >= count - 1 ? count - 1 : (int32_t)place;
}

// A wall starts from the samples round it.
static void spreadWall(Sampling* sampling, int32_t wall)
{
    const thRoadmapCells* cells = &sampling->cells;
    const thWalls* walls = sampling->build->frame->walls;
    const double ax = walls->ax[wall], ay = walls->ay[wall];
    const double dx = walls->bx[wall] - ax, dy = walls->by[wall] - ay;
    const int32_t steps = (int32_t)(2.0 * sqrt(dx * dx + dy * dy) / cells->side) + 1;
    for (int32_t i = 0; i <= steps; ++i) {
        const double share = (double)i / steps;
        const double x = (ax + share * dx - cells->low.x) / cells->side;
        const double y = (ay + share * dy - cells->low.y) / cells->side;
        const int32_t column = clamped(x, cells->columns), row = clamped(y, cells->rows);
        for (int32_t k = 0; k < 4; ++k) {
            const int32_t nextColumn = TH_MIN(column + k % 2, cells->columns - 1);
            const int32_t nextRow = TH_MIN(row + k / 2, cells->rows - 1);
            (void)offer(sampling, nextRow * cells->columns + nextColumn, wall);
        }
    }
}

// Offers a sample the walls of the neighbours that a sweep has passed already.
static bool askNeighbours(Sampling* sampling, int32_t row, int32_t column, int32_t up)
{
    const thRoadmapCells* cells = &sampling->cells;
    const int32_t cell = row * cells->columns + column;
    bool changed = false;
    for (int32_t k = -1; k <= 1; ++k) {
        const int32_t from = column + k;
        if (from < 0 || from >= cells->columns)
            continue;
        if (k != 0)
            changed |= offer(sampling, cell, sampling->wall[row * cells->columns + from]);
        if (row - up >= 0 && row - up < cells->rows)
            changed |= offer(sampling, cell, sampling->wall[(row - up) * cells->columns + from]);
    }
    return changed;
}

// Over all samples and back.
static bool sweep(Sampling* sampling)
{
    const thRoadmapCells* cells = &sampling->cells;
    bool changed = false;
    for (int32_t row = 0; row < cells->rows; ++row)
        for (int32_t column = 0; column < cells->columns; ++column)
            changed |= askNeighbours(sampling, row, column, 1);
    for (int32_t row = cells->rows - 1; row >= 0; --row)
        for (int32_t column = cells->columns - 1; column >= 0; --column)
            changed |= askNeighbours(sampling, row, column, -1);
    return changed;
}

static void findNearestWalls(Sampling* sampling)
{
    const thWalls* walls = sampling->build->frame->walls;
    for (int32_t cell = 0; cell < thiCellCount(&sampling->cells); ++cell)
        sampling->wall[cell] = NONE;
    for (int32_t wall = 0; wall < walls->count; ++wall)
        if (walls->level[wall] == sampling->build->map->level)
            spreadWall(sampling, wall);
    for (int32_t round = 0; round < ROUNDS && sweep(sampling); ++round)
        ;
}

static void findRoom(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    const Sampling* sampling = context;
    const int32_t columns = sampling->cells.columns;
    for (int32_t cell = begin * columns; cell < end * columns; ++cell)
        sampling->marks[cell] =
            thiIsClearPlace(sampling->build->space, thiCellCentre(&sampling->cells, cell), 0.0f);
}

static bool isAxisBetween(const Sampling* sampling, int32_t a, int32_t b)
{
    if (sampling->wall[a] == sampling->wall[b])
        return false;
    const thPoint p = thiCellCentre(&sampling->cells, a), q = thiCellCentre(&sampling->cells, b);
    const thOffset fromA = toWall(sampling, a, sampling->wall[a]);
    const thOffset fromB = toWall(sampling, b, sampling->wall[b]);
    const double dx = q.x + fromB.x - (p.x + fromA.x), dy = q.y + fromB.y - (p.y + fromA.y);
    const double apart = APART * sampling->cells.side;
    return dx * dx + dy * dy > apart * apart;
}

static bool canWalk(const Sampling* sampling, int32_t a, int32_t b)
{
    return thiIsClearWay(sampling->build->space, thiCellCentre(&sampling->cells, a),
                         thiCellCentre(&sampling->cells, b), 0.0f);
}

#define HAS_ROOM 1
#define ON_AXIS 2

static void markAxis(Sampling* sampling, int32_t a, int32_t b)
{
    uint8_t* marks = sampling->marks;
    if ((marks[a] & marks[b] & HAS_ROOM) != 0 && isAxisBetween(sampling, a, b) &&
        canWalk(sampling, a, b)) {
        marks[a] |= ON_AXIS;
        marks[b] |= ON_AXIS;
    }
}

static void findAxis(Sampling* sampling)
{
    const int32_t columns = sampling->cells.columns, rows = sampling->cells.rows;
    for (int32_t row = 0; row < rows; ++row)
        for (int32_t column = 0; column < columns; ++column) {
            const int32_t cell = row * columns + column;
            if (column + 1 < columns)
                markAxis(sampling, cell, cell + 1);
            if (row + 1 < rows)
                markAxis(sampling, cell, cell + columns);
        }
    for (int32_t cell = 0; cell < columns * rows; ++cell)
        sampling->marks[cell] = (sampling->marks[cell] & ON_AXIS) != 0 ? th_cellNode : 0;
}

static void markWay(const Sampling* sampling, int32_t from, int32_t to, int32_t way)
{
    uint8_t* marks = sampling->marks;
    if ((marks[from] & marks[to] & th_cellNode) != 0 && canWalk(sampling, from, to))
        marks[from] = (uint8_t)(marks[from] | way);
}

static void joinAxis(const Sampling* sampling)
{
    const int32_t columns = sampling->cells.columns, rows = sampling->cells.rows;
    for (int32_t row = 0; row < rows; ++row)
        for (int32_t column = 0; column < columns; ++column) {
            const int32_t cell = row * columns + column;
            if (column + 1 < columns)
                markWay(sampling, cell, cell + 1, th_cellEast);
            if (row + 1 >= rows)
                continue;
            markWay(sampling, cell, cell + columns, th_cellNorth);
            if (column + 1 < columns)
                markWay(sampling, cell, cell + columns + 1, th_cellNorthEast);
            if (column > 0)
                markWay(sampling, cell, cell + columns - 1, th_cellNorthWest);
        }
}

static thResult make(Sampling* sampling)
{
    findNearestWalls(sampling);
    thTasks_ParallelFor(sampling->build->tasks, sampling->cells.rows, GRAIN, findRoom, sampling);
    findAxis(sampling);
    joinAxis(sampling);
    return thiConnectCells(sampling->build, &sampling->cells, sampling->marks);
}

static bool hasWalls(const thRoadmapBuild* build)
{
    for (int32_t i = 0; i < build->frame->walls->count; ++i)
        if (build->frame->walls->level[i] == build->map->level)
            return true;
    return false;
}

thResult thiMakeMedialRoadmap(const thRoadmapBuild* build)
{
    Sampling sampling = {.build = build, .cells = thiRoadmapCells(build)};
    const size_t count = (size_t)thiCellCount(&sampling.cells);
    if (count == 0 || !hasWalls(build))
        return thiRouteGraphConnect(build->graph, NULL, 0);
    sampling.wall = thiAllocate(build->memory, count * sizeof *sampling.wall);
    sampling.away = thiAllocate(build->memory, count * sizeof *sampling.away);
    sampling.marks = thiAllocate(build->memory, count);
    thResult code = th_resultNoMemory;
    if (sampling.wall != NULL && sampling.away != NULL && sampling.marks != NULL)
        code = make(&sampling);
    thiRelease(build->memory, sampling.wall, count * sizeof *sampling.wall);
    thiRelease(build->memory, sampling.away, count * sizeof *sampling.away);
    thiRelease(build->memory, sampling.marks, count);
    return code;
}
