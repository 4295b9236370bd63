// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The stage `pace`: whose kernel is asked, and the numbers of people.

#include "sim/pace/pace.h"

thPace thPeoplePace(void)
{
    return (thPace){.timeGap = 0.9f, .spread = 0.2f, .follow = 0.86f, .width = 0.9f};
}

void thiPace(const thJams* jams, const thPace* pace, float needed, const thBatch* batch,
             thSimd simd)
{
    static thPaceFcn* const kernels[th_simdCount] = TH_KERNEL_TABLE(thiPaceLanes);
    if (batch->nx == NULL || !(pace->timeGap * needed > 0.0f))
        return;
    kernels[simd](&(thPaceTask){pace, needed, jams, batch});
}
