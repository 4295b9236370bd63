// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How the world is put back: agents by slot, because rows are put in order anew in a divided step.

#include "sim/step/undo.h"

#include "sim/step/tiles.h"

#include <string.h>

#define STATES_AHEAD 8 // rows
#define STATE_GRAIN 1024

// All that moving changes of an agent before the end of the step.
typedef struct AgentBefore {
    int32_t px, py;
    float vx, vy;
    float heading;
    uint32_t flags;
    uint32_t jam[TH_JAM_WORDS];
    thPoint start; // of this part of the step
    float startHeading;
} AgentBefore;

// The same of a mover.
typedef struct MoverBefore {
    int32_t x, y;
    double restX, restY;
    int32_t pathAt;
    float angle;
    thVec2 velocity;
} MoverBefore;

// The largest of those that somebody has.
static int32_t largestState(const thWorld* world)
{
    uint32_t largest = 0;
    for (int32_t slot = 0; slot < world->profiles.items.count; ++slot) {
        const thProfile* profile = &thiProfiles(world)[slot];
        if (profile->agentCount > 0)
            largest = TH_MAX(largest, profile->stateSize);
    }
    return (int32_t)largest;
}

thResult thiReserveStatesBefore(thWorld* world)
{
    const int32_t largest = largestState(world);
    if (largest == 0)
        return th_resultOk;
    if (largest > world->before.states.itemSize) {
        thiArrayFree(&world->before.states);
        world->before.states = thiArray(world->account, largest);
    }
    const int32_t count = world->agents.view.count;
    if (count > world->before.states.capacity)
        TH_TRY(thiArrayReserve(&world->before.states, world->agents.view.capacity));
    if (count > world->before.kept.capacity)
        TH_TRY(thiArrayReserve(&world->before.kept, world->agents.view.capacity));
    if (count > 0)
        memset(world->before.kept.data, 0, (size_t)count * sizeof(bool));
    return th_resultOk;
}

thResult thiReservePlaces(thWorld* world)
{
    if (!thiKeepsGuidance(world) && world->movers.view.count == 0)
        return th_resultOk;
    if (world->agents.view.count > world->before.agents.capacity)
        TH_TRY(thiArrayReserve(&world->before.agents, world->agents.view.capacity));
    return thiArrayReserve(&world->before.movers, world->movers.view.count);
}

void thiInitBefore(thBefore* before, thMemory* memory)
{
    before->states = thiArray(memory, 1);
    before->kept = thiArray(memory, sizeof(bool));
    before->agents = thiArray(memory, sizeof(AgentBefore));
    before->movers = thiArray(memory, sizeof(MoverBefore));
}

// Where the bytes of a row are kept: in the order of rows, which is fastest, unless rows may be put
// in order anew before the end of the step.
static int32_t placeOfState(const thWorld* world, int32_t row)
{
    return thiKeepsGuidance(world) ? thiRows(world)->slot[row] : row;
}

static char* stateBefore(const thWorld* world, int32_t row)
{
    return (char*)world->before.states.data +
           (size_t)placeOfState(world, row) * (size_t)world->before.states.itemSize;
}

static char* stateOf(const thWorld* world, int32_t row)
{
    const thProfile* profile = &thiProfiles(world)[thiRows(world)->profile[row]];
    return (char*)profile->states.data +
           (size_t)thiRows(world)->stateIndex[row] * profile->stateSize;
}

static void keepState(const thWorld* world, int32_t row, size_t size)
{
    memcpy(stateBefore(world, row), stateOf(world, row), size);
    TH_ITEMS(world->before.kept, bool)[placeOfState(world, row)] = true;
}

void thBatch_KeepState(const thBatch* batch, int32_t lane)
{
    TH_REQUIRE_VOID(batch != NULL && lane >= 0 && lane < batch->count);
    const thWorld* world = batch->keeper;
    const int32_t row = batch->row[lane];
    if (world == NULL || TH_ITEMS(world->before.kept, bool)[placeOfState(world, row)])
        return;
    keepState(world, row, thiProfiles(world)[batch->frame->profile[row]].stateSize);
}

// Those of rows to come are asked for in time.
static void keepStates(const thWorld* world, int32_t begin, int32_t end, bool all)
{
    const thRows* rows = thiRows(world);
    for (int32_t row = begin; row < end; ++row) {
        const thProfile* profile = &thiProfiles(world)[rows->profile[row]];
        const size_t size = profile->stateSize;
        if (size == 0 || (profile->tellsChanges && !all))
            continue;
        if (row + STATES_AHEAD < end && rows->profile[row + STATES_AHEAD] == rows->profile[row])
            for (size_t at = 0; at < size; at += 64)
                __builtin_prefetch(stateOf(world, row + STATES_AHEAD) + at, 1);
        keepState(world, row, size);
    }
}

void thiKeepStates(thWorld* world, int32_t begin, int32_t end)
{
    keepStates(world, begin, end, false);
}

// Each row's place among the states of its profile; how many there are is counted in `joining`.
static void numberStates(thWorld* world, int32_t* numbers)
{
    const thRows* rows = thiRows(world);
    for (int32_t slot = 0; slot < world->profiles.items.count; ++slot)
        thiProfiles(world)[slot].joining = 0;
    for (int32_t row = 0; row < rows->count; ++row)
        numbers[row] = thiProfiles(world)[rows->profile[row]].joining++;
}

static void keepRange(void* context, int32_t begin, int32_t end, int32_t workerIndex)
{
    (void)workerIndex;
    keepStates(context, begin, end, true);
}

