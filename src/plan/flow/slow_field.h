// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How a crowd slows paths down: |∇left| = slowness over the nodes of a field that is done. The
// slowness is 1 plus a multiple of the density of agents. Fast marching of first order, with the
// field factored out, so that without a crowd its lengths come out again.

#ifndef THRONG_SRC_PLAN_SLOW_FIELD_H
#define THRONG_SRC_PLAN_SLOW_FIELD_H

#include "plan/flow/eikonal.h"

typedef struct thSlowField {
    thMemory* memory;
    const thEikonal* lengths; // must outlive it; NULL: there is no such field
    int32_t blockNodes;       // agents are counted in squares of so many nodes, about a metre wide
    int32_t blockColumns, blockRows;
    int32_t* counts; // of each block
    float weight;    // slowness for each agent in a block
    float* left;     // of each node: what its path costs [m]; infinite where none is known
    uint8_t* isSettled;
    thArray heap;
    int64_t settled; // nodes so far
    bool isStarted;  // counts are complete
    bool done;
} thSlowField;

// A field without agents. `crowding`: slowness for each agent in a square metre. [m²]
// th_resultNoMemory leaves nothing to free.
thResult thiSlowFieldBegin(thMemory* memory, const thEikonal* lengths, float crowding,
                           thSlowField* field);
void thiSlowFieldFree(thSlowField* field);

static inline int32_t thiBlockCount(const thSlowField* field)
{
    return field->blockColumns * field->blockRows;
}

// Counts an agent, if it is in the grid. Before the first march.
void thiSlowFieldCount(thSlowField* field, thPoint p);

// Settles nodes until `*count` are used up, and takes them off. What comes out does not depend on
// how the work is cut.
thResult thiSlowFieldMarch(thSlowField* field, int64_t* count);

#endif
