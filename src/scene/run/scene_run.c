// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A run of a scene: how it is created and destroyed, and what it says of itself.

#include "scene/run/scene_run.h"
#include "base/machine.h"

#include <string.h>

thRunDef thDefaultRunDef(void)
{
    return (thRunDef){
        .size = sizeof(thRunDef), .world = thDefaultWorldDef(), .seed = THRONG_SCENE_SEED};
}

// A time that is a whole number of steps is met by that step, however both were rounded.
uint64_t thiStepOfTime(const thRun* run, double seconds)
{
    const double steps = seconds / run->scene->step - 1e-6;
    if (!(steps > 0.0))
        return 0;
    if (steps >= 0x1p53)
        return UINT64_MAX;
    const uint64_t whole = (uint64_t)steps;
    return whole + ((double)whole < steps);
}

static void noteError(void* context, const thError* error)
{
    thRunErrors* errors = context;
    if (errors->first == th_resultOk)
        errors->first = error->code;
    if (errors->report != NULL)
        errors->report(errors->context, error);
}

// Names of groups become numbers, in the order in which entries first mention them.
static thResult numberGroups(thRun* run)
{
    const thSceneAgents* entries = run->scene->agents;
    const int32_t count = run->scene->agentsCount;
    run->groups = thiArenaAllocate(&run->arena, (size_t)TH_MAX(count, 1) * sizeof *run->groups);
    if (run->groups == NULL)
        return th_resultNoMemory;
    int32_t groupCount = 0;
    for (int32_t i = 0; i < count; ++i) {
        run->groups[i] = -1;
        for (int32_t k = 0; k < i && entries[i].group != NULL && run->groups[i] < 0; ++k)
            if (entries[k].group != NULL && strcmp(entries[k].group, entries[i].group) == 0)
                run->groups[i] = run->groups[k];
        if (entries[i].group != NULL && run->groups[i] < 0)
            run->groups[i] = groupCount++;
    }
    return th_resultOk;
}

static thResult buildContent(thRun* run, const thRunDef* def, thRunErrors* errors)
{
    TH_TRY(numberGroups(run));
    TH_TRY(thiBuildWorld(run, def, errors));
    if (!def->withoutAgents)
        TH_TRY(thiBuildSources(run, errors));
    if (errors->first != th_resultOk)
        return errors->first; // who stands in walls that are wrong is not worth telling
    TH_TRY(thiBuildAgents(run, def->withoutAgents != 0, errors));
    return thiLetAppear(run);
}

static thResult build(thRun* run, const thRunDef* def, thRunErrors* errors)
{
    thWorldDef worldDef = def->world;
    worldDef.seed = run->seed;
    worldDef.originX = run->scene->origin.x;
    worldDef.originY = run->scene->origin.y;
    worldDef.contacts = run->scene->contacts;
    thResult code = thCreateWorld(&worldDef, &run->world);
    if (code == th_resultOk)
        code = buildContent(run, def, errors);
    if (errors->first != th_resultOk)
        return errors->first;
    if (code != th_resultOk)
        thiReportAt(&errors->sink, code, NULL, "cannot build the world: %s",
                    thResult_GetText(code));
    return code;
}

// The def that is inside another tells its own size.
static bool readRunDef(const thRunDef* given, thRunDef* def)
{
    *def = thDefaultRunDef();
    if (!thiReadDef(def, given, sizeof *def, sizeof *def))
        return false;
    const thWorldDef world = def->world;
    def->world = thDefaultWorldDef();
    return thiReadDef(&def->world, &world, sizeof world, sizeof world);
}

thResult thCreateRun(const thScene* scene, const thRunDef* given, thRun** result)
{
    TH_REQUIRE(result != NULL, th_resultBadArgument);
    *result = NULL;
    thRunDef def;
    TH_REQUIRE(scene != NULL && readRunDef(given, &def), th_resultBadArgument);
    const thAllocator* allocator = &def.world.allocator;
    TH_REQUIRE((allocator->allocate == NULL) == (allocator->release == NULL), th_resultBadArgument);
    const size_t limit = def.world.maxBytes < SIZE_MAX ? (size_t)def.world.maxBytes : SIZE_MAX;
    // The struct itself is not in the account, which is part of it.
    thMemory outside;
    thiMemoryInit(&outside, allocator, limit);
    thRun* run = thiAllocateZero(&outside, sizeof *run);
    if (run == NULL)
        return th_resultNoMemory;
    thiMemoryInit(&run->memory, allocator, limit);
    thiArenaInit(&run->arena, &run->memory);
    run->delays = thiArray(&run->memory, sizeof(thRunDelay));
    run->ownGoals = thiArray(&run->memory, sizeof(thGoalId));
    run->near = thiArray(&run->memory, sizeof(thAgentId));
    run->passing = thiArray(&run->memory, sizeof(thRunPassing));
    run->scene = scene;
    run->seed = def.seed != THRONG_SCENE_SEED ? def.seed : scene->seed;
    thRunErrors errors = {.sink = {.report = noteError, .file = scene->file},
                          .report = def.report,
                          .context = def.reportContext,
                          .note = def.note,
                          .noteContext = def.noteContext,
                          .def = &def};
    errors.sink.context = &errors;
    const thFpEnvironment hostEnvironment = thiFpEnter();
    const thResult code = build(run, &def, &errors);
    thiFpRestore(hostEnvironment);
    if (code != th_resultOk) {
        thDestroyRun(run);
        return code;
    }
    *result = run;
    return th_resultOk;
}

