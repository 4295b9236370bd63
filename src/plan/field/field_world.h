// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What fields depend on: walls and goals, as hashes of what they are. Numbers of revisions begin
// anew after a load, so contents are compared. And who needs no field.

#ifndef THRONG_SRC_PLAN_FIELD_WORLD_H
#define THRONG_SRC_PLAN_FIELD_WORLD_H

#include "base/memory.h"
#include "throng/method.h"

// The walls of a floor.
uint64_t thiHashWalls(const thWalls* walls, int32_t level);

// The shapes of a goal. [slot]
thResult thiHashGoal(thMemory* memory, const thFrame* frame, int32_t goal, uint64_t* hash);

// Whether an agent has arrived and is so near to its goal that it can do without a field.
bool thiIsAtFieldGoal(const thFrame* frame, int32_t row);

#endif
