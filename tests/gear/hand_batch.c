// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The frame behind a batch that is made by hand, and what lanes sense.

#include "gear/hand_batch.h"

#include "geom/fixed.h"

#include <string.h>

const thVec2 handTriangle[3] = {{-0.4f, -0.3f}, {0.5f, -0.2f}, {0.1f, 0.6f}};

static void connectFrame(HandBatch* hand, int32_t rows)
{
    hand->walls = (thWalls){.ax = hand->ax, .ay = hand->ay, .bx = hand->bx, .by = hand->by};
    hand->movers = (thMovers){.px = hand->mx,
                              .py = hand->my,
                              .vx = hand->mvx,
                              .vy = hand->mvy,
                              .spin = hand->spin,
                              .radius = hand->mradius,
                              .firstCorner = hand->firstCorner,
                              .corners = hand->corners};
    hand->frame = (thFrame){.count = rows,
                            .px = hand->px,
                            .py = hand->py,
                            .layers = hand->layers,
                            .heading = hand->heading,
                            .level = hand->level,
                            .flags = hand->flags,
                            .goal = hand->goal,
                            .key = hand->key,
                            .walls = &hand->walls,
                            .movers = &hand->movers};
}

void startHandBatch(HandBatch* hand, int32_t rows, int32_t count, int32_t lanes)
{
    connectFrame(hand, rows);
    memset(hand->neighborCount, 0, sizeof hand->neighborCount);
    memset(hand->wallCount, 0, sizeof hand->wallCount);
    memset(hand->moverCount, 0, sizeof hand->moverCount);
    hand->batch = (thBatch){.frame = &hand->frame,
                            .count = count,
                            .lanes = lanes,
                            .row = hand->row,
                            .vx = hand->vx,
                            .vy = hand->vy,
                            .radius = hand->radius,
                            .prefSpeed = hand->prefSpeed,
                            .maxSpeed = hand->maxSpeed,
                            .maxAccel = hand->maxAccel,
                            .guideX = hand->guideX,
                            .guideY = hand->guideY,
                            .neighborCount = hand->neighborCount,
                            .nx = hand->nx,
                            .ny = hand->ny,
                            .nvx = hand->nvx,
                            .nvy = hand->nvy,
                            .nradius = hand->nradius,
                            .nshare = hand->nshare,
                            .nrow = hand->nrow,
                            .wallCount = hand->wallCount,
                            .wall = hand->wall,
                            .moverCount = hand->moverCount,
                            .mover = hand->mover,
                            .outVx = hand->outVx,
                            .outVy = hand->outVy,
                            .status = hand->status};
}

// Where the next thing that a lane senses goes.
static int32_t nextPlace(const HandBatch* hand, int32_t lane, int32_t* counts, int32_t* most)
{
    const int32_t k = counts[lane]++;
    *most = k + 1 > *most ? k + 1 : *most;
    return k * hand->batch.lanes + lane;
}

void addHandNeighbor(HandBatch* hand, int32_t lane, const HandNeighbor* neighbor)
{
    const int32_t at = nextPlace(hand, lane, hand->neighborCount, &hand->batch.neighborMax);
    hand->nx[at] = neighbor->position.x;
    hand->ny[at] = neighbor->position.y;
    hand->nvx[at] = neighbor->velocity.x;
    hand->nvy[at] = neighbor->velocity.y;
    hand->nradius[at] = neighbor->radius;
    hand->nshare[at] = neighbor->share;
    hand->nrow[at] = neighbor->row;
}

void addHandWall(HandBatch* hand, int32_t lane, thVec2 a, thVec2 b)
{
    const int32_t to = hand->walls.count++;
    hand->ax[to] = thiUnits(a.x);
    hand->ay[to] = thiUnits(a.y);
    hand->bx[to] = thiUnits(b.x);
    hand->by[to] = thiUnits(b.y);
    hand->wall[nextPlace(hand, lane, hand->wallCount, &hand->batch.wallMax)] = to;
}

void addHandMover(HandBatch* hand, int32_t lane, const HandMover* mover)
{
    const int32_t to = hand->movers.count++, corners = mover->radius > 0.0f ? 0 : 3;
    hand->mx[to] = thiUnits(mover->position.x);
    hand->my[to] = thiUnits(mover->position.y);
    hand->mvx[to] = mover->velocity.x;
    hand->mvy[to] = mover->velocity.y;
    hand->spin[to] = mover->spin;
    hand->mradius[to] = mover->radius;
    for (int32_t i = 0; i < corners; ++i)
        hand->corners[hand->firstCorner[to] + i] = handTriangle[i];
    hand->firstCorner[to + 1] = hand->firstCorner[to] + corners;
    hand->mover[nextPlace(hand, lane, hand->moverCount, &hand->batch.moverMax)] = to;
}
