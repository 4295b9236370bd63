// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What tests of jams share: worlds with walls and people who want to get past each other.

#ifndef THRONG_TESTS_SIM_JAM_GEAR_H
#define THRONG_TESTS_SIM_JAM_GEAR_H

#include "sim/sim_gear.h"

#define JAM_STEP 0.1f // [s]

thWorld* createCrowdWorld(int32_t workers, thSimd simd);

// Of people who look at others and leave where they arrive.
thProfileDef walkerProfile(thKeep keep, float patience);
thProfileId addProfile(thWorld* world, thKeep keep, float patience);

thAgentId addWalker(thWorld* world, thProfileId profile, thVec2 from, thVec2 to);

// How many steps it takes until all have left; `most` if they do not.
int32_t stepsUntilEmpty(thWorld* world, int32_t most);

#endif
