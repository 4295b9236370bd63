// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How agents get out of jams: the stage `unjam` of a step, and what agents keep for it. Bodies that
// hold cannot pass through each other, so those who meet where there is no room would stand for
// ever. Against that, from the mild to the strong:
//
//     keep     who is held up turns aside, to the right (or left), so that streams sort themselves
//     ask      who walks asks those who only stand in its way to step aside
//     squeeze  those who have waited give up their distance from others who have, and shuffle past
//     give way who has waited claims the way, now the one, now the other; who stands in it and
//              wants the other way steps back, and hands the claim on to who stands behind; in
//              the open who is not held up and only crosses it stops until the other has passed
//     back off who stands behind somebody who wants the same, and nobody is against them, goes back
//              a little: bodies that press towards an opening lock in an arch. Who waits at a
//              gate, or behind others who do, does not: it is in a queue. Those who keep a pace are
//              slow where it is dense, so they do only if the first of them stands as well
//
// A queue is no jam: but for the last, none of this begins unless somebody ahead, directly or
// through those between, wants to come the other way or across, or stands where it wants to be, or
// a mover. Those who come round a corner from both sides, for the same goal and as far from it, do
// not want to go against each other.
//
// It knows no method. It reads what the group methods want and what happened in the last step, of
// others only what they showed at the end of that step, and writes what avoidance gets: the wanted
// velocity, and who is not looked at. Only worlds with contacts have it.

#ifndef THRONG_SRC_SIM_JAMS_H
#define THRONG_SRC_SIM_JAMS_H

#include "base/memory.h"
#include "geom/segment.h"
#include "space/rows.h"
#include "throng/method.h"
#include "throng/simd.h"
#include "throng/world.h"

// What others see of an agent. Machines have the low byte first; kernels look at words.
typedef union thJamShown {
    struct {
        int8_t goalX, goalY;   // where it wants to go: a unit vector in 1/127; zero: nowhere
        int8_t claimX, claimY; // where the claim on its way leads
        uint16_t claim;        // how strong that is; 0: there is none
        uint8_t contact;       // time since it met somebody who comes against it
        uint8_t flags;         // thJamFlags
    };
    int32_t words[2];
} thJamShown;
_Static_assert(sizeof(thJamShown) == 8, "two words");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "words are put together in this order");

#define TH_JAM_CLAIMS 65535.0f      // the strongest
#define TH_JAM_CONTACT_UNIT 0x1p-6f // [s]
#define TH_JAM_CONTACT_SHIFT 16     // in the second word
#define TH_JAM_FLAGS_SHIFT 24

typedef enum thJamFlags {
    th_jamShuffles = 1 << 0,
    th_jamStepsBack = 1 << 1, // the claim is another's
    th_jamStands = 1 << 2,    // it has arrived, has no goal, or was told to wait
    th_jamSettles = 1 << 3,   // it cannot get nearer to the goal: others who stand there are
    th_jamBackwards = 1 << 4, // it moves away from where it wants to go
    th_jamBacksOff = 1 << 5,  // it makes room for those before it, who want the same
    th_jamQueues = 1 << 6,    // it waits at a gate, or behind somebody who does
    th_jamLocked = 1 << 7,    // it keeps a pace, but stands with nobody before it, or behind such
} thJamFlags;

// What it keeps for itself.
typedef union thJamOwn {
    struct {
        int16_t progress; // how much of what it wants it gets, lately
        uint16_t wait;    // how long it has been held up
    };
    int32_t word;
} thJamOwn;
_Static_assert(sizeof(thJamOwn) == 4, "one word");

#define TH_JAM_PROGRESS_UNIT 0x1p-14f
#define TH_JAM_WAIT_UNIT 0x1p-10f    // [s]
#define TH_JAM_REMAINING_UNIT 0.125f // [m]
#define TH_NO_REST ((thPoint){INT32_MIN, INT32_MIN})

