// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Reads a content: what it begins with, agents and commands.

#include "sim/ranges.h"
#include "sim/snapshot/snapshot.h"

#include <string.h>

#define KNOWN_FLAGS                                                                                \
    (th_agentAlive | th_agentExternal | th_agentVelocityOnly | th_agentArrived | th_agentWaiting | \
     th_agentSqueezed)

// The least bytes an agent and a command take: there cannot be more of them than fit.
#define AGENT_BYTES 80
#define COMMAND_BYTES 136

static thResult loadGeneral(thWorld* world, thReader* from, thError* error)
{
    world->seed = thiReadU64(from);
    world->originX = thiReadDouble(from);
    world->originY = thiReadDouble(from);
    world->step = thiReadU64(from);
    const uint32_t contacts = thiReadU32(from);
    world->hasContacts = contacts == 1;
    world->agents.nextOrdinal = thiReadU64(from);
    world->counters.arrivals = thiReadU64(from);
    world->counters.departures = thiReadU64(from);
    world->counters.refusedCommands = thiReadU64(from);
    const bool possible = contacts <= 1 && thiIsFiniteDouble(world->originX) &&
                          thiIsFiniteDouble(world->originY) &&
                          world->agents.nextOrdinal < TH_FIRST_OWN_KEY;
    return possible ? th_resultOk
                    : thiFail(error, th_resultDamaged, "the snapshot's beginning is not possible");
}

// Agents.

// Keys are the caller's, or among those the world has given so far.
static bool isKey(const thWorld* world, uint64_t key)
{
    return key > 0 && key < TH_FIRST_OWN_KEY + world->agents.nextOrdinal;
}

static bool areFlags(uint32_t flags)
{
    const uint32_t drivers = th_agentExternal | th_agentVelocityOnly;
    return (flags & th_agentAlive) != 0 && (flags & ~(uint32_t)KNOWN_FLAGS) == 0 &&
           (flags & drivers) != drivers;
}

static bool isGoal(const thWorld* world, int32_t goal, int32_t index)
{
    if (goal == -1)
        return index == 0;
    return goal >= 0 && goal < world->goals.goals.count &&
           thiIdPoolIdOf(&world->goals.ids, goal) != 0 && index >= 0 &&
           index < thiGoalLength(&world->goals, goal);
}

static bool isProfile(const thWorld* world, int32_t profile)
{
    return profile >= 0 && profile < world->profiles.items.count &&
           thiIdPoolIdOf(&world->profiles.ids, profile) != 0;
}

static bool isRow(const thWorld* world, int32_t row)
{
    const thRows* rows = thiRows(world);
    return isKey(world, rows->key[row]) &&
           thiKeyMapFind(&world->agents.keys, rows->key[row], thiKeyOfSlot, world) < 0 &&
           thiIsWithinWorld((thPoint){rows->px[row], rows->py[row]}) &&
           thiIsVelocity((thVec2){rows->vx[row], rows->vy[row]}) &&
           thiIsBetween(rows->radius[row], 0.0f, 100.0f) &&
           thiIsBetween(rows->yield[row], 0.0f, 1000.0f) &&
           thiIsBetween(rows->prefSpeed[row], 0.0f, 100.0f) &&
           thiIsBetween(rows->maxSpeed[row], 0.0f, 100.0f) &&
           thiIsBetween(rows->maxAccel[row], 0.0f, 1e6f) &&
           thiIsBetween(rows->heading[row], -TH_PI, TH_PI) && areFlags(rows->flags[row]) &&
           isGoal(world, rows->goal[row], rows->goalIndex[row]);
}

static bool loadRow(thWorld* world, thReader* from, const thRows* rows, int32_t row)
{
    rows->key[row] = thiReadU64(from);
    rows->px[row] = thiReadI32(from);
    rows->py[row] = thiReadI32(from);
    rows->vx[row] = thiReadFloat(from);
    rows->vy[row] = thiReadFloat(from);
    rows->radius[row] = thiReadFloat(from);
    rows->yield[row] = thiReadFloat(from);
    rows->layers[row] = thiReadU32(from);
    rows->mask[row] = thiReadU32(from);
    rows->prefSpeed[row] = thiReadFloat(from);
    rows->maxSpeed[row] = thiReadFloat(from);
    rows->maxAccel[row] = thiReadFloat(from);
    rows->heading[row] = thiReadFloat(from);
    const int32_t profile = thiReadI32(from);
    const int32_t level = thiReadI32(from);
    rows->flags[row] = thiReadU32(from);
    rows->goal[row] = thiReadI32(from);
    rows->goalIndex[row] = thiReadI32(from);
    const uint32_t pressure = thiReadU32(from);
    rows->pressure[row] = (uint16_t)pressure;
    bool isJam = true;
    if (world->hasContacts) {
        uint32_t words[TH_JAM_WORDS];
        for (int32_t i = 0; i < TH_JAM_WORDS; ++i)
            words[i] = thiReadU32(from);
        isJam = thiUnpackJam(&world->jams, row, words);
    }
    rows->profile[row] = (uint16_t)profile;
    rows->level[row] = (uint16_t)level;
    return isProfile(world, profile) && thiIsLevel(level) && pressure <= TH_MAX_PRESSURE && isJam &&
           isRow(world, row);
}

