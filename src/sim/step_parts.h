// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Steps that are made in parts. Avoidance may say that its velocities are good for less than the
// step. Then everybody moves only so far, and it is asked again for the rest of the step. Planners
// and groups are asked once.

#ifndef THRONG_SRC_SIM_STEP_PARTS_H
#define THRONG_SRC_SIM_STEP_PARTS_H

#include "sim/tiles.h"

// The most parts of a step. Each is a whole number of such parts long.
#define TH_STEP_PARTS 8

// From velocities for the whole step to places at its end. th_resultNoMemory leaves agents where
// the parts that were made have led them.
thResult thiMoveInParts(thWorld* world, float dt, const thTileTrace* trace, int64_t* clock);

#endif
