// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Profiles, which are what agents of one kind have in common, and the methods they use: the
// built-in ones and those that hosts add to a world, by name.

#include "avoid/avoid_methods.h"
#include "base/json/json.h"
#include "group/group_methods.h"
#include "plan/plan_methods.h"
#include "sim/ranges.h"
#include "sim/step/turning.h"
#include "sim/world_internal.h"

#include <stdio.h>
#include <string.h>

#define MAX_STATE_SIZE 4096
#define MAX_PARAM_SIZE 65536
// Names that are told where one is wrong.
#define MOST_NAMES 64
#define ALL_NEEDS                                                                                  \
    (th_needsNeighbors | th_needsEverybody | th_needsWalls | th_needsMovers | th_needsShortSteps | \
     th_needsNoneAtRest | th_needsNoCopies)

const thMethod* const* thiBuiltInMethods(thMethodKind kind)
{
    switch (kind) {
    case th_methodPlan:
        return thiPlanMethods;
    case th_methodGroup:
        return thiGroupMethods;
    default:
        return thiAvoidMethods;
    }
}

const char* thiMethodKindName(thMethodKind kind)
{
    static const char* const names[th_methodKindCount] = {"plan", "group", "avoid"};
    return names[kind];
}

static int32_t methodCount(const thWorld* world, thMethodKind kind)
{
    int32_t count = 0;
    while (thiBuiltInMethods(kind)[count] != NULL)
        count += 1;
    return count + world->methods[kind].count;
}

// Built-in ones come first.
static const thMethod* methodAt(const thWorld* world, thMethodKind kind, int32_t index)
{
    const thMethod* const* method = thiBuiltInMethods(kind);
    for (; *method != NULL; ++method, --index)
        if (index == 0)
            return *method;
    return TH_ITEMS(world->methods[kind], const thMethod*)[index];
}

static const thMethod* lookUp(const thWorld* world, thMethodKind kind, const char* name)
{
    for (int32_t i = 0; i < methodCount(world, kind); ++i) {
        const thMethod* method = methodAt(world, kind, i);
        if (strcmp(method->name, name) == 0)
            return method;
    }
    return NULL;
}

// "no avoid method 'orka'; did you mean 'orca'?"
static void tellNames(const thWorld* world, thMethodKind kind, const char* name, thError* error)
{
    const char* names[MOST_NAMES];
    char what[16], text[sizeof error->text];
    const int32_t count = TH_MIN(methodCount(world, kind), MOST_NAMES);
    for (int32_t i = 0; i < count; ++i)
        names[i] = methodAt(world, kind, i)->name;
    snprintf(what, sizeof what, "%s method", thiMethodKindName(kind));
    thiTellUnknown(what, name, names, count, text, sizeof text);
    thiFail(error, th_resultUnavailable, "%s", text);
}

const thMethod* thiFindMethod(const thWorld* world, thMethodKind kind, const char* name,
                              thError* error)
{
    if (name == NULL)
        return thiBuiltInMethods(kind)[0];
    const thMethod* method = lookUp(world, kind, name);
    if (method == NULL && error != NULL)
        tellNames(world, kind, name, error);
    return method;
}

static bool isMethodName(const char* name)
{
    if (name == NULL)
        return false;
    const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-");
    return length > 0 && length < TH_NAME_SIZE && name[length] == '\0';
}

bool thiCopyMethod(thMethodKind kind, const thMethod* given, thMethod* full)
{
    TH_REQUIRE((uint32_t)kind < th_methodKindCount, false);
    *full = (thMethod){0};
    TH_REQUIRE(thiReadDef(full, given, sizeof *full, sizeof *full), false);
    TH_REQUIRE(isMethodName(full->name), false);
    TH_REQUIRE(full->solve != NULL, false);
    TH_REQUIRE(full->paramSize <= MAX_PARAM_SIZE, false);
    TH_REQUIRE(full->stateSize % 8 == 0 && full->stateSize <= MAX_STATE_SIZE, false);
    TH_REQUIRE((full->needs & ~(uint32_t)ALL_NEEDS) == 0, false);
    TH_REQUIRE(kind == th_methodAvoid || (full->needs & th_needsShortSteps) == 0, false);
    TH_REQUIRE((full->save == NULL) == (full->load == NULL), false);
    TH_REQUIRE(full->createCommon != NULL ||
                   (full->prepareCommon == NULL && full->destroyCommon == NULL),
               false);
    TH_REQUIRE(full->create != NULL || full->createCommon == NULL || full->save == NULL, false);
    TH_REQUIRE(full->paramCount == 0 || full->params != NULL, false);
    TH_REQUIRE(full->statusCount == 0 || full->statusNames != NULL, false);
    TH_REQUIRE(thiIsBetween(full->ownPace, 0.0f, 1.0f), false);
    return true;
}

