// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The ground below square cells: what of them can be walked on, and which walls pass through them.

#ifndef THRONG_APPS_GROUND_H
#define THRONG_APPS_GROUND_H

#include "draw/map.h"

// Square cells over a place, row by row.
typedef struct Grid {
    thPlace low; // corner of the first cell [m]
    double cell; // edge [m]
    int32_t columns, rows;
} Grid;

// A cell is looked at in so many places a side.
enum { appSpots = 8, appAllSpots = appSpots * appSpots };

// A piece of a wall, or of the outline of a room or solid. [m]
typedef struct GroundEdge {
    thPlace a, b;
} GroundEdge;

typedef struct Ground {
    Grid grid;
    GroundEdge* edges;
    int32_t edgeCount;
    uint64_t* walkable;  // by cell: a bit for each of its spots
    int64_t* firstOfs;   // by cell, and one more: where its edges begin in the list
    int32_t* edgesOf;    // the edges that touch each cell
    int32_t* crossedSum; // how many cells that edges touch are left of and below each corner
} Ground;

// Of the walls, rooms and solids of a floor that do not move. False when memory is out.
bool appCreateGround(Ground* ground, const Grid* grid, const Scenery* scenery);
void appFreeGround(Ground* ground);

// Whether an edge touches a cell, or any of the cells from low to high, both included.
bool appIsCrossed(const Ground* ground, int32_t column, int32_t row);
bool appIsNearEdge(const Ground* ground, int32_t lowColumn, int32_t lowRow, int32_t highColumn,
                   int32_t highRow);

// How much of a cell can be walked on. [0 .. 1]
double appWalkablePart(const Ground* ground, int32_t column, int32_t row);

// A place in a cell that can be walked on, as near to the middle of such places as there is. The
// middle of the cell if there is none, or no edge.
thPlace appSpotOf(const Ground* ground, int32_t column, int32_t row);

#endif
