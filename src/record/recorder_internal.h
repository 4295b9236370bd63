// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A recorder from inside. Rows of a world lie where agents stand, frames are in the order of ids.
// Between them are seats, one for each slot: workers go through the rows and note in the seats what
// they find, then one goes through the ids and reads it there. So memory is jumped about in once.
//
//     shapes | rows ▶ seats | ids for newcomers | seats ▶ frame, people
//
// All that may fail comes before anything is told. What a failed call has noted is noted again.

#ifndef THRONG_SRC_RECORD_RECORDER_INTERNAL_H
#define THRONG_SRC_RECORD_RECORDER_INTERNAL_H

#include "sim/world_internal.h"
#include "throng/record.h"

typedef enum thSeatBits {
    th_seatChanged = 1 << 0,     // what is told of the person may be out of date
    th_seatPlannedTold = 1 << 1, // the planned length is settled
    th_seatShapeKnown = 1 << 2,  // `shape` is that of `goal` and `goalIndex`, wherever it stands
    th_seatManyGoals = 1 << 3,   // it heads for several, one after the other
} thSeatBits;

// What is known of the agent in a slot.
typedef struct thSeat {
    _Alignas(TH_ALIGNMENT) uint64_t key;
    uint32_t id;     // 0: it was in no frame yet
    uint32_t seenAt; // the take that saw it last
    int32_t x, y;    // units
    float heading;
    float radius, speed;
    float planned; // what its planner says now; 0: nothing
    int32_t shape; // slot of the goal it heads for
    int32_t goal, goalIndex;
    uint16_t level;
    uint8_t bits;
} thSeat;
_Static_assert(sizeof(thSeat) == TH_ALIGNMENT, "a seat is one cache line");

// Somebody, by what it is to be sorted by.
typedef struct thSeated {
    uint64_t order; // id, or key
    int32_t slot;
} thSeated;

// What workers add up.
typedef struct thSeatSums {
    _Alignas(TH_ALIGNMENT) int64_t unknown; // in the area, without an id
    int64_t changed;                        // with an id
} thSeatSums;

// A mover among the shapes.
typedef struct thRecordedMover {
    int32_t slot;
    int32_t firstPoint;
    int32_t x, y; // where it was
    float angle;
} thRecordedMover;

typedef struct thRecorderShapes {
    thArray obstacleStamps, goalStamps; // uint32_t by slot: generations, as they were
    thArray shapes;                     // thRecordedShape: obstacles, then goals
    thArray points;                     // thPlace
    thArray movers;                     // thRecordedMover
    thArray indexOfGoal;                // int32_t by slot: among the goals
    bool isBuilt;
    bool isNews;     // not told yet
    bool goalsMoved; // their indices may be others than people were told of
} thRecorderShapes;

struct thRecorder {
    thMemory memory; // everything but this struct itself
    const thRun* run;
    const thWorld* world;
    bool hasArea;
    thPlace low, high;
    bool hasFrames;
    uint32_t takes;
    int64_t number; // of the last frame
    thRecorderShapes shapes;
    thArray seats;     // thSeat, by slot
    thArray sums;      // thSeatSums, by worker
    thArray present;   // thSeated by id: those with an id who are in the world
    thArray newcomers; // thSeated by key: those in the area who have none yet
    thArray known;     // thRecordedPerson by id − 1: as they were told
    thKeyMap idOfKey;  // key -> id − 1
    thArray id, x, y, heading;
    thArray people; // thRecordedPerson: to be told
};

// recorder_shapes.c
void thiInitRecorderShapes(thRecorderShapes* shapes, thMemory* memory);
void thiFreeRecorderShapes(thRecorderShapes* shapes);
// Brings them up to date with the world.
thResult thiUpdateRecorderShapes(thRecorderShapes* shapes, const thWorld* world);

// recorder_people.c. Notes everybody's state in the seats.
thResult thiSeatAgents(thRecorder* recorder);
// Gives ids to those who are new in the area. It fails before it changes anything.
thResult thiSeatNewcomers(thRecorder* recorder);
// Fills the columns of the frame, and the people who are to be told of. There must be room.
void thiShowSeats(thRecorder* recorder);
// thiKeyMap's way from ids − 1 to keys; the context is the recorder.
uint64_t thiKeyOfKnown(const void* recorder, int32_t index);

#endif
