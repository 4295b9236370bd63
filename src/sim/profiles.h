// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Profiles and their methods: what kinds of agents there are, and what each of them does in a step.

#ifndef THRONG_SRC_SIM_PROFILES_H
#define THRONG_SRC_SIM_PROFILES_H

#include "base/array.h"
#include "base/id_pool.h"
#include "space/sense.h"
#include "throng/world.h"

#define TH_NAME_SIZE THRONG_NAME_SIZE
// Rows hold a profile as 16 bits.
#define TH_MAX_PROFILES (UINT16_MAX + 1)

// A method as a profile uses it.
typedef struct thMethodInUse {
    const thMethod* method;
    void* params;        // paramSize bytes; NULL when that is 0
    void* shared;        // what `create` made
    uint32_t stateStart; // of the method's bytes within an agent's state
} thMethodInUse;

typedef struct thProfile {
    thProfileDef def; // its pointers are not used
    thBodyShape shape;
    float reach; // of its furthest corner [m; 0: no shape]
    char name[TH_NAME_SIZE];
    thSight sight;
    thMethodInUse methods[th_methodKindCount];
    uint32_t stateSize; // all methods together, per agent; a multiple of 8
    thArray states;     // stateSize bytes per item; rows hold the index, -1 when that is 0
    thArray freeStates; // int32_t: items that are free; has room for all of them
    int32_t agentCount;
    int32_t joining; // used while agents are created: how many this profile gets
} thProfile;

// What profiles there are, and what of them methods see as arrays.
typedef struct thProfiles {
    thIdPool ids;
    thArray items;       // thProfile by slot
    thArray sights;      // const thSight* by slot: room for as many as there are profiles
    thArray shapes;      // thBodyShape by slot: likewise
    int32_t shapedCount; // profiles that have a shape
} thProfiles;

// profiles.c.

// Checks a definition and makes a profile for a slot; it is in no array yet.
thResult thiMakeProfile(thWorld* world, int32_t slot, const thProfileDef* def, thProfile* profile,
                        thError* error);
void thiFreeProfile(thWorld* world, thProfile* profile);
// Puts the shape of a profile that has come where methods see it.
void thiShowShape(thWorld* world, int32_t slot);

// agents.c.

// Room for the methods' bytes of that many more agents of a profile.
thResult thiReserveStates(thProfile* profile, int32_t more);
// An item of a profile's states, cleared; -1 when agents of the profile have none. Needs room.
int32_t thiTakeState(thProfile* profile);

// methods.c.

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
// What methods get to create what they share: memory is charged to the world.
thMethodHost thiMethodHost(const thWorld* world, int32_t profile, thMethodKind kind);

#endif
