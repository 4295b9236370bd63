// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Agents splatted onto cells, where they are and where they will be, and cells that movers will
// come to.

#include "plan/continuum/crowd_cells.h"

#include "geom/fixed.h"
#include "throng/math.h"

#include <math.h>

// One agent in its own cell, as a whole number: a node may have 2^30 of them, at 1000 m/s.
#define ONE 0x1p20f

// What is ahead is looked at so many times.
#define LOOKS 4

enum { sumDensity, sumX, sumY, sumAhead, sumKinds };

thResult thiCrowdCellsCreate(thMemory* memory, const thNodeGrid* nodes, const thContinuumDef* def,
                             thCrowdCells* cells)
{
    const int32_t count = thiNodeCount(nodes);
    const size_t size = (size_t)count * sizeof(float);
    *cells = (thCrowdCells){.memory = memory,
                            .count = count,
                            .sums = thiAllocate(memory, sumKinds * (size_t)count * sizeof(int64_t)),
                            .density = thiAllocateZero(memory, size),
                            .flowX = thiAllocateZero(memory, size),
                            .flowY = thiAllocateZero(memory, size),
                            .discomfort = thiAllocateZero(memory, size),
                            .nodes = nodes,
                            .def = def};
    if (cells->sums != NULL && cells->density != NULL && cells->flowX != NULL &&
        cells->flowY != NULL && cells->discomfort != NULL)
        return th_resultOk;
    thiCrowdCellsFree(cells);
    return th_resultNoMemory;
}

void thiCrowdCellsFree(thCrowdCells* cells)
{
    const size_t count = (size_t)cells->count;
    if (cells->memory == NULL)
        return;
    thiRelease(cells->memory, cells->sums, sumKinds * count * sizeof(int64_t));
    thiRelease(cells->memory, cells->density, count * sizeof(float));
    thiRelease(cells->memory, cells->flowX, count * sizeof(float));
    thiRelease(cells->memory, cells->flowY, count * sizeof(float));
    thiRelease(cells->memory, cells->discomfort, count * sizeof(float));
    *cells = (thCrowdCells){0};
}

static float power(float base, float exponent)
{
    if (exponent == 1.0f || base <= 0.0f || base >= 1.0f)
        return TH_MAX(base, 0.0f);
    return exponent == 2.0f ? base * base : thExp(exponent * thLog(base));
}

bool thiSplat(const thNodeGrid* nodes, float exponent, thPoint p, thSplat* splat)
{
    const int64_t x = (int64_t)p.x - nodes->low.x, y = (int64_t)p.y - nodes->low.y;
    const int64_t side = nodes->side;
    if (x < 0 || y < 0 || x / side >= nodes->columns - 1 || y / side >= nodes->rows - 1)
        return false;
    // In parts of a side, from both ends, so that mirrored places are mirrored to the bit.
    const float fromX = (float)(x % side) / (float)side,
                toX = (float)(side - x % side) / (float)side;
    const float fromY = (float)(y % side) / (float)side,
                toY = (float)(side - y % side) / (float)side;
    splat->node = (int32_t)(y / side) * nodes->columns + (int32_t)(x / side);
    splat->share[0] = power(TH_MIN(toX, toY), exponent);
    splat->share[1] = power(TH_MIN(fromX, toY), exponent);
    splat->share[2] = power(TH_MIN(toX, fromY), exponent);
    splat->share[3] = power(TH_MIN(fromX, fromY), exponent);
    return true;
}

// The integral of (1 − max(|x|, |y|))^exponent over the square about a node.
float thiSplatSum(float exponent)
{
    return 8.0f / ((exponent + 1.0f) * (exponent + 2.0f));
}

// Densities of a sum of 1.
static float densityOfOne(const thNodeGrid* nodes, float exponent)
{
    const float side = (float)nodes->side * TH_METRES_PER_UNIT;
    return 1.0f / (thiSplatSum(exponent) * side * side);
}

float thiFreeDensity(const thContinuumDef* def)
{
    const float cell = thiMetres(TH_MAX(thiUnits(def->cell), 2));
    const float alone = power(0.5f, def->exponent) / (thiSplatSum(def->exponent) * cell * cell);
    return TH_MAX(def->freeDensity, alone);
}

