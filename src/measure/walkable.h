// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Where one may walk on a floor: trapezoids, and the doors through which one gets to the next.
//
// Walkable is what is in a room and in no solid. Trapezoids have two horizontal sides. No door
// leads across a wall, nor across the outline of a room or solid.
//
//      ┌──────────────────────┐
//      │          3           │      trapezoids 0 .. 3, doors = = =
//      │= = = = ┌──┐= = = = = │
//      │   1    │##│    2     │
//      │= = = = └──┘= = = = = │
//      │          0           │
//      └──────────────────────┘
//
// Rooms may overlap, and solids may overlap each other and the outlines of rooms. Outlines that
// cross themselves are solid (or room) where a ray crosses them an odd number of times. Corners are
// taken to the nearest 2⁻²⁰ m, and gaps of that width are closed.

#ifndef THRONG_SRC_MEASURE_WALKABLE_H
#define THRONG_SRC_MEASURE_WALKABLE_H

#include "base/memory.h"
#include "throng/record.h"

// Widths and distances up to this do not count. [m]
#define TH_WALKABLE_GRAIN (1.0 / 1048576.0)

typedef struct thTrapezoid {
    double y0, y1;         // bottom and top
    double left0, left1;   // x of the left side at bottom and top
    double right0, right1; // x of the right side
    int32_t firstDoor, doorCount;
} thTrapezoid;

typedef struct thWalkableDoor {
    double y, x0, x1;
    int32_t to; // trapezoid
} thWalkableDoor;

typedef struct thWalkable {
    thPlace low, high;  // bounds
    thArray trapezoids; // thTrapezoid
    thArray doors;      // thWalkableDoor, by the trapezoid they lead out of
    // Which trapezoids a cell of a grid touches. It lies where sides are; what is beyond belongs to
    // the cells at its border.
    thPlace gridLow, gridHigh;
    int32_t columns, rows;
    thArray cellStarts; // int32_t: columns · rows + 1
    thArray cellItems;  // int32_t
} thWalkable;

typedef struct thWalkableDef {
    const thRecordedShape* shapes; // solids, rooms and walls of `level` are looked at
    int32_t shapeCount;
    int32_t level;
    thPlace origin; // all places are relative to it from here on
    // Where there is no room: what is free, but for solids; relative to the origin.
    thPlace openLow, openHigh;
} thWalkableDef;

thWalkable thiWalkable(thMemory* memory); // nothing is walkable
thResult thiBuildWalkable(thWalkable* walkable, const thWalkableDef* def);
void thiWalkableFree(thWalkable* walkable);

// The trapezoid in which a place is, borders included. −1: none.
int32_t thiFindTrapezoid(const thWalkable* walkable, thPlace place);

#endif
