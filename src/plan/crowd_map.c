// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Agents counted in blocks, sums of the counts, and the walk of a leg from block to block. The sums
// say at once where nobody is.

#include "plan/crowd_map.h"

#include <math.h>

#define BLOCK (2 * THRONG_UNITS_PER_METRE) // side of a block, unless there would be too many
#define MOST_BLOCKS (1 << 20)

// The box of all agents of the floor; false if there are none.
static bool findBox(const thFrame* frame, int32_t level, thPoint* low, thPoint* high)
{
    bool any = false;
    for (int32_t row = 0; row < frame->count; ++row) {
        if (frame->level[row] != level || (frame->flags[row] & th_agentAlive) == 0)
            continue;
        const thPoint p = {frame->px[row], frame->py[row]};
        *low = any ? (thPoint){TH_MIN(low->x, p.x), TH_MIN(low->y, p.y)} : p;
        *high = any ? (thPoint){TH_MAX(high->x, p.x), TH_MAX(high->y, p.y)} : p;
        any = true;
    }
    return any;
}

static size_t sumsSize(const thCrowdMap* map)
{
    return (size_t)(map->columns + 1) * (size_t)(map->rows + 1) * sizeof(int64_t);
}

thResult thiCrowdMapBegin(thCrowdMap* map, float crowding, int64_t side, int64_t columns,
                          int64_t rows)
{
    if (side < BLOCK || columns < 1 || rows < 1 || columns > MOST_BLOCKS || rows > MOST_BLOCKS ||
        columns * rows > MOST_BLOCKS)
        return th_resultDamaged;
    const double metres = (double)side / THRONG_UNITS_PER_METRE;
    map->weight = (double)crowding / (metres * metres);
    map->side = (int32_t)side;
    map->columns = (int32_t)columns;
    map->rows = (int32_t)rows;
    map->counts = thiAllocateZero(map->memory, (size_t)thiCrowdBlocks(map) * sizeof *map->counts);
    map->sums = thiAllocate(map->memory, sumsSize(map));
    if (map->counts != NULL && map->sums != NULL)
        return th_resultOk;
    thiCrowdMapFree(map);
    return th_resultNoMemory;
}

void thiCrowdMapFree(thCrowdMap* map)
{
    thiRelease(map->memory, map->counts, (size_t)thiCrowdBlocks(map) * sizeof *map->counts);
    thiRelease(map->memory, map->sums, sumsSize(map));
    map->counts = NULL;
    map->sums = NULL;
}

void thiCrowdMapSum(thCrowdMap* map)
{
    const int32_t width = map->columns + 1;
    for (int32_t x = 0; x < width; ++x)
        map->sums[x] = 0;
    for (int32_t y = 0; y < map->rows; ++y) {
        int64_t* sums = &map->sums[(y + 1) * width];
        sums[0] = 0;
        for (int32_t x = 0; x < map->columns; ++x)
            sums[x + 1] =
                sums[x] + sums[x + 1 - width] - sums[x - width] + map->counts[y * map->columns + x];
    }
}

// Blocks begin at multiples of their side, so that they do not move about with the crowd.
static thResult placeBlocks(thCrowdMap* map, float crowding, thPoint low, thPoint high)
{
    for (int64_t side = BLOCK;; side *= 2) {
        const int64_t left = (int64_t)floor((double)low.x / (double)side);
        const int64_t below = (int64_t)floor((double)low.y / (double)side);
        const int64_t columns = (int64_t)floor((double)high.x / (double)side) - left + 1;
        const int64_t rows = (int64_t)floor((double)high.y / (double)side) - below + 1;
        if (columns * rows > MOST_BLOCKS)
            continue;
        map->lowX = (int32_t)(left * side);
        map->lowY = (int32_t)(below * side);
        return thiCrowdMapBegin(map, crowding, side, columns, rows);
    }
}

thResult thiCountCrowd(thMemory* memory, const thFrame* frame, int32_t level, float crowding,
                       thCrowdMap* map)
{
    thPoint low, high;
    *map = (thCrowdMap){.memory = memory, .level = level};
    if (!findBox(frame, level, &low, &high))
        return th_resultOk;
    TH_TRY(placeBlocks(map, crowding, low, high));
    for (int32_t row = 0; row < frame->count; ++row)
        if (frame->level[row] == level && (frame->flags[row] & th_agentAlive) != 0) {
            const int64_t column = ((int64_t)frame->px[row] - map->lowX) / map->side;
            const int64_t line = ((int64_t)frame->py[row] - map->lowY) / map->side;
            map->counts[line * map->columns + column] += 1;
        }
    thiCrowdMapSum(map);
    return th_resultOk;
}

