// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Draws operations, and does them to a world and to its model.

#include "world/world_operations.h"

#include "world/world_senses.h"

#include <string.h>

Outcome wrong(Play* play, const char* what)
{
    modelFail(&play->model, "%s", what);
    return out_wrong;
}

// The hook.

static int32_t hookCalls;

static void countCall(void* context, const char* condition, const char* file, int32_t line)
{
    (void)context;
    (void)condition;
    (void)file;
    (void)line;
    hookCalls += 1;
}

void listenToHook(void)
{
    thSetHooks(&(thHooks){.assertion = countCall});
    hookCalls = 0;
}

int32_t heardFromHook(void)
{
    const int32_t calls = hookCalls;
    hookCalls = 0;
    return calls;
}

// Worlds and snapshots.

thSimd drawSimd(thGenerator* g)
{
    return thSimd_Resolve((thSimd)drawInt(g, th_simdScalar, th_simdCount - 1));
}

thWorld* openWorld(Play* play, int32_t workerCount, thSimd simd)
{
    thWorldDef def = thDefaultWorldDef();
    def.workerCount = workerCount;
    def.simd = simd;
    def.allocator = testAllocator(&play->allocator);
    def.maxBytes = play->maxBytes;
    def.contacts = 0; // the model knows where velocities lead, not who is pushed
    thWorld* world;
    if (thCreateWorld(&def, &world) != th_resultOk)
        return NULL;
    if (addWatchMethods(world) == th_resultOk)
        return world;
    thDestroyWorld(world);
    return NULL;
}

bool saveSnapshot(Play* play, const thWorld* world, Snapshot* to)
{
    size_t needed;
    if (thWorld_Save(world, NULL, 0, &needed) != th_resultOk ||
        thWorld_Save(world, to->bytes, SNAPSHOT_BYTES, &to->size) != th_resultOk ||
        needed != to->size)
        return modelFail(&play->model, "the world cannot be saved");
    return true;
}

