// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What planners and group methods have said in a step, by slot, for when avoidance is asked again
// (in steps that are divided, rows are put in order anew), and for those with a shape who stand and
// turn to where they want to go.

#ifndef THRONG_SRC_SIM_HELD_GUIDES_H
#define THRONG_SRC_SIM_HELD_GUIDES_H

#include "sim/world_internal.h"

typedef struct thHeldGuide {
    thVec2 guide, corner;
    float remaining;
    float change; // of velocity, chosen in this step so far [m/s]
    uint8_t answer;
} thHeldGuide;

// Makes room for all agents if a step may be divided or somebody has a shape, and none otherwise.
thResult thiReserveGuides(thWorld* world);

// Whether there is room for them.
static inline bool thiHoldsGuides(const thWorld* world)
{
    return world->guides.count > 0;
}

void thiHoldGuides(const thWorld* world, const thBatch* batch);
// Adds what avoidance has chosen.
void thiHoldChanges(const thWorld* world, const thBatch* batch);
// Of a step of `dt`, of which the batch's frame is the rest: limits of acceleration leave what they
// allow in the whole step, less what has been chosen in it. False when memory is out.
bool thiRecallGuides(const thWorld* world, thBatch* batch, float dt);

#endif
