// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

/// @file
/// What avoidance methods are told about one agent by those who call them without a world:
/// `thOrca_Solve`, `thClearpath_Solve` and their like.

#ifndef THRONG_AVOID_H
#define THRONG_AVOID_H

#include "throng/body_shape.h"

/// The agent that asks.
typedef struct thAvoidSelf {
    /// Velocity. [m/s]
    thVec2 velocity;
    /// Velocity it wants. [m/s]
    thVec2 wanted;
    /// Radius. [m, >= 0]
    float radius;
    /// Speed limit. [m/s, >= 0]
    float maxSpeed;
    /// Limit of acceleration. [m/s²; 0: none]
    float maxAccel;
    /// Its shape, made by `thMakeBodyShape`; the radius then only says what counts as deep. Methods
    /// that take everybody for a disc do not look at it. [NULL: a disc]
    const thBodyShape* shape;
    /// Where its shape faces. [rad, −8192 .. 8192]
    float heading;
} thAvoidSelf;

/// A neighbour, nearest first.
typedef struct thAvoidNeighbor {
    /// Position relative to the agent. [m]
    thVec2 position;
    /// Velocity. [m/s]
    thVec2 velocity;
    /// Radius. [m, >= 0]
    float radius;
    /// The agent's share of giving way, for methods that share it. [0 .. 1, usually 0.5]
    float share;
    /// Its shape, as of the agent. [NULL: a disc]
    const thBodyShape* shape;
    /// Where its shape faces. [rad, −8192 .. 8192]
    float heading;
    /// Whether it walks in the agent's own group, for methods that treat such people otherwise.
    /// [0 or 1]
    int32_t isFellow;
} thAvoidNeighbor;

/// A wall, or an edge of a moving obstacle; both ends equal and a thickness make a disc.
typedef struct thAvoidWall {
    /// First end relative to the agent. [m]
    thVec2 a;
    /// Second end relative to the agent. [m]
    thVec2 b;
    /// Velocity. [m/s, 0 for walls]
    thVec2 velocity;
    /// Half its thickness. [m, >= 0]
    float radius;
} thAvoidWall;

/// The most neighbours, and the most walls, that these calls take.
#define THRONG_AVOID_MOST 64

#endif
