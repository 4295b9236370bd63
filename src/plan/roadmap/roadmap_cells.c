// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Roadmaps made of cells: a grid of all that have room, and the medial axis through some of them.

#include "plan/roadmap/roadmap_graph.h"

#include "geom/segment.h"
#include "throng/roadmap.h"

#include <math.h>
#include <string.h>

#define ROWS_AT_ONCE 4 // that a worker takes
#define APART 1.5      // of the points of walls, where the axis runs between [sides of a cell]
#define ROUNDS 16      // of sweeps at most; where walls are plain two are enough
#define NONE (-1)

// Square cells in rows, from low x and y on.
typedef struct Cells {
    thPoint low;           // the centre of the first one [units]
    int32_t side;          // [units]
    int32_t columns, rows; // 0: no cells
} Cells;

static int32_t countCells(const Cells* cells)
{
    return cells->columns * cells->rows;
}

static thPoint centreOf(const Cells* cells, int32_t cell)
{
    // In 64 bits: a box may be wider than 32 bits of units.
    const int64_t column = cell % cells->columns, row = cell / cells->columns;
    return (thPoint){(int32_t)(cells->low.x + column * cells->side),
                     (int32_t)(cells->low.y + row * cells->side)};
}

// Edges from a cell to its neighbours; the other four are those of other cells.
enum {
    isNode = 1 << 0, // it is a node itself
    opensEast = 1 << 1,
    opensNorth = 1 << 2,
    opensNorthEast = 1 << 3,
    opensNorthWest = 1 << 4,
};

// Cells that are in the box by half count, so that rounding loses none.
static int64_t cellsAlong(int32_t low, int32_t high, int32_t side)
{
    return ((int64_t)high - low + side / 2) / side;
}

// The cells of a rule: none without a box, or if they would be more than allowed.
static Cells layOutCells(const thRoadmapBuild* build)
{
    thPoint low, high;
    const int32_t side = build->map->side;
    if (!thiRoadmapBox(build, &low, &high))
        return (Cells){.side = side};
    const int64_t columns = cellsAlong(low.x, high.x, side);
    const int64_t rows = cellsAlong(low.y, high.y, side);
    if (columns * rows > THRONG_ROADMAP_NODES)
        return (Cells){.side = side};
    return (Cells){.low = {low.x + side / 2, low.y + side / 2},
                   .side = side,
                   .columns = (int32_t)columns,
                   .rows = (int32_t)rows};
}

// The nodes of cells are numbered row by row.
static int32_t numberNodes(const thRoadmapBuild* build, const Cells* cells, const uint8_t* marks,
                           int32_t* nodeOf)
{
    int32_t edges = 0;
    for (int32_t cell = 0; cell < countCells(cells); ++cell) {
        nodeOf[cell] = build->graph->nodes.count;
        if ((marks[cell] & isNode) != 0)
            thiAddRoadmapPlace(build->graph, centreOf(cells, cell));
        for (int32_t bit = opensEast; bit <= opensNorthWest; bit *= 2)
            edges += (marks[cell] & bit) != 0;
    }
    return edges;
}

static void listPairs(const Cells* cells, const uint8_t* marks, const int32_t* nodeOf,
                      thRoutePair* pairs)
{
    const int32_t columns = cells->columns;
    const int32_t steps[] = {1, columns, columns + 1, columns - 1};
    for (int32_t cell = 0; cell < countCells(cells); ++cell)
        for (int32_t k = 0; k < 4; ++k)
            if ((marks[cell] & opensEast << k) != 0)
                *pairs++ = (thRoutePair){nodeOf[cell], nodeOf[cell + steps[k]]};
}

// Makes nodes and edges from the marks of all cells. Marks of edges lead to nodes.
static thResult connectCells(const thRoadmapBuild* build, const Cells* cells, const uint8_t* marks)
{
    const int32_t count = countCells(cells);
    int32_t nodeCount = 0;
    for (int32_t cell = 0; cell < count; ++cell)
        nodeCount += (marks[cell] & isNode) != 0;
    TH_TRY(thiArrayReserve(&build->graph->nodes, nodeCount));
    const size_t nodeSize = (size_t)TH_MAX(count, 1) * sizeof(int32_t);
    int32_t* nodeOf = thiAllocate(build->memory, nodeSize);
    if (nodeOf == NULL)
        return th_resultNoMemory;
    const int32_t edges = numberNodes(build, cells, marks, nodeOf);
    const size_t pairSize = (size_t)TH_MAX(edges, 1) * sizeof(thRoutePair);
    thRoutePair* pairs = thiAllocate(build->memory, pairSize);
    thResult code = th_resultNoMemory;
    if (pairs != NULL) {
        listPairs(cells, marks, nodeOf, pairs);
        code = thiRouteGraphConnect(build->graph, pairs, edges);
    }
    thiRelease(build->memory, pairs, pairSize);
    thiRelease(build->memory, nodeOf, nodeSize);
    return code;
}

