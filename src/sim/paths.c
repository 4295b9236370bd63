// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The ways of agents, between steps: their planners tell what they found in the last one.

#include "base/fp_environment.h"
#include "geom/fixed.h"
#include "sim/world_internal.h"

void thPathOut_Add(thPathOut* out, int32_t x, int32_t y)
{
    TH_REQUIRE_VOID(out != NULL);
    if (out->count < out->capacity) {
        out->x[out->count] = x;
        out->y[out->count] = y;
    }
    out->count += 1;
}

thPlanner thiPlannerOf(const thWorld* world, int32_t row)
{
    const thRows* rows = thiRows(world);
    const thProfile* profile = &TH_ITEMS(world->profiles.items, thProfile)[rows->profile[row]];
    const thMethodInUse* use = &profile->methods[th_methodPlan];
    const char* states = profile->states.data;
    const void* state =
        use->method->stateSize > 0
            ? states + (size_t)rows->stateIndex[row] * profile->stateSize + use->stateStart
            : NULL;
    return (thPlanner){use->method, use->params, use->shared, state};
}

bool thiWasPlanned(const thWorld* world, int32_t row)
{
    return row < thiGridSortedCount(&world->agents.grid);
}

static void askPlanner(const thWorld* world, int32_t row, thPathOut* out)
{
    const thPlanner planner = thiPlannerOf(world, row);
    const thFrame frame = thiMakeFrame(world, 1.0f);
    const thFpEnvironment hostEnvironment = thiFpEnter();
    planner.method->path(&frame, row, planner.params, planner.shared, planner.state, out);
    thiFpRestore(hostEnvironment);
}

static thResult findPath(thWorld* world, int32_t row, thVec2* points, int32_t capacity,
                         thPath* path)
{
    const size_t size = (size_t)TH_MAX(capacity, 1) * sizeof(int32_t);
    thPathOut out = {.x = thiAllocate(world->account, size),
                     .y = thiAllocate(world->account, size),
                     .capacity = capacity};
    const bool hasRoom = out.x != NULL && out.y != NULL;
    if (hasRoom) {
        askPlanner(world, row, &out);
        for (int32_t i = 0; i < TH_MIN(out.count, capacity); ++i)
            points[i] = (thVec2){thiMetres(out.x[i]), thiMetres(out.y[i])};
        *path = (thPath){
            .answer = out.answer, .pointCount = out.count, .length = out.length, .why = out.why};
    }
    thiRelease(world->account, out.x, size);
    thiRelease(world->account, out.y, size);
    return hasRoom ? th_resultOk : th_resultNoMemory;
}

thResult thAgent_GetPath(const thWorld* world, thAgentId id, thVec2* points, int32_t capacity,
                         thPath* path)
{
    TH_REQUIRE(path != NULL, th_resultBadArgument);
    *path = (thPath){.answer = th_planPending};
    TH_REQUIRE(world != NULL && !world->stepping, th_resultBadArgument);
    TH_REQUIRE(capacity >= 0 && (capacity == 0 || points != NULL), th_resultBadArgument);
    const int32_t row = thiFindRow(world, id);
    TH_REQUIRE(row >= 0, th_resultBadArgument);
    if (thiPlannerOf(world, row).method->path == NULL)
        return th_resultUnavailable;
    if (!thiWasPlanned(world, row)) {
        path->why = TH_NOT_PLANNED;
        return th_resultOk;
    }
    return findPath((thWorld*)world, row, points, capacity, path);
}
