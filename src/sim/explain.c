// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What one agent will do in the coming step, and why: the step is rehearsed for it alone.
//
// A step carries out commands, sets agents in order, and lets methods prepare and remember what
// they like, none of which may be noticed. So it is rehearsed on a copy of the world, which is a
// world of its own, made as a host would make it.

#include "throng/explain.h"
#include "base/machine.h"
#include "base/memory.h"
#include "geom/fixed.h"
#include "sim/step/step.h"
#include "sim/step/tiles.h"
#include "sim/world_internal.h"

#include <string.h>

// What an explanation holds while it is made: lists that grow, and an arena for what they point to.
struct thExplanation {
    thMemory memory; // everything but this struct itself
    thArena arena;   // points and texts
    thArray agents;  // thSeenAgent
    thArray walls;   // thSeenWall
    thArray movers;  // thSeenMover
    thArray marks;   // thMark
    thMethodKind by; // whose turn it is to add marks
    bool outOfMemory;
    thExplanationView view; // the lists are not in it
};

thMark thDefaultMark(void)
{
    return (thMark){.size = sizeof(thMark), .kind = th_markText};
}

// NULL when memory is out.
static thExplanation* createExplanation(const thAllocator* allocator)
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

// One more item of a list; NULL, and a note of it, when memory is out.
static void* addItem(thExplanation* explanation, thArray* list)
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

// Points in memory of the explanation's own. NULL for none, and when memory is out, which is noted.
static const thVec2* keepPoints(thExplanation* explanation, const thVec2* points, int32_t count)
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
    mark.points = keepPoints(to, mark.points, mark.pointCount);
    if (mark.label != NULL)
        mark.label = keep(to, mark.label, strlen(mark.label) + 1);
    thMark* item = to->outOfMemory ? NULL : addItem(to, &to->marks);
    if (item != NULL)
        *item = mark;
}

// The rehearsal.

// The world's snapshot in new memory of `memory`. Other threads may queue commands in between, so
// it may have grown when it is written.
static thResult takeSnapshot(const thWorld* world, thMemory* memory, void** data, size_t* size)
{
    for (;;) {
        TH_TRY(thWorld_Save(world, NULL, 0, size));
        *data = thiAllocate(memory, *size);
        if (*data == NULL)
            return th_resultNoMemory;
        const size_t capacity = *size;
        const thResult code = thWorld_Save(world, *data, capacity, size);
        if (code == th_resultOk && *size == capacity)
            return th_resultOk;
        thiRelease(memory, *data, capacity);
        if (code != th_resultOk && code != th_resultFull)
            return code;
    }
}

static thResult addMethods(thWorld* copy, const thWorld* world)
{
    for (int32_t kind = 0; kind < th_methodKindCount; ++kind)
        for (int32_t i = 0; i < world->methods[kind].count; ++i)
            TH_TRY(thWorld_AddMethod(copy, (thMethodKind)kind,
                                     TH_ITEMS(world->methods[kind], const thMethod*)[i]));
    return th_resultOk;
}

static thResult fillCopy(thWorld* copy, const thWorld* world)
{
    TH_TRY(addMethods(copy, world));
    void* data;
    size_t size;
    TH_TRY(takeSnapshot(world, &copy->memory, &data, &size));
    const thResult code = thWorld_Restore(copy, data, size, NULL);
    thiRelease(&copy->memory, data, size);
    return code;
}

// Copies what the agent sees.
static void noteSenses(thExplanation* to, const thWorld* copy, const thBatch* batch)
{
    const thFrame* frame = batch->frame;
    const int32_t lanes = batch->lanes, row = batch->row[0];
    const int32_t x = frame->px[row], y = frame->py[row];
    for (int32_t k = 0; k < batch->neighborCount[0]; ++k) {
        thSeenAgent* seen = addItem(to, &to->agents);
        const int32_t at = k * lanes;
        if (seen != NULL)
            *seen = (thSeenAgent){.key = frame->key[batch->nrow[at]],
                                  .position = {batch->nx[at], batch->ny[at]},
                                  .velocity = {batch->nvx[at], batch->nvy[at]},
                                  .radius = batch->nradius[at],
                                  .share = batch->nshare[at]};
    }
    const thWalls* walls = frame->walls;
    for (int32_t k = 0; k < batch->wallCount[0]; ++k) {
        thSeenWall* seen = addItem(to, &to->walls);
        const int32_t w = batch->wall[k * lanes];
        if (seen != NULL)
            *seen = (thSeenWall){
                .a = {thiMetresBetween(x, walls->ax[w]), thiMetresBetween(y, walls->ay[w])},
                .b = {thiMetresBetween(x, walls->bx[w]), thiMetresBetween(y, walls->by[w])},
                .obstacle = {thiIdPoolIdOf(&copy->obstacles.ids, walls->obstacle[w])}};
    }
    const thMovers* movers = frame->movers;
    for (int32_t k = 0; k < batch->moverCount[0]; ++k) {
        thSeenMover* seen = addItem(to, &to->movers);
        const int32_t m = batch->mover[k * lanes];
        const int32_t first = movers->firstCorner[m], end = movers->firstCorner[m + 1];
        if (seen != NULL)
            *seen = (thSeenMover){
                .position = {thiMetresBetween(x, movers->px[m]),
                             thiMetresBetween(y, movers->py[m])},
                .velocity = {movers->vx[m], movers->vy[m]},
                .spin = movers->spin[m],
                .radius = movers->radius[m],
                .corners = keepPoints(to, TH_BEHIND(movers->corners, first), end - first),
                .cornerCount = end - first,
                .obstacle = {thiIdPoolIdOf(&copy->obstacles.ids, movers->obstacle[m])}};
    }
}

