// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What an explanation holds, and how methods add marks to it.

#include "sim/explain/explanation.h"

#include <string.h>

thMark thDefaultMark(void)
{
    return (thMark){.size = sizeof(thMark), .kind = th_markText};
}

thExplanation* thiCreateExplanation(const thAllocator* allocator)
{
    // The struct itself is not in the account, which is part of it.
    thMemory outside;
    thiMemoryInit(&outside, allocator, 0);
    thExplanation* explanation = thiAllocateZero(&outside, sizeof *explanation);
    if (explanation == NULL)
        return NULL;
    thMemory* memory = &explanation->memory;
    thiMemoryInit(memory, allocator, 0);
    thiArenaInit(&explanation->arena, memory);
    explanation->agents = thiArray(memory, sizeof(thSeenAgent));
    explanation->walls = thiArray(memory, sizeof(thSeenWall));
    explanation->movers = thiArray(memory, sizeof(thSeenMover));
    explanation->marks = thiArray(memory, sizeof(thMark));
    return explanation;
}

void thDestroyExplanation(thExplanation* explanation)
{
    if (explanation == NULL)
        return;
    thiArrayFree(&explanation->agents);
    thiArrayFree(&explanation->walls);
    thiArrayFree(&explanation->movers);
    thiArrayFree(&explanation->marks);
    thiArenaFree(&explanation->arena);
    const thAllocator allocator = explanation->memory.allocator;
    allocator.release(allocator.context, explanation, sizeof *explanation, TH_ALIGNMENT);
}

thExplanationView thExplanation_GetView(const thExplanation* explanation)
{
    TH_REQUIRE(explanation != NULL, (thExplanationView){0});
    thExplanationView view = explanation->view;
    view.agents = TH_ITEMS(explanation->agents, thSeenAgent);
    view.agentCount = explanation->agents.count;
    view.walls = TH_ITEMS(explanation->walls, thSeenWall);
    view.wallCount = explanation->walls.count;
    view.movers = TH_ITEMS(explanation->movers, thSeenMover);
    view.moverCount = explanation->movers.count;
    view.marks = TH_ITEMS(explanation->marks, thMark);
    view.markCount = explanation->marks.count;
    return view;
}

void* thiExplanationItem(thExplanation* explanation, thArray* list)
{
    if (list->count == list->capacity &&
        thiArrayReserve(list, 2 * list->capacity + 16) != th_resultOk) {
        explanation->outOfMemory = true;
        return NULL;
    }
    return thiArrayAdd(list, 1);
}

static const void* keep(thExplanation* explanation, const void* data, size_t size)
{
    void* copy = thiArenaAllocate(&explanation->arena, size);
    if (copy == NULL) {
        explanation->outOfMemory = true;
        return NULL;
    }
    return memcpy(copy, data, size);
}

const thVec2* thiExplanationPoints(thExplanation* explanation, const thVec2* points, int32_t count)
{
    return count > 0 ? keep(explanation, points, (size_t)count * sizeof *points) : NULL;
}

static bool isFinite(float value)
{
    return value >= -FLT_MAX && value <= FLT_MAX;
}

static bool arePoints(const thMark* mark)
{
    static const struct {
        int32_t least, most;
    } counts[th_markKindCount] = {[th_markHalfPlane] = {2, 2},    [th_markRegion] = {3, INT32_MAX},
                                  [th_markCone] = {3, INT32_MAX}, [th_markDisc] = {1, 1},
                                  [th_markSample] = {1, 1},       [th_markArrow] = {2, 2},
                                  [th_markPath] = {2, INT32_MAX}, [th_markPoint] = {1, 1},
                                  [th_markText] = {0, 0}};
    if (mark->pointCount < counts[mark->kind].least || mark->pointCount > counts[mark->kind].most)
        return false;
    if (mark->pointCount > 0 && mark->points == NULL)
        return false;
    bool finite = true;
    for (int32_t i = 0; i < mark->pointCount; ++i)
        finite = finite && isFinite(mark->points[i].x) && isFinite(mark->points[i].y);
    return finite;
}

static bool isMark(const thMark* mark)
{
    return (uint32_t)mark->kind < th_markKindCount && (uint32_t)mark->space <= th_spacePlace &&
           (uint32_t)mark->meaning <= th_meansLimit && (uint32_t)mark->cause <= th_causeMover &&
           arePoints(mark) && mark->radius >= 0.0f && isFinite(mark->radius) &&
           mark->value == mark->value && (mark->kind != th_markText || mark->label != NULL);
}

void thExplanation_Add(thExplanation* to, const thMark* given)
{
    TH_REQUIRE_VOID(to != NULL);
    thMark mark = thDefaultMark();
    TH_REQUIRE_VOID(thiReadDef(&mark, given, sizeof mark, sizeof mark));
    TH_REQUIRE_VOID(isMark(&mark));
    mark.by = to->by;
    mark.points = thiExplanationPoints(to, mark.points, mark.pointCount);
    if (mark.label != NULL)
        mark.label = keep(to, mark.label, strlen(mark.label) + 1);
    thMark* item = to->outOfMemory ? NULL : thiExplanationItem(to, &to->marks);
    if (item != NULL)
        *item = mark;
}
