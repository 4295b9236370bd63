// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Agents come and go. Everything an agent needs is reserved before anything is changed, so creating
// many is all or nothing. New agents are appended to the rows, removed ones leave dead rows; the
// next sort drops those.

#include "base/fp_environment.h"
#include "sim/ranges.h"
#include "sim/world_internal.h"
#include "simd/dispatch.h"

#include <string.h>

// Rows there is room for from the beginning.
#define FIRST_ROWS 64

thAgentDef thDefaultAgentDef(void)
{
    return (thAgentDef){.size = sizeof(thAgentDef),
                        .layers = 1,
                        .mask = UINT32_MAX,
                        .radius = -1.0f,
                        .prefSpeed = -1.0f,
                        .maxSpeed = -1.0f,
                        .maxAccel = -1.0f,
                        .yield = -1.0f,
                        .priority = 1.0f};
}

thAgentColumns thDefaultAgentColumns(void)
{
    return (thAgentColumns){.size = sizeof(thAgentColumns), .shared = thDefaultAgentDef()};
}

uint64_t thiKeyOfSlot(const void* world, int32_t slot)
{
    return TH_ITEMS(((const thWorld*)world)->view, thAgentRow)[slot].key;
}

int32_t thiFindRow(const thWorld* world, thAgentId id)
{
    const int32_t slot = thiIdPoolFind(&world->agentIds, id.value);
    return slot >= 0 ? TH_ITEMS(world->rowOfSlot, int32_t)[slot] : -1;
}

// Room: slots, rows, and what a step writes for each row.

void thiFreeOutput(thWorld* world)
{
    const size_t count = (size_t)world->outCapacity;
    thiRelease(world->account, world->outVx, count * sizeof(float));
    thiRelease(world->account, world->outVy, count * sizeof(float));
    thiRelease(world->account, world->remaining, count * sizeof(float));
    thiRelease(world->account, world->status, count);
    world->outVx = world->outVy = world->remaining = NULL;
    world->status = NULL;
    world->outCapacity = 0;
}

// What is there need not be kept: it is meant for one step.
static thResult reserveOutput(thWorld* world, int32_t rowCount)
{
    const int32_t capacity = rowCount + TH_MAX_WIDTH;
    if (capacity <= world->outCapacity)
        return th_resultOk;
    const size_t floatBytes = (size_t)capacity * sizeof(float);
    float* outVx = thiAllocateZero(world->account, floatBytes);
    float* outVy = thiAllocateZero(world->account, floatBytes);
    float* remaining = thiAllocateZero(world->account, floatBytes);
    uint8_t* status = thiAllocateZero(world->account, (size_t)capacity);
    if (outVx == NULL || outVy == NULL || remaining == NULL || status == NULL) {
        thiRelease(world->account, outVx, floatBytes);
        thiRelease(world->account, outVy, floatBytes);
        thiRelease(world->account, remaining, floatBytes);
        thiRelease(world->account, status, (size_t)capacity);
        return th_resultNoMemory;
    }
    thiFreeOutput(world);
    world->outVx = outVx;
    world->outVy = outVy;
    world->remaining = remaining;
    world->status = status;
    world->outCapacity = capacity;
    return th_resultOk;
}

thResult thiReserveAgents(thWorld* world, int32_t count)
{
    if (count > TH_MAX_AGENTS)
        return th_resultFull;
    const int32_t deadRows = thiRows(world)->count - world->agentCount;
    const int32_t rowCount = TH_MAX(deadRows + count, FIRST_ROWS);
    TH_TRY(thiIdPoolReserve(&world->agentIds, count));
    const int32_t slotCount = world->agentIds.generations.capacity;
    TH_TRY(thiArrayReserve(&world->rowOfSlot, slotCount));
    TH_TRY(thiArrayReserve(&world->view, slotCount));
    TH_TRY(thiKeyMapReserve(&world->keys, count, thiKeyOfSlot, world));
    TH_TRY(thiRowsReserve(&world->rows[0], world->account, rowCount));
    TH_TRY(thiRowsReserve(&world->rows[1], world->account, rowCount));
    TH_TRY(thiGridReserve(&world->grid, rowCount));
    return reserveOutput(world, rowCount);
}

