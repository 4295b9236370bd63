// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Agents: where they are kept, how they come and go, and how hosts change them.
//
// Agents live in rows (space/rows.h). An id names a slot; `rowOfSlot` says where its row is now,
// and `view` holds what hosts see, in slot order. Everything a step needs is allocated when agents
// are created, so that a warm step allocates nothing.

#ifndef THRONG_SRC_SIM_AGENTS_H
#define THRONG_SRC_SIM_AGENTS_H

#include "base/id_pool.h"
#include "base/memory.h"
#include "geom/segment.h"
#include "sim/key_map.h"
#include "space/grid.h"
#include "space/rows.h"
#include "throng/world.h"

// The most there may be.
#define TH_MAX_AGENTS (1 << 28)
// The first key that the world gives by itself.
#define TH_FIRST_OWN_KEY (UINT64_C(1) << 40)
// Drift that makes queries look at every row.
#define TH_DRIFT_ANYWHERE (INT64_C(1) << 40)

// What the last step said of an agent, for hosts: it stays so when a further step fails.
typedef struct thTold {
    float remaining; // length of the path that is left, as the planner says [m]
    uint8_t status, answer;
    bool isKnown; // false: it was created since
    bool isBent;  // movers went in parts, and the straight line from where it was meets a wall
} thTold;

// The same but for what is left, as it is kept: six bytes in all.
typedef struct thToldBits {
    uint8_t status;
    uint8_t answer : 4, isKnown : 1, isBent : 1;
} thToldBits;

typedef struct thAgents {
    thIdPool ids;
    thArray rowOfSlot;    // int32_t; -1 for an empty slot
    thArray view;         // thAgentRow by slot: what hosts see
    thArray left;         // float by slot: thTold.remaining
    thArray told;         // thToldBits by slot: the rest of it
    thArray aims;         // thPoint by slot: what its goal is now; TH_NO_AIM: no plain point
    uint64_t aimMoves;    // thGoals.moves when all aims were right
    thKeyMap keys;        // key -> slot
    uint64_t nextOrdinal; // of keys given by the world: (1 << 40 | ordinal)
    thRows rows[2];
    int32_t current; // which of the two is in use
    int32_t count;   // living
    thGrid grid;     // where rows stood when they were last sorted
    int64_t drift;   // the furthest any sorted row may be from where it was sorted, in units
} thAgents;

// Whether the world moves an agent of these flags, not the host.
static inline bool thiIsMovedByWorld(uint32_t flags)
{
    return (flags & (th_agentExternal | th_agentVelocityOnly)) == 0;
}

// agents.c.

// The row of a living agent, -1 for a stale id.
int32_t thiFindRow(const thWorld* world, thAgentId id);
// Takes an agent out of everything but leaves its row as a dead one.
void thiRemoveRow(thWorld* world, int32_t row);
// How thKeyMap gets from slots to keys; the context is the world.
uint64_t thiKeyOfSlot(const void* world, int32_t slot);
// Whether an agent could be created now: everything but walls and memory.
bool thiCanCreateAgent(const thWorld* world, const thAgentDef* def);
// th_resultBlocked if it would stand in a wall.
thResult thiCreateAgent(thWorld* world, const thAgentDef* def, thAgentId* id);
// Room for that many agents in all: slots, rows, views, keys, grid.
thResult thiReserveAgents(thWorld* world, int32_t count);
// All memory for agents.
size_t thiAgentBytes(const thWorld* world);
// An agent's bytes of one method; NULL when it has none.
void* thiAgentState(const thWorld* world, int32_t row, thMethodKind kind);

// Who is to stand somewhere among the walls.
typedef struct thStand {
    uint32_t flags;
    int32_t level;
    float radius;
} thStand;
// How far from where it was to stand an agent may be put. [m]
#define TH_PLACEMENT_REACH 100.0f
// Whether somebody may stand at `place`; with th_placementNearest that becomes the nearest free
// place, if there is one. Walls must be up to date. Many threads may ask at once.
bool thiFindStand(const thWorld* world, const thStand* stand, thPlacement placement,
                  thPoint* place);
bool thiIsPlacement(thPlacement placement);

// agent_changes.c.

// Writes a row's public form to its slot.
void thiShowRow(thWorld* world, int32_t row);
// To be called where an agent's goal has become another, or the next of a list.
void thiNoteAim(thWorld* world, int32_t row);
// Looks at all goals again if one was moved.
void thiRenewAims(thWorld* world);
// Changes of one agent; arguments have been checked.
void thiSetGoal(thWorld* world, int32_t row, int32_t goal);
void thiSetWaiting(thWorld* world, int32_t row, bool waiting);
// Whether the agent's planner is `given`.
bool thiTakesVelocity(const thWorld* world, int32_t row);
void thiSetPreferredVelocity(thWorld* world, int32_t row, thVec2 velocity);

#endif