thCrowdMap thiCrowdWithout(const thCrowdMap* map, thPoint place)
{
    thCrowdMap others = *map;
    const int64_t x = (int64_t)place.x - map->lowX, y = (int64_t)place.y - map->lowY;
    const bool isInside = map->counts != NULL && x >= 0 && y >= 0 && x / map->side < map->columns &&
                          y / map->side < map->rows;
    others.own =
        isInside ? 1 + (int32_t)(y / map->side) * map->columns + (int32_t)(x / map->side) : 0;
    return others;
}

// A leg, in blocks from the corner of the map.
typedef struct Leg {
    double x, y, dx, dy;
    double begin, end; // shares of the leg that are within the map
} Leg;

static void clip(double from, double along, double high, Leg* leg)
{
    if (along == 0.0) {
        if (from < 0.0 || from >= high)
            leg->end = leg->begin;
        return;
    }
    const double low = -from / along, top = (high - from) / along;
    leg->begin = TH_MAX(leg->begin, TH_MIN(low, top));
    leg->end = TH_MIN(leg->end, TH_MAX(low, top));
}

static int32_t blockAt(double place, int32_t count)
{
    const int32_t block = (int32_t)place;
    return TH_MIN(TH_MAX(block, 0), count - 1);
}

// Whether nobody is in the blocks that a part of a leg may lead through.
static bool isEmpty(const thCrowdMap* map, const Leg* leg)
{
    const double ax = leg->x + leg->begin * leg->dx, bx = leg->x + leg->end * leg->dx;
    const double ay = leg->y + leg->begin * leg->dy, by = leg->y + leg->end * leg->dy;
    const int32_t left = blockAt(TH_MIN(ax, bx), map->columns);
    const int32_t right = blockAt(TH_MAX(ax, bx), map->columns) + 1;
    const int64_t* below = &map->sums[blockAt(TH_MIN(ay, by), map->rows) * (map->columns + 1)];
    const int64_t* above =
        &map->sums[(blockAt(TH_MAX(ay, by), map->rows) + 1) * (map->columns + 1)];
    return above[right] - above[left] - below[right] + below[left] == 0;
}

// Where a leg leaves a block along one axis, as a share of it.
static double leavesAt(double from, double along, int32_t block)
{
    if (along == 0.0)
        return INFINITY;
    return ((double)(along > 0.0 ? block + 1 : block) - from) / along;
}

static int32_t countIn(const thCrowdMap* map, int32_t block)
{
    const int32_t count = map->counts[block];
    return block + 1 == map->own && count > 0 ? count - 1 : count;
}

// Agents met, each counted by the share of the leg in its block.
static double meetCrowd(const thCrowdMap* map, const Leg* leg)
{
    int32_t column = blockAt(leg->x + leg->begin * leg->dx, map->columns);
    int32_t row = blockAt(leg->y + leg->begin * leg->dy, map->rows);
    double met = 0.0, at = leg->begin;
    for (;;) {
        const double byX = leavesAt(leg->x, leg->dx, column);
        const double byY = leavesAt(leg->y, leg->dy, row);
        const double next = TH_MIN(TH_MIN(byX, byY), leg->end);
        if (next > at) {
            met += (next - at) * countIn(map, row * map->columns + column);
            at = next;
        }
        if (!(TH_MIN(byX, byY) < leg->end))
            return met;
        if (byX <= byY)
            column += leg->dx > 0.0 ? 1 : -1;
        else
            row += leg->dy > 0.0 ? 1 : -1;
        if (column < 0 || row < 0 || column >= map->columns || row >= map->rows)
            return met;
    }
}

double thiCrowdAlong(const thCrowdMap* map, double ax, double ay, double bx, double by)
{
    if (map == NULL || map->counts == NULL)
        return 0.0;
    const double scale = 1.0 / map->side;
    Leg leg = {.x = (ax - map->lowX) * scale,
               .y = (ay - map->lowY) * scale,
               .dx = (bx - ax) * scale,
               .dy = (by - ay) * scale,
               .begin = 0.0,
               .end = 1.0};
    clip(leg.x, leg.dx, map->columns, &leg);
    clip(leg.y, leg.dy, map->rows, &leg);
    if (!(leg.begin < leg.end) || isEmpty(map, &leg))
        return 0.0;
    const double dx = bx - ax, dy = by - ay;
    return map->weight * sqrt(dx * dx + dy * dy) * meetCrowd(map, &leg);
}
