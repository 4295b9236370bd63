// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How agents that have a shape turn towards where they go.

#ifndef THRONG_SRC_SIM_TURNING_H
#define THRONG_SRC_SIM_TURNING_H

#include "sim/world_internal.h"

// Gives agents with a shape the headings in `before` back.
void thiKeepHeadings(const thWorld* world, int32_t begin, int32_t end, const float* before);

// Turns agents with a shape, where they are at the end of the step. Needs the drift; targets are
// not needed any more.
void thiTurnShapes(thWorld* world, float dt);

#endif
