// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "scene/run/bodies.h"

#include "base/hash.h"
#include "geom/fixed.h"

#include <math.h>

// Classes of sizes: radii up to 2^(class − 6) m, so that the last holds 128 m. Cells are as wide as
// the largest body there could be. The exponent of a float tells between which powers of two it is.
static int32_t classOf(float radius)
{
    if (!(radius > 0x1p-6f))
        return 0;
    const int32_t power = (int32_t)((thiFloatBits(radius) - 1) >> 23) - 126;
    return TH_MIN(power + 6, TH_BODY_CLASSES - 1);
}

// Of the units of a coordinate, how many bits are within a cell.
static int32_t shiftOf(int32_t size)
{
    return size + 11;
}

static uint32_t bucketOf(const thBodies* bodies, int32_t size, int32_t level, int32_t column,
                         int32_t row)
{
    const uint64_t place = (uint64_t)(uint32_t)column << 32 | (uint32_t)row;
    const uint64_t kind = (uint64_t)level << 8 | (uint64_t)size;
    return (uint32_t)thiMix(place + kind * UINT64_C(0x9e3779b97f4a7c15)) & bodies->bucketMask;
}

static int32_t* bucketOfBody(const thBodies* bodies, const thPlacedBody* body)
{
    const int32_t size = classOf(body->radius), shift = shiftOf(size);
    return &bodies->buckets[bucketOf(bodies, size, body->level, body->at.x >> shift,
                                     body->at.y >> shift)];
}

thResult thiBodiesInit(thBodies* bodies, thMemory* memory, int32_t capacity)
{
    uint32_t buckets = 64;
    while (buckets < (uint32_t)capacity)
        buckets *= 2;
    const size_t count = (size_t)TH_MAX(capacity, 1);
    *bodies = (thBodies){.memory = memory,
                         .items = thiAllocate(memory, count * sizeof *bodies->items),
                         .next = thiAllocate(memory, count * sizeof *bodies->next),
                         .capacity = (int32_t)count,
                         .buckets = thiAllocate(memory, buckets * sizeof *bodies->buckets),
                         .bucketMask = buckets - 1};
    if (bodies->items == NULL || bodies->next == NULL || bodies->buckets == NULL) {
        thiBodiesFree(bodies);
        return th_resultNoMemory;
    }
    for (uint32_t i = 0; i < buckets; ++i)
        bodies->buckets[i] = -1;
    return th_resultOk;
}

void thiBodiesFree(thBodies* bodies)
{
    const size_t count = (size_t)bodies->capacity;
    thiRelease(bodies->memory, bodies->items, count * sizeof *bodies->items);
    thiRelease(bodies->memory, bodies->next, count * sizeof *bodies->next);
    thiRelease(bodies->memory, bodies->buckets,
               ((size_t)bodies->bucketMask + 1) * sizeof *bodies->buckets);
    *bodies = (thBodies){.memory = bodies->memory};
}

void thiAddBody(thBodies* bodies, int32_t number, thPlacedBody body)
{
    int32_t* bucket = bucketOfBody(bodies, &body);
    bodies->items[number] = body;
    bodies->next[number] = *bucket;
    *bucket = number;
    float* largest = &bodies->largest[classOf(body.radius)];
    *largest = TH_MAX(*largest, TH_MAX(body.radius, FLT_MIN));
}

void thiRemoveBody(thBodies* bodies, int32_t number)
{
    int32_t* link = bucketOfBody(bodies, &bodies->items[number]);
    while (*link != number)
        link = &bodies->next[*link];
    *link = bodies->next[number];
}

void thiMoveBody(thBodies* bodies, int32_t number, thPoint to)
{
    thPlacedBody body = bodies->items[number];
    const int32_t shift = shiftOf(classOf(body.radius));
    if (body.at.x >> shift == to.x >> shift && body.at.y >> shift == to.y >> shift) {
        bodies->items[number].at = to;
        return;
    }
    thiRemoveBody(bodies, number);
    body.at = to;
    thiAddBody(bodies, number, body);
}

