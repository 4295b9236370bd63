// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Profiles: what agents of one kind have in common, with the methods they use.

#include "sim/ranges.h"
#include "sim/step/turning.h"
#include "sim/world_internal.h"

#include <stdio.h>
#include <string.h>

// The largest angle of vision: 2π as the float next to it.
#define FULL_CIRCLE (2.0f * TH_PI)
// The most walls, and the furthest, that anybody sees. [m]
#define MAX_WALLS 64
#define MAX_SIGHT 200.0f

thProfileDef thDefaultProfileDef(void)
{
    return (thProfileDef){.size = sizeof(thProfileDef),
                          .neighborCount = 10,
                          .neighborRadius = 5.0f,
                          .wallCount = 8,
                          .wallRadius = 5.0f,
                          .fieldOfView = FULL_CIRCLE,
                          .arrivalDistance = 0.3f,
                          .arrival = th_arrivalStop,
                          .radius = 0.25f,
                          .prefSpeed = 1.34f,
                          .maxSpeed = 2.0f,
                          .yield = 1.0f,
                          .keep = th_keepRight,
                          .patience = 1.0f,
                          .slowness = 0.3f,
                          .turnAside = 0.785398185f};
}

static thResult checkFloat(const char* name, float value, float high, thError* error)
{
    if (thiIsBetween(value, 0.0f, high))
        return th_resultOk;
    return thiFail(error, th_resultBadArgument, "%s is %g, expected 0 .. %g", name, (double)value,
                   (double)high);
}

static thResult checkInt(const char* name, int32_t value, int32_t high, thError* error)
{
    if (value >= 0 && value <= high)
        return th_resultOk;
    return thiFail(error, th_resultBadArgument, "%s is %d, expected 0 .. %d", name, (int)value,
                   (int)high);
}

static thResult checkDef(const thProfileDef* def, thError* error)
{
    if (def->name != NULL && strlen(def->name) >= TH_NAME_SIZE)
        return thiFail(error, th_resultBadArgument, "name is %zu bytes long, expected at most %d",
                       strlen(def->name), TH_NAME_SIZE - 1);
    TH_TRY(checkInt("neighborCount", def->neighborCount, TH_MAX_NEIGHBORS, error));
    TH_TRY(checkFloat("neighborRadius", def->neighborRadius, MAX_SIGHT, error));
    TH_TRY(checkInt("wallCount", def->wallCount, MAX_WALLS, error));
    TH_TRY(checkFloat("wallRadius", def->wallRadius, MAX_SIGHT, error));
    TH_TRY(checkFloat("fieldOfView", def->fieldOfView, FULL_CIRCLE, error));
    TH_TRY(checkInt("needsSight", def->needsSight, 1, error));
    TH_TRY(checkFloat("arrivalDistance", def->arrivalDistance, 100.0f, error));
    TH_TRY(checkInt("arrival", (int32_t)def->arrival, th_arrivalAgain, error));
    TH_TRY(checkFloat("radius", def->radius, 100.0f, error));
    TH_TRY(checkFloat("prefSpeed", def->prefSpeed, 100.0f, error));
    TH_TRY(checkFloat("maxSpeed", def->maxSpeed, 100.0f, error));
    TH_TRY(checkFloat("maxAccel", def->maxAccel, 1e6f, error));
    TH_TRY(checkFloat("yield", def->yield, 1000.0f, error));
    TH_TRY(checkInt("keep", (int32_t)def->keep, th_keepNone, error));
    TH_TRY(checkFloat("patience", def->patience, 60.0f, error));
    TH_TRY(checkFloat("slowness", def->slowness, 1.0f, error));
    return checkFloat("turnAside", def->turnAside, 0.5f * TH_PI, error);
}

static thResult makeShape(const thProfileDef* def, thBodyShape* shape, thError* error)
{
    *shape = (thBodyShape){0};
    if (def->shape == NULL && def->shapeCount == 0)
        return th_resultOk;
    if (def->shape == NULL)
        return thiFail(error, th_resultBadArgument, "shape is NULL, expected %d points",
                       (int)def->shapeCount);
    return thMakeBodyShape(def->shape, def->shapeCount, shape, error);
}

// The method's own struct of parameters, so that it is aligned and stays as it is now.
static thResult copyParams(thWorld* world, const thMethodUse* use, thMethodInUse* inUse)
{
    const size_t size = inUse->method->paramSize;
    if (size == 0)
        return th_resultOk;
    inUse->params = thiAllocateZero(world->account, size);
    if (inUse->params == NULL)
        return th_resultNoMemory;
    const void* source = use->params != NULL ? use->params : inUse->method->defaults;
    if (source != NULL)
        memcpy(inUse->params, source, size);
    return th_resultOk;
}

