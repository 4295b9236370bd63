// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The world from inside, made of the parts that the other headers of sim declare.
//
// Public functions check their arguments and call what is declared in these headers; internal code
// never calls a public function that changes a world.

#ifndef THRONG_SRC_SIM_WORLD_INTERNAL_H
#define THRONG_SRC_SIM_WORLD_INTERNAL_H

#include "base/machine.h"
#include "base/tasks.h"
#include "move/contact/contacts.h"
#include "sim/agents.h"
#include "sim/commands.h"
#include "sim/gates.h"
#include "sim/goals.h"
#include "sim/jam/jams.h"
#include "sim/obstacles.h"
#include "sim/profiles.h"
#include "sim/roadmaps.h"
#include "sim/step/step.h"
#include "sim/together/together.h"

typedef struct thPathFinder thPathFinder;

struct thWorld {
    thMemory memory;   // everything but this struct itself
    thMemory* account; // what the content is charged to: `memory`; while a snapshot is read into a
                       // world beside it, that of the world it is for
    thTasks* tasks;
    thSimd simd;
    bool stepping;
    bool hasContactEvents;
    thStageWatch watch;
    thArray methods[th_methodKindCount]; // const thMethod*: those that the host added
    thArray workers;                     // thWorker, one per worker of `tasks`
    thMutex commandMutex;
    thMutex wallMutex; // for queries that find the wall grid out of date

    // From here to the end: the content, which thWorld_Restore exchanges as one piece.
    uint64_t seed;
    double originX, originY;
    uint64_t step;
    bool isRestored; // and no step was made since
    bool hasContacts;
    thProfiles profiles;
    thGoals goals;
    thRoadmaps roadmaps;
    thObstacles obstacles;
    thWorldWalls walls;
    thMoverColumns movers;
    thGates gates;
    thAgents agents;
    thContacts* contacts;
    thJams jams; // of worlds with contacts
    thTogether together;
    thStepOutput output;
    thRowScratch scratch;
    thArray guidance; // thGuidance by slot (tiles.h); empty where nobody needs it
    thBefore before;  // what a step that fails goes back to
    thArray events;   // thEvent of the last step, in key order
    thCommandQueue queue;
    thCounters counters;
    thPathFinder* finder; // of paths that hosts ask for; NULL: none was asked for
};

// path_finder.c.
void thiFreePathFinder(thWorld* world);

// The rows in use. Their columns may be written, but only who creates or sorts agents changes how
// many there are.
static inline const thRows* thiRows(const thWorld* world)
{
    return &world->agents.rows[world->agents.current];
}

// What is known of the nearest wall of each row; NULL: nothing is kept.
static inline float* thiKnownWalls(const thWorld* world)
{
    return world->hasContacts ? thiContactWalls(world->contacts) : NULL;
}

static inline thTold thiTold(const thWorld* world, int32_t row)
{
    const int32_t slot = thiRows(world)->slot[row];
    const thToldBits bits = TH_ITEMS(world->agents.told, thToldBits)[slot];
    return (thTold){TH_ITEMS(world->agents.left, float)[slot], bits.status, bits.answer,
                    bits.isKnown != 0, bits.isBent != 0};
}

static inline void thiTell(thWorld* world, int32_t slot, thTold told)
{
    TH_ITEMS(world->agents.left, float)[slot] = told.remaining;
    TH_ITEMS(world->agents.told, thToldBits)
    [slot] = (thToldBits){told.status, told.answer & 15u, told.isKnown, told.isBent};
}

static inline thProfile* thiProfiles(const thWorld* world)
{
    return TH_ITEMS(world->profiles.items, thProfile);
}

static inline thObstacle* thiObstacles(const thWorld* world)
{
    return TH_ITEMS(world->obstacles.items, thObstacle);
}

// world.c. An empty content with its own grids; th_resultNoMemory leaves nothing behind.
thResult thiInitContent(thWorld* world);
void thiFreeContent(thWorld* world);
// Room for one more id, and for an item of each slot.
thResult thiReserveSlot(thIdPool* ids, thArray* items);

#endif