// The grid: a cell is free if the disc can stand at its centre, and joined to a neighbour if the
// disc can walk to that one's centre straight. Diagonals also need the two cells beside them, and
// the edges round by these: nobody cuts corners.

typedef struct Marking {
    const thRoadmapBuild* build;
    Cells cells;
    uint8_t* marks;
} Marking;

static void markNodes(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    const Marking* marking = context;
    const Cells* cells = &marking->cells;
    for (int32_t cell = begin * cells->columns; cell < end * cells->columns; ++cell)
        if (thiIsClearPlace(marking->build->space, centreOf(cells, cell), 0.0f))
            marking->marks[cell] |= isNode;
}

static bool canWalkBetween(const Marking* marking, int32_t from, int32_t to)
{
    return (marking->marks[from] & isNode) != 0 && (marking->marks[to] & isNode) != 0 &&
           thiIsClearLeg(marking->build->space, centreOf(&marking->cells, from),
                         centreOf(&marking->cells, to), 0.0f);
}

// Each row writes its own marks, and reads only which cells are nodes.
static void markStraight(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    const Marking* marking = context;
    const int32_t columns = marking->cells.columns;
    for (int32_t row = begin; row < end; ++row)
        for (int32_t column = 0; column < columns; ++column) {
            const int32_t cell = row * columns + column;
            int32_t edges = 0;
            if (column + 1 < columns && canWalkBetween(marking, cell, cell + 1))
                edges |= opensEast;
            if (row + 1 < marking->cells.rows && canWalkBetween(marking, cell, cell + columns))
                edges |= opensNorth;
            marking->marks[cell] = (uint8_t)(marking->marks[cell] | edges);
        }
}

static bool has(const Marking* marking, int32_t cell, int32_t bit)
{
    return (marking->marks[cell] & bit) != 0;
}

// Both ways round the square whose lower left cell is given are open.
static bool isOpenSquare(const Marking* marking, int32_t cell)
{
    const int32_t columns = marking->cells.columns;
    return has(marking, cell, opensEast) && has(marking, cell, opensNorth) &&
           has(marking, cell + 1, opensNorth) && has(marking, cell + columns, opensEast);
}

static void markDiagonals(const Marking* marking)
{
    const int32_t columns = marking->cells.columns;
    for (int32_t row = 0; row + 1 < marking->cells.rows; ++row)
        for (int32_t column = 0; column + 1 < columns; ++column) {
            const int32_t cell = row * columns + column;
            if (!isOpenSquare(marking, cell))
                continue;
            if (canWalkBetween(marking, cell, cell + columns + 1))
                marking->marks[cell] |= opensNorthEast;
            if (canWalkBetween(marking, cell + 1, cell + columns))
                marking->marks[cell + 1] |= opensNorthWest;
        }
}

thResult thiMakeGridRoadmap(const thRoadmapBuild* build)
{
    Marking marking = {.build = build, .cells = layOutCells(build)};
    const int32_t count = countCells(&marking.cells);
    if (count == 0)
        return thiRouteGraphConnect(build->graph, NULL, 0);
    marking.marks = thiAllocateZero(build->memory, (size_t)count);
    if (marking.marks == NULL)
        return th_resultNoMemory;
    thTasks_ParallelFor(build->tasks, marking.cells.rows, ROWS_AT_ONCE, markNodes, &marking);
    thTasks_ParallelFor(build->tasks, marking.cells.rows, ROWS_AT_ONCE, markStraight, &marking);
    if (build->map->neighbors == 8)
        markDiagonals(&marking);
    const thResult code = connectCells(build, &marking.cells, marking.marks);
    thiRelease(build->memory, marking.marks, (size_t)count);
    return code;
}

