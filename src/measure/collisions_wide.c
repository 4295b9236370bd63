// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Kernel: which of some rows that follow each other overlap somebody, all of them against one after
// the other.

#include "measure/collisions.h"

// Lanes are the rows from `first` on. A pair is looked at by the larger one, or else by the one
// that comes first.
static inline uint32_t collidingLanes(const thCollidingTask* task, int32_t first)
{
    const thRows* rows = task->rows;
    const thI x = iLoad(rows->px + first), y = iLoad(rows->py + first);
    const thI row = iAdd(iSet(first), iLane());
    const thF radius = fLoad(rows->radius + first), scale = fSet(TH_UNITS * TH_COLLIDING_MARGIN);
    thM some = mFromBits(0);
    for (int32_t other = task->begin; other < task->end; ++other) {
        const thF dx = fFromI(iSub(iSet(rows->px[other]), x));
        const thF dy = fFromI(iSub(iSet(rows->py[other]), y));
        const thF otherRadius = fSet(rows->radius[other]);
        const thF reach = (radius + otherRadius) * scale;
        const thM isOurs =
            mOr(fLt(otherRadius, radius), mAnd(fEq(otherRadius, radius), iLt(row, iSet(other))));
        some = mOr(some, mAnd(isOurs, fLt(dx * dx + dy * dy, reach * reach)));
    }
    return mBits(some);
}

uint32_t TH_WIDE(thiFindColliding)(const thCollidingTask* task)
{
    uint32_t bits = 0;
    for (int32_t i = 0; i < task->count; i += TH_WIDTH)
        bits |= collidingLanes(task, task->first + i) << i;
    return bits & (UINT32_MAX >> (32 - task->count));
}