void thDestroyRun(thRun* run)
{
    if (run == NULL)
        return;
    thDestroyWorld(run->world);
    thiArrayFree(&run->delays);
    thiArrayFree(&run->ownGoals);
    thiArrayFree(&run->near);
    thiArrayFree(&run->passing);
    thiArenaFree(&run->arena);
    thMemory outside;
    thiMemoryInit(&outside, &run->memory.allocator, 0);
    thiRelease(&outside, run, sizeof *run);
}

thWorld* thRun_GetWorld(const thRun* run)
{
    TH_REQUIRE(run != NULL, NULL);
    return run->world;
}

double thRun_GetTime(const thRun* run)
{
    TH_REQUIRE(run != NULL, 0.0);
    return (double)run->world->step * run->scene->step;
}

// Which entry an agent with that key came from.
static int32_t entryOfKey(const thRun* run, uint64_t key)
{
    const int32_t entryCount = run->scene->agentsCount;
    if (key >= TH_FIRST_SOURCE_KEY) {
        if (key >= TH_FIRST_OWN_KEY || run->sourceCount == 0)
            return -1;
        return run->sources[(key - TH_FIRST_SOURCE_KEY) % (uint64_t)run->sourceCount].entry;
    }
    if (key == 0 || key >= run->firstKeys[entryCount])
        return -1;
    int32_t low = 0, high = entryCount; // the entry is in [low, high)
    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;
        if (run->firstKeys[middle] <= key)
            low = middle;
        else
            high = middle;
    }
    return low;
}

int32_t thRun_GetEntry(const thRun* run, thAgentId agent)
{
    TH_REQUIRE(run != NULL, -1);
    return thAgent_IsValid(run->world, agent) ? entryOfKey(run, thAgent_Get(run->world, agent).key)
                                              : -1;
}

int64_t thRun_GetRecordId(const thRun* run, thAgentId agent)
{
    TH_REQUIRE(run != NULL, -1);
    const int32_t entry = thRun_GetEntry(run, agent);
    if (entry < 0 || run->scene->agents[entry].id < 0)
        return -1;
    const uint64_t key = thAgent_Get(run->world, agent).key;
    const uint64_t number =
        key < TH_FIRST_SOURCE_KEY
            ? key - run->firstKeys[entry]
            : (uint64_t)run->sources[(key - TH_FIRST_SOURCE_KEY) % (uint64_t)run->sourceCount]
                  .number;
    return run->scene->agents[entry].id + (int64_t)number;
}

int64_t thRun_GetLastRecordId(const thRun* run)
{
    TH_REQUIRE(run != NULL, -1);
    int64_t last = -1;
    for (int32_t i = 0; i < run->scene->agentsCount; ++i) {
        const thSceneAgents* agents = &run->scene->agents[i];
        const int64_t count = agents->place.count * thiCopyCount(&agents->repeat);
        if (agents->id >= 0)
            last = TH_MAX(last, agents->id + count - 1);
    }
    return last;
}

int32_t thRun_GetGoal(const thRun* run, thAgentId agent)
{
    TH_REQUIRE(run != NULL, -1);
    const int32_t entry = thRun_GetEntry(run, agent);
    return entry >= 0 ? run->scene->agents[entry].goal : -1;
}

// Agents that have no goal, or hold their places, are where they want to be.
static bool hasEverybodyArrived(const thRun* run)
{
    const thRows* rows = thiRows(run->world);
    if (run->delays.count > 0 || !thiAreSourcesDone(run))
        return false;
    for (int32_t row = 0; row < rows->count; ++row)
        if (rows->flags[row] != 0 && (rows->flags[row] & (th_agentArrived | th_agentHolds)) == 0 &&
            rows->goal[row] >= 0)
            return false;
    return true;
}

int32_t thRun_IsOver(const thRun* run)
{
    TH_REQUIRE(run != NULL, 1);
    const thScene* scene = run->scene;
    const uint64_t step = run->world->step;
    const thFpEnvironment hostEnvironment = thiFpEnter();
    const bool over = step >= thiStepOfTime(run, scene->endAt) ||
                      (scene->endSteps >= 0 && step >= (uint64_t)scene->endSteps) ||
                      (scene->endArrived && hasEverybodyArrived(run));
    thiFpRestore(hostEnvironment);
    return over;
}

static bool isUnderway(const thRun* run, const thRows* rows, int32_t row)
{
    if (rows->flags[row] == 0 || (rows->flags[row] & (th_agentArrived | th_agentHolds)) != 0 ||
        rows->goal[row] < 0)
        return false;
    const int32_t entry = entryOfKey(run, rows->key[row]);
    return entry < 0 || run->scene->agents[entry].arrive != th_arrivalAgain;
}

int32_t thRun_GetUnderway(const thRun* run, thAgentId* agents, int32_t capacity)
{
    TH_REQUIRE(run != NULL && (agents != NULL || capacity == 0), 0);
    const thRows* rows = thiRows(run->world);
    int32_t count = 0;
    for (int32_t row = 0; row < rows->count; ++row)
        count += isUnderway(run, rows, row);
    uint64_t last = 0;
    for (int32_t i = 0; i < TH_MIN(count, capacity); ++i) {
        int32_t next = -1; // with the least key above the last
        for (int32_t row = 0; row < rows->count; ++row)
            if (isUnderway(run, rows, row) && rows->key[row] > last &&
                (next < 0 || rows->key[row] < rows->key[next]))
                next = row;
        last = rows->key[next];
        agents[i] = (thAgentId){thiIdPoolIdOf(&run->world->agents.ids, rows->slot[next])};
    }
    return count;
}
