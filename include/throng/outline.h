// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

/// @file
/// The shapes in a world, for those who draw it: obstacles and goals as they are now.

#ifndef THRONG_OUTLINE_H
#define THRONG_OUTLINE_H

#include "throng/world.h"

/// The shape of an obstacle.
typedef struct thObstacleOutline {
    /// Its id.
    thObstacleId id;
    /// What it is.
    thObstacleKind kind;
    /// Corners where they are now; the first one is not repeated. A disc has one: its centre. [m]
    const thVec2* points;
    /// Number of corners.
    int32_t pointCount;
    /// Radius of a disc. [m]
    float radius;
    /// Floor.
    int32_t level;
} thObstacleOutline;

/// Receives one outline; valid during the call only.
typedef void thObstacleOutlineFcn(void* context, const thObstacleOutline* outline);

/// Shows every obstacle, in the order of slots.
THRONG_API thResult thWorld_VisitObstacles(const thWorld* world, thObstacleOutlineFcn* visit,
                                           void* context);

/// The shape of a goal.
typedef struct thGoalOutline {
    /// Its id.
    thGoalId id;
    /// Its shape; lists and alternatives are not shown, only what they hold.
    thGoalKind kind;
    /// Corners. [m]
    const thVec2* points;
    /// Number of corners.
    int32_t pointCount;
    /// Radius of a disc. [m]
    float radius;
} thGoalOutline;

/// Receives one outline; valid during the call only.
typedef void thGoalOutlineFcn(void* context, const thGoalOutline* outline);

/// Shows every goal that has a shape, in the order of slots.
THRONG_API thResult thWorld_VisitGoals(const thWorld* world, thGoalOutlineFcn* visit,
                                       void* context);

#endif
