// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Fast marching with slowness from counts of agents: Godunov's scheme, less what the wave is
// curved.

#include "plan/flow/slow_field.h"

#include "geom/fixed.h"
#include "throng/math.h"

#include <math.h>

// Nodes so near to the goal, in sides, start from there.
#define SEED_SIDES 3.0f

thResult thiSlowFieldBegin(thMemory* memory, const thEikonal* lengths, float crowding,
                           thSlowField* field)
{
    const thNodeGrid* grid = lengths->grid;
    const int32_t side = TH_MAX(THRONG_UNITS_PER_METRE / grid->side, 1);
    const int32_t count = thiNodeCount(grid);
    const float width = (float)side * (float)grid->side * TH_METRES_PER_UNIT;
    *field = (thSlowField){.memory = memory,
                           .lengths = lengths,
                           .blockNodes = side,
                           .blockColumns = (grid->columns + side - 1) / side,
                           .blockRows = (grid->rows + side - 1) / side,
                           .weight = crowding / (width * width),
                           .left = thiAllocate(memory, (size_t)count * sizeof(float)),
                           .isSettled = thiAllocateZero(memory, (size_t)count),
                           .heap = thiArray(memory, sizeof(uint64_t))};
    field->counts = thiAllocateZero(memory, (size_t)thiBlockCount(field) * sizeof(int32_t));
    if (count > 0 && (field->left == NULL || field->isSettled == NULL || field->counts == NULL)) {
        thiSlowFieldFree(field);
        return th_resultNoMemory;
    }
    for (int32_t i = 0; i < count; ++i)
        field->left[i] = INFINITY;
    return th_resultOk;
}

static void freeScratch(thSlowField* field)
{
    thiRelease(field->memory, field->isSettled, (size_t)thiNodeCount(field->lengths->grid));
    field->isSettled = NULL;
    thiArrayFree(&field->heap);
}

void thiSlowFieldFree(thSlowField* field)
{
    if (field->lengths == NULL)
        return;
    const size_t count = (size_t)thiNodeCount(field->lengths->grid);
    freeScratch(field);
    thiRelease(field->memory, field->left, count * sizeof(float));
    thiRelease(field->memory, field->counts, (size_t)thiBlockCount(field) * sizeof(int32_t));
    *field = (thSlowField){0};
}

void thiSlowFieldCount(thSlowField* field, thPoint p)
{
    const thNodeGrid* grid = field->lengths->grid;
    const int64_t width = (int64_t)grid->side * field->blockNodes;
    // Nodes are in the middle of what they stand for.
    const int64_t x = (int64_t)p.x - grid->low.x + grid->side / 2;
    const int64_t y = (int64_t)p.y - grid->low.y + grid->side / 2;
    if (x >= 0 && y >= 0 && x < width * field->blockColumns && y < width * field->blockRows)
        field->counts[y / width * field->blockColumns + x / width] += 1;
}

// Between the middles of blocks, densities are interpolated.
static float slownessAt(const thSlowField* field, int32_t node)
{
    const int32_t columns = field->lengths->grid->columns;
    const float share = 1.0f / (float)field->blockNodes;
    const float x = ((float)(node % columns) + 0.5f) * share - 0.5f;
    const float y = ((float)(node / columns) + 0.5f) * share - 0.5f;
    const int32_t column = TH_MAX((int32_t)x, 0), row = TH_MAX((int32_t)y, 0);
    const int32_t right = TH_MIN(column + 1, field->blockColumns - 1);
    const int32_t above = TH_MIN(row + 1, field->blockRows - 1);
    const float shareX = TH_MIN(TH_MAX(x - (float)column, 0.0f), 1.0f);
    const float shareY = TH_MIN(TH_MAX(y - (float)row, 0.0f), 1.0f);
    const int32_t* low = &field->counts[row * field->blockColumns];
    const int32_t* high = &field->counts[above * field->blockColumns];
    const float below = (float)low[column] + ((float)low[right] - (float)low[column]) * shareX;
    const float over = (float)high[column] + ((float)high[right] - (float)high[column]) * shareX;
    return 1.0f + field->weight * (below + (over - below) * shareY);
}

// The better of the two neighbours along an axis, if one of them is settled.
typedef struct Offer {
    float left;   // infinite if there is none
    int32_t from; // the neighbour
    float sign;   // from there to here: 1 or −1
} Offer;

static Offer betterOf(const thSlowField* field, int32_t node, int32_t step, uint8_t ahead,
                      uint8_t behind)
{
    const uint8_t open = field->lengths->grid->open[node];
    Offer best = {INFINITY, node, 0.0f};
    if ((open & ahead) != 0 && field->isSettled[node + step])
        best = (Offer){field->left[node + step], node + step, -1.0f};
    if ((open & behind) != 0 && field->isSettled[node - step] &&
        field->left[node - step] < best.left)
        best = (Offer){field->left[node - step], node - step, 1.0f};
    return best;
}

// How lengths without a crowd grow at a node: straight away from its anchor.
static thVec2 slopeAt(const thEikonal* lengths, int32_t node)
{
    const thPoint p = thiNodePlace(lengths->grid, node);
    thPoint place;
    const double far = thiNearestOfAnchor(thiAnchorAt(lengths, lengths->anchor[node]), p, &place);
    if (far == 0.0)
        return (thVec2){0.0f, 0.0f};
    return (thVec2){(float)(((double)p.x - place.x) / far), (float)(((double)p.y - place.y) / far)};
}

