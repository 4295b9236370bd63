// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Methods by name: the built-in ones and those that hosts add to a world.

#include "avoid/avoid_methods.h"
#include "base/json/json.h"
#include "group/group_methods.h"
#include "plan/plan_methods.h"
#include "sim/world_internal.h"

#include <stdio.h>
#include <string.h>

#define MAX_STATE_SIZE 4096
#define MAX_PARAM_SIZE 65536
// Names that are told where one is wrong.
#define MOST_NAMES 64
#define ALL_NEEDS                                                                                  \
    (th_needsNeighbors | th_needsEverybody | th_needsWalls | th_needsMovers | th_needsShortSteps)

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
    TH_REQUIRE(full->createCommon != NULL || full->prepareCommon == NULL, false);
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

thMethodHost thiMethodHost(const thWorld* world, int32_t profile, thMethodKind kind)
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

thResult thiJoinCommon(thWorld* world, thMethodKind kind, const thMethod* method, void** data)
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
        const thMethodHost host = thiMethodHost(world, -1, kind);
        TH_TRY(method->createCommon(&host, &common->data));
    }
    common->users += 1;
    *data = common->data;
    return th_resultOk;
}

void thiLeaveCommon(thWorld* world, const thMethod* method)
{
    thMethodCommon* common = findCommon(world, method);
    if (method->createCommon == NULL || common == NULL)
        return;
    common->users -= 1;
    if (common->users == 0 && common->data != NULL && method->destroyCommon != NULL)
        method->destroyCommon(common->data);
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
