// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The velocities an agent can take: two discs, one of its speed limit and one of its limit of
// acceleration.

#ifndef THRONG_SRC_VELOCITY_LIMIT_DISCS_H
#define THRONG_SRC_VELOCITY_LIMIT_DISCS_H

#include "throng/method.h"

#include <stdbool.h>

// The radius of a disc that holds every velocity. [m/s]
#define TH_NO_LIMIT 1.0e15f

// Discs whose centres are nearer than this part of the first one's radius have one centre, as far
// as rounding lets anybody say where their borders cross; as a square.
#define TH_ONE_CENTER_SQ 1.0e-12f

typedef struct thDisc {
    thVec2 center;
    float radius;
} thDisc;

bool thiIsInDisc(thVec2 v, const thDisc* disc);

// The point of a disc nearest to v: v itself if it is in it.
thVec2 thiNearestInDisc(thVec2 v, const thDisc* disc);

// The same of two discs, which meet.
thVec2 thiNearestInDiscs(thVec2 v, const thDisc* a, const thDisc* b);

// The disc of the limit of acceleration during a step. What others pushed an agent to beyond its
// own speed limit it may shed at once. [maxAccel: m/s², 0: no limit]
thDisc thiReachableDisc(thVec2 velocity, float maxSpeed, float maxAccel, float dt);

// Shows the speed limit of an agent and, if there is one, that of acceleration.
void thiMarkLimits(const thBatch* batch, int32_t lane, thExplanation* to);

#endif
