// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Notes on people who find no way to their goal. Some of each entry stand in a world of their own,
// where all doors are open and nobody moves, and ask their planner.

#include "move/free_place.h"
#include "scene/run/scene_run.h"
#include "throng/query.h"
#include "throng/random.h"

#include <stdio.h>

// How many are tried: of an entry, and in all; and how many ask at once. Planners keep something
// for each goal, and some refuse more than a few.
#define OF_ENTRY 16
#define IN_ALL 1024
#define AT_ONCE 8

// Steps that answers are waited for, and in all: what takes longer is not told of.
#define MOST_STEPS 2000
#define STEPS_IN_ALL 20000

// Places of a source that are tried.
#define SOURCE_DRAWS 64

// One that asks.
typedef struct Probe {
    int32_t entry, number; // which of the entry's
    thAgentId agent;
    thGoalId ownGoal; // null: it is a goal of the scene
} Probe;

typedef struct Reach {
    const thRun* run;
    thRun* trial;
    thErrorSink* notes;
    const uint8_t* isTold; // entries of which another note tells already that they get nowhere
    Probe probes[AT_ONCE];
    int32_t count;
    int32_t steps; // so far
    // Of the entry at work.
    int32_t tried, lost, firstLost;
    char why[128]; // the first is
} Reach;

static bool isOwnGoal(thSceneGoalKind kind)
{
    return kind == th_sceneGoalOpposite || kind == th_sceneGoalOffset || kind == th_sceneGoalRandom;
}

// Where it stands, and wants to go. False: nobody stands there, or it has arrived.
static bool findPlaces(const Reach* reach, int32_t entry, int32_t number, thPoint* at, thVec2* goal)
{
    const thRun* run = reach->run;
    const thRows* rows = thiRows(run->world);
    const thAgentId agent = thWorld_FindAgent(run->world, run->firstKeys[entry] + (uint64_t)number);
    const int32_t row = thiFindRow(run->world, agent);
    if (row < 0 || rows->goal[row] < 0)
        return false;
    *at = (thPoint){rows->px[row], rows->py[row]};
    thVec2 toGoal;
    if (!thiNearestGoalPoint(&run->world->goals, rows->goal[row], 0, at->x, at->y, &toGoal))
        return false;
    const thVec2 place = thiMetresOf(*at);
    *goal = (thVec2){place.x + toGoal.x, place.y + toGoal.y};
    return true;
}

// A free place of a source.
static bool drawPlace(const Reach* reach, const thRunSource* source, uint64_t key, thPoint* at)
{
    const thRun* run = reach->run;
    const int32_t entry = source->entry;
    const uint64_t stream = thRandomStream(run->seed, key, 0, th_runNotes);
    uint32_t next = 0;
    for (int32_t i = 0; i < SOURCE_DRAWS; ++i)
        if (thiRegionDraw(&source->region, stream, &next, at) &&
            thiIsFreePlace(run->world->walls.grid, run->scene->agents[entry].level, *at,
                           thiAgentRadius(run, entry, key)))
            return true;
    return false;
}

static thResult addProbe(Reach* reach, int32_t entry, int32_t number, uint64_t key, thPoint at,
                         thVec2 goal)
{
    thRun* trial = reach->trial;
    const int32_t index = trial->scene->agents[entry].goal;
    Probe* probe = &reach->probes[reach->count];
    *probe = (Probe){.entry = entry, .number = number};
    thAgentDef def = thiAgentDefOf(trial, entry, key);
    def.key = 0; // of those before there may be one with this key
    def.position = thiMetresOf(at);
    def.velocity = (thVec2){0.0f, 0.0f};
    def.flags = th_agentVelocityOnly | th_agentWaiting;
    def.goal = trial->goals[index];
    if (isOwnGoal(trial->scene->goals[index].kind)) {
        const thResult code = thCreatePointGoal(trial->world, goal, &probe->ownGoal);
        if (code != th_resultOk)
            return code;
        def.goal = probe->ownGoal;
    }
    reach->count += 1;
    return thCreateAgent(trial->world, &def, &probe->agent);
}

static bool isPending(const Reach* reach)
{
    for (int32_t i = 0; i < reach->count; ++i)
        if (thAgent_IsValid(reach->trial->world, reach->probes[i].agent) &&
            thAgent_GetInfo(reach->trial->world, reach->probes[i].agent).answer == th_planPending)
            return true;
    return false;
}

static void takeAnswer(Reach* reach, const Probe* probe)
{
    thPath path;
    if (!thAgent_IsValid(reach->trial->world, probe->agent) ||
        thAgent_GetPath(reach->trial->world, probe->agent, NULL, 0, &path) != th_resultOk ||
        path.answer == th_planPending)
        return;
    reach->tried += 1;
    if (path.answer == th_planComplete)
        return;
    if (reach->lost++ == 0) {
        reach->firstLost = probe->number;
        snprintf(reach->why, sizeof reach->why, "%s",
                 path.why != NULL ? path.why : "there is none");
    }
}

