// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Kernel: where velocities lead, and taking the places that walls and contacts have left.

#include "geom/fixed.h"
#include "move/integrate.h"
#include "simd/lane_math.h"

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

// A mover may carry a body further in a short step than velocities are known. [m/s]
static inline thF withinLimit(thF velocity)
{
    const thF limit = fSet(1000.0f);
    return fMin(fMax(velocity, fNeg(limit)), limit);
}

typedef struct Kinds {
    thM steered; // whose velocity is chosen
    thM moved;   // who also goes where it leads
} Kinds;

static inline Kinds kindsOf(const thIntegrateTask* task, int32_t i)
{
    const thI flags = iLoad((const int32_t*)(const void*)(task->rows->flags + i));
    const thM steered = mAndNot(mFirst(task->end - i), hasFlag(flags, th_agentExternal));
    return (Kinds){steered, mAndNot(steered, hasFlag(flags, th_agentVelocityOnly))};
}

void TH_WIDE(thiAimRows)(const thIntegrateTask* task)
{
    const thRows* rows = task->rows;
    for (int32_t i = task->begin; i < task->end; i += TH_WIDTH) {
        const thM moved = kindsOf(task, i).moved;
        const thI x = iLoad(rows->px + i), y = iLoad(rows->py + i);
        iStore(task->x + i, iSelect(moved, advance(x, fLoad(task->newVx + i), task->dt), x));
        iStore(task->y + i, iSelect(moved, advance(y, fLoad(task->newVy + i), task->dt), y));
    }
}

void TH_WIDE(thiSettleRows)(const thIntegrateTask* task)
{
    const thRows* rows = task->rows;
    const thF perSecond = fSet(TH_METRES_PER_UNIT / task->dt);
    for (int32_t i = task->begin; i < task->end; i += TH_WIDTH) {
        const Kinds kinds = kindsOf(task, i);
        const thI oldX = iLoad(rows->px + i), oldY = iLoad(rows->py + i);
        const thI x = iLoad(task->x + i), y = iLoad(task->y + i);
        const thF chosenX = fLoad(task->newVx + i), chosenY = fLoad(task->newVy + i);
        const thM asChosen = mAnd(iEq(x, advance(oldX, chosenX, task->dt)),
                                  iEq(y, advance(oldY, chosenY, task->dt)));
        const thM elsewhere = mAndNot(kinds.moved, asChosen);
        const thF vx = fSelect(elsewhere, withinLimit(fFromI(iSub(x, oldX)) * perSecond), chosenX);
        const thF vy = fSelect(elsewhere, withinLimit(fFromI(iSub(y, oldY)) * perSecond), chosenY);
        const thF heading = fLoad(rows->heading + i);
        const thM turns =
            mAnd(kinds.moved, fLt(fSet(TH_TURNING_SPEED * TH_TURNING_SPEED), vx * vx + vy * vy));
        iStore(rows->px + i, iSelect(kinds.moved, x, oldX));
        iStore(rows->py + i, iSelect(kinds.moved, y, oldY));
        fStore(rows->vx + i, fSelect(kinds.steered, vx, fLoad(rows->vx + i)));
        fStore(rows->vy + i, fSelect(kinds.steered, vy, fLoad(rows->vy + i)));
        fStore(rows->heading + i, fSelect(turns, fAtan2(vy, vx), heading));
    }
}
