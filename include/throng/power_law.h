// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

/// @file
/// Avoidance method `power-law`: forces of the universal power law (Karamouzas, Skinner, Guy 2014).
/// An agent is driven towards the velocity that it wants, and away from whatever it would run into,
/// the more strongly the sooner it would.

#ifndef THRONG_POWER_LAW_H
#define THRONG_POWER_LAW_H

#include "throng/avoid.h"

/// Parameters of method `power-law`; the params of a profile's `avoid`.
typedef struct thPowerLawDef {
    /// Size of this struct. [bytes, set by thDefaultPowerLawDef]
    uint32_t size;
    /// How strong the interaction is: at a time τ to the collision its energy is this / τ². [m², 0
    /// .. 100, default 1.5]
    float strength;
    /// Time to the collision beyond which it falls off exponentially; four times this is not felt
    /// any more. [s, 0.1 .. 100, default 3]
    float horizon;
    /// Time in which an agent that is alone takes up the velocity that it wants. [s, 0.01 .. 10,
    /// default 0.5]
    float relaxation;
    /// The most that any one neighbour or wall pushes. [m/s², 0 .. 1000, default 20]
    float maxForce;
    /// 1: a step that takes into account how forces change with the velocity it leads to. 0: plain
    /// semi-implicit Euler in sub-steps. [0 or 1, default 1]
    int32_t implicit;
} thPowerLawDef;

/// Parameters with every field at its default.
THRONG_API thPowerLawDef thDefaultPowerLawDef(void);

/// What `power-law` says about an agent: the `status` of a batch and of `thPowerLaw_Solve`.
typedef enum thPowerLawStatus {
    /// It runs into nothing.
    th_powerLawFree = 0,
    /// It would run into something, and is pushed away from that.
    th_powerLawAvoids = 1,
    /// It overlaps something, and is pushed apart from that.
    th_powerLawParts = 2,
} thPowerLawStatus;

/// The velocity for the coming step of `dt` seconds, without a world: the same as the method gives
/// to an agent, to the bit. Numbers that are not finite, or larger than a million, are refused, and
/// so are steps below THRONG_LEAST_STEP; whatever is accepted gives a finite velocity.
THRONG_API thResult thPowerLaw_Solve(const thPowerLawDef* def, float dt, const thAvoidSelf* self,
                                     const thAvoidNeighbor* neighbors, int32_t neighborCount,
                                     const thAvoidWall* walls, int32_t wallCount, thVec2* velocity,
                                     thPowerLawStatus* status);

#endif
