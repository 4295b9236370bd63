// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The cells of walls, for those who search them in their own way. Each level has a rectangle of
// square cells round its walls, and each cell a list of the segments that touch it; lists follow
// each other in one array.
//
//     level 0: row 0, row 1, ...  |  level 1: row 0, ...     cellStart[cell] .. cellStart[cell + 1]
//
// Cells only propose segments. What is said of a segment is computed from its ends and the query,
// so results do not depend on the cells.

#ifndef THRONG_SRC_SPACE_WALL_CELLS_H
#define THRONG_SRC_SPACE_WALL_CELLS_H

#include "geom/segment.h"
#include "space/walls.h"

// The cells of one level. Without walls there are none, and `low` is above `high`.
typedef struct thBand {
    thPoint low, high; // box of the level's walls
    int32_t columns, rows;
    int32_t firstCell;
    bool hasRooms;
} thBand;

#define TH_WALL_TABLES(X)                                                                          \
    X(int32_t, ax)                                                                                 \
    X(int32_t, ay)                                                                                 \
    X(int32_t, bx)                                                                                 \
    X(int32_t, by)                                                                                 \
    X(uint8_t, oneSided)                                                                           \
    X(uint16_t, level)                                                                             \
    X(int32_t, obstacle)                                                                           \
    X(int32_t, solidEdges) /* how many edges of solids run along it, less those that run back */   \
    X(int32_t, roomEdges)  /* the same for rooms */                                                \
    X(thBand, bands)       /* by level */                                                          \
    X(int32_t, cellStart)  /* by cell: where its list begins; the last two are the end of all */   \
    X(int32_t, lists)      /* segments */

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

// Without walls of that level it may be NULL.
static inline const thBand* thiFindBand(const thWallGrid* grid, int32_t level)
{
    if (level < 0 || level >= grid->bands.count)
        return NULL;
    return &TH_ITEMS(grid->bands, thBand)[level];
}

// Everything between two corners; the bounds belong to it. [units]
typedef struct thBox {
    int64_t lowX, lowY, highX, highY;
} thBox;

// The box of two points and `margin` units round it.
static inline thBox thiBoxAround(thPoint a, thPoint b, int64_t margin)
{
    return (thBox){TH_MIN(a.x, b.x) - margin, TH_MIN(a.y, b.y) - margin, TH_MAX(a.x, b.x) + margin,
                   TH_MAX(a.y, b.y) + margin};
}

// Whether a box and that of a segment have a point in common. Without branches, which are hard to
// predict here.
static inline bool thiBoxMeetsSegment(const thBox* box, thPoint a, thPoint b)
{
    return (TH_MAX(a.x, b.x) >= box->lowX) & (TH_MIN(a.x, b.x) <= box->highX) &
           (TH_MAX(a.y, b.y) >= box->lowY) & (TH_MIN(a.y, b.y) <= box->highY);
}

// The cells of a band that a box touches.
typedef struct thCellBox {
    int32_t columnBegin, columnEnd, rowBegin, rowEnd;
} thCellBox;

// False when there are none.
static inline bool thiClipBox(const thBand* band, int32_t shift, thBox box, thCellBox* cells)
{
    const int64_t lowX = TH_MAX(box.lowX, band->low.x), highX = TH_MIN(box.highX, band->high.x);
    const int64_t lowY = TH_MAX(box.lowY, band->low.y), highY = TH_MIN(box.highY, band->high.y);
    if (lowX > highX || lowY > highY)
        return false;
    cells->columnBegin = (int32_t)((lowX - band->low.x) >> shift);
    cells->columnEnd = (int32_t)((highX - band->low.x) >> shift) + 1;
    cells->rowBegin = (int32_t)((lowY - band->low.y) >> shift);
    cells->rowEnd = (int32_t)((highY - band->low.y) >> shift) + 1;
    return true;
}

// The segments in the lists of a box. One that is in several lists comes several times.
typedef struct thBoxWalk {
    const thWallGrid* grid;
    const thBand* band;
    thCellBox cells;
    int32_t row; // the next to enter
    int32_t place, placeEnd;
} thBoxWalk;

static inline thBoxWalk thiBeginBoxWalk(const thWallGrid* grid, const thBand* band, thCellBox cells)
{
    return (thBoxWalk){.grid = grid, .band = band, .cells = cells, .row = cells.rowBegin};
}

// The next segment, −1 after the last.
static inline int32_t thiNextSegment(thBoxWalk* walk)
{
    const int32_t* start = TH_ITEMS(walk->grid->cellStart, int32_t);
    while (walk->place == walk->placeEnd) {
        if (walk->row == walk->cells.rowEnd)
            return -1;
        const int32_t cell = walk->band->firstCell + walk->row * walk->band->columns;
        walk->place = start[cell + walk->cells.columnBegin];
        walk->placeEnd = start[cell + walk->cells.columnEnd];
        walk->row += 1;
    }
    return TH_ITEMS(walk->grid->lists, int32_t)[walk->place++];
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

#endif