static thResult makeMethod(thWorld* world, int32_t slot, thMethodKind kind, const thMethodUse* use,
                           thMethodInUse* inUse, thError* error)
{
    const thMethod* method = thiFindMethod(world, kind, use->name, error);
    if (method == NULL)
        return th_resultUnavailable;
    inUse->method = method;
    TH_TRY(copyParams(world, use, inUse));
    if (method->validate != NULL)
        TH_TRY(method->validate(inUse->params, error));
    thMethodHost host = thiMethodHost(world, slot, kind);
    TH_TRY(thiJoinCommon(world, kind, method, &host.common));
    inUse->hasCommon = method->createCommon != NULL;
    if (method->create != NULL)
        return method->create(&host, inUse->params, &inUse->shared);
    inUse->shared = host.common;
    return th_resultOk;
}

static void freeMethod(thWorld* world, thMethodInUse* inUse)
{
    if (inUse->shared != NULL && inUse->method->create != NULL && inUse->method->destroy != NULL)
        inUse->method->destroy(inUse->shared);
    if (inUse->hasCommon)
        thiLeaveCommon(world, inUse->method);
    if (inUse->params != NULL)
        thiRelease(world->account, inUse->params, inUse->method->paramSize);
    *inUse = (thMethodInUse){0};
}

#define SEES_AGENTS (uint32_t)(th_needsNeighbors | th_needsEverybody)

// What a method sees: what its profile says, or what it asks for by itself.
static thResult makeSight(const thProfileDef* def, const thMethodInUse* use, thSight* sight,
                          thError* error)
{
    thMethodSight own = {def->neighborCount, def->neighborRadius, def->wallCount, def->wallRadius};
    if (use->method->sight != NULL)
        use->method->sight(use->params, &own);
    if (own.neighborCount < 0 || own.neighborCount > TH_MAX_NEIGHBORS || own.wallCount < 0 ||
        own.wallCount > MAX_WALLS || !thiIsBetween(own.neighborRadius, 0.0f, MAX_SIGHT) ||
        !thiIsBetween(own.wallRadius, 0.0f, MAX_SIGHT))
        return thiFail(error, th_resultBadArgument,
                       "%s asks to see %d agents within %g m and %d walls within %g m, expected at "
                       "most %d, %d and %g m",
                       use->method->name, (int)own.neighborCount, (double)own.neighborRadius,
                       (int)own.wallCount, (double)own.wallRadius, TH_MAX_NEIGHBORS, MAX_WALLS,
                       (double)MAX_SIGHT);
    *sight = (thSight){.needs = use->method->needs,
                       .neighborCount = own.neighborCount,
                       .neighborRadius = own.neighborRadius,
                       .wallCount = own.wallCount,
                       .wallRadius = own.wallRadius,
                       .fieldOfView = def->fieldOfView,
                       .needsSight = def->needsSight != 0};
    return th_resultOk;
}

// Whether two methods may look with the same eyes: neither then sees other agents or walls than it
// would by itself.
static bool seeAlike(const thSight* a, const thSight* b)
{
    const bool bothSeeAgents = (a->needs & SEES_AGENTS) != 0 && (b->needs & SEES_AGENTS) != 0;
    return a->neighborCount == b->neighborCount && a->neighborRadius == b->neighborRadius &&
           a->wallCount == b->wallCount && a->wallRadius == b->wallRadius &&
           (!bothSeeAgents || ((a->needs ^ b->needs) & th_needsEverybody) == 0);
}

// Avoidance comes first, because what it sees is looked at in divided steps too.
static thResult makeSights(thProfile* profile, thError* error)
{
    for (int32_t kind = th_methodKindCount - 1; kind >= 0; --kind) {
        thSight sight;
        TH_TRY(makeSight(&profile->def, &profile->methods[kind], &sight, error));
        int32_t at = 0;
        while (at < profile->sightCount && !seeAlike(&profile->sights[at], &sight))
            at += 1;
        if (at == profile->sightCount)
            profile->sights[profile->sightCount++] = sight;
        profile->sights[at].needs |= sight.needs;
        profile->sightOf[kind] = (uint8_t)at;
    }
    return th_resultOk;
}

void thiFreeProfile(thWorld* world, thProfile* profile)
{
    for (int32_t kind = 0; kind < th_methodKindCount; ++kind)
        freeMethod(world, &profile->methods[kind]);
    thiArrayFree(&profile->states);
    thiArrayFree(&profile->freeStates);
}