static void addAgent(thCrowdCells* cells, const thFrame* frame, int32_t row)
{
    thSplat splat;
    const thPoint p = {frame->px[row], frame->py[row]};
    if (!thiSplat(cells->nodes, cells->def->exponent, p, &splat))
        return;
    const int32_t steps[4] = {0, 1, cells->nodes->columns, cells->nodes->columns + 1};
    for (int32_t i = 0; i < 4; ++i) {
        int64_t* sums = &cells->sums[sumKinds * (int64_t)(splat.node + steps[i])];
        const float share = splat.share[i] * ONE;
        sums[sumDensity] += (int64_t)lrintf(share);
        sums[sumX] += (int64_t)llrintf(share * frame->vx[row]);
        sums[sumY] += (int64_t)llrintf(share * frame->vy[row]);
    }
}

static thPoint placeAfter(thPoint p, float vx, float vy, float time)
{
    const double most = TH_MAX_UNITS;
    const double x = p.x + (double)vx * (double)time * THRONG_UNITS_PER_METRE;
    const double y = p.y + (double)vy * (double)time * THRONG_UNITS_PER_METRE;
    return (thPoint){(int32_t)lrint(TH_MIN(TH_MAX(x, -most), most)),
                     (int32_t)lrint(TH_MIN(TH_MAX(y, -most), most))};
}

// Who stands is nowhere else later.
static void addAhead(thCrowdCells* cells, const thFrame* frame, int32_t row)
{
    if (frame->vx[row] == 0.0f && frame->vy[row] == 0.0f)
        return;
    for (int32_t look = 1; look <= LOOKS; ++look) {
        const float time = cells->def->peopleAhead * (float)look / LOOKS;
        thSplat splat;
        if (!thiSplat(cells->nodes, cells->def->exponent,
                      placeAfter((thPoint){frame->px[row], frame->py[row]}, frame->vx[row],
                                 frame->vy[row], time),
                      &splat))
            continue;
        const int32_t steps[4] = {0, 1, cells->nodes->columns, cells->nodes->columns + 1};
        for (int32_t i = 0; i < 4; ++i)
            cells->sums[sumKinds * (int64_t)(splat.node + steps[i]) + sumAhead] +=
                (int64_t)lrintf(splat.share[i] * ONE);
    }
}

// Whether a mover comes within half a cell of a place, relative to its origin.
static bool isNearMover(const thMovers* movers, int32_t mover, thVec2 place, float near)
{
    const int32_t first = movers->firstCorner[mover], end = movers->firstCorner[mover + 1];
    const float reach = movers->radius[mover] + near;
    if (place.x * place.x + place.y * place.y > reach * reach)
        return false;
    bool isInside = end > first;
    for (int32_t i = first; i < end; ++i) {
        const thVec2 a = movers->corners[i], b = movers->corners[i + 1 < end ? i + 1 : first];
        const thVec2 along = {b.x - a.x, b.y - a.y}, to = {place.x - a.x, place.y - a.y};
        const float lengthSq = along.x * along.x + along.y * along.y;
        const float share = lengthSq > 0.0f ? (to.x * along.x + to.y * along.y) / lengthSq : 0.0f;
        const float at = TH_MIN(TH_MAX(share, 0.0f), 1.0f);
        const float x = to.x - at * along.x, y = to.y - at * along.y;
        if (x * x + y * y <= near * near)
            return true;
        isInside = isInside && along.x * to.y - along.y * to.x >= 0.0f;
    }
    return isInside || end == first;
}

static int32_t indexAt(double place, double low, int32_t side, int32_t count)
{
    return (int32_t)TH_MIN(TH_MAX(ceil((place - low) / side), 0.0), (double)count);
}

// Where people make it worse already it stays so.
static void setDiscomfort(float* at)
{
    *at = TH_MAX(*at, 1.0f);
}

