// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What an agent plans with: lines that its planner tells, and its way.

#include "throng/sketch.h"

#include "base/array.h"
#include "base/fp_environment.h"
#include "sim/world_internal.h"

#define MOST_LINES 10000000

struct thSketch {
    thMemory memory;   // everything but this struct itself
    thArray lines;     // thSketchLine
    thArray points;    // thSketchPoint
    int32_t most;      // lines of each layer that are kept
    bool outOfMemory;  // something was not kept for want of it
    thSketchView view; // the lists are not in it
    int32_t counts[th_sketchLayerCount];
};

static thSketch* createSketch(const thAllocator* allocator, int32_t most)
{
    // The struct itself is not in the account, which is part of it.
    thMemory outside;
    thiMemoryInit(&outside, allocator, 0);
    thSketch* sketch = thiAllocateZero(&outside, sizeof *sketch);
    if (sketch == NULL)
        return NULL;
    thiMemoryInit(&sketch->memory, allocator, 0);
    sketch->lines = thiArray(&sketch->memory, sizeof(thSketchLine));
    sketch->points = thiArray(&sketch->memory, sizeof(thSketchPoint));
    sketch->most = most;
    return sketch;
}

void thDestroySketch(thSketch* sketch)
{
    if (sketch == NULL)
        return;
    thiArrayFree(&sketch->lines);
    thiArrayFree(&sketch->points);
    const thAllocator allocator = sketch->memory.allocator;
    allocator.release(allocator.context, sketch, sizeof *sketch, TH_ALIGNMENT);
}

thSketchView thSketch_GetView(const thSketch* sketch)
{
    TH_REQUIRE(sketch != NULL, (thSketchView){0});
    thSketchView view = sketch->view;
    view.lines = TH_ITEMS(sketch->lines, thSketchLine);
    view.lineCount = sketch->lines.count;
    view.points = TH_ITEMS(sketch->points, thSketchPoint);
    view.pointCount = sketch->points.count;
    return view;
}

int32_t thSketch_GetMost(const thSketch* sketch)
{
    TH_REQUIRE(sketch != NULL, 0);
    return sketch->most;
}

void thSketch_LeaveOut(thSketch* to, thSketchLayer layer, int64_t count)
{
    TH_REQUIRE_VOID(to != NULL && (uint32_t)layer < th_sketchLayerCount && count >= 0);
    to->view.leftOut[layer] += count;
}

// Appends an empty line with room for so many points; NULL, and a note of it, when memory is out.
static thSketchPoint* appendLine(thSketch* to, thSketchLayer layer, float left, int32_t count)
{
    const int32_t first = to->points.count;
    thSketchPoint* points = thiArrayAdd(&to->points, count);
    thSketchLine* line = points != NULL ? thiArrayAdd(&to->lines, 1) : NULL;
    if (line == NULL) {
        to->points.count = first;
        to->outOfMemory = true;
        return NULL;
    }
    *line = (thSketchLine){layer, first, count, left};
    to->counts[layer] += 1;
    return points;
}

void thSketch_Add(thSketch* to, thSketchLayer layer, float left, const thSketchPoint* points,
                  int32_t count)
{
    TH_REQUIRE_VOID(to != NULL && (uint32_t)layer < th_sketchLayerCount);
    TH_REQUIRE_VOID(points != NULL && count >= (layer == th_sketchNode ? 1 : 2));
    TH_REQUIRE_VOID(left >= 0.0f && left <= FLT_MAX);
    if (to->counts[layer] >= to->most) {
        thSketch_LeaveOut(to, layer, 1);
        return;
    }
    thSketchPoint* kept = to->outOfMemory ? NULL : appendLine(to, layer, left, count);
    for (int32_t i = 0; kept != NULL && i < count; ++i)
        kept[i] = points[i];
}

// The way, of which the planner is asked twice: how many points it has, and which.
static thResult addWay(const thPlanner* planner, const thFrame* frame, int32_t row, thSketch* to)
{
    thPathOut out = {.capacity = 0};
    planner->method->path(frame, row, planner->params, planner->shared, planner->state, &out);
    to->view.answer = out.answer;
    to->view.length = out.length;
    to->view.why = out.why;
    const int32_t count = out.count;
    if (count < 2)
        return th_resultOk;
    const size_t size = (size_t)count * sizeof(int32_t);
    out = (thPathOut){.x = thiAllocate(&to->memory, size),
                      .y = thiAllocate(&to->memory, size),
                      .capacity = count};
    thSketchPoint* points = NULL;
    if (out.x != NULL && out.y != NULL) {
        planner->method->path(frame, row, planner->params, planner->shared, planner->state, &out);
        // Where memory is short, less may be told the second time.
        if (out.count == count)
            points = appendLine(to, th_sketchWay, (float)out.length, count);
    }
    for (int32_t i = 0; points != NULL && i < count; ++i)
        points[i] = (thSketchPoint){out.x[i], out.y[i]};
    thiRelease(&to->memory, out.x, size);
    thiRelease(&to->memory, out.y, size);
    return points != NULL ? th_resultOk : th_resultNoMemory;
}

static thResult sketchPlan(const thWorld* world, int32_t row, thSketch* to)
{
    const thRows* rows = thiRows(world);
    const thPlanner planner = thiPlannerOf(world, row);
    const thFrame frame = thiMakeFrame(world, 1.0f);
    to->view.key = rows->key[row];
    to->view.level = rows->level[row];
    to->view.radius = rows->radius[row];
    to->view.place = (thSketchPoint){rows->px[row], rows->py[row]};
    to->view.method = planner.method->name;
    if (!thiWasPlanned(world, row)) {
        to->view.answer = th_planPending;
        to->view.why = TH_NOT_PLANNED;
        return th_resultOk;
    }
    if (planner.method->sketch != NULL)
        TH_TRY(
            planner.method->sketch(&frame, row, planner.params, planner.shared, planner.state, to));
    if (planner.method->path != NULL)
        TH_TRY(addWay(&planner, &frame, row, to));
    return to->outOfMemory ? th_resultNoMemory : th_resultOk;
}

thResult thAgent_SketchPlan(const thWorld* world, thAgentId agent, int32_t most, thSketch** sketch)
{
    TH_REQUIRE(sketch != NULL, th_resultBadArgument);
    *sketch = NULL;
    TH_REQUIRE(world != NULL && !world->stepping, th_resultBadArgument);
    TH_REQUIRE(most >= 1 && most <= MOST_LINES, th_resultBadArgument);
    const int32_t row = thiFindRow(world, agent);
    TH_REQUIRE(row >= 0, th_resultBadArgument);
    const thMethod* method = thiPlannerOf(world, row).method;
    if (method->path == NULL && method->sketch == NULL)
        return th_resultUnavailable;
    thSketch* made = createSketch(&world->memory.allocator, most);
    if (made == NULL)
        return th_resultNoMemory;
    const thFpEnvironment hostEnvironment = thiFpEnter();
    const thResult code = sketchPlan(world, row, made);
    thiFpRestore(hostEnvironment);
    if (code != th_resultOk) {
        thDestroySketch(made);
        return code;
    }
    *sketch = made;
    return th_resultOk;
}
