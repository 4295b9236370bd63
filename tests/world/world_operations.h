// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Random operations on a world and on its model.

#ifndef THRONG_TESTS_WORLD_WORLD_OPERATIONS_H
#define THRONG_TESTS_WORLD_WORLD_OPERATIONS_H

#include "gear/allocators.h"
#include "gear/property.h"
#include "world/world_model.h"

#define SNAPSHOT_BYTES (1 << 20)
#define FIRST_OWN_KEY (UINT64_C(1) << 40) // of those that the world gives

typedef struct Snapshot {
    size_t size;
    uint8_t bytes[SNAPSHOT_BYTES];
} Snapshot;

typedef struct Play {
    thGenerator* g;
    thTestAllocator allocator;
    thWorld* world;
    Model model;
    uint64_t maxBytes;
    int32_t number;     // of operations so far
    int32_t opening;    // so many furnish the world
    int32_t crowd;      // how many agents there should be
    bool flaky;         // single allocations fail
    bool canRestore;    // `saved` holds something
    Snapshot saved;     // an earlier state of the world
    Model savedModel;   // and of the model
    Snapshot before;    // the world before an operation that must not change it
    Snapshot after;     // and behind it
    const char* doing;  // name of the operation
    int64_t failures;   // calls that memory was missing for
    int64_t operations; // that did something
} Play;

// A new world with the methods of world_senses.h. NULL when memory is missing.
thWorld* openWorld(Play* play, int32_t workerCount, thSimd simd);

// One of the instruction sets of this machine.
thSimd drawSimd(thGenerator* g);

// Listens to the assertion hook; how often it spoke since it was last asked.
void listenToHook(void);
int32_t heardFromHook(void);

// Does something and checks everything. False if something is wrong; the model says what.
bool playOperation(Play* play);

// Calls that must be refused: bad arguments, stale ids, things in use.
bool playBadCall(Play* play);

// The definitions that operations use, with random content that is valid. The points are static:
// they hold until the next call.
thProfileDef drawProfileDef(Play* play, ModelProfile* profile);
thAgentDef drawAgentDef(Play* play);
thVec2 drawPosition(thGenerator* g);

bool oneIn(thGenerator* g, uint32_t n);
thVec2 drawVelocity(thGenerator* g, float most);
int32_t drawLevel(thGenerator* g);
// A whole number of quarters.
float quarters(thGenerator* g, int32_t low, int32_t high);

// A random one of those that live, -1 if there is none.
int32_t pickAgent(Play* play);
int32_t pickGoal(Play* play);
int32_t pickProfile(Play* play);
int32_t pickObstacle(Play* play);

// An id that names nothing: null, one that is no more, or one that never was.
uint64_t drawStaleId(Play* play, int32_t kind);

bool saveSnapshot(Play* play, const thWorld* world, Snapshot* to);
bool sameSnapshots(const Snapshot* a, const Snapshot* b);

// The operations.

typedef enum Outcome { out_done, out_skipped, out_noMemory, out_wrong } Outcome;

// Notes what is wrong.
Outcome wrong(Play* play, const char* what);

// After a call: goes on only if it succeeded.
#define CHECK_RESULT(play, code)                                                                   \
    do {                                                                                           \
        const thResult checkedCode = (code);                                                       \
        if (checkedCode == th_resultNoMemory && (play)->model.scarce)                              \
            return out_noMemory;                                                                   \
        if (checkedCode != th_resultOk)                                                            \
            return wrong(play, thResult_GetText(checkedCode));                                     \
    } while (0)

Outcome createProfile(Play* play);
Outcome destroyProfile(Play* play);
Outcome createGoal(Play* play);
Outcome destroyGoal(Play* play);
Outcome moveGoal(Play* play);
Outcome createObstacle(Play* play);
Outcome destroyObstacle(Play* play);
Outcome changeObstacle(Play* play);
Outcome createAgent(Play* play);
Outcome createAgents(Play* play);
Outcome destroyAgents(Play* play);
Outcome changeAgent(Play* play);
Outcome setPlace(Play* play);
Outcome setWishes(Play* play);
Outcome setKinematics(Play* play);
Outcome reserve(Play* play);
Outcome queue(Play* play);
Outcome ask(Play* play);
Outcome castRay(Play* play);
Outcome askWhetherFree(Play* play);

#endif
