// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Crowds in which `meso` is tested without a world: a frame made by hand, the graph of who is near
// whom, and what one of them perceives.

#ifndef THRONG_TESTS_GROUP_MESO_GEAR_H
#define THRONG_TESTS_GROUP_MESO_GEAR_H

#include "gear/gear.h"
#include "gear/property.h"
#include "group/meso/meso.h"
#include "throng/world.h"

enum { crowdMost = 5100 };

typedef struct Crowd {
    thFrame frame; // with sixteen rows of padding
    int32_t px[crowdMost + 16], py[crowdMost + 16];
    float vx[crowdMost + 16], vy[crowdMost + 16], radius[crowdMost + 16];
    uint32_t layers[crowdMost + 16], mask[crowdMost + 16], flags[crowdMost + 16];
    uint16_t level[crowdMost + 16];
    uint64_t key[crowdMost + 16];
    // What perceiving needs.
    thMesoGraph* graph;
    thMemory memory;
    thArena scratch;
    thTasks* tasks;
    thMesoRoom room;
} Crowd;

// Nobody is there yet.
Crowd* createCrowd(void);
Crowd* createCrowdFor(thSimd simd);
void destroyCrowd(Crowd* crowd);

// Returns the row. Keys are those of rows until somebody changes them.
int32_t addPerson(Crowd* crowd, thVec2 place, thVec2 velocity, float radius);

// Everybody as they are in a world; rows are its slots. There are no walls.
void copyWorld(Crowd* crowd, const thWorld* world);

// The thresholds that tests begin with.
thMesoDef usualDef(void);

// Finds who is near whom, for profiles with these thresholds.
void prepareCrowd(Crowd* crowd, const thMesoDef* defs, int32_t count);

// What a row perceives; valid until the next is asked.
thMesoView* perceive(Crowd* crowd, const thMesoDef* def, int32_t row);

// How fast the agent can go, of which queries are made. [m/s]
#define SPEED_LIMIT 1.6f

// The agent in the middle, row 0, and round it some clumps of people who walk alike. It itself
// walks like nobody.
void drawClumps(Crowd* crowd, thGenerator* g, int32_t size);

thVec2 drawVelocity(thGenerator* g);

// What is asked about row 0, that wants to go somewhere else than to a place.
thMesoQuery queryOf(const Crowd* crowd, const thMesoDef* def, thVec2 wanted);

// What row 0 perceives, and what that forbids it. Valid until somebody looks again.
thMesoView* look(Crowd* crowd, const thMesoDef* def, thVec2 wanted, thMesoObstacles* obstacles);

// How far beyond the border of a region a velocity is; negative: inside.
float beyond(const thRegion* region, thVec2 v);

double apartFrom(thVec2 a, thVec2 b);

#endif
