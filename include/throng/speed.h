// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

/// @file
/// Avoidance method `speed`: the collision-free speed model (Tordeux, Chraibi, Seyfried 2016). An
/// agent turns away from those who are near, and goes no faster than the gap ahead of it, divided
/// by a time, allows. It has no forces and no inertia.

#ifndef THRONG_SPEED_H
#define THRONG_SPEED_H

#include "throng/avoid.h"

/// Parameters of method `speed`; the params of a profile's `avoid`.
typedef struct thSpeedDef {
    /// Size of this struct. [bytes, set by thDefaultSpeedDef]
    uint32_t size;
    /// Time that an agent keeps to whoever is ahead: it goes no faster than the gap divided by
    /// this. [s, 0.01 .. 10, default 1]
    float timeGap;
    /// Standard deviation of agents' own times about that; nobody's is below a quarter of it. [s, 0
    /// .. 10, default 0]
    float spread;
    /// How much an agent turns away from somebody whom it touches, beside where it wants to go. [0
    /// .. 100, default 8]
    float strength;
    /// The gap within which that falls to 1/e. [m, 0.001 .. 10, default 0.1]
    float range;
    /// The same of walls and moving obstacles. [0 .. 100, default 5]
    float wallStrength;
    /// The same of walls and moving obstacles. [m, 0.001 .. 10, default 0.02]
    float wallRange;
} thSpeedDef;

/// Parameters with every field at its default.
THRONG_API thSpeedDef thDefaultSpeedDef(void);

/// What `speed` says about an agent: the `status` of a batch and of `thSpeed_Solve`.
typedef enum thSpeedStatus {
    /// Nobody ahead slows it down.
    th_speedFree = 0,
    /// Somebody ahead does.
    th_speedFollows = 1,
    /// Somebody ahead is so near that it stands.
    th_speedStands = 2,
} thSpeedStatus;

/// The velocity for the coming step of `dt` seconds, without a world: the same as the method gives
/// to an agent whose own time is `timeGap`, to the bit. Numbers that are not finite, or larger than
/// a million, are refused, and so are steps below THRONG_LEAST_STEP; whatever is accepted gives a
/// finite velocity.
THRONG_API thResult thSpeed_Solve(const thSpeedDef* def, float dt, const thAvoidSelf* self,
                                  const thAvoidNeighbor* neighbors, int32_t neighborCount,
                                  const thAvoidWall* walls, int32_t wallCount, thVec2* velocity,
                                  thSpeedStatus* status);

#endif
