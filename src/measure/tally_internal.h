// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A tally from inside. It keeps a track of each agent, in the order of slots; the key says whose it
// is. An observation first gets hold of all memory it needs and only then changes anything:
//
//     find collisions | follow those who have a track ▶ departures ▶ tracks for newcomers ▶ sums
//
// Workers add up whole numbers only, so that neither their number nor the order of rows shows.

#ifndef THRONG_SRC_MEASURE_TALLY_INTERNAL_H
#define THRONG_SRC_MEASURE_TALLY_INTERNAL_H

#include "measure/collisions.h"
#include "measure/wall_check.h"
#include "throng/measure.h"

// Whoever comes no nearer to its goal by this much in this time is stuck. What is left of its path
// is noted several times in between.
#define TH_STUCK_LENGTH 0.5f // m
#define TH_STUCK_TIME 60.0   // s
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
    double length; // of the way walked, units
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

// What an observation adds up. Speeds, times and ratios are multiples of 2⁻¹⁶.
typedef struct thStepSums {
    _Alignas(TH_ALIGNMENT) uint64_t unknown; // agents without a track
    uint64_t newcomers;                      // agents that got one
    uint64_t arrived, travel, ratios, ratioCount;
    uint64_t squeezed, squeezedAgents;
    uint64_t stuck;
    uint64_t speeds, speedCount;
    uint64_t status[THRONG_TALLY_STATUSES];
    thWallCheck walls;
} thStepSums;

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
typedef struct thRecord {
    thFigures figures;
    uint64_t worldStep;    // the last one that was observed
    double begin;          // when the tally began [s]
    int64_t noteCount;     // notes of those who have been there since
    uint32_t observations; // modulo 2³²
    thArray tracks;        // thTrack by slot
    thArray notes;         // thTrackNotes by slot
} thRecord;

struct thTally {
    thMemory memory; // everything but this struct itself
    const thWorld* world;
    bool countsCollisions, checksWalls;
    thArray sums; // thStepSums, one per worker of the world's tasks
    thRecord record;
    thCollisions collisions;
};

// The number that stands for a value in thStepSums. 2²⁸ agents of the largest one fit.
static inline uint64_t thiToFixed(double value)
{
    return (uint64_t)(TH_MIN(TH_MAX(value, 0.0), 0x1p19) * 0x1p16 + 0.5);
}

static inline double thiFromFixed(uint64_t value)
{
    return (double)value * 0x1p-16;
}

// tracks.c
thRecord thiEmptyRecord(thMemory* memory);
void thiFreeRecord(thRecord* record);
// Room for the tracks of that many slots.
thResult thiReserveTracks(thRecord* record, int32_t slotCount);

// The rest of tracks.c adds to the sums of workers.
// Follows everybody who has a track, also those who left, through the step that ended at `time`.
void thiFollowTracks(thTally* tally, double time);
// The world's events: those who left have arrived, and who was squeezed.
void thiNoteEvents(thTally* tally, double time);
// Begins tracks for those who have none. Who has arrived by then did so in this step, unless the
// tally itself begins (`isFirst`).
void thiBeginTracks(thTally* tally, double time, bool isFirst);

#endif
