// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Stages of a step, for those who need a part of one: explanations rehearse it for one agent.

#ifndef THRONG_SRC_SIM_STEP_H
#define THRONG_SRC_SIM_STEP_H

#include "sim/world_internal.h"

// Agents into cells; rows change places.
thResult thiSortAgents(thWorld* world);

// The frame that methods see.
thFrame thiMakeFrame(const thWorld* world, float dt);

// What methods of that kind and later ones do before their batches.
thResult thiPrepareMethods(thWorld* world, const thFrame* frame, thMethodKind firstKind);

#endif
