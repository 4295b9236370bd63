// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Walls and movers of a batch as columns, the columns of a single agent, and what profiles share.

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

bool thiIsSingleSelf(thVec2 velocity, thVec2 wanted, float radius, float maxSpeed, float maxAccel)
{
    return isVector(velocity) && isVector(wanted) && isLength(radius) && isLength(maxSpeed) &&
           isLength(maxAccel);
}

bool thiTakeSingleNeighbor(thSingleColumns* columns, int32_t i, thVec2 position, thVec2 velocity,
                           float radius, float share)
{
    columns->nx[i] = position.x;
    columns->ny[i] = position.y;
    columns->nvx[i] = velocity.x;
    columns->nvy[i] = velocity.y;
    columns->nradius[i] = radius;
    columns->nshare[i] = share;
    columns->nrow[i] = i + 1;
    return isVector(position) && isVector(velocity) && isLength(radius) && share >= 0.0f &&
           share <= 1.0f;
}

bool thiTakeSingleWall(thSingleColumns* columns, int32_t i, thVec2 a, thVec2 b, thVec2 velocity,
                       float radius)
{
    columns->ax[i] = a.x;
    columns->ay[i] = a.y;
    columns->bx[i] = b.x;
    columns->by[i] = b.y;
    columns->wvx[i] = velocity.x;
    columns->wvy[i] = velocity.y;
    columns->wradius[i] = radius;
    return isVector(a) && isVector(b) && isVector(velocity) && isLength(radius);
}

bool thiAreSingleParams(const void* params, thResult (*validate)(const void*, thError*))
{
    thError error = {0};
    const bool good = validate(params, &error) == th_resultOk;
    if (!good)
        thiAssertFailed(error.text, __FILE__, __LINE__);
    return good;
}
