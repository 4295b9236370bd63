// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Room for agents: slots, rows, what a step writes for each row, and the bytes that methods keep
// for each agent. A reservation that fails leaves everything usable as it was.

#include "sim/world_internal.h"
#include "simd/dispatch.h"

#include <string.h>

// Rows there is room for from the beginning.
#define FIRST_ROWS 64

// Every column that a step writes by row: type, name.
#define OUTPUT_COLUMNS(X)                                                                          \
    X(float, vx)                                                                                   \
    X(float, vy)                                                                                   \
    X(float, remaining)                                                                            \
    X(uint8_t, status)                                                                             \
    X(uint8_t, answer)                                                                             \
    X(uint8_t, squeezed)

void thiFreeOutput(thWorld* world)
{
#define X(type, name)                                                                              \
    thiRelease(world->account, world->output.name, (size_t)world->output.capacity * sizeof(type)); \
    world->output.name = NULL;
    OUTPUT_COLUMNS(X)
#undef X
    world->output.capacity = 0;
}

// What is there need not be kept: it is meant for one step.
static thResult reserveOutput(thWorld* world, int32_t rowCount)
{
    const int32_t capacity = rowCount + TH_MAX_WIDTH;
    if (capacity <= world->output.capacity)
        return th_resultOk;
#define X(type, name) type* name = thiAllocateZero(world->account, (size_t)capacity * sizeof(type));
    OUTPUT_COLUMNS(X)
#undef X
    bool complete = true;
#define X(type, name) complete = complete && name != NULL;
    OUTPUT_COLUMNS(X)
#undef X
    if (!complete) {
#define X(type, name) thiRelease(world->account, name, (size_t)capacity * sizeof(type));
        OUTPUT_COLUMNS(X)
#undef X
        return th_resultNoMemory;
    }
    thiFreeOutput(world);
#define X(type, name) world->output.name = name;
    OUTPUT_COLUMNS(X)
#undef X
    world->output.capacity = capacity;
    return th_resultOk;
}

thResult thiReserveAgents(thWorld* world, int32_t count)
{
    if (count > TH_MAX_AGENTS)
        return th_resultFull;
    const int32_t deadRows = thiRows(world)->count - world->agents.count;
    const int32_t rowCount = TH_MAX(deadRows + count, FIRST_ROWS);
    TH_TRY(thiIdPoolReserve(&world->agents.ids, count));
    const int32_t slotCount = (int32_t)thiIdPoolSlotsFor(&world->agents.ids, count);
    TH_TRY(thiArrayReserve(&world->agents.rowOfSlot, slotCount));
    TH_TRY(thiArrayReserve(&world->agents.view, slotCount));
    TH_TRY(thiKeyMapReserve(&world->agents.keys, count, thiKeyOfSlot, world));
    TH_TRY(thiRowsReserve(&world->agents.rows[0], world->account, rowCount));
    TH_TRY(thiRowsReserve(&world->agents.rows[1], world->account, rowCount));
    TH_TRY(thiGridReserve(&world->agents.grid, rowCount));
    if (world->hasContacts) {
        TH_TRY(thiContactsReserve(world->contacts, rowCount));
        TH_TRY(thiReserveJams(&world->jams, world->account, thiRows(world)->count, rowCount));
    }
    return reserveOutput(world, rowCount);
}

// Growing by half keeps the cost of creating many one by one in proportion to their number.
thResult thiReserveMoreAgents(thWorld* world, int32_t more)
{
    const thRows* rows = thiRows(world);
    if (more > TH_MAX_AGENTS - rows->count)
        return th_resultFull;
    const int32_t needed = world->agents.count + more;
    const int32_t grown = world->agents.count + world->agents.count / 2;
    if (rows->count + more > rows->capacity && needed < grown && grown <= TH_MAX_AGENTS &&
        thiReserveAgents(world, grown) == th_resultOk)
        return th_resultOk;
    return thiReserveAgents(world, needed);
}

static size_t rowBytes(const thRows* rows)
{
    size_t each = 0;
#define X(type, name) each += sizeof(type);
    TH_ROW_COLUMNS(X)
#undef X
    return rows->capacity > 0 ? ((size_t)rows->capacity + TH_MAX_WIDTH) * each : 0;
}

static size_t outputBytes(const thWorld* world)
{
    size_t each = 0;
#define X(type, name) each += sizeof(type);
    OUTPUT_COLUMNS(X)
#undef X
    return (size_t)world->output.capacity * each;
}

size_t thiAgentBytes(const thWorld* world)
{
    size_t bytes = rowBytes(&world->agents.rows[0]) + rowBytes(&world->agents.rows[1]) +
                   outputBytes(world) + thiIdPoolBytes(&world->agents.ids) +
                   thiArrayBytes(&world->agents.rowOfSlot) + thiArrayBytes(&world->agents.view) +
                   thiKeyMapBytes(&world->agents.keys) + thiJamBytes(&world->jams) +
                   thiArrayBytes(&world->guides);
    for (int32_t slot = 0; slot < world->profiles.items.count; ++slot)
        bytes += thiArrayBytes(&thiProfiles(world)[slot].states) +
                 thiArrayBytes(&thiProfiles(world)[slot].freeStates);
    return bytes;
}

// Methods' own bytes.

thResult thiReserveStates(thProfile* profile, int32_t more)
{
    const int32_t missing = more - profile->freeStates.count;
    if (profile->stateSize == 0 || missing <= 0)
        return th_resultOk;
    const int32_t capacity = profile->states.capacity;
    const int32_t needed = profile->states.count + missing;
    if (needed > capacity &&
        thiArrayReserve(&profile->states, TH_MAX(needed, capacity + capacity / 2)) != th_resultOk)
        TH_TRY(thiArrayReserve(&profile->states, needed));
    return thiArrayReserve(&profile->freeStates, profile->states.capacity);
}

int32_t thiTakeState(thProfile* profile)
{
    if (profile->stateSize == 0)
        return -1;
    int32_t index = profile->states.count;
    if (profile->freeStates.count > 0) {
        profile->freeStates.count -= 1;
        index = TH_ITEMS(profile->freeStates, int32_t)[profile->freeStates.count];
    } else {
        profile->states.count += 1;
    }
    memset((char*)profile->states.data + (size_t)index * profile->stateSize, 0, profile->stateSize);
    return index;
}

void thiGiveBackState(thProfile* profile, int32_t index)
{
    if (index < 0)
        return;
    TH_ASSERT(profile->freeStates.count < profile->freeStates.capacity);
    TH_ITEMS(profile->freeStates, int32_t)[profile->freeStates.count] = index;
    profile->freeStates.count += 1;
}

void* thiAgentState(const thWorld* world, int32_t row, thMethodKind kind)
{
    const thRows* rows = thiRows(world);
    const thProfile* profile = &thiProfiles(world)[rows->profile[row]];
    const thMethodInUse* use = &profile->methods[kind];
    if (use->method->stateSize == 0)
        return NULL;
    return (char*)profile->states.data + (size_t)rows->stateIndex[row] * profile->stateSize +
           use->stateStart;
}