static void markMover(thCrowdCells* cells, const thMovers* movers, int32_t mover, float time)
{
    const thNodeGrid* nodes = cells->nodes;
    const thPoint at = placeAfter((thPoint){movers->px[mover], movers->py[mover]},
                                  movers->vx[mover], movers->vy[mover], time);
    const float near = 0.5f * thiMetres(nodes->side);
    const double reach = ((double)movers->radius[mover] + (double)near) * THRONG_UNITS_PER_METRE;
    const int32_t left = indexAt(at.x - reach, nodes->low.x, nodes->side, nodes->columns);
    const int32_t right = indexAt(at.x + reach, nodes->low.x, nodes->side, nodes->columns);
    const int32_t above = indexAt(at.y + reach, nodes->low.y, nodes->side, nodes->rows);
    for (int32_t row = indexAt(at.y - reach, nodes->low.y, nodes->side, nodes->rows); row < above;
         ++row)
        for (int32_t column = left; column < right; ++column) {
            const thPoint p = {nodes->low.x + column * nodes->side,
                               nodes->low.y + row * nodes->side};
            const thVec2 place = {thiMetresBetween(at.x, p.x), thiMetresBetween(at.y, p.y)};
            if (isNearMover(movers, mover, place, near))
                setDiscomfort(&cells->discomfort[row * nodes->columns + column]);
        }
}

// Often enough that a mover leaves no cell out, unless it goes through more than a thousand.
static void markMovers(thCrowdCells* cells, const thFrame* frame, int32_t level)
{
    const thMovers* movers = frame->movers;
    for (int32_t i = 0; i < movers->count; ++i) {
        if (movers->level[i] != level)
            continue;
        const float x = movers->vx[i], y = movers->vy[i];
        const float far = sqrtf(x * x + y * y) * cells->def->moversAhead;
        const float looks = ceilf(far / thiMetres(cells->nodes->side));
        const int32_t count = (int32_t)TH_MIN(looks, 1000.0f);
        for (int32_t look = 0; look <= count; ++look)
            markMover(cells, movers, i,
                      count > 0 ? cells->def->moversAhead * (float)look / (float)count : 0.0f);
    }
}

void thiCrowdCellsFill(thCrowdCells* cells, const thFrame* frame, int32_t level)
{
    const thContinuumDef* def = cells->def;
    for (int64_t i = 0; i < sumKinds * (int64_t)cells->count; ++i)
        cells->sums[i] = 0;
    for (int32_t row = 0; row < frame->count; ++row) {
        if (frame->level[row] != level || (frame->flags[row] & th_agentAlive) == 0)
            continue;
        addAgent(cells, frame, row);
        if (def->peopleAhead > 0.0f)
            addAhead(cells, frame, row);
    }
    const float one = densityOfOne(cells->nodes, def->exponent) / ONE;
    const float ahead = def->fullDensity > 0.0f ? one / (LOOKS * def->fullDensity) : 0.0f;
    for (int32_t node = 0; node < cells->count; ++node) {
        const int64_t* sums = &cells->sums[sumKinds * (int64_t)node];
        cells->density[node] = (float)sums[sumDensity] * one;
        cells->flowX[node] = (float)sums[sumX] * one;
        cells->flowY[node] = (float)sums[sumY] * one;
        cells->discomfort[node] = (float)sums[sumAhead] * ahead;
    }
    markMovers(cells, frame, level);
}

thCrowdAt thiCrowdAt(const thCrowdCells* cells, double x, double y)
{
    const thNodeGrid* nodes = cells->nodes;
    const double inX = TH_MIN(TH_MAX((x - nodes->low.x) / nodes->side, 0.0), nodes->columns - 1.0);
    const double inY = TH_MIN(TH_MAX((y - nodes->low.y) / nodes->side, 0.0), nodes->rows - 1.0);
    const int32_t column = TH_MIN((int32_t)inX, nodes->columns - 2);
    const int32_t row = TH_MIN((int32_t)inY, nodes->rows - 2);
    const float toX = (float)(inX - column), toY = (float)(inY - row);
    const float shares[4] = {(1.0f - toX) * (1.0f - toY), toX * (1.0f - toY), (1.0f - toX) * toY,
                             toX * toY};
    const int32_t node = row * nodes->columns + column;
    const int32_t steps[4] = {0, 1, nodes->columns, nodes->columns + 1};
    float density = 0.0f, flowX = 0.0f, flowY = 0.0f;
    for (int32_t i = 0; i < 4; ++i) {
        density += shares[i] * cells->density[node + steps[i]];
        flowX += shares[i] * cells->flowX[node + steps[i]];
        flowY += shares[i] * cells->flowY[node + steps[i]];
    }
    const float share = density > 0.0f ? 1.0f / density : 0.0f;
    return (thCrowdAt){density, {flowX * share, flowY * share}};
}
