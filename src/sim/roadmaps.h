// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Roadmaps as they were described: nodes and edges, or a rule that planners follow.

#ifndef THRONG_SRC_SIM_ROADMAPS_H
#define THRONG_SRC_SIM_ROADMAPS_H

#include "base/id_pool.h"
#include "base/memory.h"
#include "sim/profiles.h"
#include "throng/world.h"

typedef struct thNamedRoadmap {
    char name[TH_NAME_SIZE];
    thRoadmap view; // as planners see it
    thArray nodes;  // int32_t[4]: the ends of each
    thArray edges;  // int32_t[2]: the lower node first; ascending, each pair once
} thNamedRoadmap;

// Roadmaps as planners find them: by slot or name.
struct thRoadmaps {
    thIdPool ids;
    thArray items;     // thNamedRoadmap by slot
    uint64_t revision; // counted up by changes, never set back
};

static inline thNamedRoadmap* thiRoadmapAt(const thRoadmaps* roadmaps, int32_t slot)
{
    return &TH_ITEMS(roadmaps->items, thNamedRoadmap)[slot];
}

// An empty one, and what planners see of it when its nodes and edges are there.
void thiInitRoadmap(thWorld* world, thNamedRoadmap* item);
void thiShowRoadmap(thNamedRoadmap* item);
void thiFreeRoadmap(thNamedRoadmap* item);
// The slot of that name; −1: none.
int32_t thiFindRoadmap(const thRoadmaps* roadmaps, const char* name);
// Whether a rule is possible; those with given nodes are none.
bool thiIsRoadmapRule(const thRoadmap* map);

#endif
