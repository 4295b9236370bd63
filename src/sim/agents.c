// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Agents come and go: room for them, where they may stand, creating and removing them. Everything
// an agent needs is reserved before anything is changed, so creating many is all or nothing. New
// agents are appended to the rows, removed ones leave dead rows; the next sort drops those.

#include "base/machine.h"
#include "move/free_place.h"
#include "sim/ranges.h"
#include "sim/world_internal.h"
#include "simd/dispatch.h"

#include <stdio.h>
#include <string.h>

// Rows there is room for from the beginning.
#define FIRST_ROWS 64

// The first search goes as far as this, where most places are, and each further one goes on.
#define FIRST_REACH 0.5f // at least [m]
#define FIRST_RADII 8.0f
#define FURTHER 4.0f // times as far as the one before

#define PLACE_GRAIN 1024 // agents

// From slots and ids.

uint64_t thiKeyOfSlot(const void* world, int32_t slot)
{
    return TH_ITEMS(((const thWorld*)world)->agents.view, thAgentRow)[slot].key;
}

int32_t thiFindRow(const thWorld* world, thAgentId id)
{
    const int32_t slot = thiIdPoolFind(&world->agents.ids, id.value);
    return slot >= 0 ? TH_ITEMS(world->agents.rowOfSlot, int32_t)[slot] : -1;
}

// Room: slots, rows, and the bytes that methods keep for each agent. A reservation that fails
// leaves everything usable as it was.

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
    TH_TRY(thiArrayReserve(&world->agents.told, slotCount));
    TH_TRY(thiArrayReserve(&world->agents.left, slotCount));
    TH_TRY(thiArrayReserve(&world->agents.aims, slotCount));
    TH_TRY(thiKeyMapReserve(&world->agents.keys, count, thiKeyOfSlot, world));
    TH_TRY(thiRowsReserve(&world->agents.rows[0], world->account, rowCount));
    TH_TRY(thiRowsReserve(&world->agents.rows[1], world->account, rowCount));
    TH_TRY(thiGridReserve(&world->agents.grid, rowCount));
    if (world->hasContacts) {
        TH_TRY(thiContactsReserve(world->contacts, rowCount));
        TH_TRY(thiReserveJams(&world->jams, world->account, thiRows(world)->count, rowCount));
    }
    return th_resultOk;
}

// Growing by half keeps the cost of creating many one by one in proportion to their number.
static thResult reserveMoreAgents(thWorld* world, int32_t more)
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

size_t thiAgentBytes(const thWorld* world)
{
    size_t bytes = rowBytes(&world->agents.rows[0]) + rowBytes(&world->agents.rows[1]) +
                   thiIdPoolBytes(&world->agents.ids) + thiArrayBytes(&world->agents.rowOfSlot) +
                   thiArrayBytes(&world->agents.view) + thiArrayBytes(&world->agents.told) +
                   thiArrayBytes(&world->agents.left) + thiArrayBytes(&world->agents.aims) +
                   thiKeyMapBytes(&world->agents.keys) + thiJamBytes(&world->jams) +
                   thiArrayBytes(&world->guidance) + thiArrayBytes(&world->before.states) +
                   thiArrayBytes(&world->before.kept) + thiArrayBytes(&world->before.agents);
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

// Where agents may stand when they are created or put somewhere. Walls bind those that the world
// moves; the host puts its own where it likes.

// A wider search has wider rings, so the nearest places are found by the first that succeeds.
static bool findNearest(const thWallGrid* walls, int32_t level, float radius, thPoint* place)
{
    const thPoint wanted = *place;
    float reach = TH_MAX(FIRST_RADII * radius, FIRST_REACH);
    for (; reach < TH_PLACEMENT_REACH; reach *= FURTHER)
        if (thiFindFreePlace(walls, level, wanted, radius, reach, place))
            return true;
    return thiFindFreePlace(walls, level, wanted, radius, TH_PLACEMENT_REACH, place);
}

bool thiFindStand(const thWorld* world, const thStand* stand, thPlacement placement, thPoint* place)
{
    TH_ASSERT(!world->walls.changed);
    if (!thiIsMovedByWorld(stand->flags) || thiWallGridWalls(world->walls.grid)->count == 0 ||
        thiIsFreePlace(world->walls.grid, stand->level, *place, stand->radius))
        return true;
    return placement == th_placementNearest &&
           findNearest(world->walls.grid, stand->level, stand->radius, place);
}

bool thiIsPlacement(thPlacement placement)
{
    return placement == th_placementRefuse || placement == th_placementNearest;
}

// Definitions.

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
                        .priority = 1.0f,
                        .group = -1};
}

