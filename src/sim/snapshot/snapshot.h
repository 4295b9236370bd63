// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The format of snapshots, which hold everything that decides a world's future. In this order:
//
//     magic, format version, size | general, profiles, goals, roadmaps, obstacles, gates,
//     agents, commands | checksum
//
// Each of the kinds starts with its pool of ids; what lives follows in the order of slots, so the
// bytes do not depend on how rows lie. Methods' parameters and agents' own bytes are as methods
// keep them in memory.

#ifndef THRONG_SRC_SIM_SNAPSHOT_H
#define THRONG_SRC_SIM_SNAPSHOT_H

#include "sim/snapshot/stream.h"
#include "sim/world_internal.h"

// Changes whenever the layout does.
#define TH_SNAPSHOT_VERSION 10u

// snapshot_load.c. Reads the part between header and checksum into an empty content; on failure
// what was built so far can be freed.
thResult thiLoadContent(thWorld* world, thReader* from, thError* error);

#endif