// Room for more agents, and for half as many again as there are, if there is memory for that.
static thResult reserveMore(thWorld* world, int32_t more)
{
    const thRows* rows = thiRows(world);
    if (more > TH_MAX_AGENTS - rows->count)
        return th_resultFull;
    const int32_t needed = world->agentCount + more;
    const int32_t grown = world->agentCount + world->agentCount / 2;
    if (rows->count + more > rows->capacity && needed < grown && grown <= TH_MAX_AGENTS &&
        thiReserveAgents(world, grown) == th_resultOk)
        return th_resultOk;
    return thiReserveAgents(world, needed);
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

static void giveBackState(thProfile* profile, int32_t index)
{
    if (index < 0)
        return;
    TH_ASSERT(profile->freeStates.count < profile->freeStates.capacity);
    TH_ITEMS(profile->freeStates, int32_t)[profile->freeStates.count] = index;
    profile->freeStates.count += 1;
}

void* thiAgentState(const thWorld* world, int32_t row, thMethodKind kind)
{
    const thRows* rows = &world->rows[world->current];
    const thProfile* profile = &thiProfiles(world)[rows->profile[row]];
    const thMethodInUse* use = &profile->methods[kind];
    if (use->method->stateSize == 0)
        return NULL;
    return (char*)profile->states.data + (size_t)rows->stateIndex[row] * profile->stateSize +
           use->stateStart;
}

// Checks.

// A negative number stands for the profile's.
static bool isGivenBetween(float value, float high)
{
    return value < 0.0f || thiIsBetween(value, 0.0f, high);
}

static bool areFlags(uint32_t flags)
{
    const uint32_t drivers = th_agentExternal | th_agentVelocityOnly;
    return (flags & ~(drivers | th_agentWaiting)) == 0 && (flags & drivers) != drivers;
}

// All but the key.
static bool isAgentDef(const thWorld* world, const thAgentDef* def)
{
    return thiIdPoolFind(&world->profileIds, def->profile.value) >= 0 &&
           (def->goal.value == 0 || thiIdPoolFind(&world->goals.ids, def->goal.value) >= 0) &&
           thiIsPlace(def->position) && thiIsVelocity(def->velocity) && thiIsAngle(def->heading) &&
           thiIsLevel(def->level) && isGivenBetween(def->radius, 100.0f) &&
           isGivenBetween(def->prefSpeed, 100.0f) && isGivenBetween(def->maxSpeed, 100.0f) &&
           isGivenBetween(def->maxAccel, 1e6f) && isGivenBetween(def->yield, 1000.0f) &&
           thiIsBetween(def->priority, 0.001f, 1000.0f) && areFlags(def->flags);
}

static bool isFreeKey(const thWorld* world, uint64_t key)
{
    return key == 0 ||
           (key < TH_FIRST_OWN_KEY && thiKeyMapFind(&world->keys, key, thiKeyOfSlot, world) < 0);
}

bool thiCanCreateAgent(const thWorld* world, const thAgentDef* def)
{
    return isAgentDef(world, def) && isFreeKey(world, def->key);
}

// Creation: everything is there, nothing can fail.

static float orProfile(float given, float profiles)
{
    return given < 0.0f ? profiles : given;
}

// 1000 is the most that frames know; a low priority would lead beyond.
static float yieldOf(const thAgentDef* def, const thProfile* profile)
{
    const float yield = orProfile(def->yield, profile->def.yield) / def->priority;
    return TH_MIN(yield, 1000.0f);
}

static void fillRow(thWorld* world, const thAgentDef* def, int32_t row)
{
    thRows* rows = thiRows(world);
    const int32_t profileSlot = THRONG_SLOT(def->profile);
    thProfile* profile = &thiProfiles(world)[profileSlot];
    rows->px[row] = thiUnits(def->position.x);
    rows->py[row] = thiUnits(def->position.y);
    rows->vx[row] = def->velocity.x;
    rows->vy[row] = def->velocity.y;
    rows->radius[row] = orProfile(def->radius, profile->def.radius);
    rows->yield[row] = yieldOf(def, profile);
    rows->layers[row] = def->layers;
    rows->mask[row] = def->mask;
    rows->prefSpeed[row] = orProfile(def->prefSpeed, profile->def.prefSpeed);
    rows->maxSpeed[row] = orProfile(def->maxSpeed, profile->def.maxSpeed);
    rows->maxAccel[row] = orProfile(def->maxAccel, profile->def.maxAccel);
    rows->heading[row] = thiWrapAngle(def->heading);
    rows->profile[row] = (uint16_t)profileSlot;
    rows->level[row] = (uint16_t)def->level;
    rows->flags[row] = def->flags | th_agentAlive;
    rows->goal[row] = THRONG_SLOT(def->goal);
    rows->goalIndex[row] = 0;
    rows->stateIndex[row] = thiTakeState(profile);
}

static thAgentId addAgent(thWorld* world, const thAgentDef* def)
{
    thRows* rows = thiRows(world);
    const thAgentId id = {thiIdPoolTake(&world->agentIds)};
    const int32_t slot = THRONG_SLOT(id);
    const int32_t row = rows->count++;
    fillRow(world, def, row);
    rows->slot[row] = slot;
    rows->key[row] = def->key != 0 ? def->key : TH_FIRST_OWN_KEY | world->nextOrdinal++;
    thiProfiles(world)[rows->profile[row]].agentCount += 1;
    if (rows->goal[row] >= 0)
        thiGoalAt(&world->goals, rows->goal[row])->users += 1;
    world->rowOfSlot.count = world->view.count = thiIdPoolSlotCount(&world->agentIds);
    TH_ITEMS(world->rowOfSlot, int32_t)[slot] = row;
    thiShowRow(world, row); // the map reads keys from there
    thiKeyMapAdd(&world->keys, rows->key[row], slot);
    world->agentCount += 1;
    return id;
}

thResult thiCreateAgent(thWorld* world, const thAgentDef* def, thAgentId* id)
{
    TH_TRY(reserveMore(world, 1));
    TH_TRY(thiReserveStates(&thiProfiles(world)[THRONG_SLOT(def->profile)], 1));
    const thFpEnvironment hostEnvironment = thiFpEnter();
    *id = addAgent(world, def);
    thiFpRestore(hostEnvironment);
    return th_resultOk;
}

thResult thCreateAgent(thWorld* world, const thAgentDef* given, thAgentId* id)
{
    TH_REQUIRE(id != NULL, th_resultBadArgument);
    *id = (thAgentId){0};
    TH_REQUIRE(world != NULL && !world->stepping, th_resultBadArgument);
    thAgentDef def = thDefaultAgentDef();
    TH_REQUIRE(thiReadDef(&def, given, sizeof def, sizeof def), th_resultBadArgument);
    TH_REQUIRE(isAgentDef(world, &def), th_resultBadArgument);
    TH_REQUIRE(isFreeKey(world, def.key), th_resultBadArgument);
    return thiCreateAgent(world, &def, id);
}

// The i-th of many.
static thAgentDef defAt(const thAgentColumns* columns, int32_t i)
{
    thAgentDef def = columns->shared;
    def.position = columns->positions != NULL ? columns->positions[i] : def.position;
    def.velocity = columns->velocities != NULL ? columns->velocities[i] : def.velocity;
    def.heading = columns->headings != NULL ? columns->headings[i] : def.heading;
    def.goal = columns->goals != NULL ? columns->goals[i] : def.goal;
    def.profile = columns->profiles != NULL ? columns->profiles[i] : def.profile;
    def.key = columns->keys != NULL ? columns->keys[i] : def.key;
    def.radius = columns->radii != NULL ? columns->radii[i] : def.radius;
    def.prefSpeed = columns->prefSpeeds != NULL ? columns->prefSpeeds[i] : def.prefSpeed;
    def.maxSpeed = columns->maxSpeeds != NULL ? columns->maxSpeeds[i] : def.maxSpeed;
    return def;
}

static bool areAgentDefs(const thWorld* world, const thAgentColumns* columns)
{
    for (int32_t i = 0; i < columns->count; ++i) {
        const thAgentDef def = defAt(columns, i);
        if (!isAgentDef(world, &def))
            return false;
    }
    return true;
}

// Keys of agents to come stand in the map for a moment, behind the slots there are.
typedef struct NewKeys {
    const thWorld* world;
    const thAgentColumns* columns;
    int32_t firstSlot;
} NewKeys;

static uint64_t keyAt(const thAgentColumns* columns, int32_t i)
{
    return columns->keys != NULL ? columns->keys[i] : columns->shared.key;
}

static uint64_t keyOfNewSlot(const void* context, int32_t slot)
{
    const NewKeys* keys = context;
    return slot < keys->firstSlot ? thiKeyOfSlot(keys->world, slot)
                                  : keyAt(keys->columns, slot - keys->firstSlot);
}

// Whether no key is taken and none comes twice. There must be room for them in the map.
static bool areFreeKeys(thWorld* world, const thAgentColumns* columns)
{
    const NewKeys keys = {world, columns, thiIdPoolSlotCount(&world->agentIds)};
    int32_t checked = 0;
    for (; checked < columns->count; ++checked) {
        const uint64_t key = keyAt(columns, checked);
        if (key >= TH_FIRST_OWN_KEY ||
            (key != 0 && thiKeyMapFind(&world->keys, key, keyOfNewSlot, &keys) >= 0))
            break;
        if (key != 0)
            thiKeyMapAdd(&world->keys, key, keys.firstSlot + checked);
    }
    const bool areFree = checked == columns->count;
    while (--checked >= 0)
        if (keyAt(columns, checked) != 0)
            thiKeyMapRemove(&world->keys, keyAt(columns, checked), keyOfNewSlot, &keys);
    return areFree;
}

static thResult reserveStatesOfAll(thWorld* world, const thAgentColumns* columns)
{
    for (int32_t slot = 0; slot < world->profiles.count; ++slot)
        thiProfiles(world)[slot].joining = 0;
    for (int32_t i = 0; i < columns->count; ++i)
        thiProfiles(world)[THRONG_SLOT(defAt(columns, i).profile)].joining += 1;
    for (int32_t slot = 0; slot < world->profiles.count; ++slot)
        if (thiProfiles(world)[slot].joining > 0)
            TH_TRY(thiReserveStates(&thiProfiles(world)[slot], thiProfiles(world)[slot].joining));
    return th_resultOk;
}

thResult thCreateAgents(thWorld* world, const thAgentColumns* given, thAgentId* ids)
{
    TH_REQUIRE(world != NULL && !world->stepping, th_resultBadArgument);
    thAgentColumns columns = thDefaultAgentColumns();
    TH_REQUIRE(thiReadDef(&columns, given, sizeof columns, sizeof columns), th_resultBadArgument);
    const thAgentDef shared = columns.shared;
    columns.shared = thDefaultAgentDef();
    TH_REQUIRE(thiReadDef(&columns.shared, &shared, sizeof shared, sizeof shared),
               th_resultBadArgument);
    TH_REQUIRE(columns.count >= 0, th_resultBadArgument);
    TH_REQUIRE(areAgentDefs(world, &columns), th_resultBadArgument);
    TH_TRY(reserveMore(world, columns.count));
    TH_TRY(reserveStatesOfAll(world, &columns));
    TH_REQUIRE(areFreeKeys(world, &columns), th_resultBadArgument);
    const thFpEnvironment hostEnvironment = thiFpEnter();
    for (int32_t i = 0; i < columns.count; ++i) {
        const thAgentDef def = defAt(&columns, i);
        const thAgentId id = addAgent(world, &def);
        if (ids != NULL)
            ids[i] = id;
    }
    thiFpRestore(hostEnvironment);
    return th_resultOk;
}

// Removal.

void thiRemoveRow(thWorld* world, int32_t row)
{
    thRows* rows = thiRows(world);
    const int32_t slot = rows->slot[row];
    thProfile* profile = &thiProfiles(world)[rows->profile[row]];
    thiKeyMapRemove(&world->keys, rows->key[row], thiKeyOfSlot, world);
    giveBackState(profile, rows->stateIndex[row]);
    profile->agentCount -= 1;
    if (rows->goal[row] >= 0)
        thiGoalAt(&world->goals, rows->goal[row])->users -= 1;
    thiIdPoolGiveBack(&world->agentIds, thiIdPoolIdOf(&world->agentIds, slot));
    TH_ITEMS(world->rowOfSlot, int32_t)[slot] = -1;
    TH_ITEMS(world->view, thAgentRow)[slot] = (thAgentRow){0};
    rows->flags[row] = 0;
    world->agentCount -= 1;
}

thResult thDestroyAgent(thWorld* world, thAgentId id)
{
    return thDestroyAgents(world, &id, 1);
}

// A flag that no one sees: the agent is in the list already.
#define LISTED (1u << 31)

thResult thDestroyAgents(thWorld* world, const thAgentId* ids, int32_t count)
{
    TH_REQUIRE(world != NULL && !world->stepping, th_resultBadArgument);
    TH_REQUIRE(count >= 0 && (ids != NULL || count == 0), th_resultBadArgument);
    uint32_t* flags = thiRows(world)->flags;
    int32_t checked = 0;
    for (; checked < count; ++checked) {
        const int32_t row = thiFindRow(world, ids[checked]);
        if (row < 0 || (flags[row] & LISTED) != 0)
            break;
        flags[row] |= LISTED;
    }
    for (int32_t i = 0; i < checked; ++i)
        flags[thiFindRow(world, ids[i])] &= ~LISTED;
    TH_REQUIRE(checked == count, th_resultBadArgument); // one is stale, or there twice
    for (int32_t i = 0; i < count; ++i)
        thiRemoveRow(world, thiFindRow(world, ids[i]));
    return th_resultOk;
}
