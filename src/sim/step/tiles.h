// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The parallel loop over tiles: rows that stand together sense, plan, group, unjam and avoid, while
// their lists sit in the cache.

#ifndef THRONG_SRC_SIM_TILES_H
#define THRONG_SRC_SIM_TILES_H

#include "sim/world_internal.h"

// What tests record about each row; allocated only for them.
typedef struct thTileTrace {
    int32_t capacity;
    uint64_t* sense; // a hash of neighbours, walls and movers
    float *guideX, *guideY, *remaining;
} thTileTrace;

// Looks on while methods work: called after each `solve`.
typedef struct thTileWatch {
    void* context;
    void (*solved)(void* context, const thBatch* batch, const thMethodInUse* use,
                   thMethodKind kind);
} thTileWatch;

// What planners and group methods have said in a step, by slot, for when avoidance is asked again
// (in steps that are divided, rows are put in order anew), and for those with a shape who stand and
// turn to where they want to go.
typedef struct thGuidance {
    thVec2 guide, corner;
    float remaining;
    float change; // of velocity, chosen in this step so far [m/s]
    uint8_t answer;
} thGuidance;

// Makes room for all agents if a step may be divided or somebody has a shape, and none otherwise.
thResult thiReserveGuidance(thWorld* world);

// Whether there is room for it.
static inline bool thiKeepsGuidance(const thWorld* world)
{
    return world->guidance.count > 0;
}

// Runs the methods of all profiles over the frame; velocities go to outVx and outVy. `trace` may be
// NULL. th_resultNoMemory when a worker had none; the velocities are then not to be used.
thResult thiRunTiles(thWorld* world, const thFrame* frame, const thTileTrace* trace);

// The same for the rest of a step of `stepDt`, with the guidance that thiRunTiles has left: only
// what agents sense, and avoidance.
thResult thiAvoidAgain(thWorld* world, const thFrame* frame, float stepDt,
                       const thTileTrace* trace);

// How long velocities of the last run are good for, as methods say. [s]
float thiShortestInterval(const thWorld* world);

// The whole for one row alone, of an agent that methods move, with somebody who looks on.
thResult thiRunRow(thWorld* world, const thFrame* frame, int32_t row, const thTileWatch* watch);

#endif
