// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What a host changes about agents between steps, and how it sees them.

#include "base/machine.h"
#include "plan/plan_methods.h"
#include "sim/ranges.h"
#include "sim/world_internal.h"

#include <stdlib.h>

#define AIM_GRAIN 4096

void thiShowRow(thWorld* world, int32_t row)
{
    const thRows* rows = thiRows(world);
    thAgentRow* shown = &TH_ITEMS(world->agents.view, thAgentRow)[rows->slot[row]];
    shown->position = (thVec2){thiMetres(rows->px[row]), thiMetres(rows->py[row])};
    shown->velocity = (thVec2){rows->vx[row], rows->vy[row]};
    shown->heading = rows->heading[row];
    shown->flags = rows->flags[row];
    shown->key = rows->key[row];
}

int32_t thAgent_IsValid(const thWorld* world, thAgentId id)
{
    TH_REQUIRE(world != NULL, 0);
    return thiFindRow(world, id) >= 0;
}

thAgentId thWorld_FindAgent(const thWorld* world, uint64_t key)
{
    TH_REQUIRE(world != NULL, (thAgentId){0});
    const int32_t slot = thiKeyMapFind(&world->agents.keys, key, thiKeyOfSlot, world);
    return (thAgentId){slot >= 0 ? thiIdPoolIdOf(&world->agents.ids, slot) : 0};
}

thAgentView thWorld_GetAgentView(const thWorld* world)
{
    TH_REQUIRE(world != NULL, (thAgentView){0});
    return (thAgentView){.slotCount = world->agents.view.count,
                         .agentCount = world->agents.count,
                         .rows = TH_ITEMS(world->agents.view, thAgentRow)};
}

int32_t thWorld_GetGroups(const thWorld* world, int32_t* groups, int32_t capacity)
{
    TH_REQUIRE(world != NULL && capacity >= 0 && (groups != NULL || capacity == 0), 0);
    const int32_t slotCount = world->agents.rowOfSlot.count;
    for (int32_t slot = 0; slot < TH_MIN(slotCount, capacity); ++slot) {
        const int32_t row = TH_ITEMS(world->agents.rowOfSlot, int32_t)[slot];
        groups[slot] = row >= 0 ? thiRows(world)->group[row] : -1;
    }
    return slotCount;
}

thAgentRow thAgent_Get(const thWorld* world, thAgentId id)
{
    TH_REQUIRE(world != NULL, (thAgentRow){0});
    TH_REQUIRE(thiFindRow(world, id) >= 0, (thAgentRow){0});
    return TH_ITEMS(world->agents.view, thAgentRow)[THRONG_SLOT(id)];
}

thResult thAgent_GetUnits(const thWorld* world, thAgentId id, int32_t* x, int32_t* y)
{
    TH_REQUIRE(world != NULL && x != NULL && y != NULL, th_resultBadArgument);
    const int32_t row = thiFindRow(world, id);
    TH_REQUIRE(row >= 0, th_resultBadArgument);
    *x = thiRows(world)->px[row];
    *y = thiRows(world)->py[row];
    return th_resultOk;
}

// The row of an agent that may be changed now, −1 otherwise.
static int32_t changeableRow(const thWorld* world, thAgentId id)
{
    return world != NULL && !world->stepping ? thiFindRow(world, id) : -1;
}

void thiNoteAim(thWorld* world, int32_t row)
{
    const thRows* rows = thiRows(world);
    TH_ITEMS(world->agents.aims, thPoint)
    [rows->slot[row]] = thiAimOfGoal(&world->goals, rows->goal[row], rows->goalIndex[row]);
}

static void noteAims(void* context, int32_t begin, int32_t end, int32_t workerIndex)
{
    (void)workerIndex;
    for (int32_t row = begin; row < end; ++row)
        thiNoteAim(context, row);
}

void thiRenewAims(thWorld* world)
{
    if (world->agents.aimMoves == world->goals.moves)
        return;
    thTasks_ParallelFor(world->tasks, thiRows(world)->count, AIM_GRAIN, noteAims, world);
    world->agents.aimMoves = world->goals.moves;
}

