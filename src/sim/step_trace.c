// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "sim/step_trace.h"

// Columns of one trace in a row, each with room for every row there can be.
static size_t traceBytes(const thTileTrace* trace)
{
    return (size_t)trace->capacity * (sizeof(uint64_t) + 3 * sizeof(float));
}

thResult thiTraceOpen(thWorld* world, thTileTrace* trace)
{
    *trace = (thTileTrace){.capacity = TH_MAX(thiRows(world)->capacity, 1)};
    trace->sense = thiAllocateZero(&world->memory, traceBytes(trace));
    if (trace->sense == NULL)
        return th_resultNoMemory;
    trace->guideX = (float*)(trace->sense + trace->capacity);
    trace->guideY = trace->guideX + trace->capacity;
    trace->remaining = trace->guideY + trace->capacity;
    return th_resultOk;
}

void thiTraceClose(thWorld* world, thTileTrace* trace)
{
    thiRelease(&world->memory, trace->sense, traceBytes(trace));
}

static void report(const thWorld* world, const char* stage, const thColumn* columns,
                   int32_t columnCount)
{
    const thRows* rows = thiRows(world);
    const thStageRows found = {world->step, stage, rows->key, rows->count, columns, columnCount};
    world->watch.trace->stage(world->watch.trace->context, &found);
}

void thiTraceSort(const thWorld* world, const thTileTrace* trace)
{
    (void)trace;
    const thRows* rows = thiRows(world);
    const thColumn columns[] = {{"x", rows->px, 4},        {"y", rows->py, 4},
                                {"vx", rows->vx, 4},       {"vy", rows->vy, 4},
                                {"level", rows->level, 2}, {"flags", rows->flags, 4},
                                {"goal", rows->goal, 4},   {"radius", rows->radius, 4}};
    report(world, "sort", columns, 8);
}

void thiTraceStages(const thWorld* world, const thTileTrace* trace)
{
    const thRows* rows = thiRows(world);
    const thColumn sense[] = {{"sense", trace->sense, 8}};
    report(world, "sense", sense, 1);
    const thColumn plan[] = {{"guideX", trace->guideX, 4},
                             {"guideY", trace->guideY, 4},
                             {"remaining", trace->remaining, 4}};
    report(world, "plan", plan, 3);
    const thColumn avoid[] = {{"vx", world->output.vx, 4},
                              {"vy", world->output.vy, 4},
                              {"status", world->output.status, 1}};
    report(world, "avoid", avoid, 3);
    const thColumn move[] = {{"x", rows->px, 4},
                             {"y", rows->py, 4},
                             {"vx", rows->vx, 4},
                             {"vy", rows->vy, 4},
                             {"heading", rows->heading, 4},
                             {"flags", rows->flags, 4},
                             {"goalIndex", rows->goalIndex, 4}};
    report(world, "move", move, 7);
}

static void tellHash(void* context, const thStageRows* rows)
{
    const thWorld* world = context;
    world->watch.tellHash(world->watch.context, rows->step, rows->stage, thiStageHash(rows));
}

thResult thWorld_WatchStages(thWorld* world, thStageHashFcn* watch, void* context)
{
    TH_REQUIRE(world != NULL && !world->stepping, th_resultBadArgument);
    world->watch.tellHash = watch;
    world->watch.context = context;
    world->watch.hashes = (thTrace){world, tellHash};
    world->watch.trace = watch != NULL ? &world->watch.hashes : NULL;
    return th_resultOk;
}
