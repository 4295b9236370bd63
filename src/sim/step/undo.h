// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What a step that fails goes back to. Until bodies move, a step writes only to places of its own,
// but for the bytes that methods keep for agents and for what agents show about jams. A step that
// is divided moves bodies more than once, and any part of it but the first may find no memory.

#ifndef THRONG_SRC_SIM_UNDO_H
#define THRONG_SRC_SIM_UNDO_H

#include "sim/world_internal.h"

// How far a step has come.
typedef struct thStepMarks {
    bool hasStates; // the methods' bytes are kept
    bool hasTurned; // jams are those that the step has made
    bool hasGates;  // gates are kept, and may have changed since
    bool hasPlaces; // places are kept, and may have changed since
} thStepMarks;

void thiInitBefore(thBefore* before, thMemory* memory);

// Makes room for the bytes that methods keep for agents.
thResult thiReserveStatesBefore(thWorld* world);

// Makes room for places where a step may be divided or movers go in parts, and none otherwise.
thResult thiReservePlaces(thWorld* world);

// Before methods write to the bytes of agents, row by row; of all rows before the step can fail.
void thiKeepStates(thWorld* world, int32_t begin, int32_t end);
// Puts the bytes of agents into the order of rows, which have just been sorted: those of agents
// that stand together lie together. Needs the same room.
void thiSortStates(thWorld* world);
// After jams turned and before anybody moves, in a step that will be divided or in which movers go
// in parts.
void thiKeepPlaces(thWorld* world);
// Where a row was then.
thPoint thiPlaceBefore(const thWorld* world, int32_t row);
// The same at the beginning of a part of the step in which movers go in parts.
void thiKeepStarts(thWorld* world);
thPoint thiStartOf(const thWorld* world, int32_t row);
float thiStartHeading(const thWorld* world, int32_t row);

// Everything as it was before the step, but for the order of rows.
void thiUndoStep(thWorld* world, const thStepMarks* marks);

#endif
