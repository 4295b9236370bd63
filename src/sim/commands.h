// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The queue of commands: changes that any thread may ask for at any time.

#ifndef THRONG_SRC_SIM_COMMANDS_H
#define THRONG_SRC_SIM_COMMANDS_H

#include "base/memory.h"
#include "throng/world.h"

// A command in the queue, and what it is sorted by.
typedef struct thQueued {
    thCommand command;
    uint64_t key; // of the agent it concerns, or slot of the obstacle; set when carried out
} thQueued;

// Commands wait in one array while those of the other are carried out.
typedef struct thCommandQueue {
    thArray waiting; // thQueued, as they came
    thArray atWork;  // thQueued, being carried out; between steps, creations that found no memory
} thCommandQueue;

// Carries out what was queued.
void thiCarryOutCommands(thWorld* world);
// Whether a command makes sense by itself.
bool thiIsCommand(const thCommand* command);

#endif
