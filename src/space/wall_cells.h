// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Each level has a rectangle of square cells round its walls, and each cell a list of the segments
// that touch it; lists follow each other in one array.
//
//     level 0: row 0, row 1, ...  |  level 1: row 0, ...     cellStart[cell] .. cellStart[cell + 1]
//
// Cells only propose segments. What is said of a segment is computed from its ends and the query,
// so results do not depend on the cells.

#ifndef THRONG_SRC_SPACE_WALL_CELLS_H
#define THRONG_SRC_SPACE_WALL_CELLS_H

#include "geom/predicate.h"
#include "space/walls.h"

// The cells of one level. Without walls there are none, and `low` is above `high`.
typedef struct thBand {
    thPoint low, high; // box of the level's walls
    int32_t columns, rows;
    int32_t firstCell;
} thBand;

#define TH_WALL_TABLES(X)                                                                          \
    X(int32_t, ax)                                                                                 \
    X(int32_t, ay)                                                                                 \
    X(int32_t, bx)                                                                                 \
    X(int32_t, by)                                                                                 \
    X(uint8_t, oneSided)                                                                           \
    X(uint16_t, level)                                                                             \
    X(int32_t, obstacle)                                                                           \
    X(thBand, bands)      /* by level */                                                           \
    X(int32_t, cellStart) /* by cell: where its list begins; the last two are the end of all */    \
    X(int32_t, lists)     /* segments */

struct thWallGrid {
    thMemory* memory;
    int32_t shift; // cells are 2^shift units wide
#define X(type, name) thArray name;
    TH_WALL_TABLES(X)
#undef X
    thWalls walls;
};

static inline thPoint thiSegmentStart(const thWallGrid* grid, int32_t segment)
{
    return (thPoint){grid->walls.ax[segment], grid->walls.ay[segment]};
}

static inline thPoint thiSegmentEnd(const thWallGrid* grid, int32_t segment)
{
    return (thPoint){grid->walls.bx[segment], grid->walls.by[segment]};
}

// The cells that a line from a to b touches, row by row, each row in the line's direction. Where
// the line is slanted the walk takes in everything within a unit of it, to be safe from rounding,
// also for points that are computed on the line.
typedef struct thCellWalk {
    const thBand* band;
    int32_t shift;
    double ax, ay, bx, by;
    double slope; // x over y; not used when the line is level
    int32_t row, rowEnd, rowStep;
    int32_t column, columnEnd, columnStep;
} thCellWalk;

thCellWalk thiBeginWalk(const thBand* band, int32_t shift, thPoint a, thPoint b);

// The next cell, −1 after the last.
int32_t thiNextCell(thCellWalk* walk);

// Ends the walk, which leads to b, a unit after a share of the whole way.
void thiShortenWalk(thCellWalk* walk, thPoint b, double share);

#endif
