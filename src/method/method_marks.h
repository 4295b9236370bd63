// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What explanations of methods show alike: limits, velocities, texts, and whose a wall is.

#ifndef THRONG_SRC_METHOD_METHOD_MARKS_H
#define THRONG_SRC_METHOD_METHOD_MARKS_H

#include "throng/mark.h"
#include "throng/method.h"

// A disc of velocities that an agent cannot leave.
void thiMarkLimit(thVec2 center, float radius, const char* label, thExplanation* to);
void thiMarkSpeedLimit(const thBatch* batch, int32_t lane, thExplanation* to);

void thiMarkVelocity(thVec2 velocity, const char* label, thExplanation* to);
void thiMarkText(const char* text, thExplanation* to);

// What obstacles are called in marks.
uint64_t thiMarkNameOf(int32_t obstacle);

#endif