thResult thiMakeProfile(thWorld* world, int32_t slot, const thProfileDef* def, thProfile* profile,
                        thError* error)
{
    TH_TRY(checkDef(def, error));
    thBodyShape shape;
    TH_TRY(makeShape(def, &shape, error));
    *profile = (thProfile){.def = *def, .shape = shape, .reach = thiShapeReach(&shape)};
    if (def->name != NULL)
        snprintf(profile->name, sizeof profile->name, "%s", def->name);
    const thMethodUse* uses[th_methodKindCount] = {&def->plan, &def->group, &def->avoid};
    thResult code = th_resultOk;
    for (int32_t kind = 0; kind < th_methodKindCount && code == th_resultOk; ++kind) {
        thMethodInUse* inUse = &profile->methods[kind];
        code = makeMethod(world, slot, (thMethodKind)kind, uses[kind], inUse, error);
        if (code != th_resultOk)
            break;
        inUse->stateStart = profile->stateSize;
        profile->stateSize += inUse->method->stateSize;
    }
    if (code == th_resultOk)
        code = makeSights(profile, error);
    // What the pointers point to is the caller's.
    profile->def.name = NULL;
    profile->def.shape = NULL;
    profile->def.plan = profile->def.group = profile->def.avoid = (thMethodUse){NULL, NULL};
    profile->states = thiArray(world->account, (int32_t)TH_MAX(profile->stateSize, 1u));
    profile->freeStates = thiArray(world->account, sizeof(int32_t));
    if (code != th_resultOk)
        thiFreeProfile(world, profile);
    return code;
}

void thiShowShape(thWorld* world, int32_t slot)
{
    const thBodyShape* shape = &thiProfiles(world)[slot].shape;
    world->profiles.shapes.count =
        world->profiles.items.count; // so that all stay when there is more room
    TH_ITEMS(world->profiles.shapes, thBodyShape)[slot] = *shape;
    world->profiles.shapedCount += shape->count > 0;
}

thResult thiReserveProfileTables(thProfiles* profiles)
{
    const int32_t capacity = profiles->items.capacity;
    TH_TRY(thiArrayReserve(&profiles->sights, th_methodKindCount * capacity));
    TH_TRY(thiArrayReserve(&profiles->users, capacity));
    return thiArrayReserve(&profiles->shapes, capacity);
}

static thResult addProfile(thWorld* world, const thProfileDef* def, thProfileId* id, thError* error)
{
    const int32_t slotCount = thiIdPoolSlotCount(&world->profiles.ids);
    if (world->profiles.ids.firstFree < 0 && slotCount >= TH_MAX_PROFILES)
        return thiFail(error, th_resultFull, "there are %d profiles already", (int)slotCount);
    TH_TRY(thiReserveSlot(&world->profiles.ids, &world->profiles.items));
    TH_TRY(thiReserveProfileTables(&world->profiles));
    const int32_t slot =
        world->profiles.ids.firstFree >= 0 ? world->profiles.ids.firstFree : slotCount;
    thProfile profile;
    TH_TRY(thiMakeProfile(world, slot, def, &profile, error));
    id->value = thiIdPoolTake(&world->profiles.ids);
    TH_ASSERT(THRONG_SLOT(*id) == slot);
    world->profiles.items.count = thiIdPoolSlotCount(&world->profiles.ids);
    thiProfiles(world)[slot] = profile;
    thiShowShape(world, slot);
    return th_resultOk;
}

thResult thCreateProfile(thWorld* world, const thProfileDef* given, thProfileId* id, thError* error)
{
    TH_REQUIRE(id != NULL, th_resultBadArgument);
    *id = (thProfileId){0};
    TH_REQUIRE(world != NULL && !world->stepping, th_resultBadArgument);
    thProfileDef def = thDefaultProfileDef();
    TH_REQUIRE(thiReadDef(&def, given, sizeof def, sizeof def), th_resultBadArgument);
    thError unheard = {0};
    const thResult code = addProfile(world, &def, id, error != NULL ? error : &unheard);
    if (code == th_resultNoMemory)
        return thiFail(error, code, "no memory for a profile");
    // Whoever passes an error takes care of it: a scene file may be wrong without a bug in its
    // reader.
    if (error == NULL && code != th_resultOk)
        thiAssertFailed(unheard.text, __FILE__, __LINE__);
    return code;
}

thResult thDestroyProfile(thWorld* world, thProfileId id)
{
    TH_REQUIRE(world != NULL && !world->stepping, th_resultBadArgument);
    const int32_t slot = thiIdPoolFind(&world->profiles.ids, id.value);
    TH_REQUIRE(slot >= 0, th_resultBadArgument);
    thProfile* profile = &thiProfiles(world)[slot];
    TH_REQUIRE(profile->agentCount == 0, th_resultBadArgument);
    world->profiles.shapedCount -= profile->shape.count > 0;
    thiFreeProfile(world, profile);
    thiIdPoolGiveBack(&world->profiles.ids, id.value);
    return th_resultOk;
}
