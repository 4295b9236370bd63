// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Counts the pairs of discs that overlap, in a time that grows as their number does.

#ifndef THRONG_BENCH_OVERLAPS_H
#define THRONG_BENCH_OVERLAPS_H

#include <throng/math.h>

typedef struct Body {
    thVec2 position;
    float radius;
} Body;

// Pairs deeper than 1 % of the sum of their radii. No radius is above `maxRadius`, which is not 0.
// −1 when memory is out.
int64_t countOverlaps(const Body* bodies, int32_t count, float maxRadius);

#endif
