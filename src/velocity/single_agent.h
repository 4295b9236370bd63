// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Calls for one agent without a world: what they are given is checked, and laid out as a batch of
// one lane.

#ifndef THRONG_SRC_AVOID_SINGLE_AGENT_H
#define THRONG_SRC_AVOID_SINGLE_AGENT_H

#include "throng/math.h"

#include <stdbool.h>
#include <stdint.h>

// The most neighbours, and the most walls.
#define TH_SINGLE_MOST 64

// Squares of squares of larger numbers are not finite.
#define TH_SINGLE_LARGEST 1.0e6f

typedef struct thSingleColumns {
    float nx[TH_SINGLE_MOST], ny[TH_SINGLE_MOST], nvx[TH_SINGLE_MOST], nvy[TH_SINGLE_MOST];
    float nradius[TH_SINGLE_MOST], nshare[TH_SINGLE_MOST];
    int32_t nrow[TH_SINGLE_MOST]; // the agent itself is row 0
    float ax[TH_SINGLE_MOST], ay[TH_SINGLE_MOST], bx[TH_SINGLE_MOST], by[TH_SINGLE_MOST];
    float wvx[TH_SINGLE_MOST], wvy[TH_SINGLE_MOST], wradius[TH_SINGLE_MOST];
} thSingleColumns;

// Each of these is false if a number is not finite, out of range or too large.
bool thiIsSingleSelf(thVec2 velocity, thVec2 wanted, float radius, float maxSpeed, float maxAccel);
bool thiTakeSingleNeighbor(thSingleColumns* columns, int32_t i, thVec2 position, thVec2 velocity,
                           float radius, float share);
bool thiTakeSingleWall(thSingleColumns* columns, int32_t i, thVec2 a, thVec2 b, thVec2 velocity,
                       float radius);

// Whether a method's own check accepts its parameters; if not, the assert hook hears why.
bool thiAreSingleParams(const void* params, thResult (*validate)(const void*, thError*));

#endif
