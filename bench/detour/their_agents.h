// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The same agents in DetourCrowd. They begin where ours do and have the same goals, which they
// reach at their own pace: who arrives turns to the next goal, stays or leaves as ours would.

#ifndef THRONG_BENCH_THEIR_AGENTS_H
#define THRONG_BENCH_THEIR_AGENTS_H

#include "detour_crowd.h"
#include "our_agents.h"

typedef struct Walker {
    thAgentId original; // ours
    int32_t number;     // in DetourCrowd
    int32_t goal;       // slot in the world; −1: none
    int32_t goalIndex;  // which of a list of goals
    float arrivalDistance;
    thArrival arrival;
    bool waits, arrived;
} Walker;

typedef struct TheirAgents {
    Party party;
    Walker* walkers; // in the order of the party
    DetourCrowd* crowd;
} TheirAgents;

// One for each of ours, at most detourMostAgents; no radius is above `maxRadius`, and the step is
// as long as all will be. False when memory is out; to be freed anyway.
bool createTheirAgents(TheirAgents* theirs, const OurAgents* ours, const thWorld* world,
                       float maxRadius, float step);
void freeTheirAgents(TheirAgents* theirs);

// After a step. Goals are the world's, and who waits sets out with its original.
void followTheirAgents(TheirAgents* theirs, const thWorld* world);

#endif