void thiSetGoal(thWorld* world, int32_t row, int32_t goal)
{
    const thRows* rows = thiRows(world);
    if (rows->goal[row] >= 0)
        thiGoalAt(&world->goals, rows->goal[row])->users -= 1;
    if (goal >= 0)
        thiGoalAt(&world->goals, goal)->users += 1;
    rows->goal[row] = goal;
    rows->goalIndex[row] = 0;
    thiNoteAim(world, row);
    rows->flags[row] &= ~(uint32_t)th_agentArrived;
    thiShowRow(world, row);
}

thResult thAgent_SetGoal(thWorld* world, thAgentId id, thGoalId goal)
{
    const int32_t row = changeableRow(world, id);
    TH_REQUIRE(row >= 0, th_resultBadArgument);
    const int32_t slot = thiIdPoolFind(&world->goals.ids, goal.value);
    TH_REQUIRE(slot >= 0 || goal.value == 0, th_resultBadArgument);
    thiSetGoal(world, row, slot);
    return th_resultOk;
}

bool thiTakesVelocity(const thWorld* world, int32_t row)
{
    const thProfile* profile = &thiProfiles(world)[thiRows(world)->profile[row]];
    return profile->methods[th_methodPlan].method == &thiPlanGiven;
}

void thiSetPreferredVelocity(thWorld* world, int32_t row, thVec2 velocity)
{
    *(thVec2*)thiAgentState(world, row, th_methodPlan) = velocity;
}

thResult thAgent_SetPreferredVelocity(thWorld* world, thAgentId id, thVec2 velocity)
{
    return thWorld_SetPreferredVelocities(world, &id, &velocity, 1);
}

thResult thWorld_SetPreferredVelocities(thWorld* world, const thAgentId* ids,
                                        const thVec2* velocities, int32_t count)
{
    TH_REQUIRE(world != NULL && !world->stepping, th_resultBadArgument);
    TH_REQUIRE(count >= 0 && ((ids != NULL && velocities != NULL) || count == 0),
               th_resultBadArgument);
    for (int32_t i = 0; i < count; ++i) {
        const int32_t row = thiFindRow(world, ids[i]);
        TH_REQUIRE(row >= 0, th_resultBadArgument);
        TH_REQUIRE(thiTakesVelocity(world, row), th_resultBadArgument);
        TH_REQUIRE(thiIsVelocity(velocities[i]), th_resultBadArgument);
    }
    for (int32_t i = 0; i < count; ++i)
        thiSetPreferredVelocity(world, thiFindRow(world, ids[i]), velocities[i]);
    return th_resultOk;
}

// Places.

static thPoint placeOfRow(const thRows* rows, int32_t row)
{
    return (thPoint){rows->px[row], rows->py[row]};
}

// Whether an agent is to be where the view shows it. It then stays exactly there, whatever walls
// have come since: floats that were read may be written back.
static bool isSeenAt(const thWorld* world, int32_t row, thVec2 position)
{
    const int32_t slot = thiRows(world)->slot[row];
    const thVec2 shown = TH_ITEMS(world->agents.view, thAgentRow)[slot].position;
    return shown.x == position.x && shown.y == position.y;
}

// Who an agent is that is to stand on a floor.
static thStand standOf(const thWorld* world, int32_t row, int32_t level)
{
    const thRows* rows = thiRows(world);
    return (thStand){rows->flags[row], level, rows->radius[row]};
}

// How far a row moves along the axis in which it moves further.
static int64_t distanceTo(const thRows* rows, int32_t row, thPoint place)
{
    const int64_t alongX = llabs((int64_t)place.x - rows->px[row]);
    const int64_t alongY = llabs((int64_t)place.y - rows->py[row]);
    return TH_MAX(alongX, alongY);
}

// th_resultBlocked if one of them may not be put where it is to be.
static thResult checkStands(const thWorld* world, const thAgentId* ids, const thVec2* positions,
                            int32_t count)
{
    TH_TRY(thiUpdateWalls(world));
    for (int32_t i = 0; i < count; ++i) {
        const int32_t row = thiFindRow(world, ids[i]);
        thPoint place = thiPointOf(positions[i]);
        const thStand stand = standOf(world, row, thiRows(world)->level[row]);
        if (!isSeenAt(world, row, positions[i]) &&
            !thiFindStand(world, &stand, th_placementRefuse, &place))
            return th_resultBlocked;
    }
    return th_resultOk;
}

