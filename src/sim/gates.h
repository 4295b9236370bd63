// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Gates: lines that let through so many agents a second.
//
// A gate has an allowance, at most 1 between steps. In a step it grows by what the gate lets
// through in that time; of those who could come over the line so many are let as it has whole
// ones, and the others are held: whatever pushes them, they stay on their side. Who then crosses
// uses up one.

#ifndef THRONG_SRC_SIM_GATES_H
#define THRONG_SRC_SIM_GATES_H

#include "base/id_pool.h"
#include "base/memory.h"
#include "move/gate_lines.h"
#include "throng/gate.h"

typedef struct thGate {
    thPoint a, b;
    int32_t level;
    float capacity;         // [1/(m s)]
    double allowance;       // how many may pass
    double allowanceBefore; // before the step
    uint64_t passed, passedBefore;
} thGate;

// Somebody who may come over the line of a gate in this part of a step.
typedef struct thNearGate {
    int32_t gate; // slot
    int32_t row;
    uint64_t key;
    double order;   // when it crosses [s], or how far it is [units]
    int32_t line;   // that holds it; −1: it may pass
    bool isCarried; // by a mover: gates do not hold it
    bool crosses;   // if it goes as it has chosen
} thNearGate;

typedef struct thGates {
    thIdPool ids;
    thArray items;     // thGate by slot
    thArray stretches; // uint8_t: stretches of rows from which somebody may come to a gate
    thArray near;      // thNearGate
    thArray lines;     // thGateLine
    thArray firstLine; // int32_t by row: thGateLines.first; all −1 but while bodies are moved
} thGates;

static inline thGate* thiGateAt(const thGates* gates, int32_t slot)
{
    return &TH_ITEMS(gates->items, thGate)[slot];
}

static inline bool thiHasGates(const thGates* gates)
{
    return gates->ids.used > 0;
}

// gates.c.

thGates thiInitGates(thMemory* memory);
void thiFreeGates(thGates* gates);
// Whether a gate is possible but for its level.
bool thiIsGate(const thGate* gate);
// Part of the world's state hash: 0 of gates that would let one pass.
uint64_t thiGatesHash(const thGates* gates);

// step/gate_keeping.c.

// Room for all rows; none in worlds without gates.
thResult thiReserveGates(thWorld* world);
// What a step that fails goes back to; and going back.
void thiKeepGates(thGates* gates);
void thiUndoGates(thGates* gates);
// Before bodies are pushed apart, with targets among walls and movers: who is held is, and its
// target is on its own side.
thResult thiHoldAtGates(thWorld* world, float dt);
// Who is held by what; valid until thiPassGates.
thGateLines thiGateLines(const thGates* gates);
// When all targets are final: counts who crosses.
void thiPassGates(thWorld* world);

#endif