thAgentColumns thDefaultAgentColumns(void)
{
    return (thAgentColumns){.size = sizeof(thAgentColumns), .shared = thDefaultAgentDef()};
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
    return (flags & ~(drivers | th_agentWaiting | th_agentHolds)) == 0 &&
           (flags & drivers) != drivers;
}

// All but the key.
static bool isAgentDef(const thWorld* world, const thAgentDef* def)
{
    return thiIdPoolFind(&world->profiles.ids, def->profile.value) >= 0 &&
           (def->goal.value == 0 || thiIdPoolFind(&world->goals.ids, def->goal.value) >= 0) &&
           thiIsPlace(def->position) && thiIsVelocity(def->velocity) && thiIsAngle(def->heading) &&
           thiIsLevel(def->level) && isGivenBetween(def->radius, 100.0f) &&
           isGivenBetween(def->prefSpeed, 100.0f) && isGivenBetween(def->maxSpeed, 100.0f) &&
           isGivenBetween(def->maxAccel, 1e6f) && isGivenBetween(def->yield, 1000.0f) &&
           thiIsBetween(def->priority, 0.001f, 1000.0f) && areFlags(def->flags) &&
           thiIsPlacement(def->placement) && thiIsGroup(def->group);
}

static bool isFreeKey(const thWorld* world, uint64_t key)
{
    return key == 0 || (key < TH_FIRST_OWN_KEY &&
                        thiKeyMapFind(&world->agents.keys, key, thiKeyOfSlot, world) < 0);
}

bool thiCanCreateAgent(const thWorld* world, const thAgentDef* def)
{
    return isAgentDef(world, def) && isFreeKey(world, def->key);
}

static float orProfile(float given, float profiles)
{
    return given < 0.0f ? profiles : given;
}

// Places. Those of agents to come are kept in the rows that they will have, behind the last.

static const thProfile* profileOf(const thWorld* world, const thAgentDef* def)
{
    return &thiProfiles(world)[THRONG_SLOT(def->profile)];
}

// Whether the agent may stand somewhere. Walls must be up to date.
static bool placeAgent(thWorld* world, const thAgentDef* def, int32_t row)
{
    const thStand stand = {def->flags, def->level,
                           orProfile(def->radius, profileOf(world, def)->def.radius)};
    thPoint place = thiPointOf(def->position);
    const bool stands = thiFindStand(world, &stand, def->placement, &place);
    thiRows(world)->px[row] = place.x;
    thiRows(world)->py[row] = place.y;
    return stands;
}

// Creation: everything is there, nothing can fail.

// 1000 is the most that frames know; a low priority would lead beyond. Whom the host moves gives
// way to nobody, unless the host says so.
static float yieldOf(const thAgentDef* def, const thProfile* profile)
{
    if (def->yield < 0.0f && (def->flags & th_agentExternal) != 0)
        return 0.0f;
    const float yield = orProfile(def->yield, profile->def.yield) / def->priority;
    return TH_MIN(yield, 1000.0f);
}

