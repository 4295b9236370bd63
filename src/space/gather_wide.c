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

void TH_WIDE(thiFindNamedRows)(const thTileSense* tile, int32_t* first, int32_t* last)
{
    thI low = iSet(INT32_MAX), high = iSet(-1);
    for (int32_t k = 0; k < tile->most; ++k) {
        const int32_t* list = tile->lists + k * tile->stride;
        for (int32_t i = 0; i < tile->listed; i += TH_WIDTH) {
            const thM here = mFirst(tile->listed - i);
            const thI named = iLoad(list + i);
            low = iSelect(here, iMin(low, named), low);
            high = iSelect(here, iMax(high, named), high);
        }
    }
    int32_t lows[TH_WIDTH], highs[TH_WIDTH];
    iStore(lows, low);
    iStore(highs, high);
    *first = INT32_MAX;
    *last = -1;
    for (int32_t i = 0; i < TH_WIDTH; ++i) {
        *first = TH_MIN(*first, lows[i]);
        *last = TH_MAX(*last, highs[i]);
    }
}

// Compilers make lanes of this.
static void interleave(int32_t* restrict to, const int32_t* restrict a, const int32_t* restrict b,
                       const int32_t* restrict c, const int32_t* restrict d, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        to[4 * i] = a[i];
        to[4 * i + 1] = b[i];
        to[4 * i + 2] = c[i];
        to[4 * i + 3] = d[i];
    }
}

void TH_WIDE(thiMakeRecords)(const thFrame* frame, const thNearRecords* records)
{
    const int32_t first = records->first;
    interleave(records->motion, frame->px + first, frame->py + first,
               (const int32_t*)(const void*)(frame->vx + first),
               (const int32_t*)(const void*)(frame->vy + first), records->count);
    for (int32_t i = 0; i < records->count && records->body != NULL; ++i) {
        const int32_t row = first + i;
        const bool holds = (frame->flags[row] & th_agentHolds) != 0;
        records->body[4 * i] = (int32_t)thiFloatBits(frame->radius[row]);
        records->body[4 * i + 1] = (int32_t)thiFloatBits(holds ? 0.0f : frame->yield[row]);
        records->body[4 * i + 2] = records->body[4 * i + 3] = 0;
    }
}

// What is known of the neighbours of a register's lanes. In uniform crowds the agent's own radius
// and yield are everybody's, and not fetched.
typedef struct Fetched {
    thI px, py;
    thF vx, vy, radius, yield;
} Fetched;

static inline Fetched fetchRecords(const thNearRecords* records, thI row, const bool uniform)
{
    int32_t index[TH_WIDTH];
    thI motion[4], body[4];
    iStore(index, iSub(row, iSet(records->first)));
    iGatherFours(records->motion, index, motion);
    Fetched fetched = {motion[0],        motion[1],  fBits(motion[2]),
                       fBits(motion[3]), fSet(0.0f), fSet(0.0f)};
    if (!uniform) {
        iGatherFours(records->body, index, body);
        fetched.radius = fBits(body[0]);
        fetched.yield = fBits(body[1]);
    }
    return fetched;
}

static inline Fetched fetchRows(const thGatherTask* task, thI row, const bool uniform)
{
    const thFrame* frame = task->frame;
    Fetched fetched = {iGather(frame->px, row),
                       iGather(frame->py, row),
                       fGather(frame->vx, row),
                       fGather(frame->vy, row),
                       fSet(0.0f),
                       fSet(0.0f)};
    if (!uniform) {
        fetched.radius = fGather(frame->radius, row);
        fetched.yield = task->someHold ? yieldOf(frame, row) : fGather(frame->yield, row);
    }
    return fetched;
}

static inline void gatherLanes(const thGatherTask* task, int32_t lane, const bool uniform,
                               const bool byRecords)
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
        const Fetched other = byRecords ? fetchRecords(&task->tile->records, row, uniform)
                                        : fetchRows(task, row, uniform);
        const thF dx = fFromI(iSub(other.px, x)) * scale, dy = fFromI(iSub(other.py, y)) * scale;
        fStore(task->nx + at, fSelect(real, dx, fSet(TH_INERT_DISTANCE)));
        fStore(task->ny + at, fSelect(real, dy, fSet(TH_INERT_DISTANCE)));
        fStore(task->nvx + at, fSelect(real, other.vx, zero));
        fStore(task->nvy + at, fSelect(real, other.vy, zero));
        fStore(task->nradius + at, fSelect(real, uniform ? radius : other.radius, zero));
        fStore(task->nshare + at,
               fSelect(real, uniform ? share : shareOf(yield, other.yield), zero));
    }
}

// The task is a copy, so that the compiler knows that what is stored does not change it.
static void gatherAll(const thGatherTask task)
{
    const bool byRecords = task.tile != NULL && task.tile->records.count > 0;
    for (int32_t lane = 0; lane < task.lanes; lane += TH_WIDTH) {
        if (task.tile != NULL)
            layOutLanes(&task, lane);
        if (byRecords && task.uniform)
            gatherLanes(&task, lane, true, true);
        else if (byRecords)
            gatherLanes(&task, lane, false, true);
        else if (task.uniform)
            gatherLanes(&task, lane, true, false);
        else
            gatherLanes(&task, lane, false, false);
    }
}

void TH_WIDE(thiGatherNeighbors)(const thGatherTask* task)
{
    gatherAll(*task);
}
