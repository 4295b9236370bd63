// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Batches without a world: agents stand at the origin, and what each senses is put there by hand.

#ifndef THRONG_TESTS_GEAR_HAND_BATCH_H
#define THRONG_TESTS_GEAR_HAND_BATCH_H

#include "throng/method.h"

#define HAND_LANES 64
#define HAND_NEIGHBORS 16
#define HAND_WALLS 6
#define HAND_MOVERS 2

// For each lane.
#define HAND_ALL_NEIGHBORS (HAND_NEIGHBORS * HAND_LANES)
#define HAND_ALL_WALLS (HAND_WALLS * HAND_LANES)
#define HAND_ALL_MOVERS (HAND_MOVERS * HAND_LANES)

typedef struct HandNeighbor {
    thVec2 position, velocity;
    float radius, share;
    int32_t row;
} HandNeighbor;

typedef struct HandMover {
    thVec2 position, velocity;
    float radius; // 0: a triangle
    float spin;
} HandMover;

// The triangle of movers.
extern const thVec2 handTriangle[3];

// A batch and everything it points to. Columns of rows and lanes are for tests to fill.
typedef struct HandBatch {
    thBatch batch;
    thFrame frame;
    thWalls walls;
    thMovers movers;

    // By row.
    int32_t px[HAND_LANES], py[HAND_LANES], goal[HAND_LANES];
    uint64_t key[HAND_LANES];
    uint32_t layers[HAND_LANES], flags[HAND_LANES];
    uint16_t level[HAND_LANES];
    float heading[HAND_LANES];

    // By lane.
    int32_t row[HAND_LANES];
    float vx[HAND_LANES], vy[HAND_LANES], radius[HAND_LANES];
    float prefSpeed[HAND_LANES], maxSpeed[HAND_LANES], maxAccel[HAND_LANES];
    float guideX[HAND_LANES], guideY[HAND_LANES], outVx[HAND_LANES], outVy[HAND_LANES];
    uint8_t status[HAND_LANES];
    int32_t neighborCount[HAND_LANES], wallCount[HAND_LANES], moverCount[HAND_LANES];
    float nx[HAND_ALL_NEIGHBORS], ny[HAND_ALL_NEIGHBORS];
    float nvx[HAND_ALL_NEIGHBORS], nvy[HAND_ALL_NEIGHBORS];
    float nradius[HAND_ALL_NEIGHBORS], nshare[HAND_ALL_NEIGHBORS];
    int32_t nrow[HAND_ALL_NEIGHBORS], wall[HAND_ALL_WALLS], mover[HAND_ALL_MOVERS];

    // Walls and movers.
    int32_t ax[HAND_ALL_WALLS], ay[HAND_ALL_WALLS], bx[HAND_ALL_WALLS], by[HAND_ALL_WALLS];
    int32_t mx[HAND_ALL_MOVERS], my[HAND_ALL_MOVERS], firstCorner[HAND_ALL_MOVERS + 1];
    float mvx[HAND_ALL_MOVERS], mvy[HAND_ALL_MOVERS];
    float spin[HAND_ALL_MOVERS], mradius[HAND_ALL_MOVERS];
    thVec2 corners[3 * HAND_ALL_MOVERS];
} HandBatch;

// Nobody senses anything any more. The frame and the batch are of so many rows and agents.
void startHandBatch(HandBatch* hand, int32_t rows, int32_t count, int32_t lanes);

// Each is the next one that the lane senses.
void addHandNeighbor(HandBatch* hand, int32_t lane, const HandNeighbor* neighbor);
void addHandWall(HandBatch* hand, int32_t lane, thVec2 a, thVec2 b);
void addHandMover(HandBatch* hand, int32_t lane, const HandMover* mover);

#endif
