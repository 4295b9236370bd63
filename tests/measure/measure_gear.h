// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What tests of tallies share: comparisons, and a crowd in which all happens that a tally counts.

#ifndef THRONG_TESTS_MEASURE_MEASURE_GEAR_H
#define THRONG_TESTS_MEASURE_MEASURE_GEAR_H

#include "gear/property.h"
#include "sim/sim_gear.h"
#include "throng/measure.h"

// With contacts only if asked for.
thWorld* createPlainWorld(int32_t workerCount, int32_t contacts);

// A tally of a world, with walls checked.
thTally* createTally(const thWorld* world);

// What is saved of a tally; freed with freeBytes.
Bytes saveTally(const thTally* tally);

// Everything but the bytes of memory.
void assertSameFigures(const thTally* a, const thTally* b);
// And what is saved.
void assertSameTally(const thTally* a, const thTally* b);

// A world in which people walk 1 m/s straight to their goals and stand on them exactly.
typedef struct Walk {
    thWorld* world;
    thProfileId stopping, leaving; // what one does at its goal
    thTally* tally;
    double time;
} Walk;

Walk createWalk(int32_t contacts);
void destroyWalk(Walk* walk);

// Makes steps of half a second; `tally` watches.
thTallyResult observeWalk(Walk* walk, int32_t steps);

thGoalId createPlace(thWorld* world, float x, float y);
thAgentId addWalker(Walk* walk, thProfileId profile, float x, float y, thGoalId goal);

// People who walk through each other, through a wall's gap, past a moving obstacle and to goals at
// which they stop, leave or start again; on two floors.
typedef struct Crowd {
    thWorld* world;
    thProfileId stopping, leaving, touring; // what one does at its goal
    thGoalId near, far, tour;
    uint64_t nextKey;
} Crowd;

// Agents are created in the order of their keys, or the other way round.
Crowd createCrowd(int32_t workerCount, bool backwards);

// Some come, some are removed, then a step: which follows from `step` alone. `dt` is 0.5 s.
void stepCrowd(Crowd* crowd, uint64_t step);
#define CROWD_STEP 0.5

// Takes note of that step.
void observeCrowd(thTally* tally, uint64_t step);

// Everything that is counted has happened, or a comparison would say little.
void assertMuchHappened(const thTally* tally);

#endif