// How much more lengths without a crowd grow from a neighbour to a node than their slope there
// says: what the wave is curved. Where paths part it is no measure.
static float curvature(const thEikonal* lengths, int32_t node, const Offer* offer, float slope,
                       float side)
{
    if (offer->left == INFINITY)
        return 0.0f;
    const float bend =
        lengths->left[node] - lengths->left[offer->from] - offer->sign * slope * side;
    return TH_MIN(TH_MAX(bend, -0.5f * side), 0.5f * side);
}

// What a node costs if its path without a crowd runs along a wall, in a direction between the axes:
// then along one of them nothing is offered, and the scheme would take it to run along the other.
static float alongWall(const thEikonal* lengths, int32_t node, const Offer* offer, float slowness,
                       float side)
{
    const float grown = lengths->left[node] - lengths->left[offer->from];
    return offer->left + slowness * TH_MIN(TH_MAX(grown, 0.5f * side), side);
}

static bool isWalled(const thEikonal* lengths, int32_t node, float slope, uint8_t ahead,
                     uint8_t behind)
{
    return slope != 0.0f && (lengths->grid->open[node] & (slope > 0.0f ? behind : ahead)) == 0;
}

// The solution of Godunov's scheme, with what the wave is curved taken off first.
static float solveAt(const thSlowField* field, int32_t node, float slowness)
{
    const thEikonal* lengths = field->lengths;
    const float side = (float)lengths->grid->side * TH_METRES_PER_UNIT, cost = slowness * side;
    const Offer x = betterOf(field, node, 1, th_openEast, th_openWest);
    const Offer y = betterOf(field, node, lengths->grid->columns, th_openNorth, th_openSouth);
    const thVec2 slope = slopeAt(lengths, node);
    if (y.left == INFINITY && isWalled(lengths, node, slope.y, th_openNorth, th_openSouth))
        return alongWall(lengths, node, &x, slowness, side);
    if (x.left == INFINITY && isWalled(lengths, node, slope.x, th_openEast, th_openWest))
        return alongWall(lengths, node, &y, slowness, side);
    const float alongX = x.left + slowness * curvature(lengths, node, &x, slope.x, side);
    const float alongY = y.left + slowness * curvature(lengths, node, &y, slope.y, side);
    const float apart = fabsf(alongX - alongY);
    const float left = apart < cost
                           ? 0.5f * (alongX + alongY + sqrtf(2.0f * cost * cost - apart * apart))
                           : TH_MIN(alongX, alongY) + cost;
    // Never less than half a side beyond the neighbour: there are no pits.
    return TH_MAX(left, TH_MIN(x.left, y.left) + 0.5f * cost);
}

static thResult reach(thSlowField* field, int32_t node, float left)
{
    if (!(left < field->left[node]))
        return th_resultOk;
    TH_TRY(thiFrontPush(&field->heap, left, node));
    field->left[node] = left; // last: without memory it is tried again
    return th_resultOk;
}

// Whether a node at the border goes straight to a goal outside of the grid.
static bool startsOutside(const thEikonal* lengths, int32_t node)
{
    const thNodeGrid* grid = lengths->grid;
    const int32_t column = node % grid->columns, row = node / grid->columns;
    thPoint place;
    (void)thiNearestOfAnchor(thiAnchorAt(lengths, lengths->anchor[node]), thiNodePlace(grid, node),
                             &place);
    return (column == 1 || row == 1 || column == grid->columns - 2 || row == grid->rows - 2) &&
           !thiIsInGrid(grid, place);
}

// From nodes that see the goal near by, or from the border if it is outside.
static thResult start(thSlowField* field)
{
    const thEikonal* lengths = field->lengths;
    const thNodeGrid* grid = lengths->grid;
    const float near = SEED_SIDES * (float)grid->side * TH_METRES_PER_UNIT;
    for (int32_t node = 0; node < thiNodeCount(grid); ++node) {
        const int32_t anchor = lengths->anchor[node];
        if (anchor < 0 || thiAnchorAt(lengths, anchor)->next >= 0)
            continue;
        if (lengths->left[node] <= near || startsOutside(lengths, node))
            TH_TRY(reach(field, node, lengths->left[node] * slownessAt(field, node)));
    }
    field->isStarted = true;
    return th_resultOk;
}

static thResult spread(thSlowField* field, int32_t node)
{
    const thNodeGrid* grid = field->lengths->grid;
    const int32_t steps[4] = {1, -1, grid->columns, -grid->columns};
    const uint8_t bits[4] = {th_openEast, th_openWest, th_openNorth, th_openSouth};
    for (int32_t i = 0; i < 4; ++i) {
        const int32_t other = node + steps[i];
        if ((grid->open[node] & bits[i]) == 0 || field->isSettled[other])
            continue;
        const float left = solveAt(field, other, slownessAt(field, other));
        TH_TRY(reach(field, other, left));
    }
    return th_resultOk;
}

thResult thiSlowFieldMarch(thSlowField* field, int64_t* count)
{
    if (!field->isStarted)
        TH_TRY(start(field));
    while (field->heap.count > 0 && *count > 0) {
        // Room for all neighbours first: without it nothing has changed.
        TH_TRY(thiArrayReserveAmply(&field->heap, field->heap.count + 4));
        const int32_t node = thiFrontNode(thiFrontPop(&field->heap));
        if (field->isSettled[node])
            continue;
        field->isSettled[node] = 1;
        field->settled += 1;
        *count -= 1;
        TH_TRY(spread(field, node));
    }
    field->done = field->heap.count == 0;
    if (field->done)
        freeScratch(field);
    return th_resultOk;
}
