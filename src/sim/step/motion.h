// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The stage `move`: from velocities to places, for a part of a step or all of it.

#ifndef THRONG_SRC_SIM_MOTION_H
#define THRONG_SRC_SIM_MOTION_H

#include "sim/world_internal.h"

// A part of a step; an undivided one is the first and the last.
typedef struct thStepPart {
    float dt;
    bool isFirst, isLast;
    bool isOfMovers;  // it is one of several that it is divided into for movers
    float begin, end; // then: of all of these [s]
} thStepPart;

// Moves all agents by the velocities in outVx and outVy, and moving obstacles; at the end of the
// step it notes who arrives. Where movers are fast that is done in `moverParts`, after places were
// kept (undo.h). th_resultNoMemory may leave some of these made.
thResult thiMoveAgents(thWorld* world, thStepPart part, int32_t moverParts);

// Where the chosen velocity of a row leads from a place in a time, as if nothing were in the way.
thPoint thiLeadsTo(const thWorld* world, int32_t row, thPoint from, float time);

#endif
