// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Reports what each stage of a step computed to world->watch.trace, which tests set.

#ifndef THRONG_SRC_SIM_STEP_TRACE_H
#define THRONG_SRC_SIM_STEP_TRACE_H

#include "sim/tiles.h"

thResult thiTraceOpen(thWorld* world, thTileTrace* trace);
void thiTraceClose(thWorld* world, thTileTrace* trace);

// After the sort: who is there.
void thiTraceSort(const thWorld* world, const thTileTrace* trace);

// After motion: senses, guidance, velocities and places, a stage each.
void thiTraceStages(const thWorld* world, const thTileTrace* trace);

#endif
