// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A grid of nodes over one floor for one class of radii. It covers the walls and what else it is
// told to; nodes are open where the disc can stand, and joined where it can go straight. Built in
// pieces, by count.

#ifndef THRONG_SRC_PLAN_FIELD_GRID_H
#define THRONG_SRC_PLAN_FIELD_GRID_H

#include "plan/route/route_space.h"

// What a node may do, or'ed.
enum {
    th_openNode = 1 << 0, // stand there
    th_openEast = 1 << 1, // go to the next node
    th_openWest = 1 << 2,
    th_openNorth = 1 << 3,
    th_openSouth = 1 << 4,
};

// Nodes in rows, from low x and y on. The outermost ones are never open, so neighbours of an open
// node are in the grid.
typedef struct thNodeGrid {
    thPoint low;           // the first node [units]
    int32_t side;          // between neighbours [units]
    int32_t columns, rows; // 0: no nodes
    uint8_t* open;         // th_open… of each node; both ends of an edge say the same
} thNodeGrid;

static inline int32_t thiNodeCount(const thNodeGrid* grid)
{
    return grid->columns * grid->rows;
}

static inline thPoint thiNodePlace(const thNodeGrid* grid, int32_t node)
{
    // Unsigned numbers are divided faster.
    const uint32_t row = (uint32_t)node / (uint32_t)grid->columns;
    const int32_t column = node - (int32_t)row * grid->columns;
    return (thPoint){grid->low.x + column * grid->side, grid->low.y + (int32_t)row * grid->side};
}

// Whether a place is among nodes that may be open.
bool thiIsInGrid(const thNodeGrid* grid, thPoint p);

// Coordinates of what a grid has to cover; low above high: nothing. [units]
typedef struct thFieldBox {
    int64_t lowX, lowY, highX, highY;
} thFieldBox;

#define TH_EMPTY_BOX ((thFieldBox){INT64_MAX, INT64_MAX, INT64_MIN, INT64_MIN})

static inline void thiBoxAdd(thFieldBox* box, int32_t x, int32_t y)
{
    box->lowX = TH_MIN(box->lowX, x);
    box->lowY = TH_MIN(box->lowY, y);
    box->highX = TH_MAX(box->highX, x);
    box->highY = TH_MAX(box->highY, y);
}

typedef struct thFieldGrid {
    thMemory* memory;
    int32_t level;
    thRouteSpace* space; // of the radius and TH_ROUTE_SLACK; NULL before it is begun
    thNodeGrid nodes;    // none where there is nothing to cover, as on a floor without walls
    int32_t rowsDone;
    int64_t needed; // nodes for the whole floor
    bool tooLarge;  // that is more than allowed; it has none then
} thFieldGrid;

// Begins a grid for discs of `radius` with nodes `cell` metres apart, at most `limit` of them. It
// covers the walls of the floor and a box. th_resultNoMemory leaves nothing to free.
thResult thiFieldGridBegin(thMemory* memory, const thFrame* frame, int32_t level, float radius,
                           float cell, int32_t limit, const thFieldBox* box, thFieldGrid* grid);
void thiFieldGridFree(thFieldGrid* grid);

// Looks at whole rows of nodes until `*count` are used up, and takes them off. The walls must be
// those it began with.
void thiFieldGridBuild(thFieldGrid* grid, const thFrame* frame, int32_t level, int64_t* count);

static inline bool thiIsFieldGridDone(const thFieldGrid* grid)
{
    return grid->space != NULL && grid->rowsDone >= grid->nodes.rows;
}

// What to say of a floor that needs too many nodes: sentences that live as long as the program, so
// numbers are round. A planner has a table of them with its name; the last is for more than may be.
typedef struct thTooLarge {
    int64_t count;
    const char* why;
} thTooLarge;

#define TH_TOO_LARGE_AT(plan, count)                                                               \
    {                                                                                              \
        count,                                                                                     \
            "the floor needs more nodes than 'cells' of plan '" plan "' allows; 'cells': " #count  \
            " would do, or a larger 'cell', or plan 'roadmap', which needs none"                   \
    }
#define TH_TOO_LARGE(plan)                                                                         \
    TH_TOO_LARGE_AT(plan, 100), TH_TOO_LARGE_AT(plan, 200), TH_TOO_LARGE_AT(plan, 500),            \
        TH_TOO_LARGE_AT(plan, 1000), TH_TOO_LARGE_AT(plan, 2000), TH_TOO_LARGE_AT(plan, 5000),     \
        TH_TOO_LARGE_AT(plan, 10000), TH_TOO_LARGE_AT(plan, 20000), TH_TOO_LARGE_AT(plan, 50000),  \
        TH_TOO_LARGE_AT(plan, 100000), TH_TOO_LARGE_AT(plan, 200000),                              \
        TH_TOO_LARGE_AT(plan, 500000), TH_TOO_LARGE_AT(plan, 1000000),                             \
        TH_TOO_LARGE_AT(plan, 2000000), TH_TOO_LARGE_AT(plan, 5000000),                            \
        TH_TOO_LARGE_AT(plan, 10000000), TH_TOO_LARGE_AT(plan, 20000000),                          \
        TH_TOO_LARGE_AT(plan, 50000000), TH_TOO_LARGE_AT(plan, 100000000),                         \
    {                                                                                              \
        INT64_MAX, "the floor needs more than the 100000000 nodes that 'cells' of plan '" plan     \
                   "' may be; a larger 'cell' needs fewer, and plan 'roadmap' needs none"          \
    }

const char* thiWhyTooLarge(const thTooLarge* sizes, int32_t count, int64_t needed);

#endif
