// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The steps of the paper as they are, and how full their registers are.

#define TRIAL TH_WIDE(thiPaperTimeSteps)

#include "steps.inl"

static inline void countInPlace(const Problem* problem, const Piece* piece, Points points,
                                thPaperLaneUse* use)
{
    for (int32_t i = 0; i <= piece->most + 1; ++i) {
        const int32_t at = i * TH_WIDTH;
        const Vec v = addScaled(piece->line.m, fLoad(points.t + at), piece->line.d);
        const thI other = iLoad(points.region + at);
        thM outside = havePoint(piece, i);
        for (int32_t j = 0; j < problem->regionMax && mAny(outside); ++j) {
            if (j == piece->own)
                continue;
            use->inPlaceUsed += __builtin_popcount(mBits(outside));
            use->inPlaceAll += TH_WIDTH;
            const thM in = areIn(problem, j, v, problem->tolerance);
            outside = mAndNot(outside, mAndNot(in, iEq(other, iSet(j))));
        }
    }
}

static inline void countPacked(const Problem* problem, const Piece* piece, Points points, Pack pack,
                               thPaperLaneUse* use)
{
    int32_t count = listPoints(piece, points, pack);
    for (int32_t j = 0; j < problem->regionMax && count > 0; ++j) {
        if (j == piece->own)
            continue;
        use->packedUsed += count;
        use->packedAll += (count + TH_WIDTH - 1) / TH_WIDTH * TH_WIDTH;
        count = keepOutside(problem, j, pack, count);
    }
}

void TH_WIDE(thiPaperCountLanes)(const thPaperTrial* trial, thPaperLaneUse* use)
{
    const thOutsideTask* task = trial->task;
    const Room room = roomOf(task);
    const int32_t waiting = listWaiting(task, room);
    for (int32_t first = 0; first < waiting; first += TH_WIDTH) {
        const int32_t used = waiting - first < TH_WIDTH ? waiting - first : TH_WIDTH;
        const Problem problem = gatherProblem(task, room, room.waiting + first);
        for (int32_t side = 0; side < TH_REGION_SIDES * problem.regionMax; ++side) {
            Piece piece;
            startPiece(&problem, side, mFirst(used), &piece);
            if (!mAny(piece.live))
                continue;
            findCrossings(&problem, &piece, room.points);
            countInPlace(&problem, &piece, room.points, use);
            countPacked(&problem, &piece, room.points, room.pack, use);
        }
    }
}
