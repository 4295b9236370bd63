// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The nearest point outside of regions as in ClearPath's paper, one problem per lane: the bits of
// outside_paper.c. Problems that are free are done with at once. The others are ordered by their
// number of regions and gathered into registers, so that lanes of one register have as much to do.

#include "velocity/outside_paper_lanes.h"

void TH_WIDE(thiNearestOutsidePaperLanes)(const thOutsideTask* task)
{
    const Room room = roomOf(task);
    const int32_t waiting = listWaiting(task, room);
    for (int32_t first = 0; first < waiting; first += TH_WIDTH) {
        const int32_t used = waiting - first < TH_WIDTH ? waiting - first : TH_WIDTH;
        const Problem problem = gatherProblem(task, room, room.waiting + first);
        Best best = {farAway(), {fSet(0.0f), fSet(0.0f)}};
        for (int32_t side = 0; side < TH_REGION_SIDES * problem.regionMax; ++side) {
            Piece piece;
            startPiece(&problem, side, mFirst(used), &piece);
            if (!mAny(piece.live))
                continue;
            noteUse(task->use, &problem, piece.live);
            findCrossings(&problem, &piece, room.points);
            tagPoints(&problem, &piece, room.points, room.pack);
            sortPoints(&piece, room.points);
            classifyParts(&problem, &piece, room.points, &best);
        }
        storeAnswers(task, room.waiting + first, used, &best);
    }
}