// By row, twice: as the last step left it, and as this one makes it.
typedef struct thJams {
    thMemory* memory;
    int32_t capacity;
    thJamShown* shown[2];
    uint16_t* remaining[2]; // length of the path that is left; others see it, too
    thJamOwn* own[2];
    thPoint* rest[2]; // where it came to stand; TH_NO_REST: it walks
    int32_t current;
} thJams;

thResult thiReserveJams(thJams* jams, thMemory* memory, int32_t count, int32_t capacity);
void thiFreeJams(thJams* jams);
// Of a new agent; of one that was put elsewhere.
void thiInitJam(thJams* jams, int32_t row);
void thiForgetRest(thJams* jams, int32_t row);
// Follows the sort of rows: row i was row order[i].
void thiSortJams(thJams* jams, const int32_t* order, int32_t count, const thTasks* tasks);
// It waits at a gate, as others see in the next step.
static inline void thiShowQueue(const thJams* jams, int32_t row)
{
    jams->shown[jams->current][row].flags |= th_jamQueues;
}
// What this step has made becomes what others see.
static inline void thiTurnJams(thJams* jams)
{
    jams->current = 1 - jams->current;
}

// All of a row as numbers, for snapshots and hashes. False: these are not possible.
#define TH_JAM_WORDS 6
void thiPackJam(const thJams* jams, int32_t row, uint32_t words[TH_JAM_WORDS]);
bool thiUnpackJam(thJams* jams, int32_t row, const uint32_t words[TH_JAM_WORDS]);

static inline size_t thiJamBytes(const thJams* jams)
{
    return 2 * (size_t)jams->capacity *
           (sizeof(thJamShown) + sizeof(uint16_t) + sizeof(thJamOwn) + sizeof(thPoint));
}

// These in numbers.
static inline float thiJamProgress(const thJamOwn* own)
{
    return (float)own->progress * TH_JAM_PROGRESS_UNIT;
}

static inline float thiJamWait(const thJamOwn* own) // [s]
{
    return (float)own->wait * TH_JAM_WAIT_UNIT;
}

static inline float thiJamClaim(const thJamShown* shown) // 0 .. 1
{
    return (float)shown->claim / TH_JAM_CLAIMS;
}

// What a worker counts.
typedef struct thJamCounts {
    int64_t shuffling, steppingBack, turningBack;
} thJamCounts;

// Whether it is where it wants to be, or was told to stay.
#define TH_STANDING (th_agentArrived | th_agentWaiting | th_agentHolds)
static inline bool thiStands(const thFrame* frame, int32_t row)
{
    return frame->goal[row] < 0 || (frame->flags[row] & TH_STANDING) != 0;
}

// What those who stand want, before thiUnjam: see rest.c. `roams`: avoidance may lead those who
// have no goal, so these do not stand.
void thiRest(const thJams* jams, const thBatch* batch, bool roams);
// Whether somebody who walks is so near that coming back would be in its way.
bool thiIsPassed(const thBatch* batch, int32_t lane);
// After avoidance: who waits or has no goal goes no further than a body's width from where it came
// to stand, by what this step has made or, of its later parts, by what it made.
void thiStayNear(const thJams* jams, const thBatch* batch, int32_t which);

// The stage before avoidance. `def` is the profile's; `pressures` (by row) are what contacts left.
// False when memory is out.
bool thiUnjam(const thJams* jams, const thProfileDef* def, const thBatch* batch,
              const uint16_t* pressures, thSimd simd, thJamCounts* counts);
// When avoidance is asked once more in a step: whom they do not see.
void thiOverlook(const thJams* jams, const thBatch* batch, thSimd simd);
// Of worlds without contacts: the side alone.
void thiKeepSide(const thProfileDef* def, const thBatch* batch);
// Whether an agent stood in the last step, wanted nothing else, and nobody asked it for anything.
bool thiWasAtRest(const thJams* jams, const thRows* rows, int32_t row);
// One that does takes no part, and stays as it is.
void thiKeepAtRest(const thJams* jams, int32_t row);
// An agent that the host moves, or that holds its place, takes no part; others see that it stands.
void thiSkipJam(const thJams* jams, int32_t row, bool stands);

#endif
