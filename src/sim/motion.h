// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#ifndef THRONG_SRC_SIM_MOTION_H
#define THRONG_SRC_SIM_MOTION_H

#include "sim/world_internal.h"

// Moves all agents by the velocities in outVx and outVy, and moving obstacles, and notes who
// arrives. th_resultNoMemory moves nobody.
thResult thiMoveAgents(thWorld* world, float dt);

#endif
