// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The path of an agent, and a sketch of what its planner plans with, between steps. Planners tell
// what they found in the last one.

#include "base/machine.h"
#include "base/memory.h"
#include "geom/fixed.h"
#include "sim/step/step.h"
#include "sim/world_internal.h"
#include "throng/sketch.h"

// Lines of a sketch that may be asked for.
#define MOST_LINES 10000000

#define NOT_PLANNED "it was created after the last step, and planners work in steps"
#define NOT_PLANNED_AGAIN "the world was restored since the last step, and planners work in steps"

// The planner of an agent, with what it knows of it.
typedef struct Planner {
    const thMethod* method;
    const void *params, *shared, *state;
} Planner;

void thPathOut_Add(thPathOut* out, int32_t x, int32_t y)
{
    TH_REQUIRE_VOID(out != NULL);
    if (out->count < out->capacity) {
        out->x[out->count] = x;
        out->y[out->count] = y;
    }
    out->count += 1;
}

static Planner plannerOf(const thWorld* world, int32_t row)
{
    const thRows* rows = thiRows(world);
    const thProfile* profile = &TH_ITEMS(world->profiles.items, thProfile)[rows->profile[row]];
    const thMethodInUse* use = &profile->methods[th_methodPlan];
    const char* states = profile->states.data;
    const void* state =
        use->method->stateSize > 0
            ? states + (size_t)rows->stateIndex[row] * profile->stateSize + use->stateStart
            : NULL;
    return (Planner){use->method, use->params, use->shared, state};
}

// Who was created since the last step has not been planned for.
static bool wasPlanned(const thWorld* world, int32_t row)
{
    return thiTold(world, row)->isKnown;
}

static const char* whyNotPlanned(const thWorld* world)
{
    return world->isRestored ? NOT_PLANNED_AGAIN : NOT_PLANNED;
}

static void askPlanner(const thWorld* world, int32_t row, thPathOut* out)
{
    const Planner planner = plannerOf(world, row);
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
    if (plannerOf(world, row).method->path == NULL)
        return th_resultUnavailable;
    if (!wasPlanned(world, row)) {
        path->why = whyNotPlanned(world);
        return th_resultOk;
    }
    return findPath((thWorld*)world, row, points, capacity, path);
}

// Sketches: lines that a planner tells, and the path.

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

// The path, of which the planner is asked twice: how many points it has, and which.
static thResult addPath(const Planner* planner, const thFrame* frame, int32_t row, thSketch* to)
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
    const Planner planner = plannerOf(world, row);
    const thFrame frame = thiMakeFrame(world, 1.0f);
    to->view.key = rows->key[row];
    to->view.level = rows->level[row];
    to->view.radius = rows->radius[row];
    to->view.place = (thSketchPoint){rows->px[row], rows->py[row]};
    to->view.method = planner.method->name;
    if (!wasPlanned(world, row)) {
        to->view.answer = th_planPending;
        to->view.why = whyNotPlanned(world);
        return th_resultOk;
    }
    if (planner.method->sketch != NULL)
        TH_TRY(
            planner.method->sketch(&frame, row, planner.params, planner.shared, planner.state, to));
    if (planner.method->path != NULL)
        TH_TRY(addPath(&planner, &frame, row, to));
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
    const thMethod* method = plannerOf(world, row).method;
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