bool sameSnapshots(const Snapshot* a, const Snapshot* b)
{
    return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

// Steps.

static float drawDt(thGenerator* g)
{
    static const float steps[] = {0.05f, 0.1f, 0.1f, 0.25f, 0.5f, 1.0f, 1.0f, 0.001f};
    return oneIn(g, 40) ? 10.0f : steps[drawU32(g) % 8];
}

// A twin makes the same step and must come to the same.
static Outcome stepBoth(Play* play, thWorld* twin)
{
    Model* model = &play->model;
    const float dt = drawDt(play->g);
    watchFor(true);
    const thResult code = thWorld_Step(play->world, dt);
    watchFor(false);
    modelCarryOutCommands(model);
    if (code == th_resultNoMemory && model->scarce)
        return out_noMemory;
    CHECK_RESULT(play, code);
    if (!sensesAreRight(model, play->world, dt) || !modelFollowStep(model, play->world, dt))
        return out_wrong;
    if (twin == NULL)
        return out_done;
    CHECK_RESULT(play, thWorld_Step(twin, dt));
    int32_t count, twinCount;
    const thEvent* events = thWorld_GetEvents(play->world, &count);
    const thEvent* twinEvents = thWorld_GetEvents(twin, &twinCount);
    if (thWorld_GetStateHash(twin) != thWorld_GetStateHash(play->world) || count != twinCount ||
        (count > 0 && memcmp(events, twinEvents, (size_t)count * sizeof *events) != 0))
        return wrong(play, "the twin goes another way");
    return out_done;
}

static Outcome step(Play* play)
{
    return stepBoth(play, NULL);
}

// Snapshots.

static Outcome save(Play* play)
{
    if (!saveSnapshot(play, play->world, &play->saved))
        return out_wrong;
    play->savedModel = play->model;
    play->canRestore = true;
    return out_done;
}

static Outcome restore(Play* play)
{
    if (!play->canRestore)
        return out_skipped;
    thError error;
    CHECK_RESULT(play, thWorld_Restore(play->world, play->saved.bytes, play->saved.size, &error));
    play->model = play->savedModel;
    return saveSnapshot(play, play->world, &play->after) &&
                   (sameSnapshots(&play->saved, &play->after) ||
                    modelFail(&play->model, "a restored world saves itself differently"))
               ? out_done
               : out_wrong;
}

static Outcome continueAsTwins(Play* play, thWorld** twin)
{
    thError error;
    if (!saveSnapshot(play, play->world, &play->before))
        return out_wrong;
    CHECK_RESULT(play, thWorld_Restore(*twin, play->before.bytes, play->before.size, &error));
    if (thWorld_GetStateHash(*twin) != thWorld_GetStateHash(play->world))
        return wrong(play, "a twin is born different");
    const int32_t steps = drawInt(play->g, 0, 3);
    Outcome outcome = out_done;
    for (int32_t i = 0; i < steps && outcome == out_done; ++i)
        outcome = stepBoth(play, *twin);
    if (oneIn(play->g, 2) && outcome == out_done) {
        thWorld* other = play->world;
        play->world = *twin;
        *twin = other;
    }
    return outcome;
}

// A fresh world, with other threads and another instruction set, goes on as this one does.
static Outcome restoreElsewhere(Play* play)
{
    static const int32_t workers[] = {0, 1, 2, 3, 8};
    if (play->model.scarce)
        return out_skipped;
    thWorld* twin = openWorld(play, workers[drawU32(play->g) % 5], drawSimd(play->g));
    if (twin == NULL)
        return wrong(play, "there is no twin");
    const Outcome outcome = continueAsTwins(play, &twin);
    thDestroyWorld(twin);
    return outcome;
}

static Outcome badCall(Play* play)
{
    return playBadCall(play) ? out_done : out_wrong;
}

typedef struct Operation {
    const char* name;
    Outcome (*run)(Play* play);
    int32_t weight;
    int32_t openingWeight; // while a world is being furnished
} Operation;

static const Operation operations[] = {
    {"create a profile", createProfile, 4, 4},
    {"destroy a profile", destroyProfile, 2, 0},
    {"create a goal", createGoal, 6, 10},
    {"destroy a goal", destroyGoal, 3, 0},
    {"move a goal", moveGoal, 4, 0},
    {"create an obstacle", createObstacle, 8, 4},
    {"destroy an obstacle", destroyObstacle, 3, 0},
    {"change an obstacle", changeObstacle, 4, 0},
    {"create an agent", createAgent, 16, 2},
    {"create agents", createAgents, 5, 1},
    {"destroy agents", destroyAgents, 5, 0},
    {"change an agent", changeAgent, 12, 0},
    {"set a place", setPlace, 4, 0},
    {"set wishes", setWishes, 4, 0},
    {"set kinematics", setKinematics, 4, 0},
    {"reserve", reserve, 1, 0},
    {"queue", queue, 12, 0},
    {"step", step, 24, 1},
    {"ask", ask, 10, 0},
    {"cast a ray", castRay, 8, 0},
    {"ask whether free", askWhetherFree, 4, 0},
    {"save", save, 2, 0},
    {"restore", restore, 1, 0},
    {"restore elsewhere", restoreElsewhere, 1, 0},
    {"bad call", badCall, 12, 0},
};

static int32_t weightOf(const Operation* operation, bool opening)
{
    return opening ? operation->openingWeight : operation->weight;
}

static const Operation* drawOperation(thGenerator* g, bool opening)
{
    const int32_t count = (int32_t)(sizeof operations / sizeof operations[0]);
    int32_t total = 0;
    for (int32_t i = 0; i < count; ++i)
        total += weightOf(&operations[i], opening);
    int32_t left = drawInt(g, 0, total - 1), i = 0;
    for (; left >= weightOf(&operations[i], opening); ++i)
        left -= weightOf(&operations[i], opening);
    return &operations[i];
}

// Without memory a call has changed nothing; a step may have carried out commands.
static bool isUnchanged(Play* play, const Operation* operation)
{
    play->failures += 1;
    return operation->run == step ||
           (saveSnapshot(play, play->world, &play->after) &&
            (sameSnapshots(&play->before, &play->after) ||
             modelFail(&play->model, "without memory something has changed")));
}

bool playOperation(Play* play)
{
    const Operation* operation = drawOperation(play->g, play->number < play->opening);
    play->number += 1;
    play->doing = operation->name;
    if (play->model.scarce && !saveSnapshot(play, play->world, &play->before))
        return false;
    if (play->flaky && oneIn(play->g, 3)) {
        const int64_t at = play->allocator.calls + drawInt(play->g, 1, 8);
        if (oneIn(play->g, 3))
            play->allocator.failAt = at; // often made up for by asking for less
        else
            play->allocator.failFrom = at;
    }
    (void)heardFromHook();
    const Outcome outcome = operation->run(play);
    play->allocator.failAt = play->allocator.failFrom = 0;
    play->operations += outcome == out_done;
    if (outcome == out_wrong || (outcome == out_noMemory && !isUnchanged(play, operation)))
        return false;
    if (heardFromHook() != 0)
        return modelFail(&play->model, "the hook was told of a bug that is none");
    return modelMatchesWorld(&play->model, play->world);
}
