// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Kernel: where the walls of a batch's agents are as each of them sees it, one agent per lane.

#include "geom/fixed.h"
#include "velocity/kernel_input.h"

void TH_WIDE(thiLayOutWallEnds)(const thBatch* batch, const thWallColumns* columns)
{
    const thFrame* frame = batch->frame;
    const thWalls* walls = frame->walls;
    const thF scale = fSet(TH_METRES_PER_UNIT), zero = fSet(0.0f);
    for (int32_t lane = 0; lane < batch->lanes; lane += TH_WIDTH) {
        const thI row = iLoad(batch->row + lane), count = iLoad(batch->wallCount + lane);
        const thI x = iGather(frame->px, row), y = iGather(frame->py, row);
        for (int32_t k = 0; k < columns->most; ++k) {
            const int32_t at = k * batch->lanes + lane;
            const thM real = iLt(iSet(k), count);
            thF ax = zero, ay = zero, bx = zero, by = zero;
            if (mAny(real)) {
                const thI wall = iSelect(real, iLoad(batch->wall + at), iSet(0));
                ax = fFromI(iSub(iGather(walls->ax, wall), x)) * scale;
                ay = fFromI(iSub(iGather(walls->ay, wall), y)) * scale;
                bx = fFromI(iSub(iGather(walls->bx, wall), x)) * scale;
                by = fFromI(iSub(iGather(walls->by, wall), y)) * scale;
            }
            fStore(columns->ax + at, fSelect(real, ax, zero));
            fStore(columns->ay + at, fSelect(real, ay, zero));
            fStore(columns->bx + at, fSelect(real, bx, zero));
            fStore(columns->by + at, fSelect(real, by, zero));
        }
    }
}
