// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

/// @file
/// Planning method `visibility`: exact shortest paths round the corners of static obstacles that
/// are grown by the agent's radius.

#ifndef THRONG_VISIBILITY_H
#define THRONG_VISIBILITY_H

#include "throng/base.h"

/// Parameters of method `visibility`; the params of a profile's `plan`.
typedef struct thVisibilityDef {
    /// Size of this struct. [bytes, set by thDefaultVisibilityDef]
    uint32_t size;
    /// Steps from one look of an agent along its path to the next. [1 .. 1000, default 16]
    int32_t lookEvery;
    /// Most trees of shortest paths: one for each goal, floor and size of bodies with at least four
    /// agents. For goals beyond, every agent searches for itself. [0 .. 4096, default 64]
    int32_t trees;
    /// How much a crowd slows down: what a metre of path costs more for each agent in a square
    /// metre. So of several exits, and of several paths, that with the shorter queue is taken. [m²,
    /// 0 .. 100, default 0]
    float crowding;
    /// Steps after which the crowd is counted anew, if agents' turns to plan allow. [1 ..
    /// 1,000,000, default 10]
    int32_t refresh;
} thVisibilityDef;

/// Parameters with every field at its default.
THRONG_API thVisibilityDef thDefaultVisibilityDef(void);

#endif
