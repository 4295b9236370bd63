// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The agents of a world, followed step by step. Nobody joins later.

#ifndef THRONG_BENCH_OUR_AGENTS_H
#define THRONG_BENCH_OUR_AGENTS_H

#include "party.h"

#include <throng/world.h>

typedef struct OurAgents {
    Party party;
    thAgentId* ids; // in the order of the party
} OurAgents;

// False when memory is out; to be freed anyway.
bool createOurAgents(OurAgents* ours, const thWorld* world);
void freeOurAgents(OurAgents* ours);

// After a step.
void followOurAgents(OurAgents* ours, const thWorld* world);

#endif
