// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The option `--level`: floors that something is on.

#ifndef THRONG_APPS_FLOORS_H
#define THRONG_APPS_FLOORS_H

#include "app.h"

#include <throng/scene.h>

// Floors that are told apart by name.
enum { appMostLevels = 32 };

// Whether a floor is one of these, which are in ascending order; `count` of them, of which the
// first appMostLevels are there at most. Says so if not.
bool appIsFloorOf(const int32_t* levels, int32_t count, int32_t level);

// The same for the floors of a scene.
bool appIsFloor(const thScene* scene, int32_t level);

#endif
