// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// An explanation while it is made: lists that grow, and an arena for what they point to.

#ifndef THRONG_SRC_SIM_EXPLANATION_H
#define THRONG_SRC_SIM_EXPLANATION_H

#include "base/arena.h"
#include "base/array.h"
#include "throng/explain.h"

struct thExplanation {
    thMemory memory; // everything but this struct itself
    thArena arena;   // points and texts
    thArray agents;  // thSeenAgent
    thArray walls;   // thSeenWall
    thArray movers;  // thSeenMover
    thArray marks;   // thMark
    thMethodKind by; // whose turn it is to add marks
    bool outOfMemory;
    thExplanationView view; // the lists are not in it
};

// NULL when memory is out.
thExplanation* thiCreateExplanation(const thAllocator* allocator);

// One more item of a list; NULL, and a note of it, when memory is out.
void* thiExplanationItem(thExplanation* explanation, thArray* list);

// Points in memory of the explanation's own. NULL for none, and when memory is out, which is noted.
const thVec2* thiExplanationPoints(thExplanation* explanation, const thVec2* points, int32_t count);

#endif
