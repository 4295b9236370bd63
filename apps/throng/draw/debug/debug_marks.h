// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What methods have to say about an agent, drawn without knowing the methods.

#ifndef THRONG_APPS_DEBUG_MARKS_H
#define THRONG_APPS_DEBUG_MARKS_H

#include "draw/debug/debug_panel.h"

#include <stdbool.h>
#include <throng/explain.h>
#include <throng/mark.h>

// --- Areas without end ---

// Areas without end as what they are: what is to the left of all their sides. A square part of the
// plane shows exactly its part of them, however wide they open.

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

// Shortens a side to what is in a square. False if nothing is.
bool appCutSide(Side* side, const Square* square);

// The part of the area that is in a square, counterclockwise. `corners` has room for 8 and two for
// each side. Returns how many there are, 0 if there is no such part.
int32_t appCutArea(const thMark* mark, const Square* square, Corner* corners);

// --- Marks ---

static const Color debugCurrentColor = {0.45, 0.46, 0.50};
static const Color debugWantedColor = {0.00, 0.55, 0.38};
static const Color debugAdaptedColor = {0.42, 0.36, 0.70};
static const Color debugChosenColor = {0.84, 0.32, 0.00};
static const Color debugAllowedColor = {0.76, 0.89, 0.78};

// The colour of whom a mark is there for.
Color appCauseColor(thMarkCause cause);

// What samples cost, from least to most. False when there are none with a finite cost.
bool appFindCosts(const thExplanationView* view, double* least, double* most);

// Whether the chosen velocity is on the border of a cone, or on that of a half-plane or beyond it.
bool appIsBinding(const thExplanationView* view, const thMark* mark);

// The number under which a neighbour is shown, from 1 on; 0 if it is none.
int32_t appNeighborNumber(const thExplanationView* view, uint64_t key);

// Paints the velocities that no mark forbids, where any does.
void appPaintAllowed(const Panel* panel, const thExplanationView* view);

// All marks of one plane.
void appDrawMarks(const Panel* panel, const thExplanationView* view, thMarkSpace space);

#endif
