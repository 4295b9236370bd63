// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Profiles and their methods: what kinds of agents there are, and what each of them does in a step.

#ifndef THRONG_SRC_SIM_PROFILES_H
#define THRONG_SRC_SIM_PROFILES_H

#include "base/id_pool.h"
#include "base/memory.h"
#include "space/sense.h"
#include "throng/world.h"

#define TH_NAME_SIZE THRONG_NAME_SIZE
// Rows hold a profile as 16 bits.
#define TH_MAX_PROFILES (UINT16_MAX + 1)

// A method as a profile uses it.
typedef struct thMethodInUse {
    const thMethod* method;
    void* params;        // paramSize bytes; NULL when that is 0
    void* shared;        // what `create` made, or what is common where there is no `create`
    bool hasCommon;      // it takes part in what its method's profiles have in common
    uint32_t stateStart; // of the method's bytes within an agent's state
} thMethodInUse;

// What all profiles share that use a method which has something in common.
typedef struct thMethodCommon {
    const thMethod* method;
    thMethodKind kind;
    void* data;
    int32_t users; // profiles; 0: the place is free
} thMethodCommon;

typedef struct thProfile {
    thProfileDef def; // its pointers are not used
    thBodyShape shape;
    float reach; // of its furthest corner [m; 0: no shape]
    char name[TH_NAME_SIZE];
    // What methods see. Those that see alike share one; the first is that of avoidance.
    thSight sights[th_methodKindCount];
    int32_t sightCount;
    uint8_t sightOf[th_methodKindCount];
    thMethodInUse methods[th_methodKindCount];
    bool leavesAlone;     // its methods need not be asked about agents at rest
    uint32_t stateSize;   // all methods together, per agent; a multiple of 8
    thArray states;       // stateSize bytes per item; rows hold the index, -1 when that is 0
    thArray freeStates;   // int32_t: items that are free; has room for all of them
    int32_t agentCount;
    int32_t joining; // used while agents are created or sorted: how many this profile gets
} thProfile;

// What profiles there are, and what of them methods see as arrays.
typedef struct thProfiles {
    thIdPool ids;
    thArray items;       // thProfile by slot
    thArray sights;      // const thSight* by slot, once for each number of a sight
    thArray shapes;      // thBodyShape by slot
    thArray commons;     // thMethodCommon
    thArray users;       // thMethodUser: while something common is prepared
    int32_t shapedCount; // profiles that have a shape
} thProfiles;

// Checks a definition and makes a profile for a slot; it is in no array yet.
thResult thiMakeProfile(thWorld* world, int32_t slot, const thProfileDef* def, thProfile* profile,
                        thError* error);
void thiFreeProfile(thWorld* world, thProfile* profile);
// A method for the agents of a profile; what was made of it is freed in any case. Fails as
// thCreateProfile does.
thResult thiMakeMethod(thWorld* world, int32_t slot, thMethodKind kind, const thMethodUse* use,
                       thMethodInUse* inUse, thError* error);
void thiFreeMethod(thWorld* world, thMethodInUse* inUse);
// What all who use a method have in common; NULL: nothing.
void* thiCommonOf(const thWorld* world, const thMethod* method);
// Room in the tables for all profiles that `items` has room for.
thResult thiReserveProfileTables(thProfiles* profiles);
// Puts the shape of a profile that has come where methods see it.
void thiShowShape(thWorld* world, int32_t slot);

// The methods that come with the library, the default of its kind first, NULL after the last.
const thMethod* const* thiBuiltInMethods(thMethodKind kind);
// The method of that name (NULL: the default of its kind). Fills `error` and returns
// NULL when there is none.
const thMethod* thiFindMethod(const thWorld* world, thMethodKind kind, const char* name,
                              thError* error);
// Copies a host's method, however old its struct is. False, and told to the assertion hook, if it
// is none.
bool thiCopyMethod(thMethodKind kind, const thMethod* given, thMethod* full);
// "plan", "group", "avoid".
const char* thiMethodKindName(thMethodKind kind);
// What methods of that kind and later ones do before the batches of a step.
thResult thiPrepareMethods(thWorld* world, const thFrame* frame, thMethodKind firstKind);

// agents.c.

// Room for the methods' bytes of that many more agents of a profile.
thResult thiReserveStates(thProfile* profile, int32_t more);
// An item of a profile's states, cleared; -1 when agents of the profile have none. Needs room.
int32_t thiTakeState(thProfile* profile);
// Takes it back; −1 is nothing.
void thiGiveBackState(thProfile* profile, int32_t index);

#endif
