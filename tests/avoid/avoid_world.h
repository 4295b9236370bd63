// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Worlds in which avoidance methods are tested, and what is asked of them alike. There are circles,
// something of everything, and rooms full of people.

#ifndef THRONG_TESTS_AVOID_AVOID_WORLD_H
#define THRONG_TESTS_AVOID_AVOID_WORLD_H

#include "gear/gear.h"
#include "throng/world.h"

void assertOk(thResult code);

thWorld* openWorld(int32_t workerCount, thSimd simd, int32_t contacts);

// A profile of that method.
thProfileDef avoidProfile(const char* method, const void* params, float maxAccel);
thProfileId addProfile(thWorld* world, const thProfileDef* def);

// [key: 0 for one that the world gives]
thAgentId addWalker(thWorld* world, thProfileId profile, uint64_t key, thVec2 from, thVec2 to);
void addWall(thWorld* world, thVec2 a, thVec2 b);
// People on a circle who all want to the other side; keys from 1 on.
void addCircle(thWorld* world, thProfileId profile, int32_t count, double size);

// Something of everything: a circle, a crowd that goes through a gap, moving obstacles, agents who
// start on one point, two profiles.
void addMixture(thWorld* world, thProfileId quick, thProfileId slow);

// The smallest distance between two agents; all velocities must be numbers within the limit.
double nearestPair(const thWorld* world);

// Steps until all have arrived, or `most` seconds are over, and tells how it went.
typedef struct Walk {
    double time, nearest; // nearest: the smallest distance of all steps
    uint64_t arrivals;
} Walk;
Walk walkToEnd(thWorld* world, float dt, int32_t count, double most);

uint64_t hashAfter(thWorld* world, float dt, int32_t steps);

// Saved after some steps, the world goes on in another one as in itself. Destroys it.
void assertGoesOn(thWorld* world, float dt, int32_t before, int32_t after);

// A room of twice that size, without contacts, so that overlaps come too.
thWorld* openRoom(float size);
void addObstacle(thWorld* world, thObstacleKind kind, const thVec2* points, int32_t count);
// People who want anywhere in it; every third has a limit of acceleration.
void addRoomCrowd(thWorld* world, const char* method, const void* params, float size, int32_t count,
                  thAgentId* ids);

#endif
