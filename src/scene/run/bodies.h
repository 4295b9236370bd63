// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The bodies of a scene while they are placed, and a grid to find those that are near. Bodies of
// about the same size share cells that fit them, so a lorry among people costs nothing.

#ifndef THRONG_SRC_SCENE_BODIES_H
#define THRONG_SRC_SCENE_BODIES_H

#include "geom/segment.h"

#include "base/memory.h"

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
    thOffset offset; // from that which was found to the body [units]
    double distance; // between centres [units]
    double space;    // the least distance that leaves the gap [units]
} thNearBodies;

thNearBodies thiBeginNear(const thBodies* bodies, thPlacedBody around, int32_t number, double gap);

// The next of them, or −1.
int32_t thiNextNear(thNearBodies* walk);

// Whether there is none.
bool thiHasRoom(const thBodies* bodies, thPlacedBody body, int32_t number, double gap);

// Another one whose centre is at the same place, or −1.
int32_t thiFindTwin(const thBodies* bodies, thPlacedBody body, int32_t number);

#endif
