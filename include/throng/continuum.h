// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

/// @file
/// Planning method `continuum`: the crowd as a continuum of density and mean velocity, and for each
/// goal a potential that is lower the less way, time and discomfort are left.

#ifndef THRONG_CONTINUUM_H
#define THRONG_CONTINUUM_H

#include "throng/base.h"

/// Parameters of method `continuum`; the params of a profile's `plan`.
typedef struct thContinuumDef {
    /// Size of this struct. [bytes, set by thDefaultContinuumDef]
    uint32_t size;
    /// Side of the square cells. Gaps that are this much wider than a body are found. [m, 0.05 ..
    /// 100, default 0.5]
    float cell;
    /// Most cells of a floor; each takes 65 bytes, and 9 more in each potential. [64 ..
    /// 100,000,000, default 1,000,000]
    int32_t cells;
    /// Most potentials: one for each goal and floor. Who needs a further one has no path. [1 ..
    /// 1024, default 16]
    int32_t fields;
    /// Steps from one rebuilding of the crowd and all potentials to the next. [1 .. 1,000,000,
    /// default 1]
    int32_t refresh;
    /// Exponent of how an agent's density falls with the distance from it: one half to the power of
    /// this is what it adds to its own cell at least, and to any other at most. [1 .. 3, default 2]
    float exponent;
    /// Density up to which people walk as if nobody were there. Where one agent alone makes more
    /// than that in a cell beside it, that counts instead. [1/m², 0 .. 100, default 1.5]
    float freeDensity;
    /// Density from which on people only go along with the flow. [1/m², 0 .. 100, default 3]
    float fullDensity;
    /// Speed of people without a crowd, as the potentials count it; each goes by its own preferred
    /// speed. [m/s, 0.01 .. 100, default 1.4]
    float speed;
    /// Speed that is left in any crowd, or those who stand would stand for ever. [m/s, 0.001 .. 10,
    /// default 0.1]
    float leastSpeed;
    /// What a metre costs. [0 .. 1000, default 1]
    float lengthCost;
    /// What a second costs. [1/s, 0 .. 1000, default 2]
    float timeCost;
    /// What a second in discomfort of 1 costs. [1/s, 0 .. 1000, default 10]
    float discomfortCost;
    /// How far ahead of moving obstacles there is discomfort of 1. [s, 0 .. 60, default 2]
    float moversAhead;
    /// How far ahead of people there is discomfort, of 1 where as many as `fullDensity` will be;
    /// everybody meets its own, too. [s, 0 .. 60, default 0]
    float peopleAhead;
} thContinuumDef;

/// Parameters with every field at its default.
THRONG_API thContinuumDef thDefaultContinuumDef(void);

#endif
