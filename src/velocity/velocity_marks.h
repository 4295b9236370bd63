// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What avoidance methods show alike in explanations: limits, velocities, texts, and whose a wall
// is.

#ifndef THRONG_SRC_AVOID_VELOCITY_MARKS_H
#define THRONG_SRC_AVOID_VELOCITY_MARKS_H

#include "throng/mark.h"
#include "throng/method.h"
#include "velocity/limit_discs.h"

void thiMarkSpeedLimit(const thBatch* batch, int32_t lane, thExplanation* to);
// That and, if there is one, the limit of acceleration.
void thiMarkLimits(const thBatch* batch, int32_t lane, thExplanation* to);

void thiMarkVelocity(thVec2 velocity, const char* label, thExplanation* to);
void thiMarkText(const char* text, thExplanation* to);

// What obstacles are called in marks.
uint64_t thiMarkNameOf(int32_t obstacle);

#endif
