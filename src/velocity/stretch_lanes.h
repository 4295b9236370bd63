// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Stretches of lines in lanes: what both kernels of nearest points cut off at sides.

#ifndef THRONG_SRC_VELOCITY_STRETCH_LANES_H
#define THRONG_SRC_VELOCITY_STRETCH_LANES_H

#include "simd/lane_vec.h"
#include "velocity/outside_regions.h"

// Empty where low > high.
typedef struct Stretch {
    thF low, high;
} Stretch;

static inline thF farAway(void)
{
    return fSet(TH_FAR_OUTSIDE);
}

static inline Stretch wholeLine(void)
{
    return (Stretch){fNeg(farAway()), farAway()};
}

// Moves the lower or the upper end to t where that leaves less.
static inline void clip(Stretch* stretch, thM isLow, thF t)
{
    stretch->low = fSelect(isLow, fMax(t, stretch->low), stretch->low);
    stretch->high = fSelect(isLow, stretch->high, fMin(t, stretch->high));
}

#endif
