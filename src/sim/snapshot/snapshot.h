// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Snapshots: everything that decides a world's future, in the order
//
//     magic, format version, size | general, profiles, goals, roadmaps, obstacles, agents,
//     commands | checksum
//
// Each kind of thing starts with its pool of ids; what lives follows in the order of slots, so the
// bytes do not depend on how rows lie. Methods' parameters and agents' own bytes are as methods
// keep them in memory.

#ifndef THRONG_SRC_SIM_SNAPSHOT_H
#define THRONG_SRC_SIM_SNAPSHOT_H

#include "sim/snapshot/stream.h"
#include "sim/world_internal.h"

// Changes whenever the layout does.
#define TH_SNAPSHOT_VERSION 5u

// snapshot_save.c. The part between header and checksum.
thResult thiSaveContent(const thWorld* world, thWriter* to);

// snapshot_load.c. The same, into an empty content. Every number is checked, because a checksum is
// no proof of good intentions; on failure what was built so far can be freed.
thResult thiLoadContent(thWorld* world, thReader* from, thError* error);

// snapshot_things.c. Parts of it: what agents refer to.
thResult thiLoadIdPool(thIdPool* pool, thReader* from, const char* what, int32_t maxCount,
                       thError* error);
thResult thiLoadProfiles(thWorld* world, thReader* from, thError* error);
thResult thiLoadGoals(thWorld* world, thReader* from, thError* error);
thResult thiLoadRoadmaps(thWorld* world, thReader* from, thError* error);
thResult thiLoadObstacles(thWorld* world, thReader* from, thError* error);

#endif