thResult thWorld_SetKinematics(thWorld* world, const thAgentId* ids, const thVec2* positions,
                               const thVec2* velocities, int32_t count)
{
    TH_REQUIRE(world != NULL && !world->stepping, th_resultBadArgument);
    TH_REQUIRE(count >= 0 && ((ids != NULL && positions != NULL) || count == 0),
               th_resultBadArgument);
    const thRows* rows = thiRows(world);
    int64_t furthest = 0; // from where they stand now, also if an agent is there twice
    for (int32_t i = 0; i < count; ++i) {
        const int32_t row = thiFindRow(world, ids[i]);
        TH_REQUIRE(row >= 0, th_resultBadArgument);
        TH_REQUIRE(thiIsPlace(positions[i]), th_resultBadArgument);
        TH_REQUIRE(velocities == NULL || thiIsVelocity(velocities[i]), th_resultBadArgument);
        const int64_t distance = distanceTo(rows, row, thiPointOf(positions[i]));
        furthest = TH_MAX(furthest, distance);
    }
    const thFpEnvironment hostEnvironment = thiFpEnter();
    const thResult code = checkStands(world, ids, positions, count);
    thiFpRestore(hostEnvironment);
    if (code != th_resultOk)
        return code;
    for (int32_t i = 0; i < count; ++i) {
        const int32_t row = thiFindRow(world, ids[i]);
        if (!isSeenAt(world, row, positions[i])) {
            rows->px[row] = thiUnits(positions[i].x);
            rows->py[row] = thiUnits(positions[i].y);
            if (world->hasContacts)
                thiForgetRest(&world->jams, row);
        }
        if (velocities != NULL) {
            rows->vx[row] = velocities[i].x;
            rows->vy[row] = velocities[i].y;
        }
        thiShowRow(world, row);
    }
    world->agents.drift = TH_MIN(world->agents.drift + furthest, TH_DRIFT_ANYWHERE);
    return th_resultOk;
}

// Puts an agent where it may stand as it is going to be: th_resultBlocked if it may not.
static thResult putAs(thWorld* world, int32_t row, const thStand* stand, thPoint place,
                      thPlacement placement)
{
    const thRows* rows = thiRows(world);
    const int32_t level = stand->level;
    const bool staysOnFloor = rows->level[row] == level;
    const thFpEnvironment hostEnvironment = thiFpEnter();
    thResult code = thiUpdateWalls(world);
    if (code == th_resultOk && !thiFindStand(world, stand, placement, &place))
        code = th_resultBlocked;
    thiFpRestore(hostEnvironment);
    if (code != th_resultOk)
        return code;
    // On another floor it is in none of its cells.
    const int64_t drift = world->agents.drift + distanceTo(rows, row, place);
    world->agents.drift = staysOnFloor ? TH_MIN(drift, TH_DRIFT_ANYWHERE) : TH_DRIFT_ANYWHERE;
    rows->px[row] = place.x;
    rows->py[row] = place.y;
    rows->level[row] = (uint16_t)level;
    if (world->hasContacts)
        thiForgetRest(&world->jams, row);
    thiShowRow(world, row);
    return th_resultOk;
}

static thResult putElsewhere(thWorld* world, int32_t row, thPoint place, int32_t level,
                             thPlacement placement)
{
    const thRows* rows = thiRows(world);
    if (rows->level[row] == level && thiSamePoint(place, placeOfRow(rows, row)))
        return th_resultOk;
    const thStand stand = standOf(world, row, level);
    return putAs(world, row, &stand, place, placement);
}

thResult thAgent_SetHeading(thWorld* world, thAgentId id, float heading)
{
    const int32_t row = changeableRow(world, id);
    TH_REQUIRE(row >= 0, th_resultBadArgument);
    TH_REQUIRE(thiIsAngle(heading), th_resultBadArgument);
    const thFpEnvironment hostEnvironment = thiFpEnter();
    thiRows(world)->heading[row] = thiWrapAngle(heading);
    thiFpRestore(hostEnvironment);
    thiShowRow(world, row);
    return th_resultOk;
}

