// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Random places for many bodies in a region: off walls, and apart from each other and from those
// that stand there already. Two ways, one after the other. Darts: each body tries random places
// until one has room; that fills up to about half of the area. Pushing: whoever found none is put
// where it overlaps little, and bodies push each other away until none overlaps; that goes up to
// nine tenths of the densest there is.

#ifndef THRONG_SRC_SCENE_RUN_SCENE_PLACEMENT_H
#define THRONG_SRC_SCENE_RUN_SCENE_PLACEMENT_H

#include "base/memory.h"
#include "geom/segment.h"
#include "scene/run/scene_region.h"
#include "space/walls.h"

// The bodies of a scene while they are placed, and a grid to find those that are near. Bodies of
// about the same size share cells that fit them, so a lorry among people costs nothing.

typedef struct thPlacedBody {
    thPoint at; // [units]
    float radius;
    int32_t level;
} thPlacedBody;

#define TH_BODY_CLASSES 14

typedef struct thBodies {
    thMemory* memory;
    thPlacedBody* items;
    int32_t* next; // in the list of its bucket; −1: the last
    int32_t capacity;
    int32_t* buckets; // first body of each; −1: none
    uint32_t bucketMask;
    float largest[TH_BODY_CLASSES]; // radius of each class of sizes; 0: there are none
} thBodies;

// Room for that many, numbered from 0; which of them are there is told by thiAddBody.
thResult thiBodiesInit(thBodies* bodies, thMemory* memory, int32_t capacity);
void thiBodiesFree(thBodies* bodies);

// Bodies come, go and move. Radii are at most 100 m.
void thiAddBody(thBodies* bodies, int32_t number, thPlacedBody body);
void thiRemoveBody(thBodies* bodies, int32_t number);
void thiMoveBody(thBodies* bodies, int32_t number, thPoint to);

// A walk over the bodies that are nearer to one than `gap` metres, in no order that means anything
// but always the same. The body itself is left out by its number; −1 if it is not there yet.
typedef struct thNearBodies {
    const thBodies* bodies;
    thPlacedBody around;
    int32_t number;
    double gap;
    int32_t size; // the class of sizes that is looked at, and its cells
    int32_t column, row, lowColumn, highColumn, lowRow, highRow;
    int32_t next;    // body of the list
    int64_t met;     // bodies that were looked at
    thOffset offset; // from that which was found to the body [units]
    double distance; // between centres [units]
    double space;    // the least distance that leaves the gap [units]
} thNearBodies;

thNearBodies thiBeginNear(const thBodies* bodies, thPlacedBody around, int32_t number, double gap);

// The next of them, or −1.
int32_t thiNextNear(thNearBodies* walk);

// Whether there is none.
bool thiHasRoom(const thBodies* bodies, thPlacedBody body, int32_t number, double gap);

typedef struct thPlacing {
    const thWallGrid* walls;
    thBodies* bodies; // those that stand already are in it; the others are added
    const thSceneRegion* region;
    double gap;           // free space between bodies [m]
    int32_t first, count; // numbers of the bodies to place
    const float* radii;   // of these, from the first on
    int32_t level;
    uint64_t seed; // with a body's number it decides the place
} thPlacing;

// What a failure can be explained with.
typedef struct thPlacingFigures {
    int32_t placed;     // how many found room at once
    double freeArea;    // of the region: what is not solid [m²]
    double mostPerArea; // about how many of these bodies fit on a m²
} thPlacingFigures;

// Places all of them: the result depends on nothing but what is told here. Their centres are in the
// region. If it fails none of them is added; th_resultFull when there is not room enough.
thResult thiPlaceAtRandom(const thPlacing* placing, thPlacingFigures* figures);

#endif
