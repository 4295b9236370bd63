// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The steps of outside_paper_lanes.h, timed.

#include "trial.h"

#include "base/machine.h"
#include "velocity/outside_paper_lanes.h"

enum { mostSides = TH_REGION_SIDES * 16 };

// The points of one side among those of all.
static inline Points pointsOf(const thPaperTrial* trial, int32_t side)
{
    const int32_t most = mostPoints(trial->task->regionMax) * TH_WIDTH;
    float* column = (float*)trial->points + 3 * side * most;
    return (Points){column, (int32_t*)(void*)(column + most), (int32_t*)(void*)(column + 2 * most)};
}

// The time since the last call goes to a step.
static inline void lap(thPaperTrial* trial, int32_t step, int64_t* clock)
{
    const int64_t now = thiNow();
    trial->times[step] += now - *clock;
    *clock = now;
}

// Steps 1 to 5 on one register.
static inline Best timeRegister(thPaperTrial* trial, const Problem* problem, Pack pack, thM lanes,
                                int64_t* clock)
{
    const int32_t sides = TH_REGION_SIDES * problem->regionMax;
    Piece pieces[mostSides];
    int32_t side[mostSides], count = 0;
    Best best = {farAway(), {fSet(0.0f), fSet(0.0f)}};
    for (int32_t s = 0; s < sides; ++s) {
        startPiece(problem, s, lanes, &pieces[count]);
        side[count] = s;
        count += mAny(pieces[count].live);
    }
    lap(trial, 1, clock);
    for (int32_t i = 0; i < count; ++i)
        findCrossings(problem, &pieces[i], pointsOf(trial, side[i]));
    lap(trial, 2, clock);
    for (int32_t i = 0; i < count; ++i)
        if (trial->inPlace)
            tagInPlace(problem, &pieces[i], pointsOf(trial, side[i]));
        else
            tagPacked(problem, &pieces[i], pointsOf(trial, side[i]), pack);
    lap(trial, 3, clock);
    for (int32_t i = 0; i < count; ++i)
        sortPoints(&pieces[i], pointsOf(trial, side[i]));
    lap(trial, 4, clock);
    for (int32_t i = 0; i < count; ++i)
        classifyParts(problem, &pieces[i], pointsOf(trial, side[i]), &best);
    lap(trial, 5, clock);
    return best;
}

void TRIAL(thPaperTrial* trial)
{
    const thOutsideTask* task = trial->task;
    const Room room = roomOf(task);
    int64_t clock = thiNow();
    const int32_t waiting = listWaiting(task, room);
    for (int32_t first = 0; first < waiting; first += TH_WIDTH) {
        const int32_t used = waiting - first < TH_WIDTH ? waiting - first : TH_WIDTH;
        const Problem problem = gatherProblem(task, room, room.waiting + first);
        lap(trial, 0, &clock);
        const Best best = timeRegister(trial, &problem, room.pack, mFirst(used), &clock);
        storeAnswers(task, room.waiting + first, used, &best);
    }
    lap(trial, 0, &clock);
}
