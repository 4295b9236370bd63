// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "geom/fixed.h"
#include "space/sense.h"

// Where neighbours past a lane's count are put: further than anyone is seen.
#define INERT_DISTANCE 1.0e6f

void TH_WIDE(thiGatherNeighbors)(const thGatherTask* task)
{
    const thFrame* frame = task->frame;
    const thF scale = fSet(TH_METRES_PER_UNIT), zero = fSet(0.0f);
    for (int32_t lane = 0; lane < task->lanes; lane += TH_WIDTH) {
        const thI self = iLoad(task->row + lane);
        const thI x = iGather(frame->px, self), y = iGather(frame->py, self);
        const thF yield = fGather(frame->yield, self);
        const thI count = iLoad(task->count + lane);
        for (int32_t k = 0; k < task->neighborMax; ++k) {
            const int32_t at = k * task->lanes + lane;
            const thI row = iLoad(task->nrow + at);
            const thM real = iLt(iSet(k), count);
            const thF dx = fFromI(iSub(iGather(frame->px, row), x)) * scale;
            const thF dy = fFromI(iSub(iGather(frame->py, row), y)) * scale;
            // Two that give no way share alike.
            const thF sum = yield + fGather(frame->yield, row);
            const thM someone = fLt(zero, sum);
            const thF share =
                fSelect(someone, yield, fSet(0.5f)) / fSelect(someone, sum, fSet(1.0f));
            fStore(task->nx + at, fSelect(real, dx, fSet(INERT_DISTANCE)));
            fStore(task->ny + at, fSelect(real, dy, fSet(INERT_DISTANCE)));
            fStore(task->nvx + at, fSelect(real, fGather(frame->vx, row), zero));
            fStore(task->nvy + at, fSelect(real, fGather(frame->vy, row), zero));
            fStore(task->nradius + at, fSelect(real, fGather(frame->radius, row), zero));
            fStore(task->nshare + at, fSelect(real, share, zero));
        }
    }
}
