// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The pace of people: the stage `pace` of a step, after avoidance. Avoidance keeps bodies apart;
// somebody ahead at the same velocity forbids it nothing, so a dense crowd would walk as fast as a
// sparse one. People keep a time between themselves and whoever is ahead:
//
//     speed ≤ v + follow · max(0, w − v),   v = max(0, gap − 0.05 m) / timeGap
//
// gap is the way until both bodies would touch, of which people who stand keep a little; w how fast
// the one ahead goes the same way. So nobody comes nearer than the time allows, and who sees the
// one ahead move off goes with him. Nor does anybody who has a goal go faster than it prefers
// because of those behind.
//
// Ahead is who wants the same way (within 45°) and whose centre lies within `width` of both radii
// of the line along which the agent is to move. Where people have met others who are against them,
// within four seconds, or wait because of them, neither they nor those behind them keep their pace:
// jams are pressed through, see sim/jam/jams.h. Directions are not changed.

#ifndef THRONG_SRC_SIM_PACE_H
#define THRONG_SRC_SIM_PACE_H

#include "sim/jam/jams.h"
#include "simd/dispatch.h"

#define TH_PACE_STANDS 0.05f // gap that is left to somebody ahead [m]

typedef struct thPaceTask {
    const thPace* pace; // the profile's; its time gap is not 0
    float needed;       // share of the time gap that the method does not keep by itself
    const thJams* jams;
    const thBatch* batch;
} thPaceTask;

typedef void thPaceFcn(const thPaceTask* task);
TH_KERNEL_DECLARE(thiPaceLanes, void, (const thPaceTask* task));

// Slows the agents of a batch down, whose velocities avoidance has chosen.
void thiPace(const thJams* jams, const thPace* pace, float needed, const thBatch* batch,
             thSimd simd);

#endif
