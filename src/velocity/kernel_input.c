// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What agents of a batch avoid as columns, the columns of a single agent, and what profiles share.

#include "velocity/kernel_input.h"

#include "base/core.h"
#include "base/memory.h"
#include "geom/fixed.h"
#include "space/walls.h"

#include <string.h>

thResult thiCreateKernelHost(const thMethodHost* host, const void* params, void** shared)
{
    (void)params;
    thKernelHost* own =
        host->allocator.allocate(host->allocator.context, sizeof *own, TH_ALIGNMENT);
    if (own == NULL)
        return th_resultNoMemory;
    *own = (thKernelHost){host->allocator, (thSimd)host->simd};
    *shared = own;
    return th_resultOk;
}

void thiDestroyKernelHost(void* shared)
{
    const thAllocator allocator = ((thKernelHost*)shared)->allocator;
    allocator.release(allocator.context, shared, sizeof(thKernelHost), TH_ALIGNMENT);
}

// How many entries a lane needs: a wall, a disc and each edge of a polygon are one.
static int32_t entriesOf(const thBatch* batch, int32_t lane)
{
    const thMovers* movers = batch->frame->movers;
    int32_t count = batch->wallCount[lane];
    for (int32_t k = 0; k < batch->moverCount[lane]; ++k) {
        const int32_t mover = batch->mover[k * batch->lanes + lane];
        const int32_t corners = movers->firstCorner[mover + 1] - movers->firstCorner[mover];
        count += corners > 0 ? corners : 1;
    }
    return count;
}

static void setWall(const thWallColumns* walls, int32_t at, thVec2 a, thVec2 b, thVec2 velocity,
                    float radius)
{
    walls->ax[at] = a.x;
    walls->ay[at] = a.y;
    walls->bx[at] = b.x;
    walls->by[at] = b.y;
    walls->vx[at] = velocity.x;
    walls->vy[at] = velocity.y;
    walls->radius[at] = radius;
}

// The velocity of a turning mover at the middle of one of its edges.
static thVec2 edgeVelocity(const thMovers* movers, int32_t mover, thVec2 a, thVec2 b)
{
    const float spin = movers->spin[mover];
    return (thVec2){movers->vx[mover] - spin * 0.5f * (a.y + b.y),
                    movers->vy[mover] + spin * 0.5f * (a.x + b.x)};
}

static void addMover(const thBatch* batch, int32_t lane, int32_t mover, const thWallColumns* walls)
{
    const thMovers* movers = batch->frame->movers;
    const int32_t row = batch->row[lane];
    const thVec2 origin = {thiMetresBetween(batch->frame->px[row], movers->px[mover]),
                           thiMetresBetween(batch->frame->py[row], movers->py[mover])};
    const int32_t first = movers->firstCorner[mover];
    const int32_t corners = movers->firstCorner[mover + 1] - first;
    if (corners == 0) {
        const thVec2 velocity = {movers->vx[mover], movers->vy[mover]};
        setWall(walls, walls->count[lane]++ * batch->lanes + lane, origin, origin, velocity,
                movers->radius[mover]);
    }
    for (int32_t i = 0; i < corners; ++i) {
        const thVec2 a = movers->corners[first + i];
        const thVec2 b = movers->corners[first + (i + 1 < corners ? i + 1 : 0)];
        const thVec2 fromHereA = {origin.x + a.x, origin.y + a.y};
        const thVec2 fromHereB = {origin.x + b.x, origin.y + b.y};
        setWall(walls, walls->count[lane]++ * batch->lanes + lane, fromHereA, fromHereB,
                edgeVelocity(movers, mover, a, b), 0.0f);
    }
}

static thWallEndsFcn* const wallEndsKernels[th_simdCount] = TH_KERNEL_TABLE(thiLayOutWallEnds);