// The agent's row by key: ids lead to rows only when a step is over.
static int32_t findKey(const thRows* rows, uint64_t key)
{
    for (int32_t row = 0; row < rows->count; ++row)
        if (rows->key[row] == key)
            return row;
    return -1;
}

// What is known before methods are asked.
static void noteAgent(thExplanationView* view, thWorld* copy, int32_t row)
{
    const thRows* rows = thiRows(copy);
    const thProfile* profile = &thiProfiles(copy)[rows->profile[row]];
    const thVec2 velocity = {rows->vx[row], rows->vy[row]};
    view->key = rows->key[row];
    view->flags = rows->flags[row];
    view->level = rows->level[row];
    view->position = (thVec2){thiMetres(rows->px[row]), thiMetres(rows->py[row])};
    view->radius = rows->radius[row];
    view->heading = rows->heading[row];
    view->prefSpeed = rows->prefSpeed[row];
    view->maxSpeed = rows->maxSpeed[row];
    view->maxAccel = rows->maxAccel[row];
    for (int32_t kind = 0; kind < th_methodKindCount; ++kind)
        view->methods[kind] = profile->methods[kind].method->name;
    view->current = view->wanted = view->adapted = view->avoided = view->chosen = velocity;
    view->relief = copy->hasContacts ? thiContactRelief(rows->pressure[row]) : 1.0f;
    view->progress = 1.0f;
}

// What it does in a jam.
static void noteJam(thExplanationView* view, const thJams* jams, int32_t row)
{
    const thJamShown* shown = &jams->shown[1 - jams->current][row];
    const thJamOwn* own = &jams->own[1 - jams->current][row];
    view->progress = thiJamProgress(own);
    view->waited = thiJamWait(own);
    view->shuffles = (shown->flags & th_jamShuffles) != 0;
    view->stepsBack = (shown->flags & th_jamStepsBack) != 0;
    view->backsOff = (shown->flags & th_jamBacksOff) != 0;
    view->claim = thiJamClaim(shown);
}

typedef struct Rehearsal {
    const thWorld* copy;
    thExplanation* to;
} Rehearsal;

static void noteSolved(void* context, const thBatch* batch, const thMethodInUse* use,
                       thMethodKind kind)
{
    const Rehearsal* rehearsal = context;
    thExplanation* to = rehearsal->to;
    thExplanationView* view = &to->view;
    const thVec2 guide = {batch->guideX[0], batch->guideY[0]};
    if (kind == th_methodPlan) {
        noteSenses(to, rehearsal->copy, batch);
        view->wanted = guide;
        view->corner = (thVec2){batch->cornerX[0], batch->cornerY[0]};
        view->remaining = batch->remaining[0];
    }
    view->adapted = guide;
    if (kind == th_methodAvoid)
        view->avoided = (thVec2){batch->outVx[0], batch->outVy[0]};
    view->status = batch->status[0];
    to->by = kind;
    if (kind == th_methodGroup)
        thiExplainTogether(rehearsal->copy, batch, 0, to);
    if (use->method->explain != NULL)
        use->method->explain(batch, 0, use->params, use->shared, to);
}

// The stages of a step up to the chosen velocity.
static thResult rehearse(thWorld* copy, uint64_t key, float dt, thExplanation* to)
{
    thiCarryOutCommands(copy);
    TH_TRY(thiPrepareObstacles(copy));
    TH_TRY(thiSortAgents(copy));
    const thFrame frame = thiMakeFrame(copy, dt);
    const int32_t row = findKey(thiRows(copy), key);
    if (row < 0)
        return th_resultUnavailable;
    noteAgent(&to->view, copy, row);
    if ((frame.flags[row] & (th_agentExternal | th_agentHolds)) != 0)
        return th_resultOk;
    TH_TRY(thiPrepareTogether(copy, &frame));
    TH_TRY(thiPrepareMethods(copy, &frame, th_methodPlan));
    Rehearsal rehearsal = {copy, to};
    const thTileWatch watch = {&rehearsal, noteSolved};
    TH_TRY(thiRunRow(copy, &frame, row, &watch));
    to->view.chosen = (thVec2){copy->output.vx[row], copy->output.vy[row]};
    if (copy->hasContacts)
        noteJam(&to->view, &copy->jams, row);
    return to->outOfMemory ? th_resultNoMemory : th_resultOk;
}

static thResult explain(const thWorld* world, uint64_t key, float dt, thExplanation* to)
{
    thWorldDef def = thDefaultWorldDef();
    def.allocator = world->memory.allocator;
    def.simd = world->simd;
    thWorld* copy;
    TH_TRY(thCreateWorld(&def, &copy));
    thResult code = fillCopy(copy, world);
    if (code == th_resultOk)
        code = rehearse(copy, key, dt, to);
    thDestroyWorld(copy);
    return code;
}

thResult thWorld_Explain(const thWorld* world, thAgentId agent, float dt,
                         thExplanation** explanation)
{
    TH_REQUIRE(explanation != NULL, th_resultBadArgument);
    *explanation = NULL;
    TH_REQUIRE(world != NULL && !world->stepping, th_resultBadArgument);
    TH_REQUIRE(dt >= THRONG_LEAST_STEP && dt <= 10.0f, th_resultBadArgument);
    const int32_t row = thiFindRow(world, agent);
    TH_REQUIRE(row >= 0, th_resultBadArgument);
    thExplanation* made = createExplanation(&world->memory.allocator);
    if (made == NULL)
        return th_resultNoMemory;
    const thFpEnvironment hostEnvironment = thiFpEnter();
    const thResult code = explain(world, thiRows(world)->key[row], dt, made);
    thiFpRestore(hostEnvironment);
    if (code != th_resultOk) {
        thDestroyExplanation(made);
        return code;
    }
    *explanation = made;
    return th_resultOk;
}