static int32_t cellOf(double units, int32_t shift)
{
    return (int32_t)floor(units / (double)(1 << shift)); // less than 2^21 of them
}

static void openCell(thNearBodies* walk)
{
    walk->next = walk->bodies->buckets[bucketOf(walk->bodies, walk->size, walk->around.level,
                                                walk->column, walk->row)];
}

// The cells of the next class that has bodies.
static bool openClass(thNearBodies* walk)
{
    do
        walk->size += 1;
    while (walk->size < TH_BODY_CLASSES && walk->bodies->largest[walk->size] == 0.0f);
    if (walk->size >= TH_BODY_CLASSES)
        return false;
    const thPoint at = walk->around.at;
    const double reach =
        ((double)walk->around.radius + (double)walk->bodies->largest[walk->size] + walk->gap) *
        THRONG_UNITS_PER_METRE;
    const int32_t shift = shiftOf(walk->size);
    walk->column = walk->lowColumn = cellOf(at.x - reach, shift);
    walk->row = walk->lowRow = cellOf(at.y - reach, shift);
    walk->highColumn = cellOf(at.x + reach, shift);
    walk->highRow = cellOf(at.y + reach, shift);
    openCell(walk);
    return true;
}

static bool openNextCell(thNearBodies* walk)
{
    if (walk->column < walk->highColumn) {
        walk->column += 1;
    } else if (walk->row < walk->highRow) {
        walk->column = walk->lowColumn;
        walk->row += 1;
    } else {
        return openClass(walk);
    }
    openCell(walk);
    return true;
}

thNearBodies thiBeginNear(const thBodies* bodies, thPlacedBody around, int32_t number, double gap)
{
    return (thNearBodies){
        .bodies = bodies, .around = around, .number = number, .gap = gap, .size = -1, .next = -1};
}

// A list also holds bodies of other cells, which are met there.
static bool isOfCell(const thNearBodies* walk, const thPlacedBody* body)
{
    const int32_t shift = shiftOf(walk->size);
    return body->at.x >> shift == walk->column && body->at.y >> shift == walk->row &&
           body->level == walk->around.level && classOf(body->radius) == walk->size;
}

static bool isNear(thNearBodies* walk, const thPlacedBody* body)
{
    const thPlacedBody* around = &walk->around;
    walk->offset = (thOffset){(double)around->at.x - body->at.x, (double)around->at.y - body->at.y};
    walk->space =
        ((double)around->radius + (double)body->radius + walk->gap) * THRONG_UNITS_PER_METRE;
    const double square = walk->offset.x * walk->offset.x + walk->offset.y * walk->offset.y;
    if (square >= walk->space * walk->space)
        return false;
    walk->distance = sqrt(square);
    return true;
}

int32_t thiNextNear(thNearBodies* walk)
{
    for (;;) {
        while (walk->next < 0)
            if (!openNextCell(walk))
                return -1;
        const int32_t number = walk->next;
        const thPlacedBody* body = &walk->bodies->items[number];
        walk->next = walk->bodies->next[number];
        if (number != walk->number && isOfCell(walk, body) && isNear(walk, body))
            return number;
    }
}

bool thiHasRoom(const thBodies* bodies, thPlacedBody body, int32_t number, double gap)
{
    thNearBodies walk = thiBeginNear(bodies, body, number, gap);
    return thiNextNear(&walk) < 0;
}

int32_t thiFindTwin(const thBodies* bodies, thPlacedBody body, int32_t number)
{
    thNearBodies walk = thiBeginNear(bodies, body, number, 0.0);
    int32_t other = thiNextNear(&walk);
    while (other >= 0 && walk.distance > 0.0)
        other = thiNextNear(&walk);
    return other;
}
