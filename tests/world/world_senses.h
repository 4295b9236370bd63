// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Methods of the host's own that write down what they are given, and what that should be: brute
// force over the model.

#ifndef THRONG_TESTS_WORLD_WORLD_SENSES_H
#define THRONG_TESTS_WORLD_WORLD_SENSES_H

#include "world/world_model.h"

// Parameters of `watch` and `watch-all`, which go as guided, a little slower.
typedef struct WatchParams {
    float scale;    // 0 .. 1
    uint32_t stops; // 1: nobody moves in every fifth step that the method has seen
} WatchParams;

// `watch`, `watch-all` and `tires`, which lets an agent rest in every fourth step of its own.
thResult addWatchMethods(thWorld* world);

// From now on methods write down what they see of some agents, or do not. One world at a time.
void watchFor(bool on);

// After a step of which the model has carried out the commands but not the motion: whether what was
// written down is right.
bool sensesAreRight(Model* model, const thWorld* world, float dt);

#endif
