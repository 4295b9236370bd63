// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The place an explained agent is at: walls, neighbours with their numbers and velocities, the way
// it goes.

#ifndef THRONG_APPS_DEBUG_SPACE_H
#define THRONG_APPS_DEBUG_SPACE_H

#include "draw/debug/debug_marks.h"

// How much of the place is to be seen. [m]
double appFindPlaceReach(const thExplanationView* view);

void appDrawPlace(const Panel* panel, const thWorld* world, const thExplanationView* view);

#endif