static void takeRange(void* context, int32_t begin, int32_t end, int32_t workerIndex)
{
    (void)workerIndex;
    const thWorld* world = context;
    const thRows* rows = thiRows(world);
    for (int32_t row = begin; row < end; ++row) {
        const thProfile* profile = &thiProfiles(world)[rows->profile[row]];
        const size_t size = profile->stateSize;
        const int32_t number = world->scratch.target.x[row];
        if (size == 0)
            continue;
        memcpy((char*)profile->states.data + (size_t)number * size, stateBefore(world, row), size);
        rows->stateIndex[row] = number;
    }
}

void thiSortStates(thWorld* world)
{
    if (largestState(world) == 0)
        return;
    numberStates(world, world->scratch.target.x);
    thTasks_ParallelFor(world->tasks, thiRows(world)->count, STATE_GRAIN, keepRange, world);
    thTasks_ParallelFor(world->tasks, thiRows(world)->count, STATE_GRAIN, takeRange, world);
    for (int32_t slot = 0; slot < world->profiles.items.count; ++slot) {
        thProfile* profile = &thiProfiles(world)[slot];
        if (profile->stateSize == 0)
            continue;
        profile->states.count = profile->joining;
        profile->freeStates.count = 0;
    }
    memset(world->before.kept.data, 0, (size_t)world->agents.view.count * sizeof(bool));
}

static void restoreStates(thWorld* world)
{
    const thRows* rows = thiRows(world);
    for (int32_t row = 0; row < rows->count; ++row) {
        const size_t size = thiProfiles(world)[rows->profile[row]].stateSize;
        if (size > 0 && TH_ITEMS(world->before.kept, bool)[placeOfState(world, row)])
            memcpy(stateOf(world, row), stateBefore(world, row), size);
    }
}

void thiKeepPlaces(thWorld* world)
{
    const thRows* rows = thiRows(world);
    thJams former = world->jams;
    thiTurnJams(&former);
    for (int32_t row = 0; row < rows->count; ++row) {
        AgentBefore* before = &TH_ITEMS(world->before.agents, AgentBefore)[rows->slot[row]];
        *before = (AgentBefore){.px = rows->px[row],
                                .py = rows->py[row],
                                .vx = rows->vx[row],
                                .vy = rows->vy[row],
                                .heading = rows->heading[row],
                                .flags = rows->flags[row]};
        if (world->hasContacts)
            thiPackJam(&former, row, before->jam);
    }
    for (int32_t mover = 0; mover < world->movers.view.count; ++mover) {
        const thObstacle* obstacle = &thiObstacles(world)[world->movers.view.obstacle[mover]];
        TH_ITEMS(world->before.movers, MoverBefore)
        [mover] = (MoverBefore){obstacle->x,           obstacle->y,      obstacle->restX,
                                obstacle->restY,       obstacle->pathAt, obstacle->def.angle,
                                obstacle->def.velocity};
    }
}

thPoint thiPlaceBefore(const thWorld* world, int32_t row)
{
    const AgentBefore* before =
        &TH_ITEMS(world->before.agents, AgentBefore)[thiRows(world)->slot[row]];
    return (thPoint){before->px, before->py};
}

void thiKeepStarts(thWorld* world)
{
    const thRows* rows = thiRows(world);
    for (int32_t row = 0; row < rows->count; ++row) {
        AgentBefore* before = &TH_ITEMS(world->before.agents, AgentBefore)[rows->slot[row]];
        before->start = (thPoint){rows->px[row], rows->py[row]};
        before->startHeading = rows->heading[row];
    }
}

thPoint thiStartOf(const thWorld* world, int32_t row)
{
    return TH_ITEMS(world->before.agents, AgentBefore)[thiRows(world)->slot[row]].start;
}

float thiStartHeading(const thWorld* world, int32_t row)
{
    return TH_ITEMS(world->before.agents, AgentBefore)[thiRows(world)->slot[row]].startHeading;
}

static void restoreAgents(thWorld* world)
{
    const thRows* rows = thiRows(world);
    for (int32_t row = 0; row < rows->count; ++row) {
        const AgentBefore* before = &TH_ITEMS(world->before.agents, AgentBefore)[rows->slot[row]];
        rows->px[row] = before->px;
        rows->py[row] = before->py;
        rows->vx[row] = before->vx;
        rows->vy[row] = before->vy;
        rows->heading[row] = before->heading;
        rows->flags[row] = before->flags;
        if (world->hasContacts)
            (void)thiUnpackJam(&world->jams, row, before->jam);
    }
    world->agents.drift = TH_DRIFT_ANYWHERE;
}

static void restoreMovers(thWorld* world)
{
    for (int32_t mover = 0; mover < world->movers.view.count; ++mover) {
        const MoverBefore* before = &TH_ITEMS(world->before.movers, MoverBefore)[mover];
        thObstacle* obstacle = &thiObstacles(world)[world->movers.view.obstacle[mover]];
        obstacle->x = before->x;
        obstacle->y = before->y;
        obstacle->restX = before->restX;
        obstacle->restY = before->restY;
        obstacle->pathAt = before->pathAt;
        obstacle->def.angle = before->angle;
        obstacle->def.velocity = before->velocity;
    }
}

void thiUndoStep(thWorld* world, const thStepMarks* marks)
{
    if (marks->hasStates)
        restoreStates(world);
    if (marks->hasGates)
        thiUndoGates(&world->gates);
    if (marks->hasPlaces) {
        restoreAgents(world);
        restoreMovers(world);
    } else if (marks->hasTurned && world->hasContacts) {
        thiTurnJams(&world->jams);
    }
}