// Waits for the answers of those who ask, and takes them away.
static thResult askProbes(Reach* reach)
{
    thWorld* world = reach->trial->world;
    thResult code = th_resultOk;
    for (int32_t i = 0; i < MOST_STEPS && reach->steps < STEPS_IN_ALL && code == th_resultOk; ++i) {
        code = thWorld_Step(world, (float)reach->run->scene->step);
        reach->steps += 1;
        if (!isPending(reach))
            break;
    }
    for (int32_t i = 0; i < reach->count; ++i) {
        Probe* probe = &reach->probes[i];
        if (code == th_resultOk)
            takeAnswer(reach, probe);
        if (thAgent_IsValid(world, probe->agent))
            (void)thDestroyAgent(world, probe->agent);
        if (probe->ownGoal.value != 0)
            (void)thDestroyGoal(world, probe->ownGoal);
    }
    reach->count = 0;
    return code;
}

static const thRunSource* sourceOf(const thRun* run, int32_t entry)
{
    for (int32_t i = 0; i < run->sourceCount; ++i)
        if (run->sources[i].entry == entry)
            return &run->sources[i];
    return NULL;
}

// Whether somebody asks: a goal that a planner of ways leads to.
static bool doesAsk(const Reach* reach, int32_t entry)
{
    const thRun* run = reach->run;
    const int32_t goal = run->scene->agents[entry].goal;
    const int32_t slot = (int32_t)THRONG_SLOT(run->profiles[entry]);
    const thMethodInUse* planner =
        &TH_ITEMS(run->world->profiles.items, thProfile)[slot].methods[th_methodPlan];
    return goal >= 0 && !reach->isTold[entry] && planner->method->sketch != NULL;
}

static thResult tryEntry(Reach* reach, int32_t entry, int32_t most)
{
    const thRun* run = reach->run;
    const thRunSource* source = sourceOf(run, entry);
    const int32_t all = source != NULL ? most : thiEntryCount(run, entry);
    const int32_t count = TH_MIN(all, most);
    const bool isOwn = isOwnGoal(run->scene->goals[run->scene->agents[entry].goal].kind);
    reach->tried = reach->lost = 0;
    for (int32_t i = 0; i < count; ++i) {
        const int32_t number = (int32_t)((int64_t)i * all / count);
        const uint64_t key =
            (source != NULL ? TH_FIRST_SOURCE_KEY : run->firstKeys[entry]) + (uint64_t)number;
        thPoint at = {0, 0};
        thVec2 goal = {0.0f, 0.0f};
        const bool isThere = source != NULL ? !isOwn && drawPlace(reach, source, key, &at)
                                            : findPlaces(reach, entry, number, &at, &goal);
        const thResult code =
            isThere ? addProbe(reach, entry, number, key, at, goal) : th_resultBlocked;
        if (code == th_resultNoMemory)
            return code;
        if (reach->count == AT_ONCE)
            TH_TRY(askProbes(reach));
    }
    if (reach->count > 0)
        TH_TRY(askProbes(reach));
    if (reach->lost == 0)
        return th_resultOk;
    char who[64];
    snprintf(who, sizeof who, source != NULL ? "people from here find" : "agent %d finds",
             (int)reach->firstLost);
    thiReportAt(reach->notes, th_resultBlocked, thiPlaceSource(run, entry, reach->firstLost),
                "%s no way to the goal%s: %s (%d of %d that were tried)", who,
                run->scene->doorCount > 0 ? " with all doors open" : "", reach->why,
                (int)reach->lost, (int)reach->tried);
    return th_resultOk;
}

static thResult tryAll(Reach* reach)
{
    const thRun* run = reach->run;
    int32_t asking = 0;
    for (int32_t i = 0; i < run->scene->agentsCount; ++i)
        asking += doesAsk(reach, i);
    const int32_t most = TH_MAX(TH_MIN(OF_ENTRY, IN_ALL / TH_MAX(asking, 1)), 1);
    int32_t left = IN_ALL;
    for (int32_t i = 0; i < run->scene->agentsCount && left > 0; ++i) {
        if (!doesAsk(reach, i))
            continue;
        TH_TRY(tryEntry(reach, i, TH_MIN(most, left)));
        left -= most;
    }
    return th_resultOk;
}

thResult thiNoteUnreachable(const thRun* run, const thRunErrors* errors, const uint8_t* isTold,
                            thErrorSink* notes)
{
    Reach reach = {.run = run, .notes = notes, .isTold = isTold};
    bool isAny = false;
    for (int32_t i = 0; i < run->scene->agentsCount; ++i)
        isAny |= doesAsk(&reach, i);
    if (!isAny)
        return th_resultOk;
    thRunErrors unheard = *errors; // what is wrong was told when the run was built
    thRunDef trialDef = *errors->def;
    trialDef.withoutAgents = 1;
    trialDef.seed = run->seed;
    trialDef.report = trialDef.note = NULL;
    TH_TRY(thCreateRun(run->scene, &trialDef, &reach.trial));
    for (int32_t i = 0; i < run->scene->doorCount; ++i)
        if (reach.trial->doors[i].value != 0)
            (void)thDestroyObstacle(reach.trial->world, reach.trial->doors[i]);
    thResult code = thiBuildProfiles(reach.trial, trialDef.methods, &unheard);
    if (code == th_resultOk)
        code = tryAll(&reach);
    thDestroyRun(reach.trial);
    return code == th_resultNoMemory ? code : th_resultOk;
}
