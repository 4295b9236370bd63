// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

/// @file
/// Gates: lines that let through no more than so many agents per metre and second, as codes and
/// tests of evacuation ask of doors. Who may not pass yet stops at the line, and may walk along it;
/// others queue behind. Planners do not know of gates.

#ifndef THRONG_GATE_H
#define THRONG_GATE_H

#include "throng/world.h"

/// How a gate is created.
typedef struct thGateDef {
    /// Size of this struct. [bytes, set by thDefaultGateDef]
    uint32_t size;
    /// One end. [m]
    thVec2 a;
    /// The other end, not the same place. [m]
    thVec2 b;
    /// Floor. [0 .. 65535, default 0]
    int32_t level;
    /// How many may cross it, per metre of its length and second, in both directions together.
    /// [1/(m s), 0 .. 1e6, default 1.33; 0: nobody]
    float capacity;
} thGateDef;

/// A definition with every field at its default.
THRONG_API thGateDef thDefaultGateDef(void);

/// Creates a gate. It has an allowance of one agent at first, which grows by capacity × length a
/// second while it is less than that; who crosses uses up one, and nobody crosses on less than one.
/// So in any stretch of time no more pass than one, and capacity × length × time. An agent crosses
/// when its centre does. Those who are ready to cross go in the order in which they would reach the
/// line. Moving obstacles may carry agents over it all the same, who count and are waited for
/// afterwards; agents that the host moves do not count.
THRONG_API thResult thCreateGate(thWorld* world, const thGateDef* def, thGateId* id);

/// Destroys a gate.
THRONG_API thResult thDestroyGate(thWorld* world, thGateId id);

/// Sets how many may cross from now on. [1/(m s), 0 .. 1e6]
THRONG_API thResult thGate_SetCapacity(thWorld* world, thGateId id, float capacity);

/// How many have crossed so far, in both directions together; 0 for a stale id.
THRONG_API uint64_t thGate_GetPassed(const thWorld* world, thGateId id);

#endif