// The medial axis, from samples in cells. Each sample finds its nearest wall; where the points of
// walls that two neighbours are nearest to lie apart, the axis runs between them, and both are
// nodes. From one side of a convex wall such points are no further apart than the samples, so the
// axis shows between different walls and in concave corners only. The axis leaves a square of
// samples as it entered it, between two of them, and all four are neighbours: so nodes along it are
// joined wherever the disc has room.

typedef struct Sampling {
    const thRoadmapBuild* build;
    Cells cells;
    int32_t* wall; // of each sample: the nearest one
    float* away;   // of each sample: how far that is [units²]
    uint8_t* marks;
} Sampling;

static thOffset toWall(const Sampling* sampling, int32_t cell, int32_t wall)
{
    const thWalls* walls = sampling->build->frame->walls;
    return thiOffsetToSegment(centreOf(&sampling->cells, cell),
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
    const Cells* cells = &sampling->cells;
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
    const Cells* cells = &sampling->cells;
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
    const Cells* cells = &sampling->cells;
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
    for (int32_t cell = 0; cell < countCells(&sampling->cells); ++cell)
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
            thiIsClearPlace(sampling->build->space, centreOf(&sampling->cells, cell), 0.0f);
}

static bool isAxisBetween(const Sampling* sampling, int32_t a, int32_t b)
{
    if (sampling->wall[a] == sampling->wall[b])
        return false;
    const thPoint p = centreOf(&sampling->cells, a), q = centreOf(&sampling->cells, b);
    const thOffset fromA = toWall(sampling, a, sampling->wall[a]);
    const thOffset fromB = toWall(sampling, b, sampling->wall[b]);
    const double dx = q.x + fromB.x - (p.x + fromA.x), dy = q.y + fromB.y - (p.y + fromA.y);
    const double apart = APART * sampling->cells.side;
    return dx * dx + dy * dy > apart * apart;
}

static bool canWalk(const Sampling* sampling, int32_t a, int32_t b)
{
    return thiIsClearLeg(sampling->build->space, centreOf(&sampling->cells, a),
                         centreOf(&sampling->cells, b), 0.0f);
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
        sampling->marks[cell] = (sampling->marks[cell] & ON_AXIS) != 0 ? isNode : 0;
}

static void markEdge(const Sampling* sampling, int32_t from, int32_t to, int32_t bit)
{
    uint8_t* marks = sampling->marks;
    if ((marks[from] & marks[to] & isNode) != 0 && canWalk(sampling, from, to))
        marks[from] = (uint8_t)(marks[from] | bit);
}

static void joinAxis(const Sampling* sampling)
{
    const int32_t columns = sampling->cells.columns, rows = sampling->cells.rows;
    for (int32_t row = 0; row < rows; ++row)
        for (int32_t column = 0; column < columns; ++column) {
            const int32_t cell = row * columns + column;
            if (column + 1 < columns)
                markEdge(sampling, cell, cell + 1, opensEast);
            if (row + 1 >= rows)
                continue;
            markEdge(sampling, cell, cell + columns, opensNorth);
            if (column + 1 < columns)
                markEdge(sampling, cell, cell + columns + 1, opensNorthEast);
            if (column > 0)
                markEdge(sampling, cell, cell + columns - 1, opensNorthWest);
        }
}

static thResult makeAxis(Sampling* sampling)
{
    findNearestWalls(sampling);
    thTasks_ParallelFor(sampling->build->tasks, sampling->cells.rows, ROWS_AT_ONCE, findRoom,
                        sampling);
    findAxis(sampling);
    joinAxis(sampling);
    return connectCells(sampling->build, &sampling->cells, sampling->marks);
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
    Sampling sampling = {.build = build, .cells = layOutCells(build)};
    const size_t count = (size_t)countCells(&sampling.cells);
    if (count == 0 || !hasWalls(build))
        return thiRouteGraphConnect(build->graph, NULL, 0);
    sampling.wall = thiAllocate(build->memory, count * sizeof *sampling.wall);
    sampling.away = thiAllocate(build->memory, count * sizeof *sampling.away);
    sampling.marks = thiAllocate(build->memory, count);
    thResult code = th_resultNoMemory;
    if (sampling.wall != NULL && sampling.away != NULL && sampling.marks != NULL)
        code = makeAxis(&sampling);
    thiRelease(build->memory, sampling.wall, count * sizeof *sampling.wall);
    thiRelease(build->memory, sampling.away, count * sizeof *sampling.away);
    thiRelease(build->memory, sampling.marks, count);
    return code;
}
