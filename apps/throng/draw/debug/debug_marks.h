// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What methods have to say about an agent, drawn without knowing the methods.

#ifndef THRONG_APPS_DEBUG_MARKS_H
#define THRONG_APPS_DEBUG_MARKS_H

#include "draw/debug/debug_panel.h"

#include <throng/explain.h>

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
