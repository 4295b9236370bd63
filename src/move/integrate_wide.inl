// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "geom/fixed.h"
#include "move/integrate.h"
#include "simd/lane_math.h"

// Below this speed a heading would follow noise. [m/s]
#define TURNING_SPEED 0.02f

static inline thM hasFlag(thI flags, uint32_t flag)
{
    return mNot(iEq(iAnd(flags, iSet((int32_t)flag)), iSet(0)));
}

// A coordinate after a displacement, rounded to the nearest unit and kept within the world. A step
// of more than 1 km (100 m/s for 10 s) is cut, so that the sum cannot overflow before it is
// clamped: |at| <= 30000 · 2^16 < 2^31 − 2^27.
static inline thI advance(thI at, thF velocity, float dt)
{
    const thF units = velocity * fSet(dt) * fSet(TH_UNITS) + fSet(0.5f);
    const thF limit = fSet(0x1p26f);
    const thI step = iFromF(fFloor(fMax(fMin(units, limit), fNeg(limit))));
    return iMin(iMax(iAdd(at, step), iSet(-TH_MAX_UNITS)), iSet(TH_MAX_UNITS));
}

void TH_WIDE(thiIntegrate)(const thIntegrateTask* task)
{
    thRows* rows = task->rows;
    for (int32_t i = task->begin; i < task->end; i += TH_WIDTH) {
        const thM here = mFirst(task->end - i);
        const thI flags = iLoad((const int32_t*)(const void*)(rows->flags + i));
        const thM steered = mAndNot(here, hasFlag(flags, th_agentExternal));
        const thM moved = mAndNot(steered, hasFlag(flags, th_agentVelocityOnly));
        const thF vx = fLoad(task->newVx + i), vy = fLoad(task->newVy + i);
        const thI x = iLoad(rows->px + i), y = iLoad(rows->py + i);
        const thF heading = fLoad(rows->heading + i);
        const thM turns = mAnd(moved, fLt(fSet(TURNING_SPEED * TURNING_SPEED), vx * vx + vy * vy));
        iStore(rows->px + i, iSelect(moved, advance(x, vx, task->dt), x));
        iStore(rows->py + i, iSelect(moved, advance(y, vy, task->dt), y));
        fStore(rows->vx + i, fSelect(steered, vx, fLoad(rows->vx + i)));
        fStore(rows->vy + i, fSelect(steered, vy, fLoad(rows->vy + i)));
        fStore(rows->heading + i, fSelect(turns, fAtan2(vy, vx), heading));
    }
}