thResult thWorld_AddMethod(thWorld* world, thMethodKind kind, const thMethod* given)
{
    TH_REQUIRE(world != NULL && !world->stepping, th_resultBadArgument);
    thMethod full;
    if (!thiCopyMethod(kind, given, &full))
        return th_resultBadArgument;
    TH_REQUIRE(lookUp(world, kind, full.name) == NULL, th_resultBadArgument);
    // Profiles keep pointers to methods, so each has a place of its own.
    thMethod* method = thiAllocate(&world->memory, sizeof *method);
    const thMethod** item = method != NULL ? thiArrayAdd(&world->methods[kind], 1) : NULL;
    if (item == NULL) {
        thiRelease(&world->memory, method, sizeof *method);
        return th_resultNoMemory;
    }
    *method = full;
    *item = method;
    return th_resultOk;
}

const thMethod* thGetBuiltInMethod(thMethodKind kind, int32_t index)
{
    TH_REQUIRE((uint32_t)kind < th_methodKindCount && index >= 0, NULL);
    const thMethod* const* methods = thiBuiltInMethods(kind);
    for (int32_t i = 0; methods[i] != NULL; ++i)
        if (i == index)
            return methods[i];
    return NULL;
}

const thMethod* thWorld_FindMethod(const thWorld* world, thMethodKind kind, const char* name)
{
    TH_REQUIRE(world != NULL && name != NULL, NULL);
    TH_REQUIRE((uint32_t)kind < th_methodKindCount, NULL);
    return lookUp(world, kind, name);
}

static void* allocateCharged(void* context, size_t size, size_t alignment)
{
    return alignment <= TH_ALIGNMENT ? thiAllocate(context, size) : NULL;
}

static void releaseCharged(void* context, void* memory, size_t size, size_t alignment)
{
    (void)alignment;
    thiRelease(context, memory, size);
}

static void* allocateForPlans(void* context, size_t size, size_t alignment)
{
    thMemory* memory = context;
    void* block = allocateCharged(context, size, alignment);
    if (block != NULL)
        atomic_fetch_add(&memory->plans, size);
    return block;
}

static void releaseOfPlans(void* context, void* block, size_t size, size_t alignment)
{
    thMemory* memory = context;
    if (block != NULL)
        atomic_fetch_sub(&memory->plans, size);
    releaseCharged(context, block, size, alignment);
}

// What methods get to create what they share: memory is charged to the world.
static thMethodHost methodHost(const thWorld* world, int32_t profile, thMethodKind kind)
{
    const bool plans = kind == th_methodPlan;
    return (thMethodHost){.size = sizeof(thMethodHost),
                          .allocator = {world->account, plans ? allocateForPlans : allocateCharged,
                                        plans ? releaseOfPlans : releaseCharged},
                          .simd = (int32_t)world->simd,
                          .profile = profile};
}

static thMethodCommon* findCommon(const thWorld* world, const thMethod* method)
{
    thMethodCommon* commons = TH_ITEMS(world->profiles.commons, thMethodCommon);
    for (int32_t i = 0; i < world->profiles.commons.count; ++i)
        if (commons[i].users > 0 && commons[i].method == method)
            return &commons[i];
    return NULL;
}

static thMethodCommon* freeCommon(thWorld* world)
{
    thMethodCommon* commons = TH_ITEMS(world->profiles.commons, thMethodCommon);
    for (int32_t i = 0; i < world->profiles.commons.count; ++i)
        if (commons[i].users == 0)
            return &commons[i];
    return thiArrayAdd(&world->profiles.commons, 1);
}

// One more profile uses a method: what all of them have in common, made for the first. Nothing has
// changed when that fails.
static thResult joinCommon(thWorld* world, thMethodKind kind, const thMethod* method, void** data)
{
    *data = NULL;
    if (method->createCommon == NULL)
        return th_resultOk;
    thMethodCommon* common = findCommon(world, method);
    if (common == NULL) {
        common = freeCommon(world);
        if (common == NULL)
            return th_resultNoMemory;
        *common = (thMethodCommon){.method = method, .kind = kind};
        const thMethodHost host = methodHost(world, -1, kind);
        TH_TRY(method->createCommon(&host, &common->data));
    }
    common->users += 1;
    *data = common->data;
    return th_resultOk;
}

// One profile less; the last one's leaving frees it.
static void leaveCommon(thWorld* world, const thMethod* method)
{
    thMethodCommon* common = findCommon(world, method);
    if (method->createCommon == NULL || common == NULL)
        return;
    common->users -= 1;
    if (common->users == 0 && common->data != NULL && method->destroyCommon != NULL)
        method->destroyCommon(common->data);
}

void* thiCommonOf(const thWorld* world, const thMethod* method)
{
    const thMethodCommon* common = findCommon(world, method);
    return common != NULL ? common->data : NULL;
}

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
                          .maxSpeed = -1.0f,
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
    if (def->maxSpeed != -1.0f)
        TH_TRY(checkFloat("maxSpeed", def->maxSpeed, 100.0f, error));
    TH_TRY(checkFloat("maxAccel", def->maxAccel, 1e6f, error));
    TH_TRY(checkFloat("yield", def->yield, 1000.0f, error));
    TH_TRY(checkInt("keep", (int32_t)def->keep, th_keepNone, error));
    TH_TRY(checkFloat("patience", def->patience, 60.0f, error));
    TH_TRY(checkFloat("slowness", def->slowness, 1.0f, error));
    TH_TRY(checkFloat("turnAside", def->turnAside, 0.5f * TH_PI, error));
    TH_TRY(checkFloat("pace.timeGap", def->pace.timeGap, 10.0f, error));
    TH_TRY(checkFloat("pace.spread", def->pace.spread, 10.0f, error));
    TH_TRY(checkFloat("pace.follow", def->pace.follow, 1.0f, error));
    TH_TRY(checkFloat("pace.width", def->pace.width, 1.0f, error));
    TH_TRY(checkFloat("together.reach", def->together.reach, MAX_SIGHT, error));
    TH_TRY(checkFloat("together.gap", def->together.gap, 10.0f, error));
    return checkInt("together.abreast", def->together.abreast, 100, error);
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

