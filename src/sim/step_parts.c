// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "sim/step_parts.h"

#include "base/timer.h"
#include "sim/held_guides.h"
#include "sim/motion.h"

// The length of so many of the shortest parts.
static float lengthOf(int32_t count, float dt)
{
    return count == TH_STEP_PARTS ? dt : (float)count * (dt / TH_STEP_PARTS);
}

// How much of what is left of the step velocities are good for, but the shortest part at least.
static int32_t partOf(const thWorld* world, int32_t left, float dt)
{
    const float interval = thiShortestInterval(world);
    int32_t count = left;
    while (thiHoldsGuides(world) && count > 1 && !(interval >= lengthOf(count, dt)))
        count -= 1;
    return count;
}

// Everybody is where the last part has led: avoidance for the rest.
static thResult goOn(thWorld* world, float dt, float rest, const thTileTrace* trace, int64_t* clock)
{
    thiLap(world, th_stageMove, clock);
    TH_TRY(thiPrepareObstacles(world));
    TH_TRY(thiSortAgents(world));
    thiLap(world, th_stageSort, clock);
    const thFrame frame = thiMakeFrame(world, rest);
    TH_TRY(thiPrepareMethods(world, &frame, th_methodAvoid));
    thiLap(world, th_stagePrepare, clock);
    TH_TRY(thiAvoidAgain(world, &frame, dt, trace));
    *clock = thiNow(); // tiles keep their own time
    return th_resultOk;
}

thResult thiMoveInParts(thWorld* world, float dt, const thTileTrace* trace, int64_t* clock)
{
    world->counters.substeps = 0;
    for (int32_t left = TH_STEP_PARTS; left > 0;) {
        const bool isFirst = left == TH_STEP_PARTS;
        if (!isFirst)
            TH_TRY(goOn(world, dt, lengthOf(left, dt), trace, clock));
        const int32_t count = partOf(world, left, dt);
        left -= count;
        const thStepPart part = {lengthOf(count, dt), isFirst, left == 0};
        TH_TRY(thiMoveAgents(world, part));
        world->counters.substeps += 1;
    }
    return th_resultOk;
}
