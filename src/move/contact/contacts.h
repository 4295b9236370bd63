// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The contact solver: bodies that would overlap after the step are pushed apart. The result is
// verified before it is committed. Whatever the pushing does, for every pair
//
//     |end_i − end_j| >= min(lim, |p_i − p_j|),   lim = (1 − 0.009) (radius_i + radius_j)
//
// so nobody is ever deeper in anybody than 0.9 % of the sum of their radii, and overlaps that are
// there already only part. contact_rules.h has the proof. Pairs of which one could pass through the
// other within the step keep that distance at every moment of it, both going straight.
//
// The result depends on positions, targets, sizes, speeds and keys: not on the order of rows, the
// grid, the number of workers or the instruction set.

#ifndef THRONG_SRC_MOVE_CONTACTS_H
#define THRONG_SRC_MOVE_CONTACTS_H

#include "geom/segment.h"
#include "move/gate_lines.h"
#include "space/rows.h"
#include "space/walls.h"
#include "throng/simd.h"
#include "throng/tasks.h"

typedef struct thContacts thContacts;

// The most an agent's pressure can be, in halves.
#define TH_MAX_PRESSURE 16

// `workerCount` as in the tasks that will be used.
thResult thiCreateContacts(thMemory* memory, int32_t workerCount, thContacts** contacts);
void thiDestroyContacts(thContacts* contacts); // NULL is allowed

// Room for that many rows, so that steps allocate only while contacts become more.
thResult thiContactsReserve(thContacts* contacts, int32_t capacity);

// By row, as many as there is room for: the square of the distance from where an agent stands to
// the nearest wall; below 0: none is within that. To be set before a call, which adds what it finds
// out; used with walls. [m²]
float* thiContactWalls(const thContacts* contacts);
#define TH_NO_WALL_KNOWN (-0.0f) // there may be one anywhere

// Nobody goes further in a step, along x or y: 1 km, as the fastest agent in the longest step.
#define TH_LONGEST_MOVE (1 << 26)

typedef struct thContactTask {
    // Agents where they stand before the step; dead rows (flags 0) are left out. External and
    // velocity-only agents stay, and push others. Two that take no notice of each other, by layers
    // and masks of both, do not touch.
    const thRows* rows;
    // By row. In: where each agent would go, at most 1 km away, reached with thiSlide from where it
    // stands. Out: where it goes, reached likewise. When the call fails, nobody must be moved.
    // Kernels may read TH_MAX_WIDTH beyond the last.
    int32_t *x, *y;
    // By row: how often an agent had to be held back lately, in halves; saved state, starts at 0.
    // See thiContactRelief. NULL: is left as it is, as by all parts of a step but its last.
    uint16_t* pressure;
    // By row: where those who wait or have no goal came to stand; INT32_MIN: nowhere. Nobody pushes
    // them further from there than a body's width, nor those who hold. NULL: all may be pushed.
    const thPoint* rest;
    // Who must not cross which lines, wherever others push it; nor do targets lead it over them.
    thGateLines gates;
    const thWallGrid* walls;
    float dt;
    uint64_t step; // its number: piles of agents are dissolved in turns
    thSimd simd;
} thContactTask;

typedef struct thContactStats {
    int64_t contacts; // pairs that were pushed apart
    int32_t rounds;   // of pushing
    int32_t cuts;     // agents that were held back because pushing had not separated them
} thContactStats;

// th_resultNoMemory leaves `pressure` as it was.
thResult thiSolveContacts(thContacts* contacts, const thContactTask* task, const thTasks* tasks,
                          thContactStats* stats);

// The pairs that were pushed apart by the last call, in any order, as rows.
typedef void thContactFcn(void* context, int32_t rowA, int32_t rowB);
void thiVisitContacts(const thContacts* contacts, thContactFcn* visit, void* context);

// What the preferred speed of an agent under pressure is multiplied with: without relief a crowd
// that cannot be separated in time would press on for ever.
float thiContactRelief(uint16_t pressure);

#endif