thResult thiMakeMethod(thWorld* world, int32_t slot, thMethodKind kind, const thMethodUse* use,
                       thMethodInUse* inUse, thError* error)
{
    const thMethod* method = thiFindMethod(world, kind, use->name, error);
    if (method == NULL)
        return th_resultUnavailable;
    inUse->method = method;
    TH_TRY(copyParams(world, use, inUse));
    if (method->validate != NULL)
        TH_TRY(method->validate(inUse->params, error));
    thMethodHost host = methodHost(world, slot, kind);
    TH_TRY(joinCommon(world, kind, method, &host.common));
    inUse->hasCommon = method->createCommon != NULL;
    if (method->create != NULL)
        return method->create(&host, inUse->params, &inUse->shared);
    inUse->shared = host.common;
    return th_resultOk;
}

void thiFreeMethod(thWorld* world, thMethodInUse* inUse)
{
    if (inUse->shared != NULL && inUse->method->create != NULL && inUse->method->destroy != NULL)
        inUse->method->destroy(inUse->shared);
    if (inUse->hasCommon)
        leaveCommon(world, inUse->method);
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
        thiFreeMethod(world, &profile->methods[kind]);
    thiArrayFree(&profile->states);
    thiArrayFree(&profile->freeStates);
}

// Shapes turn where they stand, and whoever sees everybody is asked about nobody beforehand.
static bool leavesAlone(const thProfile* profile)
{
    bool all = profile->shape.count == 0 && (profile->sights[0].needs & th_needsEverybody) == 0;
    for (int32_t kind = 0; kind < th_methodKindCount; ++kind)
        all = all && (profile->methods[kind].method->needs & th_needsNoneAtRest) != 0;
    return all;
}

static bool tellsChanges(const thProfile* profile)
{
    bool all = true;
    for (int32_t kind = 0; kind < th_methodKindCount; ++kind) {
        const thMethod* method = profile->methods[kind].method;
        all = all && (method->stateSize == 0 || (method->needs & th_needsNoCopies) != 0);
    }
    return all;
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
        code = thiMakeMethod(world, slot, (thMethodKind)kind, uses[kind], inUse, error);
        if (code != th_resultOk)
            break;
        inUse->stateStart = profile->stateSize;
        profile->stateSize += inUse->method->stateSize;
    }
    if (code == th_resultOk)
        code = makeSights(profile, error);
    profile->leavesAlone = code == th_resultOk && leavesAlone(profile);
    profile->tellsChanges = code == th_resultOk && tellsChanges(profile);
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

// The profiles that use it and have agents.
static int32_t listUsers(const thWorld* world, const thMethodCommon* common, thMethodUser* users)
{
    int32_t count = 0;
    for (int32_t slot = 0; slot < world->profiles.items.count; ++slot) {
        const thProfile* profile = &thiProfiles(world)[slot];
        const thMethodInUse* use = &profile->methods[common->kind];
        if (profile->agentCount > 0 && use->method == common->method)
            users[count++] = (thMethodUser){slot, use->params};
    }
    return count;
}

static thResult prepareCommons(thWorld* world, const thFrame* frame, thMethodKind firstKind)
{
    for (int32_t i = 0; i < world->profiles.commons.count; ++i) {
        const thMethodCommon* common = &TH_ITEMS(world->profiles.commons, thMethodCommon)[i];
        if (common->users == 0 || common->kind < firstKind || common->method->prepareCommon == NULL)
            continue;
        thMethodUser* users = TH_ITEMS(world->profiles.users, thMethodUser);
        const int32_t count = listUsers(world, common, users);
        if (count > 0)
            TH_TRY(common->method->prepareCommon(common->data, frame, world->tasks, users, count));
    }
    return th_resultOk;
}

thResult thiPrepareMethods(thWorld* world, const thFrame* frame, thMethodKind firstKind)
{
    TH_TRY(prepareCommons(world, frame, firstKind));
    for (int32_t slot = 0; slot < world->profiles.items.count; ++slot) {
        const thProfile* profile = &thiProfiles(world)[slot];
        if (profile->agentCount == 0)
            continue;
        for (int32_t kind = (int32_t)firstKind; kind < th_methodKindCount; ++kind) {
            const thMethodInUse* use = &profile->methods[kind];
            if (use->method->prepare != NULL)
                TH_TRY(use->method->prepare(use->shared, frame, world->tasks));
        }
    }
    return th_resultOk;
}
