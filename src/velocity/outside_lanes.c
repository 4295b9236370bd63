// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Problems of nearest points laid out for the kernel.

#include "velocity/outside_lanes.h"
#include "velocity/outside_regions.h"

static void setSide(const thOutsideTask* task, int32_t at, thVec2 n, float o)
{
    task->nx[at] = n.x;
    task->ny[at] = n.y;
    task->o[at] = o;
}

// What a region lacks of sides is inside of them everywhere, what a lane lacks of regions forbids
// nothing.
void thiSetOutsideRegion(const thOutsideTask* task, int32_t lane, int32_t i, const thRegion* region)
{
    const thVec2 none = {0.0f, 0.0f};
    for (int32_t k = 0; k < TH_REGION_SIDES; ++k) {
        const int32_t at = (i * TH_REGION_SIDES + k) * task->lanes + lane;
        if (region == NULL)
            setSide(task, at, none, TH_FAR_OUTSIDE);
        else if (k < region->sides)
            setSide(task, at, region->n[k], region->o[k]);
        else
            setSide(task, at, none, -TH_FAR_OUTSIDE);
    }
}

void thiSetOutsidePoint(const thOutsideTask* task, int32_t lane, const thOutsideProblem* problem)
{
    static const thOutsideProblem nothing = {.discs = {{{0.0f, 0.0f}, 1.0f}, {{0.0f, 0.0f}, 1.0f}}};
    const thOutsideProblem* from = problem != NULL ? problem : &nothing;
    const thVec2 start = thiNearestInDiscs(from->wanted, &from->discs[0], &from->discs[1]);
    task->wantedX[lane] = from->wanted.x;
    task->wantedY[lane] = from->wanted.y;
    task->startX[lane] = start.x;
    task->startY[lane] = start.y;
    task->tolerance[lane] = from->tolerance;
    for (int32_t i = 0; i < 2; ++i) {
        task->discX[i][lane] = from->discs[i].center.x;
        task->discY[i][lane] = from->discs[i].center.y;
        task->discRadius[i][lane] = from->discs[i].radius;
    }
}

void thiSetOutsideLane(const thOutsideTask* task, int32_t lane, const thOutsideProblem* problem)
{
    const int32_t count = problem != NULL ? problem->regionCount : 0;
    thiSetOutsidePoint(task, lane, problem);
    for (int32_t i = 0; i < task->regionMax; ++i)
        thiSetOutsideRegion(task, lane, i, i < count ? &problem->regions[i] : NULL);
}

size_t thiOutsideKernelRoom(int32_t regionMax, int32_t lanes)
{
    const size_t width = lanes < TH_MAX_WIDTH ? 1 : TH_MAX_WIDTH;
    return (size_t)regionMax * TH_OUTSIDE_ROOM * width * sizeof(float);
}