thResult thAgent_SetLevel(thWorld* world, thAgentId id, int32_t level)
{
    const int32_t row = changeableRow(world, id);
    TH_REQUIRE(row >= 0, th_resultBadArgument);
    TH_REQUIRE(thiIsLevel(level), th_resultBadArgument);
    return putElsewhere(world, row, placeOfRow(thiRows(world), row), level, th_placementRefuse);
}

thResult thAgent_SetPlace(thWorld* world, thAgentId id, thVec2 position, int32_t level,
                          thPlacement placement)
{
    const int32_t row = changeableRow(world, id);
    TH_REQUIRE(row >= 0, th_resultBadArgument);
    TH_REQUIRE(thiIsPlace(position) && thiIsLevel(level), th_resultBadArgument);
    TH_REQUIRE(thiIsPlacement(placement), th_resultBadArgument);
    const thPoint place =
        isSeenAt(world, row, position) ? placeOfRow(thiRows(world), row) : thiPointOf(position);
    return putElsewhere(world, row, place, level, placement);
}

// What it is.

// A smaller body has room where it stands.
thResult thAgent_SetRadius(thWorld* world, thAgentId id, float radius, thPlacement placement)
{
    const int32_t row = changeableRow(world, id);
    TH_REQUIRE(row >= 0, th_resultBadArgument);
    TH_REQUIRE(thiIsBetween(radius, 0.0f, 100.0f), th_resultBadArgument);
    TH_REQUIRE(thiIsPlacement(placement), th_resultBadArgument);
    const thRows* rows = thiRows(world);
    thStand stand = standOf(world, row, rows->level[row]);
    stand.radius = radius;
    if (radius > rows->radius[row])
        TH_TRY(putAs(world, row, &stand, placeOfRow(rows, row), placement));
    rows->radius[row] = radius;
    return th_resultOk;
}

// Its methods begin anew with it: what others kept for it means nothing to them.
thResult thAgent_SetProfile(thWorld* world, thAgentId id, thProfileId profile)
{
    const int32_t row = changeableRow(world, id);
    TH_REQUIRE(row >= 0, th_resultBadArgument);
    const int32_t slot = thiIdPoolFind(&world->profiles.ids, profile.value);
    TH_REQUIRE(slot >= 0, th_resultBadArgument);
    const thRows* rows = thiRows(world);
    thProfile* to = &thiProfiles(world)[slot];
    if (rows->profile[row] == slot)
        return th_resultOk;
    TH_TRY(thiReserveStates(to, 1));
    thProfile* from = &thiProfiles(world)[rows->profile[row]];
    thiGiveBackState(from, rows->stateIndex[row]);
    from->agentCount -= 1;
    rows->stateIndex[row] = thiTakeState(to);
    rows->profile[row] = (uint16_t)slot;
    to->agentCount += 1;
    TH_ITEMS(world->agents.told, thToldBits)
    [THRONG_SLOT(id)].status = 0; // its meaning was the method's
    return th_resultOk;
}

thResult thAgent_SetExternal(thWorld* world, thAgentId id, int32_t external, thPlacement placement)
{
    const int32_t row = changeableRow(world, id);
    TH_REQUIRE(row >= 0, th_resultBadArgument);
    TH_REQUIRE(thiIsPlacement(placement), th_resultBadArgument);
    const thRows* rows = thiRows(world);
    const uint32_t drivers = th_agentExternal | th_agentVelocityOnly;
    thStand stand = standOf(world, row, rows->level[row]);
    stand.flags = (stand.flags & ~drivers) | (external != 0 ? th_agentExternal : 0);
    if (stand.flags == rows->flags[row])
        return th_resultOk;
    TH_TRY(putAs(world, row, &stand, placeOfRow(rows, row), placement));
    rows->flags[row] = stand.flags;
    if (external != 0)
        TH_ITEMS(world->agents.left, float)[THRONG_SLOT(id)] = 0.0f; // nobody plans for it
    thiShowRow(world, row);
    return th_resultOk;
}

thResult thAgent_SetLayers(thWorld* world, thAgentId id, uint32_t layers, uint32_t mask)
{
    const int32_t row = changeableRow(world, id);
    TH_REQUIRE(row >= 0, th_resultBadArgument);
    thiRows(world)->layers[row] = layers;
    thiRows(world)->mask[row] = mask;
    return th_resultOk;
}