bool thiLayOutWalls(const thBatch* batch, thSimd simd, thWallColumns* walls)
{
    int32_t most = 0;
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        const int32_t entries = entriesOf(batch, lane);
        most = entries > most ? entries : most;
    }
    const size_t lanes = (size_t)batch->lanes, items = (size_t)most * lanes;
    int32_t* count = thArena_Allocate(batch->scratch, lanes * sizeof *count);
    float* columns = thArena_Allocate(batch->scratch, (7 * items + 1) * sizeof *columns);
    if (count == NULL || columns == NULL)
        return false;
    *walls = (thWallColumns){most,
                             count,
                             columns,
                             columns + items,
                             columns + 2 * items,
                             columns + 3 * items,
                             columns + 4 * items,
                             columns + 5 * items,
                             columns + 6 * items};
    for (int32_t lane = 0; lane < batch->lanes; ++lane)
        count[lane] = batch->wallCount[lane];
    if (most == 0)
        return true;
    wallEndsKernels[simd](batch, walls);
    memset(walls->vx, 0, 3 * items * sizeof(float)); // unused entries are computed on
    for (int32_t lane = 0; lane < batch->count; ++lane)
        for (int32_t k = 0; k < batch->moverCount[lane]; ++k)
            addMover(batch, lane, batch->mover[k * batch->lanes + lane], walls);
    return true;
}

bool thiSurround(const thBatch* batch, thSimd simd, thSurroundings* around)
{
    thWallColumns walls;
    if (!thiLayOutWalls(batch, simd, &walls))
        return false;
    *around = (thSurroundings){.lanes = batch->lanes,
                               .dt = batch->frame->dt,
                               .vx = batch->vx,
                               .vy = batch->vy,
                               .radius = batch->radius,
                               .maxSpeed = batch->maxSpeed,
                               .maxAccel = batch->maxAccel,
                               .guideX = batch->guideX,
                               .guideY = batch->guideY,
                               .row = batch->row,
                               .neighborMax = batch->neighborMax,
                               .neighborCount = batch->neighborCount,
                               .nx = batch->nx,
                               .ny = batch->ny,
                               .nvx = batch->nvx,
                               .nvy = batch->nvy,
                               .nradius = batch->nradius,
                               .nshare = batch->nshare,
                               .nrow = batch->nrow,
                               .wallMax = walls.most,
                               .wallCount = walls.count,
                               .ax = walls.ax,
                               .ay = walls.ay,
                               .bx = walls.bx,
                               .by = walls.by,
                               .wvx = walls.vx,
                               .wvy = walls.vy,
                               .wradius = walls.radius,
                               .outVx = batch->outVx,
                               .outVy = batch->outVy,
                               .status = batch->status};
    return true;
}

static bool isLength(float x)
{
    return x >= 0.0f && x <= TH_SINGLE_LARGEST;
}

static bool isNumber(float x)
{
    return x >= -TH_SINGLE_LARGEST && x <= TH_SINGLE_LARGEST;
}

static bool isVector(thVec2 v)
{
    return isNumber(v.x) && isNumber(v.y);
}

static bool isSelf(const thAvoidSelf* self)
{
    return isVector(self->velocity) && isVector(self->wanted) && isLength(self->radius) &&
           isLength(self->maxSpeed) && isLength(self->maxAccel);
}

// False if there is something wrong with it.
static bool takeNeighbor(thSingle* single, int32_t i, const thAvoidNeighbor* neighbor)
{
    single->nx[i] = neighbor->position.x;
    single->ny[i] = neighbor->position.y;
    single->nvx[i] = neighbor->velocity.x;
    single->nvy[i] = neighbor->velocity.y;
    single->nradius[i] = neighbor->radius;
    single->nshare[i] = neighbor->share;
    single->nrow[i] = i + 1;
    return isVector(neighbor->position) && isVector(neighbor->velocity) &&
           isLength(neighbor->radius) && neighbor->share >= 0.0f && neighbor->share <= 1.0f &&
           (neighbor->isFellow == 0 || neighbor->isFellow == 1);
}

