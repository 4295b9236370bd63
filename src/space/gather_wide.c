// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Kernel: fills the neighbour columns of a batch from lists of rows, one agent per lane.

#include "geom/fixed.h"
#include "space/sense.h"

// Two that give no way share alike.
static inline thF shareOf(thF yield, thF others)
{
    const thF sum = yield + others;
    const thM someone = fLt(fSet(0.0f), sum);
    return fSelect(someone, yield, fSet(0.5f)) / fSelect(someone, sum, fSet(1.0f));
}

// The lanes of one register. In uniform crowds the agent's own radius and yield are everybody's.
// Who holds its place gives no way.
static inline thF yieldOf(const thFrame* frame, thI row)
{
    const thI flags = iGather((const int32_t*)(const void*)frame->flags, row);
    const thM holds = mNot(iEq(iAnd(flags, iSet(th_agentHolds)), iSet(0)));
    return fSelect(holds, fSet(0.0f), fGather(frame->yield, row));
}

// The lanes' lists out of the tile's, whose columns are by row.
static inline void layOutLanes(const thGatherTask* task, int32_t lane)
{
    const thTileSense* tile = task->tile;
    const int32_t first = task->row[lane] - tile->begin;
    const thI at = iSub(iLoad(task->row + lane), iSet(tile->begin));
    const bool inOrder = mAll(iEq(at, iAdd(iSet(first), iLane())));
    for (int32_t k = 0; k < task->neighborMax; ++k) {
        const int32_t* column = tile->lists + k * tile->stride;
        iStore(task->nrow + k * task->lanes + lane,
               inOrder ? iLoad(column + first) : iGather(column, at));
    }
}

static inline void gatherLanes(const thGatherTask* task, int32_t lane, const bool uniform)
{
    const thFrame* frame = task->frame;
    const thF scale = fSet(TH_METRES_PER_UNIT), zero = fSet(0.0f);
    const thI self = iLoad(task->row + lane);
    const thI x = iGather(frame->px, self), y = iGather(frame->py, self);
    const thF yield = fGather(frame->yield, self);
    const thF radius = fGather(frame->radius, self), share = shareOf(yield, yield);
    const thI count = iLoad(task->count + lane);
    for (int32_t k = 0; k < task->neighborMax; ++k) {
        const int32_t at = k * task->lanes + lane;
        const thI row = iLoad(task->nrow + at);
        const thM real = iLt(iSet(k), count);
        const thF dx = fFromI(iSub(iGather(frame->px, row), x)) * scale;
        const thF dy = fFromI(iSub(iGather(frame->py, row), y)) * scale;
        fStore(task->nx + at, fSelect(real, dx, fSet(TH_INERT_DISTANCE)));
        fStore(task->ny + at, fSelect(real, dy, fSet(TH_INERT_DISTANCE)));
        fStore(task->nvx + at, fSelect(real, fGather(frame->vx, row), zero));
        fStore(task->nvy + at, fSelect(real, fGather(frame->vy, row), zero));
        const thF nradius = uniform ? radius : fGather(frame->radius, row);
        const thF nshare = uniform          ? share
                           : task->someHold ? shareOf(yield, yieldOf(frame, row))
                                            : shareOf(yield, fGather(frame->yield, row));
        fStore(task->nradius + at, fSelect(real, nradius, zero));
        fStore(task->nshare + at, fSelect(real, nshare, zero));
    }
}

void TH_WIDE(thiGatherNeighbors)(const thGatherTask* task)
{
    for (int32_t lane = 0; lane < task->lanes; lane += TH_WIDTH) {
        if (task->tile != NULL)
            layOutLanes(task, lane);
        if (task->uniform)
            gatherLanes(task, lane, true);
        else
            gatherLanes(task, lane, false);
    }
}
