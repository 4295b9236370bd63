// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

/// @file
/// Avoidance method `orca`: optimal reciprocal collision avoidance (van den Berg, Guy, Lin, Manocha
/// 2011). Each neighbour forbids a half-plane of velocities, such that two agents who both obey do
/// not collide within the horizon; the velocity nearest to the wanted one is found by a linear
/// program. Where no velocity obeys everybody, the one that violates the worst half-plane least is
/// taken; walls stay hard.

#ifndef THRONG_ORCA_H
#define THRONG_ORCA_H

#include "throng/avoid.h"

/// Parameters of method `orca`; the params of a profile's `avoid`.
typedef struct thOrcaDef {
    /// Size of this struct. [bytes, set by thDefaultOrcaDef]
    uint32_t size;
    /// Look-ahead for other agents. [s, 0.01 .. 100, default 2]
    float timeHorizon;
    /// Look-ahead for walls and moving obstacles. [s, 0.01 .. 100, default 0.5]
    float wallHorizon;
    /// Time over which an overlap is resolved; never less than the step. [s, 0 .. 100, default 0.1]
    float separationTime;
    /// Turns the wanted velocity clockwise, in addition to what the profile's `keep` does; negative
    /// the other way. [rad, −0.5 .. 0.5, default 0]
    float sideBias;
} thOrcaDef;

/// Parameters with every field at its default.
THRONG_API thOrcaDef thDefaultOrcaDef(void);

/// What `orca` says about an agent: the `status` of a batch and of `thOrca_Solve`.
typedef enum thOrcaStatus {
    /// The wanted velocity was free.
    th_orcaFree = 0,
    /// Another velocity was, and was taken.
    th_orcaConstrained = 1,
    /// None was; the one that violates the worst half-plane of an agent least was taken.
    th_orcaRelaxed = 2,
    /// Walls alone forbid every velocity; it stands.
    th_orcaInfeasible = 3,
} thOrcaStatus;

/// The velocity for the coming step of `dt` seconds, without a world: the same as the method gives,
/// to the bit. Numbers that are not finite, or larger than a million, are refused,
/// and so are steps below THRONG_LEAST_STEP; whatever is accepted gives a finite velocity.
THRONG_API thResult thOrca_Solve(const thOrcaDef* def, float dt, const thAvoidSelf* self,
                                 const thAvoidNeighbor* neighbors, int32_t neighborCount,
                                 const thAvoidWall* walls, int32_t wallCount, thVec2* velocity,
                                 thOrcaStatus* status);

#endif
