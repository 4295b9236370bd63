// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Areas without end as what they are: what is to the left of all their sides. A square part of the
// plane shows exactly its part of them, however wide they open.

#ifndef THRONG_APPS_DEBUG_SIDES_H
#define THRONG_APPS_DEBUG_SIDES_H

#include <stdbool.h>
#include <throng/mark.h>

// A straight piece of a border: x, y + t (dx, dy) with t from `low` to `high`, which may be
// infinite. The direction has length 1, or 0 where two corners are one.
typedef struct Side {
    double x, y, dx, dy, low, high;
} Side;

typedef struct Corner {
    double x, y;
} Corner;

typedef struct Square {
    double x, y, reach; // middle, and how far the edges are from it
} Square;

// How many sides what a half-plane forbids has, or a cone. Other marks have none.
int32_t appCountSides(const thMark* mark);

// Those of cones are in the order of its points.
Side appSideOf(const thMark* mark, int32_t index);

Corner appPlaceOnSide(const Side* side, double along);

double appDistanceToSide(const Side* side, thVec2 point);

// Shortens a side to what is in a square, or in a disc round its middle. False if nothing is.
bool appCutSide(Side* side, const Square* square);
bool appCutSideByDisc(Side* side, Corner middle, double radius);

// The part of the area that is in a square, counterclockwise. `corners` has room for 8 and two for
// each side. Returns how many there are, 0 if there is no such part.
int32_t appCutArea(const thMark* mark, const Square* square, Corner* corners);

#endif
