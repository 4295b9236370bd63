// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What happens by the clock, before each step: doors open and shut, agents that waited go, and new
// ones appear (scene_run_sources.c). Everything depends on the number of the step and on what is
// saved.

#include "geom/segment.h"
#include "scene/run/scene_run.h"
#include "sim/ranges.h"

// How often goals that nobody has any more are collected. [steps]
#define COLLECT_STEPS 64

// Doors.

bool thiIsDoorOpen(const thRun* run, int32_t door, uint64_t step)
{
    const thSceneDoor* sceneDoor = &run->scene->doors[door];
    for (int32_t i = 0; i < sceneDoor->openCount; ++i)
        if (step >= thiStepOfTime(run, sceneDoor->open[2 * i]) &&
            step < thiStepOfTime(run, sceneDoor->open[2 * i + 1]))
            return true;
    return false;
}

// Every row is looked at, but only while a door wants to shut.
static bool isInTheWay(const thRun* run, const thSceneDoor* door)
{
    const thRows* rows = thiRows(run->world);
    thVec2 ends[2];
    if (!thiToWorld(door->a, run->scene->origin, &ends[0]) ||
        !thiToWorld(door->b, run->scene->origin, &ends[1]))
        return true;
    const thPoint a = thiPointOf(ends[0]), b = thiPointOf(ends[1]);
    for (int32_t row = 0; row < rows->count; ++row) {
        if (rows->flags[row] == 0 || rows->level[row] != door->level)
            continue;
        const thPoint at = {rows->px[row], rows->py[row]};
        const thOffset way = thiOffsetToSegment(at, a, b);
        const double radius = (double)rows->radius[row] * THRONG_UNITS_PER_METRE;
        if (way.x * way.x + way.y * way.y <= radius * radius)
            return true;
    }
    return false;
}

static thResult runDoors(thRun* run, uint64_t step)
{
    for (int32_t i = 0; i < run->scene->doorCount; ++i) {
        const bool open = thiIsDoorOpen(run, i, step);
        const thObstacleId wall = run->doors[i];
        if (open && wall.value != 0) {
            // A saved run may come from anywhere: only what is a wall is taken away.
            if (thiIdPoolFind(&run->world->obstacles.ids, wall.value) >= 0)
                TH_TRY(thDestroyObstacle(run->world, wall));
            run->doors[i] = (thObstacleId){0};
        } else if (!open && wall.value == 0 && !isInTheWay(run, &run->scene->doors[i])) {
            TH_TRY(thiShutDoor(run, i));
        }
    }
    return th_resultOk;
}

// Delays: a heap, the earliest first.

static bool isBefore(thRunDelay a, thRunDelay b)
{
    return a.step != b.step ? a.step < b.step : a.key < b.key;
}

thResult thiAddDelay(thRun* run, thRunDelay delay)
{
    if (thiArrayAdd(&run->delays, 1) == NULL)
        return th_resultNoMemory;
    thRunDelay* heap = TH_ITEMS(run->delays, thRunDelay);
    int32_t at = run->delays.count - 1;
    for (; at > 0 && isBefore(delay, heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = delay;
    return th_resultOk;
}

static thRunDelay takeDelay(thRun* run)
{
    thRunDelay* heap = TH_ITEMS(run->delays, thRunDelay);
    const thRunDelay earliest = heap[0], last = heap[--run->delays.count];
    const int32_t count = run->delays.count;
    int32_t at = 0;
    for (int32_t child = 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && isBefore(heap[child + 1], heap[child]))
            child += 1;
        if (!isBefore(heap[child], last))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return earliest;
}

static thResult runDelays(thRun* run, uint64_t step)
{
    while (run->delays.count > 0 && TH_ITEMS(run->delays, thRunDelay)[0].step <= step) {
        const thAgentId agent = thWorld_FindAgent(run->world, takeDelay(run).key);
        if (agent.value != 0) // the host may have removed it
            TH_TRY(thAgent_SetWaiting(run->world, agent, 0));
    }
    return th_resultOk;
}

thResult thiRunClock(thRun* run)
{
    const uint64_t step = run->world->step;
    TH_TRY(runDoors(run, step));
    TH_TRY(runDelays(run, step));
    return thiRunSources(run, step);
}

// Agents of a source that have a goal of their own leave it behind. A list comes before what is in
// it, as it was made after that.
void thiCollectGoals(thRun* run)
{
    const thGoals* goals = &run->world->goals;
    thGoalId* own = TH_ITEMS(run->ownGoals, thGoalId);
    if (run->world->step % COLLECT_STEPS != 0)
        return;
    for (int32_t i = run->ownGoals.count - 1; i >= 0; --i) {
        const int32_t slot = thiIdPoolFind(&goals->ids, own[i].value);
        if (slot >= 0 && thiGoalAt(goals, slot)->users == 0)
            (void)thDestroyGoal(run->world, own[i]);
    }
    int32_t kept = 0;
    for (int32_t i = 0; i < run->ownGoals.count; ++i)
        if (thiIdPoolFind(&goals->ids, own[i].value) >= 0)
            own[kept++] = own[i];
    run->ownGoals.count = kept;
}