// The same of a wall.
static bool takeWall(thSingle* single, int32_t i, const thAvoidWall* wall)
{
    single->ax[i] = wall->a.x;
    single->ay[i] = wall->a.y;
    single->bx[i] = wall->b.x;
    single->by[i] = wall->b.y;
    single->wvx[i] = wall->velocity.x;
    single->wvy[i] = wall->velocity.y;
    single->wradius[i] = wall->radius;
    return isVector(wall->a) && isVector(wall->b) && isVector(wall->velocity) &&
           isLength(wall->radius);
}

static bool takeAll(thSingle* single, const thAvoidSelf* self, const thAvoidNeighbor* neighbors,
                    const thAvoidWall* walls)
{
    bool good = isSelf(self);
    for (int32_t i = 0; i < single->neighborCount && good; ++i)
        good = takeNeighbor(single, i, &neighbors[i]);
    for (int32_t i = 0; i < single->wallCount && good; ++i)
        good = takeWall(single, i, &walls[i]);
    return good;
}

static void pointToColumns(thSingle* single, const thAvoidSelf* self, float dt)
{
    single->around = (thSurroundings){.lanes = 1,
                                      .dt = dt,
                                      .vx = &self->velocity.x,
                                      .vy = &self->velocity.y,
                                      .radius = &self->radius,
                                      .maxSpeed = &self->maxSpeed,
                                      .maxAccel = &self->maxAccel,
                                      .guideX = &self->wanted.x,
                                      .guideY = &self->wanted.y,
                                      .row = &single->row,
                                      .neighborMax = single->neighborCount,
                                      .neighborCount = &single->neighborCount,
                                      .nx = single->nx,
                                      .ny = single->ny,
                                      .nvx = single->nvx,
                                      .nvy = single->nvy,
                                      .nradius = single->nradius,
                                      .nshare = single->nshare,
                                      .nrow = single->nrow,
                                      .wallMax = single->wallCount,
                                      .wallCount = &single->wallCount,
                                      .ax = single->ax,
                                      .ay = single->ay,
                                      .bx = single->bx,
                                      .by = single->by,
                                      .wvx = single->wvx,
                                      .wvy = single->wvy,
                                      .wradius = single->wradius,
                                      .outVx = &single->answer.x,
                                      .outVy = &single->answer.y,
                                      .status = &single->status};
}

thResult thiTakeSingle(thSingle* single, const void* params,
                       thResult (*validate)(const void*, thError*), float dt,
                       const thAvoidSelf* self, const thAvoidNeighbor* neighbors,
                       int32_t neighborCount, const thAvoidWall* walls, int32_t wallCount)
{
    TH_REQUIRE(params != NULL && self != NULL, th_resultBadArgument);
    thError error = {0};
    if (validate(params, &error) != th_resultOk) {
        thiAssertFailed(error.text, __FILE__, __LINE__);
        return th_resultBadArgument;
    }
    TH_REQUIRE(dt >= THRONG_LEAST_STEP && dt <= TH_SINGLE_LARGEST, th_resultBadArgument);
    TH_REQUIRE(neighborCount >= 0 && neighborCount <= THRONG_AVOID_MOST && wallCount >= 0 &&
                   wallCount <= THRONG_AVOID_MOST,
               th_resultBadArgument);
    TH_REQUIRE((neighborCount == 0 || neighbors != NULL) && (wallCount == 0 || walls != NULL),
               th_resultBadArgument);
    single->row = 0;
    single->neighborCount = neighborCount;
    single->wallCount = wallCount;
    single->answer = (thVec2){0.0f, 0.0f};
    single->status = 0;
    TH_REQUIRE(takeAll(single, self, neighbors, walls), th_resultBadArgument);
    pointToColumns(single, self, dt);
    return th_resultOk;
}
