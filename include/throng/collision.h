// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

/// @file
/// When bodies that keep their velocities meet. No function here needs a world. Everything is
/// relative: to the agent that asks, and velocities to the other one, so what moves and what stands
/// still makes no difference: `velocity` is the agent's velocity minus the other's.

#ifndef THRONG_COLLISION_H
#define THRONG_COLLISION_H

#include "throng/math.h"

/// The time until two discs touch. 0 if they overlap already; infinity if they never meet, also
/// where they touch and do not come nearer. [s]
/// @param position the other's centre relative to the agent's [m, finite]
/// @param velocity the agent's velocity relative to the other's [m/s, finite]
/// @param radius the sum of both radii [m, finite, >= 0]
THRONG_API float thTimeToCollisionDisc(thVec2 position, thVec2 velocity, float radius);

/// The time until a disc touches a segment, which may be a point. 0 if they overlap already;
/// infinity if they never meet, also where they touch and do not come nearer. [s]
/// @param a an end of the segment relative to the agent [m, finite]
/// @param b the other end relative to the agent [m, finite]
/// @param velocity the agent's velocity relative to the segment's [m/s, finite]
/// @param radius the agent's radius, and half of the segment's thickness [m, finite, >= 0]
THRONG_API float thTimeToCollisionSegment(thVec2 a, thVec2 b, thVec2 velocity, float radius);

/// The time until two discs that overlap are apart. 0 if they do not overlap; infinity if they move
/// alike. [s]
/// @param position the other's centre relative to the agent's [m, finite]
/// @param velocity the agent's velocity relative to the other's [m/s, finite]
/// @param radius the sum of both radii [m, finite, >= 0]
THRONG_API float thTimeFromCollisionDisc(thVec2 position, thVec2 velocity, float radius);

#endif
