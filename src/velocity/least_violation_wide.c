// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The kernel of what is left where half-planes allow no velocity.

#include "velocity/least_violation.h"

#include "velocity/half_planes_lanes.h"

void TH_WIDE(thiLeastViolation)(const thHalfPlaneTask* task)
{
    const SpareLines spare = {task->spareX, task->spareY, task->spareO};
    for (int32_t lane = 0; lane < task->lanes; lane += TH_WIDTH) {
        const Lines lines = {task->x + lane, task->y + lane, task->o + lane, task->lanes};
        const thF limit = fLoad(task->maxSpeed + lane);
        const Vec wanted = loadVec(task->wantedX, task->wantedY, lane);
        const thF speedSq = dot(wanted, wanted);
        const thM tooFast = fLt(limit * limit, speedSq);
        const thF factor = limit / fSqrt(fSelect(tooFast, speedSq, fSet(1.0f)));
        Vec v = choose(tooFast, scale(factor, wanted), wanted);
        thI failed = iSet(task->count);
        thM touched = none();
        const thM without = solvePlane(lines, task->count, limit, (Aim){.wanted = wanted},
                                       objective_nearest, mNot(none()), &v, &failed, &touched);
        const thM walled = mAnd(without, iLt(failed, iSet(task->walls)));
        v = choose(walled, vec(fSet(0.0f), fSet(0.0f)), v);
        solveWorst(lines, task->walls, task->count, limit, failed, mAndNot(without, walled), spare,
                   &v);
        fStore(task->outVx + lane, v.x);
        fStore(task->outVy + lane, v.y);
        int32_t answers[TH_WIDTH];
        iStore(answers, iSelect(walled, iSet(th_violatesWalls),
                                iSelect(without, iSet(th_violatesAgents), iSet(th_violatesNone))));
        for (int32_t i = 0; i < TH_WIDTH; ++i)
            task->answer[lane + i] = (uint8_t)answers[i];
    }
}