// All but the place.
static void fillRow(thWorld* world, const thAgentDef* def, int32_t row)
{
    const thRows* rows = thiRows(world);
    const int32_t profileSlot = THRONG_SLOT(def->profile);
    thProfile* profile = &thiProfiles(world)[profileSlot];
    rows->vx[row] = def->velocity.x;
    rows->vy[row] = def->velocity.y;
    rows->radius[row] = orProfile(def->radius, profile->def.radius);
    rows->yield[row] = yieldOf(def, profile);
    rows->pressure[row] = 0;
    if (world->hasContacts)
        thiInitJam(&world->jams, row);
    rows->layers[row] = def->layers;
    rows->mask[row] = def->mask;
    rows->prefSpeed[row] = orProfile(def->prefSpeed, profile->def.prefSpeed);
    rows->maxSpeed[row] =
        thiMaxSpeed(orProfile(def->maxSpeed, profile->def.maxSpeed), rows->prefSpeed[row]);
    rows->maxAccel[row] = orProfile(def->maxAccel, profile->def.maxAccel);
    rows->heading[row] = thiWrapAngle(def->heading);
    rows->profile[row] = (uint16_t)profileSlot;
    rows->level[row] = (uint16_t)def->level;
    rows->flags[row] = def->flags | th_agentAlive;
    rows->goal[row] = THRONG_SLOT(def->goal);
    rows->goalIndex[row] = 0;
    rows->group[row] = def->group;
    rows->stateIndex[row] = thiTakeState(profile);
}

static thAgentId addAgent(thWorld* world, const thAgentDef* def)
{
    thRows* rows = &world->agents.rows[world->agents.current];
    const thAgentId id = {thiIdPoolTake(&world->agents.ids)};
    const int32_t slot = THRONG_SLOT(id);
    const int32_t row = rows->count++;
    fillRow(world, def, row);
    rows->slot[row] = slot;
    rows->key[row] = def->key != 0 ? def->key : TH_FIRST_OWN_KEY | world->agents.nextOrdinal++;
    thiProfiles(world)[rows->profile[row]].agentCount += 1;
    if (rows->goal[row] >= 0)
        thiGoalAt(&world->goals, rows->goal[row])->users += 1;
    world->agents.rowOfSlot.count = world->agents.view.count = world->agents.told.count =
        world->agents.left.count = world->agents.aims.count =
            thiIdPoolSlotCount(&world->agents.ids);
    thiNoteAim(world, row);
    thiTell(world, slot, (thTold){.answer = th_planComplete});
    TH_ITEMS(world->agents.rowOfSlot, int32_t)[slot] = row;
    thiShowRow(world, row); // the map reads keys from there
    thiKeyMapAdd(&world->agents.keys, rows->key[row], slot);
    world->agents.count += 1;
    return id;
}

thResult thiCreateAgent(thWorld* world, const thAgentDef* def, thAgentId* id)
{
    TH_TRY(reserveMoreAgents(world, 1));
    TH_TRY(thiReserveStates(&thiProfiles(world)[THRONG_SLOT(def->profile)], 1));
    const thFpEnvironment hostEnvironment = thiFpEnter();
    thResult code = thiUpdateWalls(world);
    if (code == th_resultOk && !placeAgent(world, def, thiRows(world)->count))
        code = th_resultBlocked;
    if (code == th_resultOk)
        *id = addAgent(world, def);
    thiFpRestore(hostEnvironment);
    return code;
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
    def.group = columns->groups != NULL ? columns->groups[i] : def.group;
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
    const NewKeys keys = {world, columns, thiIdPoolSlotCount(&world->agents.ids)};
    int32_t checked = 0;
    for (; checked < columns->count; ++checked) {
        const uint64_t key = keyAt(columns, checked);
        if (key >= TH_FIRST_OWN_KEY ||
            (key != 0 && thiKeyMapFind(&world->agents.keys, key, keyOfNewSlot, &keys) >= 0))
            break;
        if (key != 0)
            thiKeyMapAdd(&world->agents.keys, key, keys.firstSlot + checked);
    }
    const bool areFree = checked == columns->count;
    while (--checked >= 0)
        if (keyAt(columns, checked) != 0)
            thiKeyMapRemove(&world->agents.keys, keyAt(columns, checked), keyOfNewSlot, &keys);
    return areFree;
}

static thResult reserveStatesOfAll(thWorld* world, const thAgentColumns* columns)
{
    for (int32_t slot = 0; slot < world->profiles.items.count; ++slot)
        thiProfiles(world)[slot].joining = 0;
    for (int32_t i = 0; i < columns->count; ++i)
        thiProfiles(world)[THRONG_SLOT(defAt(columns, i).profile)].joining += 1;
    for (int32_t slot = 0; slot < world->profiles.items.count; ++slot)
        if (thiProfiles(world)[slot].joining > 0)
            TH_TRY(thiReserveStates(&thiProfiles(world)[slot], thiProfiles(world)[slot].joining));
    return th_resultOk;
}

