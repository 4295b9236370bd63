// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

/// @file
/// Ids of what lives in a world. An id is valid from creation to destruction; a stale one is
/// recognised. Zero is the null id.

#ifndef THRONG_ID_H
#define THRONG_ID_H

#include "throng/base.h"

/// Names an agent.
typedef struct thAgentId {
    /// Slot and generation; 0 is null.
    uint64_t value;
} thAgentId;

/// Names a gate.
typedef struct thGateId {
    /// Slot and generation; 0 is null.
    uint64_t value;
} thGateId;

/// Names a goal.
typedef struct thGoalId {
    /// Slot and generation; 0 is null.
    uint64_t value;
} thGoalId;

/// Names a static or moving obstacle.
typedef struct thObstacleId {
    /// Slot and generation; 0 is null.
    uint64_t value;
} thObstacleId;

/// Names a profile.
typedef struct thProfileId {
    /// Slot and generation; 0 is null.
    uint64_t value;
} thProfileId;

/// Names a roadmap.
typedef struct thRoadmapId {
    /// Slot and generation; 0 is null.
    uint64_t value;
} thRoadmapId;

/// The slot of any id: the agent's index into the arrays of a view. [−1 for the null id]
#define THRONG_SLOT(id) ((int32_t)(uint32_t)(id).value - 1)

#endif
