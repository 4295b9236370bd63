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
} thStepPart;

// Moves all agents by the velocities in outVx and outVy, and moving obstacles; at the end of the
// step it notes who arrives. th_resultNoMemory moves nobody.
thResult thiMoveAgents(thWorld* world, thStepPart part);

#endif