typedef struct Placing {
    thWorld* world;
    const thAgentColumns* columns;
    int32_t firstRow;
} Placing;

// Until they are filled, flags of rows to come say whether the agent may stand somewhere.
static void placeRange(void* context, int32_t begin, int32_t end, int32_t workerIndex)
{
    (void)workerIndex;
    const Placing* placing = context;
    for (int32_t i = begin; i < end; ++i) {
        const int32_t row = placing->firstRow + i;
        const thAgentDef def = defAt(placing->columns, i);
        thiRows(placing->world)->flags[row] = placeAgent(placing->world, &def, row);
    }
}

static thResult refuseBlocked(const thWorld* world, const thAgentColumns* columns, int32_t first,
                              int32_t count)
{
    const thAgentDef def = defAt(columns, first);
    const double radius = (double)orProfile(def.radius, profileOf(world, &def)->def.radius);
    if (columns->error != NULL)
        snprintf(columns->error->path, sizeof columns->error->path, "positions[%d]", (int)first);
    return thiFail(columns->error, th_resultBlocked,
                   "%d of %d agents would stand in a wall%s, the first is agent %d, of radius %g "
                   "m, at (%.9g, %.9g) on floor %d",
                   (int)count, (int)columns->count,
                   def.placement == th_placementNearest ? " and have no free place near" : "",
                   (int)first, radius, (double)def.position.x, (double)def.position.y,
                   (int)def.level);
}

// Places for all of them. There must be room for their rows.
static thResult placeAgents(thWorld* world, const thAgentColumns* columns)
{
    TH_TRY(thiUpdateWalls(world));
    Placing placing = {world, columns, thiRows(world)->count};
    thTasks_ParallelFor(world->tasks, columns->count, PLACE_GRAIN, placeRange, &placing);
    const uint32_t* stands = &thiRows(world)->flags[placing.firstRow];
    int32_t first = 0, blocked = 0;
    for (int32_t i = 0; i < columns->count; ++i) {
        if (stands[i] != 0)
            continue;
        first = blocked == 0 ? i : first;
        blocked += 1;
    }
    if (blocked == 0)
        return th_resultOk;
    for (int32_t i = 0; i < columns->count && columns->blocked != NULL; ++i)
        columns->blocked[i] = stands[i] == 0;
    return refuseBlocked(world, columns, first, blocked);
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
    TH_TRY(reserveMoreAgents(world, columns.count));
    TH_TRY(reserveStatesOfAll(world, &columns));
    TH_REQUIRE(areFreeKeys(world, &columns), th_resultBadArgument);
    const thFpEnvironment hostEnvironment = thiFpEnter();
    const thResult code = placeAgents(world, &columns);
    for (int32_t i = 0; i < columns.count && code == th_resultOk; ++i) {
        const thAgentDef def = defAt(&columns, i);
        const thAgentId id = addAgent(world, &def);
        if (ids != NULL)
            ids[i] = id;
    }
    thiFpRestore(hostEnvironment);
    return code;
}

// Removal.

void thiRemoveRow(thWorld* world, int32_t row)
{
    const thRows* rows = thiRows(world);
    const int32_t slot = rows->slot[row];
    thProfile* profile = &thiProfiles(world)[rows->profile[row]];
    thiKeyMapRemove(&world->agents.keys, rows->key[row], thiKeyOfSlot, world);
    thiGiveBackState(profile, rows->stateIndex[row]);
    profile->agentCount -= 1;
    if (rows->goal[row] >= 0)
        thiGoalAt(&world->goals, rows->goal[row])->users -= 1;
    thiIdPoolGiveBack(&world->agents.ids, thiIdPoolIdOf(&world->agents.ids, slot));
    TH_ITEMS(world->agents.rowOfSlot, int32_t)[slot] = -1;
    TH_ITEMS(world->agents.view, thAgentRow)[slot] = (thAgentRow){0};
    rows->flags[row] = 0;
    world->agents.count -= 1;
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
