// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `power-law`: forces by the time to collision; its kernel and what that works on.

#ifndef THRONG_SRC_AVOID_POWER_LAW_H
#define THRONG_SRC_AVOID_POWER_LAW_H

#include "throng/power_law.h"
#include "velocity/kernel_input.h"

// What is felt at the beginning of a step, [k · lanes + lane]: by neighbour, and in the entry after
// the last of these by the wall that is met first.
typedef struct thPowerLawFelt {
    float *forceX, *forceY; // m/s²
    float* time;            // until the collision; 0 where bodies overlap, infinity without one [s]
} thPowerLawFelt;

typedef struct thPowerLawTask {
    thSurroundings around;
    const thPowerLawDef* def;
    const thPowerLawFelt* felt; // NULL: not asked for
} thPowerLawTask;

// Collisions further away than this many horizons are not felt.
#define TH_POWER_LAW_CUT 4.0f
// Collisions nearer than this count as being as near. [s]
#define TH_POWER_LAW_SOON 0.01f
// Bodies that come nearer to each other more slowly than this, as they graze, count as coming as
// fast. [m/s]
#define TH_POWER_LAW_GRAZE 0.01f
// The time within which bodies that overlap are to part. [s]
#define TH_POWER_LAW_PARTING 0.2f
// Centres nearer than this count as one point: there is no direction from one to the other. [m]
#define TH_POWER_LAW_ONE_POINT 1.0e-6f
// The sub-steps of an implicit step, and the most of an explicit one.
#define TH_POWER_LAW_IMPLICIT_PARTS 2
#define TH_POWER_LAW_EXPLICIT_PARTS 16

typedef void thPowerLawFcn(const thPowerLawTask* task);
TH_KERNEL_DECLARE(thiPowerLaw, void, (const thPowerLawTask* task));

#endif