static thResult loadState(thProfile* profile, thReader* from, int32_t* stateIndex)
{
    TH_TRY(thiReserveStates(profile, 1));
    *stateIndex = thiTakeState(profile);
    if (*stateIndex >= 0)
        thiReadBytes(from, (char*)profile->states.data + (size_t)*stateIndex * profile->stateSize,
                     profile->stateSize);
    return th_resultOk;
}

static thResult loadAgent(thWorld* world, thReader* from, int32_t slot, thError* error)
{
    thRows* rows = &world->agents.rows[world->agents.current];
    const int32_t row = rows->count;
    if (!loadRow(world, from, rows, row) || from->failed)
        return thiFail(error, th_resultDamaged, "agent %d of the snapshot is not possible",
                       (int)slot);
    thProfile* profile = &thiProfiles(world)[rows->profile[row]];
    TH_TRY(loadState(profile, from, &rows->stateIndex[row]));
    rows->slot[row] = slot;
    rows->count += 1;
    world->agents.count += 1;
    profile->agentCount += 1;
    if (rows->goal[row] >= 0)
        thiGoalAt(&world->goals, rows->goal[row])->users += 1;
    TH_ITEMS(world->agents.rowOfSlot, int32_t)[slot] = row;
    thiShowRow(world, row); // the map reads keys from there
    thiKeyMapAdd(&world->agents.keys, rows->key[row], slot);
    return th_resultOk;
}

static thResult loadAgents(thWorld* world, thReader* from, thError* error)
{
    TH_TRY(thiLoadIdPool(&world->agents.ids, from, "agent", TH_MAX_AGENTS, error));
    const int32_t slotCount = thiIdPoolSlotCount(&world->agents.ids);
    const int32_t count = world->agents.ids.used;
    if ((size_t)count > thiBytesLeft(from) / AGENT_BYTES)
        return thiFail(error, th_resultDamaged, "the snapshot cannot hold %d agents", (int)count);
    TH_TRY(thiReserveAgents(world, count));
    world->agents.rowOfSlot.count = world->agents.view.count = slotCount;
    for (int32_t slot = 0; slot < slotCount; ++slot) {
        TH_ITEMS(world->agents.rowOfSlot, int32_t)[slot] = -1;
        TH_ITEMS(world->agents.view, thAgentRow)[slot] = (thAgentRow){0};
        if (thiIdPoolIdOf(&world->agents.ids, slot) != 0)
            TH_TRY(loadAgent(world, from, slot, error));
    }
    return th_resultOk;
}

// Commands. Ids may be stale and values impossible: that shows when they are carried out.

static thCommand loadCommand(thReader* from)
{
    thCommand command = thDefaultCommand();
    thAgentDef* create = &command.create;
    command.kind = (thCommandKind)thiReadU32(from);
    command.order = thiReadU64(from);
    command.agent.value = thiReadU64(from);
    command.obstacle.value = thiReadU64(from);
    command.goal.value = thiReadU64(from);
    command.velocity.x = thiReadFloat(from);
    command.velocity.y = thiReadFloat(from);
    command.value = thiReadFloat(from);
    create->profile.value = thiReadU64(from);
    create->position.x = thiReadFloat(from);
    create->position.y = thiReadFloat(from);
    create->velocity.x = thiReadFloat(from);
    create->velocity.y = thiReadFloat(from);
    create->heading = thiReadFloat(from);
    create->goal.value = thiReadU64(from);
    create->key = thiReadU64(from);
    create->level = thiReadI32(from);
    create->layers = thiReadU32(from);
    create->mask = thiReadU32(from);
    create->radius = thiReadFloat(from);
    create->prefSpeed = thiReadFloat(from);
    create->maxSpeed = thiReadFloat(from);
    create->maxAccel = thiReadFloat(from);
    create->yield = thiReadFloat(from);
    create->priority = thiReadFloat(from);
    create->flags = thiReadU32(from);
    create->placement = (thPlacement)thiReadU32(from);
    return command;
}

static thResult loadCommands(thWorld* world, thReader* from, thError* error)
{
    const int32_t count = thiReadI32(from);
    if (count < 0 || (size_t)count > thiBytesLeft(from) / COMMAND_BYTES)
        return thiFail(error, th_resultDamaged, "the snapshot cannot hold %d commands", (int)count);
    thQueued* queued = thiArrayAdd(&world->queue.waiting, count);
    if (queued == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < count; ++i) {
        queued[i] = (thQueued){.command = loadCommand(from)};
        if (!thiIsCommand(&queued[i].command))
            return thiFail(error, th_resultDamaged, "command %d of the snapshot is not possible",
                           (int)i);
    }
    return th_resultOk;
}

thResult thiLoadContent(thWorld* world, thReader* from, thError* error)
{
    TH_TRY(loadGeneral(world, from, error));
    TH_TRY(thiLoadProfiles(world, from, error));
    TH_TRY(thiLoadGoals(world, from, error));
    TH_TRY(thiLoadRoadmaps(world, from, error));
    TH_TRY(thiLoadObstacles(world, from, error));
    TH_TRY(loadAgents(world, from, error));
    TH_TRY(loadCommands(world, from, error));
    if (from->failed || from->at != from->size)
        return thiFail(error, th_resultDamaged, "the snapshot's size is not that of its content");
    return thiPrepareObstacles(world);
}
