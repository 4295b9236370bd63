// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Finds who overlaps with agents that have a shape: polygons with polygons and with discs.

#ifndef THRONG_SRC_MEASURE_SHAPE_PAIRS_H
#define THRONG_SRC_MEASURE_SHAPE_PAIRS_H

#include "sim/world_internal.h"

typedef struct thShapePairs {
    const thWorld* world;
    const thRows* rows; // some may be dead
    const thGrid* grid;
    int32_t drift; // units: so far may a row be from where it was sorted
    float longest; // how far the largest body reaches from its position [m]
} thShapePairs;

// Told of a pair that overlaps. The depth is a share of the sum of radii, at most 1.
typedef void thShapePairFcn(void* context, int32_t self, int32_t other, double depth);

thShapePairs thiShapePairs(const thWorld* world, const thRows* rows, const thGrid* grid,
                           int32_t drift);

// Whether a row's agent has a shape.
bool thiHasShape(const thShapePairs* pairs, int32_t row);

// Visits the pairs of an agent with a shape, each from one of its two sides only.
void thiVisitShapePairs(const thShapePairs* pairs, int32_t self, thShapePairFcn* visit,
                        void* context);

#endif
