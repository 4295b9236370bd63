// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Agents near a place and pairs of agents near each other, for methods, through the grid of the
// frame. Here is what only methods of the library ask for; the rest is in throng/method.h.

#ifndef THRONG_SRC_SPACE_AGENTS_NEAR_H
#define THRONG_SRC_SPACE_AGENTS_NEAR_H

#include "space/grid.h"
#include "throng/method.h"

// Calls `visit` for ranges of rows, in their order and apart from each other, that together hold
// everybody on a floor within a box, and others. [units, bounds included]
void thiVisitBox(const thFrame* frame, int32_t level, int64_t lowX, int64_t lowY, int64_t highX,
                 int64_t highY, thRowRangeFcn* visit, void* context);

// As thFrame_FindAround, but in no order, which is most of its time.
int32_t thiFindAround(const thFrame* frame, int32_t row, float radius, int32_t* rows,
                      int32_t capacity);

// Puts rows in the order of their keys.
void thiSortByKey(const thFrame* frame, int32_t* rows, int32_t count);

#endif