thResult thAgent_SetSpeeds(thWorld* world, thAgentId id, float prefSpeed, float maxSpeed)
{
    const int32_t row = changeableRow(world, id);
    TH_REQUIRE(row >= 0, th_resultBadArgument);
    TH_REQUIRE(thiIsBetween(prefSpeed, 0.0f, 100.0f), th_resultBadArgument);
    TH_REQUIRE(maxSpeed == -1.0f || thiIsBetween(maxSpeed, 0.0f, 100.0f), th_resultBadArgument);
    thiRows(world)->prefSpeed[row] = prefSpeed;
    thiRows(world)->maxSpeed[row] = thiMaxSpeed(maxSpeed, prefSpeed);
    return th_resultOk;
}

thResult thAgent_SetYield(thWorld* world, thAgentId id, float yield)
{
    const int32_t row = changeableRow(world, id);
    TH_REQUIRE(row >= 0, th_resultBadArgument);
    TH_REQUIRE(thiIsBetween(yield, 0.0f, 1000.0f), th_resultBadArgument);
    thiRows(world)->yield[row] = yield;
    return th_resultOk;
}

thResult thAgent_SetGroup(thWorld* world, thAgentId id, int32_t group)
{
    const int32_t row = changeableRow(world, id);
    TH_REQUIRE(row >= 0, th_resultBadArgument);
    TH_REQUIRE(thiIsGroup(group), th_resultBadArgument);
    thiRows(world)->group[row] = group;
    return th_resultOk;
}

void thiSetWaiting(thWorld* world, int32_t row, bool waiting)
{
    uint32_t* flags = &thiRows(world)->flags[row];
    *flags = waiting ? *flags | th_agentWaiting : *flags & ~(uint32_t)th_agentWaiting;
    thiShowRow(world, row);
}

thResult thAgent_SetWaiting(thWorld* world, thAgentId id, int32_t waiting)
{
    const int32_t row = changeableRow(world, id);
    TH_REQUIRE(row >= 0, th_resultBadArgument);
    thiSetWaiting(world, row, waiting != 0);
    return th_resultOk;
}

thResult thAgent_SetHold(thWorld* world, thAgentId id, int32_t hold)
{
    const int32_t row = changeableRow(world, id);
    TH_REQUIRE(row >= 0, th_resultBadArgument);
    uint32_t* flags = &thiRows(world)->flags[row];
    *flags = hold != 0 ? *flags | th_agentHolds : *flags & ~(uint32_t)th_agentHolds;
    thiShowRow(world, row);
    return th_resultOk;
}

thAgentInfo thAgent_GetInfo(const thWorld* world, thAgentId id)
{
    const int32_t row = world != NULL ? thiFindRow(world, id) : -1;
    TH_REQUIRE(row >= 0, (thAgentInfo){0});
    const thRows* rows = thiRows(world);
    const int32_t goal = rows->goal[row];
    const int32_t shape =
        thiShapeOfGoal(&world->goals, goal, rows->goalIndex[row], rows->px[row], rows->py[row]);
    const thTold told = thiTold(world, row);
    return (thAgentInfo){
        .profile = {thiIdPoolIdOf(&world->profiles.ids, rows->profile[row])},
        .goal = {goal >= 0 ? thiIdPoolIdOf(&world->goals.ids, goal) : 0},
        .goalIndex = rows->goalIndex[row],
        .level = rows->level[row],
        .layers = rows->layers[row],
        .mask = rows->mask[row],
        .radius = rows->radius[row],
        .prefSpeed = rows->prefSpeed[row],
        .maxSpeed = rows->maxSpeed[row],
        .maxAccel = rows->maxAccel[row],
        .yield = rows->yield[row],
        .remaining = told.remaining,
        .status = told.status,
        .answer = (thPlanAnswer)told.answer,
        .shape = {shape >= 0 ? thiIdPoolIdOf(&world->goals.ids, shape) : 0},
        .body = thiProfiles(world)[rows->profile[row]].shape,
        .group = rows->group[row],
    };
}

void thWorld_GetOrigin(const thWorld* world, double* x, double* y)
{
    TH_REQUIRE_VOID(world != NULL && x != NULL && y != NULL);
    *x = world->originX;
    *y = world->originY;
}
