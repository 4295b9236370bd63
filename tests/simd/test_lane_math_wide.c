// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Kernel: elementary functions and random numbers in lanes, over a column.

#include "simd/lane_math.h"

#include "test_lane_math.h"

static thI evaluate(LaneFunction function, thI a, thI b, thI c)
{
    thF sine, cosine;
    switch (function) {
    case function_sine:
        fSinCos(fBits(a), &sine, &cosine);
        return iBits(sine);
    case function_cosine:
        fSinCos(fBits(a), &sine, &cosine);
        return iBits(cosine);
    case function_atan2:
        return iBits(fAtan2(fBits(a), fBits(b)));
    case function_exp:
        return iBits(fExp(fBits(a)));
    case function_log:
        return iBits(fLog(fBits(a)));
    case function_randomBits:
        return iRandomBits(a, b, c);
    default:
        return iBits(fRandomUnit(a, b, c));
    }
}

void TH_WIDE(thiLaneMath) LANE_MATH_PARAMETERS
{
    for (int32_t i = 0; i < count; i += TH_WIDTH)
        iStore(out + i, evaluate(function, iLoad(a + i), iLoad(b + i), iLoad(c + i)));
}
