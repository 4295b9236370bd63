// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What tests of the world share: an ear for the assertion hook, snapshots to compare worlds by, and
// a world in which there is something of every kind.

#ifndef THRONG_TESTS_SIM_SIM_GEAR_H
#define THRONG_TESTS_SIM_SIM_GEAR_H

#include "gear/gear.h"
#include "throng/gate.h"
#include "throng/query.h"
#include "throng/world.h"

// Listens to the assertion hook from now on; heard() tells how often it spoke since it was last
// asked.
void listen(void);
int32_t heard(void);

// The world's snapshot, in memory that the caller frees.
typedef struct Bytes {
    uint8_t* data;
    size_t size;
} Bytes;

Bytes saveWorld(const thWorld* world);
void freeBytes(Bytes bytes);
bool sameBytes(Bytes a, Bytes b);
// Makes the checksum at the end right again.
void sealBytes(Bytes bytes);

thWorld* createWorld(void);
thObstacleId addWall(thWorld* world, float ax, float ay, float bx, float by);

// A host's own planner: state, parameters, something shared that counts its steps and is saved.
typedef struct CircleParams {
    float speed;
    float turn;
} CircleParams;
extern const thMethod circleMethod;

// What is in a full world.
typedef struct Full {
    thWorld* world;
    thProfileId walker, given, circler;
    thGoalId point, disc, segment, polygon, list, alternatives;
    thObstacleId solid, room, wall, disc1, box, train;
    thGateId gate;
    thAgentId agents[40];
    int32_t agentCount;
} Full;

// Creates it; th_resultNoMemory leaves nothing behind. `commands`: with some in the queue.
thResult createFull(const thAllocator* allocator, bool commands, Full* full);

// The call is refused: it tells the hook and changes nothing.
#define assert_refused(world, call)                                                                \
    do {                                                                                           \
        const Bytes refusedBefore = saveWorld(world);                                              \
        (void)heard();                                                                             \
        assert_int_equal(call, th_resultBadArgument);                                              \
        assert_in_range(heard(), 1, 1);                                                            \
        const Bytes refusedAfter = saveWorld(world);                                               \
        assert_true(sameBytes(refusedBefore, refusedAfter));                                       \
        freeBytes(refusedBefore);                                                                  \
        freeBytes(refusedAfter);                                                                   \
    } while (0)

#define assert_ok(call) assert_int_equal(call, th_resultOk)

#endif
