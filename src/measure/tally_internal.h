// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A tally from inside: the figures so far, and a track of each agent.

#ifndef THRONG_SRC_MEASURE_TALLY_INTERNAL_H
#define THRONG_SRC_MEASURE_TALLY_INTERNAL_H

#include "measure/collisions.h"
#include "throng/measure.h"

// How many times what is left of an agent's path is noted before it may be called stuck.
#define TH_STUCK_NOTES 12

typedef enum thTrackBits {
    th_trackArrived = 1 << 0,
    th_trackSqueezed = 1 << 1, // once at least
    th_trackStuck = 1 << 2,
    th_trackHostMoves = 1 << 3,
    th_trackAllBits = 15,
} thTrackBits;

// What is known of an agent since it was first seen.
typedef struct thTrack {
    uint64_t key;
    uint64_t goal; // id; 0: none
    double length; // of the path walked, units
    double since;  // when it was first seen [s]
    int32_t startX, startY;
    int32_t x, y;
    int32_t goalIndex;
    uint32_t seenAt; // the observation that saw it last
    uint8_t bits;
    uint8_t noteCount; // how many of its notes count, from the last one backwards
} thTrack;
_Static_assert(sizeof(thTrack) == TH_ALIGNMENT, "a track is one cache line");

// Lengths of what was left of an agent's path: note n is at n % TH_STUCK_NOTES.
typedef struct thTrackNotes {
    float remaining[TH_STUCK_NOTES]; // m
} thTrackNotes;

// The figures so far, in the order in which they are saved: type, name.
#define TH_FIGURES(X)                                                                              \
    X(uint64_t, steps)                                                                             \
    X(double, time)                                                                                \
    X(uint64_t, agents)                                                                            \
    X(uint64_t, arrived)                                                                           \
    X(double, lastArrival)                                                                         \
    X(double, arrivals) /* sum of times */                                                         \
    X(double, travel)   /* sum of times */                                                         \
    X(double, ratios)   /* sum */                                                                  \
    X(uint64_t, ratioCount)                                                                        \
    X(uint64_t, pairs) /* of all steps */                                                          \
    X(double, maxDepth)                                                                            \
    X(uint64_t, dividedSteps)                                                                      \
    X(uint64_t, substeps) /* of these */                                                           \
    X(uint64_t, contacts) /* of all steps */                                                       \
    X(uint64_t, shuffles)                                                                          \
    X(uint64_t, stepsBack)                                                                         \
    X(uint64_t, reversals)                                                                         \
    X(uint64_t, agentSteps)                                                                        \
    X(uint64_t, wallCrossings)                                                                     \
    X(double, maxWallDepth)                                                                        \
    X(uint64_t, squeezed)                                                                          \
    X(uint64_t, squeezedAgents)                                                                    \
    X(uint64_t, stuck)                                                                             \
    X(double, stuckMax)                                                                            \
    X(double, speeds) /* sum over agents and steps */                                              \
    X(uint64_t, speedCount)

typedef struct thFigures {
#define X(type, name) type name;
    TH_FIGURES(X)
#undef X
    uint64_t status[THRONG_TALLY_STATUSES];
} thFigures;

// All that is saved, but for the pairs that collided.
typedef struct thTallyState {
    thFigures figures;
    uint64_t worldStep;    // the last one that was observed
    double begin;          // when the tally began [s]
    int64_t noteCount;     // notes of those who have been there since
    uint32_t observations; // modulo 2³²
    thArray tracks;        // thTrack by slot
    thArray notes;         // thTrackNotes by slot
} thTallyState;

struct thTally {
    thMemory memory; // everything but this struct itself
    const thWorld* world;
    bool countsCollisions, checksWalls;
    thArray sums; // of a step, one per worker of the world's tasks
    thTallyState state;
    thCollisions collisions;
};

thTallyState thiTallyState(thMemory* memory);
void thiTallyStateFree(thTallyState* state);
// Room for the tracks of that many slots.
thResult thiReserveTracks(thTallyState* state, int32_t slotCount);

#endif
