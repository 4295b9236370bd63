// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How agents that have a shape stand, and how they turn towards where they go.

#ifndef THRONG_SRC_SIM_TURNING_H
#define THRONG_SRC_SIM_TURNING_H

#include "geom/body_shape.h"
#include "sim/world_internal.h"

// The body of an agent about its position: its shape turned by its heading, or its disc.
thConvexBody thiBodyAt(const thWorld* world, const thRows* rows, int32_t row);

// How far it reaches, however it turns. [m]
float thiBodyReach(const thWorld* world, const thRows* rows, int32_t row);

// The same of the largest shape there is; 0 without shapes. [m]
float thiLongestShape(const thWorld* world);

// Gives agents with a shape the headings in `before` back.
void thiKeepHeadings(const thWorld* world, int32_t begin, int32_t end, const float* before);

// Turns agents with a shape, where they are at the end of the step. Needs the drift; targets are
// not needed any more.
void thiTurnShapes(thWorld* world, float dt);

#endif
